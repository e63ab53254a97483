"""A checkpoint that is stored in the tree is continued as if its run had never been stopped."""

from __future__ import annotations

from collections import Counter
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages

import pytest
from pyspark.sql import SparkSession

from tailrace import operators
from tailrace.bench.csql.window_ids import WindowIds
from tailrace.engine.pipeline import plan_script
from tailrace.errors import RunError, Source
from tailrace.operators.aggregates.formulas import ALGEBRAIC, HOLISTIC
from tailrace.operators.operator import Operator
from tests.checkpoints.stored import LAST, SCRIPT, Answers, count_rows, restore, run, stopped_at, write_inputs

REMAKE = "if that is on purpose, `make golden-checkpoint` makes the stored checkpoint anew"
ELSEWHERE = {WindowIds}  # only a measurement has it
REFUSED = {"std"}  # aggregates that no query can have


@pytest.mark.spark
def test_continued_as_if_never_stopped(spark: SparkSession, tmp_path: Path) -> None:
    stopped, whole = tmp_path / "stopped", tmp_path / "whole"
    write_inputs(stopped, 0, LAST)
    write_inputs(whole, 0, LAST)
    restore(stopped)
    try:
        found = run(stopped, count_rows(LAST))
    except RunError as problem:
        pytest.fail(f"the stored checkpoint cannot be continued: {problem}\n{REMAKE}")
    expected = run(whole, count_rows(LAST))
    assert len(expected) > 50
    assert [name for name, rows in later(expected).items() if not rows] == []
    differ = differences(later(found), later(expected))
    assert not differ, "\n".join([*differ[:10], REMAKE])


def later(answers: Answers) -> Answers:
    """What was answered after the stored run was stopped."""
    stop = stopped_at()
    return {
        name: Counter({row: count for row, count in rows.items() if row[0] is None or row[0] > stop})
        for name, rows in sorted(answers.items())
    }


def differences(found: Answers, expected: Answers) -> list[str]:
    told = []
    for name in sorted(found.keys() | expected.keys()):
        mine, theirs = found.get(name, Counter()), expected.get(name, Counter())
        told += [f"{name}: {row} is missing" for _, row in theirs - mine]
        told += [f"{name}: {row} is too much" for _, row in mine - theirs]
    return told


# What the checkpoint holds ---------------------------------------------------------------------------------


def test_every_operator_that_remembers_is_in_it() -> None:
    for module in walk_packages(operators.__path__, f"{operators.__name__}."):
        import_module(module.name)
    plan = plan_script(Source(SCRIPT.read_text(encoding="utf-8")))
    used = {type(step.work) for stage in plan.stages for step in stage.plan.steps}
    remember = {
        each
        for each in below(Operator)
        if each.initial_state is not Operator.initial_state and not each.__subclasses__()
    }
    assert remember - used == ELSEWHERE


def below(kind: type[Operator]) -> set[type[Operator]]:
    return {each for one in kind.__subclasses__() for each in (one, *below(one))}


def test_every_aggregate_is_in_it() -> None:
    text = SCRIPT.read_text(encoding="utf-8")
    assert {name for name in (*ALGEBRAIC, *HOLISTIC) if f" {name.upper()}(" not in text} == REFUSED
