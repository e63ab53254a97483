"""Disk: what a run asks of this machine's files: every write, sync, rename, link, list and delete is one call here.

The state of operators, records, plan versions, locks, Structured Streaming's logs and the sinks that tasks write all go
this way. So a test can put a simulated disk in the place of these functions, which loses what was not synced, tears
files, fails or is slow.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import BinaryIO

import pyarrow as pa

Place = str | Path


def create(path: Place) -> BinaryIO:
    """Open a new file for writing. What is written is all there once `close` has returned, or an OSError is raised."""
    return open(path, "wb")


def create_for_arrow(path: Place) -> pa.NativeFile:
    """Open a new file for Arrow's writers."""
    return pa.OSFile(str(path), "wb")


def write(path: Place, content: bytes) -> None:
    """Write a new file whole."""
    with create(path) as file:
        file.write(content)


def read(path: Place) -> bytes:
    """The content of a file; a FileNotFoundError if there is none."""
    return Path(path).read_bytes()


def sync(path: Place) -> None:
    """Write a file's content, or the names in a folder, to the disk, and wait until that is done."""
    number = os.open(path, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)


def rename(path: Place, to: Place) -> None:
    """Give a file another name; a file that has that name already is replaced."""
    os.replace(path, to)


def link(path: Place, to: Place) -> None:
    """Give a file a second name; a FileExistsError if there is a file of that name."""
    os.link(path, to)


def copy(path: Place, to: Place) -> None:
    """Copy a file's content to a new file."""
    with Path(path).open("rb") as source, create(to) as target:
        shutil.copyfileobj(source, target, 1 << 20)


def remove(path: Place) -> None:
    """Remove a file, if it exists."""
    Path(path).unlink(missing_ok=True)


def list_names(folder: Place) -> list[str]:
    """The names of everything in a folder, in no order; none if it is no folder."""
    return os.listdir(folder) if os.path.isdir(folder) else []


def make_folders(path: Place) -> None:
    """Create a folder, and those above it, if they do not exist."""
    os.makedirs(path, exist_ok=True)


def clear(folder: Place) -> None:
    """Remove a folder with everything in it, as far as that is possible."""
    shutil.rmtree(folder, ignore_errors=True)
