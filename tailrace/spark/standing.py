"""Standing: queries that stay. Each batch is noted in the checkpoint, and one that was cut short is run again."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from typing import Any

from pyspark.sql import DataFrame
from pyspark.sql.streaming.query import StreamingQuery

from tailrace.faults import fault
from tailrace.outcome import Outcome
from tailrace.spark.batch_loop import BatchLoop
from tailrace.spark.checkpoint import Checkpoint
from tailrace.spark.sinks import Written

LOOK = 0.2  # seconds between two looks at whether to stop


@dataclass
class Standing:
    """A loop that goes on from its checkpoint, a batch at most every `pace`, until `stop` is set."""

    loop: BatchLoop
    checkpoint: Checkpoint
    pace: str
    stop: threading.Event = field(default_factory=threading.Event)
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
        while query.isActive and not self.stop.wait(LOOK):
            pass
        with self.working:
            query.stop()
        query.awaitTermination()

    def take(self, frame: DataFrame, number: int) -> None:
        """One batch of Structured Streaming, by its number."""
        with self.working:
            if self.again:
                self.recall(number)
            self.loop.written = Written(number, self.checkpoint.name, self.again)
            self.loop.take(frame)
            fault("delivered")
            self.checkpoint.note(number, self.memory())
            fault("noted")
            self.again = False

    def memory(self) -> dict[str, Any]:
        """What the next batch has to know of this one, besides the state."""
        return {"past": self.loop.past, "heartbeat": self.loop.heartbeat.to_json()}

    def recall(self, number: int) -> None:
        """Stand where the batch before stood."""
        loop = self.loop
        loop.batch = number
        if number > 0:
            known = self.checkpoint.noted(number - 1)
            loop.past, loop.heartbeat = known["past"], loop.heartbeat.from_json(known["heartbeat"])
            loop.heartbeat.start(loop.now())
