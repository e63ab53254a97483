"""Text: plans and expressions written for people, and expressions as Spark SQL."""
