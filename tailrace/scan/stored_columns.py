"""Stored columns: reads columns from files that hold their own types, as the declared types.

A stored type may be narrower than the declared one, as Spark allows: an INT is read as a BIGINT, but not the other way
round. Whatever else Spark would convert, wrap around or refuse is left to Spark.
"""

from __future__ import annotations

from collections.abc import Mapping

import pyarrow as pa

from tailrace.columnar.arrow_types import arrow_type
from tailrace.columnar.functions.kernel import Values
from tailrace.scan.scan_spec import NotScannable, ScanSpec
from tailrace.types import (
    BIGINT,
    BOOLEAN,
    DATE,
    DOUBLE,
    FLOAT,
    INT,
    SMALLINT,
    STRING,
    TIMESTAMP,
    TINYINT,
    Type,
    is_decimal,
)

WIDER: Mapping[pa.DataType, tuple[Type, ...]] = {
    pa.bool_(): (BOOLEAN,),
    pa.int8(): (TINYINT, SMALLINT, INT, BIGINT, DOUBLE),
    pa.int16(): (SMALLINT, INT, BIGINT, DOUBLE),
    pa.int32(): (INT, BIGINT, DOUBLE),
    pa.int64(): (BIGINT,),
    pa.float32(): (FLOAT, DOUBLE),
    pa.float64(): (DOUBLE,),
    pa.date32(): (DATE,),
    pa.string(): (STRING,),
    pa.large_string(): (STRING,),
    pa.string_view(): (STRING,),
}


def fits(stored: pa.DataType, type: Type) -> bool:
    """Whether values of a stored type are read as a declared one.

    >>> fits(pa.int32(), BIGINT), fits(pa.int64(), INT), fits(pa.timestamp("ms"), TIMESTAMP)
    (True, False, True)
    """
    if pa.types.is_dictionary(stored):
        return fits(stored.value_type, type)
    if pa.types.is_timestamp(stored):
        return type == TIMESTAMP and stored.unit in ("us", "ms")
    if pa.types.is_decimal128(stored):
        return is_decimal(type) and stored.scale == type.args[1] and stored.precision <= type.args[0]
    return type in WIDER.get(stored, ())


def bind_stored(stored: pa.Schema, spec: ScanSpec) -> dict[str, int | None]:
    """The place in a file of each wanted column, by name without regard to case; None for one that it does not have.

    Raises NotScannable for a column that only Spark converts, and for two columns of one name.
    """
    found: dict[str, int | None] = {}
    for name in spec.wanted:
        places = [place for place, field in enumerate(stored) if field.name.lower() == name.lower()]
        if len(places) > 1:
            raise NotScannable(f"a file has {len(places)} columns {name}")
        found[name] = places[0] if places else None
        if places and not fits(stored.field(places[0]).type, spec.types[name.lower()]):
            kind = stored.field(places[0]).type
            raise NotScannable(f"a file has {kind} values in column {name}, which is {spec.types[name.lower()]}")
    return found


def cast_batch(found: Mapping[str, Values | None], rows: int, spec: ScanSpec) -> pa.RecordBatch:
    """A batch of the wanted columns in their declared types; NULL for columns that the file does not have."""
    arrays = []
    for name in spec.wanted:
        type, values = arrow_type(spec.types[name.lower()]), found[name]
        arrays.append(pa.nulls(rows, type) if values is None else values if values.type == type else values.cast(type))
    if spec.corrupt:
        arrays.append(pa.nulls(rows, pa.string()))
    if not arrays:
        return rows_without_columns(rows)
    return pa.RecordBatch.from_arrays(arrays, schema=spec.schema)


def rows_without_columns(rows: int) -> pa.RecordBatch:
    """A batch that has so many rows and no column."""
    return pa.RecordBatch.from_struct_array(pa.array([{}] * rows, pa.struct([])))
