"""Frequencies: the rewrite rules of sequence queries, which move, merge and split frequencies (CSQL)."""
