"""Statements: what statements other than CREATE STREAM and CREATE QUERY do to the catalog, and what they answer."""
