"""Move: apply rooms.toml: modules into rooms by `git mv`, merges, and every import, path and dotted name after them.

Usage: move.py [--root FOLDER] [ROOM… | finish]. Without rooms all are moved at once. By room, `rewrite` goes before
`rewrite/rules`, and `finish` comes last: names of folders, edits by hand, mypy's overrides and tests/test_layers.py.
The tree must be clean. Afterwards run `ruff check --fix --select I,F401,F811 .`, `ruff format .`, mypy and same_ast.py.
"""

from __future__ import annotations

import ast
import subprocess
import sys
import tomllib
from pathlib import Path

from layers import write_layers
from merge_modules import in_order, merge_texts
from rewrite_imports import PARENTS, Moves, rewrite_text
from rooms import HERE, PACKAGE, Rooms, Target, dotted, imported

TEXTS = {".py", ".md", ".toml", ".sh", ".txt", ".cql", ".ipynb", ".yml", ".yaml", ".json", ".js", ".html", ""}
APART = ("scripts/refactor/", "tests/checkpoints/checkpoint/", "requirements.lock", "CHANGELOG.md")
GOLDEN = "tests/golden/"  # its texts stay, its modules are as others


class Move:
    """One application of the map to a repository, for some rooms or for all."""

    def __init__(self, root: Path, rooms: Rooms, names: list[str]) -> None:
        self.root, self.rooms = root, rooms
        extra = tomllib.loads((HERE / "edits.toml").read_text(encoding="utf-8"))
        self.about: dict[str, str] = extra["about"]
        self.edits: list[dict[str, str]] = extra.get("edit", [])
        self.whole = names in ([], ["finish"])
        self.targets = [each for each in rooms.targets if not names or each.room in names]
        modules = {old: new for target in self.targets for old, new in target.moves.items()}
        folders = extra["folders"] if self.whole else {}
        self.moves = Moves({old: new for old, new in modules.items() if old != new}, folders)

    def run(self) -> None:
        old = {path: (self.root / path).read_text(encoding="utf-8") for path in self.files()}
        self.move_files()
        back = {f"{new}.py": f"{old}.py" for old, new in self.moves.modules.items()}
        for path, text in old.items():
            if path.endswith(".py") and path.removesuffix(".py") in self.moves.modules:
                continue
            new = rewrite_text(text, self.moves, "", path.endswith(".py"))
            for source, place in self.rooms.data.items() if self.whole else ():
                new = new.replace(source, place)
            if new != text:
                (self.root / path).write_text(new, encoding="utf-8")
        for target in self.targets:
            self.write_target(target, old)
        self.add_packages()
        if self.whole:
            self.edit_by_hand()
            widen_overrides(self.root / "pyproject.toml", self.rooms)
            write_layers(self.root, self.rooms)
        self.git("add", "-u")
        self.git("add", "-A", "tailrace", "tests")
        print(f"{len(back)} modules moved, {sum(self.is_merge(target) for target in self.targets)} of them by merges")

    def is_merge(self, target: Target) -> bool:
        return len(target.sources) > 1 and not target.later

    def files(self) -> list[str]:
        listed = self.git("ls-files").split("\n")
        return [
            path
            for path in listed
            if Path(path).suffix in TEXTS
            and not path.startswith(APART)
            and (path.endswith(".py") or not path.startswith(GOLDEN))
            and (self.root / path).is_file()
        ]

    def move_files(self) -> None:
        """`git mv`, so that history follows; of a merge the first module is followed, the others end."""
        moved = {target.path for target in self.targets if target.path in target.sources}
        for old, new in self.moves.modules.items():
            (self.root / new).parent.mkdir(parents=True, exist_ok=True)
            if new in moved:
                self.git("rm", "-q", f"{old}.py")
            else:
                self.git("mv", f"{old}.py", f"{new}.py")
                moved.add(new)
        rooms = {f"{PACKAGE}/{target.room}" for target in self.targets}
        for source, place in self.rooms.data.items():
            if str(Path(place).parent) in rooms:
                self.git("mv", source, place)

    def write_target(self, target: Target, old: dict[str, str]) -> None:
        """The text of a new module: its sources' texts, rewritten, one after the other where it is a merge."""
        texts = {}
        for source in target.sources:
            new = target.moves[source]
            text = rewrite_text(old[f"{source}.py"], self.moves, new if self.is_merge(target) else "")
            texts[source] = deepen(text, new.count("/") - source.count("/"))
            if not self.is_merge(target):
                (self.root / f"{new}.py").write_text(texts[source], encoding="utf-8")
        if self.is_merge(target):
            known = {dotted(source): source for source in target.sources}
            needs = {source: {to for _, to in imported(ast.parse(old[f"{source}.py"]), known)} for source in texts}
            merged = merge_texts([texts[source] for source in in_order(list(target.sources), needs)])
            (self.root / f"{target.path}.py").write_text(merged, encoding="utf-8")

    def add_packages(self) -> None:
        """An `__init__` for every new room, and none for folders that are empty now."""
        for target in self.targets:
            room = Path(target.path).parent
            while str(room) not in (".", PACKAGE) and room.parts[0] == PACKAGE:
                init = self.root / room / "__init__.py"
                if not init.exists():
                    init.write_text(f'"""{self.about[str(room.relative_to(PACKAGE))]}"""\n', encoding="utf-8")
                room = room.parent
        for init in sorted(self.root.glob(f"{PACKAGE}/**/__init__.py"), reverse=True):
            others = [each for each in init.parent.rglob("*") if each.name not in ("__init__.py", "__pycache__")]
            if not [each for each in others if "__pycache__" not in each.parts]:
                self.git("rm", "-qf", str(init.relative_to(self.root)))

    def edit_by_hand(self) -> None:
        """The few places that no rule finds, each by its text, which must be there once."""
        for edit in self.edits:
            path = self.root / edit["file"]
            text = path.read_text(encoding="utf-8")
            if text.count(edit["old"]) != 1:
                raise SystemExit(f"{edit['file']}: {edit['old']!r} is there {text.count(edit['old'])} times")
            path.write_text(text.replace(edit["old"], edit["new"]), encoding="utf-8")

    def git(self, *arguments: str) -> str:
        return subprocess.run(["git", *arguments], cwd=self.root, check=True, capture_output=True, text=True).stdout


