"""Expressions on Arrow against Spark itself: the same values, types and NULLs for every call that Arrow evaluates.

All expressions run on one table, whose rows pair every sample of a type with every sample of another: of each
type there are columns 0 and 1, which give the pairs, and 2 for a third argument.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from functools import cache
from typing import Any

import pyarrow as pa
import pytest
from pyspark.sql import DataFrame, SparkSession

from tailrace import types
from tailrace.catalog import functions
from tailrace.logical.expressions import Call, Column, Expression, Literal, walk
from tailrace.logical.text import text_of
from tailrace.physical.arrow_functions.synonyms import FORMS, OTHER_NAMES
from tailrace.physical.arrow_types import arrow_type
from tailrace.physical.expressions import KERNELS, can_evaluate, evaluate
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
    SMALLINT,
    STRING,
    TIMESTAMP,
    TIMESTAMP_NTZ,
    TINYINT,
    Type,
    array,
    decimal,
    map_of,
    struct,
)

pytestmark = pytest.mark.spark

MONEY, SMALL, LARGE, HUGE, WHOLE = decimal(10, 2), decimal(5, 4), decimal(20, 6), decimal(38, 18), decimal(38, 0)
ROW = struct(("x", INT), ("y", STRING))
NAN, INF = float("nan"), float("inf")
FRACTIONS = [0.0, -0.0, 1.5, -2.5, 0.1, 1.005, 2.675, -0.001, 1e10, -1e20, 1e-7, NAN, INF, -INF, 1e300, 123456.785]
DAYS = "1970-01-01 1969-12-31 2024-02-29 2023-02-28 2024-01-31 2024-12-30 2021-01-03 0001-01-01 9999-12-31 1582-10-10"
MOMENTS = [datetime.fromisoformat(f"{day} {time}") for day in DAYS.split() for time in ("00:00", "23:59:59.999999")]
NUMBERS_IN_TEXT = (
    "1 -7 +5 1. .5 . -.5 +. 1.9 -12.75 1e3 1E-3 1e400 -1e400 1d 2F 0x1p3 0x.8P1 1_0 1e 00012 128 -129 32768"
)
NUMBERS_IN_TEXT += (
    " 2147483648 -2147483649 9223372036854775807 9223372036854775808 -9223372036854775808 99999999999999999999"
)
NUMBERS_IN_TEXT += (
    " NaN nan +NaN inf -Infinity +infinity Infinityx 0.005 -0.005 99999999.994 99999999.995 1e-40 1e7 1.5e3 ٣ 1L"
)
NUMBERS_IN_TEXT += (
    " true T f No 1e99999999999 -0 -0.0 123456789.123456789 0.1e1 5e-324 1.7976931348623159e308 12e0.5 --1 +-1"
)
DATES_IN_TEXT = (
    "2024 2024-2 2024-2-9 2024-02-30 2023-02-29 2024-13-01 2024-02-09T10 2024-02-09x +2024-01-01 02024-01-01"
)
DATES_IN_TEXT += (
    " 24-01-01 2024-01- 2024-001-01 -0001-01-01 99999-01-01 0000-01-01 9999999-01-01 2024-0-1 2024-1-0 2024T10"
)
SAMPLES: dict[Type, list[Any]] = {
    BOOLEAN: [True, False, None],
    TINYINT: [0, 1, -1, 7, 100, 127, -128, None],
    SMALLINT: [0, 1, -1, 300, 32767, -32768, None],
    INT: [0, 1, -1, 2, 3, 7, -7, 10, 64, 255, 1250, -1350, 2147483647, -2147483648, None, 5, 15, 25, -15],
    BIGINT: [0, 1, -1, 2, -7, 10, 33, 2**53 + 1, 10**15 + 5, 2**63 - 1, -(2**63), None, 1700000000, -86400],
    FLOAT: [0.0, -0.0, 1.5, -2.5, 0.1, 1e10, NAN, INF, -INF, None, 3e38],
    DOUBLE: [
        *FRACTIONS,
        None,
        2.0,
        -7.0,
        3.14159,
        0.5,
        65.5,
        9007199254740993.0,
        1e18,
        -0.5,
        2.5,
        0.285,
        127.9,
        -129.0,
    ],
    MONEY: [None, *map(Decimal, "0 0.01 -0.01 1.00 -2.50 0.05 99999999.99 -99999999.99 12.34 7.00 -0.50 2.50".split())],
    SMALL: [None, *map(Decimal, "0 0.0001 9.9999 -1.0000 3.0000 0.1250 -0.0625".split())],
    LARGE: [None, *map(Decimal, "0 0.000001 99999999999999.999999 -3.141593 1000000.5 2147483648.5 -7.5".split())],
    HUGE: [None, *map(Decimal, "0 0.000000000000000001 99999999999999999999.999999999999999999 -1.5 3".split())],
    WHOLE: [None, Decimal(0), Decimal(7), Decimal(-3), Decimal("9" * 38), Decimal("-" + "9" * 20), Decimal(2**63)],
    STRING: [
        *(
            "",
            "a",
            "abc",
            " aBc ",
            "Straße",
            "ΑΣ",
            "日本語",
            "😀x",
            "a%b_c",
            "line\nbreak",
            "aaa",
            "b",
            None,
            "x,y,,z",
            "ß",
        ),
        *(
            "xxabxx",
            "A.B|C",
            "\ta ",
            "İ",
            "ΌΣΟΣ Σ",
            "ab\\c",
            "\r",
            "tail\n",
            "éa",
            "Ünï",
            "3.5",
            "2024-02-29",
            "TRUE",
            "12",
        ),
        "\U00010d50ꟓ",
    ],
    DATE: [*map(date.fromisoformat, DAYS.split()), None],
    TIMESTAMP: [*(moment.replace(tzinfo=UTC) for moment in MOMENTS), None],
    TIMESTAMP_NTZ: [*MOMENTS, None],
    INTERVAL: [timedelta(), timedelta(microseconds=-1), timedelta(days=3, seconds=7), timedelta(-400, 1, 5), None],
    BINARY: [b"", b"ab", b"\xff\x00", None],
    array(INT): [[1, 2, 3], [], [None, 7], None, [7, None]],
    array(STRING): [["a", "b"], [], [None], None],
    map_of(STRING, INT): [{"a": 1, "b": 2}, {}, {"abc": None}, None],
    ROW: [{"x": 1, "y": "a"}, {"x": None, "y": ""}, None],
}
RAW = [*(f" {text}\t" if index % 5 == 0 else text for index, text in enumerate(NUMBERS_IN_TEXT.split())), "", " ", "+"]
RAW += [*DATES_IN_TEXT.split(), "2024 xx", "2024-02 xx", "2024-02-09 xx\ny", "\x7f1", "1\x1f", "\xa01", "1 2", None]
SIDE = max(map(len, SAMPLES.values()))


def name_of(type: Type) -> str:
    return "".join(sign if sign.isalnum() else "_" for sign in str(type).lower())


@cache
def table() -> pa.Table:
    pairs = [(one, other) for one in range(SIDE) for other in range(SIDE)]
    columns = {}
    for type, values in SAMPLES.items():
        picks = ([one for one, _ in pairs], [other for _, other in pairs], [one + other for one, other in pairs])
        for index, pick in enumerate(picks):
            chosen = [values[at % len(values)] for at in pick]
            rows = [list(each.items()) if type.name == "MAP" and each is not None else each for each in chosen]
            columns[f"{name_of(type)}{index}"] = pa.array(rows, arrow_type(type))
    columns["raw"] = pa.array([RAW[at % len(RAW)] for at in range(len(pairs))])
    return pa.table(columns)


def column(type: Type, index: int = 0, name: str | None = None) -> Column:
    name = name or f"{name_of(type)}{index}"
    return Column(table().column_names.index(name), type, name)


def columns(*kinds: Type) -> list[Expression]:
    return [column(type, index) for index, type in enumerate(kinds)]


def text(value: str | None) -> Literal:
    return Literal(value, STRING)


def number(value: int) -> Literal:
    return Literal(value, INT)


def call(name: str, *given: Expression | Type | str | int) -> Call:
    """A function's call on columns of these types, and on constants."""
    arguments: list[Expression] = []
    for each in given:
        if isinstance(each, Type):
            each = column(each, sum(isinstance(one, Column) for one in arguments))
        arguments.append(text(each) if isinstance(each, str) else number(each) if isinstance(each, int) else each)
    function = functions.find(name)
    assert function is not None, name
    literals = [one.value if isinstance(one, Literal) else None for one in arguments]
    return Call(name, tuple(arguments), functions.result_type(function, [one.type for one in arguments], literals))


