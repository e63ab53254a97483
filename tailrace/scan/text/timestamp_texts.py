"""Timestamp texts: reads TIMESTAMPs from texts as Spark does in a session whose time zone is UTC.

Texts of the usual form, `2024-03-01 12:30:00.5` with T or a blank, with or without Z, are read column by column. The
others are read one by one: parts may be left out or have one digit, and a zone may follow.
"""

from __future__ import annotations

import re
import zoneinfo
from datetime import UTC, datetime
from functools import cache
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tailrace.columnar.functions import dates
from tailrace.columnar.functions.cast_texts import CONTROLS
from tailrace.columnar.functions.kernel import Mask, Numbers, Values
from tailrace.scan.scan_spec import NotScannable
from tailrace.types import MICROSECONDS

DAY, HOUR, MINUTE, SECOND = (MICROSECONDS[unit] for unit in ("DAY", "HOUR", "MINUTE", "SECOND"))
UTC_MICROS = pa.timestamp("us", tz="UTC")
USUAL = 19  # characters of a date and a time without a fraction
FRACTION = 6  # digits of microseconds
# The places of digits in a usual text, and of what stands between them.
PARTS = {"year": (0, 4), "month": (5, 2), "day": (8, 2), "hour": (11, 2), "minute": (14, 2), "second": (17, 2)}
MARKS = {4: b"-", 7: b"-", 10: b" T", 13: b":", 16: b":"}

DATE_PART = r"(?P<sign>[+-]?)(?P<year>[0-9]{4,6})(?:-(?P<month>[0-9]{1,2})(?:-(?P<day>[0-9]{1,2})(?:[ T]{clock})?)?)?"
CLOCK = r"(?P<hour{n}>[0-9]{{1,2}})(?::(?P<minute{n}>[0-9]{{1,2}})(?::(?P<second{n}>[0-9]{{1,2}}){rest})?)?"
REST = r"(?:\.(?P<fraction{n}>[0-9]*))?(?P<zone{n}>[^0-9.].*)?"


def _clock(number: int) -> str:
    return CLOCK.format(n=number, rest=REST.format(n=number))


# A date with or without a clock, or a clock alone: after T, or with at least its minutes.
WITH_DATE = re.compile(DATE_PART.replace("{clock}", _clock(0)), re.DOTALL)
CLOCK_ONLY = re.compile(rf"T{_clock(0)}|(?=[0-9]+:){_clock(1)}", re.DOTALL)
OFFSET = re.compile(r"([+-])(?:([0-9]{1,2})|([0-9]{2}):?([0-9]{2})|([0-9]{2}):([0-9]{2}):([0-9]{2})|([0-9]{6}))")
ZONE_NAME = re.compile(r"[A-Za-z][A-Za-z0-9~/._+-]+")
LARGEST_OFFSET = 18 * HOUR
JAVA_ALONE = {"SystemV"}  # regions that only Java knows begin so
SHORT_NAMES = set(
    "ACT AET AGT ART AST BET BST CAT CNT CST CTT EAT ECT IET IST JST MIT NET NST PLT PNT PRT PST SST VST EST MST HST"
    " ROC".split()
)


def read_timestamps(texts: Values) -> Values:
    """The timestamps in texts; NULL where a text is none."""
    trimmed = pc.utf8_trim(texts, characters=CONTROLS)
    micros, usual = read_usual(trimmed)
    missing = np.asarray(trimmed.is_null())
    found = pa.array(micros, pa.int64(), mask=~usual | missing)
    others = np.flatnonzero(~usual & ~missing)
    if len(others):
        values = pa.array([read_one(text) for text in trimmed.take(pa.array(others)).to_pylist()], pa.int64())
        found = pc.replace_with_mask(found, pa.array(~usual & ~missing), values)
    return found.view(UTC_MICROS)


def read_usual(texts: pa.StringArray) -> tuple[Numbers, Mask]:
    """The microseconds since 1970 of texts of the usual form, and which texts are of it; any number for the others."""
    offsets = np.frombuffer(texts.buffers()[1], np.int32)[texts.offset : texts.offset + len(texts) + 1].astype(np.int64)
    data = texts.buffers()[2]
    letters = np.frombuffer(data, np.uint8) if data is not None and data.size else np.zeros(1, np.uint8)
    lengths = np.diff(offsets)
    fits = lengths >= USUAL
    starts = np.where(fits, offsets[:-1], 0)
    if len(letters) < USUAL:
        return np.zeros(len(texts), np.int64), np.zeros(len(texts), bool)
    for place, marks in MARKS.items():
        found = letters[starts + place]
        fits &= np.logical_or.reduce([found == mark for mark in marks])
    numbers = {}
    for name, (place, count) in PARTS.items():
        numbers[name], is_number = _digits(letters, starts + place, count)
        fits &= is_number
    fraction, fits = _fraction(letters, starts, lengths, fits)
    year, month, day = numbers["year"], numbers["month"], numbers["day"]
    fits &= (month >= 1) & (month <= 12) & (day >= 1) & (numbers["hour"] < 24)
    fits &= (numbers["minute"] < 60) & (numbers["second"] < 60)
    first = dates.month_start((year - dates.EPOCH) * 12 + np.where(fits, month, 1) - 1)
    fits &= first + day - 1 <= dates.month_end(dates.months_of(first))
    clock = numbers["hour"] * HOUR + numbers["minute"] * MINUTE + numbers["second"] * SECOND
    return np.where(fits, (first + day - 1) * DAY + clock + fraction, 0), fits


