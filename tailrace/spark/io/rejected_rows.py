"""Rejected rows: counts late or unreadable rows, which queries do not see, and writes them to a folder if asked to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from tailrace.logical.spark_sql import name_text
from tailrace.progress import RejectedCount
from tailrace.spark.io import sinks
from tailrace.spark.source_layout import FILE, MOMENT, SOURCE, UNREADABLE, SourceLayout

FILES_NAMED = 3  # files with rejected rows that are named to people


@dataclass
class RejectedRows:
    """Rejected rows of one kind, "late" or "unreadable", counted by source and file.

    `folder` is where the rows are written (`SET late`, `SET unreadable`); None if they are only counted.
    """

    kind: str
    shape: SourceLayout
    folder: str | None
    counts: dict[int, int] = field(default_factory=dict)
    files: dict[int, dict[str, int]] = field(default_factory=dict)

    def keep(self, rows: DataFrame, batch: sinks.BatchId | None) -> None:
        """Count rejected rows and write them to the folder; exactly once, also if a batch with an id is repeated."""
        if FILE not in rows.columns:
            # The file's name costs Spark something for every row, so it is computed for rejected rows only.
            rows = rows.withColumn(FILE, F.input_file_name())
        rows = rows.persist()
        found: set[int] = set()
        try:
            for row in rows.groupBy(SOURCE, FILE).count().collect():
                number = row[SOURCE]
                self.counts[number] = self.counts.get(number, 0) + row["count"]
                if row[FILE]:
                    named = self.files.setdefault(number, {})
                    name = row[FILE].rpartition("/")[2]
                    named[name] = named.get(name, 0) + row["count"]
                found.add(number)
            for number in found:
                self.write(rows, number, batch)
        finally:
            rows.unpersist()

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
        sinks.write_batch(mine.coalesce(1), sinks.SinkTarget(self.kind, "json", self.place(number)), batch)

    def place(self, number: int) -> str:
        assert self.folder is not None
        return f"{self.folder}/{self.shape.sources[number].name}"

    def add(self, earlier: RejectedRows) -> None:
        """Add the counts from before the sources changed; counts of sources that are gone are dropped."""
        numbers = {source.name: number for number, source in enumerate(self.shape.sources)}
        for before, rows in earlier.counts.items():
            number = numbers.get(earlier.shape.sources[before].name)
            if number is not None:
                self.counts[number] = self.counts.get(number, 0) + rows
                self.files[number] = {**earlier.files.get(before, {}), **self.files.get(number, {})}

    def rejected_counts(self) -> tuple[RejectedCount, ...]:
        found = []
        for number, rows in self.counts.items():
            files: Sequence[str] = sorted(self.files.get(number, {}), key=lambda name: -self.files[number][name])
            kept = self.place(number) if self.folder else None
            found.append(RejectedCount(self.shape.sources[number].name, rows, tuple(files[:FILES_NAMED]), kept))
        return tuple(found)
