"""Aggregates: what a group is worth, kept up to date. `families` says which file has which."""
