"""Families: one plan that answers many queries (CACQ)."""
