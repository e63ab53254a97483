"""Pushing selections: through each operator that lets them, and not through the others."""

import pytest

from tailrace.logical.nodes import Append, Distinct, Except, Intersect, JumpWindow, Union
from tailrace.logical.plan import Plan
from tailrace.logical.windows import ONE_TUPLE, Every
from tailrace.rewrite.rules.push_selections import push_selections
from tests.rewrite.build import (
    R,
    S,
    T,
    aggregate,
    antijoin,
    check,
    dstream,
    istream,
    join,
    last,
    markjoin,
    project,
    rows,
    rstream,
    sample,
    select,
    semijoin,
    singlejoin,
    top,
    unbounded,
    unchanged,
)


def pushed(before: Plan, after: Plan) -> None:
    assert push_selections(before) == after
    unchanged(push_selections, after)


# Operators of one input -----------------------------------------------------------------------------------


def test_down_to_the_source() -> None:
    check(
        push_selections,
        select(istream(select(project(last(S), "v / 10", "k"), "x0 > 5")), "k = 1"),
        """
        select k = 1
        └─ i-stream
           └─ select x0 > 5
              └─ project v / 10 AS x0, k
                 └─ window [RANGE 30]
                    └─ stream S(k INT, v INT)
        """,
        """
        i-stream
        └─ project v / 10 AS x0, k
           └─ window [RANGE 30]
              └─ select v / 10 > 5 AND k = 1
                 └─ stream S(k INT, v INT)
        """,
    )


@pytest.mark.parametrize("operator", [istream, dstream, rstream, last, unbounded])
def test_through(operator: type[Plan]) -> None:
    child = S if operator in (last, unbounded) else last(S)
    expected = select(S, "v > 1") if operator in (last, unbounded) else last(select(S, "v > 1"))
    pushed(select(operator(child), "v > 1"), operator(expected))


def test_through_distinct_and_sets() -> None:
    low = "v > 1"
    pushed(select(Distinct(last(S)), low), Distinct(last(select(S, low))))
    pushed(select(Union((S, S, T)), low), Union((select(S, low), select(S, low), select(T, "w > 1"))))
    for combine in (Except, Intersect):
        for every in (True, False):
            parts = combine(last(S), last(T), every)
            pushed(select(parts, low), combine(last(select(S, low)), last(select(T, "w > 1")), every))


def test_through_a_window_with_a_slide() -> None:
    pushed(select(last(S, 30, 60), "v > 1"), last(select(S, "v > 1"), 30, 60))


def test_through_a_partitioned_window_by_its_columns() -> None:
    pushed(select(rows(S, 3, 0), "v > 1 AND k = 2"), select(rows(select(S, "k = 2"), 3, 0), "v > 1"))
    pushed(select(rows(S, 3, 0, slide=2), "k = 2"), rows(select(S, "k = 2"), 3, 0, slide=2))


def test_through_an_aggregate_by_its_keys() -> None:
    check(
        push_selections,
        select(aggregate(last(S), ["v / 10", "k"]), "n > 1 AND c0 = 2 AND c0 < k"),
        """
        select n > 1 AND v / 10 = 2 AND v / 10 < k
        └─ aggregate COUNT(*) by v / 10, k
           └─ window [RANGE 30]
              └─ stream S(k INT, v INT)
        """,
        """
        select n > 1
        └─ aggregate COUNT(*) by v / 10, k
           └─ window [RANGE 30]
              └─ select v / 10 = 2 AND v / 10 < k
                 └─ stream S(k INT, v INT)
        """,
    )


def test_through_the_result_of_steps() -> None:
    jump = JumpWindow(S, Every(60, "ticks"), ONE_TUPLE)
    pushed(select(Append(jump), "v > 1"), Append(select(jump, "v > 1")))
    pushed(
        select(Append(aggregate(jump, ["k"])), "k = 1 AND n > 1"),
        Append(select(aggregate(select(jump, "k = 1"), ["k"]), "n > 1")),
    )


def test_not_through_what_counts() -> None:
    unchanged(
        push_selections,
        select(rows(S, 3), "v > 1"),
        select(rows(S, 3), "FALSE"),
        select(rows(S, 3, 0), "v > 1"),
        select(top(last(S), 2, "v"), "v > 1"),
        select(sample(S, 10), "v > 1"),
        select(sample(S, 10, "ticks"), "v > 1"),
        select(sample(S, 10, "ticks", 0), "k > 1"),
        select(JumpWindow(S, Every(60, "ticks"), ONE_TUPLE, (0,)), "k > 1"),
        select(aggregate(last(S), []), "n > 1"),
        select(aggregate(last(S), []), "FALSE"),
        select(aggregate(last(S), ["k"]), "n > 1"),
    )


# Joins ----------------------------------------------------------------------------------------------------


def test_into_an_inner_join() -> None:
    check(
        push_selections,
        select(join(last(S), last(T), "c0 = c2 AND w < 9"), "v > 1 AND w > 2 AND v < w"),
        """
        select v > 1 AND w > 2 AND v < w
        └─ join on k#0 = k#2 AND w < 9
           ├─ window [RANGE 30]
           │  └─ stream S(k INT, v INT)
           └─ window [RANGE 30]
              └─ stream T(k INT, w INT)
        """,
        """
        join on k#0 = k#2 AND v < w
        ├─ window [RANGE 30]
        │  └─ select v > 1
        │     └─ stream S(k INT, v INT)
        └─ window [RANGE 30]
           └─ select w < 9 AND w > 2
              └─ stream T(k INT, w INT)
        """,
    )


