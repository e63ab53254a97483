"""Aggregate: at every instant it gives what the reference computes of the tuples there, in any split into batches."""

from __future__ import annotations

import math
import random
from collections import Counter
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tailrace.columnar import keys
from tailrace.columnar.delta import FOREVER, Delta, Span, empty, parse
from tailrace.logical import expressions as logical
from tailrace.logical.expressions import Column
from tailrace.operators.aggregates import group_state as ledger
from tailrace.operators.aggregates.aggregation import Aggregation
from tailrace.operators.operator import TaskContext
from tailrace.operators.relational.aggregate import Aggregate
from tailrace.testing.reference.aggregates import aggregate
from tailrace.types import BIGINT, BOOLEAN, DATE, DOUBLE, INT, STRING, Type, decimal
from tests.operators.bags import Bag, Interval, Rows, check, delta, fed, heartbeats, intervals

ARROW = {
    INT: pa.int32(),
    BIGINT: pa.int64(),
    DOUBLE: pa.float64(),
    STRING: pa.string(),
    DATE: pa.date32(),
    BOOLEAN: pa.bool_(),
    decimal(9, 2): pa.decimal128(9, 2),
    decimal(19, 2): pa.decimal128(19, 2),
    decimal(13, 6): pa.decimal128(13, 6),
}
KEYS = st.sampled_from([None, "a", "b"])
FLAGS = st.sampled_from([None, True, True, False])
VALUES: dict[Type, st.SearchStrategy[Any]] = {
    INT: st.one_of(st.none(), st.integers(-3, 3), st.sampled_from([2**31 - 1, -(2**31)])),
    BIGINT: st.one_of(st.none(), st.sampled_from([0, 1, 2**63 - 1, -(2**63), 10**15, 10**15 + 1])),
    DOUBLE: st.one_of(st.none(), st.sampled_from([0.0, 0.1, -0.1, 0.3, 1e16, -1e16, 1e-200, 3.5e100, 1e9 + 0.25])),
    STRING: st.one_of(st.none(), st.text("aé", max_size=2)),
    DATE: st.one_of(st.none(), st.dates(date(2024, 1, 1), date(2024, 1, 4))),
    BOOLEAN: st.sampled_from([None, True, False]),
    decimal(9, 2): st.one_of(st.none(), st.decimals(-9999999, 9999999, places=2), st.just(Decimal("0.01"))),
}


def case(of: Type, *wanted: tuple[str, Type], distinct: bool = False, filtered: bool = False) -> tuple[Type, list[Any]]:
    condition = Column(2, BOOLEAN) if filtered else None
    return of, [logical.Aggregation(name, (Column(1, of),), to, distinct, condition) for name, to in wanted]


COUNT_ALL = logical.Aggregation("count", (), BIGINT)
CASES = {
    "int": case(INT, ("count", BIGINT), ("sum", BIGINT), ("avg", DOUBLE)),
    "int spread": case(INT, ("stddev", DOUBLE), ("var_pop", DOUBLE), ("variance", DOUBLE), ("stddev_pop", DOUBLE)),
    "int filtered": case(INT, ("sum", BIGINT), ("median", DOUBLE), ("max", INT), filtered=True),
    "int distinct": case(INT, ("count", BIGINT), ("sum", BIGINT), ("median", DOUBLE), ("min", INT), distinct=True),
    "int filtered distinct": case(INT, ("count", BIGINT), ("avg", DOUBLE), distinct=True, filtered=True),
    "bigint": case(BIGINT, ("sum", BIGINT), ("avg", DOUBLE), ("variance", DOUBLE), ("max", BIGINT)),
    "double": case(DOUBLE, ("sum", DOUBLE), ("avg", DOUBLE), ("max", DOUBLE)),
    "double spread": case(DOUBLE, ("variance", DOUBLE), ("stddev_samp", DOUBLE), ("median", DOUBLE)),
    "double distinct": case(DOUBLE, ("sum", DOUBLE), ("count", BIGINT), distinct=True),
    "decimal": case(decimal(9, 2), ("sum", decimal(19, 2)), ("avg", decimal(13, 6)), ("min", decimal(9, 2))),
    "decimal distinct": case(decimal(9, 2), ("sum", decimal(19, 2)), ("median", DOUBLE), distinct=True),
    "string": case(STRING, ("min", STRING), ("max", STRING), ("count", BIGINT)),
    "string distinct": case(STRING, ("count", BIGINT), distinct=True),
    "date": case(DATE, ("min", DATE), ("max", DATE)),
    "boolean": case(BOOLEAN, ("bool_and", BOOLEAN), ("some", BOOLEAN), ("count_if", BIGINT), ("max", BOOLEAN)),
}


