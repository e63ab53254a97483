"""Sink files: files of results that tasks write themselves, and that the driver then moves into place.

Tasks write to a staging folder of the sink, below `_tailrace/`, and name their files to the driver in the one job of a
batch. The driver moves the files that it was told of, under names with the batch's number, and removes the rest with
the staging folder. A repeated batch first deletes the files that an earlier attempt moved. So files are written exactly
once, as those of Spark's writers are (sinks.py).

Which sinks are written so, `why_not` of TaskSinks says; all others take Spark's writers.
"""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import pyarrow as pa
from pyspark.sql import SparkSession
from pyspark.sql.pandas.types import from_arrow_schema

from tailrace.catalog.sources import SCHEME, path_option
from tailrace.columnar.arrow_types import type_of
from tailrace.errors import QueryError, RunError
from tailrace.fault_injection import fault
from tailrace.file_names import file_name_of
from tailrace.logical.queries import QueryDefinition
from tailrace.spark.io.sink_errors import raise_if_not_of_sink, sink_error
from tailrace.spark.io.sinks import MEMBER, BatchId, SinkTarget, prefix, target_of
from tailrace.state import disk
from tailrace.state.sync_files import make_folder, sync_file, sync_files, sync_folders
from tailrace.types import Type
from tailrace.write.file_writers import write_file
from tailrace.write.result_files import FileSink, StagedFile
from tailrace.write.sink_support import why_not_written
from tailrace.write.write_spec import WriteSpec

# Settings of Spark that change what its writers write, each with the values for which tasks write the same.
SETTINGS = {
    "spark.sql.session.timeZone": ("UTC",),
    "spark.sql.files.maxRecordsPerFile": ("0",),
    "spark.sql.jsonGenerator.ignoreNullFields": ("true",),
    "spark.sql.legacy.nullValueWrittenAsQuotedEmptyStringCsv": ("false",),
    "spark.sql.legacy.timeParserPolicy": ("CORRECTED",),
    "spark.sql.parquet.compression.codec": ("snappy",),
    "spark.sql.parquet.datetimeRebaseModeInWrite": ("CORRECTED",),
    "spark.sql.parquet.outputTimestampType": ("INT96", "TIMESTAMP_MICROS"),
    "spark.sql.parquet.writeLegacyFormat": ("false",),
}
# Settings of Hadoop, with the values that change nothing.
HADOOP = {
    "mapreduce.output.fileoutputformat.compress": (None, "false"),
    "parquet.crypto.factory.class": (None, ""),
}
LOCAL = "file:"
ROW_METADATA, VERSION = "org.apache.spark.sql.parquet.row.metadata", "org.apache.spark.version"


@dataclass(frozen=True)
class SparkFacts:
    """What is known of a session and matters for files: versions, and where paths without a scheme are.

    `reason` is a setting that lets Spark write other files than tasks would; None if there is none. `folder` is the
    one that relative paths begin in; None if paths without a scheme are not on this machine.
    """

    java: int
    version: str
    reason: str | None
    folder: str | None

    @staticmethod
    def of(spark: SparkSession) -> SparkFacts:
        context: Any = spark.sparkContext
        system, hadoop = context._jvm.java.lang.System, context._jsc.hadoopConfiguration()
        odd = [name for name, values in SETTINGS.items() if spark.conf.get(name, values[0]) not in values]
        odd += [name for name, values in HADOOP.items() if hadoop.get(name) not in values]
        java = int(system.getProperty("java.specification.version").split(".")[0])
        folder = system.getProperty("user.dir") if str(hadoop.get("fs.defaultFS", LOCAL)).startswith(LOCAL) else None
        return SparkFacts(java, spark.version, f"SET {odd[0]}" if odd else None, folder)

    def spec(self, format: str, options: tuple[tuple[str, str], ...], schema: pa.Schema) -> WriteSpec:
        """How tasks write files with these columns."""
        format = format.lower()
        if format != "parquet":
            return WriteSpec(format, options, schema, self.java)
        columns = json.dumps(from_arrow_schema(schema).jsonValue(), separators=(",", ":"), ensure_ascii=False)
        return WriteSpec(format, options, schema, self.java, ((VERSION, self.version), (ROW_METADATA, columns)))

    def local_folder(self, path: str) -> str | None:
        """The folder on this machine that Spark takes a path for; None if it is elsewhere, or not known.

        >>> facts = SparkFacts(17, "4.3.0", None, "/run")
        >>> [facts.local_folder(path) for path in ("out", "/out", "file:///out", "file:/out", "s3a://out")]
        ['/run/out', '/out', '/out', '/out', None]
        """
        if path.startswith(LOCAL):
            rest = path.removeprefix(LOCAL)
            if rest.startswith("//"):
                rest = rest[2:]
            return rest if rest.startswith("/") and not rest.startswith("//") else None
        if SCHEME.match(path) or ":" in path or self.folder is None:
            return None
        return os.path.join(self.folder, path)


