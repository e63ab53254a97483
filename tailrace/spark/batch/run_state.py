"""Run state: all that the next batch needs of the batches before, and what a batch adds to it.

Both are immutable. `RunState.after` is the only place where a batch's result becomes part of a run.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from pyspark.sql import DataFrame

from tailrace.logical.queries import QueryDefinition
from tailrace.operators.families.routing.statistics import StatsByFamily, together
from tailrace.progress import Progress
from tailrace.spark.batch.task_reports import Manifests, StepMetrics, manifests_from_json, manifests_to_json
from tailrace.spark.io.input_faults import ChoiceLog, LeftOut
from tailrace.spark.io.rejected_rows import RejectedByFile, add_rejected, rows_by_source
from tailrace.spark.io.sinks import BatchId
from tailrace.spark.time.batch_size import BatchSize
from tailrace.spark.time.load_shedding import SheddingState
from tailrace.spark.time.watermark import WatermarkState, WatermarkTracker
from tailrace.staging.plan_version import PlanVersion, QuerySet
from tailrace.staging.stages import StagedPlan

REMEMBERED = 0.5  # the factor by which a batch decays what eddies knew before it


@dataclass(frozen=True)
class QueryFailure:
    """Why a query was taken out of a run, in which batch, and a row with which it fails, if one is known."""

    query_id: str
    message: str
    batch: int
    failing_row: str | None = None

    def describe(self) -> str:
        """The failure in one line.

        >>> QueryFailure("a1", "query q: no (in project f(v))", 7, "v = 0").describe()
        'query q: no (in project f(v)), in batch 7, with the row v = 0'
        """
        row = f", with the row {self.failing_row}" if self.failing_row else ""
        return f"{self.message}, in batch {self.batch}{row}"


def restore_failures(record: Mapping[str, Any]) -> dict[str, QueryFailure]:
    """The queries that were quarantined after a batch, by what its record says."""
    return {name: QueryFailure(**each) for name, each in record.get("quarantined", {}).items()}


@dataclass(frozen=True)
class BatchResult:
    """What a batch did: how far it decided, the state that it left, its rejected rows and what its tasks reported.

    The rows of the queries that `failed` could not be delivered.
    """

    decided_until: int
    watermark: WatermarkState
    shedding: SheddingState
    manifests: Manifests
    metrics: StepMetrics
    statistics: Sequence[StatsByFamily]  # what each task recorded
    better_strategies: Mapping[str, str]  # outputs' strategies that would have cost less
    skewed: frozenset[int]  # stages whose skew was reported
    late: RejectedByFile = field(default_factory=dict)
    unreadable: RejectedByFile = field(default_factory=dict)
    left_out: LeftOut = field(default_factory=dict)  # all files that the run has left out
    seconds: float = 0.0
    failed: Mapping[str, QueryFailure] = field(default_factory=dict)


@dataclass(frozen=True)
class BatchInput:
    """What comes with a batch."""

    rows: DataFrame | None  # of Structured Streaming, if any
    arrived_at: int | None = None  # the clock in microseconds; None in a run that ends
    id: BatchId | None = None  # in a run that may have to repeat the batch
    measures_operators: bool = False  # some query reads the metrics of operators
    choices: ChoiceLog | None = None  # where the choice of files is written down
    may_deliver: Callable[[], None] = lambda: None  # a RunError if results must not be delivered, asked right before

    def as_repetition(self) -> BatchInput:
        """This batch as one of which results may have been delivered before."""
        return self if self.id is None else replace(self, id=replace(self.id, again=True))


@dataclass(frozen=True)
class RunState:
    """What is known between two batches: time, state files, counts, and how the next batch is to be run."""

    watermark: WatermarkState
    shards: int  # that the state of `manifests` has
    next_batch: int = 0
    decided_until: int = -1
    manifests: Manifests = field(default_factory=dict)
    shedding: SheddingState = field(default_factory=SheddingState)
    batch_size: BatchSize | None = None  # limits the next batch; None: it takes all there is
    statistics: StatsByFamily = field(default_factory=dict)  # what eddies know of their filters
    better_strategies: Mapping[str, str] = field(default_factory=dict)
    late: RejectedByFile = field(default_factory=dict)
    unreadable: RejectedByFile = field(default_factory=dict)
    skewed: frozenset[int] = frozenset()
    quarantined: Mapping[str, QueryFailure] = field(default_factory=dict)  # the queries that were taken out
    left_out: LeftOut = field(default_factory=dict)  # files that could not be read, to be looked at again

    def after(self, result: BatchResult) -> RunState:
        """The state after a batch with this result."""
        return replace(
            self,
            watermark=result.watermark,
            next_batch=self.next_batch + 1,
            decided_until=result.decided_until,
            manifests=result.manifests,
            shedding=result.shedding,
            statistics=together(self.statistics, result.statistics, REMEMBERED),
            better_strategies=result.better_strategies,
            late=add_rejected(self.late, result.late),
            unreadable=add_rejected(self.unreadable, result.unreadable),
            skewed=self.skewed | result.skewed,
            quarantined={**self.quarantined, **result.failed},
            left_out=result.left_out,
        )

    def adjust(self, seconds: float, target: float, sheds: bool) -> RunState:
        """The state with the size and the shedding of the next batch, if the last one took so many seconds."""
        rows, files, size = self.watermark.last_rows, self.watermark.last_files, self.batch_size
        full = size is not None and size.is_full(rows, files)
        shedding = self.shedding.after_batch(rows, full, seconds, target, sheds)
        return replace(self, shedding=shedding, batch_size=size and size.after_batch(rows, files, seconds))

    def progress(self, tracker: WatermarkTracker, now: int | None) -> Progress:
        """The watermark, the rows so far and the progress of each source."""
        seen = self.watermark
        sources = tracker.source_progress(seen, rows_by_source(self.late), self.shedding.counts, now)
        return Progress(seen.rows, seen.format_watermark(), tracker.find_lagging_source(seen, now), sources)

    # Checkpoint ---------------------------------------------------------------------------------------

    def to_json(self) -> dict[str, Any]:
        """The checkpoint's record of the last batch: all that the next batch starts from, except the state itself."""
        known = {"decided_until": self.decided_until, "shards": self.shards}
        times = {"watermark": self.watermark.to_json(), "shedding": self.shedding.to_json()}
        failed = {name: asdict(failure) for name, failure in self.quarantined.items()}
        return {
            **known,
            "state": manifests_to_json(self.manifests),
            **times,
            "left_out": self.left_out,
            "quarantined": failed,
        }

    def restore(self, record: Mapping[str, Any]) -> RunState:
        """This state with what a record of `to_json` holds."""
        return replace(
            self,
            watermark=WatermarkState.from_json(record["watermark"], self.watermark.clock.tick),
            shards=record["shards"],
            decided_until=record["decided_until"],
            manifests=manifests_from_json(record["state"]),
            shedding=SheddingState.from_json(record.get("shedding", {}), self.shedding.rows),
            quarantined=restore_failures(record),
            left_out=record.get("left_out", {}),
        )


