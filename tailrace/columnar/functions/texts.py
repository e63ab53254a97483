"""Texts: functions of whole texts: case, joining, trimming, searching for constants."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tailrace.columnar.functions.cast_texts import few
from tailrace.columnar.functions.kernel import (
    Kernel,
    Table,
    Test,
    Values,
    arguments,
    array_of,
    as_array,
    fixed_types,
    length_of,
    literal_text,
    null,
    nulls_of,
    numbers_of,
    where,
)
from tailrace.columnar.functions.slices import Letters
from tailrace.logical.expressions import Call
from tailrace.types import BIGINT, INT, STRING

# Small letters by their capitals, for letters that are newer than the Unicode tables of Python 3.11.
NEWER_LETTERS = {
    **{0x1C89: 0x1C8A, 0xA7CB: 0x0264, 0xA7CC: 0xA7CD, 0xA7CE: 0xA7CF, 0xA7D2: 0xA7D3, 0xA7D4: 0xA7D5},
    **{0xA7DA: 0xA7DB, 0xA7DC: 0x019B},
    **{0x10D50 + index: 0x10D70 + index for index in range(22)},
    **{0x16EA0 + index: 0x16EBB + index for index in range(25)},
}
NEWER_CAPITALS = {small: capital for capital, small in NEWER_LETTERS.items()}


def _case_kernel(ascii: Callable[[Values], Values], other: Callable[[str], str]) -> Kernel:
    def run(call: Call, given: Sequence[Values]) -> Values:
        texts = given[0]
        plain = pc.string_is_ascii(texts)
        if pc.all(plain).as_py() is not False:
            return ascii(texts)
        return pc.coalesce(few(texts, pc.invert(plain), other, pa.string()), ascii(texts))

    return Kernel(run, fixed_types(STRING), arguments(1))


def upper(text: str) -> str:
    """
    >>> upper("straße")
    'STRASSE'
    """
    return text.translate(NEWER_CAPITALS).upper()


def lower(text: str) -> str:
    return text.translate(NEWER_LETTERS).lower()


# Joining --------------------------------------------------------------------------------------------------


def concat(call: Call, given: Sequence[Values]) -> Values:
    return pc.binary_join_element_wise(*given, "") if given else pa.scalar("")


def concat_with(call: Call, given: Sequence[Values]) -> Values:
    """CONCAT_WS, which leaves out NULLs. Arrow's own option for it loses rows in which all parts are NULL."""
    between, *parts = given
    found = null(STRING)
    for part in parts:
        found = pc.coalesce(pc.binary_join_element_wise(found, part, between), found, part)
    return where(pc.is_valid(between), pc.coalesce(found, pa.scalar("")), null(STRING))


# Trimming -------------------------------------------------------------------------------------------------


def _trim(cut: Callable[..., Values]) -> Kernel:
    def run(call: Call, given: Sequence[Values]) -> Values:
        signs = literal_text(call.arguments[1]) if len(given) > 1 else " "
        return cut(given[0], characters=signs) if signs else given[0]

    def exact(call: Call) -> bool:
        return len(call.arguments) == 1 or literal_text(call.arguments[1]) is not None

    return Kernel(run, fixed_types(STRING, STRING), exact)


# Searching ------------------------------------------------------------------------------------------------


def _search(find: Callable[..., Values]) -> Kernel:
    def run(call: Call, given: Sequence[Values]) -> Values:
        return find(given[0], literal_text(call.arguments[1]))

    return Kernel(run, fixed_types(STRING, STRING), _literals(2))


def _literals(count: int) -> Test:
    """A test that there are at most `count` arguments, and that all but the first are string literals."""
    return lambda call: (
        len(call.arguments) <= count and all(literal_text(each) is not None for each in call.arguments[1:])
    )


def replace(call: Call, given: Sequence[Values]) -> Values:
    old, *new = (literal_text(each) for each in call.arguments[1:])
    if not old:
        return given[0]
    return pc.replace_substring(given[0], pattern=old, replacement=new[0] if new else "")


# Lengths and codes ----------------------------------------------------------------------------------------


def bit_length(call: Call, given: Sequence[Values]) -> Values:
    return pc.multiply(pc.binary_length(given[0]), pa.scalar(8, pa.int32()))


def code(call: Call, given: Sequence[Values]) -> Values:
    """ASCII: the code of the first character; 0 for an empty text."""
    texts = as_array(given[0], length_of(given))
    letters = Letters.of(texts)
    ones = np.ones_like(letters.counts)
    first = letters.cut(ones - 1, ones, nulls_of(texts))
    return few(first, pc.is_valid(first), lambda letter: ord(letter) if letter else 0, pa.int32())


def letter(call: Call, given: Sequence[Values]) -> Values:
    """CHR: the character whose code is the number's lowest eight bits; an empty text for a negative number."""
    numbers = numbers_of(given[0])
    known = pa.array([*map(chr, range(256)), ""])
    index = array_of(np.where(numbers < 0, 256, numbers & 0xFF), nulls_of(given[0]), INT)
    return known.take(index)


def _of_text(function: Callable[[Values], Values]) -> Kernel:
    return Kernel(lambda call, given: function(given[0]), fixed_types(STRING), arguments(1))


TABLE: Table = {
    "upper": _case_kernel(pc.ascii_upper, upper),
    "lower": _case_kernel(pc.ascii_lower, lower),
    "length": _of_text(pc.utf8_length),
    "octet_length": _of_text(pc.binary_length),
    "bit_length": Kernel(bit_length, fixed_types(STRING), arguments(1)),
    "reverse": _of_text(pc.utf8_reverse),
    "||": Kernel(concat, fixed_types(STRING, repeat=True)),
    "concat_ws": Kernel(concat_with, fixed_types(STRING, repeat=True)),
    "trim both": _trim(pc.utf8_trim),
    "trim left": _trim(pc.utf8_ltrim),
    "trim right": _trim(pc.utf8_rtrim),
    "startswith": _search(lambda texts, part: pc.starts_with(texts, part)),
    "endswith": _search(lambda texts, part: pc.ends_with(texts, part)),
    "contains": _search(lambda texts, part: pc.match_substring(texts, part)),
    "replace": Kernel(replace, fixed_types(STRING, STRING, STRING), _literals(3)),
    "ascii": Kernel(code, fixed_types(STRING), arguments(1)),
    "chr": Kernel(letter, fixed_types(BIGINT), arguments(1)),
    "char": Kernel(letter, fixed_types(BIGINT), arguments(1)),
}
