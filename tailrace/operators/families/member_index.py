"""Member index: the predicates of a family's members, in blocks; to add or remove a member changes its block only.

A member is a query of the family, known by its number.

>>> from tailrace.logical.expressions import Call, Column, Literal
>>> from tailrace.types import BOOLEAN, INT
>>> members = MemberIndex()
>>> for number in range(3):
...     members.add(number, Call(">", (Column(0, INT, "a"), Literal(number, INT)), BOOLEAN))
>>> members.remove(1)
>>> [block.numbers[:3].tolist() for block in members.blocks], sorted(members)
([[0, -1, 2]], [0, 2])
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tailrace.columnar.evaluate import can_evaluate
from tailrace.logical.expressions import Column, Expression, all_of, uses_python
from tailrace.logical.text.expression_text import text_of
from tailrace.operators.families.routing.grouped_filter import CutIndex, clip_to_64_bits, cut_array
from tailrace.operators.families.routing.lineage import WORD
from tailrace.operators.families.routing.member_block import BITS, MemberBlock, Residual
from tailrace.operators.families.routing.ordinals import is_long
from tailrace.operators.families.routing.predicates import Branch, branches
from tailrace.operators.families.routing.regions import Key, Region

ALL = (1 << BITS) - 1


class MemberIndex:
    """The members of one family and their predicates."""

    def __init__(self) -> None:
        self._drafts: list[_BlockBuilder] = []
        self._seats: dict[int, _MemberSlot] = {}
        self._free = 0  # no block before this one has a free bit

    def __len__(self) -> int:
        return len(self._seats)

    def __iter__(self) -> Iterator[int]:
        return iter(self._seats)

    def __contains__(self, number: int) -> bool:
        return number in self._seats

    def add(self, number: int, predicate: Expression) -> None:
        """Add the member of this number; ValueError if a part of its predicate can be evaluated by Spark only."""
        if number in self._seats:
            raise ValueError(f"there is a member {number} already")
        found = branches(predicate)
        for part in (part for branch in found for part in branch.residual):
            if not can_evaluate(part):
                raise ValueError(f"{text_of(part)} is left to Spark")
        self._seats[number] = self._assign_slot(number, found) if found else _MemberSlot(None, 0, ())

    def remove(self, number: int) -> None:
        seat = self._seats.pop(number)
        if seat.draft is not None:
            seat.draft.remove(seat)
            self._free = min(self._free, seat.draft.place)

    def _assign_slot(self, number: int, found: Sequence[Branch]) -> _MemberSlot:
        while self._free < len(self._drafts) and not self._drafts[self._free].free:
            self._free += 1
        for draft in self._drafts[self._free :]:
            home = draft.room(len(found))
            if home is not None:
                return draft.add(number, home, found)
        self._drafts.append(_BlockBuilder(len(self._drafts)))
        return self._drafts[-1].add(number, 0, found)

    @property
    def blocks(self) -> tuple[MemberBlock, ...]:
        """The blocks as they are now; a block that did not change is the same value as before."""
        return tuple(draft.block for draft in self._drafts if draft.free != ALL)


@dataclass(frozen=True)
class _MemberSlot:
    """Where a member's branches are in a block: the first at bit `home`, each further one a word later.

    A member whose predicate is never true has no branch and is in no block: `draft` is None.
    """

    draft: _BlockBuilder | None
    home: int
    branches: tuple[Branch, ...]


class _BlockBuilder:
    """A block that can change; `block` is what it holds now, as an immutable value."""

    def __init__(self, place: int) -> None:
        self.place = place
        self.free = ALL
        self.numbers = np.full(BITS, -1, np.int64)
        self.distances: dict[int, int] = {}
        self.columns: dict[int, _Cuts] = {}
        self.residuals: dict[Expression, int] = {}
        self._block: MemberBlock | None = None

    def room(self, count: int) -> int | None:
        """The first bit at which `count` bits are free: itself and those at its place in the words after it."""
        free = self.free
        for step in range(1, count):
            free &= self.free >> (WORD * step)
        return (free & -free).bit_length() - 1 if free else None

    def add(self, number: int, home: int, found: Sequence[Branch]) -> _MemberSlot:
        for step, branch in enumerate(found):
            bit = home + WORD * step
            self.free ^= 1 << bit
            if step:
                self.distances[step] = self.distances.get(step, 0) | 1 << home
            for column, region in branch.regions.items():
                if column.index not in self.columns:
                    self.columns[column.index] = _Cuts(column)
                self.columns[column.index].add(bit, region)
            for condition in conditions(branch):
                self.residuals[condition] = self.residuals.get(condition, 0) | 1 << bit
        self.numbers[home] = number
        self._block = None
        return _MemberSlot(self, home, tuple(found))

    def remove(self, seat: _MemberSlot) -> None:
        for step, branch in enumerate(seat.branches):
            bit = seat.home + WORD * step
            self.free |= 1 << bit
            if step:
                self.distances[step] &= ~(1 << seat.home)
            for column in branch.regions:
                self.columns[column.index].remove(bit)
            for condition in conditions(branch):
                self.residuals[condition] &= ~(1 << bit)
        self.columns = {index: cuts for index, cuts in self.columns.items() if cuts.members}
        self.residuals = {condition: bits for condition, bits in self.residuals.items() if bits}
        self.distances = {step: bits for step, bits in self.distances.items() if bits}
        self.numbers[seat.home] = -1
        self._block = None

    @property
    def block(self) -> MemberBlock:
        if self._block is None:
            everyone = ALL & ~self.free
            words = -(-everyone.bit_length() // WORD)
            indexes = (cuts.index(everyone) for _, cuts in sorted(self.columns.items()))
            residuals = (Residual(condition, bits) for condition, bits in self.residuals.items())
            numbers = self.numbers[: words * WORD].copy()
            distances = tuple(sorted(self.distances.items()))
            self._block = MemberBlock(self.place, numbers, everyone, distances, tuple(indexes), tuple(residuals))
        return self._block


def conditions(branch: Branch) -> list[Expression]:
    """The conditions of a branch's residual; those that call Python are one, as each may keep rows from the next."""
    plain = [part for part in branch.residual if not uses_python(part)]
    python = [part for part in branch.residual if uses_python(part)]
    return [*plain, all_of(python)] if python else plain


