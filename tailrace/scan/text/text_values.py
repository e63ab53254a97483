"""Text values: reads the values of csv files from texts by the rules of Spark's csv reader, which are not CAST's.

`INT` takes no blanks, `BOOLEAN` only true and false, `DOUBLE` is what Java's parser takes. A text that is no value of
its type becomes NULL; the row is then malformed.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tailrace.columnar.arrow_types import arrow_type
from tailrace.columnar.functions.cast_texts import DOUBLE_TEXT, HEX_TEXT, WHITE_SPACE, few, read_date, read_decimal
from tailrace.columnar.functions.kernel import Values, null, where
from tailrace.scan.scan_spec import NotScannable
from tailrace.scan.text.timestamp_texts import read_timestamps
from tailrace.types import (
    BOOLEAN,
    DATE,
    FLOAT,
    INTEGER_BITS,
    STRING,
    TIMESTAMP,
    Type,
    is_decimal,
    is_fraction,
    is_integer,
)

Convert = Callable[[Values, Type], Values]
SHORT_INTEGER = "^[+-]?[0-9]{1,18}$"  # surely fits 64 bits
SPECIALS = {
    "NaN": float("nan"),
    "Inf": float("inf"),
    "-Inf": float("-inf"),
    **{sign + "NaN": float("nan") for sign in "+-"},
    **{sign + "Infinity": float(sign + "inf") for sign in ("", "+", "-")},
}
OPTION_WORDS = ("Inf", "-Inf")  # only as they are, without blanks
HEX_DIGITS = 13  # of which a double holds all


def is_readable(type: Type) -> bool:
    """Whether texts of this type are read exactly as Spark reads them."""
    return type in (STRING, BOOLEAN, DATE, TIMESTAMP) or is_integer(type) or is_fraction(type) or is_decimal(type)


def read_values(texts: pa.StringArray, type: Type) -> Values:
    """Values of a type, read from texts; NULL for a NULL and for a text that is no such value.

    >>> from tailrace.types import INT
    >>> read_values(pa.array(["+5", " 5", "0x1"]), INT).to_pylist()
    [5, None, None]
    """
    if type == STRING:
        return texts
    if is_integer(type):
        return read_integers(texts, type)
    if is_fraction(type):
        return read_fractions(texts, type)
    if is_decimal(type):
        return read_decimals(texts, type)
    return {BOOLEAN: read_booleans, DATE: read_dates, TIMESTAMP: read_times}[type](texts, type)


def fill_gaps(found: Values, texts: Values, rows: Values, read: Callable[[str], Any]) -> Values:
    """Read the texts of some rows one by one, and put them where nothing was found."""
    rows = pc.and_(pc.fill_null(rows, False), pc.is_null(found))
    if not pc.any(rows).as_py():
        return found
    return pc.coalesce(found, few(texts, rows, lambda text: None if text is None else read(text), found.type))


# Numbers --------------------------------------------------------------------------------------------------


def read_integers(texts: Values, type: Type) -> Values:
    short = pc.match_substring_regex(texts, SHORT_INTEGER)
    digits = pc.utf8_ltrim(where(short, texts, pa.scalar("0")), characters="+")
    wide = where(short, pc.cast(digits, pa.int64()), pa.scalar(None, pa.int64()))
    if type.name != "BIGINT":
        limit = 2 ** (INTEGER_BITS[type] - 1)
        fits = pc.and_(pc.greater_equal(wide, -limit), pc.less(wide, limit))
        wide = where(pc.fill_null(fits, False), wide, pa.scalar(None, pa.int64()))
    found = pc.cast(wide, arrow_type(type))
    return fill_gaps(found, texts, pc.invert(short), lambda text: read_long_integer(text, type))


def read_long_integer(text: str, type: Type) -> int | None:
    """An integer of many digits, or in the digits of another script; those beyond U+FFFF are none for Java."""
    digits = text[1:] if text[:1] in ("+", "-") else text
    if not digits or any(letter > "\uffff" or not letter.isdecimal() for letter in digits):
        return None
    number = int("".join(str(unicodedata.decimal(letter)) for letter in digits[-40:]))
    if any(unicodedata.decimal(letter) for letter in digits[:-40]):
        return None
    number = -number if text[0] == "-" else number
    limit = 2 ** (INTEGER_BITS[type] - 1)
    return number if -limit <= number < limit else None


def read_fractions(texts: Values, type: Type) -> Values:
    trimmed = pc.utf8_trim(texts, characters=WHITE_SPACE)
    usual = pc.match_substring_regex(trimmed, DOUBLE_TEXT)
    numbers = pc.ascii_rtrim(where(usual, trimmed, pa.scalar("0")), characters="dDfF")
    numbers = pc.ascii_ltrim(numbers, characters="+")
    found = where(usual, pc.cast(numbers, arrow_type(type)), null(type))
    unusual = pc.and_(pc.invert(usual), pc.match_substring_regex(trimmed, "[xXnN]"))
    return fill_gaps(found, texts, unusual, lambda text: read_odd_fraction(text, type))


def read_odd_fraction(text: str, type: Type) -> float | None:
    """NaN, an infinity, or a number in hexadecimal digits."""
    word = text if text in OPTION_WORDS else text.strip(WHITE_SPACE)
    if word in SPECIALS and (word not in OPTION_WORDS or word == text):
        return SPECIALS[word]
    found = HEX_TEXT.fullmatch(word)
    if found is None:
        return None
    if type == FLOAT and len(re.sub(r"[pP].*|0[xX]|[^0-9a-fA-F]", "", word)) > HEX_DIGITS:
        raise NotScannable(f"only Spark's reader rounds {word} to a FLOAT")
    try:
        number = float.fromhex(found.group(1))
    except OverflowError:
        number = float("-inf" if word.startswith("-") else "inf")
    with np.errstate(over="ignore"):
        return float(np.float32(number)) if type == FLOAT else number


def read_decimals(texts: Values, type: Type) -> Values:
    """Decimals as Java's BigDecimal reads them, once commas are taken out; further digits are rounded half up."""
    plain = pc.replace_substring(texts, pattern=",", replacement="")
    # An exponent may have any number of zeros before its digits.
    plain = pc.replace_substring_regex(plain, pattern="([eE][+-]?)0+([0-9])", replacement=r"\1\2")
    blank = pc.match_substring_regex(plain, r"^[\x00-\x20]|[\x00-\x20]$|[\x{10000}-\x{10FFFF}]")
    return read_decimal(where(blank, pa.scalar(None, pa.string()), plain), type)


