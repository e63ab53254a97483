"""Scopes: what each name in a module stands for: a name at the top of some module, or something local.

>>> tree = ast.parse("from tailrace.a import told\\n\\ndef f(kept):\\n    return told(kept)\\n\\ndef kept(): ...\\n")
>>> [(use.node.id, use.meaning) for use in Scopes("tailrace.b", tree, {}).uses() if isinstance(use.node, ast.Name)]
[('told', 'tailrace.a.told')]
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

FUNCTIONS = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
COMPREHENSIONS = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp


@dataclass(frozen=True)
class Use:
    """A name or an attribute of a module, what it stands for, and the local names around it."""

    node: ast.Name | ast.Attribute
    meaning: str
    around: frozenset[str]


def bound_in(node: ast.AST) -> dict[str, str]:
    """The names that a scope binds itself, and what those that it imports stand for."""
    found: dict[str, str] = {}
    if isinstance(node, FUNCTIONS):
        spec = node.args
        every = [*spec.posonlyargs, *spec.args, *spec.kwonlyargs, *filter(None, (spec.vararg, spec.kwarg))]
        found |= {each.arg: "" for each in every}
    apart: set[str] = set()
    for each in inside(node):
        if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store | ast.Del):
            found.setdefault(each.id, "")
        elif isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            found[each.name] = ""
        elif isinstance(each, ast.ImportFrom):
            found |= {alias.asname or alias.name: f"{each.module}.{alias.name}" for alias in each.names}
        elif isinstance(each, ast.Import):
            found |= {
                a.asname or a.name.split(".")[0]: a.name if a.asname else a.name.split(".")[0] for a in each.names
            }
        elif isinstance(each, ast.ExceptHandler | ast.MatchAs | ast.MatchStar) and each.name:
            found[each.name] = ""
        elif isinstance(each, ast.MatchMapping) and each.rest:
            found[each.rest] = ""
        elif isinstance(each, ast.Global | ast.Nonlocal):
            apart |= set(each.names)
    return {name: meaning for name, meaning in found.items() if name not in apart}


def inside(node: ast.AST) -> Iterator[ast.AST]:
    """The nodes of a scope, without those of scopes in it."""
    waiting = list(node.generators) if isinstance(node, COMPREHENSIONS) else list(scope_body(node))
    while waiting:
        each = waiting.pop()
        yield each
        if isinstance(each, COMPREHENSIONS):
            walruses = [n for n in ast.walk(each) if isinstance(n, ast.NamedExpr)]
            waiting += [n.target for n in walruses]
        elif isinstance(each, FUNCTIONS | ast.ClassDef):
            continue
        else:
            waiting += ast.iter_child_nodes(each)


def scope_body(node: ast.AST) -> list[ast.AST]:
    body = getattr(node, "body", [])
    return list(body) if isinstance(body, list) else [body]


class Scopes:
    """The names of one module. `exports` says what a name of another module really is, where that imports it itself."""

    def __init__(self, module: str, tree: ast.Module, exports: dict[str, str]) -> None:
        self.module, self.tree, self.exports = module, tree, exports
        top = bound_in(tree)
        self.top = {name: meaning or f"{module}.{name}" for name, meaning in top.items()}

    def real(self, meaning: str) -> str:
        """The name where it is defined."""
        seen = set()
        while meaning in self.exports and meaning not in seen:
            seen.add(meaning)
            meaning = self.exports[meaning]
        return meaning

    def uses(self) -> Iterator[Use]:
        yield from self.walk(self.tree, [self.top], frozenset())

    def walk(self, node: ast.AST, scopes: list[dict[str, str]], around: frozenset[str]) -> Iterator[Use]:
        for child in self.in_turn(node):
            if isinstance(child, FUNCTIONS | COMPREHENSIONS):
                outer = [scope for scope in scopes if not scope.get("class ")]
                yield from self.outside(child, scopes, around)
                local = bound_in(child)
                yield from self.walk(child, [*outer, local], around | set(local))
            elif isinstance(child, ast.ClassDef):
                yield from self.outside(child, scopes, around)
                yield from self.walk(child, [*scopes, {**bound_in(child), "class ": "yes"}], around)
            else:
                yield from self.use(child, scopes, around)
                yield from self.walk(child, scopes, around)

    def in_turn(self, node: ast.AST) -> list[ast.AST]:
        """What is inside a scope; for others all that is below."""
        if isinstance(node, FUNCTIONS | ast.ClassDef):
            return scope_body(node)
        return list(ast.iter_child_nodes(node))

    def outside(self, node: ast.AST, scopes: list[dict[str, str]], around: frozenset[str]) -> Iterator[Use]:
        """Decorators, defaults, annotations and bases belong to the scope around."""
        parts: list[ast.AST] = list(getattr(node, "decorator_list", []))
        if isinstance(node, FUNCTIONS):
            parts += [node.args, *filter(None, [getattr(node, "returns", None)])]
        elif isinstance(node, ast.ClassDef):
            parts += [*node.bases, *node.keywords]
        for part in parts:
            yield from self.use(part, scopes, around)
            yield from self.walk(part, scopes, around)

    def use(self, node: ast.AST, scopes: list[dict[str, str]], around: frozenset[str]) -> Iterator[Use]:
        if isinstance(node, ast.Name | ast.Attribute) and (meaning := self.meaning(node, scopes)):
            yield Use(node, meaning, around)

    def meaning(self, node: ast.AST, scopes: list[dict[str, str]]) -> str:
        """The full name that a name, or an attribute of a module or class, stands for; empty for what is local."""
        if isinstance(node, ast.Attribute):
            owner = self.meaning(node.value, scopes)
            return self.real(f"{owner}.{node.attr}") if owner else ""
        if isinstance(node, ast.Name):
            scope = next((each for each in reversed(scopes) if node.id in each), {})
            return self.real(scope.get(node.id, ""))
        return ""


def find(tree: ast.AST, path: list[str]) -> ast.AST:
    """What a path of names leads to: classes and functions inside each other."""
    for name in path:
        tree = next(
            node
            for node in ast.walk(tree)
            if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) and node.name == name
        )
    return tree
