"""Random plans: Hypothesis strategies for plans of every kind of node, in the shapes analysis makes and others."""

from typing import Any

from hypothesis import strategies as st

from tailrace.logical.expressions import FALSE, TRUE, Aggregation, Call, Column, Expression, Literal
from tailrace.logical.nodes import (
    Aggregate,
    Append,
    ApplyWindow,
    Distinct,
    Except,
    FrequencySample,
    Intersect,
    Join,
    JumpWindow,
    MarkJoin,
    OrderKey,
    Project,
    Select,
    SemiJoin,
    SingleJoin,
    TopK,
    ToStream,
    Union,
)
from tailrace.logical.over import Frame, Over, WindowFunction
from tailrace.logical.plan import Plan
from tailrace.logical.windows import Every, RowWindow, TimeWindow, Window
from tailrace.schema import Schema
from tailrace.types import BIGINT, BOOLEAN, INT, VOID, Type, arithmetic
from tests.rewrite.build import GROWING, KEYED, WIDE, R, S, T

COMPARISONS = ["=", "<>", "<", "<=", ">", ">="]
Draw = Any


def columns(schema: Schema, *types: Type) -> list[Expression]:
    return [Column(i, field.type, field.name) for i, field in enumerate(schema) if field.type in types]


def number(draw: Draw, schema: Schema, depth: int = 1) -> Expression:
    """An expression of an integer type."""
    leaves = [*columns(schema, INT, BIGINT), Literal(draw(st.integers(-2, 3)), INT), Literal(None, INT)]
    if depth == 0 or draw(st.integers(0, 2)):
        return draw(st.sampled_from(leaves))
    match draw(st.sampled_from(["arithmetic", "arithmetic", "case", "coalesce", "cast"])):
        case "arithmetic":
            sign = draw(st.sampled_from("+-*/%"))
            left, right = number(draw, schema, depth - 1), number(draw, schema, depth - 1)
            type = arithmetic(sign, left.type, right.type)
            assert type is not None
            return Call(sign, (left, right), type)
        case "case":
            condition = predicate(draw, schema, 0)
            values = [as_bigint(number(draw, schema, depth - 1)) for _ in range(2)]
            return Call("case", (condition, *values), BIGINT)
        case "coalesce":
            values = [as_bigint(number(draw, schema, depth - 1)) for _ in range(2)]
            return Call("coalesce", tuple(values), BIGINT)
    return as_bigint(number(draw, schema, depth - 1))


def as_bigint(value: Expression) -> Expression:
    return value if value.type == BIGINT else Call("cast", (value,), BIGINT)


def predicate(draw: Draw, schema: Schema, depth: int = 2) -> Expression:
    """An expression that is true, false or unknown."""
    if depth > 0 and draw(st.booleans()):
        name = draw(st.sampled_from(["and", "or", "not"]))
        count = 1 if name == "not" else 2
        return Call(name, tuple(predicate(draw, schema, depth - 1) for _ in range(count)), BOOLEAN)
    match draw(st.sampled_from(["compare"] * 6 + ["null", "in", "constant", "mark"])):
        case "null":
            name = draw(st.sampled_from(["is null", "is not null"]))
            return Call(name, (number(draw, schema),), BOOLEAN)
        case "in":
            items = draw(st.lists(st.integers(-1, 2), min_size=1, max_size=3))
            return Call("in", (number(draw, schema), *(Literal(item, INT) for item in items)), BOOLEAN)
        case "constant" | "mark":
            constants = [TRUE, FALSE, Literal(None, BOOLEAN), Literal(None, VOID)]
            return draw(st.sampled_from(columns(schema, BOOLEAN) or constants))
    sign = draw(st.sampled_from(COMPARISONS))
    return Call(sign, (number(draw, schema), number(draw, schema)), BOOLEAN)


def places(draw: Draw, schema: Schema, at_least: int = 0) -> tuple[int, ...]:
    """Some positions, each once."""
    if not len(schema):
        return ()
    every = st.sampled_from(range(len(schema)))
    return tuple(draw(st.lists(every, min_size=at_least, max_size=2, unique=True)))