def lowered(of: logical.Aggregation) -> Aggregation:
    arguments = tuple(argument.index for argument in of.arguments if isinstance(argument, Column))
    return Aggregation(of.function, arguments, ARROW[of.of], of.distinct, 2 if of.condition else None)


def definition(keyed: bool, wanted: list[logical.Aggregation]) -> Any:
    def at_once(bag: Bag) -> Bag:
        groups: dict[Any, list[Any]] = {} if keyed else {(): []}
        for row in bag.elements():
            groups.setdefault(row[:1] if keyed else (), []).append(row)
        return Counter((*key, *(aggregate(of, rows) for of in wanted)) for key, rows in groups.items())

    return at_once


def operator(keyed: bool, wanted: list[logical.Aggregation], **more: Any) -> Aggregate:
    types = tuple(ARROW[of.of] for of in wanted)
    return Aggregate(
        (pa.string(), *types) if keyed else types, (0,) if keyed else (), tuple(map(lowered, wanted)), **more
    )


@pytest.mark.parametrize("name", CASES)
@settings(max_examples=50, deadline=None)
@given(data=st.data(), beats=heartbeats(), keyed=st.booleans())
def test_every_instant_is_as_the_reference_says(name: str, data: Any, beats: list[int], keyed: bool) -> None:
    of, wanted = CASES[name]
    wanted = [*wanted, COUNT_ALL]
    rows = data.draw(intervals(st.tuples(KEYS, VALUES[of], FLAGS)))
    check(operator(keyed, wanted), [rows], (pa.string(), ARROW[of], pa.bool_()), beats, definition(keyed, wanted))


@pytest.mark.parametrize("of", [INT, DOUBLE, STRING])
@settings(max_examples=80, deadline=None)
@given(data=st.data(), beats=heartbeats())
def test_extremes_of_what_is_never_taken_back(of: Type, data: Any, beats: list[int]) -> None:
    _, wanted = case(of, ("min", of), ("max", of))
    rows = data.draw(intervals(st.tuples(KEYS, VALUES[of], FLAGS), retracts=False))
    work = operator(True, wanted, retracts=False)
    check(work, [rows], (pa.string(), ARROW[of], pa.bool_()), beats, definition(True, wanted))


@pytest.mark.parametrize("name", [name for name in CASES if "distinct" in name])
@settings(max_examples=60, deadline=None)
@given(data=st.data(), beats=heartbeats(), keyed=st.booleans())
def test_distinct_of_what_is_never_taken_back(name: str, data: Any, beats: list[int], keyed: bool) -> None:
    of, wanted = CASES[name]
    rows = data.draw(intervals(st.tuples(KEYS, VALUES[of], FLAGS), retracts=False))
    work = operator(keyed, wanted, retracts=False)
    check(work, [rows], (pa.string(), ARROW[of], pa.bool_()), beats, definition(keyed, wanted))


@pytest.mark.parametrize("retracts", [True, False])
@settings(max_examples=100, deadline=None)
@given(data=st.data(), beats=heartbeats())
def test_groups_that_share_a_hash_stay_apart(retracts: bool, data: Any, beats: list[int]) -> None:
    rows = data.draw(intervals(st.tuples(KEYS, VALUES[INT], FLAGS), retracts=retracts))
    wanted = [*CASES["int"][1], *CASES["int distinct"][1]]
    proper = keys.hashes
    with pytest.MonkeyPatch.context() as patch:
        for module in (keys, ledger):
            patch.setattr(module, "hashes", lambda columns, length: proper(columns, length) >> 63)
        types = (pa.string(), pa.int32(), pa.bool_())
        check(operator(True, wanted, retracts=retracts), [rows], types, beats, definition(True, wanted))


@settings(max_examples=60, deadline=None)
@given(rows=intervals(st.tuples(KEYS, st.floats(width=32))), beats=heartbeats())
def test_doubles_that_are_no_numbers(rows: Rows, beats: list[int]) -> None:
    """As the reference adds them up; whatever is finite again after they left is exact again."""
    _, wanted = case(DOUBLE, ("sum", DOUBLE), ("avg", DOUBLE), ("max", DOUBLE), ("min", DOUBLE))
    check(operator(True, wanted), [rows], (pa.string(), pa.float64()), beats, definition(True, wanted))


