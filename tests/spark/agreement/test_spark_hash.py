"""Spark hash: ours is Spark's, for values of every type by which rows can be sharded."""

from __future__ import annotations

from decimal import Decimal
from random import Random
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from pyspark.sql import SparkSession

from tailrace.columnar.spark_hash import hash_rows, shards_of

pytestmark = pytest.mark.spark

TYPES: dict[str, pa.DataType] = {
    "BOOLEAN": pa.bool_(),
    "TINYINT": pa.int8(),
    "SMALLINT": pa.int16(),
    "INT": pa.int32(),
    "BIGINT": pa.int64(),
    "FLOAT": pa.float32(),
    "DOUBLE": pa.float64(),
    "STRING": pa.string(),
    "BINARY": pa.binary(),
    "DATE": pa.date32(),
    "TIMESTAMP": pa.timestamp("us", "UTC"),
    "DECIMAL(9,2)": pa.decimal128(9, 2),
    "DECIMAL(30,4)": pa.decimal128(30, 4),
}


def drawn(name: str, chance: Random) -> Any:
    bits = {"TINYINT": 8, "SMALLINT": 16, "INT": 32, "DATE": 20}.get(name, 50)
    whole = chance.choice([0, -1, 1, chance.randrange(-(2 ** (bits - 1)), 2 ** (bits - 1))])
    if chance.random() < 0.1:
        return None
    match name:
        case "BOOLEAN":
            return chance.random() < 0.5
        case "FLOAT" | "DOUBLE":
            return chance.choice([0.0, -0.0, float("nan"), float("inf"), -1.5, chance.random() * 1e10])
        case "STRING":
            return "".join(chance.choice("aäz€𝄞 ") for _ in range(chance.randrange(12)))
        case "BINARY":
            return bytes(chance.randrange(256) for _ in range(chance.randrange(12)))
        case "DECIMAL(9,2)":
            return Decimal(whole % 10**9).scaleb(-2)
        case "DECIMAL(30,4)":
            long = chance.choice([whole, -whole, chance.randrange(-(10**30) + 1, 10**30), 127, 128, -128, -129, 255])
            return Decimal(f"{long}E-4")
    return whole


def test_as_spark_has_it(spark: SparkSession) -> None:
    chance = Random(11)
    columns = {name: pa.array([drawn(name, chance) for _ in range(300)], type) for name, type in TYPES.items()}
    table = pa.table({f"c{number}": column for number, column in enumerate(columns.values())})
    names = ", ".join(table.column_names)
    frame = spark.createDataFrame(table).coalesce(1)
    each = [f"hash({name}) AS h{name}" for name in table.column_names]
    found = frame.selectExpr(*each, f"hash({names}) AS h", f"pmod(hash({names}), 7) AS s").toArrow()
    for name, (type, column) in zip(table.column_names, columns.items(), strict=True):
        ours = hash_rows([column], len(column)).view(np.int32)
        wrong = np.flatnonzero(found[f"h{name}"].to_numpy() != ours)
        assert not len(wrong), f"{type}: {column[int(wrong[0])]}"
    everything = list(columns.values())
    assert found["h"].to_numpy().tolist() == hash_rows(everything, 300).view(np.int32).tolist()
    assert found["s"].to_numpy().tolist() == shards_of(everything, 300, 7).tolist()
    sliced = [column.slice(100, 50) for column in everything]
    assert hash_rows(sliced, 50).tolist() == hash_rows(everything, 300)[100:150].tolist()
