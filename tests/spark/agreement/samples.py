"""Samples: one table with values of every type, on which expressions are compared with Spark's own.

The rows pair every sample of a type with every sample of another: of each type there are columns 0 and 1, which
give the pairs, and 2 for a third argument.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from functools import cache
from typing import Any

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession

from tailrace import types
from tailrace.columnar.arrow_types import arrow_type
from tailrace.types import Type, array, decimal, map_of, struct

BOOLEAN, STRING, BINARY, DATE, INTERVAL = types.BOOLEAN, types.STRING, types.BINARY, types.DATE, types.INTERVAL
TINYINT, SMALLINT, INT, BIGINT = types.INTEGERS
FLOAT, DOUBLE, TIMESTAMP, TIMESTAMP_NTZ = types.FLOAT, types.DOUBLE, types.TIMESTAMP, types.TIMESTAMP_NTZ
MONEY, SMALL, LARGE, HUGE, WHOLE = decimal(10, 2), decimal(5, 4), decimal(20, 6), decimal(38, 18), decimal(38, 0)
ROW, MAP = struct(("x", INT), ("y", STRING)), map_of(STRING, INT)
FRACTIONS = """0.0 -0.0 1.5 -2.5 0.1 1.005 2.675 -0.001 1e10 -1e20 1e-7 nan inf -inf 1e300 123456.785 2.0 -7.0 3.14159
0.5 65.5 9007199254740993.0 1e18 -0.5 2.5 0.285 127.9 -129.0"""
DAYS = "1970-01-01 1969-12-31 2024-02-29 2023-02-28 2024-01-31 2024-12-30 2021-01-03 0001-01-01 9999-12-31 1582-10-10"
MOMENTS = [datetime.fromisoformat(f"{day} {time}") for day in DAYS.split() for time in ("00:00", "23:59:59.999999")]
NUMBERS_IN_TEXT = """1 -7 +5 1. .5 . -.5 +. 1.9 -12.75 1e3 1E-3 1e400 -1e400 1d 2F 0x1p3 0x.8P1 1_0 1e 00012 128 -129
32768 2147483648 -2147483649 9223372036854775807 9223372036854775808 -9223372036854775808 99999999999999999999 NaN nan
+NaN inf -Infinity +infinity Infinityx 0.005 -0.005 99999999.994 99999999.995 1e-40 1e7 1.5e3 ٣ 1L true T f No
1e99999999999 -0 -0.0 123456789.123456789 0.1e1 5e-324 1.7976931348623159e308 12e0.5 --1 +-1"""
DATES_IN_TEXT = """2024 2024-2 2024-2-9 2024-02-30 2023-02-29 2024-13-01 2024-02-09T10 2024-02-09x +2024-01-01
02024-01-01 24-01-01 2024-01- 2024-001-01 -0001-01-01 99999-01-01 0000-01-01 9999999-01-01 2024-0-1 2024-1-0 2024T10"""
WORDS = """/a/abc/ aBc /Straße/ΑΣ/日本語/😀x/a%b_c/line\nbreak/aaa/b/x,y,,z/ß/xxabxx/A.B|C/\ta /İ/ΌΣΟΣ Σ/ab\\c/\r/
tail\n/éa/Ünï/3.5/2024-02-29/TRUE/12/\U00010d50ꟓ"""
SAMPLES: dict[Type, list[Any]] = {
    BOOLEAN: [True, False, None],
    TINYINT: [0, 1, -1, 7, 100, 127, -128, None],
    SMALLINT: [0, 1, -1, 300, 32767, -32768, None],
    INT: [0, 1, -1, 2, 3, 7, -7, 10, 64, 255, 1250, -1350, 2147483647, -2147483648, None, 5, 15, 25, -15],
    BIGINT: [0, 1, -1, 2, -7, 10, 33, 2**53 + 1, 10**15 + 5, 2**63 - 1, -(2**63), None, 1700000000, -86400],
    FLOAT: [*map(float, "0.0 -0.0 1.5 -2.5 0.1 1e10 nan inf -inf 3e38".split()), None],
    DOUBLE: [*map(float, FRACTIONS.split()), None],
    MONEY: [None, *map(Decimal, "0 0.01 -0.01 1.00 -2.50 0.05 99999999.99 -99999999.99 12.34 7.00 -0.50 2.50".split())],
    SMALL: [None, *map(Decimal, "0 0.0001 9.9999 -1.0000 3.0000 0.1250 -0.0625".split())],
    LARGE: [None, *map(Decimal, "0 0.000001 99999999999999.999999 -3.141593 1000000.5 2147483648.5 -7.5".split())],
    HUGE: [None, *map(Decimal, "0 0.000000000000000001 99999999999999999999.999999999999999999 -1.5 3".split())],
    WHOLE: [None, Decimal(0), Decimal(7), Decimal(-3), Decimal("9" * 38), Decimal("-" + "9" * 20), Decimal(2**63)],
    STRING: [*WORDS.split("/"), None],
    DATE: [*map(date.fromisoformat, DAYS.split()), None],
    TIMESTAMP: [*(moment.replace(tzinfo=UTC) for moment in MOMENTS), None],
    TIMESTAMP_NTZ: [*MOMENTS, None],
    INTERVAL: [timedelta(), timedelta(microseconds=-1), timedelta(days=3, seconds=7), timedelta(-400, 1, 5), None],
    BINARY: [b"", b"ab", b"\xff\x00", None],
    array(INT): [[1, 2, 3], [], [None, 7], None, [7, None]],
    array(STRING): [["a", "b"], [], [None], None],
    MAP: [{"a": 1, "b": 2}, {}, {"abc": None}, None],
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


# Interpreted expressions mean the same as compiled ones, and here compiling them takes nearly all the time.
CONFIGURATION = {
    "spark.sql.ansi.enabled": "false",
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
}


@contextmanager
def frame_of_samples(spark: SparkSession) -> Iterator[DataFrame]:
    """The table as a DataFrame, while the session is set as the engine sets its own."""
    before = {key: spark.conf.get(key) for key in CONFIGURATION}
    for key, value in CONFIGURATION.items():
        spark.conf.set(key, value)
    local = spark.createDataFrame(table())  # which takes every timestamp for one with a zone
    without = {name: f"CAST({name} AS TIMESTAMP_NTZ) {name}" for name in local.columns if "ntz" in name}
    yield local.selectExpr(*(without.get(name, name) for name in local.columns)).cache()
    for key, old in before.items():
        spark.conf.set(key, str(old))


def differences(ours: pa.Array, of_spark: pa.Array) -> list[int]:
    """The rows that differ; NaN is equal to itself, and -0.0 differs from 0.0."""
    if not pa.types.is_floating(ours.type) and ours.equals(of_spark):
        return []
    if pa.types.is_temporal(ours.type):  # Python has fewer years
        number = pa.int32() if pa.types.is_date(ours.type) else pa.int64()
        ours, of_spark = ours.cast(number), of_spark.cast(number)
    pairs = zip(ours.to_pylist(), of_spark.to_pylist(), strict=True)
    return [row for row, (one, other) in enumerate(pairs) if repr(one) != repr(other)]
