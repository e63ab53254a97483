"""Spark: measurements of whole runs."""
