"""Write: writes rows of Arrow columns to csv, json and parquet files as Spark does; runs in Spark's workers."""
