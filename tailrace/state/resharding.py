"""Resharding: splits and merges the state of operators when the number of shards changes.

Each new shard takes its part of the state of every old shard: the rows whose key Spark's shuffle would send there. Rows
that do not hold the key have a group id, and the row of that group holds the key. Two shards never have state for the
same key, so the parts are merged by merging their runs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any

import numpy as np
import pyarrow as pa

from tailrace.columnar.delta import Delta, concat
from tailrace.columnar.spark_hash import shards_of
from tailrace.errors import RunError
from tailrace.operators.aggregates.group_state import GroupState
from tailrace.operators.aggregates.value_counts import Bag, ValueCounts, consolidate
from tailrace.operators.families.stem import OWN, RowStem, RowStemState, Stem
from tailrace.operators.operator import Operator
from tailrace.operators.relational.aggregate import Aggregate, AggregateState
from tailrace.operators.relational.binary_join import BinaryJoin
from tailrace.operators.relational.counts import CountOperator
from tailrace.operators.relational.multi_join import MultiJoin
from tailrace.operators.sequence.evaluate import EmitAtSteps
from tailrace.operators.sequence.frequency import FrequencySample
from tailrace.operators.sequence.jump_window import JumpWindow, JumpWindowState
from tailrace.operators.streams.changelog import Changelog
from tailrace.operators.streams.reorder import Reorder, ReorderBuffer
from tailrace.operators.streams.rstream import RStream
from tailrace.operators.streams.tables import Upsert
from tailrace.operators.windows.expire import Expire
from tailrace.operators.windows.row_window import RowWindow, RowWindowState
from tailrace.staging.sharding import Key
from tailrace.staging.stages import Stage
from tailrace.state.key_index import IntervalIndex, KeyTable, keep_newest
from tailrace.state.runs import Run, merge_runs
from tailrace.state.timers import TimerQueue
from tailrace.state.tuple_index import TupleIndex, alike, order_by_time, trim_dictionaries

TIMES = 3  # the first columns of a row in an IntervalIndex: until, start, weight
Part = Callable[[Run], Run]


@dataclass(frozen=True)
class Shard:
    """Shard `number` of `shards`: its methods take the part of a state that belongs to it."""

    number: int
    shards: int

    def split_state(self, work: Operator, state: Any, keys: Sequence[Key]) -> Any:
        """The part of an operator's state; `keys` are, for each input, the columns by which the input is sharded."""
        match work:
            case Aggregate():
                return self.split_aggregate(state, [1 + work.keys.index(column) for column in keys[0] or ()])
            case CountOperator():
                return self.ledger(state, after(keys[0], 1))[0]
            case BinaryJoin():
                width = TIMES + len(work.keys)
                return tuple(self.runs(each, after(key, width)) for each, key in zip(state, keys, strict=True))
            case MultiJoin():
                return tuple(self.runs(each, after(key, TIMES)) for each, key in zip(state, keys, strict=True))
            case Changelog() | Expire():
                return self.runs(state, after(keys[0], 1))
            case Reorder():
                late = 0 if self.number else state.late
                return ReorderBuffer(self.runs(state.early, after(keys[0], 1)), late)
            case RStream():
                return self.delta(state, keys[0])
            case EmitAtSteps():
                return tuple(self.delta(each, key) for each, key in zip(state, keys, strict=True))
            case RowStem():
                return RowStemState(self.runs(state.memory, after(keys[0], OWN)), state.total)
            case Stem():
                return self.runs(state, after(keys[0], OWN))
        return self.by_slots(work, state, keys[0] or ())

    def by_slots(self, work: Operator, state: Any, key: Sequence[int]) -> Any:
        """`split_state` for operators that keep a row for each key in a KeyTable."""
        match work:
            case RowWindow():
                counts, slots = self.table(state.counts, [1 + work.window.partition.index(column) for column in key])
                return RowWindowState(counts, split_runs(state.tuples, of_slots(slots)))
            case JumpWindow():
                table, slots = self.table(state.substreams, [1 + work.key.index(column) for column in key])
                return JumpWindowState(table, split_runs(state.tuples, of_slots(slots)))
            case FrequencySample():
                if isinstance(state, TimerQueue):
                    return self.runs(state, key)
                return self.table(state, [1 + work.key.index(column) for column in key])[0]
            case Upsert():
                return self.table(state, [1 + work.key_first.index(column) for column in key])[0]
        raise AssertionError(f"nobody knows how to split the state of a {type(work).__name__}")

    def mine(self, columns: Sequence[pa.Array], length: int, key: Sequence[int] | None) -> np.ndarray:
        """The rows that belong to this shard. Without a key, rows may be in any shard and are spread evenly."""
        if key is None:
            return np.arange(self.number, length, self.shards)
        return np.flatnonzero(shards_of([columns[place] for place in key], length, self.shards) == self.number)

    def runs(self, state: Any, key: Sequence[int] | None) -> Any:
        """The part of a TimerQueue, an IntervalIndex or a TupleIndex, whose rows hold the key."""
        return replace(
            state, runs=split_runs(state.runs, lambda run: part_of(run, self.mine(run.columns, len(run), key)))
        )

    def delta(self, state: Delta, key: Sequence[int] | None) -> Delta:
        return state.take(self.mine(state.columns, len(state), key))

    def table(self, state: KeyTable, key: Sequence[int]) -> tuple[KeyTable, np.ndarray]:
        """The part of a KeyTable, and the group ids in it."""
        if not state.runs:
            return state, np.empty(0, np.uint64)
        run = keep_newest(state.runs)
        chosen = self.mine(run.columns, len(run), key)
        part = run.take(chosen)
        # A lookup walks from a key's hash through neighbouring group ids, so these must stay in one shard.
        near = np.flatnonzero(np.diff(run.order) == 1)
        here = np.isin(np.arange(len(run)), chosen)
        if (here[near] != here[near + 1]).any():
            raise RunError("two keys of a state have one hash, and belong to different shards", hint=AS_BEFORE)
        return KeyTable((part,) if len(part) else ()), part.order

    def ledger(self, state: GroupState, key: Sequence[int] | None) -> tuple[GroupState, np.ndarray]:
        """The part of a GroupState, and the group ids in it."""
        table, slots = self.table(state.table, key or ())
        return GroupState(table, split_timers(state.calendar, slots)), slots

    def split_aggregate(self, state: AggregateState, key: Sequence[int]) -> AggregateState:
        ledger, slots = self.ledger(state.ledger, key)
        distinct = tuple(distinct_of(each, slots) for each in state.distinct)
        values = tuple(
            ValueCounts(Bag(split_runs(each.bag.runs, of_slots(slots))), split_timers(each.calendar, slots))
            for each in state.values
        )
        return AggregateState(ledger, distinct, values)


