"""IO: rows into and out of Spark."""
