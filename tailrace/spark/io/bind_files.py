"""Bind files: reads csv files by the names in their headers, although Spark binds csv columns by position.

Structured Streaming reads all files of a source with the schema it was started with. So the headers of a batch's files
are read before the batch runs. Rows of files with another header are filtered out of Spark's batch, and these files are
read again with a schema of their own. If all headers are as expected, nothing is added to the batch.

Files that are gone or damaged are left out, and so are their rows (input_faults.py). What Spark would read of a source
with such a file, or with one that changed since Spark looked, is read anew from the other files.

The same look tells whether timestamps count ticks, if the files that were there at the start did not.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

from pyspark.sql import DataFrame, SparkSession

from tailrace.catalog.file_samples import is_whole
from tailrace.catalog.formats import FILES
from tailrace.catalog.sources import Relation, Stream
from tailrace.errors import RunError
from tailrace.exchange.common_bounds import common_bounds
from tailrace.spark.io import input_faults
from tailrace.spark.io.input_faults import Faults, ListedFiles, has_changed
from tailrace.spark.io.read_files import TAG, FileLayout, FileSource
from tailrace.spark.io.scan_files import FileScan, file_scan, why_not_scanned
from tailrace.spark.io.sources import agree_on_time, ask_for_time, find_time, in_shape
from tailrace.spark.source_layout import FILE, SOURCE, SourceLayout, beats
from tailrace.staging.stages import StageInput

QUERY = "sql.streaming.queryId"  # the local property that names the streaming query whose batch a thread runs


@dataclass
class FileBinding:
    """The file sources whose files are checked in each batch, each with the layout by which Spark reads it."""

    in_ticks: bool | None = True  # whether timestamps count ticks; None if no source showed it at the start
    planned: Mapping[int, tuple[FileSource, FileLayout]] = field(default_factory=dict)
    assumed: set[int] = field(default_factory=set)  # had no rows at the start: their first file may contradict
    scannable: frozenset[int] = frozenset()  # tasks can read the files: Structured Streaming only names them
    unchecked: Mapping[int, tuple[FileSource, FileLayout]] = field(default_factory=dict)  # all other file sources
    has_others: bool = False  # some moving sources are no files
    opened_at: int = field(default_factory=lambda: time.time_ns() // 1000)

    @staticmethod
    def open(
        spark: SparkSession,
        sources: Mapping[int, Stream | Relation],
        frames: Mapping[str, DataFrame],
        until: str | None = None,
        scans: bool = True,
    ) -> FileBinding:
        """Find out whether moving sources count ticks, and which of them to check in each batch.

        If no source shows it, the form of `until` decides. Checked are file sources with a header, those whose kind of
        time is not known yet and, if a run `scans`, those that tasks can read.
        """
        if not sources:
            return FileBinding(until is None or is_whole(until))
        said = {number: find_time(spark, source, frames) for number, source in sources.items()}
        in_ticks = agree_on_time({sources[number].name: kind for number, kind in said.items()})
        if in_ticks is None:
            ask_for_time(sources.values())
            in_ticks = None if until is None else is_whole(until)
        planned, unchecked, scannable = {}, {}, set()
        for number, source in sources.items():
            files = FileSource(spark, source)
            if files.format not in FILES:
                continue
            layout = files.layout(in_ticks)
            if scans and why_not_scanned(source, files) is None:
                # Without a kind of time the files are named, and not read (FileSource.follow).
                scannable.add(number)
                planned[number] = files, replace(layout, in_ticks=None)
            elif files.file_format.has_header or said[number] is None:
                planned[number] = files, layout
            else:
                unchecked[number] = files, layout
        assumed = {number for number in planned if said[number] is None}
        has_others = len(planned) + len(unchecked) < len(sources)
        return FileBinding(in_ticks, planned, assumed, frozenset(scannable), unchecked, has_others)

    @property
    def layouts(self) -> dict[int, FileLayout]:
        """The layout by which Spark reads each checked source."""
        return {number: layout for number, (_, layout) in self.planned.items()}

    def bind(
        self,
        rows: DataFrame,
        spark: SparkSession,
        shape: SourceLayout,
        in_ticks: bool | None,
        scanned: Collection[int] = (),
        faults: Faults = MappingProxyType({}),
    ) -> tuple[DataFrame, bool | None, dict[int, list[str]]]:
        """The rows of a batch, with each file read by its own layout, and whether timestamps count ticks.

        If that was not known (`in_ticks` is None), the batch's files may show it. Files of the sources in `scanned` are
        not read; their names are returned too. Files with faults are left out.
        """
        listed = {number: each.files for number, each in self.listed(spark).items()}
        whole = {number: [f for f in files if f not in faults.get(number, ())] for number, files in listed.items()}
        came = {number: files for number, files in whole.items() if number in self.planned}
        in_ticks = self.find_time(came, in_ticks)
        named = {number: sorted(files) for number, files in came.items() if number in scanned}
        since = self.batch_time(spark) if listed else 0
        anew = (
            {n for n, files in whole.items() if n in faults or has_changed(files, since)} - self.named_only - {*named}
        )
        if anew and not self.has_others:
            # Spark would open the files even where a condition leaves out their rows.
            anew, rows = listed.keys() - self.named_only - named.keys(), rows.where("false")
        elif anew:
            rows = rows.where(f"{SOURCE} NOT IN ({', '.join(f'{n}, {beats(n)}' for n in sorted(anew))})")
        left = {number: files for number, files in came.items() if number not in named and number not in anew}
        rows = self.read(left, rows, shape, in_ticks)
        return self.read_anew({n: whole[n] for n in anew}, rows, shape, in_ticks), in_ticks, named

    @property
    def named_only(self) -> set[int]:
        """The sources of which Spark only names the files; they are read from the names."""
        return {number for number, (_, layout) in self.planned.items() if layout.in_ticks is None}

    def read_anew(
        self, came: Mapping[int, Sequence[str]], rows: DataFrame, shape: SourceLayout, in_ticks: bool | None
    ) -> DataFrame:
        """Add the rows of files of which the rows hold none yet."""
        for number, files in came.items():
            reader, planned = self.all_files[number]
            reader = replace(reader, spark=rows.sparkSession)
            kind = in_ticks if planned.in_ticks is None else planned.in_ticks
            for layout, some in reader.by_layout(files, kind).items():
                rows = rows.union(in_shape(shape, number, reader.read(some, layout), bool(kind)))
        return rows

    def read(
        self, came: Mapping[int, Sequence[str]], rows: DataFrame, shape: SourceLayout, in_ticks: bool | None
    ) -> DataFrame:
        """Add rows of files by Spark's readers: of those that were only named, or that have another header."""
        for number, files in came.items():
            reader, planned = self.planned[number]
            groups = reader.by_layout(files, planned.in_ticks)
            others = {layout: some for layout, some in groups.items() if layout != planned}
            if planned.in_ticks is None:
                rows = self.read_anew({number: files}, rows, shape, in_ticks)
            elif others:
                names = ", ".join(f"'{escape_text(name)}'" for some in others.values() for name in spellings(some))
                is_of = f"{SOURCE} IN ({number}, {beats(number)})"
                rows = rows.where(f"NOT ({is_of} AND {FILE} IN ({names}))")
                rows = self.read_anew({number: [f for some in others.values() for f in some]}, rows, shape, in_ticks)
        return rows

    def batch_time(self, spark: SparkSession) -> int:
        """The clock in microseconds that Spark fixed for the current batch; the same if the batch is repeated."""
        query: Any = spark.streams.get(spark.sparkContext.getLocalProperty(QUERY) or "")
        return int(query._jsq.streamingQuery().lastExecution().offsetSeqMetadata().batchTimestampMs()) * 1000

    def scans(
        self,
        named: Mapping[int, Sequence[str]],
        columns: Sequence[Sequence[int]],
        in_ticks: bool,
        now: int,
        readers: Sequence[StageInput] = (),
        floors: Mapping[int, int] = MappingProxyType({}),
    ) -> dict[int, FileScan]:
        """How tasks read the files of each source; `columns` are those in use, `readers` all that read sources.

        Rows that are stamped at arrival get the moment `now`, but none before the floor of their source.
        """
        found = {}
        for number in named:
            files = self.planned[number][0]
            source = files.source
            bounds = common_bounds([feed.predicates for feed in readers if feed.origin == source], source.schema)
            arrived_at = max(now, floors.get(number, now))
            found[number] = file_scan(number, source, files, columns[number], in_ticks, arrived_at, bounds)
        return found

    @property
    def all_files(self) -> dict[int, tuple[FileSource, FileLayout]]:
        """All sources whose rows are in files."""
        return {**self.planned, **self.unchecked}

    def listed(self, spark: SparkSession) -> dict[int, ListedFiles]:
        """The files of the current batch, by source; found in the leaves of Spark's plan of the batch."""
        if not self.all_files:
            return {}
        query: Any = spark.streams.get(spark.sparkContext.getLocalProperty(QUERY) or "")
        leaves = query._jsq.streamingQuery().lastExecution().analyzed().collectLeaves()
        found: dict[int, ListedFiles] = {}
        for leaf in (leaves.apply(place) for place in range(leaves.size())):
            if leaf.getClass().getSimpleName() == "LogicalRelation" and hasattr(leaf.relation(), "options"):
                number = leaf.relation().options().get(TAG)
                if number.isDefined() and int(number.get()) in self.all_files:
                    found[int(number.get())] = ListedFiles.of(leaf.relation())
        return found

    def find_faults(self, spark: SparkSession, deep: bool = False) -> dict[int, dict[str, str]]:
        """Why files of the current batch cannot be read, by source and file; waits for those that are being written.

        Raises a RunError if the batch was begun by an earlier run and a file is gone since.
        """
        listed = self.listed(spark)
        is_repeated = bool(listed) and self.batch_time(spark) < self.opened_at
        return input_faults.find_faults(listed, self.all_files, is_repeated, deep)

    def find_time(self, came: Mapping[int, Sequence[str]], in_ticks: bool | None) -> bool | None:
        """Whether timestamps count ticks: `in_ticks`, or what first files show. A RunError if sources disagree."""
        for number in sorted({number for number in came if self.is_open(number)}):
            files = self.planned[number][0]
            said = files.time_in(came[number])
            if said is None:
                continue
            self.assumed.discard(number)
            if in_ticks is not None and said != in_ticks:
                kinds = ("TIMESTAMPs", "ticks")
                stamp = files.source.timestamp
                raise RunError(
                    f"the files of {files.source.name} have {kinds[said]}, and this run has "
                    f"{kinds[in_ticks]}: a script needs one kind of time",
                    hint=f"list {stamp} among the columns to say what it is: {stamp} BIGINT, or {stamp} TIMESTAMP",
                )
            in_ticks = said
        return in_ticks

    def is_open(self, number: int) -> bool:
        """Whether no file of a source has shown yet if its timestamps count ticks."""
        return number in self.assumed


def escape_text(text: str) -> str:
    return text.replace("\\", "\\\\").replace("'", "\\'")


def spellings(files: Sequence[str]) -> list[str]:
    """The names of files in both forms that Spark uses: in listings, and in the rows' file column.

    >>> spellings(["file:///in/a.csv"])
    ['file:///in/a.csv', 'file:/in/a.csv']
    """
    return [name for file in files for name in dict.fromkeys((file, file.replace("file:///", "file:/", 1)))]
