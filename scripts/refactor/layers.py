"""Layers: writes tests/test_layers.py for the rooms, with the imports that still point up as a list that shrinks."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from pathlib import Path

from rooms import HERE, Rooms


def write_layers(root: Path, rooms: Rooms) -> None:
    """Write the test with rows and no exceptions, ask it what points up, and write that as its exceptions."""
    rows = [row for row in rooms.order if row != ["tests"]]
    top = [" ".join(row) for row in rows]
    benches = sorted({t.room for t in rooms.targets if t.room.startswith("bench/")})
    top[top.index("bench")] = " ".join(["bench", *benches])
    engine = top.index("engine")
    top[engine + 1 : engine + 1] = ["public"]
    lines = [f'    "{row}",' for row in [*top, "testing", "main"]]
    text = (HERE / "test_layers.txt").read_text(encoding="utf-8").replace("@ROWS@", "\n".join(lines))
    path = root / "tests" / "test_layers.py"
    path.write_text(text.replace("@UPWARD@\n", ""), encoding="utf-8")
    found = ask(root)
    listed = "\n".join(f'    "{each}",' for each in found)
    path.write_text(text.replace("@UPWARD@", listed), encoding="utf-8")
    print(f"tests/test_layers.py lists {len(found)} imports that point up")


def ask(root: Path) -> list[str]:
    """What the new test says of the new tree."""
    code = "from tests.test_layers import PACKAGE, faults; print(sorted(faults(PACKAGE)))"
    path = {**os.environ, "PYTHONPATH": str(root)}
    done = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, text=True, env=path)
    if done.returncode:
        raise SystemExit(re.sub(r"(?s).*\n(?=\w+Error)", "", done.stderr))
    return list(ast.literal_eval(done.stdout))
