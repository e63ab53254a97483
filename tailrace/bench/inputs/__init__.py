"""Inputs: the data that measurements read, and what they are compared with."""
