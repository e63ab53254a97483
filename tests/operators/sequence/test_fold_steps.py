"""Fold steps: the aggregates of the tuples at each position, where no tuple is at two positions."""

from __future__ import annotations

from tailrace.operators.aggregates.aggregation import Aggregation
from tailrace.operators.sequence.fold_steps import FoldSteps
from tests.operators.step_through import NUMBER, TEXT, StepThrough

COUNT, TOTAL = Aggregation("count", (), NUMBER), Aggregation("sum", (1,), NUMBER)
LEAST = Aggregation("min", (1,), NUMBER)
TUPLES = "+ x 4 @2:0..2:1\n+ y None @2:0..2:1\n+ x 6 @2:0..2:1"


def test_the_tuples_of_each_evaluation_are_aggregated() -> None:
    """Each position has one row, over its tuples alone; COUNT(*) counts all, SUM and MIN leave out NULL."""
    steps = StepThrough(FoldSteps((NUMBER,) * 3, (), (COUNT, TOTAL, LEAST)), (TEXT, NUMBER))
    assert steps.batch(2, TUPLES) == ["+ 3 10 4 @2:0..2:1"]
    assert steps.batch(9, "+ z 5 @4:0..4:1\n+ y 1 @9:3..9:4") == ["+ 1 5 5 @4:0..4:1", "+ 1 1 1 @9:3..9:4"]
    assert steps.batch(12) == []


def test_each_group_of_an_evaluation_has_a_row() -> None:
    """With keys there is a row for each key at the position; a sum of nothing but NULL is NULL."""
    steps = StepThrough(FoldSteps((TEXT, NUMBER, NUMBER), (0,), (COUNT, TOTAL)), (TEXT, NUMBER))
    assert steps.batch(2, TUPLES) == ["+ x 2 10 @2:0..2:1", "+ y 1 None @2:0..2:1"]
    assert steps.batch(5, "+ y 7 @5:0..5:1") == ["+ y 1 7 @5:0..5:1"]
