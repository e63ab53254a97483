"""The law of resharding, for each operator with state: the parts of a state for all shards, merged, are the state."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from datetime import date
from decimal import Decimal
from functools import cache
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from tailrace.columnar.arrow_types import arrow_type
from tailrace.columnar.delta import Delta
from tailrace.engine.pipeline import plan_script
from tailrace.errors import Source
from tailrace.logical.windows import Every
from tailrace.operators.operator import Operator
from tailrace.operators.sequence.frequency import FrequencySample
from tailrace.operators.streams.changelog import IStream
from tailrace.operators.windows.expire import Expire
from tailrace.staging.stages import Stage
from tailrace.state.resharding import Shard, merge_states, split_state
from tailrace.state.runs import Run
from tests.checkpoints.stored import A_FILE, MOVING, SCRIPT, rows_of
from tests.operators.step_through import NUMBER, StepThrough
from tests.operators.test_identity import all_operators
from tests.staging.staged import StagedRun

# Their state is whole in one shard: they have no key, or no input.
UNSHARDED = {"top-k", "reservoir", "row-number", "family-members"}
MADE_OF_TEXT = {"p": Decimal, "day": date.fromisoformat}


@cache
def states() -> list[tuple[Stage, int, Operator, Any]]:
    """The states of a script that uses every operator with state, after two batches over one shard."""
    plan = plan_script(Source(SCRIPT.read_text(encoding="utf-8")))
    run = StagedRun(plan, 1)
    for number in range(2):
        rows = {source.name: rows_of(source.name, number) for source in plan.sources if source.name in MOVING}
        inputs = {
            source.name: arrive(source.schema, rows[source.name]) for source in plan.sources if source.name in rows
        }
        run.batch(inputs, (number + 1) * A_FILE - 4)
    return [
        (stage, number, step.work, parts[0].state[number])
        for stage, parts in zip(plan.stages, run.runs, strict=True)
        for number, step in enumerate(stage.plan.steps)
        if isinstance(step.work, Operator) and parts[0].state[number] is not None
    ]


def arrive(schema: Any, rows: list[dict[str, Any]]) -> Delta:
    start = np.array([row["ts"] for row in rows], np.int64)
    weight = np.array([-1 if row.get("op") == "-" else 1 for row in rows], np.int64)
    columns = [
        pa.array([read_value(field.name, row[field.name]) for row in rows], arrow_type(field.type)) for field in schema
    ]
    return Delta(start, start + 1, weight, tuple(columns))


def read_value(name: str, value: Any) -> Any:
    return MADE_OF_TEXT[name](value) if name in MADE_OF_TEXT and value is not None else value


def contents(state: Any) -> Any:
    """A state as values that can be compared; the order of rows, and how runs are cut, do not matter."""
    match state:
        case Delta():
            times = (state.start, state.until, state.weight)
            return sorted(map(repr, zip(*(each.tolist() for each in (*times, *state.columns)), strict=True)))
        case tuple() if state and isinstance(state[0], Run):
            return sorted(row for run in state for row in rows_in(run))
        case tuple():
            return [contents(each) for each in state]
    if is_dataclass(state):
        return {each.name: contents(getattr(state, each.name)) for each in fields(state)}
    return state


def rows_in(run: Run) -> Iterator[str]:
    columns = [column.to_pylist() for column in run.columns]
    return map(repr, zip(run.order.tolist(), *columns, strict=True))


def count_rows(state: Mapping[str, Any] | list[Any] | Any) -> int:
    """How many rows the contents of a state have."""
    if isinstance(state, dict):
        return sum(map(count_rows, state.values()))
    if isinstance(state, list):
        return sum(1 if isinstance(each, str) else count_rows(each) for each in state)
    return 0


def check_law(state: Any, parts: list[Any]) -> bool:
    """Check that the parts merged are the state; returns whether several parts have rows."""
    whole, sizes = contents(merge_states([state])), [count_rows(contents(part)) for part in parts]
    assert contents(merge_states(parts)) == whole
    assert sum(sizes) == count_rows(whole)
    return sum(size > 0 for size in sizes) > 1


@pytest.mark.parametrize("shards", [2, 5])
def test_the_parts_of_a_state_merged_are_the_state(shards: int) -> None:
    split = set()
    for stage, step, operator, state in states():
        parts = [stage.reshard_state(step, [state], Shard(number, shards)) for number in range(shards)]
        if step in stage.single:
            assert parts[0] is state
            assert [contents(part) for part in parts[1:]] == [contents(operator.initial_state())] * (shards - 1)
        elif check_law(state, parts):
            split.add(operator.kind)
    stateful = {each for each in all_operators() if each.initial_state is not Operator.initial_state}
    kinds = {each.kind for each in stateful if "kind" in vars(each)}
    assert kinds - split == UNSHARDED | {each.kind for each, _ in SELDOM}


# Operators whose state has no rows, or one row, at the end of the script.
SELDOM: list[tuple[Operator, str]] = [
    (Expire((NUMBER,)), "+ {n} @1..{later}"),
    (IStream((NUMBER,)), "+ {n} @{later}.."),
    (FrequencySample((NUMBER, NUMBER), Every(50, "ticks"), (0,)), "+ {n} 3:0 @3..4"),
    (FrequencySample((NUMBER, NUMBER), Every(2, "tuples"), (0,)), "+ {n} 3:0 @3..4"),
]


@pytest.mark.parametrize("shards", [2, 5])
@pytest.mark.parametrize(("operator", "row"), SELDOM, ids=["expire", "istream", "slots", "tuples"])
def test_the_law_for_operators_that_seldom_remember_rows(operator: Operator, row: str, shards: int) -> None:
    run = StepThrough(operator)
    run.batch(9, "\n".join(row.format(n=n, later=10 + n) for n in range(20)))
    columns = operator.shard_columns([(0,)])
    assert check_law(run.state, [split_state(run.state, columns, Shard(number, shards)) for number in range(shards)])
