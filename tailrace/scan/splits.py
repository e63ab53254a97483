"""Splits: cuts files into parts that tasks read independently.

Text files are cut at any byte: a line belongs to the split in which it begins. Parquet and Arrow files are cut between
row groups. Compressed text cannot be cut.

>>> [(split.start, split.end) for split in split_file("a.csv", 25, 10)]
[(0, 9), (9, 17), (17, 25)]
>>> len(split_file("a.csv.gz", 25, 10))
1
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from tailrace.catalog.file_samples import OPENERS


@dataclass(frozen=True)
class FileSplit:
    """A part of a file: the bytes from `start` up to `end` of a text file, else so many row groups."""

    path: str
    start: int
    end: int


def split_file(path: str, size: int, target: int) -> list[FileSplit]:
    """Cut a file of `size` bytes, or row groups, into equal splits of at most `target` each."""
    if size <= 0:
        return []
    parts = 1 if is_compressed(path) else -(-size // max(target, 1))
    edges = [-(-size * part // parts) for part in range(parts + 1)]
    return [FileSplit(path, start, end) for start, end in pairwise(edges)]


def is_compressed(path: str) -> bool:
    return path.endswith(tuple(OPENERS))
