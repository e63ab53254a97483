"""Samples: those elements that drew the lowest lots. In these tests an element's lot is its first column."""

from __future__ import annotations

from decimal import Decimal

import pyarrow as pa
import pytest

from tailrace.logical.sampling import SampleRate
from tailrace.logical.windows import Reservoir as Window
from tailrace.operators.windows import sampling
from tailrace.operators.windows.sampling import HashSample, Reservoir
from tests.operators.step_through import NUMBER, TEXT, StepThrough


@pytest.fixture(autouse=True)
def lots(monkeypatch: pytest.MonkeyPatch) -> None:
    """The lot is the first column; of equal elements of a reservoir each next one draws a lot that is 100 higher."""

    def first_column(seed: int, instants: object, columns: list[pa.Array]) -> object:
        twins = columns[-1].to_numpy() if len(columns) > 1 else 0
        return columns[0].to_numpy() + 100 * twins

    monkeypatch.setattr(sampling, "sample_hashes", first_column)


def test_a_share_is_the_elements_with_low_lots() -> None:
    """SAMPLE 50 PERCENT takes an element if (lot + 2⁶³) · 100 < 50 · 2⁶⁴, that is if its lot is negative."""
    half = StepThrough(HashSample((NUMBER, TEXT), SampleRate(Decimal(50), 0), columns=(0,)))
    assert half.batch(3, "+ -2 a @1..2\n+ 0 b @1..2\n+2 -1 c @3..4") == ["+ -2 a @1..2", "+2 -1 c @3..4"]
    assert half.batch(5, "+ 7 d @4..5\n+ -9 e @5..6") == ["+ -9 e @5..6"]


def test_a_reservoir_holds_the_lowest_lots_so_far() -> None:
    """[SAMPLE 2 ROWS] holds at τ those two of all elements up to τ that have the lowest lots."""
    steps = StepThrough(Reservoir((NUMBER,), Window(2, 0)))
    assert steps.batch(2, "+ 5 @1..2\n+ 3 @2..3") == ["+ 5 @1..", "+ 3 @2.."]
    assert steps.batch(6, "+ 9 @3..4\n+ 4 @4..5\n+ 1 @6..7") == ["+ 4 @4..6", "- 5 @4..", "+ 1 @6.."]
    assert steps.batch(9) == []


def test_a_reservoir_tells_equal_elements_apart() -> None:
    """Into a lot goes the element's number among its equals of one instant, so one copy may leave before the other."""
    steps = StepThrough(Reservoir((NUMBER,), Window(2, 0)))
    assert steps.batch(1, "+2 1 @1..2") == ["+ 1 @1..", "+ 1 @1.."]
    assert steps.batch(2, "+ 5 @2..3") == ["+ 5 @2..", "- 1 @2.."]