@dataclass(frozen=True)
class FileGroup:
    """Sinks of one output whose files are alike: how they are written, and the folder of each, by member.

    `key` begins the name of their staging folder, which is in the folder of the first. The only member of an output
    that is one query's is None.
    """

    key: str
    spec: WriteSpec
    targets: Mapping[int | None, SinkTarget]
    folders: Mapping[int | None, str]

    def staging_folder(self, batch: BatchId) -> str:
        return os.path.join(next(iter(self.folders.values())), "_tailrace", f"{file_name_of(self.key)}-{batch.run}")

    def sink(self, batch: BatchId) -> FileSink:
        members = None if None in self.targets else tuple(number for number in self.targets if number is not None)
        return FileSink(self.staging_folder(batch), self.spec, members)


@dataclass(frozen=True)
class OutputFiles:
    """The files of one output that tasks write in a batch."""

    batch: BatchId
    groups: Sequence[FileGroup]

    @property
    def sinks(self) -> tuple[FileSink, ...]:
        return tuple(group.sink(self.batch) for group in self.groups)

    @cached_property
    def members(self) -> frozenset[int | None]:
        """The members whose rows go to these files."""
        return frozenset(number for group in self.groups for number in group.targets)

    def prepare(self) -> dict[int | None, RunError]:
        """Create the staging folders; returns members for which that is impossible.

        A task does not create them: one that is late must not make a folder that was removed.
        """
        failed: dict[int | None, RunError] = {}
        for group in self.groups:
            folder = group.staging_folder(self.batch)
            try:
                disk.make_folders(folder)
            except OSError as problem:
                raise_if_not_of_sink(problem)
                member, path = next(iter(group.folders.items()))
                is_file = isinstance(problem, NotADirectoryError | FileExistsError)
                reason = "a part of its path is a file" if is_file else "it may not be, or its disk is full"
                failed[member] = RunError(f"{path} cannot be written: {reason}")
        return failed

    def publish(self, files: Sequence[StagedFile]) -> dict[int | None, OSError]:
        """Move the files of all tasks into place; returns the members for which that failed: they get no file."""
        failed: dict[int | None, OSError] = {}
        for number, group in enumerate(self.groups):
            mine = [file for file in files if file.sink == number] or self.write_empty(group)
            fault("written")
            if self.batch.syncs:
                sync_files(os.path.join(group.staging_folder(self.batch), file.name) for file in mine)
            by_member: dict[int | None, list[StagedFile]] = {member: [] for member in group.targets}
            for file in mine:
                by_member[file.member].append(file)
            for member, its_files in by_member.items():
                try:
                    self.publish_member(group, member, its_files)
                except OSError as problem:
                    raise_if_not_of_sink(problem)
                    failed[member] = problem
        return failed

    def publish_member(self, group: FileGroup, member: int | None, files: Sequence[StagedFile]) -> None:
        """Move the files of one member into place; if one cannot be moved, none stays there."""
        folder, begin = group.folders[member], prefix(group.targets[member], self.batch)
        has_removed = self.batch.again and remove_files(folder, begin)
        try:
            for place, file in enumerate(files):
                disk.make_folders(folder)
                staged = os.path.join(group.staging_folder(self.batch), file.name)
                move_file(staged, os.path.join(folder, f"{begin}-{place}.{group.spec.ending}"))
                fault("moved")
            if self.batch.syncs and (files or has_removed):
                make_folder(Path(folder))
                sync_folders([folder])
        except OSError:
            with suppress(OSError):
                remove_files(folder, begin)
            raise

    def write_empty(self, group: FileGroup) -> list[StagedFile]:
        """The file of a query without rows, if its format has something to say then: the names of the columns."""
        if None not in group.targets or not (group.spec.format == "parquet" or group.spec.header):
            return []
        file = StagedFile(0, None, f"empty.{group.spec.ending}", 0)
        path = os.path.join(group.staging_folder(self.batch), file.name)
        write_file(path, group.spec, group.spec.schema.empty_table())
        return [file]

    def discard(self) -> None:
        """Remove the staging folders, with files of tasks that failed or ran twice."""
        for group in self.groups:
            disk.clear(group.staging_folder(self.batch))


