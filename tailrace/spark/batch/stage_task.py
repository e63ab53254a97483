"""Stage task: what a Spark worker does for one shard of a stage: load the state, run the operators, save the state.

The task lives in an importable module, so that what it caches survives from task to task.
"""

from __future__ import annotations

import gc
import json
import re
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cache
from itertools import chain
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tailrace.columnar.delta import Delta
from tailrace.errors import RunError, TailraceError
from tailrace.operators.families.routing.statistics import StatsByFamily
from tailrace.operators.local_run import LocalRun, MetricsRecorder, size_of
from tailrace.operators.operator import Operator, TaskContext
from tailrace.operators.plan import PhysicalPlan
from tailrace.spark.batch.skew import ShardLoad, load
from tailrace.spark.batch.task_reports import TaskReport
from tailrace.staging.wire import START, WireFormat
from tailrace.state.state_files import StateFolder

# Rows of a portion. A shard's rows are processed in portions, so that memory grows with the window and not with the
# batch. If rows are not sorted by time, nothing is decided before the last portion, so larger ones cost less.
PORTION, UNSORTED_PORTION = 50_000, 500_000
# Rows of an Arrow batch that Spark hands over: without and with columns of variable length, such as texts.
NARROW_ROWS, WIDE_ROWS = 50_000, 10_000


BEHIND = "-clock"  # suffix of a state's name: the entry that says how far a lagging step has decided


def stage_folder(folder: str, number: int) -> str:
    """The folder of a stage's state."""
    return f"{folder}/stage-{number}"


def shard_folder(folder: str, shards: int, number: int) -> str:
    """The folder of one shard's state, below the folder of a stage that has this number of shards."""
    return f"{folder}/of-{shards}/shard-{number}"


class StepError(Exception):
    """Raised in a worker when a step failed; its text is a StepFailure as JSON, for the driver."""


@dataclass(frozen=True)
class StepFailure:
    """Which step of which stage failed, its message, and a hint for the user.

    >>> StepFailure.find_in('… stage_task.StepError: {"stage": 0, "step": 2, "said": "no", "hint": null} …')
    StepFailure(stage=0, step=2, said='no', hint=None)
    """

    stage: int
    step: int
    said: str
    hint: str | None = None

    @classmethod
    def of(cls, stage: int, step: int, problem: Exception) -> StepFailure:
        if isinstance(problem, TailraceError):
            return cls(stage, step, problem.message, problem.hint)
        return cls(stage, step, f"{type(problem).__name__}: {problem}")

    @classmethod
    def find_in(cls, text: str) -> StepFailure | None:
        """Find the failure in the text of Spark's exception; None if no step raised it."""
        found = re.search(r"\bStepError: (\{.*\})", text)
        return cls(**json.loads(found[1])) if found else None

    def error(self) -> StepError:
        return StepError(json.dumps(asdict(self)))


