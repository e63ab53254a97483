"""The stored figures of quick measurements: their form, and how new figures are printed beside them; never how good."""

from __future__ import annotations

import doctest
import importlib.util
import json
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tailrace.bench.report.run import BENCHES

SCRIPT = Path(__file__).resolve().parents[2] / "scripts" / "bench_baseline.py"


@pytest.fixture(scope="module")
def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("bench_baseline", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    found = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(found)
    return found


def test_examples_in_the_script(script: ModuleType) -> None:
    found = doctest.testmod(script, optionflags=doctest.NORMALIZE_WHITESPACE)
    assert found.attempted > 2
    assert found.failed == 0


def test_stored_figures_are_of_measurements_that_there_are(script: ModuleType) -> None:
    stored = json.loads(script.STORED.read_text(encoding="utf-8"))
    assert set(script.BENCHES) <= set(BENCHES)
    assert {name.partition(":")[0] for name in stored["figures"]} == set(stored["measured"])
    assert set() < set(stored["measured"]) <= set(script.BENCHES)
    assert all(figure["value"] > 0 and figure["unit"] for figure in stored["figures"].values())
    assert stored["machine"]["cores"] >= 1


def test_some_are_measured_and_stored(
    script: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def measured(bench: str) -> dict[str, Any]:
        return {f"{bench}: line": {"value": 3.0, "unit": "s"}}

    monkeypatch.setattr(script, "STORED", tmp_path / "baseline.json")
    monkeypatch.setattr(script, "measure", measured)
    script.main(["state", "--write"])
    script.main(["memory", "--write"])
    stored = json.loads(script.STORED.read_text())
    assert set(stored["figures"]) == {"state: line", "memory: line"}
    assert set(stored["measured"]) == {"state", "memory"}
    script.main(["state"])
    assert "state: line              3          3   1.00  s" in capsys.readouterr().out


def test_a_measurement_that_fails_leaves_the_stored_figures(
    script: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(script, "STORED", tmp_path / "baseline.json")
    monkeypatch.setattr(script, "PROGRAM", "import sys; sys.exit(1)")
    script.keep("state", {}, {"state: line": {"value": 3.0, "unit": "s"}})
    before = script.STORED.read_text()
    script.main(["state", "--write"])
    assert script.STORED.read_text() == before


def test_a_measurement_that_is_not_there(script: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        script.main(["stat"])
    assert "no bench stat: there are latency, registering, state, memory" in capsys.readouterr().err
