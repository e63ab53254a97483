"""Measurements: the form of what they report, their inputs, and that they run; never how long something took."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest
from rich.console import Console
from typer.testing import CliRunner

from tailrace.bench.inputs import data
from tailrace.bench.report.breakdown import Breakdown, TimePart, as_breakdown_table
from tailrace.bench.report.lines import BenchLine, as_json, as_table
from tailrace.bench.report.run import BENCHES, run_bench
from tailrace.bench.spark import memory, state, windows
from tailrace.cli.main import app
from tailrace.engine.pipeline import compile_script
from tailrace.errors import RunError, Source

LINES = [
    BenchLine("filter", 1_234_567.8, "rows/s", "Spark's filter", 2_469_135.6, 0.5),
    BenchLine("sliding average", 300.0, "rows/s", "Spark's tumbling count", 100.0, 3.0, {"mean load": 0.25}),
]

BROKEN_DOWN = Breakdown(
    "filter",
    50.0,
    (TimePart("scan", "scan", 30.0, 60.0), TimePart("state", "load", 4.0, 8.0), TimePart("state", "save", 6.0, 6.0)),
    batches=3,
)


def silent(text: str) -> None:
    pass


# What is reported ------------------------------------------------------------------------------------------


def test_json_has_the_promised_form() -> None:
    found = json.loads(as_json("windows", LINES))
    assert found["bench"] == "windows"
    promised = {"line": "filter", "value": 1_234_567.8, "unit": "rows/s", "beside": "Spark's filter", "ratio": 0.5}
    assert found["lines"][0] == {**promised, "beside_value": 2_469_135.6}
    assert found["lines"][1]["mean_load"] == 0.25


def test_table_shows_every_figure() -> None:
    console = Console(width=120, file=io.StringIO(), record=True)
    console.print(as_table("windows", LINES))
    text = console.export_text()
    rows = [[cell.strip() for cell in row.split("│")[1:-1]] for row in text.splitlines() if "│" in row]
    assert rows == [
        ["filter", "1,234,568", "Spark's filter", "2,469,136", "0.50", ""],
        ["sliding average", "300", "Spark's tumbling count", "100", "3.00", "0.25"],
    ]


def test_plot_is_a_png(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    from tailrace.bench.report.plots import plot

    plot("windows", LINES, tmp_path / "a.png")
    assert (tmp_path / "a.png").read_bytes()[:4] == b"\x89PNG"


def test_a_breakdown_is_a_table_a_plot_and_json(tmp_path: Path) -> None:
    console = Console(width=120, file=io.StringIO(), record=True)
    console.print(as_breakdown_table(BROKEN_DOWN))
    text = console.export_text()
    assert "filter: 50 ms, the median of 3 batches" in text
    rows = [[cell.strip() for cell in row.split("│")[1:-1]] for row in text.splitlines() if "│" in row]
    assert rows[:2] == [["scan", "", "30", "60 %", "60"], ["state", "", "10", "20 %", "14"]]
    assert rows[-1] == ["other", "", "10", "20 %", ""]
    found = json.loads(as_json("profile", [], breakdowns=[BROKEN_DOWN]))
    assert [(line["line"], line["value"], line["unit"]) for line in found["lines"]] == [("filter", 50.0, "ms")]
    assert found["breakdowns"][0]["parts"][0] == {"group": "scan", "name": "scan", "wall": 30.0, "task": 60.0}
    pytest.importorskip("matplotlib")
    from tailrace.bench.report.plots import plot_breakdowns

    plot_breakdowns("profile", [BROKEN_DOWN], tmp_path / "a.png")
    assert (tmp_path / "a.png").read_bytes()[:4] == b"\x89PNG"


def test_the_command_prints_and_writes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(run_bench.__globals__["BENCHES"], "windows", lambda quick, say: LINES[: 1 if quick else 2])
    result = CliRunner().invoke(app, ["bench", "windows", "--quick", "--json", str(tmp_path / "a.json")])
    assert result.exit_code == 0, result.stderr
    assert "1,234,568" in result.stdout
    assert [line["line"] for line in json.loads((tmp_path / "a.json").read_text())["lines"]] == ["filter"]


def test_every_bench_is_named_where_people_look() -> None:
    told = CliRunner().invoke(app, ["bench", "--help"], env={"COLUMNS": "200", "TERM": "dumb"}).output
    makefile = (Path(__file__).parents[2] / "Makefile").read_text(encoding="utf-8")
    (run_by_make,) = (line.split(":=")[1].split() for line in makefile.splitlines() if line.startswith("BENCHES"))
    assert set(run_by_make) == set(BENCHES)
    assert [name for name in BENCHES if name not in told] == []


def test_what_would_fail_at_the_end_fails_at_the_start(tmp_path: Path) -> None:
    result = CliRunner().invoke(app, ["bench", "window"])
    assert (result.exit_code, result.stderr) == (1, "error: no bench window\n  hint: did you mean windows?\n")
    result = CliRunner().invoke(app, ["bench", "windows", "--json", str(tmp_path / "gone" / "a.json")])
    assert result.exit_code == 1
    assert "there is no folder" in result.stderr


# Inputs ----------------------------------------------------------------------------------------------------


def test_positions_are_the_same_at_every_call_and_in_order_of_time() -> None:
    found = data.positions(30_000)
    assert found.equals(data.positions(30_000))
    assert found.num_rows == 30_000
    instants = found["ts"].cast("int64").to_numpy() // 1_000_000 - data.START
    assert (np.diff(instants) >= 0).all()
    assert (instants[0], instants[-1] < data.HOUR) == (0, True)
    assert set(found["seg"].to_pylist()) == set(range(data.SEGMENTS))
    assert set(found["dir"].to_pylist()) == {0, 1}
    assert 0.05 < np.mean(found["speed"].to_numpy() < 40) < 0.5
    assert max(Counter(found["vehicle"].to_pylist()).values()) == data.HOUR // data.REPORT_EVERY


def test_a_row_of_a_pair_finds_about_one_other() -> None:
    left, right = (data.make_joining_stream(20_000, 60, side) for side in (0, 1))
    assert left.equals(data.make_joining_stream(20_000, 60, 0))
    assert not left.equals(right)
    pairs = left.to_pandas().merge(right.to_pandas(), on="k")
    near = (pairs["ts_x"] - pairs["ts_y"]).abs().dt.total_seconds() <= 60
    assert 0.8 < near.sum() / 20_000 < 1.2


def test_files_follow_each_other_in_time_and_age(tmp_path: Path) -> None:
    table = data.positions(10_000)
    files = sorted(Path(data.write(table, tmp_path / "S", 3)).iterdir())
    assert [pq.read_metadata(file).num_rows for file in files] == [3333, 3333, 3334]
    assert [file.stat().st_mtime for file in files] == sorted({file.stat().st_mtime for file in files})
    ends = [pq.read_table(file)["ts"] for file in files]
    assert ends[0][-1].as_py() <= ends[1][0].as_py()


def test_ticked_rows(tmp_path: Path) -> None:
    data.write_ticked(tmp_path / "S", 600_000, 1000, keys=10, values=50, a_file=250_000)
    assert len(list((tmp_path / "S").iterdir())) == 3
    found = pq.read_table(tmp_path / "S")
    assert (found["ts"].to_numpy() == np.arange(600_000) // 1000).all()
    assert set(found["k"].to_pylist()) == set(range(10))


# Measuring -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("case", windows.CASES, ids=lambda case: case.line)
def test_scripts_of_windows_compile(case: windows.Case, tmp_path: Path) -> None:
    script = windows.Inputs(tmp_path, 100).script(case)
    assert list(compile_script(Source(script, "a.cql"), tmp_path).final_plans) == ["measured"]


def test_systems_take_turns_and_what_several_lines_stand_beside_is_measured_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[str] = []

    def reads(system: str, rate: float) -> object:
        return lambda inputs, case: calls.append(f"{system} {case.line} {inputs.rows}") or rate

    monkeypatch.setattr(windows.Inputs, "tailrace", reads("T", 500.0))
    monkeypatch.setattr(windows.Inputs, "plain", reads("P", 1000.0))
    monkeypatch.setattr(windows, "WARM_UP", 0.0)
    small, large = windows.Inputs(tmp_path, 10), windows.Inputs(tmp_path, 1000)
    found = windows.lines(small, large, 2, silent, windows.CASES[1:3])
    t, p = "T tumbling", "P tumbling"
    warm_up = [f"{t} 10", f"{p} 10"]
    assert calls == [*warm_up, *[f"{t} 1000", f"{p} 1000"] * 2, *(f"T sliding average {n}" for n in (10, *[1000] * 2))]
    assert [(line.value, line.beside_value, line.ratio) for line in found] == [(500.0, 1000.0, 0.5)] * 2


def test_the_first_micro_batch_is_left_out() -> None:
    assert windows.rate([(400, 7.0), (700, 8.0), (1000, 9.0)], 1000, "filter") == 300.0
    with pytest.raises(RunError, match="filter: 700 rows were read of 1,000"):
        windows.rate([(400, 7.0), (700, 8.0)], 1000, "filter")


def test_state_runs() -> None:
    found = state.lines(200, 1000, 100, 1, silent)
    assert [line.line for line in found] == ["join", "aggregate", "distinct"]
    assert {line.unit for line in found} == {"s"}
    assert all(line.ratio > 0 and line.more["max"] >= line.more["median"] for line in found)


@pytest.mark.parametrize("case", state.CASES, ids=lambda case: case.line)
def test_filled_windows_hold_what_is_said(case: state.Case, tmp_path: Path) -> None:
    standing = state.FullWindows(case, 2000, 100, str(tmp_path))
    standing.fill(500)
    assert standing.tick * standing.a_tick * len(case.streams) == 2000
    rows, to = standing.next_rows(state.TICKS_A_BATCH)
    assert sum(map(len, rows.values())) == 100
    assert to == standing.tick - 1


def test_memory_sees_the_whole_tree(tmp_path: Path) -> None:
    child = "import time; held = bytearray(80_000_000); time.sleep(2)"
    parent = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {child!r}])"
    peak = memory.peak_of([sys.executable, "-c", parent], tmp_path)
    assert peak.all >= peak.python > 80_000_000
    process = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(30)"])
    try:
        assert len(list(memory.tree(process.pid))) == 1
    finally:
        process.kill()
        process.wait()


def test_memory_that_processes_share_counts_once(tmp_path: Path) -> None:
    """As workers that a daemon forks share what it imported."""
    parent = (
        "import os, time; held = b'x' * 80_000_000; first = os.fork(); second = first and os.fork(); time.sleep(2);"
        "second and (os.wait(), os.wait())"
    )
    assert 80_000_000 < memory.peak_of([sys.executable, "-c", parent], tmp_path).all < 160_000_000


def test_memory_of_a_run_that_fails(tmp_path: Path) -> None:
    with pytest.raises(RunError, match="status 3: it broke"):
        memory.peak_of([sys.executable, "-c", "import sys; print('it broke', file=sys.stderr); sys.exit(3)"], tmp_path)


def test_scripts_of_memory_compile() -> None:
    for query in memory.QUERIES.values():
        text = f"{memory.STREAM.format(folder='a')}\nCREATE QUERY measured INTO noop AS {query};"
        assert "measured" in compile_script(Source(text, "a.cql")).final_plans
