"""Expressions on Arrow columns, against the naive reference on random ones and against values worked out by hand."""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from random import Random
from typing import Any

import pyarrow as pa
import pytest

from tailrace.columnar.arrow_types import arrow_type
from tailrace.columnar.evaluate import can_evaluate, evaluate
from tailrace.columnar.functions.decimals import quotient
from tailrace.logical.expressions import Call, Column, Expression, Lambda, Literal, Variable
from tailrace.logical.text.expression_text import text_of
from tailrace.testing.reference.values import value
from tailrace.types import (
    BIGINT,
    BINARY,
    BOOLEAN,
    DATE,
    DOUBLE,
    FLOAT,
    INT,
    INTERVAL,
    MONTHS,
    STRING,
    TIMESTAMP,
    TIMESTAMP_NTZ,
    TINYINT,
    VOID,
    Type,
    arithmetic,
    array,
    decimal,
    map_of,
    struct,
)

MONEY = decimal(8, 2)
ROWS = 40
COUNTS = [0, 1, -1, 2, 3, -7, 10, 2**31 - 1, -(2**31), None]
TEXTS = ["", "a", "ab", " Ab ", "äöß", "日本", "ΑΣ", "12", "a%b", "ba\n", None]
VALUES: dict[Type, list[Any]] = {
    BOOLEAN: [True, False, None],
    TINYINT: [0, 1, -1, 127, -128, None],
    INT: COUNTS,
    BIGINT: [*COUNTS, 2**63 - 1, -(2**63), 10**12],
    DOUBLE: [0.0, -0.0, 1.5, -2.5, 1.005, 0.285, 1e9, math.nan, math.inf, None],
    MONEY: [*map(Decimal, ("0.00", "0.01", "-2.50", "0.05", "999999.99", "-7.00")), None],
    STRING: TEXTS,
    DATE: [*map(date.fromisoformat, ("1970-01-01", "2024-02-29", "2023-12-31", "1969-12-31", "2000-01-31")), None],
    TIMESTAMP: [datetime(2024, 2, 29, 23, 59, 59, 999999), datetime(1969, 12, 31, 1, 2, 3), datetime(2000, 1, 1), None],
    TIMESTAMP_NTZ: [datetime(2024, 2, 29, 23, 59, 59, 5), None],
}
SCHEMA = tuple(type for type in VALUES for _ in range(2))

