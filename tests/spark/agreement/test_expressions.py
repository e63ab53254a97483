"""Expressions on Arrow against Spark itself: the same values, types and NULLs for every call that Arrow evaluates.

All expressions run on the table of samples.py, whose rows pair every sample of a type with every sample of another.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from decimal import Decimal

import pyarrow as pa
import pytest
from pyspark.sql import DataFrame, SparkSession

from tailrace import types
from tailrace.catalog import builtin_functions as functions
from tailrace.columnar.arrow_types import arrow_type
from tailrace.columnar.evaluate import KERNELS, can_evaluate, evaluate
from tailrace.columnar.functions.synonyms import FORMS, OTHER_NAMES
from tailrace.logical.expressions import Call, Column, Expression, Literal, walk
from tailrace.logical.text.spark_sql import spark_text
from tailrace.types import Type, array, decimal
from tests.spark.agreement.samples import (
    BIGINT,
    BINARY,
    BOOLEAN,
    DATE,
    DOUBLE,
    FLOAT,
    HUGE,
    INT,
    INTERVAL,
    LARGE,
    MAP,
    MONEY,
    ROW,
    SAMPLES,
    SMALL,
    SMALLINT,
    STRING,
    TIMESTAMP,
    TIMESTAMP_NTZ,
    TINYINT,
    WHOLE,
    differences,
    frame_of_samples,
    name_of,
    table,
)

pytestmark = pytest.mark.spark


def column(type: Type, index: int = 0) -> Column:
    name = f"{name_of(type)}{index}"
    return Column(table().column_names.index(name), type, name)


def columns(*kinds: Type) -> tuple[Expression, ...]:
    return tuple(column(type, index) for index, type in enumerate(kinds))


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


SHORT = Call("%", (column(INT, 1), number(9)), INT)
RAW_COLUMN = Column(table().column_names.index("raw"), STRING, "raw")


# What is compared -----------------------------------------------------------------------------------------

ATOMS = [BOOLEAN, TINYINT, INT, BIGINT, FLOAT, DOUBLE, MONEY, HUGE, STRING, DATE, TIMESTAMP_NTZ, INTERVAL, BINARY]
DECIMALS = [MONEY, SMALL, LARGE, HUGE, WHOLE]


def logic() -> Iterator[Expression]:
    for type in ATOMS:
        pair, third = columns(type, type), column(type, 2)
        yield from (Call(sign, pair, BOOLEAN) for sign in ("=", "<>", "<", "<=", ">", ">=", "<=>"))
        yield from (Call("in", (*pair, third), BOOLEAN), call("between", type, type, type))
        yield from (call(name, type, type) for name in ("greatest", "least", "nullif"))
        yield Call("case", (column(BOOLEAN), pair[0], column(BOOLEAN, 1), pair[1], third), type)
        yield from (call("coalesce", type, type, type), call("isnull", type))
    yield from (call(name, INT, INT) for name in ("equal_null", "nvl", "ifnull"))
    yield from (call("if", BOOLEAN, STRING, STRING), call("nvl2", INT, DOUBLE, DOUBLE), call("isnotnull", DATE))
    yield Call("case", (column(BOOLEAN), column(INT), Literal(None, INT)), INT)
    for type, values in ((INT, [1, 7, None, -7, 3]), (STRING, ["a", "", "ß", "b"]), (DOUBLE, [1.5, 0.0, 65.5])):
        yield Call("in", (column(type), *(Literal(value, type) for value in values)), BOOLEAN)
    yield Call("in", (column(MONEY), *(Literal(Decimal(each), MONEY) for each in ("1.00", "12.34", "7", "2"))), BOOLEAN)
    yield from (Call(name, columns(BOOLEAN, BOOLEAN), BOOLEAN) for name in ("and", "or"))
    for name in ("not", "is true", "is not true", "is false", "is not false", "is null", "is not null"):
        yield Call(name, columns(BOOLEAN), BOOLEAN)
    yield from (call("nullif", BIGINT, 0), call("nullif", STRING, "a"), call("coalesce", INT, BIGINT, DOUBLE))
    yield from (call("greatest", INT, MONEY, BIGINT), call("least", DATE, TIMESTAMP))
    yield from (call(name, type) for name in ("nullifzero", "zeroifnull") for type in (INT, DOUBLE, MONEY))
    yield Call(">", (column(INT), column(BIGINT, 1)), BOOLEAN)
    yield from (call("nvl", array(INT), array(INT)), call("if", BOOLEAN, ROW, ROW), call("if", BOOLEAN, MAP, MAP))


def arithmetic() -> Iterator[Expression]:
    for type in (TINYINT, SMALLINT, INT, BIGINT, FLOAT, DOUBLE):
        yield from (operator(sign, *columns(type, type)) for sign in "+-*%")
        yield from (Call("negate", columns(type), type), call("abs", type), call("sign", type))
        yield call("pmod", type, type)
    yield from (call("mod", INT, INT), call("negative", INT), call("positive", INT), call("signum", DOUBLE))
    yield from (operator("/", *columns(DOUBLE, DOUBLE)), operator("div", *columns(BIGINT, BIGINT)))
    for type in (TINYINT, SMALLINT, INT, BIGINT):
        yield from (Call(sign, columns(type, type), type) for sign in "&|^")
        yield from (Call("~", columns(type), type), call("bit_count", type))
    for type in (INT, BIGINT):
        yield from (call(name, type, INT) for name in ("shiftleft", "shiftright", "shiftrightunsigned"))
    yield from (call(name, DOUBLE) for name in "sqrt rint degrees radians ceil floor ceiling isnan".split())
    yield from (call("nanvl", DOUBLE, DOUBLE), call("pi"), call("e"), call("isnan", FLOAT))


def decimals() -> Iterator[Expression]:
    for left in DECIMALS:
        for right in [*DECIMALS, INT, BIGINT]:
            pairs = ((column(left), column(right, 1)), (column(right), column(left, 1)))
            for name in ("+", "-", "*", "/", "%", "div"):
                yield from filter(can_evaluate, (operator(name, *pair) for pair in pairs))
            yield from filter(can_evaluate, [call("pmod", left, right)])
        yield from filter(can_evaluate, [Call("negate", columns(left), left), call("abs", left)])
        yield from (call(name, left) for name in ("sign", "ceil", "floor", "sqrt"))
    yield from (call(name, MONEY, places) for name in ("ceil", "floor") for places in (0, 1, 3))


def rounding() -> Iterator[Expression]:
    for name in ("round", "bround"):
        yield from (call(name, type) for type in (DOUBLE, MONEY, HUGE, INT))
        yield from (call(name, DOUBLE, places) for places in (0, 1, 2, 3, 5, 12))
        yield from (call(name, INT, places) for places in (-9, -2, -1, 0, 2))
        yield from (call(name, BIGINT, places) for places in (-18, -3, 1))
        yield from (call(name, type, places) for type in DECIMALS[:-1] for places in (-5, -1, 0, 1, 2, 17, 20))


def casts() -> Iterator[Expression]:
    targets = [BOOLEAN, *types.INTEGERS, FLOAT, DOUBLE, *DECIMALS, decimal(18, 6), decimal(3, 0), STRING]
    targets += [DATE, TIMESTAMP, TIMESTAMP_NTZ, BINARY]
    for source in SAMPLES:
        value = RAW_COLUMN if source == STRING else column(source)
        tried = [Call(name, (value,), target) for target in targets for name in ("cast", "try_cast")]
        yield from (each for each in tried if types.can_cast(source, each.of) and can_evaluate(each))
    yield from (call(name, BIGINT) for name in "bigint boolean decimal float int smallint string tinyint".split())
    yield from (call("double", MONEY), call("date", TIMESTAMP), call("timestamp", DATE), call("binary", STRING))
    yield from (call(name, DATE) for name in ("to_timestamp", "to_timestamp_ntz", "to_timestamp_ltz"))
    yield from (call("to_date", STRING), call("to_date", TIMESTAMP))


def texts() -> Iterator[Expression]:
    names = "upper lower ucase lcase length char_length character_length len octet_length bit_length reverse"
    yield from (call(name, STRING) for name in names.split())
    yield from (call(name, STRING) for name in ("trim", "ltrim", "rtrim", "btrim", "ascii", "concat"))
    yield from (call(name, part, STRING) for name in ("trim", "ltrim", "rtrim") for part in ("xa", "", "日ß"))
    yield from (call("btrim", STRING, "ax "), call("concat", STRING, STRING, STRING), call("concat", STRING, INT))
    yield from (call("concat_ws", ",", STRING, STRING), call("concat_ws", STRING, STRING), call("concat_ws", STRING))
    yield from (Call("||", columns(STRING, STRING), STRING), call("substring", STRING, SHORT, SHORT))
    for place in (0, 1, 2, -1, -2, -5, 9):
        yield from (call(name, STRING, place) for name in ("substring", "substr", "left", "right"))
        yield from (call("substring", STRING, place, count) for count in (-1, 0, 1, 2, 4, 99))
    yield from (call(name, STRING, SHORT) for name in ("substring", "left", "right", "repeat", "lpad", "rpad"))
    yield from (call(name, STRING, SHORT, STRING) for name in ("lpad", "rpad"))
    yield from (call(name, STRING, 7, fill) for name in ("lpad", "rpad") for fill in ("é日-", "", "0"))
    yield from (call("chr", BIGINT), call("char", INT), call("left", INT, 2), call("lpad", INT, 6, "0"))
    for part in ("a", "", "ß", "日本", "xx", "\n"):
        yield from (call(name, STRING, part) for name in ("startswith", "endswith", "contains", "instr", "replace"))
        yield from (call("locate", part, STRING), call("position", part, STRING), call("replace", STRING, part, "-é"))


LIKE = ["%", "", "a%", "%a", "_", "__", "a\\%b\\_c", "%\\\\c", "%.%", "%ß%", "l%k", "日_語", "A%", "%|%", "%Σ", "\r"]
SEARCHED = (
    r"a ^a c$ ^$ a.c ^.$ \s \S+ ^\w+$ \d [a-c]{2,} (ab|x)+ a|ß \. ^[^a]*$ x{2} a?b 日本 \| k$ . tail$ \W (?:xx)ab"
)


def patterns() -> Iterator[Expression]:
    yield from (Call(name, (column(STRING), text(like)), BOOLEAN) for like in LIKE for name in ("like", "ilike"))
    yield from (Call("escape", (column(STRING), text(like), text("!")), BOOLEAN) for like in ("a!%b!_c", "%!!%", "a%"))
    yield from (Call("rlike", (column(STRING), text(each)), BOOLEAN) for each in [*SEARCHED.split(), "", " aB", "a-?b"])
    yield from (call("regexp", STRING, "b+"), call("regexp_like", STRING, "b+"))
    yield from (call("split", STRING, part) for part in (",", "x", "aa", "\\.", "\\|", "[|]", " ", "\\\\"))


UNITS = "YEAR YEAROFWEEK QUARTER MONTH WEEK DAY DAYOFWEEK DOW_ISO DOY HOUR MINUTE SECOND".split()
PARTS = "year quarter month day dayofmonth dayofyear dayofweek weekday weekofyear dayname monthname last_day".split()


def times() -> Iterator[Expression]:
    yield from (call(name, type) for name in PARTS for type in (DATE, TIMESTAMP))
    yield from (call(name, type) for name in ("hour", "minute", "second") for type in (DATE, TIMESTAMP))
    yield from (call("extract", unit, type) for unit in UNITS for type in (TIMESTAMP, TIMESTAMP_NTZ))
    yield from (call("extract", unit, DATE) for unit in UNITS[:9])
    yield from (call("date_part", "MONTH", DATE), call("datepart", "SECONDS", TIMESTAMP), call("unix_date", DATE))
    some = Call("%", (column(INT, 1), number(2000)), INT)
    yield from (call(name, DATE, some) for name in ("date_add", "date_sub", "add_months", "dateadd"))
    yield from (call("date_add", TIMESTAMP, TINYINT), call("add_months", TIMESTAMP, TINYINT), call("year", STRING))
    yield from (call("datediff", DATE, DATE), call("date_diff", TIMESTAMP, DATE))
    yield from (call("next_day", DATE, day) for day in ("MO", "thu", "Sunday"))
    yield from (call("trunc", DATE, unit) for unit in ("YEAR", "mm", "QUARTER", "week", "MON", "yy"))
    for unit in "YEAR QUARTER MONTH WEEK DAY HOUR MINUTE SECOND MILLISECOND MICROSECOND dd mon".split():
        yield from (call("date_trunc", unit, type) for type in (TIMESTAMP, DATE))
    names = ("unix_seconds", "unix_millis", "unix_micros", "unix_timestamp", "to_unix_timestamp")
    yield from (call(name, TIMESTAMP) for name in names)
    year = Call("abs", (Call("cast", (column(SMALLINT),), INT),), INT)
    yield call("make_date", year, Call("%", (column(INT, 1), number(14)), INT), column(TINYINT, 2))
    yield from (call("date_from_unix_date", SMALLINT), call("timestamp_seconds", INT), call("timestamp_millis", INT))
    yield call("timestamp_micros", BIGINT)


def intervals() -> Iterator[Expression]:
    lengths = [Literal(each, INTERVAL) for each in ("3 HOUR", "90 MINUTE", "1.5 SECOND", "500 MILLISECOND", "-2 HOUR")]
    lengths += [Literal(each, types.MONTHS) for each in ("1 MONTH", "-13 MONTH", "2 YEAR")]
    for length in lengths:
        for type in (DATE, TIMESTAMP, TIMESTAMP_NTZ):
            yield from (operator(sign, column(type), length) for sign in "+-")
        yield operator("+", length, column(TIMESTAMP))
    for length in (Literal("3 DAY", INTERVAL), Literal("-2 WEEK", INTERVAL)):
        yield from (Call(sign, (column(DATE), length), DATE) for sign in "+-")
    for type in (TIMESTAMP, TIMESTAMP_NTZ, DATE):
        yield from (operator(sign, column(type), column(INTERVAL, 1)) for sign in "+-")
        yield from (operator("-", *columns(type, other)) for other in (DATE, type))
    yield from (operator(sign, *columns(DATE, type)) for sign in "+-" for type in (TINYINT, SMALLINT))
    yield from (operator(sign, *columns(INTERVAL, INTERVAL)) for sign in "+-")
    yield from (operator("*", *columns(INTERVAL, TINYINT)), operator("*", *columns(SMALLINT, INTERVAL)))
    yield from (operator("/", column(INTERVAL), number(by)) for by in (2, 3, -7))
    yield from (Call("negate", columns(INTERVAL), INTERVAL), call("abs", INTERVAL))


def containers() -> Iterator[Expression]:
    yield from (Call("item", columns(array(INT), type), INT) for type in (INT, TINYINT, BIGINT))
    yield Call("item", (column(array(STRING)), number(1)), STRING)
    yield from (Call("item", (column(MAP), key), INT) for key in (column(STRING, 1), text("b")))
    yield from (Call("field", (column(ROW), text(name)), of) for name, of in ROW.args)
    yield from (call("size", array(INT)), call("cardinality", MAP), call("array_size", array(STRING)))
    yield from (call(name, array(INT), at) for name in ("element_at", "try_element_at") for at in (1, -1, 9))
    yield from (call("get", array(INT), INT), call("element_at", MAP, STRING))
    yield from (call("array_contains", array(INT), INT), call("array_contains", array(STRING), "a"))


FAMILIES = (logic, arithmetic, decimals, rounding, casts, texts, patterns, times, intervals, containers)


# The comparison -------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def frame(spark: SparkSession) -> Iterator[DataFrame]:
    with frame_of_samples(spark) as found:
        yield found


def without_nullability(type: pa.DataType) -> str:
    return str(type).replace(" not null", "")


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.__name__)
def test_as_spark(frame: DataFrame, family: Callable[[], Iterator[Expression]]) -> None:
    expressions = list(dict.fromkeys(family()))
    assert [spark_text(each) for each in expressions if not can_evaluate(each)] == []
    given = [column.combine_chunks() for column in table().columns]
    found = frame.selectExpr(*(f"{spark_text(each)} AS c{index}" for index, each in enumerate(expressions))).toArrow()
    wrong = []
    for expression, values in zip(expressions, found.columns, strict=True):
        ours, of_spark = evaluate(expression, given, len(given[0])), values.combine_chunks()
        if without_nullability(of_spark.type) != without_nullability(arrow_type(expression.type)):
            wrong.append(f"{spark_text(expression)} is {of_spark.type} in Spark")
            continue
        assert ours.type == arrow_type(expression.type)
        used = [given[part.index] for part in walk(expression) if isinstance(part, Column)]
        wrong += [
            f"{spark_text(expression)}: {of_spark[row]!r} in Spark, {ours[row]!r} of {[each[row] for each in used]}"
            for row in differences(ours, of_spark)[:3]
        ]
    assert wrong == []


def test_every_kernel_is_compared() -> None:
    tried = {part.name for family in FAMILIES for each in family() for part in walk(each) if isinstance(part, Call)}
    unwritten = {"trim both", "trim left", "trim right"}
    assert {*KERNELS, *OTHER_NAMES, *FORMS} - unwritten == tried
