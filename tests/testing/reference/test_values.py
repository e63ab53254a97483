"""Expressions and aggregates of the reference, against values worked out by hand or known of Spark SQL."""

from __future__ import annotations

import math
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest

from tailrace.logical.expressions import Aggregation, Call, Column, Expression, Literal
from tailrace.testing.reference.aggregates import aggregate
from tailrace.testing.reference.casts import cast, fits
from tailrace.testing.reference.functions import FUNCTIONS
from tailrace.testing.reference.values import value
from tailrace.types import (
    BIGINT,
    BOOLEAN,
    DATE,
    DOUBLE,
    INT,
    INTERVAL,
    MONTHS,
    STRING,
    TIMESTAMP,
    TINYINT,
    VOID,
    Type,
    array,
    decimal,
    map_of,
    struct,
)
from tests.random_plans.build import call, number, text

TRUE, FALSE, NULL = Literal(True, BOOLEAN), Literal(False, BOOLEAN), Literal(None, BOOLEAN)
DAY = Literal("2024-02-28", DATE)


def known(expression: Expression) -> Any:
    return value(expression, ())


def double(number_: float) -> Literal:
    return Literal(number_, DOUBLE)


def dec(written: str, precision: int = 8, scale: int = 2) -> Literal:
    return Literal(Decimal(written), decimal(precision, scale))


@pytest.mark.parametrize(
    ("left", "right", "both", "one"),
    [
        (TRUE, NULL, None, True),
        (NULL, TRUE, None, True),
        (FALSE, NULL, False, None),
        (NULL, NULL, None, None),
        (TRUE, FALSE, False, True),
    ],
)
def test_three_valued_logic(left: Literal, right: Literal, both: Any, one: Any) -> None:
    assert known(call("and", left, right)) is both
    assert known(call("or", left, right)) is one


@pytest.mark.parametrize(
    ("name", "given", "expected"),
    [
        ("not", NULL, None),
        ("not", TRUE, False),
        ("is null", NULL, True),
        ("is not null", NULL, False),
        ("is true", NULL, False),
        ("is false", NULL, False),
        ("is not false", NULL, True),
        ("is not false", FALSE, False),
    ],
)
def test_logic_of_one(name: str, given: Literal, expected: Any) -> None:
    assert known(call(name, given)) is expected


@pytest.mark.parametrize(
    ("name", "left", "right", "expected"),
    [
        ("=", number(3), double(3.0), True),
        ("=", number(None), number(None), None),
        ("<=>", number(None), number(None), True),
        ("<=>", number(None), number(1), False),
        ("<", number(2), text("10"), True),
        ("<", text("2"), text("10"), False),
        (">=", dec("0.10"), double(0.1), True),
        ("=", double(math.nan), double(math.nan), True),
        (">", double(math.nan), double(1e300), True),
        ("<>", Literal("2024-02-28", DATE), Literal("2024-02-28 00:00:00", TIMESTAMP), False),
    ],
)
def test_comparisons(name: str, left: Literal, right: Literal, expected: Any) -> None:
    assert known(call(name, left, right)) is expected


def test_in_is_an_or_of_equalities() -> None:
    assert known(call("in", number(1), number(2), number(1), number(None))) is True
    assert known(call("in", number(1), number(2), number(None))) is None
    assert known(call("in", number(1), number(2), number(3))) is False
    assert known(call("in", number(None), number(2))) is None


