"""Aggregates: how the aggregates of each group are kept up to date while tuples come and go."""
