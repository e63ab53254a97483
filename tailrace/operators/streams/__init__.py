"""Streams: operators that take sources in and give streams out."""
