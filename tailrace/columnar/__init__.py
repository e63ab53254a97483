"""Columnar: columns of values, Arrow at the edges and NumPy inside."""
