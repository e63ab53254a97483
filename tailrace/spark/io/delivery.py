"""Delivery: hands the rows of a batch to the sinks of the queries, or to a callback for queries without INTO.

The rows of a family's members come as one DataFrame, so that one job delivers them all. Files that tasks have written
are only moved into place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np
import pyarrow as pa
from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from tailrace.errors import QueryError
from tailrace.logical.queries import QueryDefinition
from tailrace.spark.io import sinks
from tailrace.spark.io.sink_errors import (
    FAILURES,
    failure_of,
    find_failing,
    query_error,
    raise_if_cancelled,
    sink_error,
)
from tailrace.spark.io.sink_files import OutputFiles
from tailrace.spark.io.sinks import MEMBER, BatchId
from tailrace.write.result_files import StagedFile

Blame = Callable[[], AbstractContextManager[None]]  # in which an exception of Spark becomes that of an operator
Take = Callable[[QueryDefinition, pa.Table], None]


@dataclass(frozen=True)
class ResultRows:
    """The rows that an output delivers in a batch: as an Arrow table if the driver has them, and as a DataFrame.

    `files` knows of sinks whose files tasks have written, and `staged` are these files.
    """

    collected: pa.Table | None
    frame: Callable[[], DataFrame]
    files: OutputFiles | None = None
    staged: Sequence[StagedFile] = ()

    @property
    def table(self) -> pa.Table:
        return self.frame().toArrow() if self.collected is None else self.collected

    def of_members(self, numbers: Iterable[int | None]) -> ResultRows:
        """The rows of some members of a family that Spark makes, or all if the output is one query's (None)."""
        wanted = [number for number in numbers if number is not None]
        if not wanted:
            return self
        return replace(self, frame=lambda: self.frame().where(F.col(MEMBER).isin(wanted)), files=None, staged=())

    def compute(self) -> Exception | None:
        """Compute rows that a statement makes, and forget them; returns the exception if that fails for queries."""
        try:
            if self.collected is None:
                self.frame().write.format("noop").mode("overwrite").save()
        except FAILURES as problem:
            raise_if_cancelled(problem)
            return problem
        return None

    def publish_files(self) -> tuple[frozenset[int | None], dict[int | None, OSError]]:
        """Move the files that tasks have written into place.

        Returns the members whose files these are, and those of them for which it failed.
        """
        if self.files is None:
            return frozenset(), {}
        return self.files.members, self.files.publish(self.staged)


class Deliver(Protocol):
    """Receives the rows of each batch.

    `one` gets the rows of one query. `many` gets the rows of a family's members: the queries by member number, and
    rows whose column MEMBER says whose a row is; it returns the members whose rows could not be delivered, and why.
    `batch` is given in a run that may have to repeat the batch.
    """

    def one(self, query: QueryDefinition, rows: ResultRows, batch: BatchId | None) -> None: ...

    def many(
        self, queries: Mapping[int, QueryDefinition], rows: ResultRows, batch: BatchId | None
    ) -> Mapping[int, Exception]: ...


@dataclass(frozen=True)
class Sinks:
    """Writes rows of queries with INTO to their sinks; `take` gets the rows of other queries as Arrow tables."""

    take: Take
    folder: str | None = None

    def one(self, query: QueryDefinition, rows: ResultRows, batch: BatchId | None) -> None:
        written, failed = rows.publish_files()
        if failed:
            raise failed[None]
        if written:
            return
        if query.format:
            if query.format.lower() != "noop" or rows.collected is None:
                sinks.write(rows.frame(), query, self.folder, batch)
        else:
            self.take(query, rows.table)

    def many(
        self, queries: Mapping[int, QueryDefinition], rows: ResultRows, batch: BatchId | None
    ) -> dict[int, Exception]:
        asked = {number: query for number, query in queries.items() if not query.format}
        if asked:
            for number, table in apart(rows.table):
                if number in asked:
                    query = asked[number]
                    self.take(query, table.rename_columns([*table.column_names[: -len(query.names)], *query.names]))
        done, unpublished = rows.publish_files()
        failed: dict[int, Exception] = {number: each for number, each in unpublished.items() if number is not None}
        written = {number: query for number, query in queries.items() if query.format and number not in done}
        if rows.collected is not None:
            written = {number: query for number, query in written.items() if (query.format or "").lower() != "noop"}
        if written:
            failed |= sinks.write_members(rows.frame(), written, self.folder, batch)
        return failed


@dataclass(frozen=True)
class DeliverNothing:
    """Delivers no rows: of a batch that is only tried. Those that statements make are computed all the same."""

    def one(self, query: QueryDefinition, rows: ResultRows, batch: BatchId | None) -> None:
        if problem := rows.compute():
            raise problem

    def many(
        self, queries: Mapping[int, QueryDefinition], rows: ResultRows, batch: BatchId | None
    ) -> dict[int, Exception]:
        if problem := rows.compute():
            raise problem
        return {}


def deliver_rows(
    deliver: Deliver,
    queries: Mapping[int | None, QueryDefinition],
    rows: ResultRows,
    batch: BatchId | None,
    blame: Blame,
) -> dict[int | None, QueryError]:
    """Deliver the rows of one query, which has no number, or of a family's members; returns those for which it fails.

    `blame` is asked what operator is to blame if a statement fails.
    """
    one, members = queries.get(None), {number: query for number, query in queries.items() if number is not None}
    try:
        with failure_of(one or next(iter(members.values()))), blame():
            if one is not None:
                deliver.one(one, rows, batch)
                return {}
            return dict(deliver_members(deliver, members, rows, batch).items())
    except QueryError as problem:
        return dict.fromkeys(queries, problem)


def deliver_members(
    deliver: Deliver, queries: Mapping[int, QueryDefinition], rows: ResultRows, batch: BatchId | None
) -> dict[int, QueryError]:
    """Deliver the rows of a family's members; returns the members for which that fails, and why.

    A statement that fails for some members is made anew for the others, or for all if it does not fail again. It has
    delivered nothing.
    """
    errors: dict[int, QueryError] = {}
    try:
        problems = deliver.many(queries, rows, batch)
    except FAILURES as problem:
        raise_if_cancelled(problem)
        found = find_failing(tuple(queries), lambda numbers: rows.of_members(numbers).compute())
        errors = {number: query_error(queries[number].name, each) for number, each in found.items()}
        others = {number: query for number, query in queries.items() if number not in found}
        again = replace(batch, again=True) if batch else None
        problems = deliver.many(others, rows.of_members(others), again) if others else {}
    return errors | {number: sink_error(queries[number], problem) for number, problem in problems.items()}


def apart(table: pa.Table) -> list[tuple[int, pa.Table]]:
    """Split the rows of a family by member, keeping their order; members without rows are left out.

    >>> table = pa.table({MEMBER: [7, 3, 7], "v": [1, 2, 3]})
    >>> [(number, rows["v"].to_pylist()) for number, rows in apart(table)]
    [(3, [2]), (7, [1, 3])]
    """
    numbers = table[MEMBER].to_numpy()
    order = np.argsort(numbers, kind="stable")
    sorted_rows = table.drop_columns([MEMBER]).take(pa.array(order)).combine_chunks()
    found, first = np.unique(numbers[order], return_index=True)
    lengths = np.diff(np.append(first, len(numbers)))
    return [
        (number, sorted_rows.slice(begin, length))
        for number, begin, length in zip(found.tolist(), first.tolist(), lengths.tolist(), strict=True)
    ]