# Calls by their results: a name, and the types or constants of its arguments.
Given = Type | Literal
CALLS: dict[Type, list[tuple[str, tuple[Given, ...]]]] = {
    BOOLEAN: [
        *((sign, (of, of)) for sign in ("=", "<>", "<", "<=", ">", ">=", "<=>") for of in VALUES),
        *(("in", (of, of, of)) for of in VALUES),
        *((name, (of,)) for name in ("is null", "is not null") for of in VALUES),
        *((name, (BOOLEAN,)) for name in ("not", "is true", "is false", "is not false")),
        *((name, (BOOLEAN, BOOLEAN)) for name in ("and", "or", "and", "or")),
        *((name, (STRING, Literal("a", STRING))) for name in ("startswith", "endswith", "contains")),
        *(("like", (STRING, Literal(pattern, STRING))) for pattern in ("a%", "_", "%b_", "a\\%%")),
        ("cast", (INT,)),
    ],
    TINYINT: [*((sign, (TINYINT, TINYINT)) for sign in "+-*%&|^"), ("cast", (INT,)), ("~", (TINYINT,))],
    INT: [
        *((sign, (INT, INT)) for sign in "+-*%&|^"),
        *((name, (INT, INT)) for name in ("mod", "greatest", "least", "nullif")),
        *((name, (DATE,)) for name in ("year", "month", "day", "quarter", "dayofweek", "dayofyear", "weekday")),
        *((name, (TIMESTAMP,)) for name in ("hour", "minute", "second", "year", "day")),
        *((name, (STRING,)) for name in ("length", "ascii")),
        *(("extract", (Literal(unit, STRING), TIMESTAMP)) for unit in ("YEAR", "MONTH", "HOUR")),
        *(("cast", (of,)) for of in (BIGINT, TINYINT, MONEY, BOOLEAN, STRING)),
        *(("negate", (INT,)), ("datediff", (DATE, DATE)), ("instr", (STRING, Literal("b", STRING))), ("~", (INT,))),
    ],
    BIGINT: [
        *((sign, (BIGINT, BIGINT)) for sign in ("+", "-", "*", "%", "div")),
        *(("cast", (of,)) for of in (INT, MONEY, STRING, TIMESTAMP, BOOLEAN)),
    ],
    DOUBLE: [
        *((sign, (DOUBLE, DOUBLE)) for sign in ("+", "-", "*", "/", "/")),
        *(("round", (DOUBLE, Literal(places, INT))) for places in (0, 1, 2)),
        *(("cast", (of,)) for of in (INT, BIGINT, MONEY)),
        *(("sqrt", (DOUBLE,)), ("abs", (DOUBLE,)), ("negate", (DOUBLE,))),
    ],
    MONEY: [
        *(("cast", (of,)) for of in (INT, decimal(12, 4))),
        *(("negate", (MONEY,)), ("abs", (MONEY,)), ("greatest", (MONEY, MONEY))),
    ],
    decimal(12, 4): [("cast", (MONEY,))],
    decimal(7, 0): [("ceil", (MONEY,)), ("floor", (MONEY,))],
    STRING: [
        *((name, (STRING,)) for name in ("upper", "lower", "trim", "ltrim", "rtrim", "reverse")),
        *(("substring", (STRING, Literal(at, INT), Literal(count, INT))) for at in (0, 2, -2) for count in (0, 1, 3)),
        *((name, (STRING, Literal(2, INT))) for name in ("left", "right", "repeat")),
        *((name, (STRING, Literal(4, INT), Literal("-ä", STRING))) for name in ("lpad", "rpad")),
        *(("cast", (of,)) for of in (INT, BIGINT, BOOLEAN, MONEY, DATE, TIMESTAMP)),
        *(("||", (STRING, STRING)), ("concat_ws", (Literal(",", STRING), STRING, STRING))),
        ("replace", (STRING, Literal("a", STRING), Literal("ß", STRING))),
    ],
    DATE: [
        *((name, (DATE, Literal(count, INT))) for name in ("date_add", "date_sub", "add_months") for count in (1, -13)),
        *(("cast", (TIMESTAMP,)), ("last_day", (DATE,)), ("-", (DATE, Literal(40, INT)))),
        ("+", (DATE, Literal("13 MONTH", MONTHS))),
    ],
    TIMESTAMP: [
        *((sign, (TIMESTAMP, Literal("36 HOUR", INTERVAL))) for sign in "+-"),
        *(("cast", (DATE,)), ("-", (TIMESTAMP, Literal("1 MONTH", MONTHS)))),
    ],
    TIMESTAMP_NTZ: [("+", (TIMESTAMP_NTZ, Literal("90 SECOND", INTERVAL)))],
    INTERVAL: [("-", (TIMESTAMP, TIMESTAMP))],
}


