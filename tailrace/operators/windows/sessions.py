"""Sessions: SESSION: the elements of each partition, session by session, once a session is finished.

A session is finished at the instant at which the gap after its last element is over: no element can extend it then.
Until then its elements wait here. A batch reads those of the sessions that it finishes and of no others.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

import numpy as np
import pyarrow as pa

from tailrace.columnar import segments
from tailrace.columnar.delta import Delta, Span, concat, empty
from tailrace.columnar.keys import groups
from tailrace.logical.time.window_tables import SessionWindow
from tailrace.operators.names import Names, list_columns
from tailrace.operators.operator import KeyLink, Operator, TaskContext
from tailrace.operators.windows.assign_windows import window_columns, window_names
from tailrace.state.group_ids import drop_groups, find_group_ids
from tailrace.state.key_index import KeyTable, pairs_in_ranges
from tailrace.state.resharding import Shard, ShardKey, find_in_table
from tailrace.state.runs import Run, append_run, find_groups, merge_runs, places, sorted_run, split_runs
from tailrace.state.state_classes import register_state
from tailrace.state.timers import TimerQueue


@register_state("sessions")
@dataclass(frozen=True)
class SessionState:
    """The last session of each partition, the elements of sessions that are open, and when these may be over.

    A row of `sessions` has the end of the session, the partition's values and the start. A row of `tuples` has its
    instant and weight before its columns. A timer is out of date if its session went on.
    """

    sessions: KeyTable = field(default_factory=KeyTable)
    tuples: tuple[Run, ...] = ()
    timers: TimerQueue = field(default_factory=TimerQueue)

    def split(self, key: ShardKey, shard: Shard) -> Self:
        sessions = self.sessions.split(key, shard) if key else self.sessions
        slots = sessions.group_ids
        tuples = split_runs(self.tuples, lambda run: find_groups(run.order, slots))
        return type(self)(sessions, tuples, self.timers.of_groups(slots))

    @classmethod
    def merge(cls, parts: Sequence[Self]) -> Self:
        sessions = KeyTable.merge([part.sessions for part in parts])
        tuples = tuple(run for part in parts for run in part.tuples)
        return cls(sessions, tuples, TimerQueue.merge([part.timers for part in parts]))


@dataclass(frozen=True)
class SessionArrivals:
    """The elements of a batch, partition by partition and in order of time, and the sessions that they make.

    A partition is `continued` if its first elements here belong to its open session of earlier batches.
    """

    tuples: Delta
    session: np.ndarray  # the session of each element
    group: np.ndarray  # the partition of each session
    start: np.ndarray
    end: np.ndarray
    slots: np.ndarray  # by partition, from here on: its group id
    keys: tuple[pa.Array, ...]
    known_start: np.ndarray  # the session that was open before
    known_end: np.ndarray  # −1 if none was
    continued: np.ndarray

    @property
    def last(self) -> np.ndarray:
        """The last session of each partition."""
        return segments.tails(segments.heads(self.group), len(self.group))


@dataclass(frozen=True)
class Sessions(Operator):
    """`tick` is the length of a tick in units of the window's columns. The input is in order of time."""

    kind: ClassVar[str] = "sessions"
    window: SessionWindow
    tick: int

    def key_links(self, inputs: int) -> tuple[KeyLink, ...]:
        return tuple(KeyLink((index,), (index,)) for index in self.window.partition)

    def initial_state(self) -> SessionState:
        return SessionState()

    def shard_columns(self, keys: Sequence[ShardKey]) -> tuple[ShardKey, ...]:
        return (find_in_table(keys[0], self.window.partition),)

    def column_origins(self, inputs: int) -> list[list[tuple[int, int]]]:
        return [*([(0, index)] for index in range(len(self.types) - 2)), [], []]

    def computed_names(self, inputs: Sequence[Names]) -> Mapping[int, str]:
        return window_names(self.types)

    def describe(self, inputs: Sequence[Names], output: Names) -> str:
        by_position = ", ".join(f"#{column}" for column in self.window.partition)
        return str(self.window).replace(by_position, list_columns(self.window.partition, inputs[0]), 1)

    def apply(
        self, inputs: Sequence[Delta], state: SessionState, span: Span, context: TaskContext
    ) -> tuple[Delta, Any]:
        due, timers = state.timers.pop_due(span.to)
        if not len(inputs[0]) and due is None:
            return empty(self.types), state
        new = self.arrivals(inputs[0], state.sessions, span.after)
        over = new.end <= span.to
        finished = [
            self.with_windows(new.tuples, new.start[new.session], new.end[new.session], over[new.session], context)
        ]
        slots, starts, ends = self.finish_known(new, state.sessions, due, span)
        for run in state.tuples:
            pairs = pairs_in_ranges(*places(run, slots))
            rows = run.take(pairs.row)
            instants = rows.columns[0].to_numpy()
            known = Delta(instants, instants, rows.columns[1].to_numpy(), rows.columns[2:])
            mine = instants >= starts[pairs.probe]  # others are of an earlier session, which is finished
            finished.append(self.with_windows(known, starts[pairs.probe], ends[pairs.probe], mine, context))
        return concat(finished, self.types), self.state_after(new, over, replace_timers(state, timers), span.to)

    def arrivals(self, delta: Delta, sessions: KeyTable, past: int) -> SessionArrivals:
        codes, first = groups([delta.columns[index] for index in self.window.partition], len(delta))
        keys = tuple(delta.columns[index].take(pa.array(first)) for index in self.window.partition)
        slots, place = find_group_ids(sessions, self.session_types[: 1 + len(keys)], keys, len(first))
        known = sessions.read(place, self.session_types)
        known_start, known_end = (known[at].fill_null(-1).to_numpy() for at in (-1, 0))
        known_end = np.where(known_end > past, known_end, -1)
        order = np.lexsort((delta.start, codes))
        rows, codes = delta.take(order), codes[order]
        heads = segments.heads(codes)
        since = np.diff(rows.start, prepend=0)
        begins = since > self.window.gap
        begins[heads] = True
        session = np.cumsum(begins) - 1
        at = np.flatnonzero(begins)
        start, end = rows.start[at], rows.start[segments.tails(at, len(rows))] + self.window.gap
        continued = rows.start[heads] <= known_end
        start[session[heads[continued]]] = known_start[continued]
        return SessionArrivals(rows, session, codes[at], start, end, slots, keys, known_start, known_end, continued)

    @property
    def session_types(self) -> tuple[pa.DataType, ...]:
        return pa.int64(), *(self.types[index] for index in self.window.partition), pa.int64()

    def finish_known(
        self, new: SessionArrivals, sessions: KeyTable, due: Run | None, span: Span
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The group ids, starts and ends of the sessions of earlier batches that are finished with this one."""
        first = segments.heads(new.group)
        # Of a partition with new elements, the known session ends where it did, or with the first of the new sessions.
        ends = np.where(new.continued, new.end[first], new.known_end)
        mine = (new.known_end >= 0) & (ends <= span.to)
        others = np.empty(0, np.uint64) if due is None else np.unique(due.columns[0].to_numpy().view(np.uint64))
        others = others[np.isin(others, new.slots, invert=True)]
        place = sessions.locate(others)
        others, place = others[place >= 0], place[place >= 0]
        read = sessions.read(place, self.session_types)
        known_start, known_end = read[-1].to_numpy(), read[0].to_numpy()
        quiet = (known_end > span.after) & (known_end <= span.to)
        return (
            np.concatenate([new.slots[mine], others[quiet]]),
            np.concatenate([new.known_start[mine], known_start[quiet]]),
            np.concatenate([ends[mine], known_end[quiet]]),
        )

    def with_windows(
        self, rows: Delta, starts: np.ndarray, ends: np.ndarray, mask: np.ndarray, context: TaskContext
    ) -> Delta:
        """The rows that the mask picks, with their windows, at the instants at which these are finished."""
        rows, starts, ends = rows.where(mask), starts[mask], ends[mask]
        columns = window_columns(starts + context.origin, ends + context.origin, self.types, self.tick, context)
        return Delta(ends, ends + 1, rows.weight, (*rows.columns, *columns))

    def state_after(self, new: SessionArrivals, over: np.ndarray, state: SessionState, past: int) -> SessionState:
        last = new.last
        columns = (pa.array(new.end[last]), *new.keys, pa.array(new.start[last]))
        sessions = state.sessions.put(new.slots, columns) if len(last) else state.sessions
        if len(sessions.runs) == 1 and sessions is not state.sessions:
            over_all = np.ones(len(sessions.runs[0]), bool)
            sessions = drop_groups(sessions, over_all, past)[0]
        is_last = np.zeros(len(new.group), bool)
        is_last[last] = True
        waits = is_last & ~over
        slots = new.slots[new.group]
        timers = state.timers
        if waits.any():
            timers = timers.add(new.end[waits], (pa.array(slots[waits].view(np.int64)),))

        def merge_open(runs: Sequence[Run]) -> Run:
            run = merge_runs(runs)
            place = sessions.locate(run.order)
            read = sessions.read(place, self.session_types)
            end, start = (read[at].fill_null(-1).to_numpy() for at in (0, -1))
            stays = (end > past) & (run.columns[0].to_numpy() >= start)
            return run if stays.all() else run.take(np.flatnonzero(stays))

        rows = new.tuples.where(waits[new.session])
        order = slots[new.session[waits[new.session]]]
        run = sorted_run(order, (pa.array(rows.start), pa.array(rows.weight), *rows.columns))
        return SessionState(sessions, append_run(state.tuples, run, merge_open), timers)


def replace_timers(state: SessionState, timers: TimerQueue) -> SessionState:
    return SessionState(state.sessions, state.tuples, timers)
