"""CSQL: measurements of sequence queries."""
