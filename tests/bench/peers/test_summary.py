"""Summary: the tables for documents, what is missing in them, and the files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tailrace.bench.peers.delay import Delay
from tailrace.bench.peers.summary import PeerLine, as_markdown, circumstances, write_files

BOTH = {"Tailrace": 4.0, "Flink": 6.0}
MEMORY = {"Tailrace": 1500 << 20, "Flink": 2500 << 20}
FILTER = PeerLine("filter", "csv", 1_000_000, BOTH, MEMORY, "10 rows agree", "a note")
FAILED = PeerLine(
    "filter",
    "parquet",
    1_000_000,
    {"Tailrace": 4.0},
    {"Tailrace": 1 << 20},
    "not compared",
    "a note",
    {"Flink": "it broke"},
)
DELAY = PeerLine.of_delays("delay", Delay(0.4, 0.9, 700 << 20), Delay(0.8, 1.2, 800 << 20))


def test_tables_have_all_lines_and_notes_come_once() -> None:
    assert as_markdown([FILTER, FAILED, DELAY]).splitlines() == [
        "| line | format | rows | Tailrace s | Flink s | times Flink | Tailrace MB | Flink MB | answers |",
        "|---|---|--:|--:|--:|--:|--:|--:|---|",
        "| filter | csv | 1,000,000 | 4 | 6 | 1.50 | 1,500 | 2,500 | 10 rows agree |",
        "| filter | parquet | 1,000,000 | 4 |  |  | 1 |  | not compared |",
        "",
        "| line | Tailrace p50 s | Flink p50 s | Tailrace p99 s | Flink p99 s | Tailrace MB | Flink MB |",
        "|---|--:|--:|--:|--:|--:|--:|",
        "| delay | 0.4 | 0.8 | 0.9 | 1.2 | 700 | 800 |",
        "",
        "* filter: a note.",
        "* filter, parquet: no figure of Flink: it broke",
    ]


def test_lines_have_the_form_of_other_benches() -> None:
    found = FILTER.to_bench_line()
    assert (found.value, found.beside_value, found.unit) == (250_000.0, 1_000_000 / 6, "rows/s")
    assert (found.ratio, found.more["MB of Flink"]) == (1.5, 2500.0)
    assert (DELAY.to_bench_line().ratio, DELAY.to_bench_line().more["p99 of Flink"]) == (0.5, 1.2)


def test_files_are_written(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    written = write_files([FILTER, FAILED, DELAY], circumstances(1_000_000, 2), tmp_path / "out")
    assert [file.name for file in written] == ["peers.md", "peers.json", "peers.png", "peers-delay.png"]
    assert written[0].read_text().startswith("1,000,000 rows on 2 cores; ")
    assert [line["line"] for line in json.loads(written[1].read_text())["lines"]] == ["filter, csv", "delay"]
    assert written[2].read_bytes()[:4] == b"\x89PNG"
