"""Same AST: proof that a move or a renaming changed nothing else.

Usage: same_ast.py OLD NEW [--root FOLDER] [--names names.toml] [--docstrings] [--folders tailrace,tests]. OLD and NEW
are revisions of git; `.` is the working tree. Every statement at the top of a module (function, class, assignment …)
of OLD must be in NEW exactly once, in whatever module, imports apart. With `--names` a name may differ if names.toml
says so, and no two names of one statement may have become one. Docstrings count only with `--docstrings`.
Differences are printed; exit status 1 when there are any.
"""

from __future__ import annotations

import argparse
import ast
import io
import re
import subprocess
import sys
import tarfile
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from names import Names
from rewrite_imports import DOTTED, Moves
from rooms import ROOT, Rooms

IDENTIFIERS = {
    ast.Name: ("id",),
    ast.Attribute: ("attr",),
    ast.FunctionDef: ("name",),
    ast.AsyncFunctionDef: ("name",),
    ast.ClassDef: ("name",),
    ast.arg: ("arg",),
    ast.keyword: ("arg",),
    ast.MatchClass: ("kwd_attrs",),
    ast.MatchAs: ("name",),
    ast.MatchStar: ("name",),
    ast.MatchMapping: ("rest",),
    ast.ExceptHandler: ("name",),
    ast.Global: ("names",),
    ast.Nonlocal: ("names",),
}
LOCAL = (ast.Name, ast.arg)  # names of one scope, which must stay apart


@dataclass(frozen=True)
class Statement:
    """A statement at the top of a module: its form without names, and the names in their order."""

    where: str
    title: str
    shape: str
    names: tuple[str, ...]
    local: tuple[bool, ...]  # which of the names are of a scope, not of an object


def files_of(root: Path, revision: str, folders: list[str]) -> dict[str, str]:
    """The Python files of a revision, by path."""
    if revision == ".":
        paths = [path for folder in folders for path in sorted((root / folder).rglob("*.py"))]
        return {str(path.relative_to(root)): path.read_text(encoding="utf-8") for path in paths}
    done = subprocess.run(["git", "archive", revision, *folders], cwd=root, check=True, capture_output=True)
    with tarfile.open(fileobj=io.BytesIO(done.stdout)) as archive:
        members = [each for each in archive.getmembers() if each.isfile() and each.name.endswith(".py")]
        return {each.name: archive.extractfile(each).read().decode() for each in members}  # type: ignore[union-attr]


class Bare(ast.NodeTransformer):
    """Takes imports and, unless asked not to, docstrings out of a tree, and writes moved modules' names anew."""

    def __init__(self, docstrings: bool, moves: Moves, names: dict[str, str]) -> None:
        self.docstrings, self.moves, self.names = docstrings, moves, names

    def rename(self, match: re.Match[str]) -> str:
        moved = self.moves.rename(match.group())
        return f"{moved.rpartition('.')[0]}.{self.names[moved]}" if moved in self.names else moved

    def visit(self, node: ast.AST) -> ast.AST | None:
        if isinstance(node, ast.Import | ast.ImportFrom):
            return None
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            names = [each.value for each in ast.walk(node.value) if isinstance(each, ast.Constant)]
            node.value = ast.List([ast.Name(str(name), ast.Load()) for name in names], ast.Load())
        super().visit(node)
        body = getattr(node, "body", None)
        if isinstance(node, ast.If) and not body and not node.orelse:
            return None
        if isinstance(body, list):
            if not self.docstrings and body and is_text(body[0]) and not isinstance(node, ast.If | ast.For | ast.With):
                del body[0]
            if isinstance(node, ast.stmt):
                node.body = [each for each in body if not isinstance(each, ast.Pass)] or [ast.Pass()]  # type: ignore
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            node.value = DOTTED.sub(self.rename, node.value)
        return node


def is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def statements(files: dict[str, str], bare: Bare) -> Iterator[Statement]:
    for path, text in files.items():
        tree = bare.visit(ast.parse(text))
        for node in tree.body:  # type: ignore[union-attr]
            line, title = node.lineno, getattr(node, "name", type(node).__name__)
            names, local = take_names(node)
            yield Statement(f"{path}:{line}", title, ast.dump(node), tuple(names), tuple(local))


def take_names(tree: ast.AST) -> tuple[list[str], list[bool]]:
    """The names of a tree in the order of a walk; in the tree itself none are left."""
    found: list[str] = []
    local: list[bool] = []
    for node in ast.walk(tree):
        for field in IDENTIFIERS.get(type(node), ()):
            value = getattr(node, field)
            for each in value if isinstance(value, list) else [value] if value else []:
                found.append(each)
                local.append(isinstance(node, LOCAL))
            setattr(node, field, ["_"] * len(value) if isinstance(value, list) else "_" if value else value)
    return found, local


def may_be(old: Statement, new: Statement, allowed: dict[str, set[str]]) -> bool:
    """Whether a statement is the other one, with some names changed as the list allows, and none fallen together."""
    if len(old.names) != len(new.names):
        return False
    pairs = list(zip(old.names, new.names, strict=True))
    if any(mine != other and other not in allowed.get(mine, ()) for mine, other in pairs):
        return False
    back: dict[str, set[str]] = defaultdict(set)
    for (mine, other), local in zip(pairs, old.local, strict=True):
        if local:
            back[other].add(mine)
    return all(len(origins) == 1 for origins in back.values())


def compare(old: list[Statement], new: list[Statement], allowed: dict[str, set[str]]) -> tuple[list[str], Counter[str]]:
    """What is only on one side, and how many statements are equal, renamed, or not there."""
    counts: Counter[str] = Counter()
    by_shape: dict[str, list[Statement]] = defaultdict(list)
    for each in new:
        by_shape[each.shape].append(each)
    left: list[Statement] = []
    for each in old:
        same = next((other for other in by_shape[each.shape] if other.names == each.names), None)
        if same:
            by_shape[each.shape].remove(same)
            counts["equal"] += 1
        else:
            left.append(each)
    faults = []
    for each in left:
        renamed = next((other for other in by_shape[each.shape] if may_be(each, other, allowed)), None)
        if renamed:
            by_shape[each.shape].remove(renamed)
            counts["renamed"] += 1
        else:
            faults.append(f"only before: {each.where} {each.title}")
    faults += [f"only after:  {each.where} {each.title}" for rest in by_shape.values() for each in rest]
    return sorted(faults), counts


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("old")
    parser.add_argument("new")
    parser.add_argument("--root", type=Path, default=ROOT)
    parser.add_argument("--names", type=Path)
    parser.add_argument("--docstrings", action="store_true")
    parser.add_argument("--folders", default="tailrace")
    asked = parser.parse_args()
    folders = asked.folders.split(",")
    moves = Moves({old: new for old, new in Rooms().moves.items() if old != new}, {})
    names = Names(asked.names, Rooms().moves) if asked.names else None
    bare = Bare(asked.docstrings, moves, names.full_names() if names else {})
    sides = [list(statements(files_of(asked.root, revision, folders), bare)) for revision in (asked.old, asked.new)]
    allowed = names.by_old_name() if names else {}
    faults, counts = compare(sides[0], sides[1], allowed)
    print("\n".join(faults))
    print(f"{len(sides[0])} statements before, {len(sides[1])} after: {counts['equal']} equal,", end=" ")
    print(f"{counts['renamed']} equal but for names of the list, {len(faults)} on one side only")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
