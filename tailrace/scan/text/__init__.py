"""Text: reads csv and json files, by the rules of Spark's readers."""
