"""Select: turns SELECT … FROM … into a plan, clause by clause."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from sqlglot import exp

from tailrace.analysis import ordering, subqueries
from tailrace.analysis.grouping import AggregateCollector
from tailrace.analysis.over import add_windows, has_window
from tailrace.analysis.scalars.placeholders import attach, attach_inside_aggregates, has_aggregate, has_subquery
from tailrace.analysis.scalars.resolve import Scalars
from tailrace.analysis.scalars.scope import Scope, SelectItem, column_name
from tailrace.analysis.subqueries import TypedQuery
from tailrace.errors import AnalysisError, ErrorGroup, TailraceError, did_you_mean
from tailrace.language import nodes as ast
from tailrace.language.nodes import place_of
from tailrace.logical import nodes
from tailrace.logical.expressions import Column, Expression, Literal
from tailrace.logical.plan import Plan
from tailrace.types import is_integer

if TYPE_CHECKING:
    from tailrace.analysis.queries import QueryAnalysis


def analyse_select(queries: QueryAnalysis, node: ast.Select, plan: Plan, scope: Scope) -> TypedQuery:
    """The relation (or steps) of a SELECT, given the plan of its FROM; the caller adds its to-stream operator."""
    problems: list[TailraceError] = []
    plan = where(queries, node, plan, scope, problems)
    items = select_items(queries, node, scope, problems)
    keys = group_keys(queries, node, scope, items, problems)
    having = None
    if node.args.get("having"):
        scalars = Scalars(queries, scope, "HAVING", aggregates=True)
        having = caught(problems, lambda: scalars.condition(node.args["having"]))
    qualify = qualify_condition(queries, node, scope, items, problems)
    if problems:
        raise ErrorGroup([*problems, *ordering.unknown_columns(queries, node, scope, items)])
    values = [item.value for item in items] + ([qualify] if qualify is not None else [])
    grouped = bool(keys) or having is not None or any(map(has_aggregate, values))
    if grouped:
        keys = add_window_keys(queries, node, scope, keys)
        found = grouped_select(queries, node, plan, scope, items, keys, having, qualify)
    else:
        found = plain_select(queries, node, plan, scope, items, qualify)
    return replace(found, values=tuple(item.value for item in items))


def plain_select(
    queries: QueryAnalysis,
    node: ast.Select,
    plan: Plan,
    scope: Scope,
    items: Sequence[SelectItem],
    qualify: Expression | None,
) -> TypedQuery:
    """A SELECT without aggregates."""
    order = ordering.keys(queries, node, scope, items)
    return finish(node, plan, items, qualify, order)


def caught(problems: list[TailraceError], work: Callable[[], Expression]) -> Expression | None:
    """The result of `work`; if it raises an error, add that to `problems` and return None."""
    try:
        return work()
    except TailraceError as problem:
        problems.extend(problem.problems if isinstance(problem, ErrorGroup) else [problem])
        return None


# WHERE ----------------------------------------------------------------------------------------------------


def where(queries: QueryAnalysis, node: ast.Select, plan: Plan, scope: Scope, problems: list[TailraceError]) -> Plan:
    """The plan with WHERE applied."""
    scalars = Scalars(queries, scope, "WHERE")
    for condition in conditions(node.args.get("where")):
        try:
            plan = apply_condition(scalars, condition, plan)
        except TailraceError as problem:
            problems.extend(problem.problems if isinstance(problem, ErrorGroup) else [problem])
    return plan


def apply_condition(scalars: Scalars, condition: exp.Expr, plan: Plan) -> Plan:
    """The plan with one condition applied; the columns of subqueries that it needed stand behind the plan's own."""
    joined = subqueries.conjunct(scalars, condition, plan)
    if joined is not None:
        return joined
    plan, predicate = attach(plan, scalars.condition(condition))
    return nodes.Select(plan, predicate)


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
    scalars = Scalars(queries, scope, "SELECT", aggregates=True, windows=True)
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
                items += star_items(scalars, inner, written)
            else:
                value = scalars.resolve(inner)
                items.append(SelectItem(value, column_name(written, value, position), written))
        except TailraceError as problem:
            problems.extend(problem.problems if isinstance(problem, ErrorGroup) else [problem])
    return items


