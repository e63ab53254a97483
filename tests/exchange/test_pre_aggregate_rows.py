"""Pre-aggregated rows: partial sums by key and instant are those of plain Python, also for NULL, NaN and -0.0."""

import math
from decimal import Decimal
from typing import Any

import numpy as np
import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from tailrace.columnar.arrow_types import arrow_type
from tailrace.exchange.pre_aggregate_rows import pre_aggregate_rows
from tailrace.logical.expressions import Call, Column, Literal
from tailrace.logical.windows import TimeWindow
from tailrace.operators.relational.pre_aggregation import PartialSum, PreAggregation
from tailrace.operators.windows.time_window import lifetimes
from tailrace.types import BIGINT, BOOLEAN, DOUBLE, INT, decimal

MONEY = decimal(10, 2)
KEY, NUMBER, REAL, PRICE = Column(0, DOUBLE), Column(1, INT), Column(2, DOUBLE), Column(3, MONEY)
POSITIVE = Call(">", (NUMBER, Literal(0, INT)), BOOLEAN)
SUMS = (
    PartialSum("count", None, None, pa.int64()),
    PartialSum("count", NUMBER, None, pa.int64()),
    PartialSum("sum", NUMBER, POSITIVE, pa.int64()),
    PartialSum("max", REAL, None, pa.float64()),
    PartialSum("sum", PRICE, None, pa.decimal128(20, 2)),
    PartialSum("count_if", POSITIVE, None, pa.int64()),
)
REALS = st.sampled_from([None, 0.0, -0.0, 1.5, -2.0, math.nan, math.inf])
ROWS = st.lists(
    st.tuples(
        st.integers(0, 12),
        REALS,
        st.none() | st.integers(-5, 5),
        REALS,
        st.none() | st.decimals(-100, 100, places=2, allow_nan=False),
    ),
    min_size=1,
    max_size=40,
)


def as_key(value: float | None) -> Any:
    """A key as SQL compares keys: NaN equals NaN, and -0.0 equals 0.0."""
    return "NaN" if value is not None and math.isnan(value) else value


def greatest(values: list[float]) -> Any:
    """The maximum in Spark's order, where NaN is greater than all numbers."""
    return None if not values else "NaN" if any(map(math.isnan, values)) else max(values)


def expected(rows: list[Any]) -> list[Any]:
    numbers = [number for _, _, number, _, _ in rows if number is not None]
    positive = [number for number in numbers if number > 0]
    prices: list[Decimal] = [price for *_, price in rows if price is not None]
    return [
        len(rows),
        len(numbers),
        sum(positive) if positive else None,
        greatest([real for _, _, _, real, _ in rows if real is not None]),
        sum(prices) if prices else None,
        len(positive),
    ]


@given(ROWS, st.sampled_from([None, (None, 1), (5, 1), (5, 3), (None, 4)]))
def test_partial_sums(rows: list[Any], window: tuple[int | None, int] | None) -> None:
    instants, *values = zip(*rows, strict=True)
    types = (DOUBLE, INT, DOUBLE, MONEY)
    columns = [pa.array(column, arrow_type(type)) for column, type in zip(values, types, strict=True)]
    shape = None if window is None else TimeWindow(*window)
    part = PreAggregation((KEY,), SUMS, shape, None)  # type: ignore[arg-type]
    start, first, made = pre_aggregate_rows(part, np.array(instants), columns)
    groups: dict[Any, list[Any]] = {}
    for row in rows:
        enters, leaves = (np.array([row[0]]),) * 2
        if shape is not None and shape.slide > 1:
            enters, leaves = lifetimes(np.array([row[0]]), 1 << 40 if shape.size is None else shape.size, shape.slide)
        bounds = int(enters[0]), None if shape is None or shape.size is None else int(leaves[0])
        groups.setdefault((as_key(row[1]), *bounds), []).append(row)
    wanted = {(key, min(row[0] for row in mine)): expected(mine) for (key, *_), mine in groups.items()}
    found = {}
    for place, (instant, row) in enumerate(zip(start.tolist(), first.tolist(), strict=True)):
        key, *sums = (column[place].as_py() for column in made)
        assert as_key(rows[row][1]) == as_key(key)
        found[as_key(key), instant] = [as_key(value) if isinstance(value, float) else value for value in sums]
    assert found == wanted


def test_whole_sums_wrap_as_sparks_do() -> None:
    part = PreAggregation((), (PartialSum("sum", Column(0, BIGINT), None, pa.int64()),), None, None)  # type: ignore[arg-type]
    largest = (1 << 63) - 1
    _, _, (total,) = pre_aggregate_rows(part, np.array([3, 3]), [pa.array([largest, 1])])
    assert total.to_pylist() == [-(1 << 63)]