def _digits(letters: Numbers, places: Numbers, count: int) -> tuple[Numbers, Mask]:
    """The numbers of `count` digits at these places, and whether all of them are digits."""
    number, fits = np.zeros(len(places), np.int64), np.ones(len(places), bool)
    for step in range(count):
        digit = letters[places + step] - np.uint8(48)  # other characters wrap around to more than 9
        fits &= digit <= 9
        number = number * 10 + digit
    return number, fits


def _fraction(letters: Numbers, starts: Numbers, lengths: Numbers, fits: Mask) -> tuple[Numbers, Mask]:
    """The microseconds behind the seconds, where there is nothing else than these and a Z."""
    fraction = np.zeros(len(starts), np.int64)
    more = fits & (lengths > USUAL)
    if not more.any():
        return fraction, fits
    last = letters[np.where(more, starts + lengths - 1, 0)]
    ends = lengths - (more & (last == ord("Z")))
    dotted = more & (ends > USUAL)
    fits = fits & (~dotted | (letters[np.where(dotted, starts + USUAL, 0)] == ord(".")))
    count = np.where(dotted, ends - USUAL - 1, 0)
    fits &= count <= FRACTION
    for step in range(FRACTION):
        there = dotted & fits & (count > step)
        digit = letters[np.where(there, starts + USUAL + 1 + step, 0)] - np.uint8(48)
        fits &= ~there | (digit <= 9)
        fraction = fraction * 10 + np.where(there, digit, 0)
    return fraction, fits


# One text at a time -----------------------------------------------------------------------------------------


def read_one(text: str) -> int | None:
    """The microseconds since 1970 that a text without blanks at its ends means; None if it is no timestamp."""
    found = WITH_DATE.fullmatch(text) or CLOCK_ONLY.fullmatch(text)
    if found is None:
        return None
    parts = {name.rstrip("01"): part for name, part in found.groupdict().items() if part is not None}
    zone = read_zone(parts["zone"].strip(JAVA_BLANKS)) if "zone" in parts else 0
    if zone is None:
        return None
    clock = [int(parts.get(name, 0)) for name in ("hour", "minute", "second")]
    if clock[0] > 23 or clock[1] > 59 or clock[2] > 59:
        return None
    day = _day(parts, zone)
    micros = int((parts.get("fraction") or "0")[:FRACTION].ljust(FRACTION, "0"))
    if day is None:
        return None
    total = day * DAY + clock[0] * HOUR + clock[1] * MINUTE + clock[2] * SECOND + micros - zone
    return total if -(2**63) <= total < 2**63 else None


JAVA_BLANKS = "".join(map(chr, range(0x21)))


def _day(parts: dict[str, str], zone: int) -> int | None:
    """The day of a timestamp since 1970; a clock without a date means today."""
    if "year" not in parts:
        now = int(datetime.now(UTC).timestamp()) * SECOND + zone
        return now // DAY
    year = int(parts["year"]) * (-1 if parts["sign"] == "-" else 1)
    month, day = int(parts.get("month", 1)), int(parts.get("day", 1))
    if not (1 <= month <= 12 and day >= 1):
        return None
    first = dates.month_start(np.array([(year - dates.EPOCH) * 12 + month - 1]))
    found = int(first[0]) + day - 1
    return found if found <= int(dates.month_end(dates.months_of(first))[0]) else None


def read_zone(zone: str) -> int | None:
    """The offset of a time zone from UTC in microseconds; None if there is no such zone.

    Raises NotScannable for a region such as Europe/Berlin: its rules may differ between Java and this machine.
    """
    padded = re.sub(r"([+-])([0-9]):", r"\g<1>0\2:", zone, count=1)
    padded = re.sub(r"([+-])([0-9]{2}):([0-9])$", r"\1\2:0\3", padded, count=1)
    if padded == "Z" or padded in ("UTC", "GMT", "UT"):
        return 0
    for prefix in ("UTC", "GMT", "UT"):
        if padded.startswith(prefix):
            rest = padded.removeprefix(prefix)
            if rest[:1] in ("+", "-"):
                return _offset(rest)
            break
    if padded[:1] in ("+", "-"):
        return _offset(padded)
    if ZONE_NAME.fullmatch(padded) and is_region(padded):
        raise NotScannable(f"a timestamp has the time zone {padded}, which only Spark's reader knows")
    return None


def _offset(text: str) -> int | None:
    found = OFFSET.fullmatch(text)
    if found is None:
        return None
    sign, *numbers = found.groups()
    packed = numbers.pop()
    if packed:
        numbers = [packed[:2], packed[2:4], packed[4:]]
    hours, *rest = (int(number) for number in numbers if number is not None)
    minutes, seconds = (*rest, 0, 0)[:2]
    if minutes > 59 or seconds > 59:
        return None
    total = hours * HOUR + minutes * MINUTE + seconds * SECOND
    return None if total > LARGEST_OFFSET else -total if sign == "-" else total


@cache
def is_region(name: str) -> bool:
    """Whether a name may be one of a region whose time zone Java knows."""
    known: Any = _regions()
    return name in SHORT_NAMES or name.split("/")[0] in JAVA_ALONE or not known or name in known


@cache
def _regions() -> frozenset[str]:
    return frozenset(zoneinfo.available_timezones())
