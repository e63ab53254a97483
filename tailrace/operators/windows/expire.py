"""Expire: turns the end of a row into a retraction: SW's W-expire (§3.2).

A row that ends passes without its end, and a row of negative weight follows once the end has come. At every instant
the output holds what the input holds. Operators above need not look for ends: they get a negative row.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import pyarrow as pa

from tailrace.columnar.delta import FOREVER, Delta, Span, concat
from tailrace.operators.names import Names
from tailrace.operators.operator import Operator, TaskContext
from tailrace.operators.pushdown import Pushdown
from tailrace.state.timers import TimerQueue


@dataclass(frozen=True)
class Expire(Operator):
    """Without `emits_retractions` rows pass with their ends; only rows that passed earlier without one are retracted.

    The state means the same with and without `emits_retractions`, so the strategy may change from one batch to the
    next. Equal rows need not be in one shard, since each row is retracted in the shard to which it came.
    """

    kind: ClassVar[str] = "expire"
    keeps_rows: ClassVar[bool] = True
    row_local: ClassVar[bool] = True
    emits_retractions: bool = field(default=True, compare=False, repr=False)

    def initial_state(self) -> TimerQueue:
        """The rows that passed without their ends, by end."""
        return TimerQueue()

    def may_retract(self, inputs: Sequence[bool]) -> bool:
        return True

    def is_passthrough(self, inputs: Sequence[Names]) -> bool:
        return not self.emits_retractions

    def push_down(self, below: Pushdown) -> Pushdown:
        return below.with_window(self)

    def apply(self, inputs: Sequence[Delta], state: TimerQueue, span: Span, context: TaskContext) -> tuple[Delta, Any]:
        """The rows without their ends, and a negative row for each end that has come.

        >>> from tailrace.columnar.delta import parse
        >>> expire = Expire((pa.string(),))
        >>> rows = parse("+ a @1..4\\n+ b @2..9", expire.types)
        >>> out, state = expire.apply([rows], expire.initial_state(), Span(0, 5), TaskContext.empty())
        >>> print(out)
        + a @1..
        + b @2..
        - a @4..
        >>> print(expire.apply([parse("+ c @8..", expire.types)], state, Span(5, 9), TaskContext.empty())[0])
        + c @8..
        - b @9..
        """
        (delta,) = inputs
        due, calendar = state.pop_due(span.to)
        parts = [delta]
        ends = delta.until != FOREVER
        if self.emits_retractions and ends.any():
            parts = [delta.forever()]
            ending = delta.where(ends)
            later = ending.where(ending.until > span.to)
            if len(later):
                calendar = calendar.add(later.until, (pa.array(later.weight), *later.columns))
            over = ending.where(ending.until <= span.to)
            parts.append(Delta(over.until, over.until, -over.weight, over.columns).forever())
        if due is not None:
            parts.append(Delta(due.order, due.order, -due.columns[0].to_numpy(), due.columns[1:]).forever())
        return concat(parts, self.types), calendar
