"""Words: proves that what users read changed by words alone.

    python scripts/refactor/words.py [COMMIT]

Every golden file of COMMIT (by default the last one with the old words) must come out of today's file by the inverse of
the map in `words.toml`, byte for byte. Of golden batches only the digests of emitted rows count: how reorder stores
waiting rows has changed since. Prints each file that does not, and a summary; exit status 1 if there is one.
"""

from __future__ import annotations

import difflib
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
BEFORE = "0b25bf8"
GOLDENS = ("tests/golden/errors", "tests/golden/plans", "tests/golden/sql", "tests/golden/batches")
STATE = re.compile(r"(?<=[0-9a-f]{6})/[0-9a-f]{6}")  # in a line of golden batches: the digest of a state


def restore_words(text: str, words: dict[str, Any], is_plan: bool) -> str:
    """The text as it was before: new words become the old ones again, the last pair of the map first."""
    for pattern, old in reversed(words["explain_back"]) if is_plan else ():
        text = re.sub(pattern, old, text, flags=re.MULTILINE)
    for old, new in reversed(words["messages"]):
        text = text.replace(new, old)
    return text


def show(commit: str, path: str) -> str:
    """A file as it was in a commit."""
    return subprocess.run(
        ["git", "show", f"{commit}:{path}"], cwd=ROOT, capture_output=True, check=True
    ).stdout.decode()


def list_files(commit: str) -> list[str]:
    names = ["git", "ls-tree", "-r", "-z", "--name-only", commit, *GOLDENS]
    listed = subprocess.run(names, cwd=ROOT, capture_output=True, check=True).stdout.decode().split("\0")
    return [path for path in listed if path.endswith(".txt")]


def main(commit: str) -> int:
    words = tomllib.loads((ROOT / "scripts/refactor/words.toml").read_text(encoding="utf-8"))
    same = changed = 0
    wrong = []
    listed = [path for path in list_files(commit) if path not in words["other_changes"]]
    for path in listed:
        before, now = show(commit, path), (ROOT / path).read_text(encoding="utf-8")
        if "golden/batches/" in path:
            before, now = STATE.sub("", before), STATE.sub("", now)
        again = restore_words(now, words, "golden/plans/" in path)
        if again != before:
            wrong.append(path)
            lines = difflib.unified_diff(before.splitlines(), again.splitlines(), path, "restored", "", "", 0, "")
            print("\n".join(list(lines)[:20]))
        elif now == before:
            same += 1
        else:
            changed += 1
    pairs = len(words["messages"]) + len(words["explain_back"])
    print(
        f"{same} golden files as before, {changed} changed by the {pairs} pairs of words.toml alone, {len(wrong)} other"
    )
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1] if len(sys.argv) > 1 else BEFORE))
