"""Sequences: rewrites sequence queries so that the operators of relations can run them.

Tuples get hidden columns behind their own: the position in the sequence, by which a step's result is ordered, and the
columns of PARTITIONED BY, which tell substreams apart. A window then is an interval of positions, and the operators
compute all steps of all substreams at once, with the substream as one more key. Order costs: it is left out if nothing
above counts the result's elements or takes the last of them. If they are counted by substream only, each substream has
its own order and its own shard.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import singledispatch
from typing import TYPE_CHECKING

from tailrace.columnar.arrow_types import arrow_type
from tailrace.errors import RunError
from tailrace.logical import nodes
from tailrace.logical.expressions import FALSE, TRUE, Aggregation, Column, Expression, Literal, move, refer_to
from tailrace.logical.nodes import OrderKey
from tailrace.logical.plan import Kind, Plan, walk
from tailrace.logical.sequence_nodes import (
    AtPositions,
    EvaluationPoints,
    PlacedJump,
    PlacedSample,
    Prefiltered,
    RelationAtSteps,
    ResultsAtSteps,
    WithPositions,
)
from tailrace.logical.windows import ONE_TUPLE, Every
from tailrace.operators.operator import Operator
from tailrace.operators.sequence.evaluation_points import EmitAtSteps
from tailrace.operators.sequence.evaluation_points import EvaluationPoints as EvaluationsWork
from tailrace.operators.sequence.frequency import FrequencySample, Prefilter
from tailrace.operators.sequence.jump_window import JumpWindow
from tailrace.operators.sequence.positions import AssignPositions
from tailrace.operators.sequence.positions import AtPositions as AtPlacesWork
from tailrace.operators.sequence.positions import RelationAtSteps as AsStepsWork
from tailrace.operators.streams.reorder import Reorder
from tailrace.types import BOOLEAN

if TYPE_CHECKING:
    from tailrace.lowering.lower import Lowering


@dataclass(frozen=True)
class SequenceLayout:
    """A plan of steps whose first `width` columns are those of the tuples; the others are hidden."""

    plan: Plan
    width: int
    order: tuple[OrderKey, ...]  # sorts the tuples of one step; empty if no order was requested
    key: tuple[int, ...]  # the columns of the substream
    jump: Plan  # the window below

    @property
    def columns(self) -> tuple[Column, ...]:
        return refer_to(self.plan.schema)

    def with_columns(self, tuples: Sequence[Expression], names: Sequence[str]) -> SequenceLayout:
        """The layout with these expressions as tuples; hidden columns are kept."""
        hidden = [key.expression for key in self.order] + [self.columns[column] for column in self.key]
        width, first = len(tuples), len(self.order)
        order = tuple(
            replace(key, expression=Column(width + place, key.expression.type)) for place, key in enumerate(self.order)
        )
        made = nodes.Project(self.plan, (*tuples, *hidden), (*names, *(f"_{place}" for place in range(len(hidden)))))
        key = tuple(width + first + place for place in range(len(self.key)))
        return SequenceLayout(made, width, order, key, self.jump)


# Streams ------------------------------------------------------------------------------------------------------


def is_sequence(plan: Plan) -> bool:
    """Whether a stream's elements have an order that comes from a sequence query."""
    while isinstance(plan, nodes.Select | nodes.Project | nodes.HashSample):
        plan = plan.child
    return isinstance(plan, nodes.Append | nodes.FrequencySample)


def drop_order(plan: nodes.Append | nodes.FrequencySample) -> Plan:
    """The result of a sequence query without positions, for readers that ignore its order."""
    made = append_results(plan, None)[0] if isinstance(plan, nodes.Append) else assign_positions(plan, plan.partition)
    width = len(plan.schema)
    return nodes.Project(made, refer_to(made.schema)[:width], made.schema.names[:width])


def add_prefilter(plan: Plan, range: Every | None, frequency: Every, key: tuple[int, ...]) -> Plan:
    """A stream without elements that no evaluation can see, if instants show that; `range` is that of the window."""
    if is_sequence(plan) or frequency.in_tuples or frequency.count == 1:
        return plan
    if range is not None and (range.in_tuples or range.count >= frequency.count):
        return plan
    return Prefiltered(plan, range, frequency, key)


