"""Staged: a plan cut into stages, run in this process over several shards, with Spark's part in plain Python."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tailrace.columnar.delta import Delta, concat, elements
from tailrace.columnar.evaluate import evaluate
from tailrace.columnar.sampling_hash import sample_hashes
from tailrace.columnar.spark_hash import shards_of
from tailrace.logical.expressions import Expression, SampleTest, all_of
from tailrace.operators.local_run import LocalRun
from tailrace.operators.relational.pre_aggregation import PartialSum, PreAggregation
from tailrace.operators.sequence.frequency import PushedPrefilter
from tailrace.operators.windows.time_window import TimeWindowOp
from tailrace.staging.stages import Stage, StagedPlan, StageInput, StageOutput
from tailrace.state.resharding import Shard

Inputs = Mapping[str, Delta]


class StagedRun:
    """A staged plan over `shards` shards."""

    def __init__(self, plan: StagedPlan, shards: int) -> None:
        self.plan = plan
        self.shards = shards
        self.runs = [
            [LocalRun(stage.plan, idle=() if shard == 0 else stage.single) for shard in range(shards)]
            for stage in plan.stages
        ]

    def reshard(self, shards: int) -> None:
        """Go on with another number of shards."""
        self.shards = shards
        self.runs = [
            [self.part(stage, runs, Shard(number, shards)) for number in range(shards)]
            for stage, runs in zip(self.plan.stages, self.runs, strict=True)
        ]

    @staticmethod
    def part(stage: Stage, runs: Sequence[LocalRun], share: Shard) -> LocalRun:
        states = [
            None if runs[0].state[step] is None else stage.reshard_state(step, [run.state[step] for run in runs], share)
            for step in range(len(stage.plan.steps))
        ]
        return LocalRun(stage.plan, runs[0].past, states, () if share.number == 0 else stage.single)

    def batch(self, inputs: Inputs, to: int) -> dict[str, Delta]:
        emitted: dict[StageOutput, list[Delta]] = defaultdict(list)
        for number, stage in enumerate(self.plan.stages):
            fed = [self.shares(feed, self.rows(feed, inputs, emitted)) for feed in stage.inputs]
            for shard, run in enumerate(self.runs[number]):
                ports = through_wire(stage, {port: shares[shard] for port, shares in enumerate(fed)})
                found = run.advance({}, ports, to)
                for place, step in enumerate(stage.output_steps):
                    emitted[StageOutput(number, place)].append(found[step])
        return {name: self.rows(feed, inputs, emitted) for name, feed in self.plan.outputs.items()}

    def rows(self, feed: StageInput, inputs: Inputs, emitted: Mapping[StageOutput, list[Delta]]) -> Delta:
        """A stage input's rows as Catalyst would give them."""
        if isinstance(feed.origin, StageOutput):
            types = self.plan.stages[feed.origin.stage].output_steps
            plan = self.plan.stages[feed.origin.stage].plan
            rows = concat(emitted[feed.origin], plan.types(types[feed.origin.number]))
        elif feed.origin.name in inputs:
            rows = inputs[feed.origin.name]
        else:
            return concat([], feed.types)
        rows = rows.where(rows.start >= feed.since)
        drawn = [each for each in feed.predicates if isinstance(each, SampleTest)]
        for each in drawn:
            columns = [evaluate(column, rows.columns, len(rows)) for column in each.columns]
            rows = rows.where(sample_hashes(each.rate.seed, rows.start, columns) <= each.rate.most)
        others = [each for each in feed.predicates if each not in drawn]
        if others:
            truth = evaluate(all_of(others), rows.columns, len(rows))
            rows = rows.where(pc.fill_null(truth, False).to_numpy(zero_copy_only=False))
        if feed.preaggregation:
            return summed(feed.preaggregation, rows, feed.key or ())
        if feed.prefilter:
            rows = concat([thinned(feed.prefilter, part) for part in parts(rows, self.shards)], rows.types)
        values = [evaluate(column, rows.columns, len(rows)) for column in (*feed.columns, *(feed.key or ()))]
        return rows.with_columns(values)

    def shares(self, feed: StageInput, rows: Delta) -> list[Delta]:
        """The rows of each shard, without the columns of the sharding key at their end."""
        width = len(feed.types)
        if not len(rows):
            return [rows] * self.shards
        kept = rows.with_columns(rows.columns[:width])
        if feed.is_broadcast:
            return [kept] * self.shards
        if feed.key is None:
            shard = np.arange(len(rows)) % self.shards
        elif feed.key == ():
            shard = np.zeros(len(rows), np.int64)
        else:
            shard = shards_of(rows.columns[width:], len(rows), self.shards)
        return [kept.where(shard == number) for number in range(self.shards)]


