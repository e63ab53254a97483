"""Choices: where random scripts get their numbers from, written down so that a script can be drawn again and shrunk.

Small numbers are the simple choices: zeros at the end of a list of choices give the simplest script.

>>> drawn = Choices(Random(7))
>>> first = [drawn.number(0, 9) for _ in range(3)]
>>> [Choices(None, drawn.taken).number(0, 9) for _ in range(1)] == first[:1]
True
>>> Choices(None, [99]).number(0, 3), Choices(None, []).number(2, 3)
(3, 2)
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import TypeVar

T = TypeVar("T")


class Choices:
    """Numbers from `given` first, then from a random generator; without one, the smallest that is allowed."""

    def __init__(self, chance: Random | None, given: Sequence[int] = ()) -> None:
        self.chance = chance
        self.given = list(given)
        self.taken: list[int] = []

    def number(self, least: int, most: int) -> int:
        place = len(self.taken)
        if place < len(self.given):
            found = min(max(self.given[place], least), most)
        else:
            found = least if self.chance is None else self.chance.randint(least, most)
        self.taken.append(found)
        return found

    def pick(self, options: Sequence[T]) -> T:
        """One of the options; the first is the simplest."""
        return options[self.number(0, len(options) - 1)]

    def one_in(self, count: int) -> bool:
        """True once in so many times; False is the simpler choice."""
        return self.number(0, count - 1) == count - 1
