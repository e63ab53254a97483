"""Sequence: operators of CSQL, which count steps instead of instants."""
