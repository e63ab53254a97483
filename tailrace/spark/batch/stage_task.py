"""Stage task: what a Spark worker does for one shard of a stage: load the state, run the operators, save the state.

The task lives in an importable module, so that what it caches survives from task to task.
"""

from __future__ import annotations

import gc
import json
import re
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from functools import cache
from operator import itemgetter
from typing import Any, Protocol

import numpy as np
import pyarrow as pa

from tailrace.columnar.delta import Delta, concat
from tailrace.errors import StateError, TailraceError
from tailrace.exchange.failing_row import Values, row_failing_operator
from tailrace.exchange.payloads import RESULTS, SUMMARY, Arrival, Packer, Payload, Target
from tailrace.exchange.prepare_input import ExpressionError, OriginRows, part_of
from tailrace.operators.families.routing.statistics import StatsByFamily
from tailrace.operators.local_run import LocalRun, MetricsRecorder, size_of
from tailrace.operators.operator import Operator, TaskContext
from tailrace.operators.plan import PhysicalPlan
from tailrace.spark.batch.skew import ShardLoad, load
from tailrace.spark.batch.task_reports import TaskReport
from tailrace.spark.time.decision import DecisionRule, summary_of
from tailrace.spark.time.event_clock import EventClock
from tailrace.staging.stages import StageInput
from tailrace.staging.wire import START, UNTIL, WEIGHT
from tailrace.state.state_files import StateFolder, raise_state_errors
from tailrace.time_limit import TimeLimitError, each_within, time_limit
from tailrace.write.result_files import ResultFiles

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
    """What failed in a worker, its message, and a hint for the user.

    Either step `step` of a stage failed or, if there is a `part`, this expression (see `expression_of`) of what is
    prepared for a Target: `step` is then the port. `row` is a row with which it fails, if one is known.

    >>> StepFailure.find_in('… stage_task.StepError: {"stage": 0, "step": 2, "said": "no", "hint": null} …')
    StepFailure(stage=0, step=2, said='no', hint=None, part=None, row=None)
    """

    stage: int
    step: int
    said: str
    hint: str | None = None
    part: int | None = None
    row: Values | None = None

    @classmethod
    def of(
        cls, stage: int, step: int, problem: BaseException | None, part: int | None = None, row: Values | None = None
    ) -> StepFailure:
        if isinstance(problem, TailraceError):
            return cls(stage, step, problem.message, problem.hint, part, row)
        return cls(stage, step, f"{type(problem).__name__}: {problem}", None, part, row)

    @classmethod
    def find_in(cls, text: str) -> StepFailure | None:
        """Find the failure in the text of Spark's exception; None if no step raised it."""
        found = re.search(r"\bStepError: (\{.*\})", text)
        return cls(**json.loads(found[1])) if found else None

    def error(self) -> StepError:
        return StepError(json.dumps(asdict(self)))


class RowReader(Protocol):
    """Prepares the rows of an output for what reads it: a later stage or a sink."""

    @property
    def feed(self) -> StageInput: ...

    def order(self, rows: Delta) -> Delta: ...

    def prepare(self, rows: OriginRows, task: int) -> Iterator[tuple[int, pa.RecordBatch]]: ...


Reader = tuple[Target, RowReader]


def send_rows(
    readers: Sequence[Reader],
    rows: OriginRows,
    packer: Packer,
    files: ResultFiles,
    task: int,
    step_time: float | None = None,
) -> Iterator[Payload]:
    """Prepare rows for all that read them; if an expression fails, raise a StepError that names it to the driver.

    Rows for sinks that tasks write go to `files`, all others into messages. What takes longer than `step_time` seconds
    fails.
    """
    for target, reader in readers:
        try:
            for shard, batch in each_within(step_time, reader.prepare(rows, task)):
                left = files.take(target.port, batch) if target.stage == RESULTS else batch
                if left is not None:
                    yield from packer.add(target, shard, left)
        except ExpressionError as problem:
            part = part_of(reader.feed, problem.expression)
            raise StepFailure.of(*target, problem.__cause__, part, problem.row).error() from problem


