"""Measurements of continuous runs: what they compute from what they observed, and that they run."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from tailrace.bench.inputs.feed import FED, FileFeed, quantile
from tailrace.bench.report.lines import BenchLine, as_json, as_table
from tailrace.bench.spark import latency, soak
from tailrace.engine.pipeline import compile_script
from tailrace.errors import RunError, Source
from tests.bench.test_bench import silent

COURSE = tuple((float(second), 100.0 + second) for second in range(0, 300, 5))


def test_a_feed_keeps_its_pace_and_tells_when_each_row_came(tmp_path: Path) -> None:
    begun = time.time_ns() // 1000
    with FileFeed(tmp_path / "fed", 10, 0.02, keys=5) as feed:
        while len(feed.sent) < 4:
            time.sleep(0.01)
    assert begun <= feed.sent[0]
    assert feed.sent == sorted(set(feed.sent))
    files = sorted((tmp_path / "fed").iterdir())
    assert [int(file.stem) for file in files] == feed.sent
    rows = pq.read_table(files[1]).to_pylist()
    assert [row["k"] for row in rows] == [0, 1, 2, 3, 4] * 2 + [None]
    assert {row["at"] for row in rows} == {feed.sent[1]}
    assert [row["last"] for row in rows] == [False] * 10 + [True]
    assert list(rows[0]) == [each.split()[0] for each in FED.split(", ")] + ["last"]


def test_a_feed_that_fails_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(FileFeed, "write", lambda feed, number: 1 // 0)
    with pytest.raises(ZeroDivisionError), FileFeed(tmp_path / "fed", 10, 0.01, keys=1) as feed:
        feed.wait_for_end()


@pytest.mark.parametrize("case", latency.CASES, ids=lambda case: case.line)
def test_scripts_of_latency_compile(case: latency.Case, tmp_path: Path) -> None:
    assert "measured" in compile_script(Source(latency.script(case), "a.cql"), tmp_path).final_plans


def test_a_row_is_answered_by_the_first_answer_of_its_key_that_holds_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(latency, "ROWS", 2)
    watched = latency.WatchedRun(0.0, 0.0, stop=latency.threading.Event())
    watched.since, watched.until = 1_000_000, 3_000_000
    watched.answers = [(1_500_000, 0, 1_000_000), (2_500_000, 1, 2_000_000), (4_000_000, 0, 3_000_000)]
    sent = [0, 1_000_000, 2_000_000, 3_000_000]
    assert sorted(watched.delays(sent)) == [0.5, 0.5, 1.5, 2.0]
    watched.answers.pop()
    with pytest.raises(RunError, match="only 3 of 4 rows were answered in time"):
        watched.delays(sent)


def test_a_run_is_over_once_every_key_is_newer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(latency, "ROWS", 2)
    watched = latency.WatchedRun(0.0, 0.0, stop=latency.threading.Event())
    watched.take([(0, 0), (1, 0)])
    assert not watched.stop.is_set()
    watched.take([(0, watched.until)])
    assert not watched.stop.is_set()
    watched.take([(1, watched.until + 1)])
    assert watched.stop.is_set()


def test_growth_is_told_from_minute_two_on() -> None:
    found = soak.growth_line("memory", list(COURSE), "MB", 60.0)
    assert (found.value, found.beside_value) == (395.0, 187.5)
    slowed = soak.slowdown_line("batch time", list(COURSE), 300.0, 60.0)
    assert (slowed.value, slowed.beside_value) == (367.5, 187.5)
    assert slowed.more == {"p99": pytest.approx(quantile([value for when, value in COURSE if when >= 60], 0.99))}
    with pytest.raises(RunError, match="nothing was seen between second 400 and second 500"):
        soak.within(list(COURSE), 400, 500)


def test_the_script_of_soak_compiles(tmp_path: Path) -> None:
    assert "measured" in compile_script(Source(soak.SCRIPT, "a.cql"), tmp_path).final_plans


def test_a_course_is_in_json_and_drawn(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    from tailrace.bench.report.plots import plot

    lines = [
        BenchLine("memory", 3.0, "MB", "minute 2", 2.0, 1.5, course=COURSE),
        BenchLine("batch", 1.0, "s", "minute 2", 1.0, 1.0, course=COURSE),
    ]
    assert json.loads(as_json("soak", lines))["lines"][0]["course"][1] == [5.0, 105.0]
    plot("soak", lines, tmp_path / "a.png")
    assert (tmp_path / "a.png").read_bytes()[:4] == b"\x89PNG"
    # Where units differ each figure has its own.
    assert list(as_table("soak", lines).columns[1].cells) == ["3 MB", "1 s"]


@pytest.mark.spark
@pytest.mark.slow
@pytest.mark.skipif(not os.path.exists("/proc/self/stat"), reason="reads /proc")
def test_soak_sees_a_run(tmp_path: Path) -> None:
    """Whatever the machine's speed: what was observed until two seconds after the first answer."""
    found = soak.run_soak(tmp_path, 2.0, 0.5, silent)
    assert found.process.returncode == 0
    assert found.memory[0][1] > found.python[0][1] > 0
    assert found.files[0][1] > 0
    assert found.delays_over_time()[0][0] == 0.0
    assert all(delay > 0 for _, delay in found.delays_over_time())
