"""Parts of an expression that wait for a plan: subqueries become joined columns when they are attached."""

from __future__ import annotations

from tailrace.analysis.correlation.outer_columns import has_outer
from tailrace.analysis.scalars.placeholders import (
    PendingAggregate,
    PendingSubquery,
    attach,
    has_aggregate,
    place_operands,
)
from tailrace.catalog.sources import Relation
from tailrace.logical.expressions import Aggregation, Call, Column, Literal, Outer
from tailrace.logical.nodes import Scan
from tailrace.logical.text.explain import tree
from tailrace.logical.text.expression_text import text_of
from tailrace.schema import Schema
from tailrace.types import BIGINT, BOOLEAN, INT

LEFT = Scan(Relation("L", Schema.of(("a", INT), ("b", INT))))
RIGHT = Scan(Relation("R", Schema.of(("c", INT))))
SAME = Call("=", (Outer(0, INT, "b"), Column(0, INT, "c")), BOOLEAN)
B = Column(1, INT, "b")


def test_a_condition_is_placed_over_both_sides() -> None:
    assert place_operands(SAME, (B,), 2) == Call("=", (B, Column(2, INT, "c")), BOOLEAN)


def test_a_mark_becomes_a_column_behind_the_others() -> None:
    waiting = PendingSubquery("mark", RIGHT, SAME, (B,), Column(0, BOOLEAN, "mark"))
    plan, expression = attach(LEFT, Call("not", (waiting,), BOOLEAN))
    assert tree(plan).splitlines()[0] == "markjoin on b = c  → relation"
    assert expression == Call("not", (Column(2, BOOLEAN, "mark"),), BOOLEAN)


def test_a_value_reads_the_columns_of_its_subquery() -> None:
    waiting = PendingSubquery("single", RIGHT, SAME, (B,), Column(0, INT, "c"))
    plan, expression = attach(LEFT, Call("+", (waiting, Literal(1, INT)), INT))
    assert tree(plan).splitlines()[0] == "singlejoin on b = c  → relation"
    assert expression == Call("+", (Column(2, INT, "c"), Literal(1, INT)), INT)


def test_each_subquery_is_joined_behind_the_one_before() -> None:
    first = PendingSubquery("mark", RIGHT, SAME, (B,), Column(0, BOOLEAN, "mark"))
    second = PendingSubquery("single", RIGHT, SAME, (B,), Column(0, INT, "c"))
    test = Call(">", (second, Literal(0, INT)), BOOLEAN)
    plan, expression = attach(LEFT, Call("and", (first, test), BOOLEAN))
    assert [field.name for field in plan.schema] == ["a", "b", "mark", "c"]
    assert text_of(expression) == "mark AND c > 0"


def test_what_waits_is_seen_inside_expressions() -> None:
    count = PendingAggregate(Aggregation("count", (), BIGINT, False))
    assert count.type == BIGINT
    assert has_aggregate(Call("+", (Literal(1, BIGINT), count), BIGINT))
    assert not has_aggregate(B)
    assert has_outer(SAME)
    assert not has_outer(B)
