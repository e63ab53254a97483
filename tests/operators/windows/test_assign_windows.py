"""TUMBLE, HOP and CUMULATE: a row for each window of an element, at its own instant or when that is finished."""

from __future__ import annotations

from random import Random

import numpy as np
import pyarrow as pa
import pytest

from tailrace.columnar.delta import Span, parse
from tailrace.errors import RunError
from tailrace.logical.time.window_tables import CumulateWindow, HopWindow, PaneWindow
from tailrace.operators.operator import TaskContext
from tailrace.operators.windows.assign_windows import AssignWindowsOp, windows_of
from tailrace.rewrite.rewriter import rewrite
from tailrace.settings import Settings
from tailrace.testing.reference.evaluate import evaluate
from tailrace.testing.reference.window_tables import windows_at
from tests.conftest import Examples
from tests.operators.local import answered, differences, splits
from tests.operators.step_through import NUMBER, TEXT, StepThrough
from tests.operators.test_local_run import can_run
from tests.random_plans.window_tables import windowed_world

TYPES = (TEXT, NUMBER, NUMBER)


def steps(window: PaneWindow, finished: bool) -> StepThrough:
    return StepThrough(AssignWindowsOp(TYPES, window, 1, finished), (TEXT,))


def test_a_tumbling_window_ends_where_the_next_begins() -> None:
    """[start, end): the element of instant 10 is in the second window of ten ticks."""
    run = steps(HopWindow(10, 10), finished=False)
    assert run.batch(12, "+ a @9..10\n+ b @10..11") == ["+ a 0 10 @9..10", "+ b 10 20 @10..11"]


def test_a_finished_window_is_there_at_its_end_only() -> None:
    run = steps(HopWindow(10, 10, 3), finished=True)
    assert run.batch(4, "+ a @2..3\n+ b @3..4") == ["+ a -7 3 @3..4", "+ b 3 13 @13..14"]
    assert run.batch(40) == []


def test_a_hopping_window_repeats_an_element() -> None:
    run = steps(HopWindow(4, 2), finished=True)
    assert run.batch(5, "+ a @5..6") == ["+ a 2 6 @6..7", "+ a 4 8 @8..9"]


def test_windows_with_gaps_leave_elements_out() -> None:
    run = steps(HopWindow(2, 3), finished=False)
    assert run.batch(5, "+ a @4..5\n+ b @5..6") == ["+ a 3 5 @4..5"]


def test_cumulating_windows_begin_together() -> None:
    run = steps(CumulateWindow(6, 2), finished=True)
    assert run.batch(5, "+ a @3..4") == ["+ a 0 4 @4..5", "+ a 0 6 @6..7"]


def test_windows_are_aligned_to_1970_and_not_to_the_origin() -> None:
    """Instant 0 is second 103 of 1970: its window of ten seconds is that of 100 to 110."""
    moment = pa.timestamp("us", "UTC")
    work = AssignWindowsOp((moment, moment), HopWindow(10, 10), 1_000_000, True)
    rows, _ = work.apply([parse("+ @0..1", ())], None, Span(-1, 0), TaskContext(origin=103, in_ticks=False))
    assert (rows.start.tolist(), rows.until.tolist()) == ([7], [8])
    assert [column.cast(pa.int64()).to_pylist() for column in rows.columns] == [[100_000_000], [110_000_000]]


def test_other_timestamps_than_planned_are_an_error() -> None:
    work = AssignWindowsOp(TYPES, HopWindow(10, 10), 1, True)
    with pytest.raises(RunError, match="planned for other timestamps: those of its sources are TIMESTAMPs"):
        work.apply([parse("+ a @0..1", (TEXT,))], None, Span(-1, 0), TaskContext(in_ticks=False))


def test_windows_are_those_of_the_formula() -> None:
    chance = Random(7)
    for _ in range(300):
        step, offset = chance.randrange(1, 5), chance.randrange(4)
        window: PaneWindow = HopWindow(chance.randrange(1, 9), step, offset)
        if chance.randrange(2):
            window = CumulateWindow(step * chance.randrange(1, 4), step, offset)
        ticks = np.array([chance.randrange(-20, 40) for _ in range(5)])
        rows, starts, ends = windows_of(window, ticks)
        found = {(row, start, end) for row, start, end in zip(rows, starts, ends, strict=True)}
        assert len(found) == len(rows)
        assert found == {(row, *pair) for row, tick in enumerate(ticks) for pair in windows_at(window, int(tick))}


@pytest.mark.parametrize("start", [0, pytest.param(400, marks=pytest.mark.slow)])
def test_random_plans_with_windows(start: int, examples: Examples) -> None:
    """As the definition says, as written and as rewritten, in batches split at random."""
    ran = 0
    for seed in range(start, start + 400):
        world, chance = windowed_world(seed), Random(seed)
        if not can_run(world.plan):
            continue
        expected = evaluate(world.plan, world.inputs, world.last_instant)
        for plan in (world.plan, rewrite(world.plan, Settings()).plan):
            beats = splits(world.last_instant, chance)
            found = differences(answered(plan, world.inputs, beats, chance), expected)
            assert not found, f"seed {seed}: {found[:5]}"
        ran += 1
    assert ran > 200
    examples("plans with windows of a start and an end, in batches split at random", ran)