def test_the_group_of_no_key_begins_when_an_instant_is_decided() -> None:
    """Also if tuples came before that, while time stood still."""
    work = operator(False, [COUNT_ALL])
    early = Delta(np.array([12]), np.array([15]), np.array([1]), (pa.array(["a"]), pa.array([1], pa.int32())))
    nothing, state = work.apply([early], work.initial_state(), Span(10, 10), TaskContext.empty())
    found, state = work.apply([empty(early.types)], state, Span(10, 11), TaskContext.empty())
    assert len(nothing) == 0
    assert str(found) == "+ 0 @11.."
    found, _ = work.apply([empty(early.types)], state, Span(11, 13), TaskContext.empty())
    assert str(found) == "+ 1 @12..\n- 0 @12.."


# Worked by hand -----------------------------------------------------------------------------------------------

TWO = (pa.int64(), pa.int64())
SUM = Aggregation("sum", (1,), pa.int64())


def lines(out: Any) -> list[str]:
    return sorted(str(out).split("\n"))


def test_versions_are_rows_and_the_last_is_taken_back_later() -> None:
    """A group has one tuple at each instant, with the sum of its tuples there, and none when it has no tuple."""
    work = Aggregate(TWO, (0,), (SUM,))
    out, state = work.apply(
        [parse("+ 1 4 @0..3\n+ 1 6 @1..9", TWO)], work.initial_state(), Span(-1, 5), TaskContext.empty()
    )
    assert lines(out) == ["+ 1 10 @1..3", "+ 1 4 @0..1", "+ 1 6 @3.."]
    out, state = work.apply([parse("+ 1 0 @7..8", TWO)], state, Span(5, 8), TaskContext.empty())
    assert lines(out) == [""]
    out, state = work.apply([delta([], TWO)], state, Span(8, 20), TaskContext.empty())
    assert lines(out) == ["- 1 6 @9.."]


def test_one_group_is_there_from_the_first_instant() -> None:
    """Without a key there is exactly one row at every instant, also over no tuples: COUNT is then 0, SUM is NULL."""
    work = Aggregate((pa.int64(), pa.int64()), (), (Aggregation("count", (), pa.int64()), SUM))
    out, state = work.apply([delta([], TWO)], work.initial_state(), Span(-1, 4), TaskContext.empty())
    assert lines(out) == ["+ 0 None @0.."]
    out, state = work.apply([parse("+ 1 5 @6..8", TWO)], state, Span(4, 6), TaskContext.empty())
    assert lines(out) == ["+ 1 5 @6..", "- 0 None @6.."]
    out, state = work.apply([delta([], TWO)], state, Span(6, 7), TaskContext.empty())
    assert lines(out) == [""]
    out, state = work.apply([delta([], TWO)], state, Span(7, 9), TaskContext.empty())
    assert lines(out) == ["+ 0 None @8..", "- 1 5 @8.."]


def test_partial_sums_and_counts() -> None:
    """A pre-aggregated row is several tuples of an instant: here 3 that sum up to 10, then 2 without a value."""
    types = (pa.int64(), pa.int64(), pa.int64(), pa.int64())
    wanted = (
        Aggregation("avg", (1,), pa.float64(), counts=2),
        Aggregation("count", (1,), pa.int64(), counts=2),
        Aggregation("count", (), pa.int64(), counts=3),
    )
    work = Aggregate((pa.int64(), pa.float64(), pa.int64(), pa.int64()), (0,), wanted, rows=3)
    rows = parse("+ 1 10 3 3 @0..5\n+ 1 None 0 2 @1..5\n+ 1 2 1 1 @2..5", types)
    out, state = work.apply([rows], work.initial_state(), Span(-1, 3), TaskContext.empty())
    assert lines(out) == ["+ 1 3.0 4 6 @2..", "+ 1 3.3333333333333335 3 3 @0..1", "+ 1 3.3333333333333335 3 5 @1..2"]
    assert lines(work.apply([delta([], types)], state, Span(3, 5), TaskContext.empty())[0]) == ["- 1 3.0 4 6 @5.."]


def test_decimal_without_room_is_null() -> None:
    types = (pa.int64(), pa.decimal128(38, 0))
    work = Aggregate((pa.int64(), pa.decimal128(38, 0)), (0,), (Aggregation("sum", (1,), types[1]),))
    big = Decimal("9" * 38)
    out, _ = work.apply(
        [delta([Interval(0, 9, 1, (1, big)), Interval(1, 2, 1, (1, big))], types)],
        work.initial_state(),
        Span(-1, 5),
        TaskContext.empty(),
    )
    assert [row.as_py() for row in out.columns[1]] == [big, None, big]


