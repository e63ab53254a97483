"""Growing: streams of files that grow while an engine reads them, and a table beside them."""

from __future__ import annotations

import json
import os
from pathlib import Path
from random import Random
from typing import Any

A_FILE, KEYS = 12, 4
NAMES = [(0, "zero"), (1, "one"), (2, "two")]


class Flow:
    """Two streams of files that grow while an engine reads them. `rows` has all rows written, by stream."""

    def __init__(self, folder: Path, chance: Random) -> None:
        self.folder, self.chance = folder, chance
        self.rows: dict[str, list[Any]] = {"S": [], "R": []}
        self.files = 0
        for name in "SRT":
            (folder / name).mkdir()
        lines = [json.dumps({"k": k, "name": name}) for k, name in NAMES]
        (folder / "T" / "all.json").write_text("\n".join(lines) + "\n")

    def more(self) -> None:
        """One more file of each stream, a few instants long."""
        for name, rows in self.rows.items():
            first = self.files * 3
            new = [
                (first + at * 3 // A_FILE, (self.chance.randrange(KEYS), self.chance.randrange(20)))
                for at in range(A_FILE)
            ]
            rows += new
            lines = [json.dumps({"ts": ts, "k": k, "v": v}) for ts, (k, v) in new]
            aside = self.folder / f"{name}.aside"
            aside.write_text("\n".join(lines) + "\n")
            os.utime(aside, (1_700_000_000 + self.files,) * 2)
            aside.rename(self.folder / name / f"{self.files:05}.json")
        self.files += 1
