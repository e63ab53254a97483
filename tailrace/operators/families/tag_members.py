"""Tag members: the tuples of a stream, once for each member of a family that wants them, with the member's number.

The number is the first column. Where a family needs no columns, since it only counts, the tuples of one member and
instant are one row, whose weight is how many they are. FamilyMembers is the relation of the members' numbers: each is
in it from the member's start on.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import pyarrow as pa

from tailrace.columnar.delta import Delta, Span, concat, empty
from tailrace.operators.families.member_sets import MemberSet
from tailrace.operators.families.routing.eddy import Eddy, RoutedRows
from tailrace.operators.families.routing.lineage import Indexes, count_segments
from tailrace.operators.families.routing.member_block import MemberBlock
from tailrace.operators.families.routing.policies import POLICIES
from tailrace.operators.names import Names
from tailrace.operators.operator import KeyLink, Operator, TaskContext

if TYPE_CHECKING:
    from tailrace.columnar.delta import Instants


@dataclass(frozen=True)
class TagMembers(Operator):
    """`columns` are the columns of the stream that the family reads. The members may change with each batch."""

    kind: ClassVar[str] = "grouped-filter"
    family: str
    columns: tuple[int, ...]
    flow: MemberSet = field(compare=False, repr=False)
    row_local: ClassVar[bool] = True
    records_statistics: ClassVar[bool] = True

    def key_links(self, inputs: int) -> tuple[KeyLink, ...]:
        return tuple(KeyLink((column,), (place,)) for place, column in enumerate(self.columns, 1))

    @property
    def filter_family(self) -> str:
        return self.family

    def column_origins(self, inputs: int) -> list[list[tuple[int, int]]]:
        return [[], *([(0, column)] for column in self.columns)]

    def computed_names(self, inputs: Sequence[Names]) -> Mapping[int, str]:
        return {0: "member"}

    def describe(self, inputs: Sequence[Names], output: Names) -> str:
        return f"of {self.flow.describe(inputs[0])}"

    def apply(self, inputs: Sequence[Delta], state: Any, span: Span, context: TaskContext) -> tuple[Delta, Any]:
        (delta,) = inputs
        if not len(delta):
            return empty(self.types), state
        if not self.columns and (np.diff(delta.start) < 0).any():
            delta = delta.take(np.argsort(delta.start, kind="stable"))
        known = context.statistics_of(self.family)
        eddy = Eddy(self.flow.blocks, POLICIES[self.flow.policy](), known, seed=abs(span.to))
        # The instant is one more column, since members want only tuples that come after they started.
        parts = eddy.route((*delta.columns, pa.array(delta.start)), len(delta))
        if self.columns:
            found = concat([self.rows_by_member(delta, part) for part in parts], self.types)
        else:
            found = count_by_member(delta, parts)
        context.record(self.family, eddy.statistics())
        return found, state

    def rows_by_member(self, delta: Delta, part: RoutedRows) -> Delta:
        """A row for each tuple and each member that wants it."""
        rows, numbers = part.pairs()
        taken = delta.with_columns([delta.columns[column] for column in self.columns]).take(rows)
        return taken.with_columns([pa.array(numbers), *taken.columns])


def count_by_member(delta: Delta, parts: Iterable[RoutedRows]) -> Delta:
    """A row for each member and instant; its weight is how many tuples the member wants. `delta` is in time order."""
    found: dict[tuple[int, int], Indexes] = {}
    blocks: dict[int, MemberBlock] = {}
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


@dataclass(frozen=True)
class FamilyMembers(Operator):
    """The state is the members that have been emitted. The members may change with each batch."""

    kind: ClassVar[str] = "family-members"
    family: str
    flow: MemberSet = field(compare=False, repr=False)

    def initial_state(self) -> Any:
        return empty(self.types)

    def may_retract(self, inputs: Sequence[bool]) -> bool:
        return True

    def describe(self, inputs: Sequence[Names], output: Names) -> str:
        return f"of {len(self.flow.begins)} queries"

    def apply(self, inputs: Sequence[Delta], state: Any, span: Span, context: TaskContext) -> tuple[Delta, Any]:
        """A row for each new member, and a retraction for each member that has left.

        >>> present = FamilyMembers((pa.int64(),), "", MemberSet((), {3: 0, 7: 12}))
        >>> told = members_since(np.array([3, 5]), np.array([0, 0]), 1)
        >>> print(present.apply([], told, Span(9, 20), TaskContext.empty())[0])
        + 7 @12..
        - 5 @10..
        """
        told = state.columns[0].to_numpy()
        numbers = np.fromiter(self.flow.begins, np.int64, len(self.flow.begins))
        new, gone = np.setdiff1d(numbers, told), np.setdiff1d(told, numbers)
        if not len(new) and not len(gone):
            return empty(self.types), state
        begins = np.array([self.flow.begins[number] for number in new.tolist()], np.int64)
        begun = members_since(new, np.maximum(begins, span.after + 1), 1)
        ended = members_since(gone, np.full(len(gone), span.after + 1), -1)
        return concat([begun, ended], self.types), members_since(numbers, np.zeros(len(numbers), np.int64), 1)


def members_since(numbers: Instants, start: Instants, weight: int) -> Delta:
    """The relation of members with these numbers, each from its start on."""
    return Delta(start, start, np.full(len(start), weight), (pa.array(numbers, pa.int64()),)).forever()
