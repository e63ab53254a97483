"""Failing row: finds a row with which an expression or an operator fails, by halving the rows it failed with."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from tailrace.columnar.delta import Delta
from tailrace.columnar.evaluate import evaluate
from tailrace.logical.expressions import Expression, columns_of
from tailrace.time_limit import TimeLimitError

SHOWN = 200  # characters of a value

Values = list[tuple[int, str]]  # of a row: columns by position, each with its value as text


def find_failing_row(count: int, fails: Callable[[int, int], bool]) -> int | None:
    """The number of a row that fails by itself, if `fails` says which stretches do; None if there is none.

    Also None if it takes too long to find.

    >>> find_failing_row(100, lambda first, end: first <= 63 < end), find_failing_row(100, lambda first, end: False)
    (63, None)
    """
    first, end = 0, count
    try:
        while end - first > 1:
            middle = (first + end) // 2
            if fails(first, middle):
                end = middle
            elif fails(middle, end):
                first = middle
            else:
                return None
        return first if count and fails(first, end) else None
    except TimeLimitError:
        return None


def row_failing_expression(expression: Expression, columns: Sequence[pa.Array | None], count: int) -> Values | None:
    """The values that a failing row has in the columns that an expression reads."""

    def fails(first: int, end: int) -> bool:
        part: list[Any] = [None if column is None else column.slice(first, end - first) for column in columns]
        return raises(lambda: evaluate(expression, part, end - first))

    row = find_failing_row(count, fails)
    used = {place: column for place, column in enumerate(columns) if column is not None}
    used = {place: used[place] for place in sorted(columns_of(expression) & used.keys())}
    return values_of(row, used) if row is not None and used else None


def row_failing_operator(rows: Delta, apply: Callable[[Delta], object]) -> Values | None:
    """The values of a row with which an operator fails, if its state does not matter."""

    def fails(first: int, end: int) -> bool:
        return raises(lambda: apply(rows.take(np.arange(first, end))))

    row = find_failing_row(len(rows), fails)
    return None if row is None else values_of(row, dict(enumerate(rows.columns)))


def raises(work: Callable[[], object]) -> bool:
    try:
        work()
    except TimeLimitError:
        raise
    except Exception:
        return True
    return False


def values_of(row: int, columns: dict[int, pa.Array]) -> Values:
    """The values of a row as text.

    >>> values_of(1, {0: pa.array([1, 2]), 3: pa.array(["a", None])})
    [(0, '2'), (3, 'NULL')]
    """
    found = {place: column[row].as_py() for place, column in columns.items()}
    return [(place, "NULL" if value is None else str(value)[:SHOWN]) for place, value in found.items()]