def parts(rows: Delta, tasks: int) -> list[Delta]:
    """The rows as `tasks` tasks would have them, each a part in order."""
    return [rows.take(part) for part in np.array_split(np.arange(len(rows)), tasks)]


def thinned(what: PushedPrefilter, rows: Delta) -> Delta:
    """The rows of one task that its prefilter keeps."""
    keys = [evaluate(key, rows.columns, len(rows)) for key in what.key]
    return rows.where(what.by.is_needed(rows.start, keys))


def through_wire(stage: Stage, ports: dict[int, Delta]) -> dict[int, Delta]:
    wire = stage.wire_in
    batches = [wire.pack(port, rows) for port, rows in ports.items() if len(rows)]
    return wire.unpack(pa.Table.from_batches(batches, schema=wire.schema))


def summed(part: PreAggregation, rows: Delta, key: tuple[Expression, ...]) -> Delta:
    """A pre-aggregation, tuple by tuple; the sharding key comes after its columns."""
    columns = [evaluate(each, rows.columns, len(rows)).to_pylist() for each in (*part.keys, *key)]
    arguments = [taken(each, rows) for each in part.sums]
    lives: Iterable[Any] = rows.start.tolist()
    if part.window:
        lives = zip(*(each.tolist() for each in TimeWindowOp((), part.window).lifetimes(rows.start)), strict=True)
    found: dict[Any, list[int]] = defaultdict(list)
    for row, life in enumerate(lives):
        found[life, repr([column[row] for column in columns])].append(row)
    groups = list(found.values())
    sums = [
        pa.array([total(each.function, [values[row] for row in group]) for group in groups], each.type)
        for each, values in zip(part.sums, arguments, strict=True)
    ]
    firsts = pa.array([group[0] for group in groups], pa.int64())
    keys = [evaluate(each, rows.columns, len(rows)).take(firsts) for each in (*part.keys, *key)]
    width = len(part.keys)
    instants = np.array([min(rows.start[row] for row in group) for group in groups], np.int64)
    return elements(instants, (*keys[:width], *sums, *keys[width:]))


def taken(each: PartialSum, rows: Delta) -> list[Any]:
    length = len(rows)
    values = [True] * length if each.argument is None else evaluate(each.argument, rows.columns, length).to_pylist()
    if each.condition is None:
        return values
    truth = evaluate(each.condition, rows.columns, length).to_pylist()
    return [value if true else None for value, true in zip(values, truth, strict=True)]


def total(function: str, values: list[Any]) -> Any:
    known = [value for value in values if value is not None]
    match function:
        case "count":
            return len(known)
        case "count_if":
            return sum(known)
        case "sum":
            return wrapped(sum(known)) if known else None
    return None if not known else min(known) if function == "min" else max(known)


def wrapped(number: Any) -> Any:
    """Whole numbers wrap around in 64 bits."""
    return (number + 2**63) % 2**64 - 2**63 if isinstance(number, int) else number


def run_staged(plan: StagedPlan, batches: Iterable[tuple[Inputs, int]], *shards: int) -> dict[str, Delta]:
    """All answers to a sequence of batches. With several numbers of shards, each batch runs with the next one."""
    run = StagedRun(plan, shards[0])
    answers: dict[str, list[Delta]] = defaultdict(list)
    for number, (inputs, to) in enumerate(batches):
        if number and len(shards) > 1:
            run.reshard(shards[number % len(shards)])
        for name, delta in run.batch(inputs, to).items():
            answers[name].append(delta)
    return {
        name: concat(parts, feed.types)
        for (name, parts), feed in zip(answers.items(), plan.outputs.values(), strict=True)
    }
