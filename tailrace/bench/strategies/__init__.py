"""Strategies: measurements of the three ways to let tuples expire."""