@dataclass
class _Cuts:
    """The regions of a block's members over one column: their cuts, and the bit of the member that each belongs to.

    New cuts are collected in lists, and appended to the arrays when these are needed.
    """

    column: Column
    members: int = 0
    below: int = 0
    null: int = 0
    new_cuts: list[Key] = field(default_factory=list)
    new_bits: list[int] = field(default_factory=list)
    cuts: np.ndarray[Any, Any] | None = None
    bits: np.ndarray[Any, Any] | None = None

    def add(self, bit: int, region: Region) -> None:
        region = clip_to_64_bits(region) if is_long(self.column.of) else region
        self.members |= 1 << bit
        self.below |= region.below << bit
        self.null |= region.null << bit
        self.new_cuts += region.cuts
        self.new_bits += [bit] * len(region.cuts)

    def remove(self, bit: int) -> None:
        cuts, bits = self._flat()
        others = ~(1 << bit)
        self.members, self.below, self.null = self.members & others, self.below & others, self.null & others
        kept = bits != bit
        self.cuts, self.bits = cuts[kept], bits[kept]

    def _flat(self) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
        if self.cuts is None or self.bits is None or self.new_cuts:
            cuts = cut_array(self.new_cuts, self.column)
            bits = np.array(self.new_bits, np.uint16)
            if self.cuts is not None and self.bits is not None:
                cuts, bits = np.concatenate([self.cuts, cuts]), np.concatenate([self.bits, bits])
            self.cuts, self.bits, self.new_cuts, self.new_bits = cuts, bits, [], []
        return self.cuts, self.bits

    def index(self, everyone: int) -> CutIndex:
        cuts, bits = self._flat()
        return CutIndex(self.column.index, cuts, bits, everyone, self.members, self.below, self.null)
