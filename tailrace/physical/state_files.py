"""State files (stand-in until the sorted runs land)."""

from __future__ import annotations

import os
import pickle
from pathlib import Path
from typing import Any


class StateFolder:
    def __init__(self, path: str) -> None:
        self.path = Path(path)

    def load(self, batch: int) -> Any | None:
        found = self.path / f"{batch}.state"
        return pickle.loads(found.read_bytes()) if found.exists() else None

    def save(self, batch: int, state: Any) -> None:
        self.path.mkdir(parents=True, exist_ok=True)
        aside = self.path / f"{batch}.{os.getpid()}"
        aside.write_bytes(pickle.dumps(state, protocol=pickle.HIGHEST_PROTOCOL))
        aside.replace(self.path / f"{batch}.state")
        (self.path / f"{batch - 2}.state").unlink(missing_ok=True)