def operator(name: str, left: Expression, right: Expression) -> Call:
    of = BIGINT if name == "div" else types.arithmetic(name, left.type, right.type)
    assert of is not None, (name, left.type, right.type)
    return Call(name, (left, right), of)


def cast(value: Expression, target: Type, name: str = "cast") -> Call:
    return Call(name, (value,), target)


# What is compared -----------------------------------------------------------------------------------------

ATOMS = [BOOLEAN, TINYINT, SMALLINT, INT, BIGINT, FLOAT, DOUBLE, MONEY, HUGE, STRING, DATE, TIMESTAMP, TIMESTAMP_NTZ]
ATOMS += [INTERVAL, BINARY]
DECIMALS = [MONEY, SMALL, LARGE, HUGE, WHOLE]


def logic() -> Iterator[Expression]:
    for type in ATOMS:
        pair = tuple(columns(type, type))
        yield from (Call(sign, pair, BOOLEAN) for sign in ("=", "<>", "<", "<=", ">", ">=", "<=>"))
        yield Call("in", (*pair, column(type, 2)), BOOLEAN)
        yield from (Call(name, pair[:1], BOOLEAN) for name in ("is null", "is not null"))
        yield from (call(name, type, type) for name in ("greatest", "least", "equal_null", "nullif", "nvl", "ifnull"))
        yield from (call("coalesce", type, type, type), call("between", type, type, type), call("isnull", type))
        yield Call("case", (column(BOOLEAN), *columns(type, type), column(BOOLEAN, 1), column(type, 2)), type)
        yield Call("case", (column(BOOLEAN), column(type), Literal(None, type)), type)
        yield from (call("if", BOOLEAN, type, type), call("nvl2", INT, type, type), call("isnotnull", type))
    for type, values in ((INT, [1, 7, None, -7, 3]), (STRING, ["a", "", "ß", "b"]), (DOUBLE, [1.5, 0.0, NAN])):
        yield Call("in", (column(type), *(Literal(value, type) for value in values if value == value)), BOOLEAN)
    yield Call("in", (column(MONEY), *(Literal(Decimal(each), MONEY) for each in ("1.00", "12.34", "7", "2"))), BOOLEAN)
    pair = tuple(columns(BOOLEAN, BOOLEAN))
    yield from (Call(name, pair, BOOLEAN) for name in ("and", "or"))
    yield from (Call(name, pair[:1], BOOLEAN) for name in ("not", "is true", "is false", "is not false"))
    yield from (call("nullif", BIGINT, 0), call("nullif", STRING, "a"), call("coalesce", INT, BIGINT, DOUBLE))
    yield from (call("greatest", INT, MONEY, BIGINT), call("least", DATE, TIMESTAMP), call("nvl", INT, "x"))
    yield from (call(name, type) for name in ("nullifzero", "zeroifnull") for type in (INT, DOUBLE, MONEY))
    yield Call(">", (column(INT), column(BIGINT, 1)), BOOLEAN)
    yield from (call("nvl", array(INT), array(INT)), call("if", BOOLEAN, ROW, ROW), call("if", BOOLEAN, ROW, ROW))


