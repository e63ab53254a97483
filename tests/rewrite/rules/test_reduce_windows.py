"""Reducing windows: Istream over unbounded windows, where the plan between is linear and where it is not."""

from tailrace.logical.nodes import ApplyWindow, Distinct, Union
from tailrace.logical.windows import TimeWindow
from tailrace.rewrite.rules.reduce_windows import reduce_windows
from tests.rewrite.build import (
    GROWING,
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
    now,
    project,
    rstream,
    select,
    semijoin,
    singlejoin,
    unbounded,
    unchanged,
)


def test_a_filter() -> None:
    """CQL §10.1."""
    check(
        reduce_windows,
        istream(project(select(unbounded(S), "v > 65"), "k")),
        """
        i-stream
        └─ project k
           └─ select v > 65
              └─ window [RANGE UNBOUNDED]
                 └─ stream S(k INT, v INT)
        """,
        """
        r-stream
        └─ project k
           └─ select v > 65
              └─ window [NOW]
                 └─ stream S(k INT, v INT)
        """,
    )


def test_a_union_of_a_join_with_what_never_changes() -> None:
    check(
        reduce_windows,
        istream(Union((project(join(R, unbounded(S), "c0 = c2"), "v"), project(unbounded(T), "w")))),
        """
        i-stream
        └─ union all
           ├─ project v
           │  └─ join on k#0 = k#2
           │     ├─ relation static R(k INT, name STRING)
           │     └─ window [RANGE UNBOUNDED]
           │        └─ stream S(k INT, v INT)
           └─ project w
              └─ window [RANGE UNBOUNDED]
                 └─ stream T(k INT, w INT)
        """,
        """
        r-stream
        └─ union all
           ├─ project v
           │  └─ join on k#0 = k#2
           │     ├─ relation static R(k INT, name STRING)
           │     └─ window [NOW]
           │        └─ stream S(k INT, v INT)
           └─ project w
              └─ window [NOW]
                 └─ stream T(k INT, w INT)
        """,
    )


def test_each_join_whose_other_side_never_changes() -> None:
    static = Distinct(aggregate(R, ["k"]))
    for made in (join, semijoin, antijoin, markjoin, singlejoin):
        assert reduce_windows(istream(made(unbounded(S), static, "c0 = c2"))) == rstream(
            made(now(S), static, "c0 = c2")
        )


def test_outer_joins_reduce_on_the_side_that_lives_on() -> None:
    on = "c0 = c2"
    assert reduce_windows(istream(join(unbounded(S), R, on, "left"))) == rstream(join(now(S), R, on, "left"))
    assert reduce_windows(istream(join(R, unbounded(S), on, "right"))) == rstream(join(R, now(S), on, "right"))
    unchanged(
        reduce_windows,
        istream(join(R, unbounded(S), on, "left")),
        istream(join(unbounded(S), R, on, "right")),
        istream(join(unbounded(S), R, on, "full")),
    )


def test_inside_a_larger_plan() -> None:
    inner = istream(select(unbounded(S), "v > 1"))
    assert reduce_windows(Distinct(last(inner))) == Distinct(last(rstream(select(now(S), "v > 1"))))


def test_static_rows_would_come_again_and_again() -> None:
    unchanged(reduce_windows, istream(Union((project(unbounded(S), "k"), project(R, "k")))), istream(R))


def test_both_sides_of_the_join_change() -> None:
    unchanged(
        reduce_windows,
        istream(join(unbounded(S), unbounded(T), "c0 = c2")),
        istream(join(unbounded(S), GROWING, "c0 = c2")),
        istream(join(unbounded(S), now(T), "c0 = c2")),
        istream(semijoin(unbounded(S), unbounded(T), "c0 = c2")),
        istream(semijoin(R, unbounded(S), "c0 = c2")),
        # As a stream, R is there at the first instant only.
        istream(join(unbounded(S), unbounded(istream(R)), "c0 = c2")),
    )


def test_not_linear() -> None:
    unchanged(
        reduce_windows,
        istream(Distinct(unbounded(S))),
        istream(aggregate(unbounded(S), ["k"])),
    )


def test_other_windows_and_operators() -> None:
    unchanged(
        reduce_windows,
        istream(last(S)),
        istream(now(S)),
        istream(ApplyWindow(S, TimeWindow(None, slide=5))),
        rstream(unbounded(S)),
        dstream(unbounded(S)),
        unbounded(S),
    )
