"""Finished windows: relations that hold each tuple at one instant only, that at which its window is finished.

A query that groups or joins by window_start or window_end asks for finished windows: its groups are complete at the
window's end, and are gone after it, so that no state is left.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from sqlglot import exp

from tailrace.language import nodes as ast
from tailrace.logical import nodes
from tailrace.logical.asof_nodes import AsofJoin
from tailrace.logical.expressions import Column
from tailrace.logical.over import Over, TopOfPartition
from tailrace.logical.plan import Kind, Plan
from tailrace.logical.time.window_tables import AssignWindows, SessionWindow
from tailrace.logical.windows import TimeWindow

ColumnName = tuple[str, str]  # the FROM item's name, or "", and the column's, in lower case


def is_momentary(plan: Plan) -> bool:
    """Whether each tuple is there at one instant only, at which a window is finished. As a stream it is its RSTREAM."""
    match plan:
        case AssignWindows():
            return plan.finished
        case nodes.Select(child) | nodes.Project(child) | nodes.Distinct(child) | nodes.TopK(child):
            return is_momentary(child)
        case Over(child) | TopOfPartition(child) | AsofJoin(child):
            return is_momentary(child)
        case nodes.Aggregate(child, keys):
            return bool(keys) and is_momentary(child)
        case nodes.Join(left, right, how):
            sides = is_momentary(left), is_momentary(right)
            return {"inner": any(sides), "left": sides[0], "right": sides[1], "full": all(sides)}[how]
        case nodes.SemiJoin(left) | nodes.MarkJoin(left) | nodes.SingleJoin(left) | nodes.Except(left):
            return is_momentary(left)
        case nodes.Union(inputs):
            return all(map(is_momentary, inputs))
        case nodes.Intersect(left, right):
            return is_momentary(left) or is_momentary(right)
    return False


def window_columns(plan: Plan) -> frozenset[int]:
    """The columns that are copies of a window_start or window_end."""
    match plan:
        case AssignWindows(child):
            return frozenset((len(child.schema), len(child.schema) + 1))
        case nodes.Project(child, expressions) | nodes.Aggregate(child, expressions):
            below = window_columns(child)
            copies = (isinstance(value, Column) and value.index in below for value in expressions)
            return frozenset(index for index, copied in enumerate(copies) if copied)
        case nodes.Join(left, right):
            return window_columns(left) | {len(left.schema) + index for index in window_columns(right)}
        case nodes.Union(inputs):
            return frozenset.intersection(*map(window_columns, inputs))
        case nodes.Select() | nodes.Distinct() | nodes.TopK() | nodes.HashSample() | nodes.ToStream():
            return window_columns(plan.child)
        case Over() | TopOfPartition():
            return window_columns(plan.child)
        case nodes.ApplyWindow(child, TimeWindow() as window) if window.is_unbounded:
            return window_columns(child)
        case nodes.SemiJoin(left) | nodes.MarkJoin(left) | nodes.SingleJoin(left):
            return window_columns(left)
    return frozenset()


def finish(plan: Plan) -> Plan | None:
    """The relation of a plan's finished windows; None if it has others, or if the author wants unfinished ones."""
    if plan.kind is Kind.RELATION and is_momentary(plan):
        return plan
    match plan:
        case AssignWindows():
            return None if plan.lasts else replace(plan, finished=True)
        case nodes.ToStream(child, "rstream"):
            return child if is_momentary(child) else None
        case nodes.ToStream(child, "istream"):
            return finish(child)
        case nodes.ApplyWindow(child, TimeWindow() as window) if window.is_unbounded:
            return finish(child)
        case nodes.Select(child) | nodes.Project(child):
            below = finish(child)
            return plan.with_children(below) if below is not None else None
    return None


def make_lasting(plan: Plan) -> Plan:
    """The plan of a stream with its windows marked as wanted before they are finished."""
    match plan:
        case AssignWindows(window=SessionWindow()):
            return plan
        case AssignWindows():
            return replace(plan, lasts=True)
        case nodes.Select(child) | nodes.Project(child) | nodes.ToStream(child) | nodes.ApplyWindow(child):
            return plan.with_children(make_lasting(child))
    return plan


# What a query asks for ------------------------------------------------------------------------------------


def grouping_columns(node: ast.Select) -> frozenset[ColumnName]:
    """The columns by which a SELECT groups, partitions, or joins with an equal column of the same name."""
    return frozenset((column.table.lower(), column.name.lower()) for column in _grouping_columns(node))


def _grouping_columns(node: ast.Select) -> Iterator[exp.Column]:
    for written in node.args.get("group") or []:
        items = node.expressions if isinstance(written, exp.Var) else [item_grouped_by(node, written)]  # GROUP BY ALL
        yield from (found for found in map(expression_of, items) if isinstance(found, exp.Column))
    for window in node.find_all(ast.WindowDefinition):
        yield from (part for part in window.args.get("partition") or [] if isinstance(part, exp.Column))
    for join in joins(node.args.get("from_")):
        yield from (exp.Column(this=name.copy()) for name in join.args.get("using") or [])
        yield from equal_names(join.args.get("on"))
    yield from equal_names(node.args.get("where"))


def item_grouped_by(node: ast.Select, written: exp.Expr) -> exp.Expr:
    """The expression that an item of GROUP BY stands for: a number or an alias stands for one of the select list."""
    items = node.expressions
    if isinstance(written, exp.Literal) and str(written.this).isdigit() and 1 <= int(written.this) <= len(items):
        found: exp.Expr = items[int(written.this) - 1]
        return expression_of(found)
    if isinstance(written, exp.Column) and not written.table:
        named = (item for item in items if isinstance(item, exp.Alias) and item.alias.lower() == written.name.lower())
        return expression_of(next(named, written))
    return written


def expression_of(item: exp.Expr) -> exp.Expr:
    """An item of a select list without its alias."""
    inner: exp.Expr = item.this if isinstance(item, exp.Alias) else item
    return inner


def joins(node: exp.Expr | None) -> Iterator[ast.Join]:
    if isinstance(node, ast.Join):
        yield node
        yield from joins(node.args["left"])
        yield from joins(node.args["right"])


def equal_names(condition: exp.Expr | None) -> Iterator[exp.Column]:
    """The columns that a condition says are equal to a column of the same name."""
    for part in parts_of(condition):
        sides = (part.this, part.expression) if isinstance(part, exp.EQ) else ()
        if sides and all(isinstance(side, exp.Column) for side in sides):
            one, other = sides
            if one.name.lower() == other.name.lower() and one.table and other.table:
                yield from sides


def parts_of(condition: exp.Expr | None) -> Iterable[exp.Expr]:
    if isinstance(condition, exp.And):
        return [*parts_of(condition.this), *parts_of(condition.expression)]
    if isinstance(condition, exp.Paren):
        return parts_of(condition.this)
    return [condition] if condition is not None else []
