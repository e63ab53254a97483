"""Physical: operators on batches of changes, in NumPy and Arrow. Nothing here knows Spark."""
