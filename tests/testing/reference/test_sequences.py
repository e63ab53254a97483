"""Sequence queries in the reference, against CSQL's formulas worked out by hand."""

from __future__ import annotations

from typing import Any

import pytest

from tailrace.logical import nodes
from tailrace.logical.expressions import Aggregation, Column
from tailrace.logical.plan import Plan
from tailrace.logical.windows import ONE_TUPLE, Every
from tailrace.testing.reference.evaluate import evaluate, stream_rows
from tailrace.types import BIGINT, DOUBLE, INT, STRING
from tests.random_plans.build import equal, group, join, project, relation, stream, total

S = stream("S", v=INT)
T = stream("T", k=INT, v=INT)


def elements(plan: Plan, last_instant: int, **inputs: Any) -> list[Any]:
    return [(instant, *row) for instant, row in stream_rows(evaluate(plan, inputs, last_instant))]


def each(*values: Any) -> list[Any]:
    """One element an instant."""
    return [(instant, (value,)) for instant, value in enumerate(values)]


ONE_EACH = each(0, 1, 2, 3, 4, 5, 6, 7, 8, 9)


def steps(size: Every, frequency: Every, arrived: list[Any], by: tuple[int, ...] = ()) -> list[Any]:
    return elements(nodes.Append(nodes.JumpWindow(S, size, frequency, by)), 100, S=arrived)


def ticks(count_: int) -> Every:
    return Every(count_, "ticks")


def tuples(count_: int) -> Every:
    return Every(count_, "tuples")


def test_a_tuple_window_slides_with_every_tuple() -> None:
    """CSQL §4.2: Wⁿs(j) = {s(k) | k > max{0, j − n} and k ≤ j}, also for tuples of one instant."""
    found = steps(tuples(2), ONE_TUPLE, [(0, (1,)), (0, (2,)), (4, (3,))])
    assert found == [(0, 1), (0, 1), (0, 2), (4, 2), (4, 3)]


def test_a_time_window_is_open_at_its_start() -> None:
    """CSQL §4.2: Wᵗs(j) = {s(k) | ts(k) + t > ts(j) and k ≤ j}."""
    found = steps(ticks(2), ONE_TUPLE, each(0, 1, 2))
    assert found == [(0, 0), (1, 0), (1, 1), (2, 1), (2, 2)]


def test_a_tuple_based_jump() -> None:
    """CSQL §4.4: (Fₙ(Ws))(j) = Ws(n·j)."""
    assert steps(tuples(2), tuples(3), ONE_EACH) == [(2, 1), (2, 2), (5, 4), (5, 5), (8, 7), (8, 8)]


def test_a_time_based_jump_after_a_silence() -> None:
    """At the first element ≥ t, ≥ 2t, …; one that is first for several triggers once (semantics A.5)."""
    arrived = [(0, (0,)), (3, (3,)), (5, (5,)), (5, (55,)), (16, (16,)), (19, (19,)), (20, (20,))]
    assert steps(tuples(1), ticks(5), arrived) == [(5, 5), (16, 16), (20, 20)]


def test_partitions_of_a_jump_are_merged_by_their_triggers() -> None:
    arrived = [(0, (1,)), (0, (2,)), (1, (2,)), (2, (1,)), (3, (1,)), (4, (1,))]
    assert steps(tuples(2), tuples(2), arrived, (0,)) == [(1, 2), (1, 2), (2, 1), (2, 1), (4, 1), (4, 1)]


def test_groups_of_a_step_stand_in_the_order_of_their_first_tuples() -> None:
    jumped = nodes.JumpWindow(T, tuples(3), tuples(3))
    arrived = [(0, (9, 1)), (1, (2, 1)), (2, (9, 5)), (3, (1, 1)), (4, (9, 1)), (5, (1, 2))]
    summed = nodes.Append(group(jumped, ("k",), total(jumped, "v")))
    assert elements(summed, 5, T=arrived) == [(2, 9, 6), (2, 2, 1), (5, 1, 3), (5, 9, 1)]


def test_a_step_joins_the_relation_of_its_instant() -> None:
    jumped = nodes.JumpWindow(S, tuples(1), ONE_TUPLE)
    keyed = relation("R", key=("k",), k=INT, name=STRING)
    joined = nodes.Append(project(join(jumped, keyed, "v", "k"), "name"))
    changes = [(0, None, (1, "old")), (1, None, (1, "new"))]
    assert elements(joined, 2, S=[(0, (1,)), (1, (1,)), (1, (2,))], R=changes) == [(0, "old"), (1, "new")]


def test_samples_by_tuples() -> None:
    """CSQL §4.3: Fₙs(j) = s(n·j)."""
    assert elements(nodes.FrequencySample(S, tuples(4)), 9, S=ONE_EACH) == [(3, 3), (7, 7)]
    arrived = [(0, (1,)), (0, (2,)), (1, (2,)), (2, (1,)), (3, (1,))]
    assert elements(nodes.FrequencySample(S, tuples(2), (0,)), 9, S=arrived) == [(1, 2), (2, 1)]


@pytest.mark.parametrize(
    ("last_instant", "expected"),
    [(19, []), (20, [(20, 3)]), (39, [(20, 3)]), (40, [(20, 3), (25, 5)])],
)
def test_samples_by_slots(last_instant: int, expected: list[Any]) -> None:
    """Slot j is ((j−1)t, jt], slot 1 with instant 0; it gives its last element once it is over."""
    arrived = [(0, (1,)), (19, (2,)), (20, (3,)), (21, (4,)), (25, (5,)), (60, (6,))]
    assert elements(nodes.FrequencySample(S, ticks(20)), last_instant, S=arrived) == expected


def test_query_4_of_csql_in_small() -> None:
    """A sequence of a sequence's rows: the outer window counts the inner result's rows as its tuples."""
    inner_steps = nodes.JumpWindow(S, tuples(2), ONE_TUPLE)
    inner = nodes.Append(group(inner_steps, (), total(inner_steps, "v")))
    outer_steps = nodes.JumpWindow(nodes.FrequencySample(inner, tuples(2)), tuples(2), ONE_TUPLE)
    average = Aggregation("avg", (Column(0, BIGINT),), DOUBLE)
    outer = nodes.Append(group(outer_steps, (), average))
    # Sums 0, 1, 3, 5, 7, 9; every second 1, 5, 9; their moving averages of two.
    assert elements(outer, 5, S=each(0, 1, 2, 3, 4, 5)) == [(1, 1.0), (3, 3.0), (5, 7.0)]


def test_windows_that_jump_apart_have_no_meaning() -> None:
    one, other = nodes.JumpWindow(S, tuples(2), ONE_TUPLE), nodes.JumpWindow(S, tuples(2), tuples(2))
    with pytest.raises(AssertionError, match="jump apart"):
        elements(nodes.Append(nodes.Join(one, other, "inner", equal(one, other, "v", "v"))), 3, S=ONE_EACH)
