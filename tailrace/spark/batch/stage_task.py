"""Stage: what a worker does with its shard of a batch: read it, run the operators, keep the state, answer.

Lives in an importable module, so that what it caches survives from task to task.
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
from tailrace.operators.families.routing.statistics import Taught, drain_statistics, teach
from tailrace.operators.local_run import LocalRun, MetricsRecorder, size_of
from tailrace.operators.operator import Operator
from tailrace.operators.plan import PhysicalPlan
from tailrace.progress import OperatorMetrics
from tailrace.spark.batch.skew import ShardLoad, load
from tailrace.staging.wire import START, WireFormat
from tailrace.state.state_files import StateFolder

# A shard is worked through in portions of so many rows, so that memory follows the window and not the batch. Where a
# batch is not in order of time nothing is decided before its end, so that more rows are taken at a time.
PORTION, UNSORTED_PORTION = 50_000, 500_000
# Spark hands rows over in batches of so many; those with texts may be long.
NARROW_ROWS, WIDE_ROWS = 50_000, 10_000


BEHIND = "-clock"  # after the name of a step's state: how far it has decided


def stage_folder(folder: str, number: int) -> str:
    """Where the state of a stage is."""
    return f"{folder}/stage-{number}"


def shard_folder(folder: str, shards: int, number: int) -> str:
    """Where, of a stage that is spread over so many shards, the state of one is."""
    return f"{folder}/of-{shards}/shard-{number}"


class StepError(Exception):
    """A step failed in a worker; the text is what the driver needs to know of that."""


@dataclass(frozen=True)
class StepFailure:
    """Which step of which stage failed, what it said, and what a user may do.

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
        """What a worker raised, from Spark's text of it, which has it on a line."""
        found = re.search(r"\bStepError: (\{.*\})", text)
        return cls(**json.loads(found[1])) if found else None

    def error(self) -> StepError:
        return StepError(json.dumps(asdict(self)))


