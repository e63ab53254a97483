"""Merging projections: two as one, none where nothing changes, two where one would compute twice."""

from tailrace.logical.expressions import Call, Column, Lambda, Variable
from tailrace.logical.nodes import Project
from tailrace.rewrite.rules.merge_projections import merge_projections
from tailrace.types import INT, array
from tests.rewrite.build import WIDE, S, check, last, project, select, unchanged


def test_two_become_one() -> None:
    check(
        merge_projections,
        project(project(S, "v + 1", "k", "7"), "x0 * k", "k", "k + x2"),
        """
        project x0 * k AS x0, k, k + x2 AS x2
        └─ project v + 1 AS x0, k, 7 AS x2
           └─ stream S(k INT, v INT)
        """,
        """
        project (v + 1) * k AS x0, k, k + 7 AS x2
        └─ stream S(k INT, v INT)
        """,
    )


def test_three_become_one() -> None:
    three = project(project(project(WIDE, "a", "b", "c"), "b", "a"), "a")
    assert merge_projections(three) == project(WIDE, "a")


def test_one_that_keeps_all_in_place_is_none() -> None:
    check(
        merge_projections,
        select(project(last(S), "k", "v"), "v > 1"),
        """
        select v > 1
        └─ project k, v
           └─ window [RANGE 30]
              └─ stream S(k INT, v INT)
        """,
        """
        select v > 1
        └─ window [RANGE 30]
           └─ stream S(k INT, v INT)
        """,
    )


def test_twice_out_of_order_is_in_order() -> None:
    assert merge_projections(project(project(S, "v", "k"), "k", "v")) == S


def test_other_orders_and_widths_stay() -> None:
    unchanged(
        merge_projections,
        project(S, "v", "k"),
        project(S, "k"),
        project(S, "k", "v", "v"),
        project(S, "k", "v + 0"),
        project(S),
    )


def test_nothing_is_computed_twice() -> None:
    unchanged(merge_projections, project(project(S, "v * v", "k"), "x0 + x0"))
    numbers = Column(0, array(INT))
    each = Lambda((Variable("x", INT),), Call("+", (Variable("x", INT), Column(1, INT)), INT))
    added = Call("transform", (numbers, each), array(INT))
    inner = Project(S, (Call("array", (), array(INT)), Call("rank", (), INT)), ("a", "n"))
    unchanged(merge_projections, Project(inner, (added,), ("b",)))
