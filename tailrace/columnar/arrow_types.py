"""Arrow types: the Arrow type in which Spark and Python exchange values of an SQL type.

>>> from tailrace.types import TIMESTAMP, array, decimal
>>> print(arrow_type(TIMESTAMP), arrow_type(decimal(8, 2)))
timestamp[us, tz=UTC] decimal128(8, 2)
>>> print(arrow_type(array(TIMESTAMP)))
list<element: timestamp[us, tz=UTC]>
"""

from __future__ import annotations

from functools import cache

import pyarrow as pa

from tailrace import types
from tailrace.types import Type

ATOMS: dict[Type, pa.DataType] = {
    types.BOOLEAN: pa.bool_(),
    types.TINYINT: pa.int8(),
    types.SMALLINT: pa.int16(),
    types.INT: pa.int32(),
    types.BIGINT: pa.int64(),
    types.FLOAT: pa.float32(),
    types.DOUBLE: pa.float64(),
    types.STRING: pa.string(),
    types.BINARY: pa.binary(),
    types.DATE: pa.date32(),
    types.TIMESTAMP: pa.timestamp("us", tz="UTC"),
    types.TIMESTAMP_NTZ: pa.timestamp("us"),
    types.INTERVAL: pa.duration("us"),
    # Spark hands no interval of months to Python, so such values occur only inside an expression.
    types.MONTHS: pa.int32(),
    types.VOID: pa.null(),
}


@cache
def arrow_type(type: Type) -> pa.DataType:
    """The Arrow type of an SQL type; ValueError if Spark has none for it."""
    if type in ATOMS:
        return ATOMS[type]
    match type.name:
        case "DECIMAL":
            return pa.decimal128(*type.args)
        case "ARRAY":
            return pa.list_(pa.field("element", arrow_type(type.args[0])))
        case "MAP":
            key, value = map(arrow_type, type.args)
            return pa.map_(pa.field("key", key, nullable=False), pa.field("value", value))
        case "STRUCT":
            return pa.struct([pa.field(name, arrow_type(part)) for name, part in type.args])
    raise ValueError(f"{type} does not travel in Arrow")


@cache
def type_of(arrow: pa.DataType) -> Type:
    """The SQL type whose values travel as this Arrow type.

    >>> print(type_of(pa.list_(pa.int64())), type_of(pa.timestamp("us")))
    ARRAY<BIGINT> TIMESTAMP_NTZ
    """
    for type, known in ATOMS.items():
        if known == arrow and type != types.MONTHS:
            return type
    if pa.types.is_decimal(arrow):
        return types.decimal(arrow.precision, arrow.scale)
    if pa.types.is_map(arrow):
        return Type("MAP", (type_of(arrow.key_type), type_of(arrow.item_type)))
    if pa.types.is_list(arrow):
        return types.array(type_of(arrow.value_type))
    if pa.types.is_struct(arrow):
        return Type("STRUCT", tuple((field.name, type_of(field.type)) for field in arrow))
    raise ValueError(f"no type of ours travels as {arrow}")
