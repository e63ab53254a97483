"""Spark: runs staged plans as Spark jobs. Outside the benchmarks, the only folder that imports pyspark."""
