"""Value texts: the texts of values in csv and json files, as Spark's writers write them, without any quotes.

>>> moments = pa.array([1583020800123456, -1], pa.timestamp("us", tz="UTC"))
>>> write_values(moments, 17).to_pylist()
['2020-03-01T00:00:00.123Z', '1969-12-31T23:59:59.999Z']
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tailrace.columnar.functions.dates import day_of_month, month_of_year, year_start, years_of
from tailrace.columnar.functions.kernel import Mask, Numbers, nulls_of, numbers_of
from tailrace.write.java_numbers import write_fractions

DAY_MILLIS = 86_400_000
# The years 0 to 9999 are written with four digits and no sign.
LAST_YEAR = 9999
FIRST_DAY, END = (int(day) for day in year_start(np.array([0, LAST_YEAR + 1])))
# Arrow's text of a timestamp has a space between the day and the time, where Spark has a T; at its end Spark has a Z.
SEPARATOR, LENGTH = len("2024-03-01"), len("2024-03-01 10:00:00.000")


def write_values(values: pa.Array, java: int) -> pa.Array:
    """The texts of values that are not nested; `java` is the version that would write numbers."""
    if pa.types.is_string(values.type):
        return values
    if pa.types.is_floating(values.type):
        return write_fractions(values, java)
    if pa.types.is_date(values.type):
        return write_days(values)
    if pa.types.is_timestamp(values.type):
        return write_moments(values)
    return pc.cast(values, pa.string())


def write_days(values: pa.Array) -> pa.Array:
    days, nulls = numbers_of(values).astype(np.int64), nulls_of(values)
    odd = ((days < FIRST_DAY) | (days >= END)) & ~nulls
    if not odd.any():
        return pc.cast(values, pa.string())
    usual = pc.if_else(pa.array(odd), pa.scalar(0, pa.int32()).cast(pa.date32()), values)
    return replace_texts(pc.cast(usual, pa.string()), odd, day_texts(days[odd]))


def write_moments(values: pa.Array) -> pa.Array:
    """Timestamps in UTC, with milliseconds; what is smaller is cut off."""
    millis, nulls = numbers_of(values) // 1000, nulls_of(values)
    odd = ((millis < FIRST_DAY * DAY_MILLIS) | (millis >= END * DAY_MILLIS)) & ~nulls
    usual = np.where(odd, 0, millis) if odd.any() else millis
    cut = pa.array(usual, pa.int64(), mask=np.broadcast_to(nulls, len(usual)) if nulls.any() else None)
    # With a time zone, Arrow would look it up for each value.
    text = pc.cast(cut.cast(pa.timestamp("ms")), pa.string())
    text = pc.binary_replace_slice(text, SEPARATOR, SEPARATOR + 1, "T")
    text = pc.binary_replace_slice(text, LENGTH, LENGTH, "Z")
    if not odd.any():
        return text
    days, rest = np.divmod(millis[odd], DAY_MILLIS)
    clocks = pc.cast(pa.array(rest.astype(np.int32)).cast(pa.time32("ms")), pa.string()).to_pylist()
    texts = [f"{day}T{clock}Z" for day, clock in zip(day_texts(days), clocks, strict=True)]
    return replace_texts(text, odd, texts)


def day_texts(days: Numbers) -> list[str]:
    """Days of any year, one by one; years of more than four digits have a sign."""
    parts = (years_of(days), month_of_year(days), day_of_month(days))
    found = []
    for year, month, day in zip(*(part.tolist() for part in parts), strict=True):
        sign = "+" if year > LAST_YEAR else "-" if year < 0 else ""
        found.append(f"{sign}{abs(year):04}-{month:02}-{day:02}")
    return found


def replace_texts(texts: pa.Array, rows: Mask, others: list[str]) -> pa.Array:
    """The texts, with others in some rows."""
    return pc.replace_with_mask(texts, pa.array(np.ascontiguousarray(rows)), pa.array(others, pa.string()))


def has_byte(texts: pa.Array, wanted: Mask) -> bool:
    """Whether one of the bytes is in any text; `wanted` says of each of the 256 bytes if it is one."""
    return bool(wanted[bytes_of(texts)].any())


def bytes_of(texts: pa.Array) -> np.ndarray[Any, np.dtype[np.uint8]]:
    """The bytes of all texts together, without a copy."""
    _, offsets, data = texts.buffers()
    if data is None or not len(texts):
        return np.zeros(0, np.uint8)
    ends = np.frombuffer(offsets, np.int32, len(texts) + 1, 4 * texts.offset)
    return np.frombuffer(data, np.uint8, int(ends[-1] - ends[0]), int(ends[0]))


def table_of(characters: str) -> Mask:
    """A table of all bytes that says which of them are these characters."""
    found = np.zeros(256, bool)
    found[[ord(character) for character in characters]] = True
    return found
