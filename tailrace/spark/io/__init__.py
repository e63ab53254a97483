"""IO: reads sources as DataFrames, writes the SQL of stage inputs, and delivers results to sinks."""
