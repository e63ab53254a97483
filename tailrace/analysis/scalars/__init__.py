"""Scalars: names, types and calls inside expressions."""
