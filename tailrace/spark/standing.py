"""Standing: queries that stay. Batch after batch is taken, noted in the checkpoint, and run again if it was cut short."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field, replace
from typing import Any

from pyspark.sql import DataFrame
from pyspark.sql.streaming import StreamingQuery

from tailrace.faults import fault
from tailrace.outcome import Outcome
from tailrace.spark.batch_loop import BatchLoop
from tailrace.spark.checkpoint import Checkpoint

LOOK = 0.2  # seconds between two looks at whether to stop


@dataclass
class Standing:
    """A loop that goes on from its checkpoint, a batch at most every `pace`, until `stop` is set."""

    loop: BatchLoop
    checkpoint: Checkpoint
    pace: str
    stop: threading.Event
    working: threading.Lock = field(default_factory=threading.Lock)
    again: bool = True  # the first batch may have been begun before

    def run(self) -> Outcome:
        """Until stopped, which waits for the batch at hand."""
        loop = self.loop
        with loop.set_up(self.checkpoint.state):
            loop.shards = self.checkpoint.shards
            if loop.moving:
                loop.follow(self.checkpoint.offsets, self.take, self.wait, processingTime=self.pace)
        return loop.outcome()

    def wait(self, query: StreamingQuery) -> None:
        while not self.stop.wait(LOOK):
            if query.awaitTermination(0):
                return
        with self.working:
            query.stop()

    def take(self, frame: DataFrame, number: int) -> None:
        """One batch of Structured Streaming, by its number."""
        with self.working:
            if self.again:
                self.recall(number)
            self.loop.take(frame)
            fault("delivered")
            self.checkpoint.note(number, self.memory())
            fault("noted")
            self.again = False

    def memory(self) -> dict[str, Any]:
        """What the next batch has to know of this one, besides the state."""
        seen = self.loop.heartbeat
        return {
            "past": self.loop.past,
            "beat": seen.beat,
            "newest": {self.loop.shape.sources[number].name: newest for number, newest in seen.newest.items()},
            "origin": seen.clock.origin,
            "rows": seen.rows,
            "last_rows": seen.last_rows,
            "unreadable": seen.unreadable,
        }

    def recall(self, number: int) -> None:
        """Stand where the batch before stood."""
        loop, seen = self.loop, self.loop.heartbeat
        loop.batch = number
        if number == 0:
            return
        known = self.checkpoint.noted(number - 1)
        names = [source.name for source in loop.shape.sources]
        loop.past, seen.beat = known["past"], known["beat"]
        seen.newest = {names.index(name): newest for name, newest in known["newest"].items()}
        seen.clock = replace(seen.clock, origin=known["origin"])
        seen.rows, seen.last_rows, seen.unreadable = known["rows"], known["last_rows"], known["unreadable"]
