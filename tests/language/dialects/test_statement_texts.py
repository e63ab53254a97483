"""Statements of other dialects, and ours around them, as text and back."""

from __future__ import annotations

import pytest

from tailrace.errors import Source
from tailrace.language.script import parse_script, to_text

STATEMENTS = [
    "CREATE OR REPLACE QUERY q INTO json OPTIONS (path 'x') AS SELECT a FROM S",
    "CREATE OR REPLACE STREAM S (a INT)",
    "CREATE VIEW IF NOT EXISTS v (a) AS SELECT a FROM S",
    "CREATE MATERIALIZED VIEW m AS SELECT a FROM S",
    "CREATE OR REPLACE MATERIALIZED VIEW m AS SELECT a FROM S",
    "ALTER QUERY q AS SELECT a FROM S",
    "DROP TABLE IF EXISTS x",
    "SHOW TABLES",
    "SHOW CREATE TABLE x",
    "SHOW CREATE x",
    "SHOW CREATE `stream`",
    "DESCRIBE x",
    "EXPLAIN ANALYZE",
    "EXPLAIN ANALYZE q",
    "EXPLAIN ANALYZE SELECT a FROM S",
    "INSERT INTO t SELECT a FROM S",
    "CREATE TABLE t (a INT, p AS PROCTIME()) WITH ('connector' = 'print', 'a.b c' = 'it''s')",
    "CREATE TABLE IF NOT EXISTS t (ts TIMESTAMP, WATERMARK FOR ts AS ts - INTERVAL '0.5' SECOND, "
    "PRIMARY KEY (a, `b c`) NOT ENFORCED) WITH ('connector' = 'kafka')",
]


@pytest.mark.parametrize("text", STATEMENTS)
def test_text_and_back(text: str) -> None:
    script = parse_script(Source(text))
    assert [problem.message for problem in script.problems] == []
    (tree,) = script.statements
    assert to_text(tree) == text
    assert parse_script(Source(to_text(tree, pretty=True))).statements == (tree,)


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("desc table x", "DESCRIBE x"),
        ("DESCRIBE EXTENDED x", "DESCRIBE x"),
        ("DROP MATERIALIZED VIEW m", "DROP QUERY m"),
        ("CREATE TEMPORARY VIEW v AS SELECT a FROM S", "CREATE VIEW v AS SELECT a FROM S"),
        (
            "CREATE TABLE t (a INT NOT NULL PRIMARY KEY NOT ENFORCED) WITH (connector = 'print')",
            "CREATE TABLE t (a INT, PRIMARY KEY (a) NOT ENFORCED) WITH ('connector' = 'print')",
        ),
    ],
)
def test_other_spellings(text: str, canonical: str) -> None:
    (tree,) = parse_script(Source(text)).statements
    assert to_text(tree) == canonical


def test_the_name_of_a_statement_that_cannot_be_read_is_known() -> None:
    texts = ["CREATE OR REPLACE VIEW v AS", "CREATE MATERIALIZED VIEW v AS", "CREATE TABLE IF NOT EXISTS v ("]
    assert [parse_script(Source(text)).unread for text in texts] == [("v",)] * 3
