"""The reference against examples of the papers that were worked out by hand."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from tailrace.logical import nodes
from tailrace.logical.expressions import Column
from tailrace.logical.plan import Plan
from tailrace.testing.reference.evaluate import changelog, evaluate, stream_rows
from tailrace.testing.reference.relational import SeveralRows
from tailrace.types import DOUBLE, INT, STRING
from tests.random_plans.build import (
    call,
    col,
    count,
    dstream,
    equal,
    group,
    istream,
    join,
    number,
    over,
    project,
    relation,
    rows,
    rstream,
    stream,
    text,
    total,
)

S = stream("S", v=INT)
T = stream("T", k=INT, v=INT)
STATIC = relation("R", timestamp=None, k=INT, name=STRING)


def bags(plan: Plan, last_instant: int, **inputs: Any) -> list[list[Any]]:
    """The relation at each instant: its tuples sorted by text, one value for a tuple of one."""
    answer = evaluate(plan, inputs, last_instant)
    return [sorted((row[0] if len(row) == 1 else row for row in bag.elements()), key=repr) for bag in answer.bags]


def elements(plan: Plan, last_instant: int, **inputs: Any) -> list[Any]:
    return [(instant, *row) for instant, row in stream_rows(evaluate(plan, inputs, last_instant))]


def each(*values: Any) -> list[Any]:
    """One element an instant."""
    return [(instant, (value,)) for instant, value in enumerate(values)]


# Windows ----------------------------------------------------------------------------------------------------


def test_figure_3_of_cql() -> None:
    S = stream("S", a=STRING)
    arrived = each("a0", "a1", "a2", "a3", "a4")
    last_row = rows(S, 1)
    kept = nodes.Select(last_row, call("in", col(S, "a"), text("a0"), text("a2"), text("a4")))
    assert bags(last_row, 4, S=arrived) == [["a0"], ["a1"], ["a2"], ["a3"], ["a4"]]
    assert bags(kept, 4, S=arrived) == [["a0"], [], ["a2"], [], ["a4"]]
    assert elements(istream(kept), 4, S=arrived) == [(0, "a0"), (2, "a2"), (4, "a4")]


def test_a_range_has_closed_ends() -> None:
    found = bags(over(S, 2), 5, S=each(10, 11, 12, 13))
    assert found == [[10], [10, 11], [10, 11, 12], [11, 12, 13], [12, 13], [13]]


def test_now_and_unbounded() -> None:
    arrived = [(1, (5,)), (1, (5,)), (3, (6,))]
    assert bags(over(S, 0), 3, S=arrived) == [[], [5, 5], [], [6]]
    assert bags(over(S, None), 3, S=arrived) == [[], [5, 5], [5, 5], [5, 5, 6]]


def test_example_8_tumbling_window() -> None:
    arrived = [(0, (0,)), (1, (1,)), (60, (60,)), (61, (61,)), (120, (120,)), (121, (121,))]
    found = bags(over(S, 60, 60), 121, S=arrived)
    assert found[58] == []
    assert found[59] == [0]  # τ = L−1: ⌊59/60⌋·60 = 0, so the elements of instant 0 (semantics B.2)
    assert found[60] == found[119] == [0, 1, 60]
    assert found[120] == found[121] == [120, 60, 61]


def test_a_slide_that_does_not_divide_the_range() -> None:
    """[RANGE 10 SLIDE 7]: at 14 it holds 4 to 14, until 20; at 21 it holds 11 to 21."""
    found = bags(over(S, 10, 7), 21, S=each(*range(22)))
    assert found[5] == []
    assert found[6] == [0]
    assert found[7] == found[13] == sorted(range(8), key=repr)
    assert found[14] == found[20] == sorted(range(4, 15), key=repr)
    assert found[21] == sorted(range(11, 22), key=repr)


def test_a_slide_longer_than_the_range() -> None:
    found = bags(over(S, 1, 3), 6, S=each(*range(7)))
    assert found == [[], [], [0], [2, 3], [2, 3], [2, 3], [5, 6]]


def test_rows_break_ties_by_arrival() -> None:
    arrived = [(0, (1,)), (0, (2,)), (0, (3,)), (2, (4,))]
    assert bags(rows(S, 2), 2, S=arrived) == [[2, 3], [2, 3], [3, 4]]


def test_rows_with_a_slide() -> None:
    """[ROWS 4 SLIDE 3]: the last four of the first ⌊c/3⌋·3 tuples."""
    found = bags(rows(S, 4, 3), 6, S=each(0, 1, 2, 3, 4, 5, 6))
    assert found == [[], [], [0, 1, 2], [0, 1, 2], [0, 1, 2], [2, 3, 4, 5], [2, 3, 4, 5]]


def test_partitions_count_for_themselves() -> None:
    arrived = [(0, (1, 10)), (1, (2, 20)), (1, (None, 30)), (2, (1, 11)), (3, (None, 31)), (4, (1, 12))]
    assert bags(rows(T, 1, by=(0,)), 4, T=arrived)[4] == [(1, 12), (2, 20), (None, 31)]
    assert bags(rows(T, 2, 2, (0,)), 4, T=arrived) == [
        [],
        [],
        [(1, 10), (1, 11)],
        [(1, 10), (1, 11), (None, 30), (None, 31)],
        [(1, 10), (1, 11), (None, 30), (None, 31)],
    ]


# Relations and to-stream operators --------------------------------------------------------------------------


def test_the_four_kinds_of_relation() -> None:
    rows_ = [(0, "+", (1, "a")), (1, "+", (1, "b")), (2, "-", (1, "a")), (2, "+", (1, "b"))]
    plain = [(instant, None, row) for instant, _, row in rows_]
    grows, keyed = relation("R", k=INT, name=STRING), relation("R", key=("k",), k=INT, name=STRING)
    follows = relation("R", op="op", k=INT, name=STRING)
    a, b = (1, "a"), (1, "b")
    assert bags(grows, 2, R=plain) == [[a], [a, b], [a, a, b, b]]
    assert bags(keyed, 2, R=plain) == [[a], [b], [b]]
    assert bags(follows, 2, R=rows_) == [[a], [a, b], [b, b]]
    assert bags(STATIC, 1, R=[(None, None, a)]) == [[a], [a]]


def test_minus_and_plus_of_one_instant_are_no_change() -> None:
    follows = relation("R", op="op", k=INT, name=STRING)
    changes = [(0, "+", (1, "a")), (1, "-", (1, "a")), (1, "+", (1, "a"))]
    assert changelog(evaluate(follows, {"R": changes}, 1)) == [(0, "+", (1, "a"))]


def test_a_scan_of_some_columns_still_keeps_rows_by_key() -> None:
    keyed = relation("R", key=("k",), k=INT, name=STRING)
    names = nodes.Scan(keyed.source, (1,))
    assert bags(names, 1, R=[(0, None, (1, "a")), (0, None, (2, "a")), (1, None, (2, "b"))]) == [
        ["a", "a"],
        ["a", "b"],
    ]


def test_section_5_2_of_as() -> None:
    """Identical tuples five apart that join one tuple of R: Istream gives nothing, Rstream everything."""
    A = stream("S", A=INT)
    R = relation("R", timestamp=None, B=INT)
    joined = join(rows(A, 5), R, "A", "B")
    inputs = {"S": each(7, 1, 2, 3, 4, 7), "R": [(None, None, (7,))]}
    assert elements(istream(joined), 5, **inputs) == [(0, 7, 7)]
    assert elements(rstream(joined), 5, **inputs) == [(instant, 7, 7) for instant in range(6)]


def test_the_to_stream_operators() -> None:
    arrived = [(0, (1,)), (1, (2,)), (2, (2,))]
    window = over(S, 1)
    assert elements(istream(window), 4, S=arrived) == [(0, 1), (1, 2), (2, 2)]
    assert elements(dstream(window), 4, S=arrived) == [(2, 1), (3, 2), (4, 2)]
    assert elements(rstream(window), 4, S=arrived) == [(0, 1), (1, 1), (1, 2), (2, 2), (2, 2), (3, 2)]


def test_an_equal_tuple_that_enters_as_another_leaves_is_no_news() -> None:
    assert elements(istream(rows(S, 1)), 2, S=each(1, 1, 2)) == [(0, 1), (2, 2)]


def test_the_changelog_is_the_net_difference() -> None:
    counted = group(over(S, 1), (), count())
    found = changelog(evaluate(counted, {"S": each(5, 6, 7)}, 4))
    assert found == [
        (0, "+", (1,)),
        (1, "-", (1,)),
        (1, "+", (2,)),
        (3, "-", (2,)),
        (3, "+", (1,)),
        (4, "-", (1,)),
        (4, "+", (0,)),
    ]


def test_an_empty_window_has_a_count() -> None:
    assert bags(group(over(S, 0), (), count(), total(S, "v")), 1, S=[]) == [[(0, None)], [(0, None)]]
    assert bags(group(over(T, 0), ("k",), count()), 1, T=[]) == [[], []]


def test_what_comes_after_the_end_plays_no_part() -> None:
    assert bags(over(S, None), 1, S=each(1, 2, 3)) == [[1], [1, 2]]


# Relational operators ---------------------------------------------------------------------------------------

LEFT, RIGHT = stream("L", k=INT, a=INT), stream("M", k=INT, b=INT)
SIDES = {
    "L": [(0, (1, 10)), (0, (1, 10)), (0, (2, 20)), (0, (None, 30))],
    "M": [(0, (1, 7)), (0, (3, 8)), (0, (None, 9))],
}


def at_once(plan: Plan) -> list[Any]:
    return bags(plan, 0, **SIDES)[0]


@pytest.mark.parametrize(
    ("how", "expected"),
    [
        ("inner", [(1, 10, 1, 7)] * 2),
        ("left", [(1, 10, 1, 7)] * 2 + [(2, 20, None, None), (None, 30, None, None)]),
        ("right", [(1, 10, 1, 7)] * 2 + [(None, None, 3, 8), (None, None, None, 9)]),
        (
            "full",
            [(1, 10, 1, 7)] * 2
            + [(2, 20, None, None), (None, 30, None, None), (None, None, 3, 8), (None, None, None, 9)],
        ),
    ],
)
def test_joins(how: str, expected: list[Any]) -> None:
    assert Counter(at_once(join(over(LEFT, 0), over(RIGHT, 0), "k", "k", how))) == Counter(expected)


def test_semijoin_and_antijoin() -> None:
    left, right = over(LEFT, 0), over(RIGHT, 0)
    condition = equal(left, right, "k", "k")
    assert at_once(nodes.SemiJoin(left, right, False, condition)) == [(1, 10), (1, 10)]
    assert at_once(nodes.SemiJoin(left, right, True, condition)) == [(2, 20), (None, 30)]


def test_not_in_is_an_antijoin_that_unknown_stops() -> None:
    left, right = over(LEFT, 0), over(RIGHT, 0)
    unknown_counts = call("is not false", equal(left, right, "k", "k"))
    assert at_once(nodes.SemiJoin(left, right, True, unknown_counts)) == []


def test_a_mark_is_an_or_over_the_right() -> None:
    left, right = over(LEFT, 0), over(RIGHT, 0)
    known = nodes.Select(right, call("is not null", col(right, "k")))
    marks = nodes.MarkJoin(left, right, equal(left, right, "k", "k"))
    assert at_once(marks) == [(1, 10, True), (1, 10, True), (2, 20, None), (None, 30, None)]
    marks = nodes.MarkJoin(left, known, equal(left, known, "k", "k"))
    assert at_once(marks) == [(1, 10, True), (1, 10, True), (2, 20, False), (None, 30, None)]
    nothing = nodes.Select(right, call(">", col(right, "k"), number(9)))
    marks = nodes.MarkJoin(left, nothing, equal(left, nothing, "k", "k"))
    assert [row[-1] for row in at_once(marks)] == [False] * 4


def test_a_single_join_takes_one_partner_or_none() -> None:
    left, right = over(LEFT, 0), over(RIGHT, 0)
    found = at_once(nodes.SingleJoin(left, right, equal(left, right, "k", "k")))
    assert found == [(1, 10, 1, 7), (1, 10, 1, 7), (2, 20, None, None), (None, 30, None, None)]
    with pytest.raises(SeveralRows):
        at_once(nodes.SingleJoin(right, left, equal(right, left, "k", "k")))


def test_set_operations() -> None:
    left, right = project(over(LEFT, 0), "k"), project(over(RIGHT, 0), "k")
    assert at_once(nodes.Union((left, right))) == [1, 1, 1, 2, 3, None, None]
    assert at_once(nodes.Except(left, right, True)) == [1, 2]
    assert at_once(nodes.Except(left, right, False)) == [2]
    assert at_once(nodes.Intersect(left, right, True)) == [1, None]
    assert at_once(nodes.Intersect(left, nodes.Union((right, right)), True)) == [1, 1, None]
    assert at_once(nodes.Intersect(left, right, False)) == [1, None]
    assert at_once(nodes.Distinct(left)) == [1, 2, None]


def test_groups_take_null_as_a_value() -> None:
    found = at_once(group(over(LEFT, 0), ("k",), count(), total(LEFT, "a")))
    assert found == [(1, 2, 20), (2, 1, 20), (None, 1, 30)]


@pytest.mark.parametrize(
    ("descending", "nulls_first", "expected"),
    [
        (False, True, [30, 10]),
        (False, False, [10, 10]),
        (True, True, [30, 20]),
        (True, False, [20, 10]),
    ],
)
def test_top_k(descending: bool, nulls_first: bool, expected: list[int]) -> None:
    window = over(LEFT, 0)
    top = nodes.TopK(window, (nodes.OrderKey(col(window, "k"), descending, nulls_first),), 2)
    assert at_once(project(top, "a")) == sorted(expected)


def test_top_k_with_an_offset_and_without_a_limit() -> None:
    window = over(LEFT, 0)
    order = (nodes.OrderKey(col(window, "a"), True),)
    assert at_once(project(nodes.TopK(window, order, 2, 1), "a")) == [10, 20]
    assert at_once(project(nodes.TopK(window, order, None, 3), "a")) == [10]


def test_a_value_that_its_type_does_not_hold_is_found_out() -> None:
    wrong = project(over(S, 0), Column(0, DOUBLE))
    with pytest.raises(AssertionError, match="c0 DOUBLE"):
        bags(wrong, 0, S=each(1))


def test_streams_filter_and_unite_in_order() -> None:
    other = stream("O", v=INT)
    united = nodes.Union((S, other))
    kept = nodes.Select(united, call(">", col(united, "v"), number(1)))
    assert elements(kept, 2, S=each(1, 2, 3), O=each(7, 8)) == [(0, 7), (1, 2), (1, 8), (2, 3)]
