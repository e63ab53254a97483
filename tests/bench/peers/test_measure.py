"""Measure: what each system is asked in its steps; and, where Flink is installed, a whole line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tailrace.bench.peers import measure
from tailrace.bench.peers.__main__ import read_arguments
from tailrace.bench.peers.flink_environment import FlinkEnvironment
from tailrace.bench.peers.measure import PeerBench, Sizes
from tailrace.bench.peers.questions import FEW_FILTERS, QUESTIONS
from tailrace.errors import RunError

ENVIRONMENT = FlinkEnvironment(Path(__file__).parents[3] / ".venv-flink")
SMALL = Sizes(3000, 1000, 2000, seconds=2.0, warm_up=1.0, minutes=10.0)


def make_bench(folder: Path, said: list[str]) -> PeerBench:
    return PeerBench(ENVIRONMENT, folder, SMALL, 2, said.append)


def test_steps_are_checked_warmed_up_and_timed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "run").mkdir()
    tasks: list[dict[str, Any]] = []
    monkeypatch.setattr(measure, "run_process", lambda name, command, task, *rest, **more: tasks.append(task))
    bench = make_bench(tmp_path, [])
    for question in QUESTIONS.values():
        bench.run_tailrace(question, "csv", tmp_path / "run", True)
        bench.run_flink(question, "csv", tmp_path / "run", True)
        bench.run_flink(question, "csv", tmp_path / "run", False)
    assert [[step["name"] for step in task["steps"]] for task in tasks[:3]] == [
        ["check", "warm", "timed"],
        ["check", "warm", "timed"],
        ["warm", "timed"],
    ]
    assert [step["rows"] for step in tasks[0]["steps"]] == [1000, 2000, 3000]
    standing = tasks[-2]["steps"]
    assert [len(step["inserts"]) for step in standing] == [FEW_FILTERS, 1000, 1000]
    # What is timed is discarded.
    for task in tasks[1::3]:
        assert "blackhole" in task["steps"][-1]["tables"][-1]
    assert json.loads(json.dumps(tasks)) == tasks


def test_a_system_that_fails_leaves_its_reason(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(name: str, *rest: object, **more: object) -> None:
        raise RunError(f"{name}: it broke")

    monkeypatch.setattr(measure, "run_process", fail)
    said: list[str] = []
    found = make_bench(tmp_path, said).measure(QUESTIONS["filter"], "csv")
    assert found.problems == {system: f"filter, csv, {system}: it broke" for system in ("Tailrace", "Flink")}
    assert (found.seconds, found.answers, len(said)) == ({}, "not compared", 2)


def test_lines_are_chosen_by_name() -> None:
    assert read_arguments(["--lines", "filter", "delay", "--rows", "1000"]).lines == ["filter", "delay"]
    assert read_arguments([]).lines == [*QUESTIONS, "delay"]
    with pytest.raises(RunError, match="peers has no line filtr"):
        read_arguments(["--lines", "filtr"])


@pytest.mark.slow
@pytest.mark.spark
@pytest.mark.skipif(not ENVIRONMENT.is_complete(), reason="Flink is not installed: make bench-peers installs it")
@pytest.mark.parametrize("name", ["tumbling", "latest-per-vehicle"])
def test_both_systems_answer_the_same(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measure, "WARM_UP", 0.0)
    bench = make_bench(tmp_path, [])
    bench.generate([QUESTIONS[name]], ["csv"])
    found = bench.measure(QUESTIONS[name], "csv")
    assert (found.problems, found.seconds.keys()) == ({}, {"Tailrace", "Flink"})
    assert found.answers.endswith("rows agree")
    assert min(found.memory.values()) > 100 << 20