def assign_positions(plan: Plan, key: tuple[int, ...]) -> Plan:
    """A stream with the positions of its elements as last column; positions count apart for each value of the key."""
    if not is_sequence(plan):
        return WithPositions(plan, key)
    match plan:
        case nodes.FrequencySample(child, frequency, partition):
            shared = tuple(column for column in partition if column in key)
            return PlacedSample(
                assign_positions(add_prefilter(child, None, frequency, partition), shared), frequency, partition
            )
        case nodes.Append():
            made, order = append_results(plan, key)
            width = len(plan.schema)
            placed = WithPositions(made, key, order)
            own = refer_to(placed.schema)
            return nodes.Project(placed, (*own[:width], own[-1]), (*plan.schema.names, "place"))
        case nodes.Select(child) | nodes.HashSample(child):
            return plan.with_children(assign_positions(child, key))
        case nodes.Project(child, expressions, names):
            below = [value.index for value in (expressions[column] for column in key) if isinstance(value, Column)]
            made = assign_positions(child, tuple(below) if len(below) == len(key) else ())
            return nodes.Project(made, (*expressions, refer_to(made.schema)[-1]), (*names, "place"))
    raise AssertionError(f"{type(plan).__name__} is no part of a sequence")


def append_results(plan: nodes.Append, key: tuple[int, ...] | None) -> tuple[Plan, tuple[OrderKey, ...]]:
    """The results of all steps as one stream, hidden columns last, and the order of elements equal in `key`, if any."""
    window = jump_of(plan.child)
    known = set() if key is None else {origin(plan.child, column) for column in key}
    apart = key is None or known.issuperset(window.partition)
    expanded = bool(window.partition) and not is_by_key(plan.child)
    apart = apart and not expanded
    ordered = key is not None and not is_single(plan.child, key)
    laid = lay_out_steps(plan.child, LayoutRequest(window.partition if apart else (), ordered, expanded))
    steps = EvaluationPoints(laid.jump, () if expanded else window.partition)
    made = ResultsAtSteps(laid.plan, steps, laid.key)
    own = refer_to(made.schema)
    # The partners that a tuple finds in a relation have no order: ties are broken by their values.
    ties = own[: laid.width] if ordered and any(isinstance(node, nodes.Join) for node in walk(plan.child)) else []
    return made, (OrderKey(own[-1]), *laid.order, *map(OrderKey, ties)) if key is not None else ()


def is_single(plan: Plan, key: Sequence[int]) -> bool:
    """Whether a step's result has at most one tuple for each value of the key: then there is nothing to order."""
    match plan:
        case nodes.Aggregate(_, keys):
            return set(range(len(keys))) <= set(key)
        case nodes.JumpWindow(_, size):
            return size == ONE_TUPLE
        case nodes.Project(child, values):
            below = (values[column] for column in key)
            return is_single(child, [value.index for value in below if isinstance(value, Column)])
        case nodes.Select(child) | nodes.Distinct(child) | nodes.TopK(child):
            return is_single(child, key)
    return False


def is_by_key(plan: Plan) -> bool:
    """Whether the steps of all substreams can be computed at once, with the substream as one more key.

    Not with TopK, which has no key, nor with an outer join that keeps all tuples of the relation: those without
    partner belong to no substream.
    """
    match plan:
        case nodes.JumpWindow():
            return True
        case nodes.TopK():
            return False
        case nodes.Join(left, right, how):
            on_left = left.kind is Kind.STEPS
            return how in ("inner", "left" if on_left else "right") and is_by_key(left if on_left else right)
    return is_by_key(plan.children[0])


def jump_of(plan: Plan) -> nodes.JumpWindow:
    """The window of a sequence query's steps."""
    while not isinstance(plan, nodes.JumpWindow):
        (plan,) = (child for child in plan.children if child.kind is Kind.STEPS)
    return plan


def origin(plan: Plan, column: int) -> int | None:
    """The column of the window from which a column of a step's result is copied; None if it is computed."""
    match plan:
        case nodes.JumpWindow():
            return column
        case nodes.Select(child) | nodes.Distinct(child) | nodes.TopK(child):
            return origin(child, column)
        case nodes.Project(child, values) | nodes.Aggregate(child, values):
            value = values[column] if column < len(values) else None
            return origin(child, value.index) if isinstance(value, Column) else None
        case nodes.Join(left, right, how):
            width = len(left.schema)
            if left.kind is Kind.STEPS and column < width and how in ("inner", "left"):
                return origin(left, column)
            if right.kind is Kind.STEPS and column >= width and how in ("inner", "right"):
                return origin(right, column - width)
    return None


