"""Pruning columns: what nobody reads is not carried, and what is compared as a whole stays whole."""

import pytest

from tailrace.logical.expressions import Column, Literal
from tailrace.logical.nodes import Append, Distinct, Except, Intersect, JumpWindow, Project, Scan, Union
from tailrace.logical.plan import Plan
from tailrace.logical.windows import Every
from tailrace.rewrite.rules.prune_columns import prune_columns
from tailrace.types import INT
from tests.rewrite.build import (
    WIDE,
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
    unchanged,
)


def wide(*columns: int) -> Scan:
    return Scan(WIDE.source, columns)


def pruned(before: Plan, after: Plan) -> None:
    assert prune_columns(before) == after
    unchanged(prune_columns, after)


def test_a_window_remembers_what_is_read_later() -> None:
    check(
        prune_columns,
        project(last(select(WIDE, "b > 1 AND d = 'x'")), "c"),
        """
        project c
        └─ window [RANGE 30]
           └─ select b > 1 AND d = 'x'
              └─ stream Wide(a INT, b INT, c INT, d STRING)
        """,
        """
        project c
        └─ window [RANGE 30]
           └─ project c
              └─ select b > 1 AND d = 'x'
                 └─ stream Wide(b INT, c INT, d STRING)
        """,
    )


def test_joins_get_narrower_sides() -> None:
    check(
        prune_columns,
        project(join(join(last(WIDE), R, "a = c4"), last(T), "c0 = c6"), "w", "b"),
        """
        project w, b
        └─ join on a = k#6
           ├─ join on a = k
           │  ├─ window [RANGE 30]
           │  │  └─ stream Wide(a INT, b INT, c INT, d STRING)
           │  └─ relation static R(k INT, name STRING)
           └─ window [RANGE 30]
              └─ stream T(k INT, w INT)
        """,
        """
        project w, b
        └─ join on a = k
           ├─ project a, b
           │  └─ join on a = k
           │     ├─ window [RANGE 30]
           │     │  └─ stream Wide(a INT, b INT)
           │     └─ relation static R(k INT)
           └─ window [RANGE 30]
              └─ stream T(k INT, w INT)
        """,
    )


def test_joins_that_test() -> None:
    """Of the right side only what the condition reads; a mark has its place after the left side's columns."""
    scan = Scan(R.source, (0,))
    for test in (semijoin, antijoin):
        pruned(project(test(last(WIDE), R, "b = c4"), "c"), project(test(last(wide(1, 2)), scan, "b = c2"), "c"))
    pruned(
        project(markjoin(last(WIDE), R, "b = c4"), "mark", "c"),
        project(markjoin(last(wide(1, 2)), scan, "b = c2"), "mark", "c"),
    )
    pruned(
        project(singlejoin(last(WIDE), R, "b = c4"), "name", "c"),
        project(singlejoin(last(wide(1, 2)), R, "b = c2"), "name", "c"),
    )


def test_aggregates() -> None:
    check(
        prune_columns,
        project(aggregate(last(WIDE), ["b"], "c", "a"), "n", "sum1"),
        """
        project n, sum1
        └─ aggregate COUNT(*), SUM(c), SUM(a) by b
           └─ window [RANGE 30]
              └─ stream Wide(a INT, b INT, c INT, d STRING)
        """,
        """
        project n, sum1
        └─ aggregate COUNT(*), SUM(a) by b
           └─ window [RANGE 30]
              └─ stream Wide(a INT, b INT)
        """,
    )


def test_a_count_reads_no_column() -> None:
    pruned(aggregate(last(WIDE), []), aggregate(last(wide()), []))
    one = Project(last(WIDE), (Literal(1, INT),), ("one",))
    pruned(one, Project(last(wide()), one.expressions, one.names))


def test_partitions_stay_and_move() -> None:
    pruned(project(rows(WIDE, 5, 2, 1), "d"), project(rows(wide(1, 2, 3), 5, 1, 0), "d"))
    pruned(project(sample(WIDE, 5, "ticks", 2), "d"), project(sample(wide(2, 3), 5, "ticks", 0), "d"))
    steps = JumpWindow(WIDE, Every(9, "ticks"), Every(2, "tuples"), (1,))
    narrow = JumpWindow(wide(1, 3), steps.range, steps.frequency, (0,))
    pruned(project(Append(steps), "d"), project(Append(narrow), "d"))


def test_a_sample_of_a_selection_gets_no_projection() -> None:
    pruned(project(sample(select(WIDE, "b = 1"), 5), "a"), project(sample(select(wide(0, 1), "b = 1"), 5), "a"))


def test_unions_lose_the_same_columns() -> None:
    check(
        prune_columns,
        project(Union((last(S), select(last(T), "k > 1"), project(R, "k", "k + 1"))), "v"),
        """
        project v
        └─ union all
           ├─ window [RANGE 30]
           │  └─ stream S(k INT, v INT)
           ├─ select k > 1
           │  └─ window [RANGE 30]
           │     └─ stream T(k INT, w INT)
           └─ project k, k + 1 AS x1
              └─ relation static R(k INT, name STRING)
        """,
        """
        project v
        └─ union all
           ├─ window [RANGE 30]
           │  └─ stream S(v INT)
           ├─ project w
           │  └─ select k > 1
           │     └─ window [RANGE 30]
           │        └─ stream T(k INT, w INT)
           └─ project k + 1 AS x1
              └─ relation static R(k INT)
        """,
    )


def test_projections_lose_expressions() -> None:
    pruned(
        project(last(project(WIDE, "a + 1", "b + 1", "c + 1")), "x1"),
        Project(last(Project(wide(1), project(wide(1), "b + 1").expressions, ("x1",))), (Column(0, INT),), ("x1",)),
    )


def test_through_rstream() -> None:
    pruned(project(rstream(last(WIDE)), "b"), project(rstream(last(wide(1))), "b"))


@pytest.mark.parametrize("operator", [istream, dstream, Distinct])
def test_whole_tuples_are_compared(operator: type[Plan]) -> None:
    unchanged(prune_columns, project(operator(last(WIDE)), "b"))


def test_whole_tuples_are_compared_by_sets_and_settle_ties() -> None:
    unchanged(
        prune_columns,
        project(Except(last(S), last(T), True), "v"),
        project(Intersect(last(S), last(T), False), "v"),
        project(top(last(WIDE), 3, "a"), "b"),
    )


def test_below_a_barrier_pruning_goes_on() -> None:
    pruned(
        project(Distinct(project(last(WIDE), "b", "c")), "c"),
        project(Distinct(project(last(wide(1, 2)), "b", "c")), "c"),
    )


def test_columns_of_a_narrow_scan() -> None:
    pruned(project(last(wide(3, 1, 0)), "b"), project(last(wide(1)), "b"))


def test_nothing_to_do() -> None:
    unchanged(prune_columns, S, last(S), join(last(S), R, "c0 = c2", "full"), project(S, "v", "k"))
