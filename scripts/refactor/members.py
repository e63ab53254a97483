"""Members: for each attribute and keyword in the tree, the classes whose member it is, by the types that mypy finds."""

from __future__ import annotations

import inspect
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from mypy import build, main, nodes, types
from mypy.patterns import ClassPattern

Place = tuple[int, int, int, int]  # line, column, last line, last column: those of `ast`


@dataclass
class Found:
    """What mypy knows of one file."""

    attributes: dict[tuple[Place, str], set[str]] = field(default_factory=lambda: defaultdict(set))
    keywords: dict[tuple[Place, str], set[str]] = field(default_factory=lambda: defaultdict(set))  # place of the call
    patterns: dict[tuple[Place, str], set[str]] = field(default_factory=lambda: defaultdict(set))
    of_modules: set[tuple[Place, str]] = field(
        default_factory=set
    )  # names at the top of a module, written `module.name`


class Members:
    """The project with types. Members of a class and of those above and below it are one family: one name."""

    def __init__(self, root: Path, folders: list[str]) -> None:
        sources, options = main.process_options(
            ["--config-file", str(root / "pyproject.toml"), "--no-incremental", *(str(root / each) for each in folders)]
        )
        options.export_types = options.preserve_asts = True
        options.incremental = False
        self.result = build.build(sources, options)
        self.known = self.result.types
        self.errors = self.result.errors

    def of(self, path: Path) -> Found:
        """What is known of a file."""
        for file in self.result.files.values():
            if Path(file.path).resolve() == path.resolve():
                visitor = Visitor(self)
                visitor.walk(file)
                return visitor.found
        return Found()

    def classes(self) -> Iterator[nodes.TypeInfo]:
        for name, file in self.result.files.items():
            if name.split(".")[0] in ("tailrace", "tests"):
                yield from classes_in(file.names)

    def families(self) -> dict[str, str]:
        """Each member of each class, and the one member that stands for its family."""
        first: dict[str, str] = {}
        for info in self.classes():
            for name in info.names:
                owners = [
                    each for each in info.mro if name in each.names and each.fullname.startswith(("tailrace", "tests"))
                ]
                if not name.startswith("__") and owners:
                    join(first, f"{info.fullname}.{name}", f"{owners[-1].fullname}.{name}")
        return {member: head(first, member) for member in first}


def classes_in(table: nodes.SymbolTable) -> Iterator[nodes.TypeInfo]:
    for symbol in table.values():
        info = symbol.node
        if isinstance(info, nodes.TypeInfo) and symbol.kind in (nodes.GDEF, nodes.MDEF) and info.names is not table:
            yield info
            yield from classes_in(info.names)


def head(first: dict[str, str], member: str) -> str:
    while first.get(member, member) != member:
        member = first[member]
    return member


def join(first: dict[str, str], one: str, other: str) -> None:
    first.setdefault(one, one)
    first.setdefault(other, other)
    first[head(first, one)] = head(first, other)


def owners_of(kind: types.Type | None, name: str) -> set[str]:
    """The classes that have the member, of those that a value of this type can be; none if the type is not known."""
    kind = types.get_proper_type(kind)
    if isinstance(kind, types.UnionType):
        return {owner for item in kind.items for owner in owners_of(item, name)}
    if isinstance(kind, types.TypeVarType):
        return owners_of(kind.upper_bound, name)
    if isinstance(kind, types.TupleType):
        return owners_of(kind.partial_fallback, name)
    if isinstance(kind, types.TypeType):
        return owners_of(kind.item, name)
    if isinstance(kind, types.LiteralType):
        return owners_of(kind.fallback, name)
    if isinstance(kind, types.FunctionLike) and kind.is_type_obj():
        return in_class(kind.type_object(), name)
    if isinstance(kind, types.Instance):
        return in_class(kind.type, name)
    return set()