AS_BEFORE = "run with as many shards as before, or name a new folder to start empty"


def reshard_state(stage: Stage, step: int, states: Sequence[Any], share: Shard) -> Any:
    """The state of a stage's step in one new shard, given its states in all old shards."""
    work = stage.plan.steps[step].work
    assert isinstance(work, Operator)
    if step in stage.single:
        return work.initial_state() if share.number else states[0]
    return merge_states([share.split_state(work, state, stage.keys[step]) for state in states])


def after(key: Key, width: int) -> Sequence[int] | None:
    """A key's columns in rows that have `width` other columns before them."""
    return None if key is None else [width + column for column in key]


def part_of(run: Run, rows: np.ndarray) -> Run:
    return replace(run.take(rows), facts=run.facts)


def split_runs(runs: Sequence[Run], part: Part) -> tuple[Run, ...]:
    """Take the part of each run; parts without rows are dropped."""
    return tuple(found for run in runs if len(found := part(run)))


def of_slots(slots: np.ndarray) -> Part:
    """A function that takes the rows of these group ids from a run that is ordered by group id."""
    return lambda run: part_of(run, np.flatnonzero(np.isin(run.order, slots)))


def split_timers(calendar: TimerQueue, slots: np.ndarray) -> TimerQueue:
    """The timers of these group ids; a timer's first column is its group id."""

    def part(run: Run) -> Run:
        return part_of(run, np.flatnonzero(np.isin(run.columns[0].to_numpy().view(np.uint64), slots)))

    return replace(calendar, runs=split_runs(calendar.runs, part))


def distinct_of(ledger: GroupState, slots: np.ndarray) -> GroupState:
    """The part of a DISTINCT's state for these group ids: its keys begin with one, and have group ids of their own."""
    if not ledger.table.runs:
        return ledger
    run = keep_newest(ledger.table.runs)
    part = run.take(np.flatnonzero(np.isin(run.columns[1].to_numpy().view(np.uint64), slots)))
    return GroupState(KeyTable((part,) if len(part) else ()), split_timers(ledger.calendar, part.order))


def merge_states(states: Sequence[Any]) -> Any:
    """Merge parts of an operator's state into one state."""
    first = states[0]
    match first:
        case TimerQueue():
            whole = [run for each in states for run in each.runs]
            past = max(each.past for each in states)
            return TimerQueue((), past).add_runs(whole)
        case IntervalIndex():
            past = max(each.past for each in states)
            return IntervalIndex(at_once(states, IntervalIndex((), past)._merge), past)
        case TupleIndex():
            return TupleIndex(at_once(states, lambda runs: order_by_time(trim_dictionaries(merge_runs(alike(runs))))))
        case RowStemState():
            # Every shard counts the whole stream.
            return RowStemState(merge_states([each.memory for each in states]), first.total)
        case KeyTable():
            return KeyTable(at_once(states, of_different))
        case Bag():
            return Bag(at_once(states, lambda runs: consolidate(merge_runs(runs))))
        case Delta():
            return concat(list(states), first.types)
        case int():
            return sum(states)
        case tuple():
            runs = [each for state in states for each in state if isinstance(each, Run)]
            # Runs of numbered tuples are not merged: within a run the numbers of a group have no gaps.
            return tuple(runs) if runs else tuple(map(merge_states, zip(*states, strict=True)))
    assert is_dataclass(first)
    assert not isinstance(first, type)
    parts: dict[str, Any] = {
        field.name: merge_states([getattr(each, field.name) for each in states]) for field in fields(first)
    }
    return replace(first, **parts)


def at_once(states: Sequence[Any], merge: Callable[[Sequence[Run]], Run]) -> tuple[Run, ...]:
    """Merge the runs of all states into one run."""
    runs = [run for each in states for run in each.runs if len(run)]
    merged = merge(runs) if runs else None
    return (merged,) if merged is not None and len(merged) else ()


def of_different(runs: Sequence[Run]) -> Run:
    """Merge the runs of tables, which must have no group id in common."""
    run = keep_newest(runs)
    if len(run) < sum(map(len, runs)):
        raise RunError("two keys of different shards have one hash", hint=AS_BEFORE)
    return run