# Others ---------------------------------------------------------------------------------------------------


def read_booleans(texts: Values, type: Type) -> Values:
    word = pc.ascii_lower(texts)
    yes, no = pc.equal(word, "true"), pc.equal(word, "false")
    found = where(pc.or_(yes, no), yes, null(BOOLEAN))
    # Java's comparison without regard to case also takes the long s of old print.
    return fill_gaps(found, texts, pc.match_substring(texts, "\u017f"), _long_boolean)


def _long_boolean(text: str) -> bool | None:
    return False if text.replace("\u017f", "s").lower() == "false" and len(text) == 5 else None


def read_dates(texts: Values, type: Type) -> Values:
    return _with_gmt(texts, lambda given: read_date(given, DATE))


def read_times(texts: Values, type: Type) -> Values:
    return _with_gmt(texts, read_timestamps)


def _with_gmt(texts: Values, read: Callable[[Values], Values]) -> Values:
    """Read times; those that fail are read once more without the letters GMT, as Spark 1 and 2 did."""
    found = read(texts)
    again = pc.and_(pc.is_null(found), pc.fill_null(pc.match_substring(texts, "GMT"), False))
    if not pc.any(again).as_py():
        return found
    without = pc.replace_substring(where(again, texts, pa.scalar(None, pa.string())), pattern="GMT", replacement="")
    return pc.coalesce(found, read(without))
