"""Paths: where the files and folders that a script names are."""

from __future__ import annotations

import re
from pathlib import Path

SCHEME = re.compile(r"[A-Za-z][\w+.-]*:/")


def beside_script(path: str | None, folder: str | None) -> str | None:
    """The place of a path: relative ones are relative to the script's folder. None where there is no path.

    >>> [beside_script(path, "scripts") for path in ("in/S.csv", "/in/S.csv", "hdfs://in")]
    ['scripts/in/S.csv', '/in/S.csv', 'hdfs://in']
    """
    if not path or not folder or SCHEME.match(path):
        return path or None
    return str(Path(folder) / path)


def path_option(options: tuple[tuple[str, str], ...]) -> str | None:
    """What OPTIONS says of the path."""
    return next((value for key, value in options if key.lower() == "path"), None)
