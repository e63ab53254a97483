"""Draw: takes the elements of a stream whose lots are in the share. An element's lot follows from itself and its
instant, so nothing is remembered, and selections may be made before or after.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from tailrace.logical.expressions import Column, Drawn
from tailrace.logical.shares import Share
from tailrace.physical.arrow_types import type_of
from tailrace.physical.delta import Delta, Span
from tailrace.physical.lots import lots
from tailrace.physical.operator import Operator


@dataclass(frozen=True)
class Draw(Operator):
    """`columns` are those that make an element's lot."""

    share: Share
    columns: tuple[int, ...]
    scattered: ClassVar[bool] = True

    @property
    def predicate(self) -> Drawn:
        """The same for Catalyst."""
        return Drawn(self.share, tuple(Column(index, type_of(self.types[index])) for index in self.columns))

    def apply(self, inputs: Sequence[Delta], state: Any, span: Span) -> tuple[Delta, Any]:
        (delta,) = inputs
        drawn = lots(self.share.seed, delta.start, [delta.columns[index] for index in self.columns])
        return delta.where(drawn <= self.share.most), state
