"""Sequence: operators of sequence queries (CSQL), which are evaluated at arriving elements, not at instants."""
