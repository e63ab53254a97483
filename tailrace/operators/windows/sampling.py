"""Sampling: samples of a stream by a hash of each element, so that the same data give the same sample.

HashSample, `SAMPLE 10 PERCENT`, takes the elements whose hashes are in the lowest tenth of all possible ones. The hash
depends on the seed, the element and its instant alone, so nothing is remembered, and selections may come before or
after.

Reservoir, `[SAMPLE n ROWS]`, is a uniform sample of n tuples of all elements so far: those of the n lowest hashes. Here
the hash also depends on the element's number among equal elements of its instant. Only the n lowest have to be
remembered: an element that is not among them now never will be. With fewer than n elements, all are in the sample.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
import pyarrow as pa

from tailrace.columnar import segments
from tailrace.columnar.arrow_types import type_of
from tailrace.columnar.delta import Delta, Span, empty
from tailrace.columnar.keys import groups
from tailrace.columnar.sampling_hash import sample_hashes
from tailrace.logical.expressions import Column, SampleTest, inline
from tailrace.logical.sampling import SampleRate
from tailrace.logical.windows import Reservoir as Window
from tailrace.operators.aggregates.order_statistics import Events
from tailrace.operators.names import Names
from tailrace.operators.operator import KeyLink, Operator, TaskContext
from tailrace.operators.pushdown import Pushdown
from tailrace.operators.relational.top_k import among_first, shifts
from tailrace.state.runs import Run, merge_runs, sorted_run


@dataclass(frozen=True)
class HashSample(Operator):
    """`columns` are those from which an element's hash is computed."""

    kind: ClassVar[str] = "hash-sample"
    forgets: ClassVar[bool] = True
    label: ClassVar[str] = "sample"
    rate: SampleRate
    columns: tuple[int, ...]
    row_local: ClassVar[bool] = True

    @property
    def predicate(self) -> SampleTest:
        """The same test as an expression, for Catalyst."""
        return SampleTest(self.rate, tuple(Column(index, type_of(self.types[index])) for index in self.columns))

    def describe(self, inputs: Sequence[Names], output: Names) -> str:
        return str(self.rate)

    def push_down(self, below: Pushdown) -> Pushdown:
        return replace(below, predicates=(*below.predicates, inline(self.predicate, below.columns)))

    def apply(self, inputs: Sequence[Delta], state: Any, span: Span, context: TaskContext) -> tuple[Delta, Any]:
        (delta,) = inputs
        drawn = sample_hashes(self.rate.seed, delta.start, [delta.columns[index] for index in self.columns])
        return delta.where(drawn <= self.rate.most), state


@dataclass(frozen=True)
class Reservoir(Operator):
    """The state is one run, or none: the tuples of the sample, ordered by their hashes."""

    kind: ClassVar[str] = "reservoir"
    reacts_to_time: ClassVar[bool] = False
    label: ClassVar[str] = "window"
    window: Window

    def key_links(self, inputs: int) -> tuple[KeyLink, ...]:
        return ()

    def initial_state(self) -> tuple[Run, ...]:
        return ()

    def may_retract(self, inputs: Sequence[bool]) -> bool:
        return True

    def describe(self, inputs: Sequence[Names], output: Names) -> str:
        return str(self.window)

    def apply(
        self, inputs: Sequence[Delta], state: tuple[Run, ...], span: Span, context: TaskContext
    ) -> tuple[Delta, Any]:
        new = inputs[0].in_time_order().one_per_copy()
        drawn = sample_hashes(self.window.seed, new.start, [*new.columns, pa.array(twins(new))])
        if state and len(state[0]) == self.window.size:
            low = np.flatnonzero(drawn < state[0].order[-1])
            new, drawn = new.take(low), drawn[low]
        if not len(new):
            return empty(self.types), state
        # The sample from before the batch is row 0 of the timeline; each instant of the batch is a row after it.
        instants = pa.array(new.start)
        mine = sorted_run(drawn, (*new.columns, instants))
        old = [Run(run.order, (*run.columns, pa.nulls(len(run), pa.int64()))) for run in state]
        both = merge_runs([*old, mine])
        ticks = segments.distinct(np.sort(new.start))
        when = both.columns[-1]
        row = np.where(
            when.is_null().to_numpy(zero_copy_only=False),
            0,
            np.searchsorted(ticks, when.fill_null(0).to_numpy(zero_copy_only=False)) + 1,
        )
        events = Events(row, np.arange(len(both)), np.ones(len(both), np.int64))
        upper, nothing = (among_first(events, n, len(ticks) + 1) for n in (self.window.size, 0))
        whole = Run(both.order, both.columns[:-1])
        return shifts(upper, nothing, whole.columns, ticks), (whole.slice(0, self.window.size),)


def twins(elements: Delta) -> np.ndarray:
    """For each element how many equal elements of its instant come before it."""
    codes, _ = groups([pa.array(elements.start), *elements.columns], len(elements))
    order = np.argsort(codes, kind="stable")
    found = np.empty(len(elements), np.int64)
    found[order] = segments.count_equal_before(codes[order])
    return found