def in_class(info: nodes.TypeInfo, name: str) -> set[str]:
    owner = next((each for each in info.mro if name in each.names), None)
    return {f"{owner.fullname}.{name}"} if owner else set()


def place_of(node: Any) -> Place:
    return node.line, node.column, node.end_line or node.line, node.end_column or 0


# Attributes of mypy's nodes that lead to where something is defined, out of the tree.
ELSEWHERE = {
    "node",
    "info",
    "names",
    "type",
    "original_def",
    "var",
    "def_frame",
    "analyzed",
    "metaclass_type",
    "alias_node",
}


@cache
def parts_of(kind: type) -> tuple[str, ...]:
    """The attributes of a class of nodes in which there can be nodes."""
    found = {name for each in kind.__mro__ for name, value in vars(each).items() if inspect.isdatadescriptor(value)}
    return tuple(sorted(name for name in found - ELSEWHERE if not name.startswith("_")))


class Visitor:
    """Walks one file and notes whose member each attribute and keyword is. (mypy's own visitors take no subclasses.)"""

    def __init__(self, members: Members) -> None:
        self.members, self.found = members, Found()
        self.seen: set[int] = set()

    def walk(self, start: Any) -> None:
        waiting = [start]
        while waiting:
            node = waiting.pop()
            if isinstance(node, list | tuple):
                waiting += node
            elif isinstance(node, nodes.Node) and not isinstance(node, nodes.TypeInfo) and id(node) not in self.seen:
                self.seen.add(id(node))
                self.visit(node)
                for name in parts_of(type(node)):
                    try:
                        waiting.append(getattr(node, name))
                    except (AttributeError, AssertionError, NotImplementedError):
                        continue

    def visit(self, node: Any) -> None:
        match node:
            case nodes.MemberExpr():
                self.visit_member(node)
            case nodes.SuperExpr():
                self.visit_super(node)
            case nodes.CallExpr():
                self.visit_call(node)
            case ClassPattern():
                self.visit_pattern(node)

    def visit_member(self, node: nodes.MemberExpr) -> None:
        kind = self.members.known.get(node.expr)
        if isinstance(node.expr, nodes.RefExpr) and isinstance(node.expr.node, nodes.TypeInfo):
            owners = in_class(node.expr.node, node.name)
        elif isinstance(node.expr, nodes.RefExpr) and isinstance(node.expr.node, nodes.MypyFile):
            self.found.of_modules.add((place_of(node), node.name))
            return
        else:
            owners = owners_of(kind, node.name)
        self.found.attributes[place_of(node), node.name] |= owners

    def visit_super(self, node: nodes.SuperExpr) -> None:
        if node.info:
            for above in node.info.mro[1:]:
                if node.name in above.names:
                    self.found.attributes[place_of(node), node.name].add(f"{above.fullname}.{node.name}")
                    break

    def visit_call(self, node: nodes.CallExpr) -> None:
        named = [name for name in node.arg_names if name]
        if not named:
            return
        kind = self.members.known.get(node.callee)
        if isinstance(node.callee, nodes.RefExpr) and isinstance(node.callee.node, nodes.TypeInfo):
            owner: Any = node.callee.node
        else:
            proper = types.get_proper_type(kind)
            made = isinstance(proper, types.FunctionLike) and proper.is_type_obj()
            owner = proper.type_object() if made else None  # type: ignore[union-attr]
        replaces = isinstance(node.callee, nodes.RefExpr) and node.callee.fullname == "dataclasses.replace"
        for name in named:
            owners = in_class(owner, name) if owner else set()
            if replaces:
                owners = owners_of(self.members.known.get(node.args[0]), name)
            self.found.keywords[place_of(node), name] |= owners

    def visit_pattern(self, pattern: Any) -> None:
        info = pattern.class_ref.node
        for name in pattern.keyword_keys:
            if isinstance(info, nodes.TypeInfo):
                self.found.patterns[place_of(pattern), name] |= in_class(info, name)
