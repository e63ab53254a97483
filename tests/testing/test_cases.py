"""The worked cases: each script, analysed and evaluated by the reference, gives the rows its case expects.

The plan is evaluated twice, as the analysis made it and as the rewrites left it.
"""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tailrace.analysis.program import Program, analyse
from tailrace.errors import Source
from tailrace.language.script import parse_script
from tailrace.logical.nodes import Scan
from tailrace.logical.plan import Kind, Plan, walk
from tailrace.logical.text.explain import tree
from tailrace.rewrite.rewriter import rewrite
from tailrace.testing.files import Clock, ScriptInputs, read_inputs
from tailrace.testing.reference.evaluate import Answer, changelog, evaluate, stream_rows
from tests.cases.compare import Found, differences
from tests.language.scripts import case_scripts, refused_scripts

ANSWERED = [script.parent for script in case_scripts()]


def test_there_are_cases() -> None:
    assert len(ANSWERED) > 100
    assert len(refused_scripts()) >= 3


@cache
def prepared(folder: Path) -> tuple[Program, ScriptInputs]:
    """A case's program and its inputs; both plans of a case share them."""
    program = analyse(parse_script(Source((folder / "script.cql").read_text(), "script.cql")), folder)
    plans = [query.plan for query in program.queries.values()]
    sources = {node.source for plan in plans for node in walk(plan) if isinstance(node, Scan)}
    return program, read_inputs(sources, program.settings, case_of(folder)["until"])


def case_of(folder: Path) -> dict[str, Any]:
    return json.loads((folder / "case.json").read_text())


def rows_of(answer: Answer, result: str, clock: Clock) -> list[Found]:
    """The rows the sink would receive."""
    if result == "stream":
        assert answer.kind is Kind.STREAM, f"a {answer.kind} where a stream is expected"
        return [(clock.stamp(instant), None, row) for instant, row in stream_rows(answer)]
    assert answer.kind is Kind.RELATION, f"a {answer.kind} where a relation is expected"
    if result == "snapshot":
        return [(None, None, row) for row in answer.bags[-1].elements()]
    return [(clock.stamp(instant), op, row) for instant, op, row in changelog(answer)]


def answered(folder: Path, plan: Plan) -> Answer:
    _, inputs = prepared(folder)
    return evaluate(plan, inputs.rows, inputs.last_instant)


def check(folder: Path, name: str, plan: Plan, answer: Answer) -> None:
    case, (program, inputs) = case_of(folder), prepared(folder)
    expected = (folder / "expected" / f"{name}.jsonl").read_text().splitlines()
    found = differences(
        rows_of(answer, case["result"], inputs.clock),
        map(json.loads, expected),
        program.queries[name].names,
        case.get("exact_names", False),
    )
    summary = "\n".join(found[:10])
    assert not found, f"{len(found)} rows differ from {case['notes']}:\n{summary}\n{tree(plan)}"


@pytest.mark.parametrize("folder", ANSWERED, ids=lambda folder: folder.name)
def test_analysed(folder: Path) -> None:
    program, _ = prepared(folder)
    for name, query in program.queries.items():
        check(folder, name, query.plan, answered(folder, query.plan))


@pytest.mark.parametrize("folder", ANSWERED, ids=lambda folder: folder.name)
@pytest.mark.parametrize("frequency_rewrites", [False, True], ids=["rules", "frequency_rules"])
def test_rewritten(folder: Path, frequency_rewrites: bool) -> None:
    program, _ = prepared(folder)
    settings = replace(program.settings, frequency_rewrites=frequency_rewrites)
    for name, query in program.queries.items():
        rewritten = rewrite(query.plan, settings).plan
        check(folder, name, rewritten, answered(folder, rewritten))
