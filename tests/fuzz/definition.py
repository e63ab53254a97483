"""Definition: what the queries of a random script should answer, by the reference evaluator, instant by instant."""

from __future__ import annotations

from dataclasses import dataclass

from tailrace.engine.pipeline import PlanningSession
from tailrace.testing.random_scripts.scripts import RandomScript
from tailrace.testing.reference.evaluate import Answer, evaluate
from tailrace.testing.reference.relational import SeveralRows


@dataclass(frozen=True)
class Expected:
    """A query's answer from an instant on."""

    answer: Answer
    first: int


def expected_answer(
    compiled: PlanningSession, script: RandomScript, name: str, last: int, first: int = 0
) -> Expected | None:
    """What the definition says of a query that sees rows from `first` on; None where it is an error by definition."""
    inputs = {source.name: source.inputs(first) for source in script.sources}
    plan = compiled.program.queries[name].plan
    try:
        return Expected(evaluate(plan, inputs, last, first, script.ticks_to_origin), first)
    except SeveralRows:
        return None
