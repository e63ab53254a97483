"""Checksums: notices files of a checkpoint that are damaged, before anything is computed from them.

A small file of JSON ends with the CRC-32 of the text before it. The checksums of large files, and of those that Spark
writes, are in a small file that names them.

>>> seal('{"a": 1}')
b'{"a": 1, "crc32": 4221669015}'
>>> unseal(seal('{"a": 1}')), unseal(b'{"a": 1}')
(({'a': 1}, True), ({'a': 1}, False))
>>> unseal(b'{"a": 2, "crc32": 4221669015}')
Traceback (most recent call last):
ValueError: the checksum is another one
"""

from __future__ import annotations

import json
from typing import Any
from zlib import crc32

from tailrace.errors import StateError
from tailrace.state.storage import Storage

MARK = b', "crc32": '


def seal(text: str) -> bytes:
    """Add a checksum to the text of a JSON object that has at least one member."""
    content = text.encode()
    return b"%b%b%d}" % (content[:-1], MARK, crc32(content))


def unseal(content: bytes) -> tuple[dict[str, Any], bool]:
    """The object in a sealed content, and True; also one without a checksum, and False. A ValueError if damaged."""
    at = content.rfind(MARK)
    text = content if at < 0 else content[:at] + b"}"
    if at >= 0 and content != b"%b%b%d}" % (text[:-1], MARK, crc32(text)):
        raise ValueError("the checksum is another one")
    what = json.loads(text)
    if not isinstance(what, dict):
        raise ValueError("it is no object")
    what.pop("crc32", None)
    return what, at >= 0


def read_sealed(folder: Storage, name: str) -> tuple[dict[str, Any], bool] | None:
    """Read a small file of JSON, and whether it has a checksum; None if there is no file. A StateError if damaged."""
    content = folder.read(name)
    if content is None:
        return None
    try:
        return unseal(content)
    except (ValueError, RecursionError):
        raise damage_of(folder, name) from None


def damage_of(folder: Storage, name: str) -> StateError:
    """The error that a file of a folder is damaged."""
    return StateError(
        f"{folder.address}/{name} is damaged",
        hint="put back a copy of the whole checkpoint, or name a new folder to start empty; check the disk",
    )
