"""Windows with a start and an end: what rules may do below them."""

from __future__ import annotations

from tailrace.logical.nodes import Project, Select
from tailrace.logical.plan import Plan
from tailrace.logical.time.window_tables import AssignWindows, HopWindow, SessionWindow, TableWindow
from tailrace.rewrite.rules.prune_columns import prune_columns
from tailrace.rewrite.rules.push_selections import push_selections
from tailrace.types import BIGINT
from tests.random_plans.build import INT, call, col, number, stream

S = stream("S", k=INT, v=INT)


def assign(child: Plan, window: TableWindow) -> AssignWindows:
    return AssignWindows(child, window, BIGINT, 1, True)


def above(plan: Plan, name: str) -> Select:
    return Select(plan, call(">", col(plan, name), number(3)))


def test_a_selection_of_the_stream_goes_below_its_windows() -> None:
    window = HopWindow(4, 2)
    assert push_selections(above(assign(S, window), "v")) == assign(above(S, "v"), window)
    stays = above(assign(S, window), "window_end")
    assert push_selections(stays) == stays


def test_below_sessions_goes_what_reads_their_partition_only() -> None:
    """A selection by v would take elements out of the middle of a session."""
    window = SessionWindow(5, (0,))
    assert push_selections(above(assign(S, window), "k")) == assign(above(S, "k"), window)
    stays = above(assign(S, window), "v")
    assert push_selections(stays) == stays


def test_columns_that_nobody_reads_are_not_carried_below_windows() -> None:
    """A session still reads its partition."""
    wide = stream("W", a=INT, k=INT, v=INT)
    plan = assign(wide, SessionWindow(5, (1,)))
    pruned = prune_columns(Project(plan, (col(plan, "window_end"),), ("e",)))
    (below,) = pruned.children
    assert isinstance(below, AssignWindows)
    assert below.schema.names == ("k", "window_start", "window_end")
    assert below.window == SessionWindow(5, (0,))