def star_items(scalars: Scalars, star: exp.Expr, written: exp.Expr) -> list[SelectItem]:
    """The columns of `*` or `table.*`, without those of EXCEPT, and with the values of REPLACE."""
    table, list_ = (star.table, star.this) if isinstance(star, exp.Column) else (None, star)
    columns = scalars.scope.star(table or None, place_of(written))
    names = {name.lower() for _, name in columns}
    without = list_.args.get("except_") or []
    replaced = {each.alias.lower(): each.this for each in list_.args.get("replace") or []}
    for name in (*without, *(each.args["alias"] for each in list_.args.get("replace") or [])):
        if name.name.lower() not in names:
            hint = did_you_mean(name.name, [name for _, name in columns])
            raise AnalysisError(f"* has no column {name.name}", place_of(name), hint)
    dropped = {name.name.lower() for name in without}
    kept = [(value, name) for value, name in columns if name.lower() not in dropped]
    if not kept:
        raise AnalysisError("EXCEPT leaves no column of *", place_of(written))
    return [
        SelectItem(scalars.resolve(replaced[name.lower()]) if name.lower() in replaced else value, name, written)
        for value, name in kept
    ]


def qualify_condition(
    queries: QueryAnalysis,
    node: ast.Select,
    scope: Scope,
    items: Sequence[SelectItem],
    problems: list[TailraceError],
) -> Expression | None:
    """The condition of QUALIFY; it may name select items."""
    written = node.args.get("qualify")
    if written is None:
        return None
    scalars = Scalars(queries, scope, "QUALIFY", aggregates=True, windows=True, items=tuple(items))
    found = caught(problems, lambda: scalars.condition(written))
    if found is not None and not any(map(has_window, [found, *(item.value for item in items)])):
        hint = "without one, WHERE and HAVING filter"
        problems.append(AnalysisError("QUALIFY needs a window function in it or in SELECT", place_of(written), hint))
    return found


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
    for written in written_keys(node, items):
        key = caught(problems, lambda written=written: group_key(scalars, written, items))  # type: ignore[misc]
        if key is not None and key not in keys:
            keys.append(key)
    return keys


def written_keys(node: ast.Select, items: Sequence[SelectItem]) -> list[exp.Expr]:
    """The keys as they are written; GROUP BY ALL stands for the positions of all items without an aggregate."""
    written: list[exp.Expr] = node.args.get("group") or []
    if not (written and isinstance(written[0], exp.Var)):
        return written
    positions = [index for index, item in enumerate(items, start=1) if not has_aggregate(item.value)]
    keys: list[exp.Expr] = [exp.Literal.number(position) for position in positions]
    for key in keys:
        key.meta.update(written[0].meta)
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
    if has_window(key):
        raise AnalysisError(
            "a window function cannot be grouped by", place_of(written), "compute it in a subquery in FROM"
        )
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
    qualify: Expression | None,
) -> TypedQuery:
    """A SELECT with aggregates: an Aggregate, then HAVING, then the select list over the groups."""
    plan, having = attach_inside_aggregates(plan, having) if having is not None else (plan, None)
    plan, qualify = attach_inside_aggregates(plan, qualify) if qualify is not None else (plan, None)
    values = []
    for item in items:
        plan, value = attach_inside_aggregates(plan, item.value)
        values.append(replace(item, value=value))
    groups = AggregateCollector(keys)
    try:
        values = [replace(item, value=groups.over(item.value, place_of(item.node))) for item in values]
        condition = groups.over(having, place_of(node.args["having"])) if having is not None else None
        qualify = groups.over(qualify, place_of(node.args["qualify"])) if qualify is not None else None
    except AnalysisError as problem:
        raise point_at_column(problem, node) from None
    order = ordering.keys(queries, node, scope, items, groups)
    base: Plan = groups.plan(plan)
    if condition is not None:
        base, condition = attach(base, condition)
        base = nodes.Select(base, condition)
    return finish(node, base, values, qualify, order)


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
    qualify: Expression | None,
    order: Sequence[ordering.SortKey],
) -> TypedQuery:
    """Window functions and QUALIFY, projection, DISTINCT, ORDER BY … LIMIT."""
    given = [item.value for item in items]
    hidden = [key.value for key in order if isinstance(key.value, Expression)]
    conditions_ = [qualify] if qualify is not None else []
    plan, found = add_windows(node, plan, [*given, *hidden, *conditions_])
    changed = iter(found[len(given) :])
    order = [replace(key, value=next(changed)) if isinstance(key.value, Expression) else key for key in order]
    for condition in changed:
        plan, condition = attach(plan, condition)
        plan = nodes.Select(plan, condition)
    values: list[Expression] = []
    for value in found[: len(given)]:
        plan, value = attach(plan, value)
        values.append(value)
    names = tuple(item.name for item in items)
    return TypedQuery(ordering.project(node, plan, values, names, order), names)