# Steps --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class LayoutRequest:
    """What a layout must provide."""

    key: tuple[int, ...]  # columns of the window; positions count apart for each value
    ordered: bool  # the tuples of a step have an order
    expanded: bool  # each tuple is copied to every step that sees it


@singledispatch
def lay_out_steps(plan: Plan, asked: LayoutRequest) -> SequenceLayout:
    """The steps of a sequence query as a plan of relations with hidden columns."""
    raise RunError(f"{type(plan).__name__.lower()} in a sequence query cannot be run yet")


@lay_out_steps.register
def _(plan: nodes.JumpWindow, asked: LayoutRequest) -> SequenceLayout:
    child = add_prefilter(plan.child, plan.range, plan.frequency, plan.partition)
    jump = PlacedJump(assign_positions(child, asked.key), plan.range, plan.frequency, plan.partition)
    own, width = refer_to(jump.schema), len(plan.schema)
    order = (OrderKey(own[-1]),) if asked.ordered else ()
    found = SequenceLayout(jump, width, order, plan.partition, jump)
    if asked.expanded:
        seen = ResultsAtSteps(jump, EvaluationPoints(jump, plan.partition), plan.partition)
        found = replace(found, plan=AtPositions(seen), key=())
    return found.with_columns(own[:width], plan.schema.names)


@lay_out_steps.register
def _(plan: nodes.Select, asked: LayoutRequest) -> SequenceLayout:
    below = lay_out_steps(plan.child, asked)
    return replace(below, plan=nodes.Select(below.plan, plan.predicate))


@lay_out_steps.register
def _(plan: nodes.Project, asked: LayoutRequest) -> SequenceLayout:
    return lay_out_steps(plan.child, asked).with_columns(plan.expressions, plan.names)


@lay_out_steps.register
def _(plan: nodes.Distinct, asked: LayoutRequest) -> SequenceLayout:
    own = refer_to(plan.schema)
    if asked.ordered:
        return lay_out_steps(nodes.Aggregate(plan.child, tuple(own), (), plan.schema.names), asked)
    below = lay_out_steps(plan.child, asked)
    return replace(below, plan=nodes.Distinct(below.plan))


@lay_out_steps.register
def _(plan: nodes.TopK, asked: LayoutRequest) -> SequenceLayout:
    below = lay_out_steps(plan.child, replace(asked, ordered=False))
    found = replace(below, plan=nodes.TopK(below.plan, plan.order, plan.limit, plan.offset))
    own = found.columns[: found.width]
    order = (*plan.order, *(OrderKey(column) for column in own)) if asked.ordered else ()
    return replace(found, order=order).with_columns(own, plan.schema.names)


@lay_out_steps.register
def _(plan: nodes.Aggregate, asked: LayoutRequest) -> SequenceLayout:
    """A group's position is that of its first tuple. Without GROUP BY a step has one group and needs no order."""
    below = lay_out_steps(plan.child, replace(asked, ordered=asked.ordered and bool(plan.keys)))
    child, wanted = below.plan, plan.aggregations
    if not plan.keys and (below.key or is_filtered(child)):
        real = Column(len(child.schema), BOOLEAN, "real")
        child, wanted = with_evaluations(below), tuple(each.where(real) for each in wanted)
    firsts = tuple(Aggregation("min", (key.expression,), key.expression.type) for key in below.order[:1])
    keys = (*plan.keys, *(below.columns[column] for column in below.key))
    names = tuple(f"_{place}" for place in range(len(keys) + len(wanted) + len(firsts)))
    made = nodes.Aggregate(child, keys, (*wanted, *firsts), names)
    own, width = refer_to(made.schema), len(plan.keys)
    hidden = tuple(range(width, len(keys)))
    order = tuple(OrderKey(own[-1], nulls_first=False) for _ in firsts)
    tuples = (*own[:width], *own[len(keys) : len(own) - len(firsts)])
    return SequenceLayout(made, 0, order, hidden, below.jump).with_columns(tuples, plan.names)