def arithmetic() -> Iterator[Expression]:
    for type in (TINYINT, SMALLINT, INT, BIGINT, FLOAT, DOUBLE):
        left, right = columns(type, type)
        yield from (operator(sign, left, right) for sign in "+-*%")
        yield from (Call("negate", (left,), type), call("abs", type), call("pmod", type, type), call("mod", type, type))
        yield from (call("negative", type), call("positive", type), call("sign", type), call("signum", type))
        yield from (call("isnan", type) for _ in range(type in (FLOAT, DOUBLE)))
    yield from (operator("/", *columns(DOUBLE, DOUBLE)), operator("div", *columns(BIGINT, BIGINT)))
    for left_type in DECIMALS:
        yield from (Call("negate", (column(left_type),), left_type), call("abs", left_type), call("sign", left_type))
        for right_type in [*DECIMALS, INT, BIGINT]:
            for sign in ("+", "-", "*", "/", "%", "div"):
                yield operator(sign, column(left_type), column(right_type, 1))
            yield from (call("pmod", left_type, right_type), operator("-", column(right_type), column(left_type, 1)))
    for type in (TINYINT, SMALLINT, INT, BIGINT):
        yield from (Call(sign, tuple(columns(type, type)), type) for sign in "&|^")
        yield from (Call("~", (column(type),), type), call("bit_count", type))
    for type in (INT, BIGINT):
        yield from (call(name, type, INT) for name in ("shiftleft", "shiftright", "shiftrightunsigned"))
    yield from (call(name, DOUBLE) for name in ("sqrt", "rint", "degrees", "radians", "ceil", "floor", "ceiling"))
    yield from (call(name, type) for name in ("ceil", "floor", "sqrt") for type in (INT, BIGINT, MONEY, HUGE, WHOLE))
    yield from (call(name, MONEY, places) for name in ("ceil", "floor") for places in (0, 1, 3))
    yield from (call("nanvl", DOUBLE, DOUBLE), call("pi"), call("e"))


