"""Implicit casts against Spark itself: what the analysis makes of two types that meet has Spark's type and values.

Every form is tried on every pair of types, over rows that pair every sample of a type with every sample of the
other. Spark reads the form as it is written and chooses the casts; ours are those that the analysis writes out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import product

import pytest
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession

from tailrace.analysis.program import analyse
from tailrace.columnar.arrow_types import arrow_type
from tailrace.columnar.evaluate import can_evaluate, evaluate
from tailrace.errors import ScriptError, Source
from tailrace.language.script import parse_script
from tailrace.logical.expressions import Expression
from tailrace.logical.nodes import Project
from tailrace.logical.plan import Plan, walk
from tailrace.logical.text.spark_sql import spark_text, spark_type
from tailrace.types import BINARY, STRING, VOID, Type, is_integer
from tests.spark.agreement.samples import (
    BIGINT,
    BOOLEAN,
    DATE,
    DOUBLE,
    FLOAT,
    INT,
    INTERVAL,
    MONEY,
    TIMESTAMP,
    TIMESTAMP_NTZ,
    TINYINT,
    WHOLE,
    array,
    differences,
    frame_of_samples,
    name_of,
    table,
)

pytestmark = pytest.mark.spark

NUMBERS = (TINYINT, INT, BIGINT, FLOAT, DOUBLE, MONEY, WHOLE)
TYPES = (BOOLEAN, *NUMBERS, STRING, BINARY, DATE, TIMESTAMP, TIMESTAMP_NTZ, INTERVAL, VOID)
NESTED = (array(INT), array(STRING), INT, STRING, VOID)
FORMS = (
    "COALESCE({a}, {b})",
    "CASE WHEN boolean2 THEN {a} WHEN int2 > 3 THEN {b} END",
    "GREATEST({a}, {b})",
    "ARRAY({a}, {b})",
    "{a} = {b}",
    "{a} < {b}",
    "{a} IN ({b}, {b})",
)
OTHER_FORMS = (
    *(f"{name}({{a}}, {{b}})" for name in ("NVL", "IFNULL", "NULLIF", "LEAST", "EQUAL_NULL")),
    *(f"{name}(boolean2, {{a}}, {{b}})" for name in ("IF", "NVL2")),
    *(f"{{a}} {sign} {{b}}" for sign in ("<>", "<=", ">", ">=", "<=>", "IS DISTINCT FROM")),
    "MAP(1, {a}, 2, {b})",
    "DECODE(int2, 1, {a}, {b})",
    "DECODE({a}, {b}, 1, 2)",
    "CASE {a} WHEN {b} THEN 1 ELSE 2 END",
    "{a} NOT IN ({b}, NULL)",
    "{a} BETWEEN {b} AND {b}",
)
ARITHMETIC = (*(f"{{a}} {sign} {{b}}" for sign in "+-*/%"), "MOD({a}, {b})", "PMOD({a}, {b})", "TRY_ADD({a}, {b})")


@pytest.fixture(scope="module")
def frame(spark: SparkSession) -> Iterator[DataFrame]:
    with frame_of_samples(spark) as found:
        found.createOrReplaceTempView("Samples")
        yield found


@cache
def column_types() -> dict[str, Type]:
    """The columns that a query can read, with their types; there are none of intervals."""
    ours = {arrow_type(type): type for type in (*TYPES, *NESTED) if type not in (INTERVAL, VOID)}
    return {field.name: ours[field.type] for field in table().schema if field.type in ours}


def plan_of(query: str) -> Plan | None:
    """What the analysis makes of a query; None where it refuses it."""
    columns = ", ".join(f"{name} {type}" for name, type in column_types().items())
    try:
        program = analyse(
            parse_script(Source(f"CREATE RELATION Samples ({columns}); CREATE QUERY q AS {query};", "test.cql"))
        )
    except ScriptError:
        return None
    return program.queries["q"].plan


def typed_value(text: str) -> Expression | None:
    """An expression as the analysis types it."""
    plan = plan_of(f"SELECT {text} AS it FROM Samples")
    return next((node.expressions[0] for node in walk(plan) if isinstance(node, Project)), None) if plan else None


def value(type: Type, index: int) -> str:
    """A column of a type as SQL; texts are numbers, dates and words by turns."""
    odd = {VOID: "NULL", STRING: "raw", INTERVAL: f"(timestamp{index} - timestamp2)"}
    return odd.get(type) or f"{name_of(type)}{index}"


def write_forms(form: str, pairs: Sequence[tuple[Type, Type]]) -> list[str]:
    return [form.format(a=value(left, 0), b=value(right, 1)) for left, right in pairs]


def accepts(frame: DataFrame, text: str) -> bool:
    """Whether Spark gives the expression a type that a column can have."""
    try:
        return frame.selectExpr(text).dtypes[0][1] != "void"
    except PySparkException:
        return False


def pairs_of(kinds: Sequence[Type]) -> list[tuple[Type, Type]]:
    return [pair for pair in product(kinds, kinds) if pair != (VOID, VOID)]


def compare(frame: DataFrame, form: str, pairs: Sequence[tuple[Type, Type]]) -> list[str]:
    """How the form differs from Spark's on these pairs of types."""
    texts = write_forms(form, pairs)
    ours = {text: typed for text in texts if (typed := typed_value(text))}
    wrong = [f"{text} is refused here" for text in texts if text not in ours and accepts(frame, text)]
    wrong += [f"{text} is refused by Spark" for text in ours if not accepts(frame, text)]
    if wrong:
        return wrong
    both = [each for text, typed in ours.items() for each in (text, spark_text(typed))]
    found = frame.selectExpr(*(f"{each} AS c{index}" for index, each in enumerate(both))).toArrow()
    given = [table().column(name).combine_chunks() for name in column_types()]
    for index, (text, typed) in enumerate(ours.items()):
        wanted, cast = (found.column(2 * index + at).combine_chunks() for at in (0, 1))
        if wanted.type != cast.type or wanted.type.id != arrow_type(typed.type).id:
            wrong.append(f"{text} is {wanted.type} in Spark, {typed.type} here, and {cast.type} as {spark_text(typed)}")
            continue
        results = {"Catalyst": cast}
        if can_evaluate(typed):
            results["Arrow"] = evaluate(typed, given, len(given[0]))
        for where, values in results.items():
            rows = differences(values, wanted)[:2]
            wrong += [f"{text} in {where}: {wanted[row]!r} in Spark, {values[row]!r} here" for row in rows]
    return wrong


