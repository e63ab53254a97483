"""Select: turns SELECT … FROM … into a plan, clause by clause."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from sqlglot import exp

from tailrace.analysis import ordering, subqueries
from tailrace.analysis.grouping import AggregateCollector
from tailrace.analysis.scalars.placeholders import attach, has_aggregate, has_outer, has_subquery
from tailrace.analysis.scalars.resolve import Scalars
from tailrace.analysis.scalars.scope import Scope, SelectItem, column_name
from tailrace.analysis.subqueries import DeferredAggregate, TypedQuery
from tailrace.errors import AnalysisError, ErrorGroup, TailraceError
from tailrace.language import nodes as ast
from tailrace.language.nodes import place_of
from tailrace.logical import nodes
from tailrace.logical.expressions import Call, Column, Expression, Literal, columns_of, move, refer_to
from tailrace.logical.plan import Plan
from tailrace.types import BOOLEAN, is_integer

if TYPE_CHECKING:
    from tailrace.analysis.queries import QueryAnalysis


def analyse_select(queries: QueryAnalysis, node: ast.Select, plan: Plan, scope: Scope) -> TypedQuery:
    """The relation (or steps) of a SELECT, given the plan of its FROM; the caller adds its to-stream operator."""
    problems: list[TailraceError] = []
    plan, correlated = where(queries, node, plan, scope, problems)
    items = select_items(queries, node, scope, problems)
    keys = group_keys(queries, node, scope, items, problems)
    having = None
    if node.args.get("having"):
        scalars = Scalars(queries, scope, "HAVING", aggregates=True)
        having = caught(problems, lambda: scalars.condition(node.args["having"]))
    if problems:
        raise ErrorGroup([*problems, *ordering.unknown_columns(queries, node, scope, items)])
    grouped = bool(keys) or having is not None or any(has_aggregate(item.value) for item in items)
    if grouped:
        keys = add_window_keys(queries, node, scope, keys)
        found = grouped_select(queries, node, plan, scope, items, keys, having, correlated)
    else:
        found = plain_select(queries, node, plan, scope, items, correlated)
    return replace(found, values=tuple(item.value for item in items))


def plain_select(
    queries: QueryAnalysis,
    node: ast.Select,
    plan: Plan,
    scope: Scope,
    items: Sequence[SelectItem],
    correlated: Sequence[Expression],
) -> TypedQuery:
    """A SELECT without aggregates."""
    for item in items:
        if has_outer(item.value):
            raise outside_where(item.node)
    order = ordering.keys(queries, node, scope, items)
    return finish(node, plan, items, correlated, order)


def caught(problems: list[TailraceError], work: Callable[[], Expression]) -> Expression | None:
    """The result of `work`; if it raises an error, add that to `problems` and return None."""
    try:
        return work()
    except TailraceError as problem:
        problems.extend(problem.problems if isinstance(problem, ErrorGroup) else [problem])
        return None


def outside_where(node: exp.Expr) -> AnalysisError:
    return AnalysisError("a subquery can use columns of the outer query only in its WHERE", place_of(node))


# WHERE ----------------------------------------------------------------------------------------------------


def where(
    queries: QueryAnalysis, node: ast.Select, plan: Plan, scope: Scope, problems: list[TailraceError]
) -> tuple[Plan, list[Expression]]:
    """The plan with WHERE applied, and the correlated conditions: those that read columns of the query around."""
    correlated: list[Expression] = []
    scalars = Scalars(queries, scope, "WHERE")
    for condition in conditions(node.args.get("where")):
        try:
            joined = subqueries.conjunct(scalars, condition, plan)
            if joined is not None:
                plan = joined
                continue
            predicate = scalars.condition(condition)
            if has_outer(predicate):
                if has_subquery(predicate):
                    raise AnalysisError("a condition on the outer query cannot contain a subquery", place_of(condition))
                correlated.append(predicate)
                continue
            plan, predicate = attach(plan, predicate)
            plan = nodes.Select(plan, predicate)
        except TailraceError as problem:
            problems.extend(problem.problems if isinstance(problem, ErrorGroup) else [problem])
    return plan, correlated


def conditions(node: exp.Expr | None) -> list[exp.Expr]:
    """The conditions of a WHERE that are connected by AND."""
    if node is None:
        return []
    if isinstance(node, exp.And):
        return conditions(node.this) + conditions(node.expression)
    if isinstance(node, exp.Paren) and isinstance(node.this, (exp.And, exp.Paren)):
        return conditions(node.this)
    return [node]


# The select list ------------------------------------------------------------------------------------------


def select_items(
    queries: QueryAnalysis, node: ast.Select, scope: Scope, problems: list[TailraceError]
) -> list[SelectItem]:
    """The items of the select list, with every * replaced by its columns."""
    scalars = Scalars(queries, scope, "SELECT", aggregates=True)
    items: list[SelectItem] = []
    for position, written in enumerate(node.expressions, start=1):
        inner = written.this if isinstance(written, exp.Alias) else written
        star = isinstance(inner, exp.Star) or (isinstance(inner, exp.Column) and isinstance(inner.this, exp.Star))
        try:
            if star:
                if isinstance(written, exp.Alias):
                    raise AnalysisError("* cannot have a name", place_of(written))
                if not scope.bindings:
                    raise AnalysisError("* needs a FROM", place_of(written))
                table = inner.table if isinstance(inner, exp.Column) else None
                items += [
                    SelectItem(value, name, written) for value, name in scope.star(table or None, place_of(written))
                ]
            else:
                value = scalars.resolve(inner)
                items.append(SelectItem(value, column_name(written, value, position), written))
        except TailraceError as problem:
            problems.extend(problem.problems if isinstance(problem, ErrorGroup) else [problem])
    return items


# GROUP BY -------------------------------------------------------------------------------------------------


def group_keys(
    queries: QueryAnalysis,
    node: ast.Select,
    scope: Scope,
    items: Sequence[SelectItem],
    problems: list[TailraceError],
) -> list[Expression]:
    """The keys of GROUP BY. A number is a position in the select list; a name that FROM does not have is an alias."""
    scalars = Scalars(queries, scope, "GROUP BY")
    keys: list[Expression] = []
    for written in node.args.get("group") or []:
        key = caught(problems, lambda written=written: group_key(scalars, written, items))  # type: ignore[misc]
        if key is not None and key not in keys:
            keys.append(key)
    return keys


def add_window_keys(queries: QueryAnalysis, node: ast.Select, scope: Scope, keys: list[Expression]) -> list[Expression]:
    """The keys and, for windows such as [TUMBLE 1 MINUTE], the start and the end of each window that is no key yet."""
    added: list[Column] = []
    for binding in scope.bindings:
        width = len(binding.schema)
        for place in (width - 2, width - 1) if binding.is_per_window else ():
            column = Column(binding.start + place, binding.schema[place].type, binding.schema[place].name)
            if column not in keys:
                added.append(column)
                table = exp.to_identifier(binding.name) if len(scope.bindings) > 1 else None
                written = exp.Column(this=exp.to_identifier(column.name), table=table)
                node.set("group", [*(node.args.get("group") or []), written])
    if added:
        queries.default(node, "aggregates are per window: window_start and window_end join GROUP BY")
    return [*keys, *added]


def group_key(scalars: Scalars, written: exp.Expr, items: Sequence[SelectItem]) -> Expression:
    key = find_alias(scalars, written, items)
    if key is None:
        key = scalars.resolve(written)
    if isinstance(key, Literal) and is_integer(key.of) and isinstance(written, exp.Literal):
        if not 1 <= key.value <= len(items):
            raise AnalysisError(f"GROUP BY {key.value}: the select list has {len(items)} columns", place_of(written))
        key = items[key.value - 1].value
    if has_aggregate(key):
        raise AnalysisError("an aggregate cannot be grouped by", place_of(written))
    if has_outer(key):
        raise outside_where(written)
    if has_subquery(key):
        raise AnalysisError("a subquery cannot be grouped by", place_of(written), "compute it in a subquery in FROM")
    if key.type.name == "MAP":
        raise AnalysisError("a MAP cannot be grouped by", place_of(written))
    return key


def find_alias(scalars: Scalars, written: exp.Expr, items: Sequence[SelectItem]) -> Expression | None:
    """The value of the select item with this name, if FROM has no column of the name; otherwise None."""
    if not isinstance(written, exp.Column) or written.table:
        return None
    try:
        scalars.resolve(written)
        return None
    except AnalysisError:
        named = [item for item in items if item.name.lower() == written.name.lower()]
        return named[0].value if named else None


def grouped_select(
    queries: QueryAnalysis,
    node: ast.Select,
    plan: Plan,
    scope: Scope,
    items: Sequence[SelectItem],
    keys: list[Expression],
    having: Expression | None,
    correlated: Sequence[Expression],
) -> TypedQuery:
    """A SELECT with aggregates: an Aggregate, then HAVING, then the select list over the groups."""
    place = place_of(node.args["where"]) if node.args.get("where") else None
    pairs = [subqueries.correlated_key(condition, place) for condition in correlated]
    # A correlated aggregate is also grouped by its correlated columns; each outer tuple is joined with its group.
    groups = AggregateCollector(keys + [inner for inner, _ in pairs if inner not in keys])
    try:
        values = [SelectItem(groups.over(item.value, place_of(item.node)), item.name, item.node) for item in items]
        condition = groups.over(having, place_of(node.args["having"])) if having is not None else None
    except AnalysisError as problem:
        raise point_at_column(problem, node) from None
    order = ordering.keys(queries, node, scope, items, groups)
    base: Plan = groups.plan(plan)
    matches = [
        Call("=", (Column(list(groups.keys).index(inner), inner.type), outer), BOOLEAN) for inner, outer in pairs
    ]
    if correlated and not keys and not node.args.get("group"):
        late = DeferredAggregate(
            groups.when_empty(values[0].value), groups.when_empty(condition) if condition else None
        )
        return TypedQuery(base, tuple(item.name for item in items), tuple(matches), late)
    if condition is not None:
        base, condition = attach(base, condition)
        base = nodes.Select(base, condition)
    return finish(node, base, values, matches, order)


def point_at_column(problem: AnalysisError, node: ast.Select) -> AnalysisError:
    """A grouping problem with the place of the column that it names, instead of the whole item's."""
    name = problem.message.split(" ", 1)[0].lower()
    at = problem.place
    for column in node.find_all(exp.Column):
        place = place_of(column)
        if at and place and column.name.lower() == name and at.start <= place.start <= at.end:
            return AnalysisError(problem.message, place, problem.hint)
    return problem


# The rest -------------------------------------------------------------------------------------------------


def finish(
    node: ast.Select,
    plan: Plan,
    items: Sequence[SelectItem],
    correlated: Sequence[Expression],
    order: Sequence[ordering.SortKey],
) -> TypedQuery:
    """Projection, DISTINCT, ORDER BY … LIMIT; columns that correlated conditions read go behind the items."""
    extra = sorted(columns_of(*correlated))
    trailing = refer_to(plan.schema, extra)
    values: list[Expression] = []
    for item in items:
        plan, value = attach(plan, item.value)
        values.append(value)
    names = tuple(item.name for item in items)
    plan = ordering.project(node, plan, values, names, trailing, order)
    moved = tuple(move(c, lambda index: len(names) + extra.index(index)) for c in correlated)
    return TypedQuery(plan, names, moved)
