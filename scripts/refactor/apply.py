"""Apply: moves, labels and names in one go, each as a commit and with its proof. The tree must be clean.

Usage: apply.py [--root FOLDER] [move] [pin] [rename]. Without steps all three are made.
Ruff and mypy are those of the Python that runs this.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from rooms import HERE, ROOT

STEPS = {
    "move": ("move.py", "Modules move into rooms", []),
    "pin": ("pin_labels.py", "Labels and state names are text, not names of classes", None),
    "rename": ("rename.py", "Plain names", ["--names", str(HERE / "names.toml")]),
}


def run(root: Path, *command: str, check: bool = True) -> int:
    print("$", " ".join(command), flush=True)
    return subprocess.run(command, cwd=root, check=check).returncode


def step(root: Path, name: str) -> None:
    """One step: the script, imports in order, format, types, a commit, and the proof beside the commit before."""
    script, message, proof = STEPS[name]
    tools = Path(sys.executable).parent
    run(root, sys.executable, str(HERE / script), "--root", str(root))
    run(
        root,
        str(tools / "ruff"),
        "check",
        "--quiet",
        "--fix",
        "--select",
        "I,F401,F811",
        "tailrace",
        "tests",
        check=False,
    )
    run(root, str(tools / "ruff"), "format", "--quiet", "tailrace", "tests")
    run(root, str(tools / "mypy"), check=False)
    run(root, "git", "add", "--update")
    run(root, "git", "commit", "--quiet", "--message", message)
    if proof is not None:
        run(root, sys.executable, str(HERE / "same_ast.py"), "--root", str(root), "HEAD~1", "HEAD", *proof, check=False)


def main(arguments: list[str]) -> int:
    root = ROOT
    if arguments[:1] == ["--root"]:
        root, arguments = Path(arguments[1]).resolve(), arguments[2:]
    for name in arguments or STEPS:
        step(root, name)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