class Draw:
    """Draws typed expressions over the columns of SCHEMA, and rows for them."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)

    def rows(self) -> list[tuple[Any, ...]]:
        return [tuple(self.random.choice(VALUES[type]) for type in SCHEMA) for _ in range(ROWS)]

    def leaf(self, of: Type) -> Expression:
        columns = [Column(at, of, f"c{at}") for at, type in enumerate(SCHEMA) if type == of]
        if columns and self.random.random() < 0.8:
            return self.random.choice(columns)
        kept = self.random.choice(VALUES.get(of, [None]))
        return Literal(str(kept) if isinstance(kept, date) else kept, of)

    def expression(self, of: Type, depth: int) -> Expression:
        if depth == 0 or self.random.random() < 0.2:
            return self.leaf(of) if of in VALUES else Literal(None, of)
        if self.random.random() < 0.15:
            return self.chosen(of, depth - 1)
        if of == MONEY and self.random.random() < 0.5:
            return self.computed(depth - 1)
        name, given = self.random.choice(CALLS[of])
        return Call(name, tuple(self.argument(each, depth - 1) for each in given), of)

    def argument(self, given: Given, depth: int) -> Expression:
        return given if isinstance(given, Literal) else self.expression(given, depth)

    def computed(self, depth: int) -> Expression:
        """Arithmetic of decimals, brought back to MONEY."""
        left, right = (self.expression(self.random.choice([MONEY, MONEY, INT]), depth) for _ in range(2))
        if left.type == right.type == INT:
            left = Call("cast", (left,), MONEY)
        sign = self.random.choice(["+", "-", "*", "/", "%"])
        of = arithmetic(sign, left.type, right.type)
        assert of is not None
        return Call("cast", (Call(sign, (left, right), of),), MONEY)

    def chosen(self, of: Type, depth: int) -> Expression:
        one, other = (self.expression(of, depth) for _ in range(2))
        condition = self.expression(BOOLEAN, depth)
        return self.random.choice(
            [
                Call("coalesce", (one, other), of),
                Call("case", (condition, one, other), of),
                Call("if", (condition, one, other), of),
            ]
        )


def arrow(values: Sequence[Any], type: Type) -> pa.Array:
    """The values as a slice out of the middle of a longer array, as operators pass them."""
    zoned = [each.replace(tzinfo=UTC) if type == TIMESTAMP and each is not None else each for each in values]
    return pa.array([None, *zoned, None], arrow_type(type)).slice(1, len(values))


def plain(each: Any) -> Any:
    """A value as the reference writes it."""
    return each.replace(tzinfo=None) if isinstance(each, datetime) else each


def alike(one: Any, other: Any) -> bool:
    if isinstance(one, float) and isinstance(other, float) and math.isnan(one):
        return math.isnan(other)
    return one == other and type(one) is type(other)


@pytest.mark.parametrize("seed", range(30))
def test_as_the_reference(seed: int) -> None:
    draw = Draw(seed)
    rows = draw.rows()
    columns = [arrow(values, type) for values, type in zip(zip(*rows, strict=True), SCHEMA, strict=True)]
    for _ in range(40):
        expression = draw.expression(draw.random.choice(list(CALLS)), depth=3)
        assert can_evaluate(expression), text_of(expression)
        try:
            expected = [value(expression, row) for row in rows]
        except OverflowError:  # Python's dates end where Spark's do not
            continue
        found = evaluate(expression, columns, ROWS)
        assert found.type == arrow_type(expression.type)
        wrong = [
            f"{text_of(expression)} is {plain(ours)!r}, not {theirs!r}, for {row}"
            for ours, theirs, row in zip(found.to_pylist(), expected, rows, strict=True)
            if not alike(plain(ours), theirs)
        ]
        assert wrong == []


# Examples -------------------------------------------------------------------------------------------------


def column(type: Type) -> Column:
    return Column(0, type, "x")


def results(expression: Expression, values: Sequence[Any]) -> list[Any]:
    """The expression on a single column."""
    types = [part.of for part in _columns(expression)]
    found = evaluate(expression, [arrow(values, types[0])], len(values))
    return [plain(each) for each in found.to_pylist()]


def _columns(expression: Expression) -> list[Column]:
    own = [expression] if isinstance(expression, Column) else []
    return own + [part for child in expression.children for part in _columns(child)]


def call(name: str, *arguments: Expression, of: Type = BOOLEAN) -> Call:
    return Call(name, arguments, of)


def number(each: int | None, of: Type = INT) -> Literal:
    return Literal(each, of)


def text(each: str | None) -> Literal:
    return Literal(each, STRING)


DEC_3 = Literal(Decimal(3), decimal(1))
NEW_YEAR = datetime(1969, 1, 1, 0, 0, 7, 5)


@pytest.mark.parametrize(
    ("expression", "given", "expected"),
    [
        (call("+", column(INT), number(1), of=INT), [2**31 - 1, None], [-(2**31), None]),
        (call("div", column(BIGINT), number(-1), of=BIGINT), [-(2**63), 7], [-(2**63), -7]),
        (call("%", column(INT), number(0), of=INT), [1, None], [None, None]),
        (call("pmod", column(INT), number(-3), of=INT), [-7, 7], [-1, 1]),
        (call("/", column(MONEY), DEC_3, of=decimal(12, 6)), [Decimal("2"), None], [Decimal("0.666667"), None]),
        (call("round", column(DOUBLE), number(2), of=DOUBLE), [1.005, 2.675, -0.001], [1.01, 2.68, 0.0]),
        (call("bround", column(DOUBLE), of=DOUBLE), [2.5, 3.5, math.inf], [2.0, 4.0, math.inf]),
        (call("cast", column(DOUBLE), of=INT), [2.9, -2.9, 1e10, math.nan], [2, -2, 2**31 - 1, 0]),
        (call("cast", column(DOUBLE), of=TINYINT), [300.7, 1e10], [44, -1]),
        (call("try_cast", column(DOUBLE), of=TINYINT), [300.7, 12.9], [None, 12]),
        (call("cast", column(STRING), of=INT), [" 12.9\t", "", ".", "1e3", "2147483648"], [12, None, 0, None, None]),
        (call("try_cast", column(STRING), of=INT), ["12", "12.9"], [12, None]),
        (call("cast", column(STRING), of=DOUBLE), ["1e3", "1d", "-inf", "x"], [1e3, 1.0, -math.inf, None]),
        (call("cast", column(STRING), of=MONEY), ["1.005", "1e3", "9999999", "٣"], [Decimal("1.01"), 1000, None, 3]),
        (call("cast", column(STRING), of=BOOLEAN), ["Yes", " f ", "on"], [True, False, None]),
        (call("cast", column(STRING), of=DATE), ["2024-2-29 x", "2023-02-29"], [date(2024, 2, 29), None]),
        (call("cast", column(MONEY), of=STRING), [Decimal("-0.50"), Decimal("0.00")], ["-0.50", "0.00"]),
        (call("cast", column(decimal(10, 8)), of=STRING), [Decimal("0E-8")], ["0E-8"]),
        (call("cast", column(TIMESTAMP), of=STRING), [NEW_YEAR], ["1969-01-01 00:00:07.000005"]),
        (call("cast", column(TIMESTAMP), of=BIGINT), [datetime(1969, 12, 31, 23, 59, 59, 5)], [-1]),
        (call("cast", column(VOID), of=INT), [None], [None]),
        (call("=", column(DOUBLE), Literal(math.nan, DOUBLE)), [math.nan, 1.0, None], [True, False, None]),
        (call("<", column(DOUBLE), Literal(math.nan, DOUBLE)), [math.nan, math.inf], [False, True]),
        (call("in", column(INT), *map(number, (1, 2, None, 4, 5))), [1, 3, None], [True, None, None]),
        (call("in", column(BOOLEAN), *[Literal(False, BOOLEAN)] * 4), [False, True, None], [True, False, None]),
        (call("nullif", column(BIGINT), number(0), of=BIGINT), [0, 5, None], [None, 5, None]),
        (call("greatest", column(DOUBLE), Literal(None, DOUBLE), of=DOUBLE), [1.0, None], [1.0, None]),
        (call("upper", column(STRING), of=STRING), ["straße", "ŉ", "a", None], ["STRASSE", "ʼN", "A", None]),
        (call("lower", column(STRING), of=STRING), ["ΑΣ", "İ", "\U00010d50"], ["ας", "i̇", "\U00010d70"]),
        (call("substring", column(STRING), number(-3), number(2), of=STRING), ["stream", "äö", "x"], ["ea", "ä", ""]),
        (call("substring", text("日本語"), column(INT), of=STRING), [2, 0, -1, 9], ["本語", "日本語", "語", ""]),
        (call("trim", text("xy"), column(STRING), of=STRING), ["xyaxy", "b"], ["a", "b"]),
        (call("concat_ws", text("-"), column(STRING), text("b"), text(None), of=STRING), ["a", None], ["a-b", "b"]),
        (call("locate", text("本"), column(STRING), of=INT), ["日本", "x"], [2, 0]),
        (call("rlike", column(STRING), text("^a.c$")), ["abc\n", "a\rc", "xabc"], [True, False, False]),
        (call("escape", column(STRING), text("1!%%"), text("!")), ["1%", "10"], [True, False]),
        (call("ilike", column(STRING), text("STRASS_%")), ["straße", "Strasse"], [False, True]),
        (call("split", column(STRING), text("\\|"), of=array(STRING)), ["a|b|", ""], [["a", "b", ""], [""]]),
        (call("weekofyear", column(DATE), of=INT), [date(2021, 1, 3), date(2024, 12, 30)], [53, 1]),
        (call("add_months", column(DATE), number(1), of=DATE), [date(2024, 1, 31)], [date(2024, 2, 29)]),
        (call("date_trunc", text("WEEK"), column(TIMESTAMP), of=TIMESTAMP), [NEW_YEAR], [datetime(1968, 12, 30)]),
        (call("extract", text("SECOND"), column(TIMESTAMP), of=decimal(8, 6)), [NEW_YEAR], [Decimal("7.000005")]),
        (call("/", column(INTERVAL), number(-2), of=INTERVAL), [timedelta(0, 0, 3)], [timedelta(0, 0, -2)]),
        (call("+", column(DATE), Literal("2 DAY", INTERVAL), of=DATE), [date(2024, 2, 28)], [date(2024, 3, 1)]),
        (call("item", column(array(INT)), number(1), of=INT), [[1, 2], [], None, [None, None]], [2, None, None, None]),
        (call("item", column(map_of(STRING, INT)), text("b"), of=INT), [[("a", 1), ("b", 2)], []], [2, None]),
        (call("field", column(struct(("x", INT))), text("X"), of=INT), [{"x": 1}, None], [1, None]),
        (call("size", column(array(INT)), of=INT), [[1], None], [1, -1]),
        (call("array_contains", column(array(INT)), number(1)), [[1, None], [2, None], []], [True, None, False]),
    ],
    ids=lambda each: text_of(each) if isinstance(each, Expression) else "",
)  # fmt: skip
def test_examples(expression: Expression, given: list[Any], expected: list[Any]) -> None:
    assert can_evaluate(expression)
    assert results(expression, given) == expected


def test_a_text_of_many_digits_is_a_decimal_up_to_the_bound() -> None:
    most = "9" * 38
    largest = Decimal(most)
    whole = call("cast", column(STRING), of=decimal(38, 0))
    assert results(whole, [most, f"-{most}", f"1{'0' * 38}", f"{most}.5"]) == [
        largest,
        largest.copy_negate(),
        None,
        None,
    ]
    small = call("cast", column(STRING), of=decimal(38, 18))
    bound = "9" * 20 + "." + "9" * 18
    assert results(small, [bound, f"{bound}4", f"{bound}5"]) == [Decimal(bound), Decimal(bound), None]


def test_constants_fill_the_rows() -> None:
    constant = call("+", number(1), number(2), of=INT)
    assert evaluate(constant, [], 3) == pa.array([3, 3, 3], pa.int32())
    assert evaluate(Literal(None, DATE), [], 2) == pa.nulls(2, pa.date32())
    assert evaluate(call("upper", column(STRING), of=STRING), [pa.array([], pa.string())], 0).to_pylist() == []


X, WIDE = column(DOUBLE), decimal(38, 18)
LEFT_TO_SPARK: list[Expression] = [
    *(call(name, X, of=DOUBLE) for name in ("sin", "exp", "ln", "log10", "power", "cbrt")),
    *(call("cast", column(of), of=STRING) for of in (DOUBLE, FLOAT, BINARY)),
    *(call("cast", column(STRING), of=of) for of in (TIMESTAMP, TIMESTAMP_NTZ, FLOAT, INTERVAL)),
    *(call(name, column(WIDE), of=WIDE) for name in ("negate", "abs")),
    *(
        call("rlike", column(STRING), text(pattern))
        for pattern in ("(?i)a", "a(?=b)", "^a|b$", "(a)\\1", "[[:alpha:]]")
    ),
    *(call("like", column(STRING), pattern) for pattern in (text("a\\b"), text("a\\"), column(STRING))),
    call("cast", X, of=decimal(38, 18)),
    call("round", column(FLOAT), of=FLOAT),
    call("dateadd", text("DAY"), number(1), column(TIMESTAMP), of=TIMESTAMP),
    call("=", column(array(INT)), column(array(INT))),
    call("transform", column(array(INT)), Lambda((Variable("v", INT),), Variable("v", INT)), of=array(INT)),
    call("+", column(MONTHS), column(MONTHS), of=MONTHS),
    Column(0, Type("VARIANT"), "v"),
]


@pytest.mark.parametrize("expression", LEFT_TO_SPARK, ids=text_of)
def test_left_to_spark(expression: Expression) -> None:
    assert not can_evaluate(expression)
    assert not can_evaluate(call("is null", expression))
    with pytest.raises(ValueError, match="left to Spark"):
        evaluate(expression, [], 0)


def test_division_of_wide_decimals() -> None:
    """Arrow itself gives 92233.720362209505 here."""
    wide = decimal(20, 6)
    divided = call("/", column(BIGINT), Literal(Decimal("99999999999999.999999"), wide), of=decimal(38, 12))
    assert results(divided, [2**63 - 1]) == [Decimal("92233.720368547758")]
    assert quotient(pa.array([-15]).to_numpy(), 10, "half up").tolist() == [-2]
