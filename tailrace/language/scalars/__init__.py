"""Scalars: the grammar of expressions: constants, operators, calls, window functions, and spellings of the standard."""
