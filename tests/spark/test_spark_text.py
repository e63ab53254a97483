"""Expressions as Spark reads them: what the analysis makes of a text has, in Spark, the type that it has here.

Every call of the catalog that a query may use is analysed, written for Spark, and run on a small table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from random import Random
from typing import Any, cast

import pytest
from py4j.protocol import Py4JJavaError
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession

from tailrace import types
from tailrace.analysis.queries import QueryAnalysis
from tailrace.analysis.scalars import Scalars
from tailrace.analysis.scope import Binding, Scope
from tailrace.errors import TailraceError
from tailrace.language.script import parse_tokens, tokenize
from tailrace.language.statements import StatementGrammar
from tailrace.logical.expressions import Call, Column, Expression, Literal
from tailrace.logical.spark_text import spark_text, spark_type
from tailrace.physical.arrow_types import arrow_type
from tailrace.physical.expressions import can_evaluate, evaluate
from tailrace.schema import Schema
from tailrace.types import VOID, Type
from tests.reference.random_expressions import Expressions, Seeded
from tests.spark import test_expressions as kernels
from tests.spark.test_functions import calls, known, named, of_spark, together

pytestmark = pytest.mark.spark

SETTINGS = kernels.CONFIGURATION
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
