"""Tag: the tuples of a stream, each once for each member of a flow that wants it, after the member's number.

Where no columns are asked for, tuples of one member and instant are one row, whose weight is how many they are.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
import pyarrow as pa

from tailrace.physical.delta import Delta, Span, concat, empty
from tailrace.physical.flows.block import Block
from tailrace.physical.flows.eddy import Eddy, Part
from tailrace.physical.flows.flow import Flow
from tailrace.physical.flows.lessons import known_of, learn
from tailrace.physical.flows.lineage import Indexes, count_segments
from tailrace.physical.flows.policies import POLICIES
from tailrace.physical.operator import Link, Operator


@dataclass(frozen=True)
class Tag(Operator):
    """`columns` are those of the stream that are asked for. Who the members are may change with each batch."""

    family: str
    columns: tuple[int, ...]
    flow: Flow = field(compare=False, repr=False)
    scattered: ClassVar[bool] = True
    learns: ClassVar[bool] = True
    called: ClassVar[str] = "grouped-filter"

    def links(self, inputs: int) -> tuple[Link, ...]:
        return tuple(Link((column,), (place,)) for place, column in enumerate(self.columns, 1))

    def apply(self, inputs: Sequence[Delta], state: Any, span: Span) -> tuple[Delta, Any]:
        (delta,) = inputs
        if not len(delta):
            return empty(self.types), state
        if not self.columns and (np.diff(delta.start) < 0).any():
            delta = delta.take(np.argsort(delta.start, kind="stable"))
        eddy = Eddy(self.flow.blocks, POLICIES[self.flow.policy](), known_of(self.family), seed=abs(span.to))
        # The instant goes with the columns: members that began later want what comes later.
        parts = eddy.route((*delta.columns, pa.array(delta.start)), len(delta))
        if self.columns:
            found = concat([self.paired(delta, part) for part in parts], self.types)
        else:
            found = counted(delta, parts)
        learn(self.family, eddy.learned())
        return found, state

    def paired(self, delta: Delta, part: Part) -> Delta:
        """A row for each member that wants a tuple."""
        rows, numbers = part.pairs()
        taken = delta.with_columns([delta.columns[column] for column in self.columns]).take(rows)
        return taken.with_columns([pa.array(numbers), *taken.columns])


def counted(delta: Delta, parts: Iterable[Part]) -> Delta:
    """A row for each member and instant, whose weight is how many tuples the member wants; they come in order."""
    found: dict[tuple[int, int], Indexes] = {}
    blocks: dict[int, Block] = {}
    for part in parts:
        instants = delta.start[part.rows]
        begins = np.flatnonzero(np.append(True, np.diff(instants) != 0))
        blocks[part.block.place] = part.block
        for instant, counts in zip(instants[begins].tolist(), count_segments(part.lineage, begins), strict=True):
            key = instant, part.block.place
            found[key] = found[key] + counts if key in found else counts.astype(np.int64)
    starts, numbers, weights = [], [], []
    for (instant, place), counts in found.items():
        wanted = np.flatnonzero(counts)
        starts.append(np.full(len(wanted), instant))
        numbers.append(blocks[place].numbers[wanted])
        weights.append(counts[wanted])
    nothing = np.zeros(0, np.int64)
    start, number, weight = (np.concatenate([nothing, *each]) for each in (starts, numbers, weights))
    return Delta(start, start + 1, weight, (pa.array(number),))
