"""Sharing: which queries are answered together."""
