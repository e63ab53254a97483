r"""CSV text: the lines of a csv file, as Spark's writer writes them.

White space around texts is cut off. A text that contains the separator, a quote or the end of a line is put into
quotes, and only there are quotes and backslashes escaped. An empty text is `""`, and nothing is NULL.

>>> rows = pa.table({"_ts": [1, 2, 3, 4], "name": [" a\\b ", 'a,"b"\\', "", None]})
>>> print(write_lines(rows.to_batches()[0], ",", "", 17).to_pylist())
['1,a\\b\n', '2,"a,\\"b\\"\\\\"\n', '3,""\n', '4,\n']
"""

from __future__ import annotations

from collections.abc import Sequence

import pyarrow as pa
import pyarrow.compute as pc

from tailrace.write.value_texts import has_byte, table_of, write_values

BLANKS = "".join(map(chr, range(0x21)))


def write_lines(rows: pa.RecordBatch, separator: str, null: str, java: int) -> pa.Array:
    """The line of each row, with its end."""
    parts: list[pa.Array | str] = []
    for column in rows.columns:
        text = write_values(column, java)
        parts += [quote_texts(text, separator) if pa.types.is_string(column.type) else text, separator]
    parts[-1] = "\n"
    return pc.binary_join_element_wise(*parts, "", null_handling="replace", null_replacement=null)


def write_header(names: Sequence[str], separator: str) -> str:
    """The first line of a file.

    >>> write_header(["_ts", "a b", "a;b"], ";")
    '_ts;a b;"a;b"\\n'
    """
    texts: list[str] = quote_texts(pa.array(names, pa.string()), separator).to_pylist()
    return f"{separator.join(texts)}\n"


def quote_texts(texts: pa.Array, separator: str) -> pa.Array:
    """Texts as the values of a line."""
    special, begun = f'{separator}"\n\r', texts
    if has_byte(texts, table_of(BLANKS)):
        # What is cut off at the end still asks for quotes.
        begun = pc.ascii_ltrim(texts, BLANKS)
        texts = pc.ascii_rtrim(begun, BLANKS)
    if has_byte(begun, table_of(special)):
        quoted = pc.replace_substring(pc.replace_substring(texts, "\\", "\\\\"), '"', '\\"')
        quoted = pc.binary_join_element_wise('"', quoted, '"', "")
        texts = pc.if_else(find_any(begun, special), quoted, texts)
    empty = pc.equal(pc.binary_length(texts), 0)
    return pc.if_else(empty, '""', texts) if pc.any(empty).as_py() else texts


def find_any(texts: pa.Array, characters: str) -> pa.Array:
    """Whether a text contains any of the characters."""
    found = pc.match_substring(texts, characters[0])
    for character in characters[1:]:
        found = pc.or_(found, pc.match_substring(texts, character))
    return found
