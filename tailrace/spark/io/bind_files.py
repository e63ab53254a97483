"""Bind files: reads csv files by the names in their headers, although Spark binds csv columns by position.

Structured Streaming reads all files of a source with the schema it was started with. So the headers of a batch's files
are read before the batch runs. Rows of files with another header are filtered out of Spark's batch, and these files are
read again with a schema of their own. If all headers are as expected, nothing is added to the batch.

The same look tells whether timestamps count ticks, if the files that were there at the start did not.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from pyspark.sql import DataFrame, SparkSession

from tailrace.catalog.file_samples import is_whole
from tailrace.catalog.formats import FILES
from tailrace.catalog.sources import Relation, Stream
from tailrace.errors import RunError
from tailrace.exchange.common_bounds import common_bounds
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
        planned, scannable = {}, set()
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
        assumed = {number for number in planned if said[number] is None}
        return FileBinding(in_ticks, planned, assumed, frozenset(scannable))

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
    ) -> tuple[DataFrame, bool | None, dict[int, list[str]]]:
        """The rows of a batch, with each file read by its own layout, and whether timestamps count ticks.

        If that was not known (`in_ticks` is None), the batch's files may show it. Files of the sources in `scanned` are
        not read; their names are returned too.
        """
        came = self.came(spark)
        in_ticks = self.find_time(came, in_ticks)
        named = {number: sorted(files) for number, files in came.items() if number in scanned}
        return (
            self.read({n: files for n, files in came.items() if n not in named}, rows, shape, in_ticks),
            in_ticks,
            named,
        )

    def read(
        self, came: Mapping[int, Sequence[str]], rows: DataFrame, shape: SourceLayout, in_ticks: bool | None
    ) -> DataFrame:
        """Add rows of files by Spark's readers: of those that were only named, or that have another header."""
        for number, files in came.items():
            reader, planned = self.planned[number]
            reader = replace(reader, spark=rows.sparkSession)
            kind = in_ticks if planned.in_ticks is None else planned.in_ticks
            others = {layout: some for layout, some in reader.by_layout(files, kind).items() if layout != planned}
            if planned.in_ticks is None:
                others = reader.by_layout(files, kind)
            elif others:
                names = ", ".join(f"'{escape_text(name)}'" for some in others.values() for name in spellings(some))
                is_of = f"{SOURCE} IN ({number}, {beats(number)})"
                rows = rows.where(f"NOT ({is_of} AND {FILE} IN ({names}))")
            for layout, some in others.items():
                rows = rows.union(in_shape(shape, number, reader.read(some, layout), bool(kind)))
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
    ) -> dict[int, FileScan]:
        """How tasks read the files of each source; `columns` are those in use, `readers` all that read sources."""
        found = {}
        for number in named:
            files = self.planned[number][0]
            source = files.source
            bounds = common_bounds([feed.predicates for feed in readers if feed.origin == source], source.schema)
            found[number] = file_scan(number, source, files, columns[number], in_ticks, now, bounds)
        return found

    def came(self, spark: SparkSession) -> dict[int, list[str]]:
        """The files of the current batch, by source; found in the leaves of Spark's plan of the batch."""
        if not self.planned:
            return {}
        query: Any = spark.streams.get(spark.sparkContext.getLocalProperty(QUERY) or "")
        leaves = query._jsq.streamingQuery().lastExecution().analyzed().collectLeaves()
        found: dict[int, list[str]] = {}
        for leaf in (leaves.apply(place) for place in range(leaves.size())):
            if leaf.getClass().getSimpleName() == "LogicalRelation" and hasattr(leaf.relation(), "options"):
                number = leaf.relation().options().get(TAG)
                if number.isDefined() and int(number.get()) in self.planned:
                    found[int(number.get())] = list(leaf.relation().inputFiles())
        return found

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
