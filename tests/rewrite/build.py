"""Build: small plans for the tests of rewrites, and their texts.

Expressions are written as SQL over a plan's columns, by name or, where names meet, by position: `c0`, `c1`.
"""

import re
from textwrap import dedent

import sqlglot
from sqlglot import exp

from tailrace.catalog.sources import Relation, Stream
from tailrace.logical.expressions import Aggregation, Call, Column, Expression, Literal
from tailrace.logical.nodes import (
    Aggregate,
    ApplyWindow,
    FrequencySample,
    Join,
    MarkJoin,
    OrderKey,
    Project,
    Scan,
    Select,
    SemiJoin,
    SingleJoin,
    TopK,
    ToStream,
)
from tailrace.logical.plan import Plan
from tailrace.logical.text.explain import tree
from tailrace.logical.windows import Every, RowWindow, TimeWindow
from tailrace.rewrite.traverse import Rule
from tailrace.schema import Schema
from tailrace.types import BIGINT, BOOLEAN, DOUBLE, INT, STRING, VOID, Type, arithmetic, common_type_of

S = Scan(Stream("S", Schema.of(("k", INT), ("v", INT)), timestamp="ts"))
T = Scan(Stream("T", Schema.of(("k", INT), ("w", INT)), timestamp="ts"))
KEYED = Scan(Stream("Keyed", Schema.of(("id", INT), ("v", INT)), timestamp="ts", key=("ID",)))
WIDE = Scan(Stream("Wide", Schema.of(("a", INT), ("b", INT), ("c", INT), ("d", STRING)), timestamp="ts"))
R = Scan(Relation("R", Schema.of(("k", INT), ("name", STRING))))
GROWING = Scan(Relation("Growing", Schema.of(("k", INT), ("name", STRING)), timestamp="ts"))

TYPES = {"TINYINT": Type("TINYINT"), "SMALLINT": Type("SMALLINT"), "INT": INT, "BIGINT": BIGINT, "DOUBLE": DOUBLE}
SIGNS: dict[type[exp.Expression], str] = {
    exp.And: "and",
    exp.Or: "or",
    exp.EQ: "=",
    exp.NEQ: "<>",
    exp.LT: "<",
    exp.LTE: "<=",
    exp.GT: ">",
    exp.GTE: ">=",
    exp.Add: "+",
    exp.Sub: "-",
    exp.Mul: "*",
    exp.Div: "/",
    exp.Mod: "%",
    exp.DPipe: "||",
}


def expression(schema: Schema, text: str) -> Expression:
    """The typed expression of a text."""
    return typed(sqlglot.parse_one(text, read="spark"), schema)


def typed(node: exp.Expression, schema: Schema) -> Expression:
    match node:
        case exp.Paren():
            return typed(node.this, schema)
        case exp.Column():
            return column(node.name, schema)
        case exp.Null():
            return Literal(None, VOID)
        case exp.Boolean():
            return Literal(bool(node.this), BOOLEAN)
        case exp.Literal():
            return literal(node)
        case exp.Is(this=operand):
            return Call("is null", (typed(operand, schema),), BOOLEAN)
        case exp.Not(this=exp.Is(this=operand)):
            return Call("is not null", (typed(operand, schema),), BOOLEAN)
        case exp.Not(this=operand):
            return Call("not", (typed(operand, schema),), BOOLEAN)
        case exp.Neg(this=operand):
            inner = typed(operand, schema)
            return Call("negate", (inner,), inner.type)
        case exp.Binary():
            return binary(SIGNS[type(node)], typed(node.left, schema), typed(node.right, schema))
    return called(node, schema)


def called(node: exp.Expression, schema: Schema) -> Expression:
    match node:
        case exp.In(this=operand):
            return Call("in", tuple(typed(part, schema) for part in (operand, *node.expressions)), BOOLEAN)
        case exp.Cast(this=operand):
            return Call("cast", (typed(operand, schema),), TYPES[node.to.sql("spark")])
        case exp.Coalesce(this=first):
            return typed_call("coalesce", [typed(part, schema) for part in (first, *node.expressions)])
        case exp.Case():
            parts = [typed(part, schema) for branch in node.args["ifs"] for part in branch.args.values()]
            otherwise = typed(node.args["default"], schema)
            return typed_call("case", [*parts, otherwise], [*parts[1::2], otherwise])
    raise AssertionError(f"no expression for {node!r}")


def typed_call(name: str, arguments: list[Expression], values: list[Expression] | None = None) -> Call:
    type = common_type_of(*(value.type for value in values or arguments))
    assert type is not None
    return Call(name, tuple(arguments), type)


