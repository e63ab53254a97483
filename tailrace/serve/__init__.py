"""Serve: what a person meets: the command line and what it prints."""
