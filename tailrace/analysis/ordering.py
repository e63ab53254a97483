"""Ordering: ORDER BY … LIMIT. It may order by select items, and by expressions over FROM that no item shows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlglot import exp

from tailrace.analysis.correlation.outer_columns import has_outer
from tailrace.analysis.grouping import AggregateCollector
from tailrace.analysis.scalars.placeholders import PendingSubquery, has_aggregate
from tailrace.analysis.scalars.resolve import Scalars
from tailrace.analysis.scalars.scope import Scope, SelectItem
from tailrace.errors import AnalysisError, ErrorGroup, TailraceError, did_you_mean
from tailrace.language import nodes as ast
from tailrace.language.nodes import place_of
from tailrace.logical import nodes
from tailrace.logical.expressions import Column, Expression, walk
from tailrace.logical.plan import Plan

if TYPE_CHECKING:
    from tailrace.analysis.queries import QueryAnalysis


@dataclass(frozen=True)
class SortKey:
    """One key of ORDER BY: the position of a select item, or an expression that is not in the select list."""

    value: int | Expression
    descending: bool
    nulls_first: bool


def keys(
    queries: QueryAnalysis,
    node: ast.Select,
    scope: Scope,
    items: Sequence[SelectItem],
    groups: AggregateCollector | None = None,
) -> list[SortKey]:
    """The sort keys of a SELECT. ORDER BY and LIMIT must come together: see `effective_order`."""
    written = effective_order(queries, node)
    scalars = Scalars(queries, scope, "ORDER BY", aggregates=groups is not None, windows=True)
    found = []
    problems: list[TailraceError] = []
    for key in written:
        if is_all(key):
            found += every_column(key, len(items))
            continue
        try:
            position = by_output(key.this, [item.name for item in items])
            value = by_input(scalars, key.this, items, groups) if position is None else position
            found.append(SortKey(value, bool(key.args.get("desc")), bool(key.args.get("nulls_first"))))
        except TailraceError as problem:
            problems.extend(problem.problems if isinstance(problem, ErrorGroup) else [problem])
    if problems:
        raise ErrorGroup(problems)
    return found


def is_all(key: exp.Expr) -> bool:
    """Whether a sort key is the ALL of ORDER BY ALL."""
    return isinstance(key.this, exp.Var)


def every_column(key: exp.Expr, count: int) -> list[SortKey]:
    """The sort keys of ORDER BY ALL: the columns of the result, from left to right."""
    descending, nulls_first = bool(key.args.get("desc")), bool(key.args.get("nulls_first"))
    return [SortKey(index, descending, nulls_first) for index in range(count)]


def unknown_columns(
    queries: QueryAnalysis, node: ast.Select, scope: Scope, items: Sequence[SelectItem]
) -> list[TailraceError]:
    """Columns of ORDER BY in neither FROM nor the select list, to be reported with other clauses' problems."""
    if node.args.get("limit") is None:
        return []
    named = {name.lower() for each in node.expressions if (name := each.alias_or_name)}
    named |= {item.name.lower() for item in items}
    scalars = Scalars(queries, scope, "ORDER BY")
    problems: list[TailraceError] = []
    for key in node.args.get("order") or []:
        if key.find(exp.Lambda, ast.Nested, ast.Exists):
            continue
        for column in key.find_all(exp.Column):
            if column.table or column.name.lower() not in named:
                try:
                    scalars.resolve(column)
                except AnalysisError as problem:
                    problems.append(problem)
    return problems


def effective_order(queries: QueryAnalysis, node: ast.QueryNode) -> list[exp.Expr]:
    """The sort keys of an ORDER BY with LIMIT. An ORDER BY without LIMIT has no effect; a note tells the author so."""
    order, limit, offset = (node.args.get(key) for key in ("order", "limit", "offset"))
    if limit is not None and not order:
        hint = "add ORDER BY before LIMIT; S [ROWS 10] holds the newest 10 rows of a stream"
        raise AnalysisError("LIMIT without ORDER BY: which rows?", place_of(limit), hint)
    if order and limit is None:
        if offset is not None:
            raise AnalysisError("OFFSET without LIMIT", place_of(offset), "add LIMIT before OFFSET")
        queries.note(order[0], "ORDER BY without LIMIT is left out: a relation has no order")
        return []
    return list(order or [])


