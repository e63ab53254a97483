"""Recorded: a stand-in for a Spark session that writes down each statement and what is done with its rows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

from pyspark.sql.types import StructType

from tailrace.logical.queries import QueryDefinition

Record = dict[str, list[str]]  # what is made, by its name: the statement, then each call on its rows


@dataclass(frozen=True)
class RecordedFrame:
    """A stand-in for a DataFrame: it knows only the statement that made it and the calls after that."""

    session: RecordedSession
    made: tuple[str, ...]
    columns: tuple[str, ...] = ()
    isStreaming: bool = True

    @property
    def sparkSession(self) -> RecordedSession:
        return self.session

    def createOrReplaceTempView(self, name: str) -> None:
        self.session.record[f"view {name}"] = list(self.made)

    def __getattr__(self, name: str) -> Callable[..., RecordedFrame]:
        if name.startswith("_"):
            raise AttributeError(name)
        return lambda *given: RecordedFrame(
            self.session, (*self.made, f"{name}({', '.join(map(describe_argument, given))})")
        )


@dataclass
class RecordedSession:
    """A stand-in for a SparkSession that takes statements, and for the sinks that answers go to."""

    record: Record = field(default_factory=dict)
    sparkContext: Any = field(default_factory=lambda: context())

    def sql(self, text: str) -> RecordedFrame:
        return RecordedFrame(self, (text,))

    def take_record(self) -> Record:
        """What was recorded since this was last asked."""
        found, self.record = self.record, {}
        return found

    # How answers are delivered -----------------------------------------------------------------------

    def one(self, query: QueryDefinition, frame: RecordedFrame, batch: object) -> None:
        self.record[f"output {query.name}"] = list(frame.made)

    def many(self, queries: Mapping[int, QueryDefinition], frame: RecordedFrame, batch: object) -> dict[int, Exception]:
        members = " ".join(f"{number}:{query.name}" for number, query in queries.items())
        self.record[f"output {members}"] = list(frame.made)
        return {}


def context() -> SimpleNamespace:
    """A SparkContext of which nothing is asked but accumulators and what jobs are called."""
    return SimpleNamespace(
        accumulator=lambda zero, how: SimpleNamespace(value=zero), setJobDescription=lambda text: None, master="local"
    )


def describe_argument(given: Any) -> str:
    """An argument as it is written down: schemas by their columns; a stage's work, which is no text, not at all."""
    if isinstance(given, StructType):
        return given.simpleString()
    return str(given) if isinstance(given, str | int) else "…"


def as_text(record: Record) -> str:
    """A paragraph for each thing that is made; long statements go on in lines of their own."""
    paragraphs = ["\n  ".join([name, *map(wrap_statement, made)]) for name, made in record.items()]
    return "\n\n".join(paragraphs) + "\n" if paragraphs else ""


def wrap_statement(statement: str) -> str:
    """A statement with a new line before each part that a reader looks for."""
    for word in ("UNION ALL ", "FROM ", "WHERE ", "GROUP BY ", "LEFT JOIN "):
        statement = statement.replace(f" {word}", f"\n    {word}")
    return statement
