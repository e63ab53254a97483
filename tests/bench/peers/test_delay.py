"""Delay: the feed of csv files, the script, and the lines in which both systems answer."""

from __future__ import annotations

import threading
import time
from pathlib import Path

from tailrace.bench.inputs.feed import micros
from tailrace.bench.peers.delay import SCRIPT, CsvFeed, note_answers
from tailrace.bench.spark.latency import WatchedRun
from tailrace.engine.pipeline import compile_script
from tailrace.errors import Source


def test_the_script_compiles(tmp_path: Path) -> None:
    assert "measured" in compile_script(Source(SCRIPT, "a.cql"), tmp_path).final_plans


def test_a_file_has_a_row_of_each_key_with_its_moment(tmp_path: Path) -> None:
    begun = micros()
    with CsvFeed(tmp_path / "fed", 10, 0.02, keys=5) as feed:
        feed.begin()
        while len(feed.sent) < 3:
            time.sleep(0.01)
    files = sorted((tmp_path / "fed").iterdir())
    assert [int(file.stem) for file in files] == feed.sent
    assert feed.sent[0] >= begun
    rows = [line.split(",") for line in files[1].read_text().splitlines()]
    assert [int(key) for _, key, _ in rows] == [0, 1, 2, 3, 4] * 2
    assert {int(at) for at, _, _ in rows} == {feed.sent[1]}


def test_answers_are_noted_and_other_lines_are_not(tmp_path: Path) -> None:
    watched = WatchedRun(0.0, 60.0, threading.Event())
    with CsvFeed(tmp_path / "fed", 10, 0.02, keys=5) as feed:
        take = note_answers(watched, feed)
        assert not list((tmp_path / "fed").iterdir())
        take("ready\n")
    assert feed.sent
    for line in ["1> +I[3, 7, 1700]\n", "WARN [] - slow\n", "-U[3, 7, 1700]\n", "+I[4, 8, 1800]\n"]:
        take(line)
    assert [(key, newest) for _, key, newest in watched.answers] == [(3, 1700), (4, 1800)]
