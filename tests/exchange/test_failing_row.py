"""A row with which something fails is found by halving, and told by its values."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pytest

from tailrace.columnar.delta import Delta, elements
from tailrace.exchange.failing_row import find_failing_row, row_failing_expression, row_failing_operator
from tailrace.exchange.prepare_input import ExpressionError, OriginRows, compute
from tailrace.logical.expressions import Call, Column, Literal
from tailrace.types import INT


def test_each_row_is_found() -> None:
    for count in (1, 2, 3, 17):
        for wanted in range(count):
            assert find_failing_row(count, lambda first, end, row=wanted: first <= row < end) == wanted


def test_rows_that_fail_only_together() -> None:
    assert find_failing_row(8, lambda first, end: end - first > 3) is None
    assert find_failing_row(0, lambda first, end: True) is None


def test_the_row_of_an_expression() -> None:
    """Of the columns that it reads, in the words of the row."""
    fine = Call("+", (Column(2, INT), Literal(1, INT)), INT)
    columns: list[Any] = [None, pa.array(["a", "b", "c"]), pa.array([1, 2, 3], pa.int32())]
    assert row_failing_expression(fine, columns, 3) is None
    wrong = Call("+", (Column(2, INT), Column(9, INT)), INT)
    assert row_failing_expression(wrong, columns, 3) == [(2, "1")]
    with pytest.raises(ExpressionError) as raised:
        compute(wrong, OriginRows(pa.array([1, 2, 3]), columns))
    assert raised.value.row == [(2, "1")]


def test_the_row_of_an_operator() -> None:
    rows = elements(pa.array([1, 2, 3]).to_numpy(), [pa.array([5, 0, 7]), pa.array([None, None, "z"])])

    def apply(part: Delta) -> None:
        assert 0 not in part.columns[0].to_pylist()

    assert row_failing_operator(rows, apply) == [(0, "0"), (1, "NULL")]
