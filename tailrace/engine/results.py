"""Results: keeps the newest rows of a standing query, and passes each batch on to subscribers.

>>> import pyarrow as pa
>>> answers = ResultBuffer(keep=2)
>>> answers.take(pa.table({"_ts": [3, 1, 2], "k": [7, 8, 9]}))
>>> answers.table.to_pylist(), answers.forgotten
([{'_ts': 2, 'k': 9}, {'_ts': 3, 'k': 7}], True)
"""

from __future__ import annotations

import logging
import queue
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pyarrow as pa

    from tailrace.spark.io.frames import Row

LOG = logging.getLogger("tailrace")
KEEP = 1_000_000
BEHIND = 100  # batches in a subscriber's queue; if one more comes, the subscriber is dropped
FINISHING = 5.0  # seconds that the end of a run waits for each subscriber

Subscriber = Callable[[Any], object]  # gets a sequence of Rows, or an Arrow table


@dataclass
class ResultBuffer:
    """The newest rows of a query, at most `keep`; `count` is the number of all rows that came."""

    keep: int = KEEP
    batches: list[pa.Table] = field(default_factory=list)
    count: int = 0

    def clear(self) -> None:
        self.batches, self.count = [], 0

    def take(self, rows: pa.Table) -> None:
        """Add the rows of a batch."""
        self.count += len(rows)
        self.batches.append(self.newest(rows))
        while len(self.batches) > 1 and sum(map(len, self.batches[1:])) >= self.keep:
            del self.batches[0]

    @property
    def table(self) -> pa.Table | None:
        """The rows in order; None before the first batch."""
        import pyarrow as pa

        return self.newest(pa.concat_tables(self.batches)) if self.batches else None

    @property
    def forgotten(self) -> bool:
        return self.count > self.keep

    def newest(self, rows: pa.Table) -> pa.Table:
        return in_order(rows).slice(max(0, len(rows) - self.keep))


@dataclass
class Subscribers:
    """The callbacks that get the rows of each batch."""

    name: str
    callbacks: list[Subscriber] = field(default_factory=list)
    by_table: list[Subscriber] = field(default_factory=list)  # the callbacks that get Arrow tables
    waiting: dict[Subscriber, SubscriberQueue] = field(default_factory=dict)

    def take(self, table: pa.Table, in_background: bool = False) -> None:
        """Pass the rows of a batch, which are in order, to all subscribers; in the background, in their own threads."""
        if self.by_table:
            self.tell(table, in_background, self.by_table)
        others = [callback for callback in self.callbacks if callback not in self.by_table]
        if others:
            from tailrace.spark.io.frames import rows_of

            self.tell(rows_of(table), in_background, others)

    def tell(
        self, rows: Sequence[Row] | pa.Table, in_background: bool = False, whom: Sequence[Subscriber] = ()
    ) -> None:
        """Call subscribers: those in `whom`, or all. One that fails or does not keep up is dropped with a warning."""
        for callback in list(whom or self.callbacks):
            if not in_background:
                self.call(callback, rows)
                continue
            if callback not in self.waiting:
                self.waiting[callback] = SubscriberQueue(callback, self.call)
            if not self.waiting[callback].put(rows):
                self.remove(callback)
                LOG.warning("%s: a subscriber is %d batches behind and is called no more", self.name, BEHIND)

    def call(self, callback: Subscriber, rows: Sequence[Row] | pa.Table) -> None:
        try:
            callback(rows)
        except Exception:
            self.remove(callback)
            LOG.warning("%s: a subscriber failed and is called no more", self.name, exc_info=True)

    def remove(self, callback: Subscriber) -> None:
        """Call a subscriber no more. It may be removed already: by its thread when it failed, or for falling behind."""
        if callback in self.callbacks:
            self.callbacks.remove(callback)
        if callback in self.by_table:
            self.by_table.remove(callback)
        mailbox = self.waiting.pop(callback, None)
        if mailbox:
            mailbox.cancel()

    def finish(self) -> None:
        """End the threads of subscribers when a run is over, after a few seconds to work off their queues."""
        for mailbox in self.waiting.values():
            mailbox.finish()
        self.waiting = {}


class SubscriberQueue:
    """Batches that wait for a subscriber, and the thread that passes them to it one by one."""

    def __init__(self, callback: Subscriber, call: Callable[[Subscriber, Any], None]) -> None:
        self.batches: queue.Queue[Any] = queue.Queue(BEHIND)
        self.over = False

        def work() -> None:
            while not self.over and (rows := self.batches.get()) is not None:
                call(callback, rows)

        self.thread = threading.Thread(target=work, name="tailrace subscriber", daemon=True)
        self.thread.start()

    def put(self, rows: Sequence[Row] | pa.Table) -> bool:
        """Add a batch; False if the queue is full."""
        try:
            self.batches.put_nowait(rows)
        except queue.Full:
            return False
        return True

    def cancel(self) -> None:
        """End the thread after the batch at hand, and drop the batches that wait."""
        self.over = True
        with suppress(queue.Full):
            self.batches.put_nowait(None)  # for a thread that waits for a batch

    def finish(self) -> None:
        with suppress(queue.Full):
            self.batches.put(None, timeout=FINISHING)
            self.thread.join(FINISHING)


def in_order(rows: pa.Table) -> pa.Table:
    """The rows sorted by instant; at an instant, deletions first ('-' comes after '+' in ASCII)."""
    signs = [("_op", "descending")] if "_op" in rows.column_names else []
    return rows.sort_by([("_ts", "ascending"), *signs])


def current_rows(rows: Sequence[Row]) -> list[Row]:
    """The content of a relation after all changes of its changelog, without `_ts` and `_op`.

    >>> from pyspark.sql import Row
    >>> change = Row("_ts", "_op", "k")
    >>> current_rows([change(1, "+", "a"), change(1, "+", "b"), change(2, "-", "a"), change(3, "+", "b")])
    [Row(k='b'), Row(k='b')]
    """
    from tailrace.spark.io.frames import Row

    found: dict[str, list[Row]] = {}
    for row in rows:
        tuple_ = Row(*row.__fields__[2:])(*row[2:])
        # A tuple may hold lists and dicts, which have no hash.
        copies = found.setdefault(repr(tuple_), [])
        copies.append(tuple_) if row["_op"] == "+" else copies.pop()
    return [each for copies in found.values() for each in copies]
