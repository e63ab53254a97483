"""Sharing: finds queries that one plan can answer together."""
