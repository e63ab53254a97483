"""Batch loop: all sources of a script as one Structured Streaming query, its batches through stages to the sinks."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import reduce
from pathlib import Path

from pyspark.sql import DataFrame, Observation, SparkSession
from pyspark.sql import functions as F
from pyspark.sql.pandas.types import from_arrow_schema

from tailrace.analysis.program import Query
from tailrace.catalog.sources import Relation
from tailrace.errors import RunError
from tailrace.physical.cut_stages import Emission, Feed, Stage, StagedPlan
from tailrace.physical.wire import PORT, SHARD, START, UNTIL, WEIGHT
from tailrace.settings import Settings
from tailrace.spark import sinks
from tailrace.spark.clock import Clock
from tailrace.spark.heartbeat import Heartbeat
from tailrace.spark.pushdown import LINE, ORDER, ColumnText, Place, column_text, nothing, prepared
from tailrace.spark.sources import SOURCE, UNREADABLE, Shape, arriving
from tailrace.spark.stage import PORTION, StageWork

Deliver = Callable[[Query, DataFrame], None]
Watch = Callable[[Heartbeat, DataFrame | None], None]

# Looking at a batch's moments first costs a job. Above so many rows that is little; below, a batch is decided as far
# as the batches before it allow, and what it shows decides the next.
LARGE = 1_000_000


@dataclass
class BatchLoop:
    """A script's queries over its sources; `deliver` gets each batch's rows of each query, `watch` what was seen."""

    spark: SparkSession
    plan: StagedPlan
    queries: list[Query]
    settings: Settings
    deliver: Deliver
    until: str | None = None
    watch: Watch = lambda heartbeat, frame: None
    folder: str = ""
    batch: int = 0
    past: int = -1
    heartbeat: Heartbeat = field(init=False)

    def run_once(self) -> Heartbeat:
        """Take everything that is there, decide every instant up to the end, and stop."""
        with tempfile.TemporaryDirectory(prefix="tailrace-", ignore_cleanup_errors=True) as folder:
            self.folder = str(Path(folder) / "state")
            self.open_sources()
            if self.moving:
                self.follow(str(Path(folder) / "checkpoint"))
            end = self.end()
            if end > self.past or self.batch == 0:
                self.step(None, end, self.heartbeat.beat)
        return self.heartbeat

    def open_sources(self) -> None:
        self.shape = Shape.of(self.plan)
        self.shards = self.spark.sparkContext.defaultParallelism
        frames = [arriving(self.spark, self.shape, number) for number in range(len(self.shape.sources))]
        is_static = [isinstance(source, Relation) and source.is_static for source in self.shape.sources]
        self.static = {number: each.frame for number, each in enumerate(frames) if is_static[number]}
        self.moving = {number: each.frame for number, each in enumerate(frames) if not is_static[number]}
        kinds = {frames[number].in_ticks for number in self.moving}
        if len(kinds) > 1:
            one, other = (
                next(self.shape.sources[n].name for n in self.moving if frames[n].in_ticks is kind)
                for kind in (True, False)
            )
            raise RunError(f"{one} counts ticks and {other} has TIMESTAMPs: one script has one time")
        clock = Clock.of(self.settings, kinds != {False})
        self.heartbeat = Heartbeat(self.shape, clock, list(self.moving))

    def follow(self, checkpoint: str) -> None:
        """Structured Streaming over the union of the moving sources, until nothing more is there."""
        everything = reduce(DataFrame.union, self.moving.values())
        query = (
            everything.writeStream.foreachBatch(lambda frame, _: self.take(frame))
            .option("checkpointLocation", checkpoint)
            .trigger(availableNow=True)
            .start()
        )
        query.awaitTermination()

    def end(self) -> int:
        """The last instant of the run: `--until`, or the newest of all inputs."""
        if self.until is not None:
            moment = self.heartbeat.clock.parse(self.until)
            self.heartbeat.clock = self.heartbeat.clock.started(moment)
            return self.heartbeat.clock.instant(moment)
        return max(self.heartbeat.newest.values(), default=0)

    # One batch ----------------------------------------------------------------------------------------

    def take(self, frame: DataFrame) -> None:
        """One batch of Structured Streaming."""
        scans = sum(not isinstance(feed.origin, Emission) for feed in self.plan.feeds)
        look_first = self.batch == 0 or self.heartbeat.last_rows >= LARGE
        # Reading text twice costs more than keeping it.
        if self.shape.checked and scans + look_first > 1:
            frame = frame.persist()
        try:
            beat = self.heartbeat.beat
            if look_first:
                self.heartbeat.take(frame.agg(*self.heartbeat.measures()).collect()[0].asDict())
                self.step(frame, self.decidable(), beat)
            else:
                seen = Observation("tailrace")
                self.step(frame.observe(seen, *self.heartbeat.measures()), self.decidable(), beat)
                self.heartbeat.take(seen.get)
            self.watch(self.heartbeat, frame)
        finally:
            frame.unpersist()

    def decidable(self) -> int:
        """How far the heartbeat lets decide, but not beyond the end of the run."""
        beat = max(self.heartbeat.beat, self.past)
        return min(beat, self.end()) if self.until is not None else beat

    def step(self, frame: DataFrame | None, to: int, beat: int) -> None:
        """Run the stages over a batch's rows and deliver what they decide up to `to`; rows up to `beat` are late."""
        batch = Batch(self, self.arrived(frame, beat), to)
        kept = []
        try:
            for number, stage in enumerate(self.plan.stages):
                rows = batch.run(number, stage)
                readers = [feed for feed in self.plan.feeds if is_of(feed, number)]
                if len(readers) > 1:
                    kept.append(rows.persist())
                batch.stages.append(rows)
            for query in self.queries:
                answers = batch.answers(query)
                if answers is not None:
                    self.deliver(query, answers)
        finally:
            for rows in kept:
                rows.unpersist()
        self.batch += 1
        self.past = to

    def arrived(self, frame: DataFrame | None, beat: int) -> dict[int, DataFrame]:
        """The rows of each source that are new, readable and in time, with their instants."""
        found = {}
        clock = self.heartbeat.clock
        if frame is not None:
            timed = self.timed(frame, clock.text())
            readable = f" AND {UNREADABLE} IS NULL" if self.shape.checked else ""
            for number in self.moving:
                found[number] = timed.where(f"{SOURCE} = {number} AND {START} > {beat}{readable}")
        if self.batch == 0:
            for number, rows in self.static.items():
                readable = f"{UNREADABLE} IS NULL" if self.shape.checked else "true"
                found[number] = self.timed(rows, "0L").where(readable)
        return found

    def timed(self, rows: DataFrame, instant: str) -> DataFrame:
        weight = WEIGHT if self.shape.signed else f"1L AS {WEIGHT}"
        slots = [f"w{slot}" for slot in range(len(self.shape.wire.types))]
        others = [name for name in rows.columns if name not in (WEIGHT, *slots)]
        timed = rows.selectExpr(*others, f"{instant} AS {START}", f"{instant} + 1L AS {UNTIL}", weight, *slots)
        if not self.shape.ordered:
            return timed
        return timed.withColumn(LINE, F.monotonically_increasing_id())