@pytest.mark.parametrize(
    ("name", "left", "right", "of", "expected"),
    [
        ("/", number(-7), number(2), BIGINT, -3),
        ("div", number(7), number(-2), BIGINT, -3),
        ("%", number(-7), number(2), INT, -1),
        ("mod", number(7), number(-2), INT, 1),
        ("/", number(1), number(0), BIGINT, None),
        ("%", number(1), number(0), INT, None),
        ("/", double(1.0), double(0.0), DOUBLE, None),
        ("/", number(7), double(2.0), DOUBLE, 3.5),
        ("+", Literal(127, TINYINT), Literal(1, TINYINT), TINYINT, -128),
        ("+", number(None), number(1), INT, None),
        ("*", dec("1.25"), dec("1.1", 3, 1), decimal(12, 3), Decimal("1.375")),
        ("/", dec("1.00"), dec("3.00"), decimal(19, 11), Decimal("0.33333333333")),
        ("-", DAY, Literal(28, INT), DATE, date(2024, 1, 31)),
        ("+", DAY, Literal("2 DAY", INTERVAL), TIMESTAMP, datetime(2024, 3, 1)),
        ("+", Literal("2024-01-31", DATE), Literal("1 MONTH", MONTHS), DATE, date(2024, 2, 29)),
        ("-", Literal("2024-03-01 10:00:00", TIMESTAMP), Literal("90 MINUTE", INTERVAL), TIMESTAMP,
         datetime(2024, 3, 1, 8, 30)),
        ("-", Literal("2024-03-01 10:00:00", TIMESTAMP), Literal("2024-03-01 09:00:00", TIMESTAMP), INTERVAL,
         timedelta(hours=1)),
        ("&", number(6), number(3), INT, 2),
    ],
)  # fmt: skip
def test_arithmetic(name: str, left: Literal, right: Literal, of: Type, expected: Any) -> None:
    found = known(call(name, left, right, of=of))
    assert (found, type(found)) == (expected, type(expected))


def test_negation_keeps_the_type() -> None:
    assert known(call("negate", dec("2.50"), of=decimal(8, 2))) == Decimal("-2.50")
    assert known(call("~", number(5), of=INT)) == -6


@pytest.mark.parametrize(
    ("given", "source", "target", "expected"),
    [
        (Decimal("-2.99"), decimal(5, 2), INT, -2),
        (2.99, DOUBLE, INT, 2),
        (1e20, DOUBLE, INT, 2**31 - 1),
        (2**31, BIGINT, INT, -(2**31)),
        (" 42 ", STRING, INT, 42),
        ("4x", STRING, INT, None),
        ("", STRING, DOUBLE, None),
        ("1e3", STRING, DOUBLE, 1000.0),
        ("2.345", STRING, decimal(4, 2), Decimal("2.35")),
        ("123.4", STRING, decimal(4, 2), None),
        ("Yes", STRING, BOOLEAN, True),
        (0, INT, BOOLEAN, False),
        (True, BOOLEAN, INT, 1),
        (1.0, DOUBLE, STRING, "1.0"),
        (Decimal("1.50"), decimal(3, 2), STRING, "1.50"),
        (True, BOOLEAN, STRING, "true"),
        (date(2024, 2, 29), DATE, STRING, "2024-02-29"),
        (datetime(2024, 2, 29, 1, 2, 3, 500000), TIMESTAMP, STRING, "2024-02-29 01:02:03.5"),
        (datetime(2024, 2, 29, 1, 2, 3), TIMESTAMP, DATE, date(2024, 2, 29)),
        (datetime(1970, 1, 1, 0, 1), TIMESTAMP, BIGINT, 60),
        ("2024-02-30", STRING, DATE, None),
        (None, INT, STRING, None),
    ],
)
def test_casts(given: Any, source: Type, target: Type, expected: Any) -> None:
    found = cast(given, source, target)
    assert (found, type(found)) == (expected, type(expected))
    assert value(Call("cast", (Column(0, source),), target), (given,)) == expected


@pytest.mark.parametrize(
    ("given", "of", "expected"),
    [
        (1, INT, True),
        (True, INT, False),
        (2**31, INT, False),
        (1, DOUBLE, False),
        (Decimal("1.255"), decimal(4, 2), False),
        (datetime(2024, 1, 1), DATE, False),
        (None, DATE, True),
        (1, VOID, False),
    ],
)
def test_values_that_fit_a_type(given: Any, of: Type, expected: bool) -> None:
    assert fits(given, of) is expected