def deepen(text: str, levels: int) -> str:
    """`Path(__file__).parents[n]` of a module that is so many folders deeper now.

    >>> deepen('Path(__file__).parents[1] / "demos"', 1)
    'Path(__file__).parents[2] / "demos"'
    """
    return PARENTS.sub(lambda match: f"{match[1]}{int(match[2]) + levels}]", text)


def widen_overrides(path: Path, rooms: Rooms) -> None:
    """mypy's rules for a folder, as rules for the rooms that its modules go to."""
    text = path.read_text(encoding="utf-8")
    tops = {old: {rooms.moves[m].split("/")[1] for m in rooms.moves if m.startswith(f"tailrace/{old}/")} - {"bench"}
            for old in ("physical",)}  # fmt: skip
    names = ", ".join(f'"tailrace.{top}.*"' for top in sorted(tops["physical"] - {"spark"}))
    bench = '"tailrace.bench.csql.window_ids", "tailrace.bench.inputs.plain_spark"'
    path.write_text(text.replace('"tailrace.physical.*"', f"{names}, {bench}"), encoding="utf-8")


def main(arguments: list[str]) -> int:
    root = HERE.parents[1]
    if arguments[:1] == ["--root"]:
        root, arguments = Path(arguments[1]).resolve(), arguments[2:]
    move = Move(root, Rooms(), arguments)
    if move.git("status", "--porcelain", "--untracked-files=no"):
        raise SystemExit("The tree has changes: commit or stash them first.")
    move.run()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