def rounding() -> Iterator[Expression]:
    for name in ("round", "bround"):
        yield from (call(name, type) for type in (DOUBLE, MONEY, HUGE, INT))
        yield from (call(name, DOUBLE, Literal(places, INT)) for places in (-15, -3, -1, 0, 1, 2, 3, 5, 12))
        yield from (call(name, INT, Literal(places, INT)) for places in (-9, -2, -1, 0, 2))
        yield from (call(name, BIGINT, Literal(places, INT)) for places in (-18, -3, 1))
        yield from (call(name, type, Literal(n, INT)) for type in DECIMALS for n in (-5, -1, 0, 1, 2, 17, 20))


def casts() -> Iterator[Expression]:
    targets = [BOOLEAN, TINYINT, SMALLINT, INT, BIGINT, FLOAT, DOUBLE, MONEY, SMALL, LARGE, HUGE, WHOLE, decimal(18, 6)]
    targets += [decimal(3, 0), STRING, DATE, TIMESTAMP, TIMESTAMP_NTZ, BINARY]
    for source in [*SAMPLES, *DECIMALS]:
        for target in targets:
            value = column(STRING, 0, "raw") if source == STRING else column(source)
            if types.can_cast(source, target) and can_evaluate(cast(value, target)):
                yield cast(value, target)
            if types.can_cast(source, target) and can_evaluate(cast(value, target, "try_cast")):
                yield cast(value, target, "try_cast")
    yield from (call(name, BIGINT) for name in "bigint boolean decimal float int smallint string tinyint".split())
    yield from (call("double", MONEY), call("date", TIMESTAMP), call("timestamp", DATE), call("binary", STRING))
    yield from (
        call("to_date", STRING),
        call("to_date", TIMESTAMP),
        call("to_timestamp", DATE),
        call("to_timestamp_ntz", DATE),
    )
    yield call("to_timestamp_ltz", DATE)


def texts() -> Iterator[Expression]:
    for (
        name
    ) in "upper lower ucase lcase length char_length character_length len octet_length bit_length reverse".split():
        yield call(name, STRING)
    yield from (call(name, STRING) for name in ("trim", "ltrim", "rtrim", "btrim", "ascii", "concat"))
    yield from (call(name, part, STRING) for name in ("trim", "ltrim", "rtrim") for part in ("xa", "", "日ß"))
    yield from (call("btrim", STRING, "ax "), call("concat", STRING, STRING, STRING), call("concat", STRING, INT))
    yield from (call("concat_ws", ",", STRING, STRING), call("concat_ws", STRING, STRING), call("concat_ws", STRING))
    yield Call("||", tuple(columns(STRING, STRING)), STRING)
    for place in (0, 1, 2, -1, -2, -5, 9):
        yield from (call(name, STRING, Literal(place, INT)) for name in ("substring", "substr", "left", "right"))
        yield from (
            call("substring", STRING, Literal(place, INT), Literal(count, INT)) for count in (-1, 0, 1, 2, 4, 99)
        )
    short = Call("%", (column(INT, 1), number(9)), INT)
    yield from (call(name, STRING, short) for name in ("substring", "left", "right", "repeat", "lpad", "rpad"))
    yield from (call(name, STRING, short, STRING) for name in ("lpad", "rpad"))
    yield from (call(name, STRING, 7, fill) for name in ("lpad", "rpad") for fill in ("é日-", "", "0"))
    yield from (call("substring", STRING, short, short), call("left", INT, 2), call("lpad", INT, 6, "0"))
    for part in ("a", "", "ß", "日本", "xx", "\n"):
        yield from (call(name, STRING, part) for name in ("startswith", "endswith", "contains", "instr", "replace"))
        yield from (call("locate", part, STRING), call("position", part, STRING), call("replace", STRING, part, "-é"))
    yield from (call("chr", BIGINT), call("char", INT))


