"""Member sets: the members of a family in one batch (MemberSet), and how they are kept between batches (Membership)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from tailrace.logical.expressions import Call, Column, Expression, Literal, all_of
from tailrace.logical.windows import Sliding
from tailrace.operators.families.member_index import MemberIndex
from tailrace.operators.families.routing.lineage import WORD, Indexes, Words
from tailrace.operators.families.routing.member_block import MemberBlock
from tailrace.operators.names import Names, disambiguate
from tailrace.operators.windows.time_window import ENDLESS
from tailrace.state.group_ids import ActiveMembers
from tailrace.types import BIGINT, BOOLEAN


@dataclass(frozen=True)
class MemberSet:
    """The members of a family in one batch."""

    blocks: tuple[MemberBlock, ...]  # their predicates
    begins: Mapping[int, int]  # by member: the first instant it sees
    policy: str = "best"  # by which eddies route rows
    left: int = 0  # how many members have left so far

    @property
    def roster(self) -> ActiveMembers:
        return ActiveMembers(np.fromiter(self.begins, np.int64, len(self.begins)), self.left)

    def describe(self, names: Names) -> str:
        """How many queries these are, and the names of the columns by which grouped filters choose their rows."""
        columns = {index.column for block in self.blocks for index in block.indexes}
        asked = [name for column, name in enumerate(disambiguate(names)) if column in columns]
        return f"{len(self.begins)} queries over {', '.join(asked) or 'nothing'}"

    def for_stem(self, reach: int, needs: frozenset[int]) -> StemReaders:
        """These members as readers of a stem: how long they need its tuples, and which columns."""
        return StemReaders(self.blocks, self.begins, self.policy, self.left, reach, needs)

    def for_stem_join(self, windows: Windows) -> StemJoinMembers:
        """These members as those of a family that joins stems, with their windows."""
        return StemJoinMembers(self.blocks, self.begins, self.policy, self.left, windows)


@dataclass(frozen=True)
class StemReaders(MemberSet):
    """The members of all families that read a stem."""

    reach: int = 0  # for how many instants, or rows, a tuple matters to any of them
    needs: frozenset[int] = frozenset()  # the columns that they read


@dataclass(frozen=True)
class StemJoinMembers(MemberSet):
    """The members of a family that joins stems: their conditions on combinations, and their windows."""

    windows: Windows = field(default_factory=lambda: Windows.of({}))

    @property
    def asks_nothing(self) -> bool:
        """Whether all members want all combinations."""
        members = sum(int((block.numbers >= 0).sum()) for block in self.blocks)
        return members == len(self.begins) and not any(each.indexes or each.residuals for each in self.blocks)


@dataclass(frozen=True, eq=False)
class Windows:
    """The windows of members, as arrays of stems × members; on one stem all are on time, or all are of rows."""

    numbers: Indexes
    sizes: np.ndarray[Any, np.dtype[np.int64]]
    slides: np.ndarray[Any, np.dtype[np.int64]]

    @staticmethod
    def of(members: Mapping[int, Iterable[Sliding]]) -> Windows:
        """The windows of each member, by its number.

        >>> from tailrace.logical.windows import TimeWindow
        >>> windows = Windows.of({70: [TimeWindow(5), TimeWindow(9, 3)], 2: [TimeWindow(8), TimeWindow(1)]})
        >>> windows.numbers.tolist(), windows.words.tolist(), windows.reach.tolist()
        ([2, 70], [0, 1], [8, 11])
        """
        pairs = [[(size_of(each), each.slide) for each in members[number]] for number in sorted(members)]
        table = np.array(pairs, np.int64).reshape(len(pairs), -1, 2)
        return Windows(np.array(sorted(members), np.int64), table[:, :, 0].T.copy(), table[:, :, 1].T.copy())

    @cached_property
    def words(self) -> Indexes:
        """The numbers of the lineage words in which these members have bits."""
        return np.unique(self.numbers // WORD)

    @cached_property
    def are_alike(self) -> bool:
        """Whether all members have the same windows."""
        return bool((self.sizes == self.sizes[:, :1]).all() and (self.slides == self.slides[:, :1]).all())

    @cached_property
    def everyone(self) -> Words:
        """The bits of these members in those words, which may hold bits of other families' members too."""
        found = np.zeros(len(self.words), np.uint64)
        bits = np.uint64(1) << (self.numbers % WORD).astype(np.uint64)
        np.bitwise_or.at(found, np.searchsorted(self.words, self.numbers // WORD), bits)
        return found

    @cached_property
    def reach(self) -> Indexes:
        """For each stem, for how many instants or rows after its own a tuple can be in any member's window."""
        return np.asarray(np.minimum((self.sizes + self.slides - 1).max(axis=1), ENDLESS))


def reach_of(window: Sliding) -> int:
    """For how many instants or rows after its own a tuple can be in the window."""
    return ENDLESS if window.size is None else window.size + window.slide - 1


def size_of(window: Sliding) -> int:
    return ENDLESS if window.size is None else window.size


@dataclass(frozen=True)
class MemberFilter:
    """What a member wants of a stream of `width` columns: the tuples that satisfy `predicate`, from `first` on."""

    predicate: Expression
    width: int
    first: int

    def with_start(self, past: int) -> Expression:
        """The predicate, with a condition on the instant, the last column, if rows may be from before its start."""
        if self.first <= past + 1:
            return self.predicate
        instant = Column(self.width, BIGINT, "instant")
        return all_of([self.predicate, Call(">=", (instant, Literal(self.first, BIGINT)), BOOLEAN)])


@dataclass
class Membership:
    """The members of a family, kept from one batch to the next: the predicates of those that stay are indexed once."""

    members: MemberIndex = field(default_factory=MemberIndex)
    written: dict[int, Expression] = field(default_factory=dict)
    left: int = 0

    def flow(self, wishes: Mapping[int, MemberFilter], past: int, policy: str = "best") -> MemberSet:
        """Make the members those of `wishes`, by number, and return them. The rows to come are after instant `past`."""
        for number in [number for number in self.written if number not in wishes]:
            self.members.remove(number)
            del self.written[number]
            self.left += 1
        for number, wish in wishes.items():
            wanted = wish.with_start(past)
            if self.written.get(number) is wanted:
                continue
            if number in self.written:
                self.members.remove(number)
            self.members.add(number, wanted)
            self.written[number] = wanted
        return MemberSet(
            self.members.blocks, {number: wish.first for number, wish in wishes.items()}, policy, self.left
        )
