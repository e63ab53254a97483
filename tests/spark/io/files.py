"""Files: those that a run reads, in their order, and the rows of those that it leaves."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any


def aged(folder: Path) -> None:
    """Spark takes files by age: here the names tell."""
    for age, path in enumerate(sorted(folder.iterdir())):
        os.utime(path, (age + 1, age + 1))


def written(folder: Path) -> list[dict[str, Any]]:
    """The rows of a folder of JSON files."""
    return [json.loads(line) for path in folder.glob("*.json") for line in path.open()]


def kept(folder: Path) -> list[dict[str, Any]]:
    """The rows that were kept aside, without the file, which is named at the end."""
    rows = written(folder)
    assert all("file" in row for row in rows)
    return [{name: value for name, value in row.items() if name != "file"} for row in rows]