@dataclass(frozen=True)
class StageTask:
    """Everything a worker needs: the operators, the wires, where state is kept, which batch this is, how far to decide.

    `names` are those under which each step's state is kept, if it has one, `fresh` those that begin with this batch.
    `called` is its name in Spark's plans. `before` names what the batch before left of each shard, `keep` gets the name
    of what this one leaves, and what its rows weighed; `keyed` has the columns of each feed that hold its key.
    `by` begins the names of all that attempts at this batch write. `delivers` are the emissions that go to sinks;
    `in_time` says that a shard's rows come in order of time, `is_free` that rows stayed where they were. `taught` is
    what eddies know, `learned` gets what they learn, `measured` what each step did and, if it is to be `weighed`, how
    much it remembers.
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
    report_manifest: Callable[[int, str, ShardLoad], None]
    batch: int
    attempt: str
    decided_until: int
    decide_until: int
    follows_watermark: bool
    is_free: bool = False
    time_by_input: bool = False  # operators learn of time by their own rows only
    statistics: Taught = field(default_factory=dict)
    report_statistics: Callable[[Taught], None] | None = None
    report_metrics: Callable[[dict[int, OperatorMetrics]], None] | None = None
    measures_state: bool = False

    @property
    def __name__(self) -> str:
        """What Spark calls it in its plans."""
        return self.label

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """What Spark calls for each shard."""
        settle()
        teach(self.statistics)
        shard, batches = shard_of(batches, self.is_free)
        kept = None if shard is None else StateFolder(shard_folder(self.folder, self.shards, shard))
        idle = frozenset() if shard == 0 else self.single
        known = self.load_states(kept, shard)
        state = self.plan.start() if kept is None else self.state(kept, known, idle)
        meter = MetricsRecorder() if self.report_metrics else None
        local = LocalRun(self.plan, self.decided_until, state, idle, meter, self.time_by_input, *self.clocks(known))
        weight = ShardLoad()
        for table, to in self.portions(batches, self.decided_until):
            feeds = self.wire_in.unpack(table)
            weight += load(feeds, self.key_columns)
            found = self.advance(local, feeds, to)
            for number, step in enumerate(self.output_steps):
                out = (
                    one_by_one(found[step])
                    if self.wire_out.insert_only or number in self.delivered_outputs
                    else found[step]
                )
                if len(out):
                    yield self.wire_out.pack(number, out)
            # Arrow would keep for itself what a portion no longer needs.
            del found, feeds, table
            pa.default_memory_pool().release_unused()
        if self.report_statistics is not None:
            self.report_statistics(drain_statistics())
        if self.report_metrics and meter:
            self.report_metrics(
                meter.read([size_of(each) for each in local.state]) if self.measures_state else meter.steps
            )
        if kept is not None and shard is not None:
            left = {**self.states_by_name(local.state, idle), **self.behind(local)}
            self.report_manifest(shard, kept.save(self.batch, left, self.attempt), weight)

    def advance(self, local: LocalRun, feeds: Mapping[int, Delta], to: int) -> list[Delta]:
        """The rows of every step; one that fails is named to the driver."""
        try:
            return local.advance({}, feeds, to)
        except Exception as problem:
            raise StepFailure.of(self.number, local.at, problem).error() from problem

    def load_states(self, kept: StateFolder | None, shard: int | None) -> dict[str, Any]:
        """What the batch before left of a shard, by the names of states."""
        name = None if shard is None else self.manifests_before.get(shard)
        return {} if kept is None or name is None else kept.load(name) or {}

    def state(self, kept: StateFolder, known: Mapping[str, Any], idle: Container[int]) -> list[Any]:
        """What each step remembers of the batches before; those that are idle, nothing."""
        found = []
        for number, (step, names) in enumerate(zip(self.plan.steps, self.names, strict=True)):
            start = step.work.initial_state() if isinstance(step.work, Operator) else None
            there = [name for name in names if name in known]
            if start is not None and number not in idle and not there and not self.new_states.issuperset(names):
                raise RunError(
                    f"{kept.store.address} does not hold what batch {self.batch - 1} left",
                    hint="something was removed from the checkpoint; name a new folder to begin anew",
                )
            found.append(known[there[0]] if there else start)
        return found

    def states_by_name(self, states: Sequence[Any], idle: Container[int]) -> dict[str, Any]:
        """The states by all their names: a later plan may know a step by only one of them."""
        kept = {number: state for number, state in enumerate(states) if state is not None and number not in idle}
        return {name: state for number, state in kept.items() for name in self.names[number]}

    def clocks(self, known: Mapping[str, Any]) -> tuple[list[int], list[int]]:
        """How far each step has decided, and its newest row, where some are behind."""
        if not any(name.endswith(BEHIND) for name in known):
            return [], []
        firsts = [names[0] if names else "" for names in self.names]
        both = [known.get(f"{name}{BEHIND}", (self.decided_until, self.decided_until)) for name in firsts]
        return [clock for clock, _ in both], [newest for _, newest in both]

    def behind(self, local: LocalRun) -> dict[str, Any]:
        """The clocks of the steps that are behind."""
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
        """A shard's rows in portions, and how far each of them lets decide."""
        waiting: list[pa.RecordBatch] = []
        rows = 0
        for batch in batches:
            if rows >= (PORTION if self.follows_watermark else UNSORTED_PORTION):
                if self.follows_watermark:
                    # Rows still to come begin no earlier than those at hand.
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
    """Once in each worker: Spark has it look for garbage after every task, and 30 ms go by in modules that stay."""
    gc.freeze()


def shard_of(batches: Iterator[pa.RecordBatch], is_free: bool) -> tuple[int | None, Iterator[pa.RecordBatch]]:
    """The number of the shard, from the row that tells it, and all the batches; that row mostly comes first.

    Rows that stayed where they were have none and are of no shard; there, the row that tells one is alone.
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
    """The rows of a batch without the one that only tells the shard: it stands before all time."""
    real = batch[START].to_numpy() >= 0
    return batch if real.all() else batch.filter(pa.array(real))


def one_by_one(rows: Delta) -> Delta:
    """Each copy of a tuple as a row of its own; at an instant, deletions first."""
    if len(rows) and (rows.weight < 0).any():
        rows = rows.take(np.lexsort((rows.weight > 0, rows.start)))
    size = np.abs(rows.weight)
    if (size == 1).all():
        return rows
    copies = rows.take(np.repeat(np.arange(len(rows)), size))
    return Delta(copies.start, copies.until, np.sign(copies.weight), copies.columns)