@dataclass(frozen=True)
class RunningPlan:
    """The queries that run, their stages and plan version; `new_states` start empty with the batch `since`."""

    query_set: QuerySet
    staged: StagedPlan
    version: PlanVersion | None = None
    new_states: frozenset[str] = frozenset()
    since: int = 0

    @staticmethod
    def start(queries: QuerySet) -> RunningPlan:
        """The plan of these queries from the first batch of a run on."""
        version, staged = queries.versions.advance(PlanVersion(), 0, -1, -1, {})
        return RunningPlan(queries, staged, version, version.names)

    @staticmethod
    def advance(queries: QuerySet, before: PlanVersion, state: RunState) -> RunningPlan:
        """The plan of these queries from the next batch on, in which queries of the version `before` go on."""
        seen, number = state.watermark, state.next_batch
        version, staged = queries.versions.advance(before, number, state.decided_until, seen.watermark, seen.newest)
        staged.since_batch = number
        return RunningPlan(queries, staged, version, version.names - before.names, number)

    def states_starting_in(self, batch: int) -> frozenset[str]:
        """The names of the states that start empty with a batch."""
        return self.new_states if batch == self.since else frozenset()

    @property
    def queries(self) -> list[QueryDefinition]:
        return self.query_set.queries

    @property
    def column_names(self) -> dict[str, tuple[str, ...]]:
        """The names of each query's columns."""
        return {query.name: query.names for query in self.queries}
