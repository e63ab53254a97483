"""Prepare results: makes the rows that a query delivers from those of its output, in the task that has them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tailrace.columnar.arrow_types import arrow_type
from tailrace.columnar.delta import Delta
from tailrace.exchange.prepare_input import OriginRows, compute, select
from tailrace.spark.io.sinks import MEMBER
from tailrace.spark.time.event_clock import EventClock
from tailrace.staging.stages import StageInput
from tailrace.types import TIMESTAMP


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
