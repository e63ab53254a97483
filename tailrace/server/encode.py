"""Encode: result rows as JSON.

>>> import pyarrow as pa
>>> rows_json(pa.table({"_ts": [1, 2], "v": [0.5, float("nan")], "b": [b"\\x01", None]}))
['[1,0.5,"01"]', '[2,"NaN",null]']
"""

from __future__ import annotations

import json
import math
from datetime import datetime
from typing import TYPE_CHECKING, Any

from tailrace.columnar.row_values import row_values

if TYPE_CHECKING:
    import pyarrow as pa


def rows_json(table: pa.Table) -> list[str]:
    """Each row as a JSON array."""
    columns = [row_values(column) for column in table.columns]
    return [row_json(row) for row in zip(*columns, strict=True)]


def row_json(row: tuple[Any, ...]) -> str:
    try:
        return json.dumps(row, ensure_ascii=False, separators=(",", ":"), default=text_of, allow_nan=False)
    except (ValueError, TypeError):
        return json.dumps(plain(row), ensure_ascii=False, separators=(",", ":"))


def text_of(value: Any) -> str:
    """A value for which JSON has no type, as text like in the terminal. Timestamps are in UTC."""
    if isinstance(value, datetime):
        return str(value.replace(tzinfo=None))
    return value.hex() if isinstance(value, bytes) else str(value)


def plain(value: Any) -> Any:
    """A value of JSON's own types throughout: map keys, NaN, infinities and all other types become strings."""
    if isinstance(value, dict):
        return {key if isinstance(key, str) else text_of(key): plain(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(each) for each in value]
    if isinstance(value, float):
        return value if math.isfinite(value) else {"nan": "NaN", "inf": "Infinity", "-inf": "-Infinity"}[str(value)]
    return value if value is None or isinstance(value, (bool, int, str)) else text_of(value)