def is_of(feed: Feed, stage: int) -> bool:
    return isinstance(feed.origin, Emission) and feed.origin.stage == stage


@dataclass
class Batch:
    """One batch on its way: the sources' rows, and what each stage gave so far."""

    loop: BatchLoop
    arrived: dict[int, DataFrame]
    to: int
    stages: list[DataFrame] = field(default_factory=list)

    def origin(self, feed: Feed) -> tuple[DataFrame, ColumnText] | None:
        """The rows that a feed is made of, None where there are none in this batch, and how its columns are called."""
        if isinstance(feed.origin, Emission):
            rows = self.stages[feed.origin.stage]
            wire = self.loop.plan.stages[feed.origin.stage].wire_out
            if len(wire.places) > 1:
                rows = rows.where(f"{PORT} = {feed.origin.number}")
            return rows, column_text(dict(enumerate(wire.places[feed.origin.number])))
        names = [source.name for source in self.loop.shape.sources]
        number = names.index(feed.origin.name)
        if number not in self.arrived:
            return None
        return self.arrived[number], column_text(self.loop.shape.slots(number))

    def run(self, number: int, stage: Stage) -> DataFrame:
        """The rows that leave a stage."""
        shards = 1 if stage.is_single else self.loop.shards
        ordered = any(feed.ordered for feed in stage.feeds)
        large = self.loop.heartbeat.last_rows > PORTION * shards
        feeds = []
        for port, feed in enumerate(stage.feeds):
            origin = self.origin(feed)
            if origin is not None:
                feeds.append(prepared(origin[0], feed, origin[1], Place(stage.wire_in, port, shards, ordered)))
        work = StageWork(
            stage.plan,
            tuple(stage.emits),
            frozenset(
                feed.origin.number
                for feed in self.loop.plan.outputs.values()
                if isinstance(feed.origin, Emission) and feed.origin.stage == number
            ),
            frozenset(stage.single),
            stage.wire_in,
            stage.wire_out,
            f"{self.loop.folder}/stage-{number}",
            self.loop.batch,
            self.to,
            ordered or large,
        )
        rows = self.exchanged(feeds, stage, shards, ordered, large)
        return rows.mapInArrow(work, from_arrow_schema(stage.wire_out.schema))

    def exchanged(self, feeds: list[DataFrame], stage: Stage, shards: int, ordered: bool, large: bool) -> DataFrame:
        """The feeds' rows in their shards, in order of time where that matters, and in each shard a row without time.

        That row tells a task its shard, also where nothing else comes: Spark numbers tasks, and not always shards.
        """
        names = [*stage.wire_in.schema.names, SHARD]
        nothing_else = [f"{nothing(field.type)} AS {field.name}" for field in stage.wire_in.schema]
        tellers = self.loop.spark.range(0, shards, 1, 1).selectExpr(*nothing_else, f"CAST(id AS INT) AS {SHARD}")
        if ordered:
            tellers = tellers.selectExpr("*", *(f"NULL AS {name}" for name in ORDER))
        rows = reduce(DataFrame.union, [*feeds, tellers])
        rows = rows.repartition(1) if shards == 1 else rows.repartitionById(shards, F.col(SHARD))
        if ordered or large:
            rows = rows.sortWithinPartitions(START, *(ORDER if ordered else ()))
        return rows.select(*names)

    def answers(self, query: Query) -> DataFrame | None:
        """A query's rows of this batch."""
        feed = self.loop.plan.outputs[query.name]
        origin = self.origin(feed)
        if origin is None:
            return None
        rows, named = origin
        if self.loop.until is not None:
            rows = rows.where(f"{START} <= {self.loop.end()}")
        return sinks.answers(rows, feed, named, query, self.loop.heartbeat.clock)
