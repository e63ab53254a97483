"""Rewrite imports: one file's text after modules have moved: its imports, dotted names in strings, and paths.

>>> moved = Moves({"tailrace/physical/lots": "tailrace/columnar/sampling_hash"}, {})
>>> print(rewrite_text("from tailrace.physical.lots import lots\\nx = 'tailrace.physical.lots.SEED'", moved))
from tailrace.columnar.sampling_hash import lots
x = 'tailrace.columnar.sampling_hash.SEED'
>>> print(rewrite_text("from tailrace.physical import lots, wire", moved))
from tailrace.columnar import sampling_hash as lots
from tailrace.physical import wire
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from rooms import dotted

DOTTED = re.compile(r"\b(?:tailrace|tests)(?:\.[A-Za-z_]\w*)+")
SLASHED = re.compile(r"(?<![\w/])(?:[a-z_]\w*/)*[a-z_]\w*\.py\b")
FOLDER = re.compile(r"(?<![\w/.])(?:tailrace|tests)(?:/[a-z_]\w*)+/?(?![\w/]|\.\w)")
PARENTS = re.compile(r"(Path\(__file__\)(?:\.resolve\(\))?\.parents\[)(\d+)\]")


@dataclass(frozen=True)
class Moves:
    """Where modules and folders go: paths below the root, modules without ending."""

    modules: dict[str, str]
    folders: dict[str, str]

    @cached_property
    def names(self) -> dict[str, str]:
        return {dotted(old): dotted(new) for old, new in self.modules.items()}

    @cached_property
    def packages(self) -> dict[str, str]:
        return {dotted(old): dotted(new) for old, new in self.folders.items()}

    def rename(self, name: str) -> str:
        """A dotted name after the move: the longest module that it begins with decides."""
        parts = name.split(".")
        for length in range(len(parts), 1, -1):
            head, rest = ".".join(parts[:length]), parts[length:]
            if head in self.names:
                return ".".join([self.names[head], *rest])
        return name

    def ending_in(self, path: str) -> str | None:
        """The new path of the one moved file whose old path ends in this one, written as long as it was."""
        bare = path.removesuffix(".py")
        whole = [old for old in self.modules if old == bare or old.endswith(f"/{bare}")]
        if len(whole) != 1:
            return None
        new = self.modules[whole[0]].split("/")
        if bare == whole[0]:
            return "/".join(new) + ".py"
        return "/".join(new[-(bare.count("/") + 1) :] if "/" not in bare else new[1:]) + ".py"


@dataclass(frozen=True)
class Edit:
    """A piece of text, by its place, and what stands there instead."""

    start: int
    end: int
    text: str


def apply(text: str, edits: Iterable[Edit]) -> str:
    for edit in sorted(edits, key=lambda each: each.start, reverse=True):
        text = text[: edit.start] + edit.text + text[edit.end :]
    return text


class Offsets:
    """Places in a text: `ast` counts lines, and bytes in them; we count characters from the start."""

    def __init__(self, text: str) -> None:
        self.lines = text.splitlines(keepends=True)
        self.starts = [0]
        for line in self.lines:
            self.starts.append(self.starts[-1] + len(line))

    def at(self, line: int, column: int) -> int:
        behind = self.lines[line - 1].encode()[:column].decode()
        return self.starts[line - 1] + len(behind)

    def span(self, node: ast.AST) -> tuple[int, int]:
        start = self.at(node.lineno, node.col_offset)  # type: ignore[attr-defined]
        return start, self.at(node.end_lineno, node.end_col_offset)  # type: ignore[attr-defined]


def rewrite_text(text: str, moves: Moves, me: str = "", is_python: bool = True) -> str:
    """A file's text after the move. `me` is its own new module, from which it need not import."""
    edits = import_edits(text, moves, me) if is_python else []
    spans = [(edit.start, edit.end) for edit in edits]
    for pattern, change in ((DOTTED, moves.rename), (SLASHED, lambda path: moves.ending_in(path) or path)):
        for match in pattern.finditer(text):
            new = change(match.group())
            if new != match.group() and not any(start <= match.start() < end for start, end in spans):
                edits.append(Edit(match.start(), match.end(), new))
                spans.append((match.start(), match.end()))
    for match in FOLDER.finditer(text):
        bare = match.group().rstrip("/")
        if bare in moves.folders and not any(start <= match.start() < end for start, end in spans):
            edits.append(Edit(match.start(), match.start() + len(bare), moves.folders[bare]))
    return apply(text, edits)


def import_edits(text: str, moves: Moves, me: str) -> list[Edit]:
    """Imports of modules as such, which may need `as`, and those of what the file now has itself."""
    offsets = Offsets(text)
    found = []
    for node in ast.walk(ast.parse(text)):
        if not isinstance(node, ast.ImportFrom) or not node.module:
            continue
        lines = import_lines(node, moves, me)
        if lines is None:
            continue
        start, end = offsets.span(node)
        indent = " " * node.col_offset
        found.append(Edit(start, end, f"\n{indent}".join(lines) if lines else "pass"))
    return found


def import_lines(node: ast.ImportFrom, moves: Moves, me: str) -> list[str] | None:
    """The statements that a `from … import` becomes; None where a mere change of the dotted name will do."""
    module = node.module or ""
    mine = moves.names.get(module, module) == dotted(me) and bool(me)
    by_parent: dict[str, list[str]] = {}
    special = mine
    for alias in node.names:
        whole = f"{module}.{alias.name}"
        if mine:
            if alias.asname:
                raise SystemExit(f"{me}: {whole} has another name where it is to be merged")
            continue
        parent, name, shown = moves.names.get(module, module), alias.name, alias.asname
        if whole in moves.names or whole in moves.packages:
            special = True
            parent, name = moves.names.get(whole, moves.packages.get(whole, "")).rsplit(".", 1)
            shown = alias.asname or alias.name
        by_parent.setdefault(parent, []).append(name if shown in (None, name) else f"{name} as {shown}")
    if not special:
        return None
    return [f"from {parent} import {', '.join(names)}" for parent, names in by_parent.items()]