def test_choices() -> None:
    v = Column(0, INT)
    band = call(
        "case",
        call("<", v, number(0)),
        text("neg"),
        call("<", v, number(20)),
        text("low"),
        text("high"),
        of=STRING,
    )
    assert [value(band, (each,)) for each in (-1, 5, 30, None)] == ["neg", "low", "high", "high"]
    assert known(call("case", FALSE, number(1), Literal(None, VOID), of=INT)) is None
    assert known(call("case", TRUE, number(1), double(0.5), of=DOUBLE)) == 1.0
    assert known(call("coalesce", number(None), number(4), of=INT)) == 4
    assert known(call("nullif", number(4), number(4), of=INT)) is None
    assert known(call("nullif", number(4), number(None), of=INT)) == 4
    assert known(call("if", NULL, number(1), number(2), of=INT)) == 2
    assert known(call("nvl2", number(None), number(1), number(2), of=INT)) == 2
    assert known(call("greatest", number(None), number(3), number(2), of=INT)) == 3
    assert known(call("least", number(None), number(None), of=INT)) is None


@pytest.mark.parametrize(
    ("name", "given", "pattern", "expected"),
    [
        ("like", "stream", "s%m", True),
        ("like", "a.c", "abc", False),
        ("like", "a_c", r"a\_c", True),
        ("like", "abc", r"a\_c", False),
        ("like", "two\nlines", "two%", True),
        ("ilike", "Stream", "S_REAM", True),
        ("rlike", "stream", "tr.a", True),
        ("rlike", "stream", "^t", False),
        ("like", None, "%", None),
    ],
)
def test_patterns(name: str, given: str | None, pattern: str, expected: Any) -> None:
    assert known(call(name, text(given), text(pattern))) is expected


def test_escape_names_its_own_sign() -> None:
    assert known(call("escape", text("50%"), text("50!%"), text("!"))) is True
    assert known(call("escape", text("500"), text("50!%"), text("!"))) is False


@pytest.mark.parametrize(
    ("name", "arguments", "of", "expected"),
    [
        ("upper", [text("Bonn")], STRING, "BONN"),
        ("length", [text("Bonn")], INT, 4),
        ("substring", [text("Bonn"), number(2), number(2)], STRING, "on"),
        ("concat", [text("a"), number(3), text("b")], STRING, "a3b"),
        ("concat", [text("a"), text(None)], STRING, None),
        ("||", [text("a"), text("b")], STRING, "ab"),
        ("concat_ws", [text("-"), text("a"), text(None), text("b")], STRING, "a-b"),
        ("trim", [text("  x ")], STRING, "x"),
        ("lpad", [text("7"), number(3), text("0")], STRING, "007"),
        ("round", [double(2.5)], DOUBLE, 3.0),
        ("round", [double(-2.5)], DOUBLE, -3.0),
        ("round", [double(1.005), number(2)], DOUBLE, 1.01),
        ("round", [dec("2.345", 4, 3), number(2)], decimal(4, 2), Decimal("2.35")),
        ("round", [number(15), number(-1)], INT, 20),
        ("floor", [double(-1.5)], BIGINT, -2),
        ("ceil", [double(-1.5)], BIGINT, -1),
        ("abs", [number(-4)], INT, 4),
        ("sqrt", [double(9.0)], DOUBLE, 3.0),
        ("power", [number(2), number(10)], DOUBLE, 1024.0),
        ("ln", [double(0.0)], DOUBLE, None),
        ("pmod", [number(-7), number(3)], INT, 2),
        ("year", [DAY], INT, 2024),
        ("month", [Literal("2024-12-01 23:00:00", TIMESTAMP)], INT, 12),
        ("date_add", [DAY, number(2)], DATE, date(2024, 3, 1)),
        ("date_sub", [Literal("2024-03-01 10:00:00", TIMESTAMP), number(1)], DATE, date(2024, 2, 29)),
        ("datediff", [DAY, text("2024-02-26")], INT, 2),
        ("last_day", [DAY], DATE, date(2024, 2, 29)),
        ("extract", [text("HOUR"), Literal("2024-03-01 10:20:30", TIMESTAMP)], INT, 10),
        ("extract", [text("SECOND"), Literal("2024-03-01 10:20:30.25", TIMESTAMP)], decimal(8, 6),
         Decimal("30.25")),
    ],
)  # fmt: skip
def test_functions(name: str, arguments: list[Expression], of: Type, expected: Any) -> None:
    found = known(call(name, *arguments, of=of))
    assert (found, type(found)) == (expected, type(expected))


