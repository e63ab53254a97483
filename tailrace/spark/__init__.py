"""Spark: the physical plan as Spark jobs. The only folder that imports pyspark."""
