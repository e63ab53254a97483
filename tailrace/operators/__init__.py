"""Operators: the operator protocol, and the loop that runs operators on a batch."""
