"""Segments, exact sums and selection: the array kernels against plain loops."""

from __future__ import annotations

import math
from decimal import Decimal, localcontext
from fractions import Fraction
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tailrace.columnar import segments
from tailrace.columnar.keys import groups
from tailrace.operators.aggregates import exact_sums as exact
from tailrace.operators.aggregates.decimal_sums import to_decimals
from tailrace.operators.aggregates.order_statistics import Events, select_ranks
from tailrace.operators.aggregates.ranks import rank_values

NUMBERS = st.floats(allow_nan=False, allow_infinity=False)
GROUPS = st.lists(st.integers(0, 3), min_size=1, max_size=20).map(sorted)
ints = lambda values: np.array(values, np.int64)  # noqa: E731


def value(sums: exact.Sums, row: int) -> Fraction:
    return sum((int(limbs[row]) * Fraction(2) ** (exact.BITS * bin) for bin, limbs in sums.items()), Fraction(0))


@settings(max_examples=200)
@given(st.lists(st.tuples(st.integers(0, 4), st.integers(-3, 10)), max_size=20), st.sampled_from([1, 10**9, 2**57]))
def test_cells(events: list[tuple[int, int]], unit: int) -> None:
    """Whether instants lie close together or far apart."""
    groups, instants = (ints([event[i] for event in events]) for i in (0, 1))
    made, of = segments.cells(groups, instants * unit)
    expected = sorted(set(events))
    assert list(zip(made.group.tolist(), (made.instant // unit).tolist(), strict=True)) == expected
    assert of.tolist() == [expected.index(event) for event in events]
    assert made.find(groups, instants * unit).tolist() == of.tolist()


@given(GROUPS, st.data())
def test_running_and_positive(groups: list[int], data: Any) -> None:
    amounts = data.draw(st.lists(st.integers(-2, 2), min_size=len(groups), max_size=len(groups)))
    starts = segments.heads(ints(groups))
    sums = [sum(amounts[j] for j in range(i + 1) if groups[j] == groups[i]) for i in range(len(groups))]
    assert segments.running_sums(ints(amounts), starts).tolist() == sums
    low, high = segments.positive(ints(sums), starts)
    covered = [row for begin, end in zip(low, high, strict=True) for row in range(begin, end)]
    assert covered == [row for row, count in enumerate(sums) if count > 0]
    assert all(groups[begin] == groups[end - 1] for begin, end in zip(low, high, strict=True))
    number = segments.numbers_of(starts, len(groups))
    assert starts[number].tolist() == [groups.index(group) for group in groups]
    assert segments.tails(starts, len(groups))[number].tolist() == [
        len(groups) - 1 - groups[::-1].index(group) for group in groups
    ]


@given(st.integers(1, 40), st.data())
def test_painted(size: int, data: Any) -> None:
    low = data.draw(st.lists(st.integers(0, size - 1), max_size=10))
    high = [data.draw(st.integers(begin + 1, size)) for begin in low]
    ranks = [data.draw(st.integers(0, 9)) for _ in low]
    expected = [
        min([r for b, e, r in zip(low, high, ranks, strict=True) if b <= row < e] + [99]) for row in range(size)
    ]
    assert segments.least_covering_rank(ints(low), ints(high), ints(ranks), size, 99).tolist() == expected


@given(st.lists(st.tuples(st.sampled_from([None, 1, 2]), st.sampled_from(["a", None])), max_size=12))
def test_numbered(rows: list[tuple[Any, ...]]) -> None:
    columns = [pa.array([row[0] for row in rows], pa.int64()), pa.array([row[1] for row in rows], pa.string())]
    codes, first = groups(columns, len(rows))
    assert [rows[first[code]] for code in codes] == rows
    assert len(first) == len(set(rows))
    assert [rows.index(rows[place]) for place in first] == first.tolist()


def nearest(number: Fraction) -> float:
    try:
        return float(number)
    except OverflowError:
        return math.inf if number > 0 else -math.inf


@settings(max_examples=200)
@given(st.lists(NUMBERS, min_size=1, max_size=8))
def test_sums_of_doubles_are_exact(numbers: list[float]) -> None:
    parts = dict(exact.doubles(np.array(numbers)))
    assert [value(parts, row) for row in range(len(numbers))] == list(map(Fraction, numbers))
    squares = dict(exact.squares(exact.doubles(np.array(numbers))))
    assert [value(squares, row) for row in range(len(numbers))] == [Fraction(number) ** 2 for number in numbers]
    running = {bin: np.cumsum(part) for bin, part in parts.items()}
    sums = exact.to_doubles(running, len(numbers))
    for row in range(len(numbers)):
        total = sum(map(Fraction, numbers[: row + 1]))
        assert sums[row] == nearest(total)
    column = exact.pack_limbs(running, len(numbers))
    again = exact.unpack_limbs(column)
    assert exact.pack_limbs(again, len(numbers)).equals(column)
    assert [value(again, row) for row in range(len(numbers))] == [value(running, row) for row in range(len(numbers))]


@given(st.lists(st.integers(-(2**63), 2**63 - 1), min_size=1, max_size=6))
def test_sums_of_integers_wrap_around(numbers: list[int]) -> None:
    running = {bin: np.cumsum(part) for bin, part in exact.integers(ints(numbers))}
    wrapped = [(sum(numbers[: row + 1]) + 2**63) % 2**64 - 2**63 for row in range(len(numbers))]
    assert exact.to_integers(running, len(numbers)).tolist() == wrapped
    assert [value(running, row) for row in range(len(numbers))] == [
        sum(numbers[: row + 1]) for row in range(len(numbers))
    ]


@settings(max_examples=150)
@given(
    st.lists(st.integers(-(10**38) + 1, 10**38 - 1) | st.integers(-500, 500), min_size=1, max_size=5), st.integers(1, 9)
)
def test_sums_of_decimals(units: list[int], count: int) -> None:
    with localcontext(prec=80):
        column = pa.array([Decimal(unit).scaleb(-2) for unit in [7, *units]], pa.decimal128(38, 2)).slice(1)
        sums = dict(exact.decimals(column))
        assert [value(sums, row) for row in range(len(units))] == units
        found = to_decimals(sums, len(units), 2, pa.decimal128(20, 4), np.full(len(units), count)).to_pylist()
        for unit, result in zip(units, found, strict=True):
            nearest = Decimal((abs(unit) * 200 + count) // (2 * count) * (1 if unit >= 0 else -1)).scaleb(-4)
            assert result == (nearest if abs(nearest) < 10**16 else None)


VALUES: dict[Any, list[Any]] = {
    pa.float64(): [None, 1.5, -0.0, 0.0, math.inf, -math.inf, math.nan],
    pa.string(): [None, "", "a", "é", "z", "aa"],
    pa.bool_(): [None, True, False],
    pa.int64(): [None, 1, -5, 2**63 - 1, -(2**63)],
    pa.decimal128(5, 1): [None, Decimal("1.5"), Decimal("-2.0")],
    pa.list_(pa.int64()): [None, [], [1], [1, None], [1, 2], [0, 9]],
}


@pytest.mark.parametrize("type", VALUES, ids=str)
@given(data=st.data())
def test_ranks_have_the_order_of_the_values(type: pa.DataType, data: Any) -> None:
    drawn = data.draw(st.lists(st.sampled_from(VALUES[type]), max_size=10))
    numbers, values = rank_values(pa.array(drawn, type))
    known = [(number, each) for number, each in zip(numbers.tolist(), drawn, strict=True) if each is not None]
    assert [number for number, each in zip(numbers.tolist(), drawn, strict=True) if each is None] == [-1] * (
        len(drawn) - len(known)
    )
    key = lambda each: [(e is not None, e or 0) for e in each] if isinstance(each, list) else (each != each, each)  # noqa: E731
    for number, each in known:
        assert values[number].as_py() == each or each != each
        for other_number, other in known:
            if each == each or other == other:
                assert (number < other_number) == (key(each) < key(other) and each != other)
            else:
                assert number == other_number


@settings(max_examples=150)
@given(
    st.lists(
        st.lists(st.tuples(st.integers(0, 9), st.integers(1, 3), st.booleans()), max_size=4), min_size=1, max_size=8
    ),
    st.integers(1, 3),
)
def test_selection(rows: list[list[tuple[int, int, bool]]], every: int) -> None:
    """Each group has `every` rows; a change adds some copies, or takes all that are there."""
    group = ints([row // every for row in range(len(rows))])
    events, questions, answers = [], [], []
    there: dict[tuple[int, int], int] = {}
    for row, changes in enumerate(rows):
        for rank, count, gone in changes:
            key = (int(group[row]), rank)
            change = -there.get(key, 0) if gone else count
            there[key] = there.get(key, 0) + change
            events.append((row, rank, change))
        ordered = sorted(rank for (of, rank), count in there.items() if of == group[row] for _ in range(count))
        questions += [(row, place) for place in range(len(ordered))]
        answers += ordered
    made = Events(*(ints([event[i] for event in events]) for i in range(3)))
    asked = (ints([question[i] for question in questions]) for i in range(2))
    assert select_ranks(made, group, *asked).tolist() == answers
