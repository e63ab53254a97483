"""Csv blocks: turns blocks of csv lines into Arrow columns, row for row what Spark's csv reader gives.

Most blocks take the fast way: one call of Arrow's reader, with the types of the columns. A block whose bytes Arrow
might read otherwise takes the careful way. There the lines are sorted into kinds (`csv_lines`), plain and quoted lines
are read by Arrow, odd ones by `csv_line`, and where Arrow refuses a column, its values are read as texts first.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import csv

from tailrace.columnar.arrow_types import arrow_type
from tailrace.columnar.functions.kernel import Mask, Values
from tailrace.scan.scan_spec import NamedType, NotScannable, ScanSpec
from tailrace.scan.splits import FileSplit
from tailrace.scan.stored_columns import rows_without_columns
from tailrace.scan.text.csv_line import MOST_COLUMNS, split_line
from tailrace.scan.text.csv_lines import BLANK, NEW_LINE, QUOTE, LineTable, classify_lines
from tailrace.scan.text.file_bytes import MARK, find_rows, head_of, read_blocks
from tailrace.scan.text.java_text import decode_line
from tailrace.scan.text.text_values import read_values
from tailrace.types import STRING, TIMESTAMP, Type, is_decimal, is_fraction, is_integer

FAILED = re.compile(r"CSV column #(\d+)")
TAB, RETURN, DOT, ZERO, NINE, LETTER_E, LETTER_X = 0x09, 0x0D, 0x2E, 0x30, 0x39, 0x65, 0x78
BOOLEANS = {"true_values": ["true", "TRUE", "True"], "false_values": ["false", "FALSE", "False"]}

Column = tuple[Values, Mask | None]  # values, and the rows whose text is no value of the type; None if there is none


def scan_csv(split: FileSplit, spec: ScanSpec) -> Iterator[pa.RecordBatch]:
    """The rows of the lines that begin in a split of a csv file."""
    columns = spec.columns_in(head_of(split.path))
    if columns is None:
        return
    reader = CsvReader(spec, columns)
    begin = find_rows(split.path, spec.file_format.has_header, skips_second_mark=True)
    for block in read_blocks(split, begin):
        batch = reader.read(block)
        if batch.num_rows:
            yield batch


@dataclass
class CsvReader:
    """Reads blocks of lines of one file. It remembers which columns Arrow refused, and reads these as texts."""

    spec: ScanSpec
    columns: tuple[NamedType, ...]
    as_text: set[int] = field(default_factory=set)

    def __post_init__(self) -> None:
        places = {name.lower(): place for place, (name, _) in reversed([*enumerate(self.columns)])}
        self.wanted = [places.get(name.lower()) for name in self.spec.wanted]
        self.types = {place: self.columns[place][1] for place in self.wanted if place is not None}
        self.separator = self.spec.file_format.separator
        if len(self.columns) > MOST_COLUMNS:
            raise NotScannable(f"a file has more than {MOST_COLUMNS} columns")
        # Spark counts the values of a line only if it needs all of them.
        self.counts_values = len(self.types) == len(self.columns)
        self.has_numbers = any(type not in (STRING, TIMESTAMP) for type in self.types.values())
        self.has_decimals = any(map(is_decimal, self.types.values()))
        self.has_integers = any(map(is_integer, self.types.values()))
        # Arrow takes these lines for rows, and Spark drops them.
        self.may_take_blanks = len(self.columns) == 1 or ord(self.separator) <= BLANK

    def read(self, block: bytes) -> pa.RecordBatch:
        """The rows of a block of whole lines."""
        if not self.may_differ(block):
            try:
                found = self.read_plain(block, quoted=False, texts=set())
                if all(bad is None for _, bad in found.values()):
                    columns = {place: values for place, (values, _) in found.items()}
                    rows = len(next(iter(columns.values())))
                    return self.batch(columns, rows, None)
            except pa.ArrowInvalid:
                pass
        return self.read_carefully(block)

    def may_differ(self, block: bytes) -> bool:
        """Whether Arrow might read a block without an error, and otherwise than Spark."""
        if not self.types or self.may_take_blanks:
            return True
        letters = np.frombuffer(block, np.uint8)
        if QUOTE in block:
            begins = np.flatnonzero(letters == QUOTE)
            before = letters[np.maximum(begins - 1, 0)]
            if ((begins == 0) | self.is_edge(before)).any():
                return True
        return self.has_numbers and self.has_odd_numbers(block)

    def is_edge(self, letters: Values) -> Mask:
        """Which bytes end a value."""
        found: Mask = (letters == ord(self.separator)) | (letters == NEW_LINE) | (letters == RETURN)
        return found

    def has_odd_numbers(self, block: bytes) -> bool:
        """Whether values may have blanks around them, or may be hexadecimal: Arrow takes these for numbers."""
        letters = np.frombuffer(block, np.uint8)
        for blank in (BLANK, TAB):
            if blank in block:
                places = np.flatnonzero(letters == blank)
                before, after = letters[np.maximum(places - 1, 0)], letters[np.minimum(places + 1, len(letters) - 1)]
                at_edge = self.is_edge(before) | self.is_edge(after) | (before == QUOTE) | (after == QUOTE)
                if (at_edge | (places == 0) | (places == len(letters) - 1)).any():
                    return True
        if self.has_integers and (LETTER_X in block or LETTER_X - BLANK in block):
            return bool(((letters[1:] | BLANK == LETTER_X) & (letters[:-1] == ZERO)).any())
        if self.has_decimals and (LETTER_E in block or LETTER_E - BLANK in block):
            # Arrow does not check whether a decimal with an exponent fits.
            before = letters[:-1]
            return bool(((letters[1:] | BLANK == LETTER_E) & (before <= NINE) & (before >= DOT)).any())
        return False

    # Arrow's reader -----------------------------------------------------------------------------------------

    def read_plain(self, block: bytes, quoted: bool, texts: set[int]) -> dict[int, Column]:
        """The wanted columns of lines that Arrow splits as Spark does, by place in the file.

        Columns of `texts`, and those that Arrow refused before, are read as texts. A column that it refuses now is
        remembered, and the block read once more.
        """
        while True:
            typed = {place: type for place, type in self.types.items() if place not in texts | self.as_text}
            try:
                found = self.call_arrow(block, quoted, typed)
                odd = {place for place, type in typed.items() if not is_sure(found[place], type)}
                if not odd:
                    return {place: self.finish(values, place, place in typed) for place, values in found.items()}
            except pa.ArrowInvalid as error:
                told = FAILED.search(str(error))
                odd = {int(told.group(1))} if told else set()
                if not odd & typed.keys() or self.types[next(iter(odd))] == STRING:
                    raise
            self.as_text |= odd

    def call_arrow(self, block: bytes, quoted: bool, typed: dict[int, Type]) -> dict[int, Values]:
        nulls = list(dict.fromkeys(("", self.spec.null_text)))
        kinds = {place: _arrow_kind(typed[place]) if place in typed else pa.string() for place in self.types}
        table = csv.read_csv(
            pa.BufferReader(b"\n" + block if block.startswith(MARK) else block),  # Arrow would skip a mark
            csv.ReadOptions(
                use_threads=False, block_size=len(block) + 2, column_names=[str(n) for n in range(len(self.columns))]
            ),
            csv.ParseOptions(
                delimiter=self.separator, quote_char='"' if quoted else False, double_quote=False, escape_char=False
            ),
            csv.ConvertOptions(
                include_columns=[str(place) for place in kinds],
                column_types={str(place): kind for place, kind in kinds.items()},
                null_values=nulls,
                strings_can_be_null=True,
                quoted_strings_can_be_null=True,
                **BOOLEANS,
            ),
        )
        return {place: table.column(str(place)).combine_chunks() for place in kinds}

    def finish(self, values: Values, place: int, is_typed: bool) -> Column:
        """A column as Arrow read it, with its declared type, and which of its rows have no value of that type."""
        type = self.types[place]
        if is_typed:
            return (values.cast(arrow_type(type)) if type == TIMESTAMP else values), None
        return convert(values, type)

    # The careful way ----------------------------------------------------------------------------------------

    def read_carefully(self, block: bytes) -> pa.RecordBatch:
        if RETURN in block:
            block = block.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        table = classify_lines(block, ord(self.separator), len(self.columns), self.spec.null_text == "")
        kinds = ((table.plain, False), (table.quoted, True))
        parts = [(np.flatnonzero(rows), self.read_lines(table, rows, quoted)) for rows, quoted in kinds if rows.any()]
        bad = np.zeros(len(table.starts), bool)
        odd = np.flatnonzero(table.odd)
        if len(odd):
            values = [split_line(decode_line(table.line(int(number))), self.separator) for number in odd]
            bad[odd] = [self.counts_values and len(each) != len(self.columns) for each in values]
            parts.append((odd, self.read_odd(values)))
        places = np.concatenate([np.zeros(0, np.int64), *(rows for rows, _ in parts)])
        order = None if len(parts) < 2 else pa.array(np.argsort(places))
        columns = {}
        for place in self.types:
            for rows, found in parts:
                if (wrong := found[place][1]) is not None:
                    bad[rows[wrong]] = True
            several = [found[place][0] for _, found in parts]
            whole = pa.concat_arrays(several) if several else pa.nulls(0, arrow_type(self.types[place]))
            columns[place] = whole if order is None else whole.take(order)
        return self.batch(columns, len(bad), self.corrupt_texts(table, bad))

    def read_lines(self, table: LineTable, rows: Mask, quoted: bool) -> dict[int, Column]:
        """The wanted columns of plain lines, or of quoted ones."""
        if not self.types:
            return {}
        lines = table.select(rows)
        texts = {*self.types} if self.has_numbers and self.has_odd_numbers(lines) else set()
        found = self.read_plain(lines, quoted, texts)
        if any(len(values) != rows.sum() for values, _ in found.values()):
            raise NotScannable("Arrow splits a csv file into other rows than Spark")
        return found

    def read_odd(self, values: list[list[str | None]]) -> dict[int, Column]:
        """The wanted columns of lines that were split one by one."""
        found = {}
        for place, type in self.types.items():
            texts = [each[place] if place < len(each) else None for each in values]
            nulls = pa.array([None if text == self.spec.null_text else text for text in texts], pa.string())
            found[place] = convert(nulls, type)
        return found

    def corrupt_texts(self, table: LineTable, bad: Mask) -> Values | None:
        """The texts of malformed rows, NULL for the others."""
        if not self.spec.corrupt or not bad.any():
            return None
        numbers = np.flatnonzero(bad)
        texts = pa.array([decode_line(table.line(int(number))) for number in numbers], pa.string())
        places = np.full(len(bad), -1)
        places[numbers] = np.arange(len(numbers))
        return texts.take(pa.array(places, mask=~bad))

    def batch(self, columns: Mapping[int, Values], rows: int, corrupt: Values | None) -> pa.RecordBatch:
        """The rows as the spec wants them; NULL for columns that the file does not have."""
        found = [None if place is None else columns[place] for place in self.wanted]
        arrays = [*found, *([corrupt] if self.spec.corrupt else ())]
        filled = [
            pa.nulls(rows, field.type) if values is None else values
            for values, field in zip(arrays, self.spec.schema, strict=True)
        ]
        if not filled:
            return rows_without_columns(rows)
        return pa.RecordBatch.from_arrays(filled, schema=self.spec.schema)


def convert(texts: Values, type: Type) -> Column:
    """Values read from texts, and which texts are no values of the type; None if all are."""
    if type == STRING:
        return texts, None
    values = read_values(texts, type)
    if values.null_count == texts.null_count:
        return values, None
    return values, np.asarray(pc.and_(pc.is_valid(texts), pc.is_null(values)))


def _arrow_kind(type: Type) -> pa.DataType:
    # Arrow wants a zone in every text of a timestamp with a zone.
    return pa.timestamp("us") if type == TIMESTAMP else arrow_type(type)


def is_sure(values: Values, type: Type) -> bool:
    """Whether values that Arrow read are those that Spark reads.

    Arrow takes more words for infinities and NaN, and does not check whether a decimal without a fraction fits.
    """
    if is_fraction(type):
        return bool(pc.all(pc.is_finite(values), min_count=0).as_py())
    if is_decimal(type) and len(values) > values.null_count:
        precision, scale = type.args
        largest = Decimal((0, (9,) * precision, -scale))
        ends = pc.min_max(values).as_py()
        return bool(-largest <= ends["min"] and ends["max"] <= largest)
    return True
