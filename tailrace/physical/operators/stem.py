"""Stem: a stream's tuples by a key, remembered once for all joins of all queries that read them (CACQ §3.3.1).

A tuple is kept with its lineage: the members of families that want it, as grouped filters found when it came. One that
nobody wants is not kept. How long tuples stay, and which of their columns, is said by those who read them in the batch
at hand; of who reads other columns from then on, no tuple of before is wanted.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
import pyarrow as pa

from tailrace.physical.delta import Delta, Span, elements
from tailrace.physical.flows.eddy import Eddy
from tailrace.physical.flows.flow import StemFlow
from tailrace.physical.flows.lessons import known_of, learn
from tailrace.physical.flows.lineages import Lineages, routed
from tailrace.physical.flows.policies import POLICIES
from tailrace.physical.keys import hashes
from tailrace.physical.operator import Link, Operator
from tailrace.physical.synopses.clock import Clock
from tailrace.physical.synopses.memory import Memory, timed
from tailrace.physical.synopses.runs import Run, sorted_run

# The first columns of a run: instant (or, for windows of rows, number), lineage.
OWN = 2


@dataclass(frozen=True)
class Held(Delta):
    """The new tuples as a run, and what was remembered before them, for those who read the stem in the same stage."""

    new: Run
    old: tuple[Run, ...]
    clock: Clock | None = None  # of a stem whose readers have windows of rows


@dataclass(frozen=True)
class Stem(Operator):
    """`keys` are the columns to remember by, after the stream's `width` columns or some of them."""

    name: str
    width: int
    keys: tuple[int, ...]
    flow: StemFlow = field(compare=False, repr=False)
    learns: ClassVar[bool] = True
    undivided: ClassVar[bool] = True

    def links(self, inputs: int) -> tuple[Link, ...]:
        return tuple(Link((key,), (key,)) for key in self.keys)

    def start(self) -> Any:
        return Memory()

    def apply(self, inputs: Sequence[Delta], state: Any, span: Span) -> tuple[Delta, Any]:
        new = self.gathered(inputs[0], span)
        rows = elements(new.columns[0].to_numpy(), new.columns[OWN:])
        held = Held(rows.start, rows.until, rows.weight, rows.columns, new, state.runs)
        return held, state.add(new, span.to + 1 - self.flow.reach)

    def gathered(self, delta: Delta, span: Span) -> Run:
        """The tuples that somebody wants, with their lineage."""
        for key in self.keys:
            if delta.columns[key].null_count:
                delta = delta.where(delta.columns[key].is_valid().to_numpy(zero_copy_only=False))
        eddy = Eddy(self.flow.blocks, POLICIES[self.flow.policy](), known_of(self.name), seed=abs(span.to))
        lineages = routed(eddy, (*delta.columns[: self.width], pa.array(delta.start)), len(delta))
        learn(self.name, eddy.learned())
        wanted = np.flatnonzero(lineages.wanted)
        delta, lineages = delta.take(wanted), lineages.take(wanted)
        return self.run(delta, lineages)

    def run(self, delta: Delta, lineages: Lineages) -> Run:
        """Tuples as they are remembered."""
        return self.ordered(delta, (pa.array(delta.start), lineages.written(), *self.kept(delta)))

    def ordered(self, delta: Delta, columns: Sequence[pa.Array]) -> Run:
        """Columns, of tuples, by the hash of the key and then by the first of them."""
        return timed(sorted_run(hashes([delta.columns[key] for key in self.keys], len(delta)), columns))

    def kept(self, delta: Delta) -> Iterator[pa.Array]:
        """The columns that somebody needs."""
        unused = pa.nulls(len(delta))
        for place, column in enumerate(delta.columns):
            yield column if place in self.keys or place in self.flow.needs else unused
