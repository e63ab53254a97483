"""What can be lifted out of a dependent plan, and what cannot."""

from __future__ import annotations

import pytest

from tailrace.analysis.correlation.lift_conditions import lift_conditions
from tailrace.catalog.sources import Relation
from tailrace.logical import nodes
from tailrace.logical.expressions import Aggregation, Call, Column, Expression, Outer
from tailrace.logical.plan import Plan
from tailrace.logical.text.expression_text import text_of
from tailrace.schema import Schema
from tailrace.types import BIGINT, BOOLEAN, INT

R = nodes.Scan(Relation("R", Schema.of(("k", INT), ("w", INT))))
K, W = Column(0, INT, "k"), Column(1, INT, "w")
AROUND = Outer(0, INT, "a")
EQUAL = nodes.Select(R, Call("=", (K, AROUND), BOOLEAN))
LESS = nodes.Select(R, Call("<", (K, AROUND), BOOLEAN))
COUNT = (Aggregation("count", (), BIGINT),)


def only(plan: Plan, *values: Expression) -> Plan:
    return nodes.Project(plan, values, tuple(f"c{index}" for index in range(len(values))))


@pytest.mark.parametrize(
    ("plan", "exact", "expected"),
    [
        (EQUAL, True, ["k = outer.a"]),
        (only(LESS, W), True, ["k < outer.a"]),
        (nodes.Distinct(only(LESS, W)), False, ["k < outer.a"]),
        (nodes.Distinct(only(LESS, W)), True, None),
        (nodes.Distinct(only(EQUAL, W)), True, ["k = outer.a"]),
        (nodes.Aggregate(EQUAL, (W,), COUNT, ("w", "n")), True, ["k = outer.a"]),
        (nodes.Aggregate(LESS, (W,), COUNT, ("w", "n")), True, None),
        (nodes.Aggregate(EQUAL, (), COUNT, ("n",)), True, None),
        (only(R, AROUND), True, None),
        (nodes.Union((only(EQUAL, W), only(R, W))), False, None),
        (R, True, []),
    ],
)
def test_conditions(plan: Plan, exact: bool, expected: list[str] | None) -> None:
    found = lift_conditions(plan, exact)
    assert (None if found is None else [text_of(part) for part in found.conditions]) == expected


def test_columns_of_groups_are_found_behind_the_further_keys() -> None:
    found = lift_conditions(nodes.Aggregate(EQUAL, (W,), COUNT, ("w", "n")), exact=True)
    assert found is not None
    assert found.moved == (0, 2)
    assert found.plan.schema.names == ("w", "k", "n")