def is_filtered(plan: Plan) -> bool:
    """Whether a selection may leave nothing of a window, and windows have no tuple in common (range ≤ frequency)."""
    filtered = False
    while isinstance(plan, nodes.Select | nodes.Project):
        filtered, plan = filtered or isinstance(plan, nodes.Select), plan.child
    if not isinstance(plan, nodes.JumpWindow) or not filtered:
        return False
    both = plan.range.in_tuples and plan.frequency.in_tuples
    return both and plan.range.count <= plan.frequency.count


def with_evaluations(below: SequenceLayout) -> Plan:
    """The tuples and, so that no group is missing, one for each evaluation: its key, all else NULL, `real` FALSE."""
    width = len(below.plan.schema)
    real = nodes.Project(below.plan, (*below.columns, TRUE), (*below.plan.schema.names, "real"))
    window = below.jump
    assert isinstance(window, nodes.JumpWindow)
    steps = EvaluationPoints(window, window.partition)
    values: list[Expression] = [Literal(None, field.type) for field in below.plan.schema]
    for place, column in zip(below.key, refer_to(steps.schema), strict=True):
        values[place] = column
    return nodes.Union((real, nodes.Project(steps, (*values[:width], FALSE), real.names)))


@lay_out_steps.register
def _(plan: nodes.Join, asked: LayoutRequest) -> SequenceLayout:
    """A step is joined with the relation at its instant; the hidden columns come behind the columns of both sides."""
    on_left = plan.left.kind is Kind.STEPS
    below = lay_out_steps(plan.left if on_left else plan.right, asked)
    other = RelationAtSteps(plan.right if on_left else plan.left)
    left_width, more = len(plan.left.schema), len(below.plan.schema) - below.width
    first = 0 if on_left else left_width

    def place(index: int) -> int:
        return index if index < left_width or not on_left else index + more

    left, right = (below.plan, other) if on_left else (other, below.plan)
    joined = nodes.Join(left, right, plan.how, move(plan.condition, place))
    own = refer_to(joined.schema)
    order = tuple(
        replace(key, expression=move(key.expression, lambda index: index + first), nulls_first=False)
        for key in below.order
    )
    found = SequenceLayout(joined, 0, order, tuple(column + first for column in below.key), below.jump)
    return found.with_columns([own[place(index)] for index in range(len(plan.schema))], plan.schema.names)


# Operators ----------------------------------------------------------------------------------------------------


def lower(lowering: Lowering, node: Plan) -> int:
    """The physical step of a node of `sequence_nodes`."""
    plan, below = lowering.plan, [lowering.step(child) for child in node.children]
    types = tuple(arrow_type(type) for type in node.schema.types)

    def add_reorder(key: tuple[int, ...]) -> int:
        """The input in order of time: another shard may send rows that start later than what is decided."""
        work = plan.steps[below[0]].work
        if isinstance(work, Operator) and work.is_ordered_by(key):
            return below[0]  # these rows are from the same shard
        return plan.add(Reorder(plan.types(below[0]), key), below[0])

    match node:
        case WithPositions(_, key, order):
            by = tuple((index_of(each), each.descending, each.nulls_first) for each in order)
            return plan.add(AssignPositions(types, key, by), add_reorder(key))
        case PlacedSample(_, frequency, partition):
            return plan.add(FrequencySample(types, frequency, partition), add_reorder(partition))
        case PlacedJump(_, range, frequency, partition):
            return plan.add(JumpWindow(types, range, frequency, partition), add_reorder(partition))
        case Prefiltered(_, range, frequency, key):
            return plan.add(Prefilter(types, range, frequency, key), *below)
        case RelationAtSteps():
            return plan.add(AsStepsWork(types), *below)
        case AtPositions():
            return plan.add(AtPlacesWork(types), *below)
        case EvaluationPoints(_, kept):
            return plan.add(EvaluationsWork(types, kept), *below)
        case ResultsAtSteps(_, _, key):
            return plan.add(EmitAtSteps(types, key), *below)
    raise AssertionError(f"no step for {type(node).__name__}")


def index_of(key: OrderKey) -> int:
    assert isinstance(key.expression, Column)
    return key.expression.index