def test_parts_of_nested_values() -> None:
    row = ((1, 2), (("a", 5),), (7, "x"))
    numbers, by_name = Column(0, array(INT)), Column(1, map_of(STRING, INT))
    pair = Column(2, struct(("Id", INT), ("s", STRING)))
    assert value(call("item", numbers, number(1), of=INT), row) == 2
    assert value(call("item", numbers, number(2), of=INT), row) is None
    assert value(call("item", by_name, text("a"), of=INT), row) == 5
    assert value(call("item", by_name, text("b"), of=INT), row) is None
    assert value(call("field", pair, text("id"), of=INT), row) == 7


def test_what_is_missing_says_so() -> None:
    with pytest.raises(NotImplementedError, match="soundex"):
        known(call("soundex", text("x"), of=STRING))
    assert "soundex" not in FUNCTIONS


NUMBERS = [(4, True), (1, False), (None, None), (4, True), (3, None)]


@pytest.mark.parametrize(
    ("function", "of", "distinct", "expected"),
    [
        ("count", BIGINT, False, 4),
        ("count", BIGINT, True, 3),
        ("sum", BIGINT, False, 12),
        ("sum", BIGINT, True, 8),
        ("avg", DOUBLE, False, 3.0),
        ("avg", decimal(14, 4), True, Decimal("2.6667")),
        ("min", INT, False, 1),
        ("max", INT, False, 4),
        ("var_samp", DOUBLE, False, 2.0),
        ("var_pop", DOUBLE, False, 1.5),
        ("stddev", DOUBLE, False, math.sqrt(2)),
        ("stddev_pop", DOUBLE, False, math.sqrt(1.5)),
        ("median", DOUBLE, False, 3.5),
        ("median", DOUBLE, True, 3.0),
    ],
)
def test_aggregates(function: str, of: Type, distinct: bool, expected: Any) -> None:
    found = aggregate(Aggregation(function, (Column(0, INT),), of, distinct), NUMBERS)
    assert (found, type(found)) == (expected, type(expected))


def test_aggregates_of_truth() -> None:
    truth = (Column(1, BOOLEAN),)
    assert aggregate(Aggregation("count_if", truth, BIGINT), NUMBERS) == 2
    assert aggregate(Aggregation("bool_and", truth, BOOLEAN), NUMBERS) is False
    assert aggregate(Aggregation("bool_or", truth, BOOLEAN), NUMBERS) is True
    assert aggregate(Aggregation("bool_and", truth, BOOLEAN), []) is None


def test_aggregates_of_nothing_and_of_one() -> None:
    column = (Column(0, INT),)
    assert aggregate(Aggregation("count", (), BIGINT), []) == 0
    assert aggregate(Aggregation("count", (), BIGINT), [(None,)]) == 1
    assert aggregate(Aggregation("count", column, BIGINT), [(None,)]) == 0
    for function in ("sum", "avg", "min", "max", "median", "var_pop"):
        assert aggregate(Aggregation(function, column, DOUBLE), [(None,)]) is None
    assert aggregate(Aggregation("stddev", column, DOUBLE), [(5,)]) is None
    assert aggregate(Aggregation("stddev_pop", column, DOUBLE), [(5,)]) == 0.0


def test_filter_and_several_arguments() -> None:
    column, truth = Column(0, INT), Column(1, BOOLEAN)
    assert aggregate(Aggregation("sum", (column,), BIGINT, condition=truth), NUMBERS) == 8
    assert aggregate(Aggregation("count", (column, truth), BIGINT), NUMBERS) == 3
    assert aggregate(Aggregation("count", (column, truth), BIGINT, distinct=True), NUMBERS) == 2