@dataclass(frozen=True)
class StageTask:
    """The function that Spark calls for each shard of a stage, with everything that a worker needs.

    * State: `names` are the names under which each step's state is saved; those in `new_states` start empty with this
      batch. `manifests_before` has each shard's manifest of the batch before. `attempt` begins the names of all files
      that this attempt at the batch writes.
    * Time: everything up to `decided_until` is decided, and this batch decides up to `decide_until`. With
      `follows_watermark`, a shard's rows come sorted by time and decide instants while they are still being read.
    * Shards: with `is_free`, rows were not shuffled. Steps in `single` run in shard 0 only. `key_columns` has, for each
      stage input, the columns with its key, to find skew.
    * Outputs: `output_steps` are the steps whose rows leave the stage; `delivered_outputs` are those that go to sinks.
    * Reports: `report` gets a TaskReport for the driver. It says what each step did if `measures_steps`, with the size
      of its state if `measures_state`, and what eddies recorded; `statistics` is what they know.

    `label` is the task's name in Spark's plans.
    """

    label: str
    number: int
    plan: PhysicalPlan
    names: tuple[tuple[str, ...], ...]
    new_states: frozenset[str]
    output_steps: tuple[int, ...]
    delivered_outputs: frozenset[int]
    single: frozenset[int]
    wire_in: WireFormat
    wire_out: WireFormat
    key_columns: tuple[tuple[int, ...], ...]
    folder: str
    shards: int
    manifests_before: Mapping[int, str]
    report: Callable[[TaskReport], None]
    batch: int
    attempt: str
    decided_until: int
    decide_until: int
    follows_watermark: bool
    is_free: bool = False
    time_by_input: bool = False  # operators learn of time only from their own rows (SW §2.3)
    statistics: StatsByFamily = field(default_factory=dict)
    measures_steps: bool = False
    measures_state: bool = False

    @property
    def __name__(self) -> str:
        """The name that Spark shows in its plans."""
        return self.label

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Process one shard: yield the rows of all outputs, then save the state and report to the driver."""
        settle()
        shard, batches = shard_of(batches, self.is_free)
        kept = None if shard is None else StateFolder(shard_folder(self.folder, self.shards, shard))
        idle = frozenset() if shard == 0 else self.single
        known = self.load_states(kept, shard)
        state = self.plan.start() if kept is None else self.state(kept, known, idle)
        meter, context = MetricsRecorder() if self.measures_steps else None, TaskContext(self.statistics)
        clocks, newest = self.clocks(known)
        local = LocalRun(self.plan, self.decided_until, state, idle, meter, self.time_by_input, clocks, newest, context)
        weight = ShardLoad()
        for table, to in self.portions(batches, self.decided_until):
            feeds = self.wire_in.unpack(table)
            weight += load(feeds, self.key_columns)
            found = self.advance(local, feeds, to)
            for number, step in enumerate(self.output_steps):
                out = (
                    deletions_first(found[step])
                    if self.wire_out.insert_only or number in self.delivered_outputs
                    else found[step]
                )
                if len(out):
                    yield self.wire_out.pack(number, out)
            # Give the memory of this portion back: Arrow would keep it in its pool.
            del found, feeds, table
            pa.default_memory_pool().release_unused()
        sizes = [size_of(each) for each in local.state] if meter and self.measures_state else None
        metrics = {} if meter is None else meter.steps if sizes is None else meter.read(sizes)
        left = {**self.states_by_name(local.state, idle), **self.behind(local)}
        manifest = None if kept is None else kept.save(self.batch, left, self.attempt)
        self.report(TaskReport(self.number, shard, manifest, weight, metrics, context.recorded))

    def advance(self, local: LocalRun, feeds: Mapping[int, Delta], to: int) -> list[Delta]:
        """Run all steps over a portion; if a step fails, raise a StepError that names it to the driver."""
        try:
            return local.advance({}, feeds, to)
        except Exception as problem:
            raise StepFailure.of(self.number, local.at, problem).error() from problem

    def load_states(self, kept: StateFolder | None, shard: int | None) -> dict[str, Any]:
        """The states that the batch before left for a shard, by name; empty if there are none."""
        name = None if shard is None else self.manifests_before.get(shard)
        wanted = {entry for names in self.names for each in names for entry in (each, f"{each}{BEHIND}")}
        return {} if kept is None or name is None else kept.load(name, wanted) or {}

    def state(self, kept: StateFolder, known: Mapping[str, Any], idle: Container[int]) -> list[Any]:
        """Each step's saved state, or an empty one if new or idle in this shard; a RunError if a saved one is gone."""
        found = []
        for number, (step, names) in enumerate(zip(self.plan.steps, self.names, strict=True)):
            start = step.work.initial_state() if isinstance(step.work, Operator) else None
            there = [name for name in names if name in known]
            if start is not None and number not in idle and not there and not self.new_states.issuperset(names):
                raise RunError(
                    f"{kept.store.address} does not hold the state of batch {self.batch - 1}",
                    hint="something was removed from the checkpoint; name a new folder to start empty",
                )
            found.append(known[there[0]] if there else start)
        return found

    def states_by_name(self, states: Sequence[Any], idle: Container[int]) -> dict[str, Any]:
        """The states to save, under all names of their steps: a later plan may know a step by only one of them."""
        kept = {number: state for number, state in enumerate(states) if state is not None and number not in idle}
        return {name: state for number, state in kept.items() for name in self.names[number]}

    def clocks(self, known: Mapping[str, Any]) -> tuple[list[int], list[int]]:
        """How far each step has decided, and the start of its newest row; empty lists if no step lags behind."""
        if not any(name.endswith(BEHIND) for name in known):
            return [], []
        firsts = [names[0] if names else "" for names in self.names]
        both = [known.get(f"{name}{BEHIND}", (self.decided_until, self.decided_until)) for name in firsts]
        return [clock for clock, _ in both], [newest for _, newest in both]

    def behind(self, local: LocalRun) -> dict[str, Any]:
        """The entries to save, in the form that `clocks` reads, for steps that lag behind `decide_until`."""
        if not local.clocks:
            return {}
        steps = zip(self.names, local.clocks, local.newest, strict=True)
        return {
            f"{name}{BEHIND}": (clock, newest)
            for names, clock, newest in steps
            if clock < self.decide_until
            for name in names
        }

    def portions(self, batches: Iterator[pa.RecordBatch], past: int) -> Iterator[tuple[pa.Table, int]]:
        """Split a shard's rows into portions, each with the instant up to which it lets the steps decide."""
        waiting: list[pa.RecordBatch] = []
        rows = 0
        for batch in batches:
            if rows >= (PORTION if self.follows_watermark else UNSORTED_PORTION):
                if self.follows_watermark:
                    # Rows are sorted: none that follows starts before the last one here.
                    last = waiting[-1][START][-1].as_py()
                    past = max(past, min(self.decide_until, last - 1))
                yield pa.Table.from_batches(waiting), past
                waiting, rows = [], 0
            waiting.append(drop_markers(batch))
            rows += batch.num_rows
        if waiting:
            yield pa.Table.from_batches(waiting), self.decide_until


@cache
def settle() -> None:
    """Exempt what is loaded now from the garbage collection after every task, which would cost 30 ms each time."""
    gc.freeze()


def shard_of(batches: Iterator[pa.RecordBatch], is_free: bool) -> tuple[int | None, Iterator[pa.RecordBatch]]:
    """Find the shard's number by its marker, and return it with all batches; the marker mostly comes first.

    In a free stage only shard 0 has a marker, in a partition without other rows. Other partitions belong to no shard:
    their number is None, and they have no state.
    """
    seen = []
    for batch in batches:
        seen.append(batch)
        first = pc.min(batch[START]).as_py()
        if first is not None and first < 0:
            return -1 - first, chain(seen, batches)
        if is_free:
            break
    if is_free:
        return None, chain(seen, batches)
    raise AssertionError("every shard has a row that tells its number")


def drop_markers(batch: pa.RecordBatch) -> pa.RecordBatch:
    """Remove the shard marker from a batch: the row that starts before instant 0."""
    real = batch[START].to_numpy() >= 0
    return batch if real.all() else batch.filter(pa.array(real))


def deletions_first(rows: Delta) -> Delta:
    """A row for each copy of a tuple; at each instant those of weight -1 come first."""
    if len(rows) and (rows.weight < 0).any():
        rows = rows.take(np.lexsort((rows.weight > 0, rows.start)))
    return rows.one_per_copy()
