"""Fold steps: an aggregate for evaluations that have no tuple in common: the tuples of each are folded and forgotten.

The result is that of `Aggregate` at those evaluations. A tuple is at one position only, so nothing is remembered and
nothing is ever subtracted from a sum.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import pyarrow as pa

from tailrace.columnar import segments
from tailrace.columnar.delta import Delta, Span, empty
from tailrace.columnar.keys import groups
from tailrace.operators.aggregates.aggregation import (
    Aggregation,
    Quantity,
    describe_results,
    null_where,
    parts,
    taking_part,
)
from tailrace.operators.aggregates.exact_sums import Sums
from tailrace.operators.aggregates.formulas import ALGEBRAIC
from tailrace.operators.aggregates.ranks import encode_order
from tailrace.operators.names import Names, by_columns
from tailrace.operators.operator import KeyLink, Operator, TaskContext

EXTREMES = {"min": np.minimum, "max": np.maximum}


@dataclass(frozen=True)
class FoldSteps(Operator):
    """`keys` are columns of the input. An evaluation that has no tuples has no row, not even without keys."""

    kind: ClassVar[str] = "fold-steps"
    label: ClassVar[str] = "aggregate"
    keys: tuple[int, ...]
    aggregations: tuple[Aggregation, ...]

    def key_links(self, inputs: int) -> tuple[KeyLink, ...]:
        return tuple(KeyLink((key,), (place,)) for place, key in enumerate(self.keys))

    def may_retract(self, inputs: Sequence[bool]) -> bool:
        return False

    def column_origins(self, inputs: int) -> list[list[tuple[int, int]]]:
        return [*([(0, key)] for key in self.keys), *([] for _ in self.aggregations)]

    def computed_names(self, inputs: Sequence[Names]) -> Mapping[int, str]:
        return {place: of.describe(inputs[0]) for place, of in enumerate(self.aggregations, len(self.keys))}

    def describe(self, inputs: Sequence[Names], output: Names) -> str:
        return f"{describe_results(self.computed_names(inputs), output)}{by_columns(self.keys, inputs[0])}".strip()

    def apply(self, inputs: Sequence[Delta], state: Any, span: Span, context: TaskContext) -> tuple[Delta, Any]:
        (rows,) = inputs
        if not len(rows):
            return empty(self.types), state
        if not self.keys:
            rows = rows.in_time_order()
            heads = segments.heads(rows.start)
            place, of, keys = rows.start[heads], segments.numbers_of(heads, len(rows)), []
        else:
            codes, first = groups([rows.columns[key] for key in self.keys], len(rows))
            cells, of = segments.cells(codes, rows.start)
            place, taken = cells.instant, pa.array(first[cells.group])
            keys = [rows.columns[key].take(taken) for key in self.keys]
        fold = StepAggregates(rows.columns, of, len(place))
        found = [*keys, *(fold.result(each) for each in self.aggregations)]
        return Delta(place, place + 1, np.ones(len(place), np.int64), tuple(found)), state


def can_fold(of: Aggregation) -> bool:
    """Whether FoldSteps can compute an aggregate: it must be a formula over sums, or MIN or MAX."""
    return not of.user and not of.distinct and (of.function in ALGEBRAIC or of.function in EXTREMES)


class StepAggregates:
    """Computes the aggregates of a batch. A cell is an evaluation and a group; `of` is the cell of each row."""

    def __init__(self, columns: Sequence[pa.Array], of: np.ndarray, size: int) -> None:
        self.columns, self.of, self.size = columns, of, size
        self.known: dict[Quantity, Sums] = {}

    def result(self, of: Aggregation) -> pa.Array:
        if of.function in EXTREMES:
            return self.extreme(of)
        family = ALGEBRAIC[of.function]
        totals = [self.total(each) for each in family.quantities(of)]
        types = [self.columns[index].type for index in of.arguments[:1]]
        return family.result(of, totals, sum(type.scale for type in types if pa.types.is_decimal(type)))

    def taking_part(self, of: Aggregation | Quantity) -> tuple[np.ndarray, pa.Array | None]:
        """The cells of the rows that take part in an aggregate, and a mask of these rows, None if all do."""
        mask = taking_part(self.columns, of.arguments, of.filter)
        return (self.of, None) if mask is None else (self.of[mask], pa.array(mask))

    def total(self, each: Quantity) -> Sums:
        if each not in self.known:
            of, mask = self.taking_part(each)
            column = None if each.column is None else self.columns[each.column]
            column = column if column is None or mask is None else column.filter(mask)
            sums = {} if each.is_exact else {0: np.zeros(self.size, np.int64)}
            for bin, amounts in parts(each, column, len(of)):
                sums[bin] = sums.get(bin, 0) + segments.sum_by_place(of, amounts, self.size)
            self.known[each] = sums
        return self.known[each]

    def extreme(self, of: Aggregation) -> pa.Array:
        cells, mask = self.taking_part(of)
        column = self.columns[of.arguments[0]]
        codes, back = encode_order(column if mask is None else column.filter(mask))
        if not len(codes):
            return pa.nulls(self.size, column.type)
        order = np.argsort(cells, kind="stable")
        heads = segments.heads(cells[order])
        best = np.full(self.size, codes[0])
        shown = np.zeros(self.size, bool)
        best[cells[order][heads]] = EXTREMES[of.function].reduceat(codes[order], heads)
        shown[cells] = True
        return null_where(~shown, back(best))
