"""Over: types window functions and puts the nodes that compute them into the plan of a SELECT.

While a select list is resolved, a window function is a `PendingWindow` inside its expression, as an aggregate is a
`PendingAggregate`. It may read what the select list may read: columns, and keys and aggregates of a grouped query.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from sqlglot import exp

from tailrace.analysis.correlation.outer_columns import has_outer
from tailrace.analysis.frame_clauses import refuse_frame, resolve_frame
from tailrace.analysis.scalars import calls
from tailrace.analysis.scalars.coercion import cast
from tailrace.analysis.scalars.placeholders import PendingAggregate, has_subquery
from tailrace.catalog import builtin_functions as functions
from tailrace.errors import AnalysisError, TextSpan
from tailrace.language import nodes as ast
from tailrace.language.nodes import place_of
from tailrace.logical.expressions import (
    Aggregation,
    Column,
    Expression,
    Literal,
    columns_of,
    move,
    refer_to,
    transform,
    walk,
)
from tailrace.logical.nodes import Aggregate, OrderKey, Project
from tailrace.logical.over import NEIGHBOURS, PICKS, RANKS, Over, WindowFunction
from tailrace.logical.plan import Kind, Plan
from tailrace.logical.text.expression_text import window_call_text
from tailrace.types import INT, Type, common_type, is_integer

if TYPE_CHECKING:
    from tailrace.analysis.scalars.resolve import Scalars

OTHER_NAMES = {"first": "first_value", "last": "last_value", "any_value": "first_value"}


@dataclass(frozen=True)
class PendingWindow(Expression):
    """A window function inside an expression, before its query's plan has a column for it."""

    function: WindowFunction
    partition: tuple[Expression, ...]
    order: tuple[OrderKey, ...]

    @property
    def type(self) -> Type:
        return self.function.call.of

    @property
    def children(self) -> tuple[Expression, ...]:
        return (*self.partition, *(key.expression for key in self.order), *self.function.call.expressions)

    def with_children(self, children: tuple[Expression, ...]) -> Expression:
        changed = iter(children)
        partition = tuple(next(changed) for _ in self.partition)
        order = tuple(replace(key, expression=next(changed)) for key in self.order)
        return PendingWindow(self.function.map(lambda _: next(changed)), partition, order)


def has_window(expression: Expression) -> bool:
    return any(isinstance(part, PendingWindow) for part in walk(expression))


# Resolving ------------------------------------------------------------------------------------------------


def resolve_over(scalars: Scalars, node: ast.Over) -> Expression:
    """The pending window function of `call OVER window`."""
    if not scalars.windows:
        raise error_of_place(scalars, node)
    partition, order, frame = definition_of(node.args["window"])
    inside = replace(scalars, windows=False, clause="OVER")
    keys = tuple(OrderKey(*resolve_key(inside, key)) for key in order)
    groups = tuple(sort_or_group(inside, each, "grouped by") for each in partition)
    function = resolve_function(inside, node)
    if frame is not None and not function.has_frame:
        raise refuse_frame(function.call.function, frame)
    if not keys and function.call.function in (*RANKS, *NEIGHBOURS):
        name = function.call.function.upper()
        raise AnalysisError(
            f"{name} needs an order", place_of(node), f"write {name}(…) OVER (PARTITION BY … ORDER BY …)"
        )
    if function.has_frame:
        function = replace(function, frame=resolve_frame(inside, frame, keys))
    if function.needs_partition and not function.frame.is_whole:
        what = "an aggregate with DISTINCT" if function.call.distinct else function.call.function.upper()
        raise AnalysisError(
            f"{what} cannot have a frame within its partition",
            place_of(node),
            "without ORDER BY and frame it is computed over the whole partition",
        )
    return PendingWindow(function, groups, keys)


def error_of_place(scalars: Scalars, node: ast.Over) -> AnalysisError:
    """The error of a window function in a clause that is evaluated before window functions."""
    if node.find_ancestor(ast.Over) or scalars.nested_aggregates:
        hint = "compute the inner one in a subquery in FROM"
        return AnalysisError("a window function cannot be used inside another one", place_of(node), hint)
    hint = "filter by it in QUALIFY" if scalars.clause in ("WHERE", "HAVING") else "compute it in a subquery in FROM"
    return AnalysisError(f"a window function cannot be used in {scalars.clause}", place_of(node), hint)


