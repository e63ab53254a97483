"""Slices: parts of texts by position, counted in characters: SUBSTRING, LEFT, RIGHT, LPAD, RPAD, INSTR."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tailrace.columnar.functions.kernel import (
    Kernel,
    Mask,
    Numbers,
    Table,
    Values,
    arguments,
    array_of,
    as_array,
    fixed_types,
    length_of,
    literal_number,
    literal_text,
    nulls_of,
    numbers_of,
)
from tailrace.logical.expressions import Call
from tailrace.types import INT, STRING


@dataclass(frozen=True)
class Letters:
    """Texts as NumPy arrays: their bytes, and where each character of each text begins."""

    data: Numbers
    offsets: Numbers
    starts: Numbers | None  # the byte at which each character begins, and the end; None if all characters are one byte
    first: Numbers  # by text, the index of its first character
    counts: Numbers

    @classmethod
    def of(cls, texts: pa.Array) -> Letters:
        offsets = np.frombuffer(texts.buffers()[1], np.int32)[texts.offset : texts.offset + len(texts) + 1]
        offsets = offsets.astype(np.int64)
        whole = texts.buffers()[2]
        data = np.frombuffer(whole, np.uint8) if whole is not None else np.zeros(0, np.uint8)
        data = data[: offsets[-1]]
        if not (data & 0x80).any():
            return cls(data, offsets, None, offsets[:-1], np.diff(offsets))
        starts = np.append(np.flatnonzero((data & 0xC0) != 0x80), len(data))
        first = np.searchsorted(starts, offsets)
        return cls(data, offsets, starts, first[:-1], np.diff(first))

    def at(self, letters: Numbers) -> Numbers:
        """For each text the byte at which the given one of its characters begins."""
        index = self.first + letters
        return index if self.starts is None else self.starts[index]

    def letters_before(self, bytes: Numbers) -> Numbers:
        """How many characters of each text lie before the given one of its bytes."""
        at = self.offsets[:-1] + bytes
        return (at if self.starts is None else np.searchsorted(self.starts, at)) - self.first

    def cut(self, begin: Numbers, end: Numbers, nulls: Mask) -> pa.Array:
        """The characters of each text from `begin` up to, not including, `end`, as far as the text has them."""
        begin = np.clip(begin, 0, self.counts)
        end = np.clip(end, begin, self.counts)
        return texts_between(self.data, self.at(begin), self.at(end), nulls)


def texts_between(data: Numbers, begin: Numbers, end: Numbers, nulls: Mask) -> pa.Array:
    """Texts made of the bytes of `data` from each `begin` up to, not including, `end`."""
    nulls = np.broadcast_to(nulls, begin.shape)
    lengths = np.where(nulls, 0, end - begin)
    offsets = np.concatenate([[0], np.cumsum(lengths)])
    places = np.repeat(begin - offsets[:-1], lengths) + np.arange(offsets[-1])
    validity = pa.array(~nulls).buffers()[1] if nulls.any() else None
    buffers = [validity, pa.py_buffer(offsets.astype(np.int32)), pa.py_buffer(data[places])]
    return pa.Array.from_buffers(pa.string(), len(lengths), buffers)


def _numbers(values: Values) -> Numbers:
    return numbers_of(values).astype(np.int64)


def _texts(given: Sequence[Values]) -> pa.Array:
    return as_array(given[0], length_of(given))


# Parts ----------------------------------------------------------------------------------------------------


def substring(call: Call, given: Sequence[Values]) -> Values:
    """SUBSTRING: positions count from 1, or from the end if negative; 0 is taken for 1."""
    constants = [literal_number(each) for each in call.arguments[1:]]
    if None not in constants and not isinstance(given[0], pa.Scalar):
        return constant_substring(given[0], *(each for each in constants if each is not None))
    letters, position = Letters.of(_texts(given)), _numbers(given[1])
    begin = np.where(position > 0, position - 1, np.where(position < 0, letters.counts + position, 0))
    end = begin + _numbers(given[2]) if len(given) > 2 else letters.counts
    return letters.cut(begin, end, nulls_of(*given))


def constant_substring(texts: pa.Array, position: int, length: int | None = None) -> pa.Array:
    begin = position - 1 if position > 0 else position
    end = None if length is None or begin < 0 <= begin + length else begin + length
    if length is not None and length <= 0:
        begin, end = 0, 0
    return pc.utf8_slice_codeunits(texts, begin, end)


def left(call: Call, given: Sequence[Values]) -> Values:
    letters = Letters.of(_texts(given))
    return letters.cut(np.zeros_like(letters.counts), _numbers(given[1]), nulls_of(*given))


def right(call: Call, given: Sequence[Values]) -> Values:
    letters = Letters.of(_texts(given))
    count = np.maximum(_numbers(given[1]), 0)
    return letters.cut(letters.counts - count, letters.counts, nulls_of(*given))


# Padding --------------------------------------------------------------------------------------------------


def _pad(given: Sequence[Values], before: bool) -> Values:
    texts, length = _texts(given), _numbers(given[1])
    nulls = np.broadcast_to(nulls_of(*given), len(texts))
    letters = Letters.of(texts)
    kept = letters.cut(np.zeros_like(letters.counts), length, nulls)
    fill = as_array(given[2] if len(given) > 2 else pa.scalar(" "), len(texts))
    filling = Letters.of(fill)
    missing = np.where(nulls | (filling.counts == 0), 0, np.maximum(length - letters.counts, 0))
    times = -(-missing // np.maximum(filling.counts, 1))
    repeated = pc.binary_repeat(pc.fill_null(fill, ""), pa.array(times))
    padding = Letters.of(repeated).cut(np.zeros_like(missing), missing, np.zeros(1, bool))
    return pc.binary_join_element_wise(*((padding, kept) if before else (kept, padding)), "")


def left_pad(call: Call, given: Sequence[Values]) -> Values:
    return _pad(given, before=True)


def right_pad(call: Call, given: Sequence[Values]) -> Values:
    return _pad(given, before=False)


def repeat(call: Call, given: Sequence[Values]) -> Values:
    texts, nulls = _texts(given), nulls_of(*given)
    times = np.broadcast_to(np.where(nulls, 0, np.maximum(_numbers(given[1]), 0)), len(texts))
    found = pc.binary_repeat(pc.fill_null(texts, ""), pa.array(times))
    return pc.if_else(pa.array(np.broadcast_to(nulls, len(texts))), pa.scalar(None, pa.string()), found)


# Positions ------------------------------------------------------------------------------------------------


def _find_constant(texts: pa.Array, part: str, nulls: Mask) -> Values:
    """The position of the first occurrence of `part` in each text, counted from 1; 0 if there is none."""
    bytes = numbers_of(pc.find_substring(texts, part)).astype(np.int64)
    letters = Letters.of(texts)
    place = letters.letters_before(np.maximum(bytes, 0)) + 1
    return array_of(np.where(bytes < 0, 0, place), nulls, INT)


def instr(call: Call, given: Sequence[Values]) -> Values:
    return _find_constant(_texts(given), _part(call, 1), nulls_of(*given))


def locate(call: Call, given: Sequence[Values]) -> Values:
    return _find_constant(as_array(given[1], length_of(given)), _part(call, 0), nulls_of(*given))


def _part(call: Call, index: int) -> str:
    text = literal_text(call.arguments[index])
    assert text is not None
    return text


def _with_literal(index: int) -> Any:
    """A test that there are two arguments, and that the one at `index` is a string literal."""
    return lambda call: len(call.arguments) == 2 and literal_text(call.arguments[index]) is not None


TABLE: Table = {
    "substring": Kernel(substring, fixed_types(STRING, INT, INT), arguments(2, 3)),
    "left": Kernel(left, fixed_types(STRING, INT), arguments(2)),
    "right": Kernel(right, fixed_types(STRING, INT), arguments(2)),
    "lpad": Kernel(left_pad, fixed_types(STRING, INT, STRING), arguments(2, 3)),
    "rpad": Kernel(right_pad, fixed_types(STRING, INT, STRING), arguments(2, 3)),
    "repeat": Kernel(repeat, fixed_types(STRING, INT), arguments(2)),
    "instr": Kernel(instr, fixed_types(STRING, STRING), _with_literal(1)),
    "locate": Kernel(locate, fixed_types(STRING, STRING), _with_literal(0)),
}
