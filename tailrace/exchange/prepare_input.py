"""Prepare input: filters, projects, pre-aggregates and shards the rows of a stage input, on Arrow columns.

Tasks prepare rows of sources and of earlier stages right where they have them, before the shuffle. Where an expression
is left to Catalyst, Spark SQL prepares the input instead (spark/io/stage_sql.py); both give the same rows.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tailrace.columnar.delta import Delta
from tailrace.columnar.evaluate import can_evaluate, evaluate
from tailrace.columnar.spark_hash import shards_of
from tailrace.exchange.failing_row import Values, row_failing_expression
from tailrace.exchange.pre_aggregate_rows import pre_aggregate_rows
from tailrace.logical.expressions import Expression, all_of, columns_of
from tailrace.operators.relational.pre_aggregation import PreAggregation
from tailrace.operators.sequence.frequency import PushedPrefilter
from tailrace.staging.stages import StageInput
from tailrace.staging.wire import START, UNTIL, WEIGHT
from tailrace.time_limit import TimeLimitError

DEEPEST = 50  # levels of an expression that tasks evaluate
Columns = Sequence[pa.Array | None]  # the columns of an origin by position; None for those that nobody reads


@dataclass(frozen=True)
class OriginRows:
    """Rows of a stage input's origin: their instants and columns.

    `until` and `weight` are None for elements of a stream: each lasts for its instant, and counts once.
    """

    start: pa.Array
    columns: Columns
    until: pa.Array | None = None
    weight: pa.Array | None = None

    def __len__(self) -> int:
        return len(self.start)

    def filter(self, mask: pa.Array) -> OriginRows:
        """The rows for which the mask is true; those for which it is NULL are dropped."""
        if pc.all(mask, skip_nulls=False).as_py():
            return self
        rows = pc.indices_nonzero(mask)

        def take(column: pa.Array | None) -> pa.Array | None:
            return None if column is None else column.take(rows)

        return OriginRows(self.start.take(rows), tuple(map(take, self.columns)), take(self.until), take(self.weight))


class ExpressionError(Exception):
    """Raised when an expression fails; `expression` is it, `row` a row with which it fails; the cause says why."""

    def __init__(self, expression: Expression, row: Values | None) -> None:
        super().__init__()
        self.expression = expression
        self.row = row


def compute(expression: Expression, rows: OriginRows) -> pa.Array:
    """The values of an expression on each row; if it fails, the ExpressionError names it."""
    try:
        return evaluate(expression, rows.columns, len(rows))
    except TimeLimitError as problem:
        raise ExpressionError(expression, None) from problem
    except Exception as problem:
        raise ExpressionError(expression, row_failing_expression(expression, rows.columns, len(rows))) from problem


def select(predicates: Sequence[Expression], rows: OriginRows) -> OriginRows:
    """The rows that meet all predicates."""
    return rows.filter(compute(all_of(predicates), rows)) if predicates and len(rows) else rows


def expressions_of(feed: StageInput) -> Iterator[Expression]:
    """All expressions that are evaluated to prepare a stage input."""
    yield from feed.predicates
    yield from feed.key or ()
    yield from feed.prefilter.key if feed.prefilter else ()
    if feed.preaggregation is None:
        yield from feed.columns
    else:
        yield from feed.preaggregation.expressions


def part_of(feed: StageInput, expression: Expression) -> int:
    """The number by which a task tells the driver an expression of a stage input; see `expression_of`."""
    parts = list(expressions_of(feed))
    return parts.index(expression) if expression in parts else -1


def expression_of(feed: StageInput, part: int) -> Expression:
    """The expression that `part_of` numbered; -1 is the selection by all predicates."""
    return all_of(feed.predicates) if part < 0 else list(expressions_of(feed))[part]


def can_prepare(feed: StageInput) -> bool:
    """Whether a stage input can be prepared here: every expression gives exactly what Spark SQL gives.

    Spark SQL also takes what is nested so deeply that Python could not send it to a task.
    """
    parts = list(expressions_of(feed))
    return all(map(can_evaluate, parts)) and all(map(is_shallow, [*parts, all_of(feed.predicates)]))


def is_shallow(expression: Expression) -> bool:
    """Whether an expression has at most DEEPEST levels."""
    level: Sequence[Expression] = (expression,)
    for _ in range(DEEPEST):
        level = [child for each in level for child in each.children]
        if not level:
            return True
    return False


def read_columns(feed: StageInput) -> set[int]:
    """The columns of its origin that a stage input needs."""
    return columns_of(*expressions_of(feed))


@dataclass(frozen=True)
class Preparation:
    """Prepares the rows of one stage input for its stage.

    `past` is the instant up to which everything is decided. `drops_unseen` applies the prefilter. `instants_only`: the
    stage takes elements of streams alone, whose ends and weights are not sent.
    """

    feed: StageInput
    shards: int
    past: int
    instants_only: bool
    drops_unseen: bool = False

    @staticmethod
    def order(rows: Delta) -> Delta:
        return rows

    def prepare(self, rows: OriginRows, task: int) -> Iterator[tuple[int, pa.RecordBatch]]:
        """The prepared rows of each shard that has any; `task` chooses the shard if rows may be in any."""
        feed = self.feed
        if feed.since > self.past + 1:
            rows = rows.filter(pc.greater_equal(rows.start, feed.since))
        rows = select(feed.predicates, rows)
        if feed.prefilter and self.drops_unseen and len(rows):
            rows = rows.filter(self.is_needed_by(feed.prefilter, rows))
        if not len(rows):
            return
        if feed.preaggregation:
            rows, batch = self.pre_aggregate(feed.preaggregation, rows)
        else:
            batch = self.project(rows)
        yield from self.split(batch, rows, task)

    @staticmethod
    def is_needed_by(prefilter: PushedPrefilter, rows: OriginRows) -> pa.Array:
        keys = [compute(key, rows) for key in prefilter.key]
        return pa.array(prefilter.by.is_needed(rows.start.to_numpy(), keys))

    def project(self, rows: OriginRows) -> pa.RecordBatch:
        return self.batch(rows, [compute(column, rows) for column in self.feed.columns])

    def pre_aggregate(self, part: PreAggregation, rows: OriginRows) -> tuple[OriginRows, pa.RecordBatch]:
        """The first row of each group, from which its shard is found, and one row of partial sums for each group."""
        try:
            start, first, values = pre_aggregate_rows(part, rows.start.to_numpy(), rows.columns)
        except Exception:
            for expression in part.expressions:
                compute(expression, rows)  # the one that fails names itself, and a row
            raise
        chosen = pa.array(first)
        columns = [None if column is None else column.take(chosen) for column in rows.columns]
        groups = OriginRows(pa.array(start), columns)
        return groups, self.batch(groups, values)

    def batch(self, rows: OriginRows, values: Sequence[pa.Array]) -> pa.RecordBatch:
        heads = {START: rows.start}
        if not self.instants_only:
            heads[UNTIL] = pc.add(rows.start, 1) if rows.until is None else rows.until
            heads[WEIGHT] = pa.array(np.ones(len(rows), np.int64)) if rows.weight is None else rows.weight
        names = [*heads, *(f"w{place}" for place in range(len(values)))]
        return pa.RecordBatch.from_arrays([*heads.values(), *values], names)

    def split(self, batch: pa.RecordBatch, rows: OriginRows, task: int) -> Iterator[tuple[int, pa.RecordBatch]]:
        key = self.feed.key
        if self.feed.is_broadcast:
            yield from ((shard, batch) for shard in range(self.shards))
        elif self.shards == 1 or key == ():
            yield 0, batch
        elif key is None:
            yield task % self.shards, batch
        else:
            values = [compute(part, rows) for part in key]
            shards = shards_of(values, len(rows), self.shards)
            for shard in range(self.shards):
                mine = np.flatnonzero(shards == shard)
                if len(mine) == len(rows):
                    yield shard, batch
                elif len(mine):
                    yield shard, batch.take(pa.array(mine))


class WholeOutput(Preparation):
    """Hands all rows of a stage's output to statements of Spark SQL, which deliver them or prepare stage inputs.

    Sinks count rows and not weights, so there is a row for each copy of a tuple.
    """

    @staticmethod
    def order(rows: Delta) -> Delta:
        return rows.as_changes()