def patterns() -> Iterator[Expression]:
    likes = [
        "%",
        "",
        "a%",
        "%a",
        "_",
        "__",
        "a\\%b\\_c",
        "%\\\\c",
        "%.%",
        "%ß%",
        "l%k",
        "日_語",
        "A%",
        "%|%",
        "%Σ",
        "\r",
    ]
    for pattern in likes:
        yield from (Call(name, (column(STRING), text(pattern)), BOOLEAN) for name in ("like", "ilike"))
    yield from (
        Call("escape", (column(STRING), text(pattern), text("!")), BOOLEAN) for pattern in ("a!%b!_c", "%!!%", "a%")
    )
    searches = [
        "a",
        "^a",
        "c$",
        "^$",
        "a.c",
        "^.$",
        "\\s",
        "\\S+",
        "^\\w+$",
        "\\d",
        "[a-c]{2,}",
        "(ab|x)+",
        "a|ß",
        "\\.",
        "^[^a]*$",
    ]
    searches += ["", "x{2}", "a?b", "日本", "\\|", "k$", ".", "tail$", "\\W", "\\D", "(?:xx)ab", "[A-Z]", " aB", "a-?b"]
    for pattern in searches:
        yield Call("rlike", (column(STRING), text(pattern)), BOOLEAN)
    yield from (call("regexp", STRING, "b+"), call("regexp_like", STRING, "b+"))
    yield from (call("split", STRING, part) for part in (",", "x", "aa", "\\.", "\\|", "[|]", " ", "\\\\"))


def times() -> Iterator[Expression]:
    parts = (
        "year quarter month day dayofmonth dayofyear dayofweek weekday weekofyear dayname monthname last_day".split()
    )
    yield from (call(name, type) for name in parts for type in (DATE, TIMESTAMP, TIMESTAMP_NTZ))
    yield from (call(name, type) for name in ("hour", "minute", "second") for type in (DATE, TIMESTAMP))
    units = "YEAR YEAROFWEEK QUARTER MONTH WEEK DAY DAYOFWEEK DOW_ISO DOY HOUR MINUTE SECOND".split()
    for unit in units:
        yield from (call("extract", unit, type) for type in (TIMESTAMP, TIMESTAMP_NTZ))
    yield from (call("extract", unit, DATE) for unit in units[:9])
    yield from (call("date_part", "MONTH", DATE), call("datepart", "SECONDS", TIMESTAMP), call("unix_date", DATE))
    short = Call("%", (column(INT, 1), number(2000)), INT)
    yield from (call(name, DATE, short) for name in ("date_add", "date_sub", "add_months", "dateadd"))
    yield from (call("date_add", TIMESTAMP, TINYINT), call("add_months", TIMESTAMP, TINYINT), call("year", STRING))
    yield from (
        call(name, one, two) for name in ("datediff", "date_diff") for one in (DATE, TIMESTAMP) for two in (DATE,)
    )
    yield from (call("next_day", DATE, day) for day in ("MO", "thu", "Sunday"))
    yield from (call("trunc", DATE, unit) for unit in ("YEAR", "mm", "QUARTER", "week", "MON", "yy"))
    for unit in "YEAR QUARTER MONTH WEEK DAY HOUR MINUTE SECOND MILLISECOND MICROSECOND dd mon".split():
        yield from (call("date_trunc", unit, type) for type in (TIMESTAMP, DATE))
    for name in ("unix_seconds", "unix_millis", "unix_micros", "unix_timestamp", "to_unix_timestamp"):
        yield call(name, TIMESTAMP)
    small = cast(column(SMALLINT), INT)
    yield call(
        "make_date", Call("abs", (small,), INT), Call("%", (column(INT, 1), number(14)), INT), column(TINYINT, 2)
    )
    yield from (call("date_from_unix_date", SMALLINT), call("timestamp_seconds", INT), call("timestamp_millis", INT))
    yield call("timestamp_micros", BIGINT)


