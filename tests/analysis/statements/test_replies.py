"""What SHOW, SHOW CREATE and DESCRIBE say."""

from __future__ import annotations

import pytest

from tailrace.engine.explain import check_report
from tailrace.engine.pipeline import compile_script
from tailrace.errors import ScriptError, Source

SCRIPT = """
CREATE STREAM S (k INT, value INT) USING csv OPTIONS (path 'S') TIMESTAMP BY ts DELAY 5 SECONDS KEY (k);
CREATE RELATION Names (k INT, name STRING) USING csv OPTIONS (path 'N');
CREATE TABLE printed (k INT) WITH ('connector' = 'print');
"""
Q = "CREATE OR REPLACE QUERY q INTO json OPTIONS (path 'out') AS SELECT k, COUNT(*) AS n FROM S GROUP BY k;"


def said(text: str) -> str:
    """What the last statement of a text says, after the script."""
    return check_report(compile_script(Source(f"{SCRIPT}{text}"))).rpartition("\n\n")[2]


def test_show_tables() -> None:
    assert said("SHOW TABLES").splitlines() == [
        "tables",
        "  S(k INT, value INT), using csv, timestamp by ts delay 5, key (k)",
        "  Names(k INT, name STRING), using csv, static",
        "  printed(k INT), into console",
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("DESCRIBE S", "stream S, using csv, timestamp by ts delay 5, key (k)\n  k      INT\n  value  INT"),
        ("DESC relation Names", "relation Names, using csv, static\n  k     INT\n  name  STRING"),
        (f"{Q} DESCRIBE q", "query q, a relation, into json\n  k  INT\n  n  BIGINT"),
        ("DESCRIBE printed", "table printed, into console\n  k  INT"),
        ("SHOW CREATE TABLE Names", "CREATE RELATION Names (k INT, name STRING) USING csv OPTIONS (path 'N')"),
        (f"{Q} SHOW CREATE q", Q.replace("OR REPLACE ", "").rstrip(";")),
        ("SHOW CREATE TABLE printed", "CREATE TABLE printed (k INT) WITH ('connector' = 'print')"),
    ],
)
def test_descriptions(text: str, expected: str) -> None:
    assert said(text) == expected


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("DESCRIBE T", "there is nothing called T"),
        ("SHOW CREATE VIEW S", "S is a stream, not a view"),
        ("SHOW CREATE tailrace", "there is nothing called tailrace"),
    ],
)
def test_refused(text: str, message: str) -> None:
    with pytest.raises(ScriptError) as raised:
        said(text)
    assert [problem.message for problem in raised.value.problems] == [message]
