"""Flow: the members of a family as they are in one batch, and the roll on which they are kept between batches."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from tailrace.logical.expressions import Call, Column, Expression, Literal, all_of
from tailrace.physical.flows.block import Block
from tailrace.physical.flows.members import Members
from tailrace.types import BIGINT, BOOLEAN


@dataclass(frozen=True)
class Flow:
    """What the members want, from which instant on each of them, by its number, sees what comes, and how to route."""

    blocks: tuple[Block, ...]
    begins: Mapping[int, int]
    policy: str = "best"


@dataclass(frozen=True)
class Wish:
    """What a member wants of a stream of so many columns, from an instant on."""

    predicate: Expression
    width: int
    first: int

    def whole(self, past: int) -> Expression:
        """The predicate over the columns and, after them, the instant, if what comes may be too early."""
        if self.first <= past + 1:
            return self.predicate
        instant = Column(self.width, BIGINT, "instant")
        return all_of([self.predicate, Call(">=", (instant, Literal(self.first, BIGINT)), BOOLEAN)])


@dataclass
class Roll:
    """The members of a family, kept from one batch to the next: those that stay are not looked at again."""

    members: Members = field(default_factory=Members)
    written: dict[int, Expression] = field(default_factory=dict)

    def flow(self, wishes: Mapping[int, Wish], past: int, policy: str = "best") -> Flow:
        """The members, by number, are those that want this; what comes is after `past`."""
        for number in [number for number in self.written if number not in wishes]:
            self.members.remove(number)
            del self.written[number]
        for number, wish in wishes.items():
            wanted = wish.whole(past)
            if self.written.get(number) is wanted:
                continue
            if number in self.written:
                self.members.remove(number)
            self.members.add(number, wanted)
            self.written[number] = wanted
        return Flow(self.members.blocks, {number: wish.first for number, wish in wishes.items()}, policy)
