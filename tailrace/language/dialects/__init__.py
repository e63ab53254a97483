"""Dialects: the statements and words of other SQL dialects, and what they are here."""
