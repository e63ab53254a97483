"""Aggregates: how the value of a group is kept up to date."""
