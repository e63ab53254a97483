"""Catalog: what is declared under which name, and which functions there are."""
