"""Functions: Spark SQL's functions on Arrow columns, one topic a file."""
