"""Outer columns: finds and replaces, in the plan of a subquery, the columns of the queries around it.

A plan that reads some is *dependent*: it has a meaning only for given values of them. The queries around a subquery are
numbered from the inside: an `Outer` of level 1 is a column of the query directly around.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass, replace
from typing import Any, TypeVar

from tailrace.logical.expressions import Column, Expression, Outer, transform, walk
from tailrace.logical.nodes import ApplyWindow, Scan
from tailrace.logical.plan import Plan

T = TypeVar("T")


def has_outer(expression: Expression) -> bool:
    return any(isinstance(part, Outer) for part in walk(expression))


def reads_outer(plan: Plan) -> bool:
    """Whether a plan is dependent: some expression in it reads a column of a query around."""
    met: set[int] = set()

    def visit(node: Plan) -> bool:
        if id(node) in met:
            return False
        met.add(id(node))
        return node_reads_outer(node) or any(visit(child) for child in node.children)

    return visit(plan)


def node_reads_outer(node: Plan) -> bool:
    return any(map(has_outer, expressions_in(node)))


def expressions_in(node: Plan) -> Iterator[Expression]:
    """The expressions of one node, wherever it keeps them; not those of its inputs."""
    if not isinstance(node, (Scan, ApplyWindow)):
        for part in fields(node):
            yield from expressions_of(getattr(node, part.name))


def expressions_of(value: Any) -> Iterator[Expression]:
    if isinstance(value, Expression):
        yield value
    elif isinstance(value, tuple):
        for each in value:
            yield from expressions_of(each)
    elif is_dataclass(value) and not isinstance(value, Plan):
        for part in fields(value):
            yield from expressions_of(getattr(value, part.name))


def map_expressions(value: T, change: Callable[[Expression], Expression]) -> T:
    """A plan or a part of one, with `change` applied to every expression. What stays as it is stays the same object."""
    done: dict[int, Any] = {}

    def visit(value: Any) -> Any:
        if isinstance(value, Plan) and id(value) in done:
            return done[id(value)]
        found = value
        if isinstance(value, Expression):
            found = change(value)
        elif isinstance(value, tuple):
            parts = tuple([visit(each) for each in value])
            found = value if all(new is old for new, old in zip(parts, value, strict=True)) else parts
        elif is_dataclass(value) and not isinstance(value, (type, Scan)):
            pairs = {part.name: getattr(value, part.name) for part in fields(value)}
            changed = {name: new for name, old in pairs.items() if (new := visit(old)) is not old}
            found = replace(value, **changed) if changed else value
        if isinstance(value, Plan):
            done[id(value)] = found
        return found

    result: T = visit(value)
    return result


class Operands:
    """The values of the query around that a subquery reads, each once: a dependent plan refers to them by number."""

    def __init__(self, first: tuple[Expression, ...] = ()) -> None:
        self.found: list[Expression] = list(first)

    def number(self, value: T) -> T:
        """A subquery's plan or condition with each outer column replaced by an `Outer` of an operand's number."""
        return map_expressions(value, self._number)

    def _number(self, expression: Expression) -> Expression:
        return transform(expression, self._refer) if has_outer(expression) else expression

    def _refer(self, part: Expression) -> Expression:
        if not isinstance(part, Outer):
            return part
        # What is further out stays a column of a query around, for the query that the subquery is joined to.
        own = Column(part.index, part.of, part.name)
        operand = own if part.level == 1 else replace(part, level=part.level - 1)
        if operand not in self.found:
            self.found.append(operand)
        return Outer(self.found.index(operand), part.of, part.name)
