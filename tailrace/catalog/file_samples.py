"""File samples: reads the header and the first values of a column from the first bytes of csv and json files.

`tailrace check` and the run both read headers with `names_in`, so they agree on the columns of a file.
"""

from __future__ import annotations

import bz2
import codecs
import csv
import fnmatch
import gzip
import io
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

SHORT_HEAD, HEAD, LONG_HEAD = 1 << 13, 1 << 16, 1 << 24  # bytes to read of a file: the next size if one is too few
MARK = "\ufeff"  # the byte order mark
SEPARATORS = {"\\t": "\t", "\\\\": "\\", "\\0": "\0"}  # as Spark writes them
OPENERS: dict[str, Callable[..., Any]] = {".gz": gzip.open, ".bz2": bz2.open}

Head = Callable[[int], bytes]  # reads the first bytes of a file, at most the given number


@dataclass(frozen=True)
class FileFormat:
    """How the files of a csv or json source are written, by the source's options."""

    format: str
    has_header: bool = False
    separator: str = ","
    quote: str = '"'
    comment: str = ""
    null: str = ""
    encoding: str = "utf-8"
    multi_line: bool = False

    @staticmethod
    def of(format: str, options: Iterable[tuple[str, str]]) -> FileFormat:
        """The file format that a source's format and options say; options may be in upper or lower case.

        >>> FileFormat.of("csv", [("SEP", ";")]).separator
        ';'
        """
        said = {key.lower(): value for key, value in options}
        separator = said.get("sep", said.get("delimiter", ","))
        return FileFormat(
            format.lower(),
            format.lower() == "csv" and said.get("header", "true").lower() == "true",
            SEPARATORS.get(separator, separator),
            said.get("quote", '"'),
            said.get("comment", ""),
            said.get("nullvalue", ""),
            said.get("encoding", said.get("charset", "utf-8")),
            said.get("multiline", "false").lower() == "true",
        )

    @property
    def known_encoding(self) -> str:
        """Python's name for the encoding; utf-8 if Python does not know it."""
        try:
            return codecs.lookup(self.encoding).name
        except LookupError:
            return "utf-8"

    def texts(self, head: Head, *sizes: int) -> Iterator[str]:
        """The complete lines in the first bytes of a file, for each of the sizes in turn, until the file ends."""
        for size in sizes:
            content = head(size)
            text = content.decode(self.known_encoding, errors="replace").removeprefix(MARK)
            if len(content) < size:
                yield text
                return
            yield "".join(text.splitlines(keepends=True)[:-1])

    def records(self, text: str) -> Iterator[list[str]]:
        """The records of a csv text, with the header, without blank lines and comments."""
        lines = io.StringIO(text, newline="")
        wanted = (line for line in lines if not (self.comment and line.startswith(self.comment)))
        if len(self.separator) != 1:
            rows: Iterable[list[str]] = (line.rstrip("\r\n").split(self.separator) for line in wanted)
        else:
            # An empty quote means that nothing is quoted: NUL stands for it, which no text has.
            rows = csv.reader(wanted, delimiter=self.separator, quotechar=self.quote[:1] or "\0")
        return (row for row in rows if any(field.strip() for field in row))


def names_in(head: Head, written: FileFormat) -> tuple[str, ...] | None:
    """The names in a csv file's header, without blanks around them; None if the file has no line yet.

    >>> names_in(lambda size: b"\\xef\\xbb\\xbfts, a ,\\n1,2,3", FileFormat("csv", True))
    ('ts', 'a', '')
    """
    try:
        for text in written.texts(head, SHORT_HEAD, HEAD, LONG_HEAD):
            for header in written.records(text):
                return tuple(name.strip().strip(MARK) for name in header)
    except csv.Error:
        return None
    return None


def column_names(header: Sequence[str]) -> tuple[str, ...]:
    """Distinct names for all columns of a header. Of columns with equal names, the first one keeps the name.

    >>> column_names(["ts", "", "a", "A"])
    ('ts', '_column2', 'a', '_column4')
    """
    found: list[str] = []
    for place, name in enumerate(header, 1):
        taken = {other.lower() for other in found}
        found.append(name if name and name.lower() not in taken else f"_column{place}")
    return tuple(found)


def values_in(head: Head, written: FileFormat, column: str, names: Sequence[str]) -> Iterator[object]:
    """The values of a column in the first rows of a file; `names` are its column names if it has no header."""
    text = next(filter(None, written.texts(head, HEAD, LONG_HEAD)), "")
    if written.format == "json":
        rows: Iterable[Mapping[str, object]] = json_rows(text, written.multi_line)
    else:
        records = written.records(text)
        header = [name.strip() for name in next(records, ())] if written.has_header else names
        rows = (dict(zip(header, record, strict=False)) for record in records)
    for row in rows:
        yield next((value for name, value in row.items() if name.lower() == column.lower()), None)


def json_rows(text: str, multi_line: bool) -> Iterator[dict[str, object]]:
    """The objects in a JSON text; lines that are not JSON and values that are not objects are skipped."""
    for part in [text] if multi_line else text.splitlines():
        try:
            found = json.loads(part) if part.strip() else None
        except ValueError:
            continue
        yield from (row for row in (found if isinstance(found, list) else [found]) if isinstance(row, dict))


def first_stamp(head: Head, written: FileFormat, column: str, names: Sequence[str] = ()) -> str | None:
    """The first value of a timestamp's column that has a digit, as a text; None if there is none.

    >>> first_stamp(lambda size: b"ts,a\\n,1\\nn/a,2\\n17,3", FileFormat("csv", True), "ts")
    '17'
    """
    try:
        for value in values_in(head, written, column, names):
            text = "" if value is None or isinstance(value, bool) else str(value).strip()
            if text != written.null and any(letter.isdigit() for letter in text):
                return text
    except csv.Error:
        return None
    return None


def is_whole(stamp: str) -> bool:
    """Whether a timestamp's text is a whole number: such timestamps count ticks.

    >>> is_whole("-5"), is_whole("2024-03-01")
    (True, False)
    """
    return stamp.lstrip("+-").isdigit()


# Files of this machine ------------------------------------------------------------------------------------


def local_files(place: Path, options: Iterable[tuple[str, str]]) -> list[Path]:
    """A source's files on this machine, sorted by name: the file itself, or all files below the folder."""
    if not place.is_dir():
        return [place] if place.exists() else []
    wanted = next((value for key, value in options if key.lower() == "pathglobfilter"), "*")
    files = (file for file in place.rglob("*") if file.is_file() and fnmatch.fnmatch(file.name, wanted))
    return sorted(file for file in files if not any(part[0] in "._" for part in file.relative_to(place).parts))


def local_head(file: Path) -> Head:
    """A reader of the first bytes of a file on this machine; gzip and bzip2 are decompressed."""

    def head(size: int) -> bytes:
        opened: BinaryIO = OPENERS.get(file.suffix, Path.open)(file, "rb")
        with opened:
            return opened.read(size)

    return head
