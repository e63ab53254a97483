"""Notes on joins of streams without windows: whose state grows, and whose does not."""

from __future__ import annotations

import pytest

from tailrace.analysis.tables.growing_joins import INNER, OUTER
from tests.analysis import build
from tests.analysis.build import derived

TIMED = """
CREATE STREAM A (k INT, ts BIGINT) TIMESTAMP BY ts;
CREATE STREAM B (k INT, ts BIGINT) TIMESTAMP BY ts;
CREATE STREAM C (k INT, ts BIGINT) TIMESTAMP BY ts;
"""


@pytest.mark.parametrize(
    ("source", "notes"),
    [
        ("A JOIN B ON A.k = B.k", [INNER]),
        ("A, B WHERE A.k = B.k AND A.ts = B.ts + 3", []),
        ("A JOIN B ON A.k = B.k AND B.ts BETWEEN A.ts AND A.ts + 4", []),
        ("A, B, C WHERE A.k = B.k AND A.ts = B.ts AND C.k = A.k", []),
        ("A LEFT JOIN B ON A.k = B.k AND A.ts = B.ts", [OUTER]),
        ("A [RANGE 5] JOIN B ON A.k = B.k", []),
        ("A JOIN Latest FOR SYSTEM_TIME AS OF A.ts ON A.k = Latest.k", []),
        ("A JOIN Still ON A.k = Still.k", []),
    ],
)
def test_notes(source: str, notes: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build, "SOURCES", build.SOURCES + TIMED)
    found = derived(f"SELECT COUNT(*) AS n FROM {source}")
    assert [note.text for note in found.notes if not note.is_default] == notes