def binary(name: str, left: Expression, right: Expression) -> Call:
    if name == "||":
        return Call(name, (left, right), STRING)
    type = arithmetic(name, left.type, right.type) if name in "+-*/%" else BOOLEAN
    assert type is not None
    return Call(name, (left, right), type)


def column(name: str, schema: Schema) -> Column:
    by_place = re.fullmatch(r"c(\d+)", name)
    index = int(by_place.group(1)) if by_place else schema.find(name)[0]
    return Column(index, schema[index].type, schema[index].name)


def literal(node: exp.Literal) -> Literal:
    if node.is_string:
        return Literal(node.this, STRING)
    return Literal(float(node.this), DOUBLE) if "." in node.this else Literal(int(node.this), INT)


# Plans ----------------------------------------------------------------------------------------------------


def now(stream: Plan) -> ApplyWindow:
    return ApplyWindow(stream, TimeWindow(0))


def unbounded(stream: Plan) -> ApplyWindow:
    return ApplyWindow(stream, TimeWindow(None))


def last(stream: Plan, size: int = 30, slide: int = 1) -> ApplyWindow:
    return ApplyWindow(stream, TimeWindow(size, slide))


def rows(stream: Plan, size: int, *partition: int, slide: int = 1) -> ApplyWindow:
    return ApplyWindow(stream, RowWindow(size, slide, partition))


def istream(relation: Plan) -> ToStream:
    return ToStream(relation, "istream")


def dstream(relation: Plan) -> ToStream:
    return ToStream(relation, "dstream")


def rstream(relation: Plan) -> ToStream:
    return ToStream(relation, "rstream")


def select(child: Plan, predicate: str) -> Select:
    return Select(child, expression(child.schema, predicate))


def project(child: Plan, *columns: str) -> Project:
    expressions = tuple(expression(child.schema, text) for text in columns)
    names = tuple(part.name if isinstance(part, Column) else f"x{i}" for i, part in enumerate(expressions))
    return Project(child, expressions, names)


def join(left: Plan, right: Plan, on: str = "TRUE", how: str = "inner") -> Join:
    return Join(left, right, how, expression(left.schema + right.schema, on))  # type: ignore[arg-type]


def semijoin(left: Plan, right: Plan, on: str = "TRUE") -> SemiJoin:
    return SemiJoin(left, right, False, expression(left.schema + right.schema, on))


def antijoin(left: Plan, right: Plan, on: str = "TRUE") -> SemiJoin:
    return SemiJoin(left, right, True, expression(left.schema + right.schema, on))


def markjoin(left: Plan, right: Plan, on: str) -> MarkJoin:
    return MarkJoin(left, right, expression(left.schema + right.schema, on))


def singlejoin(left: Plan, right: Plan, on: str) -> SingleJoin:
    return SingleJoin(left, right, expression(left.schema + right.schema, on))


def aggregate(child: Plan, keys: list[str], *sums: str) -> Aggregate:
    """COUNT(*) and the sums of expressions for each group."""
    by = tuple(expression(child.schema, key) for key in keys)
    totals = tuple(Aggregation("sum", (expression(child.schema, text),), BIGINT) for text in sums)
    names = (*keys, "n", *(f"sum{i}" for i in range(len(totals))))
    return Aggregate(child, by, (Aggregation("count", (), BIGINT), *totals), names)


def top(child: Plan, limit: int, by: str) -> TopK:
    return TopK(child, (OrderKey(expression(child.schema, by)),), limit)


def sample(child: Plan, count: int, unit: str = "tuples", *partition: int) -> FrequencySample:
    return FrequencySample(child, Every(count, unit), partition)


# Texts ----------------------------------------------------------------------------------------------------


def shown(plan: Plan) -> str:
    """The plan's tree, leaving out what flows between its nodes."""
    return "\n".join(line.rpartition("  → ")[0] for line in tree(plan).splitlines())


def check(rule: Rule, plan: Plan, before: str, after: str) -> None:
    """The rule turns a plan that reads `before` into one that reads `after`, and then leaves it alone."""
    changed = rule(plan)
    assert shown(plan) == dedent(before).strip("\n").rstrip()
    assert shown(changed) == dedent(after).strip("\n").rstrip()
    assert rule(changed) == changed
    assert (changed.schema.types, changed.kind) == (plan.schema.types, plan.kind)


def unchanged(rule: Rule, *plans: Plan) -> None:
    for plan in plans:
        assert shown(rule(plan)) == shown(plan)
        assert rule(plan) == plan
