"""Snapshots: the sink of a relation as it is now holds one file, which each batch replaces in one step.

So whoever reads the folder at any moment finds one whole snapshot: the one before, or the new one. Other files of the
folder are nobody's business here.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from pyspark.sql import SparkSession

from tailrace.errors import RunError
from tailrace.file_names import file_name_of
from tailrace.state import disk
from tailrace.state.sync_files import make_folder, sync_file, sync_folder

# What Spark's writers let a file's name end in: a codec is before some formats, and after others.
ENDING = re.compile(
    r"((snappy|gz|zstd|lz4|lz4raw|lz4hadoop|lzo|br|zlib)\.)?(parquet|orc)|avro"
    r"|(csv|json|txt|xml)(\.(gz|bz2|deflate|snappy|lz4|zst))?"
)


def snapshot_name(query: str, written: str) -> str:
    """The name of the file with a query's snapshot, which Spark has `written` under another name.

    >>> snapshot_name("last", "part-00000-5e.snappy.parquet"), snapshot_name("last", "part-00000-5e.c000.json")
    ('part-snapshot-last.snappy.parquet', 'part-snapshot-last.json')
    """
    # Where Spark writes folders, one for each member of a family, it counts the files of a task: `.c000`.
    return f"part-snapshot-{file_name_of(query)}.{re.sub(r'^c[0-9]+[.]', '', written.partition('.')[2])}"


def is_snapshot(query: str, name: str) -> bool:
    """Whether a file is a snapshot of a query, of whatever format, and not one of another query's.

    >>> names = [f"part-snapshot-{name}" for name in ("a.csv", "a.csv.gz", "a.zstd.parquet", "a.csv.csv", "ab.csv")]
    >>> [is_snapshot("a", name) for name in names], [is_snapshot("a.csv", name) for name in names]
    ([True, True, True, False, False], [False, False, False, True, False])
    """
    begin = f"part-snapshot-{file_name_of(query)}."
    return name.startswith(begin) and ENDING.fullmatch(name, len(begin)) is not None


def replace_file(spark: SparkSession, files: Any, new: Any, to: Any, syncs: bool) -> None:
    """Move a file of a Hadoop file system over another one, in one step where the file system has such a step.

    On this machine the checksums that Hadoop keeps beside a file stay behind: they would be moved in a second step, and
    between the two Hadoop would refuse the file.
    """
    if files.getUri().getScheme() == "file":
        path, target = (Path(files.makeQualified(each).toUri().getPath()) for each in (new, to))
        if syncs:
            sync_file(path)
            make_folder(target.parent)
        disk.remove(target.with_name(f".{target.name}.crc"))
        disk.rename(path, target)
        if syncs:
            sync_folder(target.parent)
        return
    java: Any = spark.sparkContext._jvm
    context: Any = spark.sparkContext
    overwrite = java.org.apache.hadoop.fs.Options.Rename
    ways = context._gateway.new_array(overwrite, 1)
    ways[0] = overwrite.OVERWRITE
    settings = context._jsc.hadoopConfiguration()
    try:
        java.org.apache.hadoop.fs.FileContext.getFileContext(files.getUri(), settings).rename(new, to, ways)
    except Exception as problem:
        raise RunError(f"{new} could not be moved to {to}", hint="look whether the folder can be written") from problem
