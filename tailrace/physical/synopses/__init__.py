"""Synopses: what operators remember, as immutable sorted runs."""