def intervals() -> Iterator[Expression]:
    inside = column(DATE)
    lengths = [
        Literal(each, INTERVAL) for each in ("3 HOUR", "90 MINUTE", "1.5 SECOND", "500 MILLISECOND", "-2 SECOND")
    ]
    lengths += [Literal(each, MONTHS) for each in ("1 MONTH", "-13 MONTH", "1 QUARTER", "2 YEAR")]
    for length in lengths:
        for type in (DATE, TIMESTAMP, TIMESTAMP_NTZ):
            yield from (operator(sign, column(type), length) for sign in "+-")
        yield operator("+", length, column(TIMESTAMP))
    for type in (TIMESTAMP, TIMESTAMP_NTZ, DATE):
        yield from (operator(sign, column(type), column(INTERVAL, 1)) for sign in "+-")
        yield from (operator("-", *columns(type, other)) for other in (DATE, type))
    yield from (operator(sign, inside, column(type, 1)) for sign in "+-" for type in (TINYINT, SMALLINT))
    yield from (operator(sign, *columns(INTERVAL, INTERVAL)) for sign in "+-")
    yield from (operator("*", *columns(INTERVAL, type)) for type in (TINYINT, SMALLINT))
    yield from (operator("*", *columns(SMALLINT, INTERVAL)), operator("*", column(INTERVAL), number(3)))
    yield from (operator("/", column(INTERVAL), Literal(by, INT)) for by in (2, 3, -7))
    yield from (Call("negate", (column(INTERVAL),), INTERVAL), call("abs", INTERVAL))


def containers() -> Iterator[Expression]:
    for type in (INT, TINYINT, BIGINT):
        yield Call("item", (column(array(INT)), column(type, 1)), INT)
    yield Call("item", (column(array(STRING)), number(1)), STRING)
    yield Call("item", (column(map_of(STRING, INT)), column(STRING, 1)), INT)
    yield Call("item", (column(map_of(STRING, INT)), text("b")), INT)
    yield from (Call("field", (column(ROW), text(name)), of) for name, of in ROW.args)
    yield from (call("size", type) for type in (array(INT), map_of(STRING, INT)))
    yield from (call("cardinality", array(INT)), call("array_size", array(STRING)), call("get", array(INT), INT))
    yield from (
        call(name, array(INT), Literal(at, INT)) for name in ("element_at", "try_element_at") for at in (1, -1, 9)
    )
    yield from (call("array_contains", array(INT), INT), call("array_contains", array(STRING), "a"))
    yield call("element_at", map_of(STRING, INT), STRING)


FAMILIES = (logic, arithmetic, rounding, casts, texts, patterns, times, intervals, containers)


# The comparison -------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def frame(spark: SparkSession) -> Iterator[DataFrame]:
    before = spark.conf.get("spark.sql.ansi.enabled")
    spark.conf.set("spark.sql.ansi.enabled", "false")
    yield spark.createDataFrame(table()).cache()
    spark.conf.set("spark.sql.ansi.enabled", before)


def comparable(values: pa.Array) -> list[str]:
    """Values as texts, so that NaN is equal to itself and -0.0 differs from 0.0; times may lie beyond Python's."""
    if pa.types.is_temporal(values.type) and not pa.types.is_date(values.type):
        values = values.cast(pa.int64())
    return list(map(repr, values.to_pylist()))


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.__name__)
def test_as_spark(frame: DataFrame, family: Any) -> None:
    expressions = list(dict.fromkeys(family()))
    assert [text_of(each) for each in expressions if not can_evaluate(each)] == []
    given = [column.combine_chunks() for column in table().columns]
    wrong = []
    for start in range(0, len(expressions), 60):
        some = expressions[start : start + 60]
        found = frame.selectExpr(*(f"{text_of(each)} AS c{index}" for index, each in enumerate(some))).toArrow()
        for index, expression in enumerate(some):
            spark_values = found.column(index).combine_chunks()
            ours = evaluate(expression, given, len(given[0]))
            if spark_values.type != ours.type:
                wrong.append(f"{text_of(expression)} is {spark_values.type}, not {ours.type}")
                continue
            rows = [
                at
                for at, pair in enumerate(zip(comparable(spark_values), comparable(ours), strict=True))
                if pair[0] != pair[1]
            ]
            wrong += [
                f"{text_of(expression)}: {spark_values[at]}, not {ours[at]}, for "
                + ", ".join(str(given[part.index][at]) for part in walk(expression) if isinstance(part, Column))
                for at in rows[:2]
            ]
    assert wrong == []


def test_every_kernel_is_compared() -> None:
    tried = {part.name for family in FAMILIES for each in family() for part in walk(each) if isinstance(part, Call)}
    internal = {"trim both", "trim left", "trim right", "is not true", "!", "==", "!="}
    assert {*KERNELS, *OTHER_NAMES, *FORMS} - internal - tried == set()
