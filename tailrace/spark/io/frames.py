"""Frames: takes a user's DataFrames as sources, and turns results into DataFrames and Rows."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
from pyspark.sql import DataFrame, Row, SparkSession
from pyspark.sql import types as spark_types
from pyspark.sql.pandas.types import from_arrow_schema
from pyspark.sql.types import DataType

from tailrace import types
from tailrace.columnar.row_values import row_values
from tailrace.errors import AnalysisError
from tailrace.schema import Field, Schema
from tailrace.types import Type

__all__ = ["DataFrame", "Row", "SparkSession", "frame_of", "move_to_session", "rows_of", "schema_of"]

ATOMS: dict[type[DataType], Type] = {
    spark_types.BooleanType: types.BOOLEAN,
    spark_types.ByteType: types.TINYINT,
    spark_types.ShortType: types.SMALLINT,
    spark_types.IntegerType: types.INT,
    spark_types.LongType: types.BIGINT,
    spark_types.FloatType: types.FLOAT,
    spark_types.DoubleType: types.DOUBLE,
    spark_types.StringType: types.STRING,
    spark_types.BinaryType: types.BINARY,
    spark_types.DateType: types.DATE,
    spark_types.TimestampType: types.TIMESTAMP,
    spark_types.TimestampNTZType: types.TIMESTAMP_NTZ,
}


def type_of(found: DataType) -> Type | None:
    """The CQL type for a Spark type; None if CQL has no such type.

    >>> print(type_of(spark_types.ArrayType(spark_types.DecimalType(8, 2))))
    ARRAY<DECIMAL(8,2)>
    """
    match found:
        case spark_types.StringType() if not found.isUTF8BinaryCollation():
            return None
        case spark_types.DecimalType():
            return types.decimal(found.precision, found.scale)
        case spark_types.ArrayType():
            element = type_of(found.elementType)
            return types.array(element) if element else None
        case spark_types.MapType():
            key, value = type_of(found.keyType), type_of(found.valueType)
            return types.map_of(key, value) if key and value else None
        case spark_types.StructType():
            parts = [(field.name, type_of(field.dataType)) for field in found]
            known = [(name, part) for name, part in parts if part]
            return types.struct(*known) if len(known) == len(parts) else None
    return ATOMS.get(type(found))


def schema_of(name: str, frame: DataFrame) -> Schema:
    """The schema of a DataFrame that becomes the source `name`; refuses columns whose type CQL does not have."""
    fields = []
    for column in frame.schema:
        found = type_of(column.dataType)
        if found is None:
            raise AnalysisError(
                f"{name}: the column {column.name} is {column.dataType.simpleString()}, which queries do not know",
                hint="cast it, or leave it out with drop",
            )
        fields.append(Field(column.name, found))
    return Schema(tuple(fields))


def move_to_session(frame: DataFrame, session: SparkSession) -> DataFrame:
    """The same DataFrame in another session; its plan stays as its own session has analysed it."""
    java: Any = session.sparkContext._jvm
    rows: Any = frame
    dataset = java.org.apache.spark.sql.classic.Dataset
    return DataFrame(dataset.ofRows(session._jsparkSession, rows._jdf.queryExecution().analyzed()), session)


def frame_of(session: SparkSession, answers: pa.Table) -> DataFrame:
    """Turn the results of a query into a DataFrame."""
    return session.createDataFrame(answers, from_arrow_schema(answers.schema, prefer_timestamp_ntz=True))


def rows_of(answers: pa.Table) -> list[Row]:
    """Turn the results of a query into Rows; TIMESTAMPs become datetimes in UTC, structs and maps become dicts.

    A TIMESTAMP that a datetime cannot hold, before the year 1 or after 9999, becomes the text that Spark writes for it.

    >>> rows_of(pa.table({"_ts": [1, 2], "k": ["a", None]}))
    [Row(_ts=1, k='a'), Row(_ts=2, k=None)]
    """
    named = Row(*answers.column_names)
    columns = [row_values(column) for column in answers.columns]
    return [named(*values) for values in zip(*columns, strict=True)]
