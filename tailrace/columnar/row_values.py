"""Row values: Arrow columns as the Python values that users get.

Python has dates of the years 1 to 9999 only, Spark has more. A date outside these years becomes the text that Spark
writes for it.

>>> row_values(pa.chunked_array([pa.array([0, 3_000_000], pa.int32()).cast(pa.date32())]))
[datetime.date(1970, 1, 1), '+10183-09-21']
"""

from __future__ import annotations

from typing import Any

import pyarrow as pa

from tailrace.columnar.functions.cast_texts import write_date, write_timestamp
from tailrace.types import STRING


def row_values(column: pa.ChunkedArray) -> list[Any]:
    """The values of a column; structs and maps are dicts, dates that Python does not have are texts."""
    try:
        return list(column.to_pylist(maps_as_pydicts="strict"))
    except (OverflowError, ValueError):
        return [_value(scalar) for scalar in column]


def _value(scalar: pa.Scalar) -> Any:
    if not scalar.is_valid:
        return None
    if pa.types.is_map(scalar.type):
        return {_value(pair["key"]): _value(pair["value"]) for pair in scalar.values}
    if pa.types.is_struct(scalar.type):
        return {field.name: _value(scalar[field.name]) for field in scalar.type}
    if pa.types.is_list(scalar.type):
        return [_value(each) for each in scalar.values]
    try:
        return scalar.as_py()
    except (OverflowError, ValueError):
        write = write_date if pa.types.is_date(scalar.type) else write_timestamp
        return write(pa.array([scalar]), STRING)[0].as_py()
