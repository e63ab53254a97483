"""Session: Spark sessions configured for small batches, what executors need, and Spark's errors as one line."""
