"""File bytes: reads byte ranges of text files, as blocks of whole lines.

A line ends with "\n", "\r" or "\r\n", as for Hadoop. Blocks are a few megabytes, so memory does not grow with the file;
only a line that is longer makes a longer block.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import closing
from typing import Any

from tailrace.catalog.file_samples import OPENERS, Head
from tailrace.scan.open_files import open_file
from tailrace.scan.scan_spec import NotScannable
from tailrace.scan.splits import FileSplit, is_compressed

BLOCK = 4 << 20  # bytes that are parsed at a time
PROBE = 1 << 16  # bytes that are read at a time to find where a line ends
LINE_END = re.compile(rb"[\r\n]")
MARK = b"\xef\xbb\xbf"  # the byte order mark, which Hadoop skips at the start of a file

ReadAt = Callable[[int, int], bytes]  # reads so many bytes from a place on; fewer at the end of the file


def open_text(path: str) -> Any:
    """Open a text file for reading from its start; a compressed one is decompressed."""
    opened = open_file(path)
    for ending, opener in OPENERS.items():
        if path.endswith(ending):
            return opener(opened, "rb")
    return opened


def head_of(path: str) -> Head:
    """A reader of the first bytes of a file."""

    def head(size: int) -> bytes:
        with closing(open_text(path)) as opened:
            return bytes(opened.read(size))

    return head


def read_blocks(split: FileSplit, begin: int = 0, size: int = BLOCK) -> Iterator[bytes]:
    """The lines that begin in a split, as blocks of whole lines; the file's rows begin at the byte `begin`."""
    if is_compressed(split.path):
        with closing(open_text(split.path)) as opened:
            opened.read(begin)
            yield from stream_blocks(opened.read, size)
        return
    with closing(open_file(split.path)) as opened:
        read_at = reader_at(opened)
        start, end = (max(line_start(read_at, place), begin) for place in (split.start, split.end))
        yield from range_blocks(read_at, start, end, size)


def reader_at(opened: Any) -> ReadAt:
    def read_at(place: int, count: int) -> bytes:
        opened.seek(place)
        return bytes(opened.read(count))

    return read_at


def find_rows(path: str, has_header: bool, skips_second_mark: bool) -> int:
    """The byte at which the rows of a text file begin: behind its byte order mark and, with one, its header.

    Blank lines may stand before the header. Spark's csv parser skips a second byte order mark before the first line,
    which is the header's if there is one.
    """
    with closing(open_text(path)) as opened:
        read_at = reader_at(opened)
        at = len(MARK) if read_at(0, len(MARK)) == MARK else 0
        if not has_header and not skips_second_mark:
            return at
        while line := read_line(read_at, at):
            if not is_blank(line):
                if has_header:
                    return at + len(line)
                if line.startswith(MARK) and is_blank(line.removeprefix(MARK)):
                    raise NotScannable(f"{path} begins with two byte order marks and nothing else in the line")
                return at + (len(MARK) if line.startswith(MARK) else 0)
            at += len(line)
        return at


def read_line(read_at: ReadAt, start: int) -> bytes:
    """The line that begins at `start`, with its end."""
    size = PROBE
    while len(chunk := read_at(start, size)) == size and not LINE_END.search(chunk):
        size *= 2
    found = LINE_END.search(chunk)
    return chunk[: found.end()] if found else chunk


def line_start(read_at: ReadAt, place: int) -> int:
    """The place of the first line that begins at `place` or after it; the end of the file if there is none."""
    if place == 0:
        return 0
    at = place - 1
    while chunk := read_at(at, PROBE):
        if found := LINE_END.search(chunk):
            return at + found.end()
        at += len(chunk)
    return at


def range_blocks(read_at: ReadAt, start: int, end: int, size: int) -> Iterator[bytes]:
    """The bytes between two line starts, cut behind line ends."""
    while start < end:
        wanted = min(size, end - start)
        block = read_at(start, wanted)
        while len(block) == wanted < end - start and not last_end(block):
            wanted = min(2 * wanted, end - start)
            block = read_at(start, wanted)
        if not block:
            return
        is_last = len(block) < wanted or start + len(block) == end
        cut = len(block) if is_last else last_end(block)
        yield block[:cut] if cut < len(block) else block
        start += cut


def stream_blocks(read: Callable[[int], bytes], size: int) -> Iterator[bytes]:
    """All bytes of a stream, cut behind line ends."""
    rest = b""
    while chunk := read(size):
        rest = rest + chunk if rest else chunk
        if cut := last_end(rest):
            yield rest[:cut]
            rest = rest[cut:]
    if rest:
        yield rest


def last_end(block: bytes) -> int:
    """The place behind the last line end of a block; 0 if there is none."""
    return block.rfind(b"\n") + 1 or block.rfind(b"\r") + 1


def is_blank(line: bytes) -> bool:
    """Whether a line has nothing but blanks and control characters, which Java's trim takes away."""
    return not line or max(line) <= 0x20
