"""Sources: declared streams and relations, and the paths of the files and folders that a script names."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from tailrace.schema import Schema
from tailrace.stable_encoding import stable
from tailrace.types import Type

Options = tuple[tuple[str, str], ...]
FRAME = "dataframe"  # the format of a source whose rows are a DataFrame's
STAMP_TYPE = "timestampType"  # its option that says of which type a timestamp is that is not listed


@stable("event-time")
@dataclass(frozen=True)
class EventTime:
    """A TIMESTAMP BY that is an expression or has a unit."""

    shown: str  # its CQL
    text: str  # the event time in Spark SQL
    in_ticks: bool  # if not, it is in microseconds
    reads: tuple[tuple[str, Type], ...]  # the columns from which it is computed


@dataclass(frozen=True)
class Declared:
    """A source as CREATE STREAM or CREATE RELATION declares it: a name, columns, and where rows come from."""

    name: str
    schema: Schema
    format: str | None = None
    options: Options = ()
    timestamp: str | None = None  # None: rows have their arrival time, or the relation is static
    delay: int = 0  # in ticks
    key: tuple[str, ...] = ()
    heartbeat: str | None = None  # the column that is true in rows which only raise the watermark
    idle: int | None = None  # microseconds after which the watermark waits no more
    folder: str | None = field(default=None, compare=False)  # the script's, to which paths are relative

    event_time: EventTime | None = field(default=None, kw_only=True)

    word: Literal["stream", "relation"] = field(default="stream", init=False)


@stable("stream")
@dataclass(frozen=True)
class Stream(Declared):
    """A bag of timestamped tuples that only grows; a KEY promises that no two elements have the same key."""


@stable("relation")
@dataclass(frozen=True)
class Relation(Declared):
    """A bag of tuples that changes over time: static, growing, upserted by KEY, or changed by + and - rows (OP BY)."""

    op: str | None = None

    word: Literal["stream", "relation"] = field(default="relation", init=False)

    @property
    def is_static(self) -> bool:
        return self.timestamp is None

    @property
    def only_grows(self) -> bool:
        return self.is_static or (self.op is None and not self.key)


SCHEME = re.compile(r"[A-Za-z][\w+.-]*:/")


def beside_script(path: str | None, folder: str | None) -> str | None:
    """A path as seen from the working directory: a relative one is relative to the script's folder. None for no path.

    >>> [beside_script(path, "scripts") for path in ("in/S.csv", "/in/S.csv", "hdfs://in")]
    ['scripts/in/S.csv', '/in/S.csv', 'hdfs://in']
    """
    if not path or not folder or SCHEME.match(path):
        return path or None
    return str(Path(folder) / path)


def path_option(options: tuple[tuple[str, str], ...]) -> str | None:
    """The value of the option `path`; None if there is none."""
    return next((value for key, value in options if key.lower() == "path"), None)
