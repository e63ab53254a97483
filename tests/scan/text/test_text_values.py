"""Values that csv files write as texts, by the rules of Spark's csv reader."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pyarrow as pa
import pytest

from tailrace.scan.text.text_values import read_values
from tailrace.types import BOOLEAN, DATE, DOUBLE, INT, TIMESTAMP, Type, decimal


@pytest.mark.parametrize(
    ("type", "texts"),
    [
        (INT, {"+5": 5, "-0": 0, "007": 7, "٥": 5, " 5": None, "0x1": None, "1e3": None, "2147483648": None}),
        (DOUBLE, {"Inf": float("inf"), "inf": None, " 1 ": 1.0, "1d": 1.0, "0x1p3": 8.0, " Inf": None, ".": None}),
        (BOOLEAN, {"TRUE": True, "fal\u017fe": False, "t": None, "1": None, " true": None}),
        (decimal(5, 2), {"1.555": Decimal("1.56"), "999.995": None, "1e0002": 100, "1,5": 15, " 1": None}),
        (DATE, {"2024-3": 19783, "2024-03-01GMT": 19783, "2024-03-01x": None, "2024-02-30": None}),
        (
            TIMESTAMP,
            {
                "1970-01-01 00:00:01.5Z": 1_500_000,
                "1970-01-01T1:0:0+01:00": 0,
                "1970-01-01 00:00:00GMT-1": 3_600_000_000,
                "1970": 0,
                "1970-01-01 24:00:00": None,
                "1970-01-01 00:00:00+19:00": None,
                "1970-01-01 00:00Z": None,
            },
        ),
    ],
)
def test_values(type: Type, texts: dict[str, Any]) -> None:
    found = read_values(pa.array(texts), type)
    if type in (DATE, TIMESTAMP):
        found = found.view(pa.int32() if type == DATE else pa.int64())
    assert dict(zip(texts, found.to_pylist(), strict=True)) == texts