def prepare_files(queries: Mapping[int | None, QueryDefinition], files: OutputFiles) -> None:
    """Create the staging folders of an output's files; a QueryError names the queries for which that is impossible."""
    failed = {queries[member]: problem for member, problem in files.prepare().items()}
    if failed:
        query, problem = next(iter(failed.items()))
        names = [each.name for each in failed]
        raise QueryError(sink_error(query, problem).message, names, problem.hint) from problem


def move_file(path: str, to: str) -> None:
    """Move a file; if that is to another disk, by a copy aside, so that nobody sees half of it."""
    try:
        disk.rename(path, to)
    except OSError as problem:
        if problem.errno != errno.EXDEV:
            raise
        folder, name = os.path.split(to)
        aside = os.path.join(folder, f".{name}.moving")
        disk.copy(path, aside)
        sync_file(aside)
        disk.rename(aside, to)


def remove_files(folder: str, begin: str) -> bool:
    """Remove the files whose names begin so, with Hadoop's checksums beside them; False if there are no such files."""
    names = [name for name in disk.list_names(folder) if name.startswith((f"{begin}-", f".{begin}-"))]
    for name in names:
        disk.remove(os.path.join(folder, name))
    return bool(names)


@dataclass
class TaskSinks:
    """Decides of each sink whether tasks write its files; `home` is the script's folder."""

    spark: SparkSession
    home: str | None
    known: dict[str, tuple[tuple[object, ...], list[FileGroup]]] = field(default_factory=dict)

    @cached_property
    def facts(self) -> SparkFacts:
        return SparkFacts.of(self.spark)

    def files_of(
        self, name: str, queries: Mapping[int | None, QueryDefinition], schema: pa.Schema, batch: BatchId
    ) -> OutputFiles | None:
        """The files that tasks write for an output in a batch; None if they write none.

        `queries` are those of the output, by member, and `schema` that of its rows. What was found is kept until the
        queries change.
        """
        given = (tuple(queries.items()), schema)
        if self.known.get(name, (None,))[0] != given:
            self.known[name] = given, self.find_groups(queries, schema)
        groups = self.known[name][1]
        return OutputFiles(batch, groups) if groups else None

    def find_groups(self, queries: Mapping[int | None, QueryDefinition], schema: pa.Schema) -> list[FileGroup]:
        """The sinks that tasks write, with those together that have one format, the same options and columns."""
        alike: dict[object, dict[int | None, SinkTarget]] = {}
        specs: dict[object, WriteSpec | None] = {}
        for number, query in queries.items():
            if query.format and path_option(query.options):
                target = target_of(query, self.home)
                kind = replace(target, name="", path=None), query.names
                if kind not in specs:
                    specs[kind] = self.find_spec(query, target, schema)
                if specs[kind] is not None and self.facts.local_folder(target.path or "") is not None:
                    alike.setdefault(kind, {})[number] = target
        found = []
        for alike_by, targets in alike.items():
            folders = {number: self.facts.local_folder(target.path or "") or "" for number, target in targets.items()}
            spec, one = specs[alike_by], next(iter(targets.values()))
            assert spec is not None
            found.append(FileGroup(one.name if None in targets else "members", spec, targets, folders))
        return found

    def find_spec(self, query: QueryDefinition, target: SinkTarget, schema: pa.Schema) -> WriteSpec | None:
        """How tasks write the files of a query's sink; None if Spark's writer writes them."""
        heads = [column for column in list(schema)[: len(schema) - len(query.names)] if column.name != MEMBER]
        named = [*((head.name, type_of(head.type)) for head in heads), *((f.name, f.type) for f in query.schema)]
        if self.why_not(query, named) is not None:
            return None
        columns = [*heads, *map(pa.Field.with_name, list(schema)[len(schema) - len(query.names) :], query.names)]
        return self.facts.spec(target.format, target.options, pa.schema(columns))

    def why_not(self, query: QueryDefinition, columns: Iterable[tuple[str, Type]]) -> str | None:
        """The reason why Spark's writer writes a query's sink; None if tasks do."""
        return why_not_written(query.format or "", query.options, columns) or self.facts.reason
