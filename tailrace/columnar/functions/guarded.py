"""Guarded: CASE, COALESCE, AND and OR that evaluate an argument only for the rows that need it.

Kernels evaluate all arguments for all rows, which is faster, and harmless if no argument can fail. A function from
Python may fail: in `CASE WHEN a > 0 THEN f(a) END`, f must not be called for rows where a is 0.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tailrace.columnar.arrow_types import arrow_type
from tailrace.logical.expressions import Call, Expression, uses_python

Evaluate = Callable[[Expression, Sequence[pa.Array], int], pa.Array]


def is_guard(call: Call) -> bool:
    """Whether an argument after the first, which only some rows need, calls Python."""
    return call.name in GUARDS and any(map(uses_python, call.arguments[1:]))


def evaluate_guarded(call: Call, columns: Sequence[pa.Array], length: int, evaluate: Evaluate) -> pa.Array:
    return GUARDS[call.name](call, _Rows(columns, length, evaluate))


class _Rows:
    """Evaluates expressions on some of the rows of the columns."""

    def __init__(self, columns: Sequence[pa.Array], length: int, evaluate: Evaluate) -> None:
        self.columns = columns
        self.length = length
        self.evaluate = evaluate

    def at(self, expression: Expression, rows: np.ndarray) -> pa.Array:
        if not len(rows):
            return pa.array([], arrow_type(expression.type))
        taken = pa.array(rows)
        return self.evaluate(expression, [column.take(taken) for column in self.columns], len(rows))

    def all(self, expression: Expression) -> pa.Array:
        return self.at(expression, np.arange(self.length))


def replace_rows(values: pa.Array, rows: np.ndarray, new: pa.Array) -> pa.Array:
    """The values, with those of some rows replaced by new ones.

    >>> replace_rows(pa.array([1, 2, 3]), np.array([2, 0]), pa.array([9, 7])).to_pylist()
    [7, 2, 9]
    """
    place = np.arange(len(values))
    place[rows] = len(values) + np.arange(len(rows))
    return pa.concat_arrays([values, new]).take(pa.array(place))


def _case(call: Call, rows: _Rows) -> pa.Array:
    count = len(call.arguments)
    found = pa.nulls(rows.length, arrow_type(call.of))
    left = np.arange(rows.length)
    for at in range(0, count - 1, 2):
        truth = pc.fill_null(rows.at(call.arguments[at], left), False).to_numpy(zero_copy_only=False).astype(bool)
        found = replace_rows(found, left[truth], rows.at(call.arguments[at + 1], left[truth]))
        left = left[~truth]
    return replace_rows(found, left, rows.at(call.arguments[-1], left)) if count % 2 else found


def _coalesce(call: Call, rows: _Rows) -> pa.Array:
    found = rows.all(call.arguments[0])
    for argument in call.arguments[1:]:
        missing = np.flatnonzero(found.is_null().to_numpy(zero_copy_only=False))
        found = replace_rows(found, missing, rows.at(argument, missing))
    return found


def _if_known(call: Call, rows: _Rows) -> pa.Array:
    known = rows.all(call.arguments[0]).is_valid().to_numpy(zero_copy_only=False)
    found = pa.nulls(rows.length, arrow_type(call.of))
    for argument, wanted in zip(call.arguments[1:], (known, ~known), strict=True):
        found = replace_rows(found, np.flatnonzero(wanted), rows.at(argument, np.flatnonzero(wanted)))
    return found


def _evaluate_and_or(call: Call, rows: _Rows) -> pa.Array:
    """AND evaluates an argument only for rows where none before was false, OR where none before was true."""
    join = pc.and_kleene if call.name == "and" else pc.or_kleene
    found = rows.all(call.arguments[0])
    for argument in call.arguments[1:]:
        decided = pc.fill_null(pc.equal(found, call.name == "or"), False).to_numpy(zero_copy_only=False)
        open_ = np.flatnonzero(~decided.astype(bool))
        found = replace_rows(found, open_, join(found.take(pa.array(open_)), rows.at(argument, open_)))
    return found


GUARDS: dict[str, Callable[[Call, _Rows], pa.Array]] = {
    **dict.fromkeys(("case", "if"), _case),
    **dict.fromkeys(("coalesce", "nvl", "ifnull"), _coalesce),
    **dict.fromkeys(("and", "or"), _evaluate_and_or),
    "nvl2": _if_known,
}
