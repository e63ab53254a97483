"""Local: random and worked inputs through the physical operators in this process, in any split into batches."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import Any

import numpy as np
import pyarrow as pa

from tailrace.catalog.sources import Declared
from tailrace.columnar.arrow_types import arrow_type
from tailrace.columnar.delta import Delta, concat
from tailrace.logical.plan import Kind, Plan
from tailrace.lowering.lower import lower
from tailrace.operators.local_run import LocalRun
from tailrace.operators.operator import TaskContext
from tailrace.operators.plan import PhysicalPlan
from tailrace.testing.answers import compare_bags
from tailrace.testing.reference.evaluate import Answer

Rows = Sequence[Any]


def arrived(source: Declared, rows: Rows) -> Delta:
    """A source's rows as they come: (instant, tuple), or (instant or None, op, tuple) of a relation."""
    instants = np.array([row[0] or 0 for row in rows], np.int64)
    weights = np.array([-1 if len(row) == 3 and row[1] == "-" else 1 for row in rows], np.int64)
    columns = tuple(
        pa.array([row[-1][index] for row in rows], arrow_type(field.type)) for index, field in enumerate(source.schema)
    )
    return Delta(instants, instants + 1, weights, columns)


def splits(last_instant: int, chance: Random) -> list[int]:
    """Watermarks of the batches, up to the last instant: one batch, a few, or one for each instant."""
    style = chance.randrange(4)
    if style == 0:
        return [last_instant]
    if style == 1:
        return list(range(last_instant + 1))
    inner = chance.sample(range(last_instant + 1), k=min(last_instant + 1, chance.randrange(1, 6)))
    return sorted({*inner, last_instant})


def batches(
    plan: PhysicalPlan, inputs: Mapping[str, Rows], beats: Sequence[int], chance: Random
) -> list[tuple[dict[str, Delta], int]]:
    """The inputs cut at the watermarks; now and then a row comes in an earlier batch."""
    found = []
    waiting = {source.name: list(inputs[source.name]) for source in plan.sources}
    for beat in beats:
        batch = {}
        for source in plan.sources:
            early = beat + chance.randrange(3)
            now = [row for row in waiting[source.name] if (row[0] or 0) <= early]
            waiting[source.name] = waiting[source.name][len(now) :]
            if now:
                batch[source.name] = arrived(source, now)
        found.append((batch, beat))
    return found


def run(plan: PhysicalPlan, batches: Iterable[tuple[Mapping[str, Delta], int]], origin: int = 0) -> dict[str, Delta]:
    """Run batches, each given with its watermark, and return all rows of every query."""
    local = LocalRun(plan, context=TaskContext(origin=origin))
    answers: dict[str, list[Delta]] = {name: [] for name in plan.outputs}
    for inputs, to in batches:
        for name, delta in local.batch(inputs, to).items():
            answers[name].append(delta)
    return {name: concat(parts, plan.types(plan.outputs[name])) for name, parts in answers.items()}


def answered(plan: Plan, inputs: Mapping[str, Rows], beats: Sequence[int], chance: Random, origin: int = 0) -> Answer:
    """What the physical operators answer, in the form of the reference's answer."""
    physical = lower({"query": plan})
    return as_answer(plan.kind, run(physical, batches(physical, inputs, beats, chance), origin)["query"], beats[-1])


def without_zone(column: pa.Array) -> pa.Array:
    """TIMESTAMPs as the reference has them: in UTC, without saying so."""
    return column.cast(pa.timestamp("us")) if pa.types.is_timestamp(column.type) else column


def as_answer(kind: Kind, rows: Delta, last_instant: int) -> Answer:
    if kind is Kind.STREAM:
        # A stream's row that needs no other row is emitted at once, even after the last watermark.
        rows = rows.where(rows.start <= last_instant)
    changes: list[Counter[Any]] = [Counter() for _ in range(last_instant + 1)]
    values = [without_zone(column).to_pylist() for column in rows.columns]
    tuples = list(zip(*values, strict=True)) if values else [()] * len(rows)
    for instant, weight, row in zip(rows.start.tolist(), rows.weight.tolist(), tuples, strict=True):
        both = changes[instant][row] * weight < 0
        assert not both or kind is Kind.STREAM, f"{row} comes and goes at {instant}"
        changes[instant][row] += weight
    if kind is Kind.STREAM:
        return Answer(kind, tuple(changes))
    bags = []
    now: Counter[Any] = Counter()
    for change in changes:
        now = now.copy()
        now.update(change)
        assert min(now.values(), default=0) >= 0, f"less than none: {now}"
        bags.append(+now)
    return Answer(kind, tuple(bags))


def differences(found: Answer, expected: Answer) -> list[str]:
    """Instant by instant what is missing and what is too much; doubles may differ in the last digits."""
    pairs = enumerate(zip(found.bags, expected.bags, strict=True))
    return [problem for instant, (mine, theirs) in pairs for problem in compare_bags(mine, theirs, instant)]