def window(draw: Draw, schema: Schema) -> Window:
    match draw(st.sampled_from(["now", "unbounded", "unbounded", "range", "slide", "rows"])):
        case "now":
            return TimeWindow(0)
        case "unbounded":
            return TimeWindow(None)
        case "range":
            return TimeWindow(draw(st.integers(0, 3)))
        case "slide":
            return TimeWindow(draw(st.sampled_from([None, 0, 1, 2])), draw(st.integers(1, 3)))
    return RowWindow(draw(st.integers(1, 2)), draw(st.integers(1, 2)), places(draw, schema))


def every(draw: Draw) -> Every:
    return Every(draw(st.integers(1, 3)), draw(st.sampled_from(["tuples", "ticks"])))


def projected(draw: Draw, child: Plan, width: int | None = None) -> Project:
    """A projection; of a given width all its columns are BIGINTs."""
    if width is not None:
        values = tuple(as_bigint(number(draw, child.schema)) for _ in range(width))
    else:
        kept = [Column(i, child.schema[i].type) for i in places(draw, child.schema)]
        values = (*kept, *(number(draw, child.schema) for _ in range(draw(st.integers(0, 1)))))
    return Project(child, values, tuple(f"x{i}" for i in range(len(values))))


def stream(draw: Draw, depth: int) -> Plan:
    scan: Plan = draw(st.sampled_from([S, T, KEYED, WIDE]))
    if depth <= 0:
        return scan
    match draw(st.sampled_from(["scan", "same", "to", "to", "to", "sample", "append", "union"])):
        case "same":
            return selected_or_projected(draw, stream(draw, depth - 1))
        case "to":
            operator = draw(st.sampled_from(["istream", "istream", "dstream", "rstream"]))
            return ToStream(relation(draw, depth - 1), operator)
        case "sample":
            child = stream(draw, depth - 1)
            return FrequencySample(child, every(draw), places(draw, child.schema))
        case "append":
            return Append(steps(draw, depth - 1))
        case "union":
            return Union(tuple(projected(draw, stream(draw, depth - 2), 2) for _ in range(2)))
    return scan


def selected_or_projected(draw: Draw, child: Plan) -> Plan:
    if draw(st.booleans()):
        return Select(child, predicate(draw, child.schema))
    return projected(draw, child)


def relation(draw: Draw, depth: int) -> Plan:
    if depth <= 0:
        return draw(st.sampled_from([R, GROWING, ApplyWindow(S, TimeWindow(None)), ApplyWindow(T, TimeWindow(0))]))
    match draw(st.sampled_from(["window"] * 3 + ["unary"] * 4 + ["join"] * 4 + ["set"])):
        case "window":
            child = stream(draw, depth - 1)
            return ApplyWindow(child, window(draw, child.schema))
        case "join":
            other: Plan = draw(st.sampled_from([R, R, GROWING, relation(draw, depth - 2)]))
            sides = [relation(draw, depth - 1), other]
            return joined(draw, *(sides if draw(st.booleans()) else reversed(sides)))
        case "set":
            return combined(draw, relation(draw, depth - 2), relation(draw, depth - 2))
    below = relation(draw, depth - 1)
    return with_windows(draw, below) if draw(st.integers(0, 5)) == 0 else unary(draw, below)


def with_windows(draw: Draw, child: Plan) -> Plan:
    """Window functions over one partition and order, and perhaps a selection by one of them."""
    partition = tuple(number(draw, child.schema) for _ in range(draw(st.integers(0, 1))))
    order = (OrderKey(number(draw, child.schema), draw(st.booleans())),)
    total = Aggregation("sum", (number(draw, child.schema),), BIGINT)
    frame = Frame(draw(st.sampled_from(["rows", "range"])), None, draw(st.sampled_from([0, None])))
    rank = draw(st.sampled_from(["row_number", "rank", "dense_rank"]))
    functions = (WindowFunction(Aggregation(rank, (), INT)), WindowFunction(total, frame))
    over = Over(child, partition, order, functions, ("place", "total"))
    if draw(st.booleans()):
        return over
    few = Call("<=", (Column(len(child.schema), INT), Literal(draw(st.integers(0, 2)), INT)), BOOLEAN)
    return Select(over, few)


def steps(draw: Draw, depth: int) -> Plan:
    child = stream(draw, depth - 1)
    jump = JumpWindow(child, every(draw), every(draw), places(draw, child.schema))
    match draw(st.sampled_from(["jump", "unary", "unary", "join"])):
        case "unary":
            return unary(draw, jump)
        case "join":
            return joined(draw, jump, R)
    return jump


