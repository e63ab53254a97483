"""Scan: reads the files of a source into Arrow columns, row for row what Spark's readers give.

It runs inside Spark's Python workers and knows nothing of Spark. `support.why_not` says whether a source can be read
so; `splits.split_file` cuts a file; `scan_split.scan` reads a part of it.
"""
