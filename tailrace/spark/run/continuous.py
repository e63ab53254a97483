"""Standing: queries that stay, and may change while they do.

Each batch is noted in the checkpoint, and one that was cut short is run again. Queries change between two batches, by
a new edition; where they then read other sources, Structured Streaming is started again, and goes on where it was.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from pyspark.sql import DataFrame
from pyspark.sql.streaming.query import StreamingQuery

from tailrace.analysis.program import Query
from tailrace.catalog.system_streams import OPERATORS
from tailrace.errors import RunError
from tailrace.fault_injection import fault
from tailrace.progress import Outcome, Progress
from tailrace.settings import Settings
from tailrace.spark.batch import task_reports as keeping
from tailrace.spark.batch.gauge import Taken
from tailrace.spark.batch.run_batch import BatchLoop
from tailrace.spark.io import sinks
from tailrace.spark.io.sinks import Written
from tailrace.spark.run.checkpoint import Checkpoint
from tailrace.spark.run.reshard import Spread, reshard
from tailrace.spark.run.system_streams import System
from tailrace.spark.time.batch_size import Intake
from tailrace.staging.plan_version import Changed, Edition, Work
from tailrace.staging.stages import StagedPlan

LOG = logging.getLogger("tailrace")
LOOK = 0.2  # seconds between two looks at whether to stop
COMMITTING = 5.0  # seconds that Spark may take to note that a batch is done


def arrival() -> int:
    """The clock at arrival, in microseconds."""
    return time.time_ns() // 1000


class LeavingError(Exception):
    """A batch came when no more were wanted; it will come again."""


@dataclass
class Standing:
    """A loop that goes on from its checkpoint, a batch at most every `pace`, until `stop` is set.

    Without a pace it takes what is there and ends. `changed` is told of each edition. Where nothing can change
    any more, a run ends unless it is `lasting`.
    """

    loop: BatchLoop
    checkpoint: Checkpoint
    pace: str | None
    work: Work
    system: System
    changed: Callable[[Changed], None] = lambda changed: None
    lasting: bool = False
    stop: threading.Event = field(default_factory=threading.Event)
    begun: threading.Event = field(default_factory=threading.Event)
    reopen: threading.Event = field(default_factory=threading.Event)
    working: threading.RLock = field(default_factory=threading.RLock)  # held while a batch is taken
    changing: threading.RLock = field(default_factory=threading.RLock)  # held while it is decided what to answer
    edition: Edition | None = None
    at_hand: Work = field(init=False)  # what batches answer by now; `work` is what they are to answer
    wanted: Work | None = None  # what the next batch is to answer, where that has changed and its sources are open
    done: int = -1  # the last batch that was done here
    leaving: bool = False  # no batch is begun any more
    again: bool = True  # the next batch may have been begun before
    spread: Spread | None = None  # what was left by a run with another number of shards

    def __post_init__(self) -> None:
        self.at_hand = self.work

    def run(self) -> Outcome:
        """Until stopped, which waits for the batch at hand."""
        loop = self.loop
        self.wanted = self.work
        self.system.watch(self.work.watching, arrival())
        with loop.set_up(self.checkpoint.state):
            while True:
                self.leaving = False
                if len(loop.complete) < len(loop.moving):
                    with suppress(LeavingError):
                        loop.follow(self.checkpoint.offsets, self.take, self.wait, **self.trigger)
                else:
                    if self.work.queries:
                        self.take(None, self.done + 1)
                    self.begun.set()
                    if not self.lasting:
                        break
                    self.pause()
                if self.stop.is_set() or not self.reopen.is_set():
                    break
                self.open_again()
        return loop.outcome()

    @property
    def trigger(self) -> dict[str, Any]:
        return {"availableNow": True} if self.pace is None else {"processingTime": self.pace}

    def wait(self, query: StreamingQuery) -> None:
        self.begun.set()
        while query.isActive and not self.stop.is_set() and not self.reopen.is_set():
            self.stop.wait(LOOK)
            self.system.advance(arrival())
        with self.working:
            self.leaving = True
        self.let_commit(query)
        query.stop()
        query.awaitTermination()

    def let_commit(self, query: StreamingQuery) -> None:
        """Let Spark write down that the last batch is done, or it would come again with the next start."""
        begun = time.monotonic()
        while query.isActive and self.done >= 0 and time.monotonic() - begun < COMMITTING:
            progress = query.lastProgress
            if progress is not None and progress["batchId"] >= self.done:
                return
            time.sleep(0.02)

    def pause(self) -> None:
        while not self.stop.is_set() and not self.reopen.is_set():
            self.stop.wait(LOOK)
            self.system.advance(arrival())

    # Queries that change ------------------------------------------------------------------------------

    def change(self, work: Work, frames: Mapping[str, DataFrame] | None = None) -> None:
        """Answer other queries from the next batch on; what cannot be answered is refused here and now.

        It does not wait for the batch at hand.
        """
        with self.changing:
            known = self.edition.texts if self.edition else {}
            if self.edition:
                work.check(name for name, facts in work.facts.items() if known.get(name) != facts.text)
            others = set(work.sources) ^ set(self.loop.shape.sources)
            if others and not self.loop.shape.named:
                raise RunError(
                    f"{next(iter(others)).name} cannot join or leave while a DataFrame is followed",
                    hint="declare it with USING, or have a query that reads it when the run begins",
                )
            self.system.watch(work.watching, arrival())
            self.loop.frames = self.loop.frames if frames is None else frames
            self.work = work
            if others or len(self.loop.complete) == len(self.loop.moving):
                self.reopen.set()
            else:
                self.wanted = work

    def tune(self, settings: Settings, pace: str) -> None:
        """Batches of another size or at another pace; Structured Streaming is started again for that."""
        with self.changing:
            self.pace = pace
            self.loop.intake = Intake(settings.batch_time / 1_000_000, settings.batch_rows)
            self.loop.shedding.target = self.loop.intake.target
            self.reopen.set()

    def planned(self, work: Work) -> StagedPlan:
        """The stages as they would be with the next batch, for a look at what they read."""
        batch = 1 if self.edition else 0
        return (self.edition or Edition()).next(work, batch, self.loop.past, self.loop.past, {})[1]

    def open_again(self) -> None:
        """Other sources than before; what is known of those that stay is kept."""
        with self.working, self.changing:
            self.reopen.clear()
            loop = self.loop
            memory, known = loop.heartbeat.to_json(), {source.name for source in loop.shape.sources}
            self.wanted = self.work
            loop.plan = self.planned(self.work)
            late, unreadable = loop.late, loop.unreadable
            loop.open_sources()
            loop.late.add(late)
            loop.unreadable.add(unreadable)
            loop.remember(memory)
            loop.unread = [number for number in loop.unread if loop.shape.sources[number].name not in known]
            self.again = True

    def renew(self, number: int) -> None:
        """Take up what is wanted, from this batch on, and let queries join where they can by now."""
        loop = self.loop
        is_due = self.edition is not None and self.edition.due is not None and self.edition.due <= loop.past
        if self.wanted is None and not is_due and not loop.chosen:
            return
        work = self.at_hand = self.wanted or self.at_hand
        self.wanted = None
        running = {query.name: query for query in loop.queries}
        anew = {query.name for query in work.queries if running.get(query.name, query) is not query}
        begun = self.edition or self.checkpoint.edition_before(number)
        before = begun.without(anew).with_chosen(loop.chosen)
        loop.chosen = {}
        newest = {loop.shape.sources[source].name: instant for source, instant in loop.heartbeat.newest.items()}
        after, plan = before.next(work, number, loop.past, loop.heartbeat.beat, newest)
        for query in work.queries:
            if query.name not in running:
                sinks.begin(loop.spark, query, loop.home)
        loop.plan, loop.queries, loop.fresh = plan, work.queries, after.names - before.names
        self.checkpoint.keep_edition(number, after)
        if number > 0 and (self.edition is None or before.texts != after.texts):
            self.changed(Changed.between(before, after, loop.heartbeat.clock.told))
        self.edition = after

    # Batches ------------------------------------------------------------------------------------------

    def take(self, frame: DataFrame | None, number: int) -> None:
        """One batch of Structured Streaming, by its number."""
        with self.working:
            if number <= self.done:
                return
            if self.leaving:
                # Were this to return, Spark would take the batch for done.
                raise LeavingError
            if self.again:
                self.recall(number)
            with self.changing:
                self.renew(number)
                if self.loop.plan.since is None:
                    self.loop.plan.since = number
            self.measure()
            if self.spread is not None:
                loop = self.loop
                loop.kept = reshard(loop.spark.sparkContext, loop.plan, self.spread, number - 1, loop.shards)
                self.spread = None
            self.loop.written = Written(number, self.checkpoint.name, self.again)
            self.system.begin(self.progress)
            begun = time.monotonic()
            self.loop.take_any(frame)
            fault("delivered")
            seconds = time.monotonic() - begun
            self.shed(seconds)
            self.checkpoint.note(number, self.memory())
            fault("noted")
            self.again, self.done = False, number
            self.tell(number, seconds)
            self.limit(seconds)

    def tell(self, number: int, seconds: float) -> None:
        """What became of a batch."""
        loop = self.loop
        taken = Taken(number, seconds, loop.plan, loop.measured if loop.measuring else {})
        self.system.tell(taken, self.progress, loop.queries, arrival())

    def progress(self) -> Progress:
        return self.loop.progress(arrival())

    def measure(self) -> None:
        """Measure what operators do if somebody wants to know."""
        self.loop.measuring = OPERATORS.name in self.system.reads

    def shed(self, seconds: float) -> None:
        """Decide what the next batch drops; what was dropped so far is told beside the results."""
        loop, seen = self.loop, self.loop.heartbeat
        full = loop.intake is not None and loop.intake.is_full(seen.last_rows, seen.last_files)
        if loop.shedding.is_active:
            for query in loop.queries:
                sinks.tell_shed(loop.spark, query, loop.home, self.shed_of(query), seen.beat)
        before = loop.shedding.percent
        loop.shedding.took(seen.last_rows, full, seconds)
        if loop.shedding.percent != before:
            LOG.warning(f"batches take {loop.shedding.percent.normalize():f} percent of the rows from now on")

    def shed_of(self, query: Query) -> dict[str, int]:
        """How many rows were dropped of each source that a query reads."""
        counts, facts = self.loop.shedding.counts, self.work.facts.get(query.name)
        return {each.name: counts[each.name] for each in (facts.reads if facts else ()) if each.name in counts}

    def limit(self, seconds: float) -> None:
        """Let the next batches take more or less than this one, if it took too long or not long enough."""
        intake, seen = self.loop.intake, self.loop.heartbeat
        if intake and intake.took(seen.last_rows, seen.last_files, seconds):
            LOG.info(f"batches take {intake.rows} rows in {intake.files} files at most from now on")
            self.reopen.set()

    def memory(self) -> dict[str, Any]:
        """What the next batch has to know of this one, besides the state."""
        loop = self.loop
        known = {"past": loop.past, "shards": loop.shards, "state": keeping.to_json(loop.kept)}
        return known | {"heartbeat": loop.heartbeat.to_json(), "shedding": loop.shedding.to_json()}

    def recall(self, number: int) -> None:
        """Stand where the batch before stood."""
        loop = self.loop
        loop.batch = number
        if number > 0:
            known = self.checkpoint.noted(number - 1)
            told = (known["heartbeat"]["ticks"], loop.heartbeat.clock.in_ticks)
            if None not in told and told[0] != told[1]:
                was, now = (("TIMESTAMPs", "numbers of ticks")[bool(each)] for each in told)
                raise RunError(
                    f"the checkpoint {self.checkpoint.place} does not fit this script: time was told in {was}, "
                    f"and is now in {now}",
                    hint="run the script as it was, or name a new folder to begin anew",
                )
            loop.past = known["past"]
            loop.kept = keeping.from_json(known["state"])
            if known["shards"] != loop.shards:
                self.spread = Spread(loop.folder, known["shards"], loop.kept)
            loop.remember(known["heartbeat"])
            loop.shedding.from_json(known.get("shedding", {}))