def unary(draw: Draw, child: Plan) -> Plan:
    match draw(st.sampled_from(["same"] * 4 + ["distinct", "aggregate", "aggregate", "top"])):
        case "distinct":
            return Distinct(child)
        case "aggregate":
            return aggregated(draw, child)
        case "top":
            key = OrderKey(number(draw, child.schema), draw(st.booleans()))
            return TopK(child, (key,), draw(st.sampled_from([None, 1, 2])), draw(st.integers(0, 1)))
    return selected_or_projected(draw, child)


def aggregated(draw: Draw, child: Plan) -> Aggregate:
    keys = tuple(number(draw, child.schema) for _ in range(draw(st.integers(0, 2))))
    filters = draw(st.sampled_from([None, predicate(draw, child.schema, 0)]))
    totals = [
        Aggregation("count", (), BIGINT),
        Aggregation("sum", (number(draw, child.schema),), BIGINT, condition=filters),
    ]
    names = tuple(f"x{i}" for i in range(len(keys) + 2))
    return Aggregate(child, keys, tuple(totals), names)


def joined(draw: Draw, left: Plan, right: Plan) -> Plan:
    condition = predicate(draw, left.schema + right.schema)
    match draw(st.sampled_from(["inner"] * 3 + ["left", "right", "full", "semi", "anti", "mark", "single"])):
        case "semi":
            return SemiJoin(left, right, False, condition)
        case "anti":
            return SemiJoin(left, right, True, condition)
        case "mark":
            return MarkJoin(left, right, condition)
        case "single":
            return SingleJoin(left, right, condition)
        case how:
            return Join(left, right, how, condition)


def combined(draw: Draw, left: Plan, right: Plan) -> Plan:
    one, other = projected(draw, left, 2), projected(draw, right, 2)
    match draw(st.sampled_from(["union", "except", "intersect"])):
        case "union":
            return Union((one, other))
        case "except":
            return Except(one, other, draw(st.booleans()))
    return Intersect(one, other, draw(st.booleans()))


def nearly_linear(draw: Draw, depth: int) -> Plan:
    """What may stand between Istream and unbounded windows, and now and then something that may not."""
    if depth <= 0 or not draw(st.integers(0, 3)):
        child = draw(st.sampled_from([S, T, KEYED]))
        return ApplyWindow(child, TimeWindow(draw(st.sampled_from([None, None, None, 0, 1]))))
    match draw(st.sampled_from(["same", "same", "join", "join", "union"])):
        case "join":
            sides = [nearly_linear(draw, depth - 1), draw(st.sampled_from([R, R, R, GROWING]))]
            return joined(draw, *(sides if draw(st.booleans()) else reversed(sides)))
        case "union":
            other = draw(st.sampled_from([R, nearly_linear(draw, depth - 1)]))
            return Union((projected(draw, nearly_linear(draw, depth - 1), 2), projected(draw, other, 2)))
    return selected_or_projected(draw, nearly_linear(draw, depth - 1))


def samples(draw: Draw, depth: int) -> Plan:
    """A sample of samples, of projections, of appended steps."""
    if depth <= 0:
        return draw(st.sampled_from([S, T]))
    child = samples(draw, depth - 1)
    match draw(st.sampled_from(["sample", "sample", "project", "append"])):
        case "sample":
            partition = places(draw, child.schema) if draw(st.booleans()) else ()
            return FrequencySample(child, every(draw), partition)
        case "append":
            return Append(aggregated(draw, JumpWindow(child, every(draw), every(draw))))
    return projected(draw, child)


@st.composite
def plans(draw: Draw, depth: int = 5) -> Plan:
    """A stream or a relation, mostly with a selection and a projection on top."""
    match draw(st.sampled_from(["stream", "relation", "linear", "samples"])):
        case "stream":
            plan = stream(draw, depth)
        case "relation":
            plan = relation(draw, depth)
        case "linear":
            plan = ToStream(nearly_linear(draw, 3), draw(st.sampled_from(["istream", "istream", "rstream"])))
        case _:
            plan = samples(draw, 4)
    for _ in range(draw(st.integers(0, 2))):
        plan = selected_or_projected(draw, plan)
    return plan
