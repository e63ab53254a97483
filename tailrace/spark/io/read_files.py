"""Read files: tells Spark the columns of a source's files, in each file's order, and their types.

Spark binds the columns of csv files by position. A `FileLayout` is what files must have in common to be read together:
the names in their headers, in order, and whether their timestamps count ticks.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from pyspark.errors import AnalysisException, PySparkException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.streaming.readwriter import DataStreamReader
from pyspark.sql.types import IntegralType, StructType

from tailrace.catalog.file_samples import (
    FileFormat,
    Head,
    column_names,
    first_stamp,
    is_whole,
    local_files,
    local_head,
    names_in,
)
from tailrace.catalog.formats import CHECKED, SAMPLED, TYPED
from tailrace.catalog.sources import Relation, Stream, beside_script, path_option
from tailrace.errors import RunError
from tailrace.logical.text.spark_sql import name_text, spark_type
from tailrace.scan.file_faults import find_deep_fault
from tailrace.spark.source_layout import UNREADABLE
from tailrace.state.storage import is_remote, store_at

TAG = "tailraceSource"  # the reader's option with the source's number: finds its files in Spark's plan of a batch
GLOB = re.compile(r"[*?\[{]")
# Structured Streaming passes over files that are older than this, measured against the newest file, and says nothing.
# By default it is 7 days. Spark writes down the names of all files that it took in any case; this keeps them in the
# driver's memory too, which costs about 200 bytes a file.
MAX_FILE_AGE = {"maxFileAge": "1000000d"}
# Spark may open files even if none of their rows are taken. What is wrong with them, those say that read them.
NAMED_ONLY = {"ignoreCorruptFiles": "true", "ignoreMissingFiles": "true"}


@dataclass(frozen=True)
class FileLayout:
    """How files are read."""

    names: tuple[str, ...] | None  # of their columns in order; None for the order of the declaration
    in_ticks: bool | None  # whether timestamps count ticks; None as long as no file has shown it


@dataclass(frozen=True)
class FileSource:
    """A source whose rows are in files: finds the files, looks into them, and reads or follows them by Spark."""

    spark: SparkSession
    source: Stream | Relation

    @property
    def format(self) -> str:
        return (self.source.format or "").lower()

    @cached_property
    def path(self) -> str:
        return beside_script(path_option(self.source.options), self.source.folder) or ""

    @cached_property
    def file_format(self) -> FileFormat:
        return FileFormat.of(self.format, self.source.options)

    @cached_property
    def options(self) -> dict[str, str]:
        """The options for Spark's reader: the source's own, and our defaults for headers and malformed rows."""
        found = {key: value for key, value in self.source.options if key.lower() not in ("path", "enforceschema")}
        said = {key.lower() for key in found}
        if self.format == "csv" and "header" not in said:
            found["header"] = "true"
        if self.format in CHECKED and "columnnameofcorruptrecord" not in said:
            found["columnNameOfCorruptRecord"] = UNREADABLE
        return found

    # Looking into the files ---------------------------------------------------------------------------

    @cached_property
    def files(self) -> list[str]:
        """The files that exist now, sorted by name."""
        if is_remote(self.path) or GLOB.search(self.path):
            wanted = {key: value for key, value in self.options.items() if key.lower() in OF_LISTING}
            try:
                return sorted(self.spark.read.format("text").options(**wanted).load(self.path).inputFiles())
            except AnalysisException:
                return []
        return [str(file) for file in local_files(Path(store_at(self.path).address), self.source.options)]

    def refuse_missing(self) -> None:
        """Raise a RunError for a path of this machine that does not exist."""
        is_here = not is_remote(self.path) and not GLOB.search(self.path)
        if is_here and not Path(store_at(self.path).address).exists():
            raise RunError(f"{self.source.name}: there is no file {self.path}")

    def head(self, file: str) -> Head:
        """A function that reads the first bytes of a file, named by a path or by Spark's URL for it."""
        address = urlsplit(file)
        if file.startswith("/") or address.scheme in ("", "file"):
            return local_head(Path(file if file.startswith("/") or not address.scheme else unquote(address.path)))
        return lambda size: remote_head(self.spark, unquote(file), size)

    def names_in(self, file: str) -> tuple[str, ...] | None:
        """The column names in a csv file's header; None for a file without a header, or without a line yet.

        Raises a RunError if the file cannot be read.
        """
        try:
            found = names_in(self.head(file), self.file_format) if self.file_format.has_header else None
        except (OSError, EOFError, zlib.error) as problem:
            raise RunError(f"{self.source.name}: {unquote(file)} cannot be read: {problem}") from problem
        return None if found is None else column_names(found)

    def find_names(self) -> tuple[str, ...] | None:
        """The column names in the first header among the files; a file that cannot be read is passed over."""
        for file in self.files:
            with suppress(RunError):
                names = self.names_in(file)
                if names is not None:
                    return names
        return None

    def stamp_in(self, file: str) -> str | None:
        """The first timestamp in a csv or JSON file; None if there is none, or if the file cannot be read."""
        with suppress(OSError, EOFError, zlib.error):
            return first_stamp(self.head(file), self.file_format, self.source.timestamp or "", self.declared_names)
        return None

    def time_in(self, files: Sequence[str]) -> bool | None:
        """Whether timestamps count ticks, by the first of these files that has one; None if no file shows it."""
        if self.format in TYPED:
            return self.stored_time(files) if files else None
        if self.format not in SAMPLED:
            return None
        return next((is_whole(stamp) for file in files if (stamp := self.stamp_in(file)) is not None), None)

    def stored_time(self, files: Sequence[str]) -> bool | None:
        """Whether the timestamp column of files that hold their types is an integer; None without such a column."""
        wanted = (self.source.timestamp or "").lower()
        stored = self.stored_schema(files)
        kinds = (isinstance(field.dataType, IntegralType) for field in stored if field.name.lower() == wanted)
        return next(kinds, None)

    def stored_schema(self, files: Sequence[str]) -> StructType:
        """The columns that files hold; if one of the files is damaged, those of the first one that is whole."""
        reader = self.spark.read.format(self.format).options(**self.options)
        try:
            return reader.load([unquote(file) for file in files]).schema
        except PySparkException:
            whole = next((file for file in files if find_deep_fault(file, self.format) is None), None)
            return StructType() if whole is None else reader.load(unquote(whole)).schema

    def layout(self, in_ticks: bool | None) -> FileLayout:
        """The layout by which to read files to come: that of the first file with a header, else the declaration's."""
        if not self.file_format.has_header:
            return FileLayout(None, in_ticks)
        return FileLayout(self.find_names(), in_ticks)

    # Schemas and DataFrames for Spark -----------------------------------------------------------------

    @property
    def undeclared_columns(self) -> dict[str, str]:
        """The columns that only clauses name, such as TIMESTAMP BY, with types; that of a timestamp is left empty."""
        source = self.source
        found: dict[str, str] = {}
        if source.event_time:
            found |= {name: self.stored_types.get(name.lower(), str(type)) for name, type in source.event_time.reads}
        elif source.timestamp:
            found[source.timestamp] = ""
        if source.heartbeat:
            found[source.heartbeat] = "BOOLEAN"
        if isinstance(source, Relation) and source.op:
            found[source.op] = "STRING"
        return {name: type for name, type in found.items() if not source.schema.find(name)}

    @cached_property
    def stored_types(self) -> dict[str, str]:
        """The types that the files hold for their columns, by name in lower case; {} if they hold none."""
        files = self.files if self.format in TYPED else []
        if not files:
            return {}
        return {field.name.lower(): field.dataType.simpleString() for field in self.stored_schema(files)}

    @property
    def declared_names(self) -> tuple[str, ...]:
        """All columns in the order of the declaration, which is the order in files without a header."""
        return (*self.source.schema.names, *self.undeclared_columns)

    def schema(self, layout: FileLayout, files: Sequence[str]) -> str:
        """The schema for Spark, in the order of these files' columns; a column that is not declared is a STRING."""
        listed = {field.name.lower(): field for field in self.source.schema}
        open_type = "BIGINT" if layout.in_ticks else "TIMESTAMP"
        unlisted = {name.lower(): type or open_type for name, type in self.undeclared_columns.items()}
        names = self.declared_names if layout.names is None else (*layout.names, *self.partition_names(files))
        columns = []
        for name in names:
            field = listed.get(name.lower())
            type = spark_type(field.type) if field else unlisted.get(name.lower(), "STRING")
            columns.append(f"{name_text(field.name if field else name)} {type}")
        corrupt = next((value for key, value in self.options.items() if key.lower() == "columnnameofcorruptrecord"), "")
        return ", ".join([*columns, *([f"{name_text(corrupt)} STRING"] if self.format in CHECKED else ())])

    def partition_names(self, files: Sequence[str]) -> tuple[str, ...]:
        """The declared columns whose values are in the names of folders, `name=value`, and not in these files."""
        below = unquote(files[0]).rpartition(self.path.rstrip("/"))[2].split("/")[:-1] if files else []
        folders = [part.partition("=")[0].lower() for part in below if "=" in part]
        return tuple(name for name in self.declared_names if name.lower() in folders)

    def follow(self, layout: FileLayout, more: dict[str, Any], name: str | None) -> DataFrame:
        """A streaming DataFrame of the files by one layout; without rows as long as the kind of time is unknown."""
        options, path = dict(self.options), self.path
        if not any(key.lower() == "maxfileage" for key in options):
            options |= MAX_FILE_AGE
        if layout.in_ticks is None:
            options |= NAMED_ONLY
        if Path(path).is_file():
            # Structured Streaming follows folders only, so a single file is its folder with a filter on names.
            options.setdefault("pathGlobFilter", Path(path).name)
            path = str(Path(path).parent)
        reader: DataStreamReader = self.spark.readStream.format(self.format).options(**options).options(**more)
        rows = (reader.name(name) if name else reader).schema(self.schema(layout, self.files)).load(path)
        if layout.in_ticks is not None:
            return rows
        # The rows are read later, by FileBinding.bind. Spark may open the files all the same, and would refuse a
        # timestamp of another type than the guessed one: so a typed format reads without that column.
        named = self.source.timestamp if self.format in TYPED else None
        return (rows.drop(named) if named else rows).where("false")

    def read(self, files: Sequence[str], layout: FileLayout) -> DataFrame:
        """A DataFrame of these files, read by one layout."""
        more = {"basePath": self.path} if self.partition_names(files) else {}
        reader = self.spark.read.format(self.format).options(**self.options, **more, __globPaths__="false")
        reader = reader.schema(self.schema(layout, files))
        return reader.load([unquote(file) if ":/" in file else file for file in files])

    def read_all(self, in_ticks: bool | None) -> list[DataFrame]:
        """DataFrames of all files that exist, one for each layout among them."""
        layout = self.layout(in_ticks)
        reader = self.spark.read.format(self.format).options(**self.options)
        rows = reader.schema(self.schema(layout, self.files)).load(self.path)
        if not self.file_format.has_header:
            return [rows]
        groups = self.by_layout(rows.inputFiles(), in_ticks)
        return [rows] if set(groups) <= {layout} else [self.read(files, each) for each, files in groups.items()]

    def by_layout(self, files: Sequence[str], in_ticks: bool | None) -> dict[FileLayout, list[str]]:
        """Group files by layout; a file that should have a header and has no line yet is left out."""
        groups: dict[FileLayout, list[str]] = {}
        for file in files:
            names = self.names_in(file)
            if names is not None or not self.file_format.has_header:
                groups.setdefault(FileLayout(names, in_ticks), []).append(file)
        return groups


OF_LISTING = ("pathglobfilter", "recursivefilelookup", "modifiedbefore", "modifiedafter")


def remote_head(spark: SparkSession, file: str, size: int) -> bytes:
    """Read the first bytes of a file through Hadoop; those of a compressed file are decompressed."""
    java: Any = spark.sparkContext._jvm
    settings = spark.sparkContext._jsc.hadoopConfiguration()
    path = java.org.apache.hadoop.fs.Path(file)
    codec = java.org.apache.hadoop.io.compress.CompressionCodecFactory(settings).getCodec(path)
    opened = path.getFileSystem(settings).open(path)
    try:
        return bytes((codec.createInputStream(opened) if codec else opened).readNBytes(size))
    finally:
        opened.close()
