"""Member block: up to 4,096 branches of members' predicates as one small value, sent to the workers and compiled there.

Each branch has a bit. A member with several branches has them at the same place in words that follow each other, so
that an OR of whole words combines them. The first of these bits is the member's *home*, which stands for the member.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b

import numpy as np

from tailrace.logical.expressions import Expression, UserCall, uses_python, walk
from tailrace.operators.families.routing.grouped_filter import CutIndex, GroupedFilter, compile_filter
from tailrace.operators.families.routing.lineage import WORD, Indexes, WordFold, Words, words_of

BITS = 4096


@dataclass(frozen=True)
class Residual:
    """A condition that fits no index, and the bits of the members that ask for it. One that calls Python comes last."""

    condition: Expression
    members: int

    @property
    def waits(self) -> bool:
        return uses_python(self.condition)


@dataclass(frozen=True, eq=False)
class MemberBlock:
    """The members of a block and the indexes of their predicates."""

    place: int
    numbers: Indexes  # the member's number at each home bit, −1 at the other bits
    everyone: int  # all bits in use
    distances: tuple[tuple[int, int], ...]  # in words, with the home bits of members that have a branch that far behind
    indexes: tuple[CutIndex, ...]
    residuals: tuple[Residual, ...]

    @cached_property
    def key(self) -> bytes:
        """A hash of the content: the same in every process."""
        found = blake2b(self.numbers.tobytes(), digest_size=16)
        found.update(repr((self.place, self.everyone, self.distances)).encode())
        for index in self.indexes:
            found.update(index.key)
        for residual in self.residuals:
            functions = [part.function.identity for part in walk(residual.condition) if isinstance(part, UserCall)]
            found.update(f"{residual.condition!r} {functions} {residual.members}".encode())
        return found.digest()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, MemberBlock) and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)

    @property
    def words(self) -> int:
        return -(-self.everyone.bit_length() // WORD)

    @property
    def filters(self) -> tuple[GroupedFilter, ...]:
        """The compiled grouped filters."""
        return tuple(compile_filter(index) for index in self.indexes)

    @cached_property
    def all_members(self) -> Words:
        return words_of(self.everyone, self.words)

    @cached_property
    def homes(self) -> Words:
        is_home = np.packbits(self.numbers >= 0, bitorder="little")
        return is_home.view(np.uint64)

    @cached_property
    def folds(self) -> tuple[WordFold, ...]:
        return tuple(WordFold(distance, words_of(members, self.words)) for distance, members in self.distances)
