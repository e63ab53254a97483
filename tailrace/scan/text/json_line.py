"""Json line: reads one line of JSON as Spark's json reader does, for lines that Arrow cannot be trusted with.

A line is one object. What follows it is ignored. Of fields with one name the last one that can be read counts. A STRING
takes any value as it is written. A line that is not JSON is malformed, and all its columns are NULL.

>>> from tailrace.types import INT, STRING
>>> read_line(b'{"a": 1, "b": [ 2 ]} and more', {"a": INT, "b": STRING})
({'a': 1, 'b': '[ 2 ]'}, False)
>>> read_line(b'{"a": "1", "b": 2}', {"a": INT, "b": STRING})
({'b': '2'}, True)
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

import pyarrow as pa

from tailrace.columnar.arrow_types import arrow_type
from tailrace.scan.scan_spec import NotScannable
from tailrace.scan.text.text_values import read_long_integer, read_values
from tailrace.types import (
    BIGINT,
    BOOLEAN,
    DATE,
    INT,
    INTEGER_BITS,
    STRING,
    TIMESTAMP,
    TINYINT,
    Type,
    is_decimal,
    is_fraction,
    is_integer,
)

Fields = dict[str, Any]
BLANKS = re.compile(r"[ \t\r\n]*")
QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"')
LENIENT = re.compile(r"'|INF|Inf|NaN")  # what Spark's parser takes outside of quotes and Python's does not
INTEGER = re.compile(r"-?[0-9]+")
WORDS = {
    **dict.fromkeys(("+INF", "+Infinity", "Infinity"), float("inf")),
    **dict.fromkeys(("-INF", "-Infinity"), float("-inf")),
    "NaN": float("nan"),
}
LONGEST_NUMBER, DEEPEST = 900, 400  # Spark's parser refuses numbers and nesting above some limits
GREGORIAN = -141_427  # the day of 1582 from which on the calendars agree
MARK = b"\xef\xbb\xbf"


class Number(str):
    """A number as it is written."""


def _refuse(text: str) -> Any:
    raise NotScannable(f"only Spark's reader reads {text} in a json file")


# Its `scan_once` and `parse_string` read a value, or a text, from a place on, and return the place behind it.
DECODER: Any = json.JSONDecoder(parse_int=Number, parse_float=Number, parse_constant=_refuse)


def read_line(line: bytes, types: Mapping[str, Type]) -> tuple[Fields, bool] | None:
    """The values of the wanted fields, and whether the line is malformed; None for a line of blanks alone."""
    if b"\0" in line[:4] or line.startswith(MARK):
        raise NotScannable("a line of a json file begins with a byte order mark or a zero byte")
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError:
        raise NotScannable("a json file is not UTF-8") from None
    start = _skip(text, 0)
    if start == len(text):
        return None
    if text[start] == "[":
        raise NotScannable("a line of a json file is an array")
    if text[start] != "{":
        return {}, True
    try:
        return read_object(text, start + 1, types)
    except (ValueError, StopIteration, IndexError) as error:
        if isinstance(error, json.JSONDecodeError) and error.msg.startswith("Invalid"):
            # Spark's parser may go on behind a wrong escape or a control character inside quotes.
            raise NotScannable("a text of a json file has a wrong escape or a control character") from None
        if LENIENT.search(QUOTED.sub("", text)):
            raise NotScannable("a line of a json file may be JSON for Spark's reader alone") from None
        return {}, True
    except RecursionError:
        raise NotScannable("a line of a json file is nested too deeply") from None


def _skip(text: str, place: int) -> int:
    found = BLANKS.match(text, place)
    return found.end() if found else place


def read_object(text: str, place: int, types: Mapping[str, Type]) -> tuple[Fields, bool]:
    """Read the fields of an object from behind its opening brace; raises ValueError where the text is not JSON."""
    found: Fields = {}
    is_bad = False
    place = _skip(text, place)
    while text[place] != "}":
        if text[place] != '"':
            raise ValueError(text)
        name, place = DECODER.parse_string(text, place + 1, True)
        place = _skip(text, place)
        if text[place] != ":":
            raise ValueError(text)
        begin = _skip(text, place + 1)
        value, end = DECODER.scan_once(text, begin)
        check_limits(text[begin:end])
        if name in types:
            try:
                found[name] = convert_value(value, text[begin:end], types[name])
            except ValueError:
                is_bad = True
        place = _skip(text, end)
        if text[place] == ",":
            place = _skip(text, place + 1)
            if text[place] != '"':
                raise ValueError(text)
        elif text[place] != "}":
            raise ValueError(text)
    return found, is_bad


def check_limits(written: str) -> None:
    if len(written) > LONGEST_NUMBER and re.search(rf"[0-9.eE+-]{{{LONGEST_NUMBER}}}", written):
        raise NotScannable("a json file has a very long number")
    if written.count("[") + written.count("{") > DEEPEST:
        raise NotScannable("a json file may be nested too deeply")


def convert_value(value: Any, written: str, type: Type) -> Any:
    """A value of a type from what was parsed and how it was written; ValueError if it is none."""
    if value is None:
        return None
    is_text = isinstance(value, str) and not isinstance(value, Number)
    if is_text and any("\ud800" <= letter <= "\udfff" for letter in value):
        raise NotScannable("a json file has half of a surrogate pair")
    if type == STRING:
        return value if is_text else written
    if type == BOOLEAN and isinstance(value, bool):
        return value
    if is_text and value:
        return convert_text(value, type)
    if isinstance(value, Number):
        return convert_number(value, type)
    raise ValueError(written)


def convert_text(text: str, type: Type) -> Any:
    """A value of a type that is written in quotes."""
    if is_fraction(type) and text in WORDS:
        return WORDS[text]
    if not (type in (DATE, TIMESTAMP) or is_decimal(type)):
        raise ValueError(text)
    found = read_values(pa.array([text]), type)
    if found.null_count == 0:
        return _number(found) if type in (DATE, TIMESTAMP) else found[0].as_py()
    if type == DATE and (days := read_long_integer(text, INT)) is not None:
        # Files of Spark 1 had numbers of days.
        if days < GREGORIAN:
            raise NotScannable(f"a json file has a date of the Julian calendar: {text} days")
        return days
    raise ValueError(text)


def _number(values: pa.Array) -> int:
    """The one value as a number: Python's dates do not reach far enough."""
    return int(values.view(pa.int32() if pa.types.is_date32(values.type) else pa.int64())[0].as_py())


def convert_number(number: Number, type: Type) -> Any:
    is_whole = INTEGER.fullmatch(number) is not None
    if is_integer(type) and is_whole:
        return convert_integer(int(number), type)
    if type == TIMESTAMP and is_whole:
        seconds = convert_integer(int(number), BIGINT)
        return int((seconds * 1_000_000 + 2**63) % 2**64 - 2**63)
    if is_fraction(type):
        # A whole number has no negative zero.
        plain = "0" if is_whole and int(number) == 0 else str(number)
        return pa.array([plain]).cast(arrow_type(type))[0].as_py()
    if is_decimal(type):
        found = read_values(pa.array([str(number)]), type)
        if found.null_count == 0:
            return found[0].as_py()
    raise ValueError(number)


def convert_integer(number: int, type: Type) -> int:
    limit: int = 2 ** (INTEGER_BITS[type] - 1)
    if type == TINYINT and limit <= number < 2 * limit:
        return number - 2 * limit  # Spark's parser takes bytes without a sign too
    if not -limit <= number < limit:
        raise ValueError(number)
    return number
