r"""JSON text: the lines of a file of JSON objects, as Spark's writer writes them.

>>> rows = pa.table({"_ts": [1, 2], "name": ['a "b"\n', None], "list": [[1, None], []]})
>>> print(*write_objects(rows.to_batches()[0], True, 17).to_pylist(), sep="")
{"_ts":1,"name":"a \"b\"\n","list":[1,null]}
{"_ts":2,"list":[]}
<BLANKLINE>
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tailrace.columnar.functions.kernel import numbers_of
from tailrace.write.value_texts import has_byte, table_of, write_values

CONTROLS = "".join(map(chr, range(0x20)))
SHORT = {"\b": "\\b", "\t": "\\t", "\n": "\\n", "\f": "\\f", "\r": "\\r"}
ESCAPES = {"\\": "\\\\", '"': '\\"', **{each: SHORT.get(each, f"\\u{ord(each):04X}") for each in CONTROLS}}
Part = Any  # pa.Array | str


def write_objects(rows: pa.RecordBatch, skips_nulls: bool, java: int) -> pa.Array:
    """The line of each row, with its end; with `skips_nulls`, columns that are NULL are left out."""
    return JsonTexts(skips_nulls, java).join_fields(rows.schema.names, rows.columns, "}\n")


class JsonTexts:
    """Writes values as JSON."""

    def __init__(self, skips_nulls: bool, java: int) -> None:
        self.skips_nulls = skips_nulls
        self.java = java

    def join_fields(self, names: Sequence[str], columns: Sequence[pa.Array], end: str) -> pa.Array:
        """An object for each row; if the first column may be left out, the comma after it is too."""
        parts: list[Part] = []
        for name, column in zip(names, columns, strict=True):
            parts += self.field_parts(f',"{escape_name(name)}":', column)
        if columns[0].null_count and self.skips_nulls:
            body = pc.binary_join_element_wise(*parts, "", null_handling="replace")
            return pc.binary_join_element_wise("{", pc.utf8_slice_codeunits(body, 1), end, "")
        parts[0] = "{" + str(parts[0])[1:]
        return pc.binary_join_element_wise(*parts, end, "", null_handling="replace")

    def field_parts(self, head: str, column: pa.Array) -> list[Part]:
        """What an object has of a column: its name and its value, or nothing where it is NULL and left out."""
        quote = '"' if is_quoted(column.type) else ""
        text = self.write_bare(column)
        if not column.null_count:
            return [head + quote, text, quote]
        if self.skips_nulls:
            return [pc.binary_join_element_wise(head + quote, text, quote, "")]
        return [head, fill_null(pc.binary_join_element_wise(quote, text, quote, "") if quote else text)]

    def write(self, values: pa.Array) -> pa.Array:
        """Values as JSON, with `null` for NULL."""
        text = self.write_bare(values)
        if is_quoted(values.type):
            text = pc.binary_join_element_wise('"', text, '"', "")
        return fill_null(text)

    def write_bare(self, values: pa.Array) -> pa.Array:
        """Values as JSON, without the quotes around them; NULL stays NULL."""
        type = values.type
        if pa.types.is_string(type):
            return escape_texts(values)
        if pa.types.is_map(type):
            return self.write_map(values)
        if pa.types.is_list(type):
            return enclose("[", join_lists(values, self.write(flatten(values))), "]", values)
        if pa.types.is_struct(type):
            fields = [pc.struct_field(values, [place]) for place in range(type.num_fields)]
            text = self.join_fields([field.name for field in type], fields, "}")
            return enclose("", text, "", values)
        text = write_values(values, self.java)
        return quote_specials(text, values) if pa.types.is_floating(type) else text

    def write_map(self, values: pa.Array) -> pa.Array:
        first, last = numbers_of_offsets(values)
        keys, items = (part.slice(first, last - first) for part in (values.keys, values.items))
        names = escape_texts(keys) if pa.types.is_string(keys.type) else pc.cast(keys, pa.string())
        entries = pc.binary_join_element_wise('"', names, '":', self.write(items), "")
        return enclose("{", join_lists(values, entries), "}", values)


def is_quoted(type: pa.DataType) -> bool:
    return bool(pa.types.is_string(type) or pa.types.is_temporal(type))


def fill_null(text: pa.Array) -> pa.Array:
    return pc.fill_null(text, "null") if text.null_count else text


def enclose(left: str, text: pa.Array, right: str, values: pa.Array) -> pa.Array:
    """The texts between brackets; NULL where the values are."""
    found = pc.binary_join_element_wise(left, text, right, "") if left else text
    return pc.if_else(values.is_valid(), found, pa.scalar(None, pa.string())) if values.null_count else found


def quote_specials(text: pa.Array, values: pa.Array) -> pa.Array:
    """Numbers as they are; NaN and the infinities, which JSON does not have, as texts."""
    finite = pc.is_finite(values)
    if pc.all(finite, skip_nulls=True).as_py():
        return text
    return pc.if_else(finite, text, pc.binary_join_element_wise('"', text, '"', ""))


# Lists ----------------------------------------------------------------------------------------------------


def numbers_of_offsets(values: pa.Array) -> tuple[int, int]:
    """Where the elements of lists or maps begin and end among the elements that the array has."""
    offsets = values.offsets
    return (offsets[0].as_py(), offsets[-1].as_py()) if len(offsets) else (0, 0)


def flatten(values: pa.Array) -> pa.Array:
    """The elements of all lists, also of those that are NULL."""
    first, last = numbers_of_offsets(values)
    return values.values.slice(first, last - first)


def join_lists(values: pa.Array, texts: pa.Array) -> pa.Array:
    """The texts of each list's elements, with commas between them."""
    offsets = numbers_of(values.offsets)
    return pc.binary_join(pa.ListArray.from_arrays(pa.array(offsets - offsets[:1], pa.int32()), texts), ",")


# Texts ----------------------------------------------------------------------------------------------------


def escape_name(name: str) -> str:
    return "".join(ESCAPES.get(character, character) for character in name)


def escape_texts(texts: pa.Array) -> pa.Array:
    """Texts with what JSON does not allow in quotes as escapes."""
    if not has_byte(texts, OF_ESCAPES):
        return texts
    for character, escape in ESCAPES.items():
        if has_byte(texts, table_of(character)):
            texts = pc.replace_substring(texts, character, escape)
    return texts


OF_ESCAPES: np.ndarray[tuple[int], np.dtype[np.bool_]] = table_of("".join(ESCAPES))
