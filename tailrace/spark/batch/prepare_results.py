"""Prepare results: makes the rows that queries deliver from those of their output, in the task that has them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tailrace.columnar.arrow_types import arrow_type
from tailrace.columnar.delta import Delta
from tailrace.exchange.prepare_input import OriginRows, compute, select
from tailrace.logical.queries import QueryDefinition
from tailrace.spark.io import sinks
from tailrace.spark.io.sink_files import OutputFiles
from tailrace.spark.io.sinks import MEMBER
from tailrace.spark.time.event_clock import EventClock
from tailrace.staging.stages import StageInput
from tailrace.types import TIMESTAMP


@dataclass(frozen=True)
class Output:
    """Rows that are delivered: those of one query, or those of a family's members, by number."""

    name: str
    feed: StageInput
    queries: Mapping[int | None, QueryDefinition]  # a query that is in no family has no number

    @property
    def query(self) -> QueryDefinition:
        """The query, or one of the family: in all of them the columns have the same types."""
        return next(iter(self.queries.values()))

    @property
    def is_family(self) -> bool:
        return None not in self.queries

    @property
    def members(self) -> dict[int, QueryDefinition]:
        """The queries of a family, by number."""
        return {number: query for number, query in self.queries.items() if number is not None}

    @property
    def is_dropped(self) -> bool:
        return all((query.format or "").lower() == "noop" for query in self.queries.values())

    @property
    def is_collected(self) -> bool:
        """Whether some query has no INTO, so that the driver gets the rows."""
        return any(not query.format for query in self.queries.values())

    def needs_messages(self, files: OutputFiles | None) -> bool:
        """Whether some query has a sink of Spark, which reads the rows from messages: one without these files."""
        written = frozenset() if files is None else files.members
        others = (query for number, query in self.queries.items() if number not in written)
        return any(query.format and query.format.lower() != "noop" for query in others)

    def schema(self, clock: EventClock) -> pa.Schema:
        """The columns of the rows that are delivered."""
        fields = list(sinks.columns(self.query, clock))
        if self.query.is_snapshot:
            fields = fields[-len(self.query.schema) :] if len(self.query.schema) else []
        return pa.schema([*([pa.field(MEMBER, pa.int64())] if self.is_family else []), *fields])


@dataclass(frozen=True)
class ResultPreparation:
    """Makes the rows that a query, or the members of a family, deliver: `_ts`, `_op` for a relation, and the columns.

    `past` is the instant up to which everything is decided, `end` the last instant of the run, if it has one. Messages
    of results on their way through later stages are spread over the `shards`. With `is_family`, rows begin with the
    number of the member. A snapshot has the columns alone. With `is_dropped`, the
    rows are computed and go nowhere: the sink is noop.
    """

    feed: StageInput
    names: tuple[str, ...]
    clock: EventClock
    past: int
    end: int | None
    shards: int
    has_op: bool
    is_snapshot: bool = False
    is_family: bool = False
    is_dropped: bool = False

    @staticmethod
    def order(rows: Delta) -> Delta:
        return rows.as_changes()

    def prepare(self, rows: OriginRows, task: int) -> Iterator[tuple[int, pa.RecordBatch]]:
        feed = self.feed
        if feed.since > self.past + 1:
            rows = rows.filter(pc.greater_equal(rows.start, feed.since))
        if self.end is not None:
            rows = rows.filter(pc.less_equal(rows.start, self.end))
        rows = select(feed.predicates, rows)
        if not len(rows):
            return
        values = [compute(column, rows) for column in feed.columns]
        columns = {MEMBER: values.pop(0)} if self.is_family else {}
        if not self.is_snapshot:
            columns["_ts"] = self.stamps(rows.start)
            if self.has_op:
                columns["_op"] = signs(rows)
        if not self.is_dropped:
            # Two columns of a query may have one name, so the batch is made from lists.
            yield task % self.shards, pa.RecordBatch.from_arrays([*columns.values(), *values], [*columns, *self.names])

    def stamps(self, instants: pa.Array) -> pa.Array:
        """The instants as the sources write their timestamps: as numbers of ticks or as TIMESTAMPs."""
        if self.clock.in_ticks:
            return instants
        moments = instants.to_numpy() * np.int64(self.clock.tick) + np.int64(self.clock.origin or 0)
        return pa.array(moments).cast(arrow_type(TIMESTAMP))


def signs(rows: OriginRows) -> pa.Array:
    """`+` for rows that are inserted, and `-` for those that are deleted."""
    if rows.weight is None:
        return pa.array(["+"]).take(pa.array(np.zeros(len(rows), np.int64)))
    return pc.if_else(pc.greater(rows.weight, 0), "+", "-")
