"""Aggregates of odd types against Spark itself: what Spark refuses is refused, the rest has its type and value."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime
from random import Random
from typing import Any

import pytest
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

from tailrace.analysis.program import analyse
from tailrace.errors import ScriptError, Source
from tailrace.language.script import parse_script
from tailrace.logical.text.spark_sql import spark_type
from tests.operators.local import answered

pytestmark = [pytest.mark.spark, pytest.mark.usefixtures("as_the_engine_runs")]

FUNCTIONS = "SUM AVG MEAN MEDIAN STDDEV STDDEV_POP VARIANCE VAR_POP".split()
ROWS: dict[str, list[Any]] = {
    "s STRING": ["1", "2.5", "x", None, " 4 ", "1.0"],
    "b BOOLEAN": [True, False, True, None, True, False],
    "d DATE": [date(2024, 2, 29), date(1969, 12, 31), None, date(2024, 2, 29), date(2000, 1, 1), date(2000, 1, 1)],
    "t TIMESTAMP": [*(datetime(2024, 2, day, 3, 4, 5, 500_000, UTC) for day in (1, 2, 2, 7)), None, None],
    "n TIMESTAMP_NTZ": [datetime(2024, 2, 1), None, None, None, None, None],
    "f FLOAT": [0.5, 1.25, None, 0.5, -3.0, 8.0],
    "x DOUBLE": [float("inf"), float("-inf"), float("inf"), 1.0, None, float("inf")],
    "far DOUBLE": [1.7e308, -1.7e308, None, None, None, None],
    "same DOUBLE": [float("inf"), float("inf"), None, None, None, None],
}


@pytest.fixture(scope="module")
def rows(spark: SparkSession) -> Iterator[list[tuple[Any, ...]]]:
    found = list(zip(*ROWS.values(), strict=True))
    spark.createDataFrame(found, ", ".join(ROWS)).createOrReplaceTempView("Odd")
    yield found
    spark.catalog.dropTempView("Odd")


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("distinct", ["", "DISTINCT "])
@pytest.mark.parametrize("function", FUNCTIONS)
def test_as_spark(spark: SparkSession, rows: list[tuple[Any, ...]], function: str, distinct: str) -> None:
    for column in ROWS:
        call = f"{function}({distinct}{column.split()[0]})"
        if "DOUBLE" in column and function.startswith(("STD", "VAR")):
            continue  # the squares of infinities
        try:
            wanted = spark.sql(f"SELECT {call} AS it FROM Odd")
        except PySparkException:
            wanted = None
        script = (
            f"CREATE STREAM Odd ({', '.join(ROWS)}) TIMESTAMP BY ts; CREATE QUERY q AS SELECT {call} AS it FROM Odd;"
        )
        try:
            plan = analyse(parse_script(Source(script, "test.cql"))).queries["q"].plan
        except ScriptError:
            assert wanted is None, f"{call} is refused"
            continue
        assert wanted is not None, f"Spark refuses {call}"
        assert spark_type(plan.schema[0].type).lower() == wanted.dtypes[0][1]
        (bag,) = answered(plan, {"Odd": [(0, row) for row in rows]}, [0], Random(0)).bags
        ((value,),) = bag.elements()
        expected = wanted.collect()[0][0]
        assert value == (expected and pytest.approx(expected, rel=1e-12, nan_ok=True)), call
