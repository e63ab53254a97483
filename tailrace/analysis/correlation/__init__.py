"""Correlation: how a subquery that reads columns of the query around it becomes part of that query's plan."""
