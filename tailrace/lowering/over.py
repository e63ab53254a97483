"""Over: lowers window functions: over sorted partitions, and whole partitions to an aggregate that is joined."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tailrace.analysis.queries import is_monotonic
from tailrace.columnar.arrow_types import arrow_type
from tailrace.logical import nodes
from tailrace.logical.expressions import Call, Column, Expression, Literal, all_of, refer_to, shift
from tailrace.logical.over import NEIGHBOURS, Over, TopOfPartition, WindowFunction, is_running
from tailrace.logical.plan import Plan
from tailrace.operators.aggregates.aggregation import Aggregation
from tailrace.operators.over import over as operators
from tailrace.operators.over.running import RunningOver
from tailrace.operators.over.top_of_partition import TopOfPartition as TopStep
from tailrace.operators.over.window_functions import WindowCall
from tailrace.types import BOOLEAN

if TYPE_CHECKING:
    from tailrace.lowering.lower import Lowering


def lower_top(lowering: Lowering, node: TopOfPartition) -> int:
    """The step of the first tuples of each partition."""
    number, (partition, order, _) = with_keys(lowering, node, [])
    types = lowering.plan.types(number)
    top = lowering.plan.add(TopStep(types, partition, order, node.limit, node.ties, is_monotonic(node.child)), number)
    return lowering.keep(top, range(len(node.child.schema)))


def lower_over(lowering: Lowering, node: Over) -> int:
    """The step of window functions; aggregates of whole partitions, if these are all there is, are joined."""
    whole = [each for each in node.functions if each.is_aggregate and each.frame.is_whole]
    joined = whole if len(whole) == len(node.functions) else [each for each in whole if each.needs_partition]
    if not joined:
        return sort_partitions(lowering, node)
    plan: Plan = node.child
    others = tuple(each for each in node.functions if each not in joined)
    if others:
        names = tuple(name for each, name in zip(node.functions, node.names, strict=True) if each in others)
        plan = Over(plan, node.partition, node.order, others, names)
    number = lowering.step(join_aggregate(plan, node, joined))
    width, keys = len(node.child.schema), len(node.partition)
    columns = list(range(width))
    for each in node.functions:
        place = others.index(each) if each in others else len(others) + keys + joined.index(each)
        columns.append(width + place)
    return lowering.keep(number, columns)


def join_aggregate(plan: Plan, node: Over, functions: list[WindowFunction]) -> Plan:
    """The tuples of a plan beside the aggregates of their partitions."""
    names = tuple(f"_{place}" for place in range(len(node.partition) + len(functions)))
    calls = tuple(each.call for each in functions)
    sums = nodes.Aggregate(node.child, node.partition, calls, names)
    width = len(plan.schema)
    columns = refer_to(sums.schema)
    equal: list[Expression] = [
        Call("<=>", (key, shift(column, width)), BOOLEAN) for key, column in zip(node.partition, columns, strict=False)
    ]
    return nodes.Join(plan, sums, "inner", all_of(equal))


def sort_partitions(lowering: Lowering, node: Over) -> int:
    number, places = with_keys(lowering, node, [e for each in node.functions for e in read_columns(each)])
    partition, order, read = places
    types = lowering.plan.types(number)
    functions = []
    for each in node.functions:
        arguments = tuple(read.pop(0) for _ in read_columns(each))
        filter = arguments[-1] if each.call.condition else None
        arguments = arguments[:-1] if each.call.condition else arguments
        call = Aggregation(each.call.function, arguments, arrow_type(each.call.of), filter=filter)
        functions.append(WindowCall(call, each.frame, each.ignores_nulls, constant_of(each)))
    result = (*types, *(each.call.type for each in functions))
    running = is_running(node) and all(each.is_append_only for each in node.functions)
    work = RunningOver if running else operators.Over
    over = lowering.plan.add(work(result, partition, order, tuple(functions)), number)
    own = range(len(node.child.schema))
    return lowering.keep(over, [*own, *range(len(types), len(result))])


def read_columns(function: WindowFunction) -> list[Expression]:
    """What a function reads of each tuple: its arguments without its constant, and the condition of its FILTER."""
    name, arguments = function.call.function, function.call.arguments
    if name in NEIGHBOURS:
        arguments = (arguments[0], *arguments[2:])
    elif name in ("ntile", "nth_value"):
        arguments = arguments[:-1]
    return [*arguments, *([function.call.condition] if function.call.condition else [])]


def constant_of(function: WindowFunction) -> int:
    constants = {"lag": 1, "lead": 1, "nth_value": 1, "ntile": 0}
    if function.call.function not in constants:
        return 0
    value = function.call.arguments[constants[function.call.function]]
    assert isinstance(value, Literal)
    return int(value.value)


def with_keys(
    lowering: Lowering, node: Over | TopOfPartition, more: list[Expression]
) -> tuple[int, tuple[tuple[int, ...], operators.Order, list[int]]]:
    """A step with the keys of a window and `more` among its columns; and the columns of partition, order and more."""
    wanted = [*node.partition, *(key.expression for key in node.order), *more]
    columns: list[Expression] = list(refer_to(node.child.schema))
    for expression in wanted:
        if not isinstance(expression, Column) and expression not in columns:
            columns.append(expression)
    number = lowering.project(lowering.step(node.child), columns)
    places = [each.index if isinstance(each, Column) else columns.index(each) for each in wanted]
    keys = len(node.partition)
    sorted_by = zip(places[keys:], node.order, strict=False)
    order = tuple((place, key.descending, key.nulls_first) for place, key in sorted_by)
    return number, (tuple(places[:keys]), order, places[keys + len(order) :])
