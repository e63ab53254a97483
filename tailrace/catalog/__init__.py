"""Catalog: the declared streams, relations, views and queries by name, and the functions that queries can call."""
