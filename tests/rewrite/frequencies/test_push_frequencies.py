"""Pushing frequencies: below projections and joins that find one tuple, and below nothing else."""

from tailrace.catalog.sources import Relation
from tailrace.logical.nodes import Append, JumpWindow, Scan, Union
from tailrace.logical.windows import ONE_TUPLE, Every
from tailrace.rewrite.frequencies.push_frequencies import push_frequencies
from tailrace.schema import Schema
from tailrace.types import INT, STRING
from tests.rewrite.build import WIDE, R, S, T, check, istream, join, last, project, sample, select, unchanged


def test_below_a_projection() -> None:
    check(
        push_frequencies,
        sample(project(WIDE, "a + b", "c"), 10, "ticks", 1),
        """
        frequency every 10 TICKS by c
        └─ project a + b AS x0, c
           └─ stream Wide(a INT, b INT, c INT, d STRING)
        """,
        """
        project a + b AS x0, c
        └─ frequency every 10 TICKS by c
           └─ stream Wide(a INT, b INT, c INT, d STRING)
        """,
    )


def test_below_two_projections() -> None:
    plan = sample(project(project(WIDE, "c", "a"), "a", "c + 1"), 10, "tuples", 0)
    assert push_frequencies(plan) == project(project(sample(WIDE, 10, "tuples", 0), "c", "a"), "a", "c + 1")


def test_substreams_told_apart_by_a_computed_column() -> None:
    unchanged(push_frequencies, sample(project(S, "k % 2", "v"), 10, "tuples", 0))


def test_not_below_what_changes_which_element_is_the_last() -> None:
    unchanged(
        push_frequencies,
        sample(select(S, "v > 1"), 10, "ticks"),
        sample(select(S, "v > 1"), 10, "tuples"),
        sample(Union((S, T)), 10, "ticks"),
        sample(istream(last(S)), 10, "ticks"),
        sample(Append(JumpWindow(S, Every(5, "ticks"), ONE_TUPLE)), 10, "ticks"),
        sample(S, 10, "ticks"),
    )


def test_below_an_outer_join_with_a_key() -> None:
    keyed = Scan(Relation("Named", Schema.of(("k", INT), ("name", STRING)), key=("K",)))
    one = JumpWindow(S, ONE_TUPLE, ONE_TUPLE)
    joined = Append(project(join(one, keyed, "c0 = c2", "left"), "c1", "name", "c0"))
    below = JumpWindow(sample(S, 10, "ticks", 0), ONE_TUPLE, ONE_TUPLE)
    expected = Append(project(join(below, keyed, "c0 = c2", "left"), "c1", "name", "c0"))
    assert push_frequencies(sample(joined, 10, "ticks", 2)) == expected
    unchanged(
        push_frequencies,
        sample(joined, 10, "ticks", 1),
        sample(Append(join(one, keyed, "c0 = c2")), 10, "ticks"),
        sample(Append(join(one, keyed, "c1 = c2 + 1", "left")), 10, "ticks"),
        sample(Append(join(one, R, "c0 = c2", "left")), 10, "ticks"),
    )


def test_below_steps_and_the_projection_they_are_of_at_once() -> None:
    one = JumpWindow(project(S, "v", "k"), ONE_TUPLE, ONE_TUPLE)
    plan = project(sample(Append(one), 10, "ticks", 1), "v")
    below = JumpWindow(project(sample(S, 10, "ticks", 0), "v", "k"), ONE_TUPLE, ONE_TUPLE)
    assert push_frequencies(plan) == project(Append(below), "v")
