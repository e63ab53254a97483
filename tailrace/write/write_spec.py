"""Write spec: all that a task must know to write the rows of a query as a file.

>>> spec = WriteSpec("csv", (("header", "true"),), pa.schema([("_ts", pa.int64()), ("seg", pa.int32())]), 17)
>>> spec.ending, spec.header
('csv', '_ts,seg\\n')
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import pyarrow as pa

from tailrace.catalog.file_samples import FileFormat
from tailrace.write.csv_text import write_header, write_lines
from tailrace.write.json_text import write_objects

# The codecs of parquet files: what Arrow calls them, and how Spark ends the names of files.
CODECS = {
    "snappy": ("snappy", "snappy.parquet"),
    "gzip": ("gzip", "gz.parquet"),
    "zstd": ("zstd", "zstd.parquet"),
    "none": ("none", "parquet"),
    "uncompressed": ("none", "parquet"),
}


@dataclass(frozen=True)
class WriteSpec:
    """How files of a sink are written: format and options, the columns, and the version of Java that writes numbers.

    `metadata` is what Spark notes in parquet files, among it the schema in its own words.
    """

    format: str
    options: tuple[tuple[str, str], ...]
    schema: pa.Schema
    java: int
    metadata: tuple[tuple[str, str], ...] = ()

    @cached_property
    def said(self) -> dict[str, str]:
        """The options, by name in lower case."""
        return {key.lower(): value for key, value in self.options}

    @property
    def codec(self) -> tuple[str, str]:
        return CODECS[self.said.get("compression", "snappy").lower()]

    @property
    def ending(self) -> str:
        """How names of files end, after the point."""
        return self.codec[1] if self.format == "parquet" else self.format

    @cached_property
    def separator(self) -> str:
        return FileFormat.of("csv", self.options).separator

    @cached_property
    def header(self) -> str:
        """The first line of each file; empty if there is none."""
        has_header = self.format == "csv" and self.said.get("header", "false").lower() == "true"
        return write_header(self.schema.names, self.separator) if has_header else ""

    def write_lines(self, rows: pa.RecordBatch) -> pa.Array:
        """The lines of a file of text, each with its end."""
        if self.format == "csv":
            return write_lines(rows, self.separator, self.said.get("nullvalue", ""), self.java)
        return write_objects(rows, self.said.get("ignorenullfields", "true").lower() == "true", self.java)