def test_a_long_window_over_doubles_of_all_sizes_does_not_drift() -> None:
    chance = random.Random(7)
    values = [chance.uniform(-1, 1) * 10.0 ** chance.randint(-12, 12) for _ in range(3000)]
    rows = [Interval(at, at + 5, 1, (1, value)) for at, value in enumerate(values)]
    types = (pa.int64(), pa.float64())
    wanted = (Aggregation("sum", (1,), pa.float64()), Aggregation("variance", (1,), pa.float64()))
    work = Aggregate((pa.int64(), pa.float64(), pa.float64()), (0,), wanted)
    state, sums = work.initial_state(), {}
    for begin in range(0, 3000, 100):
        batch = delta(rows[begin : begin + 100], types)
        out, state = work.apply([batch], state, Span(begin - 1, begin + 99), TaskContext.empty())
        out = out.where(out.weight > 0)
        sums |= dict(zip(out.start.tolist(), out.columns[1].to_pylist(), strict=True))
    for at in (500, 1234, 2999):
        assert sums[at] == math.fsum(values[at - 4 : at + 1])


def test_intervals_add_up_and_average_half_up() -> None:
    types = (pa.int64(), pa.duration("us"))
    wanted = (
        Aggregation("sum", (1,), types[1]),
        Aggregation("avg", (1,), types[1]),
        Aggregation("min", (1,), types[1]),
    )
    work = Aggregate((pa.int64(), *(types[1],) * 3), (0,), wanted)
    rows = [Interval(0, FOREVER, 1, (1, timedelta(microseconds=at))) for at in (2, 3)]
    out, _ = work.apply([delta(rows, types)], work.initial_state(), Span(-1, 5), TaskContext.empty())
    assert [column[0].as_py() // timedelta(microseconds=1) for column in out.columns[1:]] == [5, 3, 2]


def test_variance_far_from_zero() -> None:
    types = (pa.int64(), pa.float64())
    work = Aggregate(types, (0,), (Aggregation("var_pop", (1,), pa.float64()),))
    rows = [Interval(0, FOREVER, 1, (1, 1e15 + at)) for at in (1, 2, 3, 4)]
    out, _ = work.apply([delta(rows, types)], work.initial_state(), Span(-1, 5), TaskContext.empty())
    assert out.columns[1].to_pylist() == [1.25]


# What is remembered -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("retracts", [True, False])
def test_groups_that_are_gone_are_forgotten(retracts: bool) -> None:
    rows = [Interval(at, at + 3, 1, (str(at), 1, None)) for at in range(2000)]
    wanted = [*CASES["int"][1], *CASES["int distinct"][1], COUNT_ALL]
    work = operator(True, wanted, retracts=retracts)
    _, state = fed(work, [rows], (pa.string(), pa.int32(), pa.bool_()), range(0, 2011, 10))
    assert len(state.ledger.table) < 100
    assert all(len(kept.table) < 100 for kept in state.distinct)
    assert all(len(kept.bag) < 100 for kept in state.values)


def test_extremes_remember_a_few_tuples_of_a_window() -> None:
    chance = random.Random(3)
    rows = [Interval(at, at + 300, 1, ("a", chance.randint(0, 10**6), None)) for at in range(1000)]
    work = operator(True, case(INT, ("max", INT))[1], retracts=False)
    _, state = fed(work, [rows], (pa.string(), pa.int32(), pa.bool_()), range(9, 1000, 10))
    stairs = state.ledger.table.runs[-1].columns[-1]
    assert max(len(each) for each in stairs.to_pylist()) < 30


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(
    ("numbers", "median"),
    [
        ([math.inf, math.inf], math.inf),
        ([-math.inf, math.inf], math.nan),
        ([-math.inf, 1.0, math.inf, math.inf], math.inf),
    ],
)
def test_median_of_infinities_is_quiet(numbers: list[float], median: float) -> None:
    fold = Aggregate((pa.float64(),), (), (Aggregation("median", (0,), pa.float64()),))
    count = len(numbers)
    zeros = np.zeros(count, np.int64)
    rows = Delta(zeros, zeros + FOREVER, zeros + 1, (pa.array(numbers),))
    found, _ = fold.apply([rows], fold.initial_state(), Span(0, 1), TaskContext.empty())
    assert repr(found.columns[0].to_pylist()[-1]) == repr(median)
