"""Open files: opens a file for reading, by a path of this machine, Spark's URL for it, or an address elsewhere."""

from __future__ import annotations

from typing import Any
from urllib.parse import unquote, urlsplit

from tailrace.state.storage import file_system, is_remote


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
    system, place = file_system(path)
    return system.open_input_file(place)