def definition_of(window: exp.Expr) -> tuple[list[exp.Expr], list[exp.Expr], ast.FrameClause | None]:
    """PARTITION BY, ORDER BY and the frame of a window, with those of the named window that it builds on."""
    seen: set[str] = set()
    partition: list[exp.Expr] = []
    order: list[exp.Expr] = []
    frame = None
    while True:
        base = window if isinstance(window, exp.Identifier) else window.args.get("base")
        if isinstance(window, ast.WindowDefinition):
            before = window.args.get("partition"), window.args.get("order")
            if (before[0] and partition) or (before[1] and order):
                raise AnalysisError("a window has its PARTITION BY or ORDER BY twice", place_of(window))
            partition, order = before[0] or partition, before[1] or order
            frame = frame or window.args.get("frame")
        if base is None:
            return partition, order, frame
        if base.name.lower() in seen:
            raise AnalysisError(f"the window {base.name} is defined by itself", place_of(base))
        seen.add(base.name.lower())
        window = named_window(base)


def named_window(name: exp.Identifier) -> ast.WindowDefinition:
    """The definition of a window's name in the WINDOW clause of the SELECT around it."""
    select = name.find_ancestor(ast.Select)
    known = (select.args.get("windows") if select else None) or []
    found = [each.args["window"] for each in known if each.this.name.lower() == name.name.lower()]
    if len(found) > 1:
        raise AnalysisError(f"two windows are called {name.name}", place_of(name))
    if not found:
        names = ", ".join(each.this.name for each in known)
        hint = f"the windows are {names}" if names else f"define it: WINDOW {name.name} AS (PARTITION BY …)"
        raise AnalysisError(f"no window is called {name.name}", place_of(name), hint)
    definition: ast.WindowDefinition = found[0]
    return definition


def resolve_key(scalars: Scalars, key: exp.Expr) -> tuple[Expression, bool, bool]:
    value = sort_or_group(scalars, key.this, "sorted by")
    if value.type.name == "STRUCT":
        raise AnalysisError("a STRUCT has no order", place_of(key))
    return value, bool(key.args.get("desc")), bool(key.args.get("nulls_first"))


def sort_or_group(scalars: Scalars, node: exp.Expr, how: str) -> Expression:
    value = scalars.resolve(node)
    refuse_foreign(value, place_of(node))
    if value.type.name == "MAP":
        raise AnalysisError(f"a MAP cannot be {how}", place_of(node))
    return value


def refuse_foreign(value: Expression, place: TextSpan | None) -> None:
    """Refuse subqueries and columns of the outer query inside a window function."""
    if has_outer(value) or has_subquery(value):
        raise AnalysisError(
            "a window function cannot read subqueries or columns of the outer query",
            place,
            "compute the value in a subquery in FROM",
        )


def resolve_function(scalars: Scalars, node: ast.Over) -> WindowFunction:
    """The function of OVER, typed, with the default frame."""
    call, ignores = node.this, bool(node.args.get("ignore_nulls"))
    name = str(call.this).lower() if isinstance(call, exp.Anonymous) else ""
    name = OTHER_NAMES.get(name, name)
    if name in (*RANKS, *NEIGHBOURS, *PICKS):
        return window_function(scalars, name, call, ignores)
    found = replace(scalars, aggregates=True, nested_aggregates=scalars.aggregates).resolve(call)
    if not isinstance(found, PendingAggregate):
        raise AnalysisError("OVER goes with a window function or an aggregate", place_of(call))
    if ignores:
        hint = f"aggregates leave NULLs out; IGNORE NULLS goes with {', '.join((*NEIGHBOURS, *PICKS)).upper()}"
        raise AnalysisError("IGNORE NULLS does not go with an aggregate", place_of(node), hint)
    for value in found.aggregation.expressions:
        refuse_foreign(value, place_of(call))
    return WindowFunction(found.aggregation)


