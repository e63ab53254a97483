"""Arrow functions: Spark SQL's operators and functions on Arrow arrays, one family of them per file."""
