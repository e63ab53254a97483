"""Pushdown: what Catalyst computes of a source's or a step's rows before a stage runs an operator over them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from tailrace.catalog.sources import Relation, Stream
from tailrace.logical.expressions import Expression

if TYPE_CHECKING:
    from tailrace.operators.operator import Operator
    from tailrace.operators.sequence.frequency import PushedPrefilter


@dataclass(frozen=True)
class Pushdown:
    """Rows of a source, or of the step with this number, that satisfy the predicates; `windows` set their intervals.

    Predicates and columns are expressions over the origin's columns. Windows read instants only, so their order among
    selections and projections does not matter. `first` is the instant before which rows of a source are left out.
    `born` is the batch in which a static source is read.
    """

    origin: Stream | Relation | int
    predicates: tuple[Expression, ...]
    columns: tuple[Expression, ...]
    windows: tuple[Operator, ...] = ()
    first: int = 0
    born: int = 0
    thinned: PushedPrefilter | None = None

    @property
    def of_source(self) -> bool:
        return not isinstance(self.origin, int)

    @property
    def is_of_elements(self) -> bool:
        """Whether the rows are elements of a source, before any window."""
        return self.of_source and not self.windows

    def with_window(self, window: Operator) -> Pushdown:
        return replace(self, windows=(*self.windows, window))
