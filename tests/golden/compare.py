"""Compare: what the code gives beside what a golden file holds; with TAILRACE_GOLDEN=write the file is rewritten."""

from __future__ import annotations

import os
from pathlib import Path

WRITES = os.environ.get("TAILRACE_GOLDEN") == "write"


def golden(path: Path, found: str) -> None:
    """The text must be what the file holds, to the byte."""
    if WRITES:
        path.write_text(found, encoding="utf-8", newline="\n")
    assert path.is_file(), f"{path.name} is missing: `make golden` writes it"
    assert found == path.read_text(encoding="utf-8")
