"""Open files: opens a file for reading, by a path of this machine, Spark's URL for it, or an address elsewhere.

A file elsewhere is read through the file system in which the state of queries would be kept (`state/storage.py`). If
that cannot be opened, or does not give the file, Spark's reader must read it: Spark has credentials of its own.
"""

from __future__ import annotations

import os
from typing import Any
from urllib.parse import unquote, urlsplit

from tailrace.errors import RunError
from tailrace.scan.scan_spec import NotScannable
from tailrace.state.storage import file_system, is_remote

NOT_BY_TASKS = "by tasks: "  # in the message of an error about a place that tasks cannot reach


def local_path(path: str) -> str:
    """The path of a file on this machine, from a plain path or Spark's URL for it.

    >>> local_path("file:///in/a%20b.csv"), local_path("/in/a%20b.csv")
    ('/in/a b.csv', '/in/a%20b.csv')
    """
    return unquote(urlsplit(path).path) if path.startswith("file:") else path


def open_file(path: str) -> Any:
    """Open a file for reading bytes at any place: of this machine, or of one of pyarrow's file systems."""
    if not is_remote(path):
        return open(local_path(path), "rb")
    system, place = remote_place(path)
    try:
        return system.open_input_file(place)
    except OSError as problem:
        raise NotScannable(f"{path} cannot be opened {NOT_BY_TASKS}{first_line(problem)}") from None


def file_size(path: str) -> int:
    """The number of bytes of a file."""
    if not is_remote(path):
        return os.stat(local_path(path)).st_size
    system, place = remote_place(path)
    try:
        size = system.get_file_info(place).size
    except OSError as problem:
        raise NotScannable(f"{path} cannot be found {NOT_BY_TASKS}{first_line(problem)}") from None
    if size is None:
        raise NotScannable(f"{path} cannot be found by tasks")
    return int(size)


def remote_place(path: str) -> tuple[Any, str]:
    """The file system of a remote file, opened once for all files of a store, and where the file is in it.

    `path` is Spark's URL: letters that mean something in an address are escaped.
    """
    parts = urlsplit(path)
    try:
        system, root = file_system(f"{parts.scheme}://{parts.netloc}/")
    except RunError as problem:
        raise NotScannable(problem.message) from None
    return system, f"{root.rstrip('/')}/{unquote(parts.path).lstrip('/')}"


def why_not_reached(path: str) -> str | None:
    """The reason why tasks cannot read files below a path, as far as its file system tells; None if they can.

    >>> print(why_not_reached("in/S"))
    None
    >>> why_not_reached("viewfs://names/in").split(":")[0]
    'viewfs'
    """
    try:
        if is_remote(path):
            remote_place(path)
    except RunError as problem:
        return problem.message
    return None


def first_line(problem: OSError) -> str:
    return str(problem).partition("\n")[0]
