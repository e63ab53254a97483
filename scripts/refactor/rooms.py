"""Rooms: which module of today goes to which room, read from rooms.toml, and what can be said of a tree of modules.

A module is named by its path below the root of the repository, without ending: `tailrace/physical/keys`. Entries of
rooms.toml leave out `tailrace/`; those of tests begin with `tests/`.
"""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
PACKAGE = "tailrace"


@dataclass(frozen=True)
class Target:
    """A module of the new tree, and the modules of today that it is made of."""

    room: str  # "columnar/functions", "." or "tests/columnar"
    name: str
    sources: tuple[str, ...]
    later: bool  # several sources that are only moved for now: their names collide

    @property
    def path(self) -> str:
        """The new module, as a path.

        >>> Target("columnar", "keys", ("tailrace/physical/keys",), False).path
        'tailrace/columnar/keys'
        """
        return in_room(self.room, self.name)

    @property
    def moves(self) -> dict[str, str]:
        """Old module to new module. Sources that are merged later stay apart, under their old names."""
        if not self.later:
            return dict.fromkeys(self.sources, self.path)
        return {source: in_room(self.room, self.apart(source)) for source in self.sources}

    def apart(self, source: str) -> str:
        """What a source is called until the merge: the first has the new name already."""
        return self.name if source == self.sources[0] else source.rsplit("/", 1)[1]


def in_room(room: str, name: str) -> str:
    folder = PACKAGE if room == "." else room if room.split("/")[0] == "tests" else f"{PACKAGE}/{room}"
    return f"{folder}/{name}"


def full(source: str) -> str:
    """An entry of rooms.toml as a path of the repository.

    >>> full("physical/keys"), full("tests/physical/local")
    ('tailrace/physical/keys', 'tests/physical/local')
    """
    return source if source.startswith("tests/") else f"{PACKAGE}/{source}"


def dotted(path: str) -> str:
    """A path as the name that imports have.

    >>> dotted("tailrace/physical/keys")
    'tailrace.physical.keys'
    """
    return path.replace("/", ".")


class Rooms:
    """The whole of rooms.toml."""

    def __init__(self, path: Path = HERE / "rooms.toml") -> None:
        read = tomllib.loads(path.read_text(encoding="utf-8"))
        self.order: list[list[str]] = [row.split() for row in read.pop("order")]
        self.data: dict[str, str] = read.pop("data")
        self.larger: dict[str, int] = read.pop("larger_folders")
        self.targets = [target_of(room, name, entry) for room, names in read.items() for name, entry in names.items()]

    @cached_property
    def moves(self) -> dict[str, str]:
        return {old: new for target in self.targets for old, new in target.moves.items()}

    def room_of(self, path: str) -> str:
        """The room of a module of the new tree.

        >>> Rooms().room_of("tailrace/columnar/functions/casts")
        'columnar/functions'
        """
        folder = path.rsplit("/", 1)[0]
        return "." if folder == PACKAGE else folder.removeprefix(f"{PACKAGE}/")

    def height(self, room: str) -> int | None:
        """How far up a room is in the order; rooms inside `bench` and `tests` are as high as these."""
        for number, row in enumerate(self.order):
            if room in row or (room.split("/")[0] in ("bench", "tests") and room.split("/")[0] in row):
                return number
        return None


def target_of(room: str, name: str, entry: str | list[str] | dict[str, object]) -> Target:
    later = False
    if isinstance(entry, dict):
        later = entry.get("merge") == "later"
        entry = list(entry["from"])  # type: ignore[call-overload]
    sources = [entry] if isinstance(entry, str) else entry
    return Target(room, name, tuple(full(source) for source in sources), later)


def modules(root: Path = ROOT, *folders: str) -> dict[str, Path]:
    """All modules below folders of a repository but `__init__`, by path without ending."""
    return {
        str(path.relative_to(root).with_suffix("")): path
        for folder in folders or (PACKAGE, "tests")
        for path in sorted((root / folder).rglob("*.py"))
        if path.name != "__init__.py"
    }


def imported(tree: ast.AST, known: dict[str, str]) -> Iterator[tuple[int, str]]:
    """Line and path of each module that is imported; `known` has modules by dotted name."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                if (whole := f"{node.module}.{alias.name}") in known:
                    yield node.lineno, known[whole]
                elif node.module in known:
                    yield node.lineno, known[node.module]
        elif isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name in known:
                    yield node.lineno, known[alias.name]


def edges(root: Path = ROOT) -> Iterator[tuple[str, int, str]]:
    """Every import of one module by another: who, in which line, whom."""
    found = modules(root)
    known = {dotted(path): path for path in found}
    for path, file in found.items():
        for line, target in imported(ast.parse(file.read_text(encoding="utf-8")), known):
            yield path, line, target


def bound_names(tree: ast.Module) -> tuple[set[str], dict[str, str]]:
    """The names that a module defines at its top, and those that it imports anywhere, with what each stands for."""
    defined: set[str] = set()
    brought: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            brought |= {a.asname or a.name: f"{node.module}.{a.name}" for a in node.names}
        elif isinstance(node, ast.Import):
            brought |= {a.asname or a.name.split(".")[0]: a.name for a in node.names}
    for statement in tree.body:
        if isinstance(statement, ast.FunctionDef | ast.ClassDef):
            defined.add(statement.name)
        elif isinstance(statement, ast.Assign | ast.AnnAssign | ast.AugAssign | ast.If | ast.For | ast.With | ast.Try):
            defined |= {n.id for n in ast.walk(statement) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    return defined, brought


def collisions(sources: tuple[str, ...], root: Path = ROOT) -> set[str]:
    """The names because of which modules cannot become one as they are: two meanings of one name at the top."""
    meanings: dict[str, str] = {}
    found: set[str] = set()
    ours = {dotted(source) for source in sources}
    for source in sources:
        tree = ast.parse((root / f"{source}.py").read_text(encoding="utf-8"))
        defined, brought = bound_names(tree)
        for name, meaning in [*((n, f"{dotted(source)}.{n}") for n in defined), *brought.items()]:
            if meaning in ours or meanings.setdefault(name, meaning) != meaning:
                found.add(name)
    return found
