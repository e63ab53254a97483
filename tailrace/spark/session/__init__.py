"""Session: a Spark session that is set for small batches."""
