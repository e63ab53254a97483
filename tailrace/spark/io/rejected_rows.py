"""Rejected rows: counts late or unreadable rows, which queries do not see, and writes them to a folder if asked to."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from tailrace.file_names import file_name_of
from tailrace.logical.text.spark_sql import name_text
from tailrace.progress import RejectedCount
from tailrace.spark.io import sinks
from tailrace.spark.source_layout import FILE, MOMENT, SOURCE, UNREADABLE, SourceLayout

FILES_NAMED = 3  # files with rejected rows that are named to people


RejectedByFile = Mapping[str, Mapping[str, int]]  # how many rows were rejected, by source and file


def add_rejected(before: RejectedByFile, new: RejectedByFile) -> RejectedByFile:
    """The counts of two batches together.

    >>> add_rejected({"S": {"a": 1}}, {"S": {"a": 2, "": 1}, "R": {"b": 1}})
    {'S': {'a': 3, '': 1}, 'R': {'b': 1}}
    """
    found = {source: dict(files) for source, files in before.items()}
    for source, files in new.items():
        counts = found.setdefault(source, {})
        for file, rows in files.items():
            counts[file] = counts.get(file, 0) + rows
    return found


def rows_by_source(rejected: RejectedByFile) -> dict[str, int]:
    return {source: sum(files.values()) for source, files in rejected.items()}


@dataclass(frozen=True)
class RejectedRows:
    """Counts rejected rows of one kind, "late" or "unreadable", and writes them to `folder` if there is one."""

    kind: str
    shape: SourceLayout
    folder: str | None

    def keep(self, rows: DataFrame, batch: sinks.BatchId | None) -> RejectedByFile:
        """Count rejected rows and write them to the folder; exactly once, also if a batch with an id is repeated."""
        if FILE not in rows.columns:
            # The file's name costs Spark something for every row, so it is computed for rejected rows only.
            rows = rows.withColumn(FILE, F.input_file_name())
        rows = rows.persist()
        found: dict[str, dict[str, int]] = {}
        try:
            numbers = set()
            for row in rows.groupBy(SOURCE, FILE).count().collect():
                named = found.setdefault(self.shape.sources[row[SOURCE]].name, {})
                name = (row[FILE] or "").rpartition("/")[2]
                named[name] = named.get(name, 0) + row["count"]
                numbers.add(row[SOURCE])
            for number in numbers:
                self.write(rows, number, batch)
        finally:
            rows.unpersist()
        return found

    def remove_earlier(self, spark: SparkSession, numbers: Iterable[int], batch: sinks.BatchId | None) -> None:
        """Remove the rows of sources that an earlier attempt at a batch kept: the batch may have fewer files now."""
        if self.folder is None or batch is None or not batch.again:
            return
        files, mark = sinks.folder_and_mark(spark, self.folder)
        if files.exists(mark.getParent()):
            for number in numbers:
                sinks.remove_earlier(spark, self.target(number), batch)

    def write(self, rows: DataFrame, number: int, batch: sinks.BatchId | None) -> None:
        """Write a source's rejected rows as lines of JSON: moment, file, columns and the text that was unreadable."""
        if self.folder is None:
            return
        source, slots = self.shape.sources[number], self.shape.slots(number)
        columns = [f"w{slot} AS {name_text(source.schema[column].name)}" for column, slot in slots.items()]
        others = [f"{MOMENT} AS moment", f"{FILE} AS file"]
        if self.shape.has_checked_formats:
            others.append(f"{UNREADABLE} AS unreadable")
        mine = rows.where(f"{SOURCE} = {number}").selectExpr(*others, *columns)
        sinks.write_batch(mine.coalesce(1), self.target(number), batch)

    def target(self, number: int) -> sinks.SinkTarget:
        return sinks.SinkTarget(self.kind, "json", self.place(number))

    def place(self, number: int) -> str:
        assert self.folder is not None
        return f"{self.folder}/{file_name_of(self.shape.sources[number].name)}"

    def summarize(self, rejected: RejectedByFile) -> tuple[RejectedCount, ...]:
        """The counts for people, those of this layout's sources."""
        found = []
        for number, source in enumerate(self.shape.sources):
            if files := rejected.get(source.name):
                names = sorted(filter(None, files), key=lambda name: -files[name])
                kept = self.place(number) if self.folder else None
                found.append(RejectedCount(source.name, sum(files.values()), tuple(names[:FILES_NAMED]), kept))
        return tuple(found)
