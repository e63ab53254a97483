"""Expressions as Spark reads them: what the analysis makes of a text has, in Spark, the type that it has here.

Every call of the catalog that a query may use is analysed, written for Spark, and run on a small table.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from random import Random
from typing import cast

import pytest
from py4j.protocol import Py4JJavaError
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession

from tailrace import types
from tailrace.analysis.queries import QueryAnalysis
from tailrace.analysis.scalars.resolve import Scalars
from tailrace.analysis.scalars.scope import Binding, Scope
from tailrace.columnar.arrow_types import arrow_type
from tailrace.columnar.evaluate import can_evaluate, evaluate
from tailrace.errors import TailraceError
from tailrace.language.script import parse_tokens, tokenize
from tailrace.language.statements import StatementGrammar
from tailrace.logical.expressions import Column, Expression
from tailrace.logical.text.spark_sql import spark_text, spark_type
from tailrace.schema import Schema
from tailrace.types import VOID, Type
from tests.random_plans.expressions import Expressions, Seeded
from tests.spark.agreement import samples
from tests.spark.agreement.test_expressions import without_nullability
from tests.spark.agreement.test_functions import calls, known, named, of_spark, together

pytestmark = pytest.mark.spark

SETTINGS = samples.CONFIGURATION
# Types that no column has: Spark 4.3 leaves them switched off, or has no way to write them without parameters.
NO_COLUMNS = {"TIME", "GEOGRAPHY", "GEOMETRY"}
# Calls that say too little for Spark, so that it refuses them: a bare NULL, options that are no map, another package.
OPTIONS = {f"{way}_{form}" for way in ("to", "schema_of") for form in ("avro", "csv", "json", "protobuf", "xml")}
MODES = {
    *(f"tuple_{what}_{of}" for what in ("intersection", "union") for of in ("double", "integer")),
    *(f"tuple_{what}_theta_{of}" for what in ("intersection", "union") for of in ("double", "integer")),
}
VALUES = {
    "BOOLEAN": "TRUE",
    "STRING": "'12'",
    "BINARY": "X'616263'",
    "DATE": "DATE '2024-02-29'",
    "TIMESTAMP": "TIMESTAMP '2024-02-29 10:11:12.5'",
    "TIMESTAMP_NTZ": "TIMESTAMP_NTZ '1969-02-28 10:11:12.5'",
    "INTERVAL": "INTERVAL '1 02:03:04.5' DAY TO SECOND",
    "INTERVAL YEAR TO MONTH": "INTERVAL '1-2' YEAR TO MONTH",
    "CALENDAR_INTERVAL": "make_interval(1, 2, 3)",
    "VARIANT": """parse_json('{"a": 1}')""",
}


class Table:
    """Columns that are made as types are asked for, each named after its place."""

    def __init__(self) -> None:
        self.columns: dict[Type, str] = {}

    def column(self, type: Type) -> str:
        return self.columns.setdefault(type, f"x{len(self.columns)}")

    @property
    def schema(self) -> Schema:
        return Schema.of(*((name, type) for type, name in self.columns.items()))

    def typed(self, text: str) -> Expression:
        """What the analysis makes of a text."""
        scalars = Scalars(cast(QueryAnalysis, None), Scope((Binding("T", self.schema, 0),)), "SELECT")
        return scalars.resolve(parse_tokens(tokenize(text), text, StatementGrammar.scalar))

    def frame(self, spark: SparkSession) -> DataFrame:
        """A row of values and one of NULLs."""
        values = ", ".join(f"{value(type)} c{index}" for index, type in enumerate(self.columns))
        nulls = ", ".join(f"CAST(NULL AS {spark_type(type)})" for type in self.columns)
        return spark.sql(f"SELECT {values} UNION ALL SELECT {nulls}")


def value(type: Type) -> str:
    match type.name:
        case "ARRAY":
            return f"array({value(type.args[0])})"
        case "MAP":
            return f"map({value(type.args[0])}, {value(type.args[1])})"
        case "STRUCT":
            return f"named_struct({', '.join(f'{name!r}, {value(part)}' for name, part in type.args)})"
    return VALUES.get(type.name) or f"CAST(2 AS {type})"


def by_index(column: Column) -> str:
    return f"`c{column.index}`"


@pytest.fixture(scope="module", autouse=True)
def settings(spark: SparkSession) -> Iterator[None]:
    before = {key: spark.conf.get(key) for key in SETTINGS}
    for key, setting in SETTINGS.items():
        spark.conf.set(key, setting)
    yield
    for key, old in before.items():
        spark.conf.set(key, str(old))


def types_in_spark(frame: DataFrame, expressions: Sequence[Expression]) -> list[Type | None]:
    """The types that Spark gives the expressions, None where it refuses one; halves find those in few steps."""
    try:
        schema = frame.selectExpr(*(f"{spark_text(each, by_index)} AS r" for each in expressions)).schema
        return [of_spark(field.dataType) for field in schema]
    except (PySparkException, Py4JJavaError):
        if len(expressions) == 1:
            return [None]
        half = len(expressions) // 2
        return types_in_spark(frame, expressions[:half]) + types_in_spark(frame, expressions[half:])


def test_calls(spark: SparkSession) -> None:
    """Every function that a query may call, with the arguments it takes."""
    table = Table()
    tried: dict[str, dict[str, tuple[Type, ...]]] = {}
    for name in named("scalar", "lambda"):
        for arguments in dict.fromkeys(calls(known(name))):
            if not NO_COLUMNS & {type.name for type in arguments}:
                given = ", ".join("NULL" if type == VOID else table.column(type) for type in arguments)
                tried.setdefault(name, {})[f"{name}({given})"] = arguments
    frame = table.frame(spark)

    def differences(name: str) -> list[str]:
        found = {text: table.typed(text) for text in tried[name] if is_accepted(table, text)}
        kinds = types_in_spark(frame, [*found.values()]) if found else []
        return [
            f"{text}: {spark_text(each)} is {type} in Spark, {each.type} here"
            for (text, each), type in zip(found.items(), kinds, strict=True)
            if type != each.type and not (type is None and may_be_refused(name, tried[name][text]))
        ]

    assert together(differences, tried) == []


def is_accepted(table: Table, text: str) -> bool:
    try:
        return bool(table.typed(text))
    except TailraceError:
        return False


def may_be_refused(name: str, arguments: Sequence[Type]) -> bool:
    return VOID in arguments or name in OPTIONS | MODES


# Written texts --------------------------------------------------------------------------------------------

TIMES = {"day": types.DATE, "at": types.TIMESTAMP, "local": types.TIMESTAMP_NTZ}
ATOMS = {
    **dict(zip("yhil", types.INTEGERS, strict=True)),
    **{"f": types.FLOAT, "d": types.DOUBLE, "p": types.decimal(8, 2), "n": types.decimal(38, 10)},
    **{"s": types.STRING, "ok": types.BOOLEAN, "b": types.BINARY},
    **TIMES,
}
COLUMNS = {
    **ATOMS,
    "a": types.array(types.INT),
    "m": types.map_of(types.STRING, types.INT),
    "r": types.struct(("x", types.INT), ("y", types.STRING)),
}
LENGTHS = """3 DAYS,-3 DAYS,2 WEEKS,-2 WEEKS,90 MINUTES,-90 MINUTES,1.5 SECONDS,-1.5 SECONDS,7 MILLISECONDS,36 HOURS
5 MICROSECONDS,2 QUARTERS,-13 MONTHS,1 YEAR,100000000 DAYS"""
WRITTEN = r"""
'it''s' | 'a\\b\n"`' | 'Straße 日本 😀' | '${env:HOME} ${x}' | 'a%b\\_c' | '' | TRUE | NULL | 1.50 | 0.001 | .5 | 7 | -7
2147483648 | -2147483648 | 9223372036854775807 | -9223372036854775808 | 99999999999999999999 | 12345678901234567890.5
1e300 | 1.5e-7 | -0.0D | 5D | 1.5F | 10L | 5S | -5Y | -128Y | 0.10 | -0.5 | 00012 | 1.0 | CAST('NaN' AS DOUBLE)
DATE '1582-10-04' | DATE '0001-01-01' | TIMESTAMP '1969-12-31 23:59:59.999999' | TIMESTAMP '2024-02-29 10:00:00+02:00'
TIMESTAMP_NTZ '2024-02-29 10:00:00+02:00' | TIMESTAMP_NTZ '0001-01-01 00:00:00.000001'
CASE WHEN ok THEN i ELSE l END | CASE i WHEN 1 THEN 'a' END | CASE WHEN ok THEN i ELSE s END
CASE WHEN ok THEN INTERVAL 3 DAYS END | CASE WHEN ok THEN day ELSE at END | i IN (1, l, 2.5) | s IN ('a', 1)
i BETWEEN 1 AND 2.5 | i IS DISTINCT FROM s | ok IS NOT TRUE | NOT ok IS FALSE | (i = 1) = ok | (s LIKE 'a') = ok
NOT (ok AND i > 1 OR ok) IS NULL | s LIKE 'a!%' ESCAPE '!' | s ILIKE 'A!%' ESCAPE '!' | ilike(s, 'A/_', '/')
s RLIKE '^\\d+$' | i & 3 | 4 ^ ~i | -(-i) | - -5 | i - -5 | -(i + 1) | i - (i - 1) | i / (i / 3) | i % (i * 2)
i || s || 1.5 | (s || 'x') || i | i / 3 | i / 3.0 | d / 3 | i DIV 2 | 7 DIV p | s + 1 | p * 2 | p * (1 + 1) | p + i
p % 3 | p / l | p - d | -p | p > 1 | day + 1 | 1 + day | day - 1 | day - day | at - day | day + (day - day)
INTERVAL 3 HOURS * 2 | INTERVAL 3 DAYS / 2 | CAST(INTERVAL 3 HOURS AS STRING) | CAST(day - day AS STRING)
-INTERVAL 3 HOURS | INTERVAL 1 DAY + INTERVAL 2 HOURS | array(1, 2)[i] | r.x | r.y || 'z'
(CASE WHEN ok THEN r END).y | array(r)[0].x | map('a', 1)['a'] | m[s] | struct(i, s).i | named_struct('a b', 1).`a b`
struct(i, 1 + 1) | array(named_struct('p', 1), NULL)[0].p | transform(a, x -> x + 1)
transform(a, (x, i) -> x * i + i) | filter(a, c0 -> c0 > i) | exists(a, x -> x > 1)
transform(array(array(1), array(2)), x -> transform(x, x -> x + 1)) | aggregate(a, 0, (s, x) -> s + x, s -> s || '!')
reduce(a, 0, (t, x) -> t + x) | array_sort(a, (v, w) -> w - v) | forall(a, x -> x > 0 OR x IS NULL)
zip_with(a, array('a'), (x, y) -> y || x) | transform_keys(m, (k, v) -> upper(k)) | map_filter(m, (k, v) -> v > 1)
transform_values(m, (k, v) -> v + 0.5) | map_zip_with(m, map('a', 'b'), (k, v, w) -> w || v)
transform(array(r), r -> r.x) | map_zip_with(map(1, 2), map(1L, 2), (k, v, w) -> k) | coalesce(i, s)
coalesce(NULL, NULL) | greatest(i, p, l) | nullif(i, s) | nullif(i, 2.0) | decode(i, 1, 'a', 'b') | decode(s, 1, 2)
if(ok, 1, 'a') | concat(1, 2.5) | round(p, 1) | round(d, -1) | bround(i, 2) | ceil(d, 1) | floor(p, -2)
to_number('12', '99') | try_to_number(s, '9.9') | to_char(i, '999') | to_char(day, 'yyyy') | to_binary('ab', 'hex')
mask(s, 'X', 'x') | regexp_replace(s, '1', 'b', 1) | sort_array(a, FALSE) | xpath_int('<a>1</a>', 'a')
from_json('{"a": 1}', 'a INT, `b c` DECIMAL(8,2)') | from_csv('1', 'a INT') | from_xml('<a><b>1</b></a>', 'b INT')
schema_of_json('{}') | schema_of_csv('1,a') | variant_get(parse_json('{"a": 1}'), '$.a', 'int')
to_json(r, map('timestampFormat', 'dd/MM')) | time_bucket(INTERVAL 5 MINUTES, at) | collate(s, 'UTF8_BINARY') = 'a'
unix_timestamp('2024-02-29', 'yyyy-MM-dd') | to_timestamp('29.02.2024', 'dd.MM.yyyy') | date_trunc('HOUR', at)
trunc(day, 'MM') | hex(i) | hex(s) | length(b) | octet_length(b) | left(s, 1) | right(b, 1) | date(s) | timestamp(day)
"""


def texts() -> Iterator[str]:
    """The texts above, and forms that come in many types and units."""
    yield from (text.strip() for line in WRITTEN.strip().splitlines() for text in line.split(" | "))
    for length in LENGTHS.replace("\n", ",").split(","):
        yield f"INTERVAL {length}"
        yield from (f"{time} {sign} INTERVAL {length}" for time in TIMES for sign in "+-")
    for unit in "YEAR QUARTER MONTH WEEK DAY DAYOFYEAR HOUR MINUTE SECOND MILLISECOND MICROSECOND".split():
        yield from (f"{name}({unit}, i, {time})" for name in ("dateadd", "date_add", "timestampadd") for time in TIMES)
        names = ("datediff", "date_diff", "timestampdiff", "timediff")
        yield from (f"{name}({unit}, {time}, at)" for name in names for time in TIMES if unit != "DAYOFYEAR")
    for (
        part
    ) in "YEAR YRS QUARTER QTR MONTH MONS WEEK W DAY D DAYOFWEEK DOW DOW_ISO DOY YEAROFWEEK HOUR M SECS S".split():
        yield from (f"EXTRACT({part} FROM {time})" for time in TIMES)
        yield from (f"date_part('{part}', at)", f"datepart('{part.lower()}', day)")
    yield from (f"EXTRACT({part} FROM at - day)" for part in ("DAY", "HOUR", "MINUTE", "SECOND", "SECS"))
    yield from (f"EXTRACT({part} FROM INTERVAL 14 MONTHS)" for part in ("YEAR", "MONTH"))


def pairs() -> Iterator[str]:
    """Two types that meet; some do not."""
    for one in ATOMS:
        for other, type in ATOMS.items():
            yield from (f"CAST({one} AS {type})", f"TRY_CAST({one} AS {type})")
            yield from (f"{one} {sign} {other}" for sign in ("+", "-", "*", "/", "%", "DIV", "=", "<=>", "||"))
            yield from (f"coalesce({one}, {other})", f"{one} IN ({other}, NULL)", f"nullif({one}, {other})")


def compare_types(spark: SparkSession, table: Table, expressions: Sequence[Expression]) -> None:
    frame = table.frame(spark)
    kinds = types_in_spark(frame, expressions)
    assert [
        f"{spark_text(each)} is {type} in Spark, {each.type} here"
        for each, type in zip(expressions, kinds, strict=True)
        if type != each.type
    ] == []
    run = frame.selectExpr(*(f"{spark_text(each, by_index)} AS r{at}" for at, each in enumerate(expressions)))
    run.write.format("noop").mode("overwrite").save()


@cache
def written() -> Table:
    table = Table()
    table.columns = {type: name for name, type in COLUMNS.items()}
    return table


def test_written(spark: SparkSession) -> None:
    compare_types(spark, written(), [written().typed(text) for text in dict.fromkeys(texts())])


def test_pairs(spark: SparkSession) -> None:
    compare_types(spark, written(), [written().typed(text) for text in pairs() if is_accepted(written(), text)])


# Values ---------------------------------------------------------------------------------------------------


def test_values(spark: SparkSession) -> None:
    """Texts that Arrow evaluates too have the same values in Spark."""
    table = written()
    found = [table.typed(text) for text in dict.fromkeys((*texts(), *pairs())) if is_accepted(table, text)]
    compare_values(table.frame(spark), [each for each in found if can_evaluate(each)])


def test_random_values(spark: SparkSession) -> None:
    kinds = (types.INT, types.STRING, types.BOOLEAN, types.DOUBLE, types.BIGINT)
    rows = samples.table().select([f"{samples.name_of(type)}{index}" for type in kinds for index in range(2)])
    frame = spark.createDataFrame(rows).toDF(*(f"c{index}" for index in range(rows.num_columns)))
    schema = Schema.of(*((f"c{index}", type) for index, type in enumerate(type for type in kinds for _ in range(2))))
    drawn = Expressions(Seeded(Random(4)))
    expressions = [drawn.of_type(kinds[turn % len(kinds)], schema, 2 + turn % 3) for turn in range(400)]
    compare_values(frame, [each for each in dict.fromkeys(expressions) if can_evaluate(each)])


def compare_values(frame: DataFrame, expressions: Sequence[Expression]) -> None:
    kinds = [arrow_type(of_spark(field.dataType)) for field in frame.schema]
    columns = zip(frame.toArrow().columns, kinds, strict=True)
    given = [column.combine_chunks().cast(kind) for column, kind in columns]
    found = frame.selectExpr(*(f"{spark_text(each, by_index)} AS r{at}" for at, each in enumerate(expressions)))
    wrong = []
    for each, values in zip(expressions, found.toArrow().columns, strict=True):
        ours, theirs = evaluate(each, given, len(given[0])), values.combine_chunks()
        expected = without_nullability(arrow_type(each.type))
        if without_nullability(theirs.type) != expected:
            wrong.append(f"{spark_text(each)} is {theirs.type} in Spark, not {expected}")
        elif samples.differences(ours, theirs):
            row = samples.differences(ours, theirs)[0]
            wrong.append(f"{spark_text(each)}: {theirs[row]!r} in Spark, {ours[row]!r} here")
    assert wrong == []
