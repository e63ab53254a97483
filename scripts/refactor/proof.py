"""Proof: what the redesign's mechanical commits changed, commit by commit.

Usage: proof.py. Moves and docstrings must leave every statement's AST as it was, renames too under the inverse of
names.toml. A commit is found by the first words of its message. The statements that a move had to change are listed in
EXPECTED; anything else makes the exit status 1.
"""

from __future__ import annotations

import re
import subprocess
import sys

from rooms import HERE, ROOT

# What the move changed besides places: two paths relative to a file that moved, and a list of exports without readers.
EXPECTED = {"spark/package.py", "spark/session/package.py", "physical/flows/__init__.py"}
STEPS = (
    ("Modules move into rooms", []),
    ("Plain names", ["--names", str(HERE / "names.toml")]),
    ("Docstrings of ", []),
)


def commits(message: str) -> list[str]:
    """The commits whose message begins so, oldest first."""
    log = subprocess.run(
        ["git", "log", "--reverse", "--no-merges", "--format=%h %s"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return [line.split()[0] for line in log.stdout.splitlines() if line.partition(" ")[2].startswith(message)]


def main() -> int:
    unexplained = 0
    for message, options in STEPS:
        for commit in commits(message):
            command = [sys.executable, str(HERE / "same_ast.py"), f"{commit}~1", commit, *options]
            told = subprocess.run(command, cwd=ROOT, capture_output=True, text=True).stdout.strip().splitlines()
            differences = [line for line in told[:-1] if re.match("only (before|after)", line)]
            others = [line for line in differences if not any(f"tailrace/{path}:" in line for path in EXPECTED)]
            unexplained += len(others)
            print(f"{commit} {message.strip()}: {told[-1] if told else 'no answer'}", flush=True)
            print("".join(f"    {line}\n" for line in differences), end="", flush=True)
    print(f"{unexplained} differences that are not expected")
    return 1 if unexplained else 0


if __name__ == "__main__":
    sys.exit(main())
