"""Batch loop: all sources of a script as one Structured Streaming query, its batches through the plan to the sinks."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import reduce
from pathlib import Path

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F
from pyspark.sql.pandas.types import from_arrow_schema

from tailrace.analysis.program import Query
from tailrace.catalog.sources import Declared, Relation
from tailrace.errors import RunError
from tailrace.physical.plan import PhysicalPlan
from tailrace.settings import Settings
from tailrace.spark import sinks
from tailrace.spark.clock import Clock
from tailrace.spark.sources import ORDER, arriving
from tailrace.spark.stage import StageWork, output_schema, stage

Deliver = Callable[[Query, DataFrame], None]


@dataclass
class BatchLoop:
    """A script's queries over its sources; `deliver` gets each batch's rows of each query."""

    spark: SparkSession
    plan: PhysicalPlan
    queries: list[Query]
    settings: Settings
    deliver: Deliver
    until: str | None = None
    folder: str = ""
    batch: int = 0
    past: int = -1
    newest: dict[str, int] = field(default_factory=dict)

    def run_once(self) -> None:
        """Take everything that is there, decide every instant up to the end, and stop."""
        with tempfile.TemporaryDirectory(prefix="tailrace-") as folder:
            self.folder = str(Path(folder) / "state")
            Path(self.folder).mkdir()
            self.open_sources()
            if self.moving:
                self.follow(str(Path(folder) / "checkpoint"))
            end = self.end()
            if end is not None and (end > self.past or self.batch == 0):
                self.step(None, end)

    def open_sources(self) -> None:
        declared = self.plan.sources
        self.sources = [arriving(self.spark, source, number) for number, source in enumerate(declared)]
        self.static = [source for source in self.sources if is_static(source.source)]
        self.moving = [source for source in self.sources if not is_static(source.source)]
        kinds = {source.in_ticks for source in self.moving}
        if len(kinds) > 1:
            one, other = (next(s.source.name for s in self.moving if s.in_ticks is kind) for kind in (True, False))
            raise RunError(f"{one} counts ticks and {other} has TIMESTAMPs: one script has one time")
        self.clock = Clock.of(self.settings, kinds != {False})

    def follow(self, checkpoint: str) -> None:
        """Structured Streaming over the union of the moving sources, until nothing more is there."""
        everything = reduce(
            lambda one, other: one.unionByName(other, allowMissingColumns=True),
            [source.frame for source in self.moving],
        )
        query = (
            everything.writeStream.foreachBatch(lambda frame, _: self.take(frame))
            .option("checkpointLocation", checkpoint)
            .trigger(availableNow=True)
            .start()
        )
        query.awaitTermination()

    def take(self, frame: DataFrame) -> None:
        """One batch of Structured Streaming: find how far time has come, then decide that far."""
        frame = frame.persist()
        try:
            seen = frame.groupBy("_source").agg(F.min("_moment"), F.max("_moment")).collect()
            if not seen:
                return
            self.clock = self.clock.started(min(row[1] for row in seen))
            for row in seen:
                name = self.sources[row[0]].source.name
                self.newest[name] = max(self.newest.get(name, -1), self.clock.instant(row[2]))
            to = self.heartbeat()
            end = self.end()
            self.step(frame, min(to, end) if end is not None else to)
        finally:
            frame.unpersist()

    def heartbeat(self) -> int:
        """The least, over the sources, of the newest instant less the delay; nothing before all have spoken."""
        beats = []
        for source in self.moving:
            newest = self.newest.get(source.source.name)
            beats.append(-1 if newest is None else newest - 1 - source.source.delay)
        return max(min(beats, default=-1), self.past)

    def end(self) -> int | None:
        """The last instant of the run: `--until`, or the newest of all inputs."""
        if self.until is not None:
            moment = self.clock.parse(self.until)
            self.clock = self.clock.started(moment)
            return self.clock.instant(moment)
        return max(self.newest.values(), default=0)

    # One batch ----------------------------------------------------------------------------------------

    def step(self, frame: DataFrame | None, to: int) -> None:
        """Run the plan over a batch's rows and deliver what it decides up to `to`."""
        work = StageWork(self.plan, tuple(s.source.name for s in self.sources), self.folder, self.batch, to)
        schema = from_arrow_schema(output_schema(self.plan))
        answers = self.shard(frame).mapInArrow(stage(work), schema).persist()
        try:
            for number, query in enumerate(self.queries):
                self.deliver(query, sinks.rows(answers, query, number, self.clock))
        finally:
            answers.unpersist()
        self.batch += 1
        self.past = to

    def shard(self, frame: DataFrame | None) -> DataFrame:
        """A batch's rows in order of time and arrival, in one shard, with the static relations in the first batch."""
        frames = [] if frame is None else [frame]
        if self.batch == 0:
            frames += [source.frame for source in self.static]
        if not frames:
            frames = [self.nothing()]
        rows = reduce(lambda one, other: one.unionByName(other, allowMissingColumns=True), frames)
        for number in range(len(self.sources)):
            if f"s{number}" not in rows.columns:
                kind = self.sources[number].frame.schema[f"s{number}"].dataType
                rows = rows.withColumn(f"s{number}", F.lit(None).cast(kind))
        instant = F.col("_moment")
        if not self.clock.in_ticks:
            instant = F.floor((F.col("_moment") - F.lit(self.clock.origin or 0)) / F.lit(self.clock.tick))
        rows = rows.withColumn("_line", F.monotonically_increasing_id())
        rows = rows.withColumn("_instant", instant.cast("bigint"))
        ordered = rows.coalesce(1).sortWithinPartitions("_source", "_instant", *ORDER)
        structs = [f"s{number}" for number in range(len(self.sources))]
        return ordered.select("_source", "_instant", "_weight", *structs)

    def nothing(self) -> DataFrame:
        source = self.sources[0].frame.schema if self.sources else None
        assert source is not None
        return self.spark.createDataFrame([], source)


def is_static(source: Declared) -> bool:
    return isinstance(source, Relation) and source.is_static
