"""Scalars: analysis of scalar expressions: names, types, implicit casts and calls."""