@pytest.mark.parametrize("form", [*FORMS, *(pytest.param(form, marks=pytest.mark.slow) for form in OTHER_FORMS)])
def test_two_types_that_meet(frame: DataFrame, form: str) -> None:
    assert compare(frame, form, pairs_of(TYPES)) == []


@pytest.mark.parametrize("form", ARITHMETIC)
def test_arithmetic_of_texts_and_numbers(frame: DataFrame, form: str) -> None:
    """`/` between integers is a whole number here, as the language wants it."""
    pairs = pairs_of((*NUMBERS, STRING, VOID))
    if "/" in form:
        pairs = [pair for pair in pairs if not all(type == VOID or is_integer(type) for type in pair)]
    assert compare(frame, form, pairs) == []


@pytest.mark.parametrize("form", [FORMS[0], *FORMS[2:]])
def test_arrays_that_meet(frame: DataFrame, form: str) -> None:
    assert compare(frame, form, pairs_of(NESTED)) == []


@pytest.mark.parametrize(
    "form", ["COALESCE(int0, date0, raw)", "CASE WHEN boolean2 THEN int0 WHEN boolean1 THEN date0 ELSE raw END"]
)
def test_of_three_values_a_text_decides(frame: DataFrame, form: str) -> None:
    assert compare(frame, form, [(INT, INT)]) == []


def test_a_minus_before_a_text(frame: DataFrame) -> None:
    assert compare(frame, "-{a}", [(STRING, STRING)]) == []


@pytest.mark.parametrize("operator", ["UNION ALL", pytest.param("EXCEPT", marks=pytest.mark.slow)])
def test_set_operations(spark: SparkSession, frame: DataFrame, operator: str) -> None:
    @cache
    def in_spark(query: str) -> str | None:
        try:
            return spark.sql(query).dtypes[0][1]
        except PySparkException:
            return None

    wrong = []
    for left, right in pairs_of(TYPES):
        sides = [f"SELECT {value(type, index)} AS it FROM Samples" for index, type in enumerate((left, right))]
        query = f" {operator} ".join(sides)
        plan = plan_of(query)
        ours = in_spark(f"SELECT CAST(NULL AS {spark_type(plan.schema[0].type)})") if plan else None
        if ours != in_spark(query):
            wrong.append(f"{left} {operator} {right} is {in_spark(query)} in Spark, {ours} here")
    assert wrong == []
