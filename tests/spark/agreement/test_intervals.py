"""Intervals against Spark itself: texts that Spark reads mean the same here, in Arrow and in the definition."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, datetime
from random import Random

import pyarrow as pa
import pytest
from pyspark.sql import SparkSession

from tailrace.columnar.arrow_types import arrow_type
from tailrace.columnar.evaluate import evaluate
from tailrace.testing.reference.values import value
from tailrace.types import DATE, TIMESTAMP
from tests.spark.agreement.test_expressions import without_nullability
from tests.spark.agreement.test_spark_text import Table

pytestmark = [pytest.mark.spark, pytest.mark.usefixtures("as_the_engine_runs")]

DAYS = [date(2024, 1, 31), date(2024, 2, 29), date(1999, 12, 31), date(1969, 8, 30), date(1600, 3, 1), None]
TIMES = [datetime(2024, 1, 31, 23, 59, 59, 999999), datetime(1968, 2, 29, 1, 2, 3), datetime(2000, 5, 31), None]
UNITS = ["SECOND", "MINUTES", "HOUR", "DAYS", "WEEK", "MONTHS", "YEAR", "MILLISECONDS"]
ONCE = 150


def literal(chance: Random) -> str:
    """An interval of months, or of days and time; Spark has none of both."""
    count, unit = chance.randint(-70, 70), chance.choice(UNITS)
    sign = chance.choice(["", "-"])
    fields = (chance.randint(0, 90), chance.randint(0, 11), chance.randint(0, 59))
    return chance.choice(
        [
            f"INTERVAL '{count}' {unit}",
            f"INTERVAL {count} {unit}",
            f"INTERVAL '{count} {unit}'",
            f"INTERVAL '{count} days {chance.randint(-9, 99)} hours 1.5 seconds'",
            f"INTERVAL {abs(count)} YEARS 2 MONTHS",
            f"INTERVAL 1 WEEK {abs(count)} DAYS",
            f"INTERVAL '{sign}%d-%d' YEAR TO MONTH" % fields[:2],
            f"INTERVAL {sign}'%d %d:%02d:07.25' DAY TO SECOND" % fields,
            f"INTERVAL '{sign}%d %02d' DAY TO HOUR" % fields[:2],
            f"INTERVAL '{sign}%d:%02d' HOUR TO MINUTE" % fields[:2],
            f"INTERVAL '{sign}%d:%02d.000001' MINUTE TO SECOND" % fields[::2],
        ]
    )


def constant(chance: Random) -> str:
    one = literal(chance)
    return chance.choice([one, one, f"-{one}", f"(3 * {one})", f"({one} * -2)"])


def texts(chance: Random) -> Iterator[str]:
    for _ in range(ONCE):
        column, sign = chance.choice(["day", "at"]), chance.choice("+-")
        yield f"{column} {sign} {constant(chance)}"
        yield f"{constant(chance)} + {column}"
        yield f"at - day {chance.choice(['<', '>=', '='])} INTERVAL '{chance.randint(-9, 9)}' DAY"
        yield f"day + (INTERVAL '{chance.randint(-9, 9)}' DAY {sign} INTERVAL 2 WEEKS)"
        yield f"at {sign} (INTERVAL '{chance.randint(-9, 9)}' DAY {sign} INTERVAL '02:03' HOUR TO MINUTE)"


def test_random_intervals(spark: SparkSession) -> None:
    table = Table()
    table.columns = {DATE: "day", TIMESTAMP: "at"}
    rows = [(day, at) for day in DAYS for at in TIMES]
    columns = [pa.array([row[index] for row in rows], arrow_type(type)) for index, type in enumerate((DATE, TIMESTAMP))]
    frame = spark.createDataFrame(pa.table(columns, ["day", "at"]))
    wanted = list(dict.fromkeys(texts(Random(25))))
    of_spark = frame.selectExpr(*(f"{text} AS r{index}" for index, text in enumerate(wanted))).toArrow()
    wrong = []
    for text, theirs in zip(wanted, of_spark.columns, strict=True):
        typed = table.typed(text)
        ours, expected = evaluate(typed, columns, len(rows)), theirs.combine_chunks()
        if without_nullability(expected.type) != without_nullability(ours.type):
            wrong.append(f"{text} is {expected.type} in Spark, {ours.type} here")
        elif not ours.equals(expected):
            wrong.append(f"{text}: {expected.to_pylist()} in Spark, {ours.to_pylist()} here")
        defined = [value(typed, row) for row in rows]
        if defined != [each.replace(tzinfo=None) if isinstance(each, datetime) else each for each in ours.to_pylist()]:
            wrong.append(f"{text}: {defined} by definition, {ours.to_pylist()} here")
    assert wrong == []
