"""Definition: what the queries of a random script should answer, by the reference evaluator, instant by instant."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

from tailrace.engine.pipeline import PlanningSession
from tailrace.logical.plan import Kind
from tests.fuzz.scripts import RandomScript
from tests.reference.evaluate import Answer, evaluate
from tests.reference.relational import SeveralRows


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
        return Expected(evaluate(plan, inputs, last, first), first)
    except SeveralRows:
        return None


def differences(expected: Expected, rows: list[tuple[int, str | None, tuple[Any, ...]]], last: int) -> list[str]:
    """Where a query's rows (instant, sign, tuple) differ from what is expected, instant by instant."""
    is_stream = expected.answer.kind is Kind.STREAM
    changes: dict[int, Counter[Any]] = {}
    problems = [f"@{instant} is outside the run: {row}" for instant, _, row in rows if not 0 <= instant <= last]
    for instant, sign, row in rows:
        both = changes.setdefault(instant, Counter())
        both[row] += -1 if sign == "-" else 1
    now: Counter[Any] = Counter()
    for instant in range(last + 1):
        now = Counter() if is_stream else now
        now.update(changes.get(instant, Counter()))
        wanted = expected.answer.bags[instant] if instant >= expected.first else Counter()
        problems += [f"@{instant} less than none of {row}" for row, count in now.items() if count < 0]
        problems += compare_bags(+now, wanted, instant)
        if len(problems) > 20:
            break
    return problems


def compare_bags(found: Counter[Any], wanted: Counter[Any], instant: int) -> list[str]:
    """What is missing and what is too much; fractions may differ in their last digits."""
    extra = list((found - wanted).elements())
    problems = []
    for row in (wanted - found).elements():
        near = next((other for other in extra if all(map(is_close, other, row))), None)
        if near is None:
            problems.append(f"@{instant} missing {row}")
        else:
            extra.remove(near)
    return problems + [f"@{instant} unexpected {row}" for row in extra]


def is_close(one: Any, other: Any) -> bool:
    if isinstance(one, float) and isinstance(other, float):
        return (
            one == other
            or abs(one - other) <= 1e-9 * max(abs(one), abs(other), 1e-3)
            or (one != one and other != other)
        )
    return type(one) is type(other) and bool(one == other)