def by_output(written: exp.Expr, names: Sequence[str]) -> int | None:
    """The index of the select item that a sort key names by position (ORDER BY 2) or by name; None for other keys."""
    if isinstance(written, exp.Literal) and not written.is_string and written.this.isdigit():
        position = int(written.this)
        if not 1 <= position <= len(names):
            raise AnalysisError(f"ORDER BY {position}: the select list has {len(names)} columns", place_of(written))
        return position - 1
    if isinstance(written, exp.Column) and not written.table:
        matches = [index for index, name in enumerate(names) if name.lower() == written.name.lower()]
        return matches[0] if matches else None
    return None


def by_input(
    scalars: Scalars, written: exp.Expr, items: Sequence[SelectItem], groups: AggregateCollector | None
) -> int | Expression:
    """A sort key as an expression over FROM or the groups; the index of the select item if one is equal to it."""
    value = scalars.resolve(written)
    for index, item in enumerate(items):
        if item.value == value:
            return index
    if has_outer(value) or any(isinstance(part, PendingSubquery) for part in walk(value)):
        raise AnalysisError("ORDER BY cannot use subqueries or columns of the outer query", place_of(written))
    if groups is not None:
        return groups.over(value, place_of(written))
    if has_aggregate(value):
        raise AnalysisError("an aggregate in ORDER BY needs GROUP BY or aggregates in SELECT", place_of(written))
    return value


def project(
    node: ast.Select,
    plan: Plan,
    values: Sequence[Expression],
    names: Sequence[str],
    order: Sequence[SortKey],
) -> Plan:
    """The select list, then DISTINCT, then ORDER BY … LIMIT. Sort keys outside the select list are dropped last."""
    hidden = [key.value for key in order if isinstance(key.value, Expression)]
    if hidden and node.args.get("distinct"):
        raise AnalysisError(
            "with DISTINCT, ORDER BY can only use columns of the select list", place_of(node.args["order"][0])
        )
    columns = (*values, *hidden)
    extra = tuple(f"_{index}" for index in range(len(columns) - len(values)))
    plan = nodes.Project(plan, columns, (*names, *extra))
    if node.args.get("distinct"):
        if any(type.name == "MAP" for type in plan.schema.types):
            raise AnalysisError("DISTINCT cannot compare MAPs", place_of(node))
        plan = nodes.Distinct(plan)
    if order:
        plan = top(node, plan, positions(order, len(values)))
    if hidden:
        kept = tuple(
            Column(index, value.type, name) for index, (value, name) in enumerate(zip(values, names, strict=True))
        )
        plan = nodes.Project(plan, kept, tuple(names))
    return plan


def positions(order: Sequence[SortKey], width: int) -> list[tuple[int, SortKey]]:
    """The position of each sort key in the projected columns: keys outside the select list follow the `width` items."""
    found, hidden = [], width
    for key in order:
        if isinstance(key.value, int):
            found.append((key.value, key))
        else:
            found.append((hidden, key))
            hidden += 1
    return found


def top(node: ast.QueryNode, plan: Plan, order: Sequence[tuple[int, SortKey]]) -> Plan:
    keys = []
    for index, key in order:
        field = plan.schema[index]
        if field.type.name in ("MAP", "STRUCT"):
            raise AnalysisError(f"a {field.type.name} has no order", place_of(node.args["order"][0]))
        keys.append(nodes.OrderKey(Column(index, field.type, field.name), key.descending, key.nulls_first))
    offset = node.args.get("offset")
    return nodes.TopK(plan, tuple(keys), int(node.args["limit"].this), int(offset.this) if offset else 0)


def of_set_operation(queries: QueryAnalysis, node: ast.SetOperation, plan: Plan, names: Sequence[str]) -> Plan:
    """ORDER BY … LIMIT behind a set operation; it can only name columns of the result."""
    found = []
    for key in effective_order(queries, node):
        if is_all(key):
            found += list(enumerate(every_column(key, len(names))))
            continue
        index = by_output(key.this, names)
        if index is None:
            hint = did_you_mean(key.this.name, names) if isinstance(key.this, exp.Column) else None
            raise AnalysisError(
                "ORDER BY of a set operation names one of its columns",
                place_of(key.this),
                hint or f"the columns are {', '.join(names)}",
            )
        found.append((index, SortKey(index, bool(key.args.get("desc")), bool(key.args.get("nulls_first")))))
    return top(node, plan, found) if found else plan