def test_into_a_product() -> None:
    pushed(select(join(last(S), R), "c0 = c2 AND v > 1"), join(last(select(S, "v > 1")), R, "c0 = c2"))
    pushed(select(join(last(S), R), "v > 1"), join(last(select(S, "v > 1")), R))
    pushed(select(join(last(S), R, "c0 = c2"), "1 = 2"), join(last(select(S, "1 = 2")), R, "c0 = c2"))


def test_left_join() -> None:
    """What is said of the padded side stays above; of the preserved side's ON, that of the other side moves."""
    check(
        push_selections,
        select(join(last(S), last(T), "c0 = c2 AND v > 1 AND w > 2", "left"), "v < 8 AND w < 9 AND w IS NULL"),
        """
        select v < 8 AND w < 9 AND w IS NULL
        └─ join left on k#0 = k#2 AND v > 1 AND w > 2
           ├─ window [RANGE 30]
           │  └─ stream S(k INT, v INT)
           └─ window [RANGE 30]
              └─ stream T(k INT, w INT)
        """,
        """
        select w < 9 AND w IS NULL
        └─ join left on k#0 = k#2 AND v > 1
           ├─ window [RANGE 30]
           │  └─ select v < 8
           │     └─ stream S(k INT, v INT)
           └─ window [RANGE 30]
              └─ select w > 2
                 └─ stream T(k INT, w INT)
        """,
    )


def test_right_join() -> None:
    pushed(
        select(join(last(S), last(T), "c0 = c2 AND v > 1 AND w > 2", "right"), "v < 8 AND w < 9"),
        select(join(last(select(S, "v > 1")), last(select(T, "w < 9")), "c0 = c2 AND w > 2", "right"), "v < 8"),
    )


def test_full_join() -> None:
    unchanged(push_selections, select(join(last(S), last(T), "c0 = c2 AND v > 1", "full"), "v < 8 AND w < 9"))


def test_semijoin() -> None:
    pushed(
        select(semijoin(last(S), last(T), "c0 = c2 AND v > 1 AND w > 2"), "v < 8"),
        semijoin(last(select(S, "v < 8 AND v > 1")), last(select(T, "w > 2")), "c0 = c2"),
    )


def test_antijoin() -> None:
    """A left tuple that fails its own part of the condition finds no partner and stays."""
    pushed(
        select(antijoin(last(S), last(T), "c0 = c2 AND v > 1 AND w > 2"), "v < 8"),
        antijoin(last(select(S, "v < 8")), last(select(T, "w > 2")), "c0 = c2 AND v > 1"),
    )


def test_markjoin() -> None:
    """The mark tells unknown from false, so the condition stays whole."""
    pushed(
        select(markjoin(last(S), last(T), "c0 = c2 AND w > 2"), "v < 8 AND mark"),
        select(markjoin(last(select(S, "v < 8")), last(T), "c0 = c2 AND w > 2"), "mark"),
    )


def test_singlejoin() -> None:
    pushed(
        select(singlejoin(last(S), last(T), "c0 = c2 AND v > 1 AND w > 2"), "v < 8 AND w < 9"),
        select(singlejoin(last(select(S, "v < 8")), last(select(T, "w > 2")), "c0 = c2 AND v > 1"), "w < 9"),
    )


# Predicates that can fail ---------------------------------------------------------------------------------


def test_what_can_fail_goes_where_it_meets_the_same_tuples() -> None:
    failing = "10 / v > 1"
    pushed(select(last(S), failing), last(select(S, failing)))
    pushed(select(project(S, "v"), failing), project(select(S, failing), "v"))
    pushed(select(Distinct(last(S)), failing), Distinct(last(select(S, failing))))
    pushed(select(join(last(S), R, "c0 = c2", "left"), failing), join(last(select(S, failing)), R, "c0 = c2", "left"))


def test_what_can_fail_meets_no_other_tuples() -> None:
    failing = "10 / v > 1"
    unchanged(
        push_selections,
        select(join(last(S), R, "c0 = c2"), failing),
        join(last(S), R, f"c0 = c2 AND {failing}"),
        select(semijoin(last(S), R, "c0 = c2"), failing),
        select(Except(last(S), last(T), False), failing),
        select(dstream(last(S)), failing),
        select(last(S, 30, 60), failing),
        select(select(S, "v <> 0"), failing),
    )


def test_a_guard_is_not_overtaken() -> None:
    """The left join keeps all of S, but name = 'x' may be what keeps 10 / v from failing."""
    left = join(last(S), R, "c0 = c2", "left")
    unchanged(push_selections, select(left, "name = 'x' AND 10 / v > 1"))
    pushed(
        select(left, "v <> 0 AND 10 / v > 1 AND name = 'x'"),
        select(join(last(select(S, "v <> 0 AND 10 / v > 1")), R, "c0 = c2", "left"), "name = 'x'"),
    )
