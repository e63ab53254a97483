"""Functions and aggregates from Python, on columns, in groups and through whole queries."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, date, datetime
from decimal import Decimal
from random import Random
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyspark import cloudpickle

from tailrace.catalog.user_functions import UserAggregate, UserFunction, UserFunctions
from tailrace.columnar.arrow_types import arrow_type
from tailrace.columnar.evaluate import can_evaluate, evaluate
from tailrace.engine.pipeline import compile_script
from tailrace.errors import RunError, Source
from tailrace.logical import expressions as logical
from tailrace.logical.expressions import Call, Column, Expression, Literal, UserCall
from tailrace.operators.aggregates.aggregation import Aggregation
from tailrace.operators.relational.aggregate import Aggregate
from tailrace.testing.reference.aggregates import aggregate
from tailrace.testing.reference.evaluate import evaluate as by_definition
from tailrace.types import BIGINT, BOOLEAN, DATE, DOUBLE, INT, STRING, TIMESTAMP, Type, array, decimal, map_of, struct
from tests.operators.bags import Bag, Interval, Rows, bag_at, check, fed, heartbeats, intervals
from tests.operators.local import answered, differences
from tests.random_plans.python_functions import AGGREGATES, FUNCTIONS, function, user_aggregate

# Scalar functions ---------------------------------------------------------------------------------------------


def scalar(call: Any, returns: str, vectorised: bool = False) -> UserFunction:
    (found,) = UserFunctions().function("f", call, returns, vectorised=vectorised).entries
    assert isinstance(found, UserFunction)
    return found


def on(call: Any, returns: str, *columns: tuple[list[Any], Type], vectorised: bool = False) -> list[Any]:
    arguments = tuple(Column(index, of) for index, (_, of) in enumerate(columns))
    expression = UserCall(scalar(call, returns, vectorised), arguments)
    arrays = [pa.array(values, arrow_type(of)) for values, of in columns]
    assert can_evaluate(expression)
    return evaluate(expression, arrays, len(arrays[0])).to_pylist()


def message(call: Any, returns: str, *columns: tuple[list[Any], Type], vectorised: bool = False) -> str:
    with pytest.raises(RunError) as caught:
        on(call, returns, *columns, vectorised=vectorised)
    assert caught.value.__context__ is None or caught.value.__suppress_context__, "no traceback of the user's code"
    return str(caught.value)


def test_row_by_row_with_null_as_none() -> None:
    assert on(lambda x, y: y if x is None else x + 1, "INT", ([1, None], INT), ([5, 6], INT)) == [2, 6]


def test_values_are_those_of_python() -> None:
    seen: list[Any] = []
    at = datetime(2024, 1, 2, 3, tzinfo=UTC)
    money, things = decimal(8, 2), struct(("p", INT), ("q", array(STRING)))
    given: list[tuple[list[Any], Type]] = [
        ([date(2024, 1, 2)], DATE),
        ([at], TIMESTAMP),
        ([Decimal("1.50")], money),
        ([[("a", 1)]], map_of(STRING, INT)),
        ([{"p": 1, "q": ["x", None]}], things),
    ]
    on(lambda *values: seen.append(values), "INT", *given)
    assert seen == [(date(2024, 1, 2), at, Decimal("1.50"), {"a": 1}, {"p": 1, "q": ["x", None]})]


@pytest.mark.parametrize(
    ("returns", "value", "expected"),
    [
        ("INT", np.int64(3), 3),
        ("DOUBLE", 3, 3.0),
        ("DOUBLE", 2**70, 2.0**70),
        ("DECIMAL(8,2)", 3, Decimal("3.00")),
        ("BOOLEAN", np.bool_(True), True),
        ("TIMESTAMP", datetime(2024, 1, 1), datetime(2024, 1, 1, tzinfo=UTC)),
        ("ARRAY<INT>", (1, None), [1, None]),
        ("MAP<STRING, INT>", {"a": None}, [("a", None)]),
        ("STRUCT<p: INT, q: STRING>", {"q": "x"}, {"p": None, "q": "x"}),
        ("STRUCT<p: INT, q: STRING>", (1, "x"), {"p": 1, "q": "x"}),
    ],
)
def test_what_fits(returns: str, value: Any, expected: Any) -> None:
    assert on(lambda x: value, returns, ([1], INT)) == [expected]


@pytest.mark.parametrize(
    ("returns", "value"),
    [
        ("INT", 1.5),
        ("INT", 1.0),
        ("INT", "1"),
        ("INT", True),
        ("INT", 2**31),
        ("BIGINT", 2**63),
        ("DOUBLE", "1.5"),
        ("DOUBLE", 10**400),
        ("STRING", 5),
        ("STRING", b"x"),
        ("BINARY", "x"),
        ("BOOLEAN", 1),
        ("DATE", datetime(2024, 1, 1)),
        ("TIMESTAMP", date(2024, 1, 1)),
        ("DECIMAL(4,2)", Decimal("1.234")),
        ("DECIMAL(4,2)", Decimal("123.4")),
        ("DECIMAL(4,2)", Decimal("NaN")),
        ("DECIMAL(4,2)", 1.5),
        ("ARRAY<INT>", [1, "x"]),
        ("ARRAY<STRING>", "xy"),
        ("MAP<STRING, INT>", {1: 1}),
        ("STRUCT<p: INT>", {"q": 1}),
        ("STRUCT<p: INT>", (1, 2)),
        ("INT", object),
    ],
)
def test_what_does_not_fit(returns: str, value: Any) -> None:
    found = message(lambda x: value if x == 7 else None, returns, ([1, 7], INT))
    declared = str(scalar(abs, returns).returns)
    shown = repr(value) if len(repr(value)) <= 80 else repr(value)[:79] + "…"
    assert found == f"f(7) gave {shown}, which is no {declared}"


def test_an_exception_is_one_message() -> None:
    assert message(lambda x, t: 1 // x, "INT", ([1, 0], INT), (["a", "b\nc"], STRING)) == (
        "f(0, 'b\\nc') failed: ZeroDivisionError: integer division or modulo by zero"
    )
    with pytest.raises(RunError) as caught:
        on(lambda x: x + 1, "INT", ([None], INT))
    assert caught.value.hint == "NULL comes as None"


def test_long_arguments_are_cut() -> None:
    found = message(lambda x: [][0], "INT", (["x" * 500], STRING))
    assert len(found) < 150
    assert found.endswith("…) failed: IndexError: list index out of range")


def test_whole_arrays() -> None:
    assert on(lambda x: pc.add(x, 1), "BIGINT", ([1, None], INT), vectorised=True) == [2, None]
    assert on(lambda x: pa.chunked_array([x]), "INT", ([1, None], INT), vectorised=True) == [1, None]


def test_whole_arrays_that_are_wrong() -> None:
    def wrong(call: Any, returns: str = "INT") -> str:
        return message(call, returns, ([1, 0], INT), vectorised=True)

    assert wrong(lambda x: [1, 2]) == "f(int32) gave a list, not an Arrow array"
    assert wrong(lambda x: x.slice(1)) == "f(int32) gave 1 values for 2 rows"
    assert wrong(lambda x: pa.array(["a", "b"])).startswith("f(int32) gave string, which is no INT: ")
    assert wrong(lambda x: pc.divide(pa.scalar(1), x)) == "f(0) failed: ArrowInvalid: divide by zero"
    assert wrong(lambda x: x[5]) == "f(1) failed: IndexError: index out of bounds"


def test_constants_are_computed_once_and_not_for_nobody() -> None:
    asked: list[int] = []
    call = UserCall(scalar(lambda x: asked.append(x) or x, "INT"), (Literal(3, INT),))  # type: ignore[func-returns-value]
    assert evaluate(call, [], 4).to_pylist() == [3, 3, 3, 3]
    assert evaluate(call, [], 0).to_pylist() == []
    assert asked == [3]
    assert evaluate(UserCall(scalar(lambda: 5, "INT"), ()), [], 2).to_pylist() == [5, 5]


def test_a_condition_keeps_tuples_from_a_function() -> None:
    x = Column(0, INT, "x")
    inverse = UserCall(scalar(lambda value: 1.0 / value, "DOUBLE"), (x,))
    nonzero, large = Call("<>", (x, Literal(0, INT)), BOOLEAN), Call(">", (inverse, Literal(0.4, DOUBLE)), BOOLEAN)
    is_zero = Call("=", (x, Literal(0, INT)), BOOLEAN)
    half = Call("case", (is_zero, Literal(0.5, DOUBLE), Literal(None, DOUBLE)), DOUBLE)
    cases: list[tuple[Expression, list[Any]]] = [
        (Call("case", (nonzero, inverse, Literal(None, DOUBLE)), DOUBLE), [1.0, None, 0.5, 0.25]),
        (Call("if", (is_zero, Literal(9.0, DOUBLE), inverse), DOUBLE), [1.0, 9.0, 0.5, 0.25]),
        (Call("coalesce", (half, inverse), DOUBLE), [1.0, 0.5, 0.5, 0.25]),
        (Call("nvl2", (half, half, inverse), DOUBLE), [1.0, 0.5, 0.5, 0.25]),
        (Call("and", (nonzero, large), BOOLEAN), [True, False, True, False]),
        (Call("or", (is_zero, large), BOOLEAN), [True, True, True, False]),
        (Call("and", (Literal(None, BOOLEAN), nonzero, large), BOOLEAN), [None, False, None, False]),
    ]
    for expression, expected in cases:
        assert evaluate(expression, [pa.array([1, 0, 2, 4], pa.int32())], 4).to_pylist() == expected


# Aggregates ---------------------------------------------------------------------------------------------------

KEYS = st.sampled_from([None, "a", "b"])
ROWS = st.tuples(
    KEYS,
    st.sampled_from([None, 0, 1, 2, -3]),
    st.sampled_from([None, "x", "y"]),
    st.sampled_from([None, True, True, False]),
)
TYPES = (pa.string(), pa.int32(), pa.string(), pa.bool_())
PLACES = {INT: 1, STRING: 2}


def wanted(user: UserAggregate, types: tuple[Type, ...], distinct: bool, filtered: bool) -> logical.Aggregation:
    arguments = tuple(Column(PLACES[of], of) for of in types)
    condition = Column(3, BOOLEAN) if filtered else None
    return logical.Aggregation(user.name.lower(), arguments, user.returns, distinct, condition, user)


def lowered(of: logical.Aggregation) -> Aggregation:
    arguments = tuple(argument.index for argument in of.arguments if isinstance(argument, Column))
    filter = 3 if of.condition else None
    return Aggregation(of.function, arguments, arrow_type(of.of), of.distinct, filter, user=of.user)


def operator(keyed: bool, several: list[logical.Aggregation]) -> Aggregate:
    types = tuple(arrow_type(of.of) for of in several)
    own = tuple(map(lowered, several))
    return Aggregate((pa.string(), *types) if keyed else types, (0,) if keyed else (), own)


def definition(keyed: bool, several: list[logical.Aggregation]) -> Any:
    def at_once(bag: Bag) -> Bag:
        groups: dict[Any, list[Any]] = {} if keyed else {(): []}
        for row in bag.elements():
            groups.setdefault(row[:1] if keyed else (), []).append(row)
        return Counter((*key, *(aggregate(of, rows) for of in several)) for key, rows in groups.items())

    return at_once


@settings(max_examples=150, deadline=None)
@given(rows=intervals(ROWS), beats=heartbeats(), keyed=st.booleans(), distinct=st.booleans(), filtered=st.booleans())
def test_every_instant_is_as_the_reference_says(
    rows: Rows, beats: list[int], keyed: bool, distinct: bool, filtered: bool
) -> None:
    several = [wanted(*each, distinct, filtered) for each in AGGREGATES]
    several.append(logical.Aggregation("max", (Column(1, INT),), INT))
    check(operator(keyed, several), [rows], TYPES, beats, definition(keyed, several))


class Drifting:
    """A sum of doubles that depends on the order of its tuples."""

    returns = "DOUBLE"

    def __init__(self) -> None:
        self.sum = 0.0

    def add(self, value: float) -> None:
        self.sum += value

    def remove(self, value: float) -> None:
        self.sum -= value

    def result(self) -> float:
        return self.sum


def test_what_was_sent_is_taken_back_to_the_last_digit() -> None:
    (user,) = UserFunctions().aggregate("drifting", Drifting).entries
    assert isinstance(user, UserAggregate)
    chance = Random(5)
    rows = [
        Interval(at, at + chance.randrange(1, 6), 1, (chance.choice("ab"), chance.uniform(-1, 1) * 10.0 ** (at % 17)))
        for at in range(60)
    ]
    work = Aggregate((pa.string(), pa.float64()), (0,), (Aggregation("drifting", (1,), pa.float64(), user=user),))
    for beats in ([*range(80)], [*range(0, 80, 7), 80], [80]):
        found, _ = fed(work, [rows], (pa.string(), pa.float64()), beats)
        # A group has one version at a time, and nothing is left over once all are gone.
        for instant in range(81):
            keys = [key for key, _ in bag_at(found, instant)]
            assert set(bag_at(found, instant).values()) <= {1}
            assert len(keys) == len(set(keys))
        assert not keys


def test_groups_that_are_gone_are_forgotten() -> None:
    rows = [Interval(at, at + 3, 1, (str(at), 1, "x", None)) for at in range(500)]
    several = [wanted(*each, False, False) for each in AGGREGATES]
    _, state = fed(operator(True, several), [rows], TYPES, range(0, 511, 10))
    assert len(state.ledger.table) < 100
    assert all(len(kept.bag) < 100 for kept in state.values)


class Broken:
    returns = "INT"

    def __init__(self) -> None:
        self.seen: list[int] = []

    def add(self, value: int) -> None:
        if value == 13:
            raise ValueError("unlucky")
        self.seen.append(value)

    def remove(self, value: int) -> None:
        raise KeyError(value)

    def result(self) -> Any:
        if not self.seen:
            raise ValueError("nothing")
        return "x" if self.seen == [1] else sum(self.seen)


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ([Interval(0, 9, 1, ("a", 13))], "broken.add(13) failed: ValueError: unlucky"),
        ([Interval(0, 3, 1, ("a", 2)), Interval(0, 9, 1, ("a", 3))], "broken.remove(2) failed: KeyError: 2"),
        ([Interval(0, 9, 1, ("a", 1))], "broken.result() gave 'x', which is no INT"),
        ([Interval(0, 9, 1, ("a", None))], "broken.result() failed: ValueError: nothing"),
    ],
)
def test_what_an_aggregate_does_wrong_is_one_message(rows: Rows, expected: str) -> None:
    (user,) = UserFunctions().aggregate("broken", Broken).entries
    assert isinstance(user, UserAggregate)
    work = Aggregate((pa.string(), pa.int32()), (0,), (Aggregation("broken", (1,), pa.int32(), user=user),))
    with pytest.raises(RunError) as caught:
        fed(work, [rows], (pa.string(), pa.int32()), [5])
    assert str(caught.value) == expected


# Whole queries ------------------------------------------------------------------------------------------------

SOURCES = "CREATE STREAM S (k INT, v INT, name STRING) TIMESTAMP BY ts; CREATE STREAM T (k INT, w INT) TIMESTAMP BY ts;"
INPUTS = {
    "S": [(0, (1, 2, "a")), (1, (1, 3, "b")), (1, (2, 0, None)), (3, (2, 5, "a")), (4, (3, 1, ""))],
    "T": [(0, (1, 4)), (2, (1, 6)), (2, (2, 0)), (5, (1, 2))],
}


@pytest.mark.parametrize(
    "query",
    [
        "SELECT Mixed(k, v) AS m, TAGGED(name, v) AS t FROM S WHERE is_odd(v)",
        "SELECT k, spread(v) AS s, product_of(v) AS p, texts(name, v) AS t FROM S [RANGE 2] GROUP BY k",
        "SELECT product_of(DISTINCT mixed(v, k)) FILTER (WHERE is_odd(k)) AS p FROM S [RANGE 1]",
        "SELECT k FROM S [RANGE 3] GROUP BY k HAVING spread(v) > 0",
        "SELECT S.k, w FROM S [RANGE 2], T [RANGE 2] WHERE mixed(S.k, 0) = mixed(T.k, 0) AND is_odd(v + w)",
        "SELECT k, (SELECT product_of(w) FROM T [RANGE 1] WHERE T.k = S.k) AS p FROM S [RANGE 2]",
        "SELECT k, CASE WHEN v <> 0 THEN mixed(v, 1) ELSE -1 END AS c FROM S [NOW]",
    ],
)
def test_queries_answer_as_defined(query: str) -> None:
    plan = compile_script(Source(f"{SOURCES} CREATE QUERY q AS {query};"), functions=FUNCTIONS).final_plans["q"]
    expected = by_definition(plan, INPUTS, 6)
    assert any(expected.bags)
    for beats in ([6], [0, 1, 2, 3, 4, 5, 6], [2, 6]):
        assert differences(answered(plan, INPUTS, beats, Random(1)), expected) == []


def test_functions_travel_to_workers() -> None:
    """As Spark pickles them: expressions and aggregations with what they call."""

    class Local:
        returns = "INT"

        def __init__(self) -> None:
            self.count = 0

        def add(self, value: int) -> None:
            self.count += value

        def result(self) -> int:
            return self.count

    factor = 3
    (user,) = UserFunctions().aggregate("local", Local).entries
    assert isinstance(user, UserAggregate)
    call = UserCall(scalar(lambda x: x * factor, "INT"), (Column(0, INT),))
    work = Aggregate((pa.int32(),), (), (Aggregation("local", (0,), pa.int32(), user=user),))
    there = cloudpickle.loads(cloudpickle.dumps((call, work)))
    assert there == (call, work)
    assert evaluate(there[0], [pa.array([2], pa.int32())], 1).to_pylist() == [6]
    found, _ = fed(there[1], [[Interval(0, 9, 2, (4,))]], (pa.int32(),), [5])
    assert [row.row for row in found] == [(8,)]


def test_the_same_function_twice_is_computed_once() -> None:
    one = UserCall(function("mixed"), (Column(0, INT), Column(1, INT)))
    assert one == UserCall(function("MIXED"), (Column(0, INT, "k"), Column(1, INT, "v")))
    assert user_aggregate("spread").returns == BIGINT
