"""Bind files: reads csv files by the names in their headers, although Spark binds csv columns by position.

Structured Streaming reads all files of a source with the schema it was started with. So the headers of a batch's files
are read before the batch runs. Rows of files with another header are filtered out of Spark's batch, and these files are
read again with a schema of their own. If all headers are as expected, nothing is added to the batch.

Files that are gone or damaged are left out, and files that were left out before may be whole now (input_faults.py).
What Spark would read of a source with such a file, or with one that changed since Spark looked, is read anew from all
files that were chosen.

The same look tells whether timestamps count ticks, if the files that were there at the start did not.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from tailrace.catalog.file_samples import is_whole
from tailrace.catalog.formats import FILES
from tailrace.catalog.sources import Relation, Stream
from tailrace.errors import RunError
from tailrace.exchange.common_bounds import common_bounds
from tailrace.scan.open_files import NOT_BY_TASKS, local_path
from tailrace.spark.io.input_faults import BatchFiles, FileChoice, LeftOut, ListedFiles
from tailrace.spark.io.read_files import TAG, FileLayout, FileSource
from tailrace.spark.io.scan_files import FileScan, file_scan, why_not_scanned
from tailrace.spark.io.sources import agree_on_time, ask_for_time, find_time, in_shape, raise_moments, spark_name
from tailrace.spark.source_layout import FILE, MOMENT, SOURCE, SourceLayout, beats
from tailrace.staging.stages import StageInput
from tailrace.state.storage import is_remote

QUERY = "sql.streaming.queryId"  # the local property that names the streaming query whose batch a thread runs


@dataclass
class FileBinding:
    """The file sources whose files are checked in each batch, each with the layout by which Spark reads it."""

    in_ticks: bool | None = True  # whether timestamps count ticks; None if no source showed it at the start
    planned: Mapping[int, tuple[FileSource, FileLayout]] = field(default_factory=dict)
    assumed: set[int] = field(default_factory=set)  # had no rows at the start: their first file may contradict
    scannable: frozenset[int] = frozenset()  # tasks can read the files: Structured Streaming only names them
    unchecked: Mapping[int, tuple[FileSource, FileLayout]] = field(default_factory=dict)  # all other file sources
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
        has_others = any((source.format or "").lower() not in FILES for source in sources.values())
        for number, source in sources.items():
            files = FileSource(spark, source)
            if files.format not in FILES:
                continue
            layout = files.layout(in_ticks)
            if scans and why_not_scanned(source, files) is None:
                # Without a kind of time the files are named, and not read (FileSource.follow).
                scannable.add(number)
                planned[number] = files, replace(layout, in_ticks=None)
            elif has_others:
                # A file that must be left out could not be taken out of a batch that Spark reads with rows of others.
                planned[number] = files, replace(layout, in_ticks=None)
            elif files.file_format.has_header or said[number] is None:
                planned[number] = files, layout
            else:
                unchecked[number] = files, layout
        assumed = {number for number in planned if said[number] is None}
        return FileBinding(in_ticks, planned, assumed, frozenset(scannable), unchecked)

    @property
    def layouts(self) -> dict[int, FileLayout]:
        """The layout by which Spark reads each checked source."""
        return {number: layout for number, (_, layout) in self.planned.items()}

    def bind(
        self,
        rows: DataFrame,
        shape: SourceLayout,
        in_ticks: bool | None,
        scanned: Collection[int],
        batch: BatchFiles,
        choice: FileChoice,
    ) -> tuple[DataFrame, bool | None, dict[int, list[str]]]:
        """The rows of a batch, with each file read by its own layout, and whether timestamps count ticks.

        If that was not known (`in_ticks` is None), the batch's files may show it. Files of the sources in `scanned` are
        not read; their names are returned too. Of the files of the `batch`, only those of the `choice` are read.
        """
        chosen, anew, now = {}, set(), batch.taken_at
        for number, (source, _) in self.all_files.items():
            name = spark_name(source.source)
            listed = batch.listed[name].files if name in batch.listed else ()
            chosen[number] = choice.files_of(name, listed)
            is_read_by_name = number in scanned or number in self.named_only
            if not is_read_by_name and (list(listed) != chosen[number] or has_changed(listed, now)):
                anew.add(number)
        came = {number: files for number, files in chosen.items() if files and number in self.planned}
        in_ticks = self.find_time(came, in_ticks)
        named = {number: sorted(files) for number, files in came.items() if number in scanned}
        if anew:
            # Spark would open the files even where a condition leaves out the rows of their sources.
            anew, rows = chosen.keys() - self.named_only - {*scanned}, rows.where("false")
        left = {number: files for number, files in came.items() if number not in named and number not in anew}
        rows = self.read(left, rows, shape, in_ticks, now)
        return self.read_anew({n: chosen[n] for n in sorted(anew)}, rows, shape, in_ticks, now), in_ticks, named

    @property
    def named_only(self) -> set[int]:
        """The sources of which Spark only names the files; they are read from the names."""
        return {number for number, (_, layout) in self.planned.items() if layout.in_ticks is None}

    def read_anew(
        self, came: Mapping[int, Sequence[str]], rows: DataFrame, shape: SourceLayout, in_ticks: bool | None, now: int
    ) -> DataFrame:
        """Add the rows of files of which the rows hold none yet; those without a timestamp arrive `now`."""
        for number, files in came.items():
            reader, planned = self.all_files[number]
            reader = replace(reader, spark=rows.sparkSession)
            kind = in_ticks if planned.in_ticks is None else planned.in_ticks
            for layout, some in reader.by_layout(files, kind).items():
                more = in_shape(shape, number, reader.read(some, layout), bool(kind))
                if isinstance(reader.source, Stream) and reader.source.timestamp is None:
                    more = more.withColumn(MOMENT, F.lit(now).cast("bigint"))
                rows = rows.union(more)
        return rows

    def read(
        self, came: Mapping[int, Sequence[str]], rows: DataFrame, shape: SourceLayout, in_ticks: bool | None, now: int
    ) -> DataFrame:
        """Add rows of files by Spark's readers: of those that were only named, or that have another header."""
        for number, files in came.items():
            reader, planned = self.planned[number]
            groups = reader.by_layout(files, planned.in_ticks)
            others = {layout: some for layout, some in groups.items() if layout != planned}
            if planned.in_ticks is None:
                rows = self.read_anew({number: files}, rows, shape, in_ticks, now)
            elif others:
                names = ", ".join(f"'{escape_text(name)}'" for some in others.values() for name in spellings(some))
                is_of = f"{SOURCE} IN ({number}, {beats(number)})"
                rows = rows.where(f"NOT ({is_of} AND {FILE} IN ({names}))")
                anew = [file for some in others.values() for file in some]
                rows = self.read_anew({number: anew}, rows, shape, in_ticks, now)
        return rows

    def reader_of(
        self, named: Mapping[int, Sequence[str]], rows: DataFrame | None, shape: SourceLayout, floors: Mapping[int, int]
    ) -> Callable[[DataFrame | None, bool | None], DataFrame]:
        """A function that adds rows of files that tasks have read to those that Spark read, if it read any.

        `rows` are those of Structured Streaming.
        """

        def read(frame: DataFrame | None, in_ticks: bool | None) -> DataFrame:
            if rows is None:
                assert frame is not None
                return frame
            now = max((self.batch_time(self.all_files[number][0].spark) for number in named), default=0)
            frame = rows.where("false") if frame is None else frame
            # A file that was removed after tasks had read it has no rejected rows to show any more.
            there = {number: [file for file in files if not is_gone(file)] for number, files in named.items()}
            return raise_moments(self.read(there, frame, shape, in_ticks, now), floors)

        return read

    def heed_unreached(self, reason: str) -> None:
        """Have Spark read files at other machines from now on, if tasks have said that they cannot reach some."""
        if NOT_BY_TASKS in reason:
            self.scannable = frozenset(n for n in self.scannable if not is_remote(self.planned[n][0].path))

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

    def list_files(self, spark: SparkSession) -> dict[int, ListedFiles]:
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

    def batch_files(self, spark: SparkSession, left_out: LeftOut) -> BatchFiles:
        """The files of the current batch, and those that were left out before it."""
        listed = {spark_name(self.all_files[n][0].source): each for n, each in self.list_files(spark).items()}
        sources = {spark_name(files.source): files for files, _ in self.all_files.values()}
        now = self.batch_time(spark) if sources else 0
        return BatchFiles(sources, listed, left_out, bool(listed) and now < self.opened_at, now)

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


def is_gone(file: str) -> bool:
    return not is_remote(file) and not Path(local_path(file)).exists()


def has_changed(files: Sequence[str], since: int) -> bool:
    """Whether some file of this machine was changed after a moment in microseconds, or is gone."""
    try:
        return any(Path(local_path(file)).stat().st_mtime_ns > since * 1000 for file in files if not is_remote(file))
    except OSError:
        return True


def escape_text(text: str) -> str:
    return text.replace("\\", "\\\\").replace("'", "\\'")


def spellings(files: Sequence[str]) -> list[str]:
    """The names of files in both forms that Spark uses: in listings, and in the rows' file column.

    >>> spellings(["file:///in/a.csv"])
    ['file:///in/a.csv', 'file:/in/a.csv']
    """
    return [name for file in files for name in dict.fromkeys((file, file.replace("file:///", "file:/", 1)))]
