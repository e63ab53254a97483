"""JSON objects of nested values, as slices of larger arrays and with NULLs in every place."""

from __future__ import annotations

import json

import pyarrow as pa
import pytest

from tailrace.write.json_text import write_objects

NESTED = {
    "_ts": list(range(6)),
    "list": [[1, None], None, [], [2], [3, 4], None],
    "map": [[("a\n", 1.5)], [], None, [("b", None), ("c", 2.0)], [("d", float("inf"))], None],
    "pair": [
        {"x": "q", "y": [True]},
        None,
        {"x": None, "y": None},
        {"x": "", "y": []},
        {"x": "\x01", "y": [None]},
        None,
    ],
}
TYPES = [pa.int64(), pa.list_(pa.int32()), pa.map_(pa.string(), pa.float64())]
TYPES += [pa.struct([("x", pa.string()), ("y", pa.list_(pa.bool_()))])]
ROWS = pa.RecordBatch.from_arrays(
    [pa.array(values, type) for values, type in zip(NESTED.values(), TYPES, strict=True)], list(NESTED)
)


@pytest.mark.parametrize(("start", "length"), [(0, 6), (1, 4), (3, 2), (5, 1)])
def test_slices(start: int, length: int) -> None:
    whole = write_objects(ROWS, False, 17).to_pylist()
    assert write_objects(ROWS.slice(start, length), False, 17).to_pylist() == whole[start : start + length]


def test_nulls_stay_or_go() -> None:
    every = [json.loads(line) for line in write_objects(ROWS, False, 17).to_pylist()]
    assert every[2] == {"_ts": 2, "list": [], "map": None, "pair": {"x": None, "y": None}}
    some = [json.loads(line) for line in write_objects(ROWS, True, 17).to_pylist()]
    assert some[2] == {"_ts": 2, "list": [], "pair": {}}
    assert some[3] == {"_ts": 3, "list": [2], "map": {"b": None, "c": 2.0}, "pair": {"x": "", "y": []}}
    assert some[4]["map"] == {"d": "Infinity"}
    assert some[5] == {"_ts": 5}
