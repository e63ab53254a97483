"""SESSION: elements wait until the gap after the last one of their session is over."""

from __future__ import annotations

from tailrace.logical.time.window_tables import SessionWindow
from tailrace.operators.local_run import size_of
from tailrace.operators.windows.sessions import Sessions, SessionState
from tailrace.state.resharding import Shard, find_in_table
from tests.operators.step_through import NUMBER, TEXT, StepThrough

TYPES = (TEXT, NUMBER, NUMBER)


def steps(window: SessionWindow) -> StepThrough:
    return StepThrough(Sessions(TYPES, window, 1), (TEXT,))


def test_a_session_is_finished_when_its_gap_is_over() -> None:
    """With a gap of 5, elements 5 apart are one session, and elements 6 apart are two, as in Spark and Flink."""
    run = steps(SessionWindow(5))
    assert run.batch(7, "+ a @1..2\n+ b @6..7") == []
    assert run.batch(10) == []
    assert run.batch(12, "+ c @12..13") == ["+ a 1 11 @11..12", "+ b 1 11 @11..12"]
    assert run.batch(17) == ["+ c 12 17 @17..18"]


def test_an_element_at_the_end_of_a_session_belongs_to_it() -> None:
    run = steps(SessionWindow(5))
    assert run.batch(5, "+ a @1..2") == []
    assert run.batch(6, "+ b @6..7") == []
    assert run.batch(11) == ["+ a 1 11 @11..12", "+ b 1 11 @11..12"]


def test_a_session_goes_on_in_later_batches() -> None:
    run = steps(SessionWindow(3))
    assert run.batch(1, "+ a @1..2") == []
    assert run.batch(3, "+ b @3..4") == []
    assert run.batch(5, "+ c @5..6") == []
    assert run.batch(20, "+ d @20..21") == ["+ a 1 8 @8..9", "+ b 1 8 @8..9", "+ c 1 8 @8..9"]


def test_each_partition_has_its_own_sessions() -> None:
    """NULL is one partition. Of one batch come finished and open sessions."""
    run = steps(SessionWindow(3, (0,)))
    assert run.batch(9, "+ a @1..2\n+ None @2..3\n+ a @3..4\n+ a @8..9\n+ b @9..10") == [
        "+ None 2 5 @5..6",
        "+ a 1 6 @6..7",
        "+ a 1 6 @6..7",
    ]
    assert run.batch(12) == ["+ a 8 11 @11..12", "+ b 9 12 @12..13"]


def test_weights_stay() -> None:
    run = steps(SessionWindow(2))
    assert run.batch(9, "+3 a @1..2") == ["+3 a 1 3 @3..4"]


def test_finished_sessions_are_forgotten() -> None:
    """After many sessions of many partitions the state has few rows: those that are not yet merged away."""
    run = steps(SessionWindow(2, (0,)))
    for batch in range(60):
        run.batch(10 * batch + 9, "\n".join(f"+ {batch}-{key} @{10 * batch}..{10 * batch + 1}" for key in range(20)))
    rows, _ = size_of(run.state)
    assert rows < 200


def test_a_state_is_the_sum_of_its_shards() -> None:
    run = steps(SessionWindow(4, (0,)))
    run.batch(3, "+ a @1..2\n+ b @2..3\n+ c @3..4")
    key = find_in_table((0,), (0,))
    parts = [run.state.split(key, Shard(number, 2)) for number in range(2)]
    assert sum(len(part.sessions) for part in parts) == 3
    run.state = SessionState.merge(parts)
    assert run.batch(9) == ["+ a 1 5 @5..6", "+ b 2 6 @6..7", "+ c 3 7 @7..8"]