@dataclass(frozen=True)
class StageTask:
    """What a worker does for each shard of a stage, with everything that it needs for that.

    * State: `names` are the names under which each step's state is saved; those in `new_states` start empty with this
      batch. `manifests_before` has each shard's manifest of the batch before. `attempt` begins the names of all files
      that this attempt at the batch writes. With `syncs`, a state that was saved outlives a power loss.
    * Time: `clock` says what instants stand for. Everything up to `decided_until` is decided. `rule` says how far this
      batch decides, given what source tasks measured; it is the instant itself if that is known before. With
      `follows_watermark`, rows decide instants in order of time, while later ones still wait.
    * Shards: steps in `single` run in shard 0 only. If the stage `is_free` or `is_single`, no other shard has state.
      `key_columns` has, for each stage input, the columns with its key, to find skew. Rows of the ports in `ordered`
      are taken in order of arrival.
    * Outputs: `output_steps` are the steps whose rows leave the stage; `readers` prepare the rows of each output for
      later stages and for sinks. With `is_followed`, there is a later stage.
    * Reports: `report` gets a TaskReport for the driver. It says what each step did if `measures_steps`, with the size
      of its state if `measures_state`, and what eddies recorded; `statistics` is what they know.
    * Failures: a step that takes longer than `step_time` seconds over a portion fails.
    """

    number: int
    plan: PhysicalPlan
    names: tuple[tuple[str, ...], ...]
    new_states: frozenset[str]
    output_steps: tuple[int, ...]
    readers: Mapping[int, Sequence[Reader]]
    single: frozenset[int]
    key_columns: tuple[tuple[int, ...], ...]
    folder: str
    shards: int
    manifests_before: Mapping[int, str]
    report: Callable[[TaskReport], None]
    batch: int
    attempt: str
    clock: EventClock
    decided_until: int
    rule: DecisionRule | int
    follows_watermark: bool
    ordered: frozenset[int] = frozenset()
    is_single: bool = False
    is_free: bool = False
    is_followed: bool = False
    time_by_input: bool = False  # operators learn of time only from their own rows (SW §2.3)
    statistics: StatsByFamily = field(default_factory=dict)
    measures_steps: bool = False
    measures_state: bool = False
    syncs: bool = False
    step_time: float | None = None

    def run(self, shard: int, payloads: Iterable[Payload], files: ResultFiles) -> Iterator[Payload]:
        """Process one shard: yield the messages for later stages and sinks, then save the state and report.

        Messages for others are passed on. Rows of results that go to files are added to `files`.
        """
        settle()
        told: list[Payload] = []
        messages: list[Payload] = []
        for payload in payloads:
            if payload.target.stage != self.number:
                yield payload
            else:
                (told if payload.target.port == SUMMARY else messages).append(payload)
        decide_until = self.rule if isinstance(self.rule, int) else self.rule.decide(told)
        if self.is_followed:
            yield Payload.summary(self.number + 1, shard, shard, summary_of(decide_until))
        if shard == 0 or not (self.is_free or self.is_single):
            yield from self.run_shard(shard, messages, decide_until, True, files)
        elif messages:
            yield from self.run_shard(shard, messages, decide_until, False, files)

    def run_shard(
        self, shard: int, messages: list[Payload], decide_until: int, keeps: bool, files: ResultFiles
    ) -> Iterator[Payload]:
        kept = StateFolder(shard_folder(self.folder, self.shards, shard), self.syncs) if keeps else None
        idle = frozenset() if shard == 0 else self.single
        known = self.load_states(kept, shard)
        state = self.plan.start() if kept is None else self.state(kept, known, idle)
        meter = MetricsRecorder() if self.measures_steps else None
        context = TaskContext(self.statistics, origin=self.clock.ticks_to_origin, in_ticks=self.clock.in_ticks)
        clocks, newest = self.clocks(known)
        local = LocalRun(self.plan, self.decided_until, state, idle, meter, self.time_by_input, clocks, newest, context)
        local.step_time = self.step_time
        weight, packer = ShardLoad(), Packer(shard)
        for feeds, to in self.portions(messages, decide_until):
            weight += load(feeds, self.key_columns)
            found = self.advance(local, feeds, to)
            yield from self.send(found, packer, files, shard)
            # Give the memory of this portion back: Arrow would keep it in its pool.
            del found, feeds
            pa.default_memory_pool().release_unused()
        yield from packer.rest()
        sizes = [size_of(each) for each in local.state] if meter and self.measures_state else None
        metrics = {} if meter is None else meter.steps if sizes is None else meter.read(sizes)
        left = {**self.states_by_name(local.state, idle), **self.behind(local, decide_until)}
        number, manifest = (None, None) if kept is None else (shard, self.save_states(kept, left))
        self.report(TaskReport(self.number, number, manifest, weight, metrics, context.recorded))

    def send(self, found: Sequence[Delta], packer: Packer, files: ResultFiles, shard: int) -> Iterator[Payload]:
        """Prepare the rows of all outputs for their readers."""
        for number, step in enumerate(self.output_steps):
            for reader in self.readers.get(number, ()) if len(found[step]) else ():
                rows = origin_rows(reader[1].order(found[step]))
                yield from send_rows([reader], rows, packer, files, shard, self.step_time)

    def advance(self, local: LocalRun, feeds: Mapping[int, Delta], to: int) -> list[Delta]:
        """Run all steps over a portion; if a step fails, raise a StepError that names it to the driver."""
        try:
            return local.advance({}, feeds, to)
        except Exception as problem:
            row = None
            with suppress(TimeLimitError), time_limit(self.step_time):
                row = None if isinstance(problem, TimeLimitError) else failing_row(local)
            raise StepFailure.of(self.number, local.at, problem, row=row).error() from problem

    def load_states(self, kept: StateFolder | None, shard: int | None) -> dict[str, Any]:
        """The states that the batch before left for a shard, by name; empty if there are none."""
        name = None if shard is None else self.manifests_before.get(shard)
        wanted = {entry for names in self.names for each in names for entry in (each, f"{each}{BEHIND}")}
        if kept is None or name is None:
            return {}
        with raise_state_errors(kept.store.address):
            return kept.load(name, wanted) or {}

    def save_states(self, kept: StateFolder, left: Mapping[str, Any]) -> str:
        """Save the states that this batch leaves in a shard; returns the name of their manifest."""
        with raise_state_errors(kept.store.address):
            return kept.save(self.batch, left, self.attempt)

    def state(self, kept: StateFolder, known: Mapping[str, Any], idle: Container[int]) -> list[Any]:
        """Each step's saved state, or an empty one if new or idle in this shard; a StateError if one is gone."""
        found = []
        for number, (step, names) in enumerate(zip(self.plan.steps, self.names, strict=True)):
            start = step.work.initial_state() if isinstance(step.work, Operator) else None
            there = [name for name in names if name in known]
            if start is not None and number not in idle and not there and not self.new_states.issuperset(names):
                raise StateError(
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

    def behind(self, local: LocalRun, decide_until: int) -> dict[str, Any]:
        """The entries to save, in the form that `clocks` reads, for steps that lag behind `decide_until`."""
        if not local.clocks:
            return {}
        steps = zip(self.names, local.clocks, local.newest, strict=True)
        return {
            f"{name}{BEHIND}": (clock, newest)
            for names, clock, newest in steps
            if clock < decide_until
            for name in names
        }

    def portions(self, messages: Sequence[Payload], decide_until: int) -> Iterator[tuple[dict[int, Delta], int]]:
        """The rows of each port in portions, each with the instant up to which it lets the steps decide.

        Messages are opened in order of their first instants. With `follows_watermark`, rows before the first instant of
        all messages that are not open yet are final; the others wait for the next portion.
        """
        waiting = sorted(messages, key=lambda each: (each.first, each.arrival), reverse=True)
        rows: dict[int, list[tuple[Arrival, Delta]]] = {}
        past, count, follows = self.decided_until, 0, self.follows_watermark
        if not self.ordered and sum(message.rows for message in messages) <= UNSORTED_PORTION:
            follows = False
        limit = PORTION if follows else UNSORTED_PORTION
        while waiting:
            message = waiting.pop()
            table = message.open()
            rows.setdefault(message.target.port, []).append((message.arrival, delta_of(table)))
            count += message.rows
            if not waiting or count < limit:
                continue
            if not follows and not self.ordered:
                yield self.join_parts(rows), past
                rows, count = {}, 0
            elif follows and (bound := min(waiting[-1].first - 1, decide_until)) > past:
                ready, rows = split_rows(rows, bound)
                count = sum(len(delta) for parts in rows.values() for _, delta in parts)
                yield self.join_parts(ready), (past := bound)
        yield self.join_parts(rows), decide_until

    def join_parts(self, rows: Mapping[int, Sequence[tuple[Arrival, Delta]]]) -> dict[int, Delta]:
        """The rows of each port as one Delta; in order of time and arrival if the port needs that."""
        found = {}
        for port, parts in rows.items():
            in_order = [delta for _, delta in (sorted(parts, key=itemgetter(0)) if port in self.ordered else parts)]
            delta = concat(in_order, in_order[0].types)
            found[port] = delta.in_time_order() if port in self.ordered else delta
        return found


def failing_row(local: LocalRun) -> Values | None:
    """A row with which the step that failed fails, if the step has one input and no state."""
    if local.state[local.at] is not None or len(local.given) != 1:
        return None
    operator = local.plan.operator(local.at)
    return row_failing_operator(local.given[0], lambda rows: operator.apply([rows], None, local.span, local.context))


def split_rows(
    rows: Mapping[int, Sequence[tuple[Arrival, Delta]]], bound: int
) -> tuple[dict[int, list[tuple[Arrival, Delta]]], dict[int, list[tuple[Arrival, Delta]]]]:
    """The rows that start at an instant up to `bound`, and the others."""
    early: dict[int, list[tuple[Arrival, Delta]]] = {}
    later: dict[int, list[tuple[Arrival, Delta]]] = {}
    for port, parts in rows.items():
        for arrival, delta in parts:
            is_early = delta.start <= bound
            if is_early.any():
                early.setdefault(port, []).append((arrival, delta.where(is_early)))
            if not is_early.all():
                later.setdefault(port, []).append((arrival, delta.where(~is_early)))
    return early, later


def delta_of(table: pa.Table) -> Delta:
    """The rows of a message; without ends and weights they are elements of a stream."""
    start = table[START].to_numpy()
    if UNTIL in table.column_names:
        columns = table.columns[3:]
        until, weight = table[UNTIL].to_numpy(), table[WEIGHT].to_numpy()
    else:
        columns, until, weight = table.columns[1:], start + 1, np.ones(len(start), np.int64)
    return Delta(start, until, weight, tuple(map(as_one_array, columns)))


def as_one_array(column: pa.ChunkedArray) -> pa.Array:
    return column.chunk(0) if column.num_chunks == 1 else pa.concat_arrays(column.chunks)


def origin_rows(rows: Delta) -> OriginRows:
    return OriginRows(pa.array(rows.start), rows.columns, pa.array(rows.until), pa.array(rows.weight))


@cache
def settle() -> None:
    """Exempt what is loaded now from the garbage collection after every task, which would cost 30 ms each time."""
    gc.freeze()