def window_function(scalars: Scalars, name: str, node: exp.Anonymous, ignores: bool) -> WindowFunction:
    """A function that is no aggregate, its counts and defaults checked."""
    function = functions.find(name)
    assert function is not None
    for argument in node.expressions:
        if isinstance(argument, exp.Distinct):
            raise AnalysisError(f"{name.upper()} is no aggregate: DISTINCT is not allowed in it", place_of(argument))
    arguments = [scalars.resolve(argument) for argument in node.expressions]
    for value, written in zip(arguments, node.expressions, strict=True):
        refuse_foreign(value, place_of(written))
    of = calls.result_type(function, arguments, node)
    if name in ("rank", "dense_rank", "percent_rank") and arguments:
        raise AnalysisError(f"{name.upper()} takes no argument: it goes by ORDER BY", place_of(node))
    flag = {"first_value": 1, "last_value": 1, "nth_value": 2, "lag": 3, "lead": 3}.get(name)
    if flag is not None and len(arguments) > flag:
        given = arguments.pop()
        if not isinstance(given, Literal) or given.value not in (True, False):
            raise AnalysisError("whether NULLs are ignored is TRUE or FALSE", place_of(node))
        ignores = ignores or bool(given.value)
    if ignores and name in RANKS:
        raise AnalysisError(f"IGNORE NULLS does not go with {name.upper()}", place_of(node))
    if name in NEIGHBOURS:
        of, arguments = neighbour(arguments, of, node)
    elif name == "ntile":
        arguments = [whole_number(arguments[0] if arguments else Literal(1, INT), name, node)]
    elif name == "nth_value":
        arguments = [arguments[0], whole_number(arguments[1], name, node)]
    return WindowFunction(Aggregation(name, tuple(arguments), of), ignores_nulls=ignores)


def neighbour(arguments: list[Expression], of: Type, node: exp.Anonymous) -> tuple[Type, list[Expression]]:
    """LAG and LEAD: the type, and the value, the distance and the default, which have a common type."""
    value, distance = arguments[0], arguments[1] if len(arguments) > 1 else Literal(1, INT)
    if not isinstance(distance, Literal) or distance.is_null or not is_integer(distance.type):
        raise AnalysisError("LAG and LEAD take a whole number as their distance", place_of(node.expressions[1]))
    if len(arguments) < 3:
        return of, [value, distance]
    default = arguments[2]
    common = common_type(value.type, default.type)
    if common is None:
        raise AnalysisError(
            f"the default is {default.type} and the value {value.type}", place_of(node.expressions[2]), "CAST one"
        )
    return common, [cast(value, common), distance, cast(default, common)]


def whole_number(value: Expression, name: str, node: exp.Anonymous) -> Expression:
    if not isinstance(value, Literal) or value.is_null or not is_integer(value.type) or value.value < 1:
        raise AnalysisError(f"{name.upper()} takes a whole number from 1 on", place_of(node))
    return value


# Planning -------------------------------------------------------------------------------------------------


def add_windows(node: ast.Select, plan: Plan, values: Sequence[Expression]) -> tuple[Plan, list[Expression]]:
    """The plan with a column for each window function in some expressions, and these expressions over its columns.

    The plan keeps only the columns that they read: tuples that an order does not tell apart go by these columns.
    """
    if not any(map(has_window, values)):
        return plan, list(values)
    place = place_of(node.find(ast.Over) or node)
    if plan.kind is Kind.STEPS:
        raise AnalysisError(
            "a window function cannot be used in a sequence query",
            place,
            "put the sequence query into a subquery: SELECT … OVER (…) FROM (…) [RANGE …]",
        )
    read = sorted(columns_of(*values)) or list(range(len(plan.schema)))[:1]
    if any(plan.schema[index].type.name == "MAP" for index in read):
        raise AnalysisError("a query with OVER cannot read a MAP", place, "take out what is wanted of it in FROM")
    if not isinstance(plan, Aggregate) and len(read) < len(plan.schema):
        columns = refer_to(plan.schema, read)
        plan = Project(plan, columns, tuple(column.name for column in columns))
        values = [move(value, read.index) for value in values]
    pending = dict.fromkeys(part for value in values for part in walk(value) if isinstance(part, PendingWindow))
    plan, found = over_nodes(plan, pending)

    def change(part: Expression) -> Expression:
        return found[part] if isinstance(part, PendingWindow) else part

    return plan, [transform(value, change) for value in values]


def over_nodes(plan: Plan, pending: Iterable[PendingWindow]) -> tuple[Plan, dict[PendingWindow, Column]]:
    """An Over node for each partition and order, and the column of each window function."""
    together: dict[tuple[object, ...], list[PendingWindow]] = {}
    for each in pending:
        together.setdefault((each.partition, each.order), []).append(each)
    columns: dict[PendingWindow, Column] = {}
    for group in together.values():
        names = tuple(f"{window_call_text(each.function)} OVER" for each in group)
        for place, (each, name) in enumerate(zip(group, names, strict=True), len(plan.schema)):
            columns[each] = Column(place, each.type, name)
        functions_ = tuple(each.function for each in group)
        plan = Over(plan, group[0].partition, group[0].order, functions_, names)
    return plan, columns
