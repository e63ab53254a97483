"""Json blocks: turns blocks of JSON lines into Arrow columns, row for row what Spark's json reader gives.

Lines that a regular expression knows to be one plain object are read by Arrow, all others one by one (`json_line`).
Where Arrow refuses a value, the lines are halved until only a few are left, which are read one by one.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import json

from tailrace.columnar.arrow_types import arrow_type
from tailrace.columnar.functions.kernel import Mask, Numbers, Values
from tailrace.scan.scan_spec import NotScannable, ScanSpec
from tailrace.scan.splits import FileSplit
from tailrace.scan.stored_columns import cast_batch
from tailrace.scan.text.csv_blocks import is_sure
from tailrace.scan.text.csv_lines import NEW_LINE, is_utf8
from tailrace.scan.text.file_bytes import find_rows, read_blocks
from tailrace.scan.text.json_line import read_line
from tailrace.scan.text.text_values import read_values
from tailrace.types import DATE, TIMESTAMP, is_decimal, is_fraction

FEW = 8  # lines that are read one by one rather than halved again
RETURN = 0x0D
TIMES = (DATE, TIMESTAMP)

W = r"[ \t\r\n]*"
# Escapes of half a surrogate pair are left out, and so is a negative zero without a fraction.
TEXT = r'"(?:[^"\\\x00-\x1f]|\\["\\/bfnrt]|\\u(?:[0-9a-cA-CeEfF][0-9a-fA-F]|[dD][0-7])[0-9a-fA-F]{2})*"'
KEY = r'"[^"\\\x00-\x1f]*"'
EXPONENT = r"(?:[eE][+-]?[0-9]{1,3})?"


def plain_pattern(exponents: bool) -> str:
    """A regular expression for lines that are one object of plain values, lists of these and objects of these."""
    power = EXPONENT if exponents else ""
    digits = r"[0-9]{0,30}"
    number = rf"(?:-?[1-9]{digits}(?:\.[0-9]{{1,30}})?{power}|-?0\.[0-9]{{1,30}}{power}|0{power})"
    plain = rf"(?:{TEXT}|{number}|true|false|null)"
    items = rf"\[{W}(?:{plain}{W}(?:,{W}{plain}{W})*)?\]"
    flat = _object(plain)
    return rf"^{W}{_object(f'(?:{plain}|{items}|{flat})')}{W}$"


def _object(value: str) -> str:
    pair = rf"{KEY}{W}:{W}{value}{W}"
    return rf"\{{{W}(?:{pair}(?:,{W}{pair})*)?\}}"


def scan_json(split: FileSplit, spec: ScanSpec) -> Iterator[pa.RecordBatch]:
    """The rows of the lines that begin in a split of a file of JSON lines."""
    if not spec.wanted:
        raise NotScannable("no column of a json file is wanted, and Spark then reads no value at all")
    reader = JsonReader(spec)
    for block in read_blocks(split, find_rows(split.path, has_header=False, skips_second_mark=False)):
        batch = reader.read(block)
        if batch.num_rows:
            yield batch


class JsonReader:
    """Reads blocks of JSON lines."""

    def __init__(self, spec: ScanSpec) -> None:
        self.spec = spec
        self.types = {name: type for name, type in spec.columns if name.lower() in {w.lower() for w in spec.wanted}}
        self.pattern = plain_pattern(exponents=not any(map(is_decimal, self.types.values())))

    @cached_property
    def options(self) -> json.ParseOptions:
        # Times are read as texts first.
        kinds = [(name, pa.string() if type in TIMES else arrow_type(type)) for name, type in self.types.items()]
        return json.ParseOptions(explicit_schema=pa.schema(kinds), unexpected_field_behavior="ignore")

    def read(self, block: bytes) -> pa.RecordBatch:
        """The rows of a block of whole lines."""
        if RETURN in block:
            block = block.replace(b"\r", b"\n")
        if not is_utf8(block):
            raise NotScannable("a json file is not UTF-8")
        lines = lines_of(block)
        plain = np.asarray(pc.match_substring_regex(lines, self.pattern)) if len(lines) else np.zeros(0, bool)
        parts = [self.read_plain(lines, plain)] if plain.any() else []
        others = np.flatnonzero(~plain)
        if len(others):
            parts.append(self.read_others(lines, others))
        return self.merge(lines, parts)

    # Arrow's reader -----------------------------------------------------------------------------------------

    def read_plain(self, lines: pa.Array, plain: Mask) -> Part:
        """The rows of plain lines."""
        numbers = np.flatnonzero(plain)
        chosen = lines if len(numbers) == len(lines) else lines.take(pa.array(numbers))
        parts = [*self.read_halves(chosen, numbers)]
        columns = {name: pa.concat_arrays([part.columns[name] for part in parts]) for name in self.types}
        return Part(
            np.concatenate([part.rows for part in parts]), columns, np.concatenate([part.bad for part in parts])
        )

    def read_halves(self, lines: pa.Array, numbers: Numbers) -> Iterator[Part]:
        try:
            yield self.call_arrow(lines, numbers)
        except pa.ArrowInvalid:
            if len(lines) <= FEW:
                yield self.read_others(lines, np.arange(len(lines)), numbers)
                return
            half = len(lines) // 2
            yield from self.read_halves(lines[:half], numbers[:half])
            yield from self.read_halves(lines[half:], numbers[half:])

    def call_arrow(self, lines: pa.Array, numbers: Numbers) -> Part:
        text = bytes_of(lines)
        table = json.read_json(
            pa.BufferReader(text), json.ReadOptions(use_threads=False, block_size=len(text) + 1), self.options
        )
        if table.num_rows != len(lines):
            raise pa.ArrowInvalid("other rows")
        columns, bad = {}, np.zeros(len(lines), bool)
        for name, type in self.types.items():
            values = table.column(name).combine_chunks()
            if (is_fraction(type) or is_decimal(type)) and not is_sure(values, type):
                raise pa.ArrowInvalid("other values")
            if type in TIMES:
                texts, values = values, read_values(values, type)
                if values.null_count != texts.null_count:
                    bad |= np.asarray(pc.and_(pc.is_valid(texts), pc.is_null(values)))
            columns[name] = values
        if bad.any() and DATE in self.types.values():
            raise pa.ArrowInvalid("dates may be numbers of days")
        return Part(numbers, columns, bad)

    # One line at a time -------------------------------------------------------------------------------------

    def read_others(self, lines: pa.Array, chosen: Numbers, numbers: Numbers | None = None) -> Part:
        """The rows of lines that are read one by one; `numbers` are their numbers in the block, if not `chosen`."""
        rows, fields, bad = [], [], []
        for place in chosen:
            found = read_line(lines[int(place)].as_buffer().to_pybytes().rstrip(b"\n"), self.types)
            if found is not None:
                rows.append(place if numbers is None else numbers[place])
                fields.append(found[0])
                bad.append(found[1])
        columns = {}
        for name, type in self.types.items():
            values = [each.get(name) for each in fields]
            if type in TIMES:
                narrow = pa.int32() if type == DATE else pa.int64()
                columns[name] = pa.array(values, narrow).view(arrow_type(type))
            else:
                columns[name] = pa.array(values, arrow_type(type))
        return Part(np.array(rows, np.int64), columns, np.array(bad, bool))

    def merge(self, lines: pa.Array, parts: list[Part]) -> pa.RecordBatch:
        """The rows of all parts in the order of the lines, with the texts of malformed ones."""
        if not parts:
            return pa.RecordBatch.from_pylist([], schema=self.spec.schema)
        rows = np.concatenate([part.rows for part in parts])
        bad = np.concatenate([part.bad for part in parts])
        order = np.argsort(rows) if len(parts) > 1 else None
        places = {name.lower(): name for name in self.types}
        columns: dict[str, Values | None] = {}
        for name in self.spec.wanted:
            whole = pa.concat_arrays([part.columns[places[name.lower()]] for part in parts])
            columns[name] = whole if order is None else whole.take(pa.array(order))
        batch = cast_batch(columns, len(rows), self.spec)
        if not self.spec.corrupt or not bad.any():
            return batch
        if order is not None:
            rows, bad = rows[order], bad[order]
        texts = pc.ascii_rtrim(lines.take(pa.array(rows, mask=~bad)), characters="\n")
        return batch.set_column(len(columns), self.spec.corrupt, texts)


class Part:
    """Some rows of a block: the numbers of their lines, their columns, and which of them are malformed."""

    def __init__(self, rows: Numbers, columns: dict[str, Values], bad: Mask) -> None:
        self.rows, self.columns, self.bad = rows, columns, bad


def lines_of(block: bytes) -> pa.StringArray:
    """The lines of a block as an array over the same bytes, each with its line end; empty lines are left out."""
    letters = np.frombuffer(block, np.uint8)
    ends = np.flatnonzero(letters == NEW_LINE) + 1
    if not len(ends) or ends[-1] != len(letters):
        ends = np.append(ends, len(letters))
    offsets = np.concatenate(([0], ends)).astype(np.int32)
    lines = pa.Array.from_buffers(pa.string(), len(ends), [None, pa.py_buffer(offsets), pa.py_buffer(block)])
    empty = letters[ends - 1] == NEW_LINE if len(letters) else np.ones(1, bool)
    empty &= np.diff(offsets) == 1
    return lines.filter(pa.array(~empty)) if empty.any() else lines


def bytes_of(lines: pa.StringArray) -> bytes:
    """The bytes of lines one after the other; only the last line of a file may lack its line end."""
    offsets = np.frombuffer(lines.buffers()[1], np.int32)
    begin, end = offsets[lines.offset], offsets[lines.offset + len(lines)]
    return bytes(lines.buffers()[2][int(begin) : int(end)])
