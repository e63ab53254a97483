"""Project: at every instant the computed columns of each tuple of the input, duplicates included."""

from __future__ import annotations

from tailrace.logical.expressions import Call, Column
from tailrace.operators.relational.project import Project
from tailrace.types import BIGINT, STRING
from tests.operators.step_through import NUMBER, TEXT, StepThrough


def test_columns_are_computed_and_duplicates_stay() -> None:
    """π(R)(τ) = π(R(τ)) as bags: each row keeps its interval and weight, also if two become equal."""
    total = Call("+", (Column(0, BIGINT), Column(1, BIGINT)), BIGINT)
    steps = StepThrough(Project((TEXT, NUMBER), (Column(2, STRING), total)), (NUMBER, NUMBER, TEXT))
    assert steps.batch(2, "+ 1 4 a @1..4\n+2 2 3 a @1..4\n+ 1 None b @2..") == [
        "+ a 5 @1..4",
        "+2 a 5 @1..4",
        "+ b None @2..",
    ]
    assert steps.batch(9, "- 1 None b @8..") == ["- b None @8.."]
