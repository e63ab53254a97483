"""Dataframes: writes the CREATE statement of a source that is a DataFrame.

>>> from tailrace.types import BIGINT, INT
>>> clauses = SourceClauses(timestamp="ts", delay="5 SECONDS")
>>> create_statement("STREAM", "S", Schema.of(("ts", BIGINT), ("order", INT)), clauses)
"CREATE STREAM S (`order` INT) USING dataframe OPTIONS (timestampType 'BIGINT') TIMESTAMP BY ts DELAY 5 SECONDS"
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from sqlglot import exp

from tailrace.analysis.sources import op_problems, timestamp_problems
from tailrace.catalog.sources import FRAME, STAMP_TYPE
from tailrace.errors import AnalysisError, did_you_mean
from tailrace.language.script import to_text
from tailrace.schema import Field, Schema


@dataclass(frozen=True)
class SourceClauses:
    """The clauses of a DataFrame's CREATE statement; `mirror` keeps the timestamp as a column that queries can read."""

    timestamp: str | None = None
    delay: str | int | None = None
    op: str | None = None
    key: str | Sequence[str] = ()
    mirror: bool = False
    heartbeat: str | None = None
    idle: str | None = None


def create_statement(kind: Literal["STREAM", "RELATION"], name: str, schema: Schema, clauses: SourceClauses) -> str:
    """The statement that declares a stream or relation whose rows have this schema."""
    stamp = column_of(name, schema, clauses.timestamp)
    sign = column_of(name, schema, clauses.op)
    for problem in [*(timestamp_problems(stamp) if stamp else ()), *(op_problems(sign) if sign else ())]:
        raise problem
    if clauses.delay is not None and stamp is None:
        raise AnalysisError(f"{name}: a delay needs a timestamp", hint="timestamp='…'")
    if stamp is None and (clauses.heartbeat or clauses.idle):
        raise AnalysisError(f"{name}: heartbeats need a timestamp", hint="timestamp='…'")
    beat = column_of(name, schema, clauses.heartbeat)
    hidden = [column for column in (sign, beat, None if clauses.mirror else stamp) if column]
    columns = [column for column in schema if column not in hidden]
    if not columns:
        raise AnalysisError(f"{name} has no column beside its timestamp", hint="mirror=True keeps it as a column")
    listed = ", ".join(f"{identifier_text(column.name)} {column.type}" for column in columns)
    parts = [f"CREATE {kind} {identifier_text(name)} ({listed}) USING {FRAME}"]
    if stamp and stamp in hidden:
        parts.append(f"OPTIONS ({STAMP_TYPE} '{stamp.type}')")
    if stamp:
        parts.append(f"TIMESTAMP BY {identifier_text(stamp.name)}")
    if clauses.delay is not None:
        parts.append(f"DELAY {clauses.delay}")
    if beat:
        parts.append(f"HEARTBEAT BY {identifier_text(beat.name)}")
    if clauses.idle is not None:
        parts.append(f"IDLE AFTER {clauses.idle}")
    if sign:
        parts.append(f"OP BY {identifier_text(sign.name)}")
    if clauses.key:
        key = [clauses.key] if isinstance(clauses.key, str) else clauses.key
        parts.append(f"KEY ({', '.join(map(identifier_text, key))})")
    return " ".join(parts)


def column_of(name: str, schema: Schema, column: str | None) -> Field | None:
    """The column that a clause names, or an error if the schema has no such column; None for no clause."""
    if column is None:
        return None
    found = schema.find(column)
    if not found:
        hint = did_you_mean(column, schema.names) or f"it has {', '.join(schema.names)}"
        raise AnalysisError(f"the DataFrame of {name} has no column {column}", hint=hint)
    return schema[found[0]]


def identifier_text(name: str) -> str:
    """A name as it is written in a statement, in backticks if it needs them."""
    return to_text(exp.Identifier(this=name))
