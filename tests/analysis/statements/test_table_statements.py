"""CREATE TABLE and INSERT INTO: a table is a source until something is inserted into it."""

from __future__ import annotations

import pytest

from tailrace.analysis.program import Program
from tailrace.catalog.sources import Relation, Stream
from tailrace.logical.queries import QueryDefinition
from tests.analysis.statements.test_definitions import messages, program

FILES = "'connector' = 'filesystem', 'path' = 'T', 'format' = 'json', 'mode' = 'snapshot'"
T = f"CREATE TABLE T (a BIGINT, b INT) WITH ({FILES});"
INSERT = "INSERT INTO T SELECT k, v FROM S;"


def kinds(found: Program) -> dict[str, type]:
    return {entry.name: type(entry) for entry in found.catalog.entries.values()}


def test_a_table_is_a_source_until_it_is_inserted_into() -> None:
    assert kinds(program(T)) == {"S": Stream, "T": Relation}
    found = program(f"{T} {INSERT} CREATE QUERY q AS SELECT a FROM T;")
    assert kinds(found) == {"S": Stream, "T": QueryDefinition, "q": QueryDefinition}
    query = found.queries["T"]
    assert (query.names, str(query.schema)) == (("a", "b"), "(a BIGINT, b INT)")
    assert (query.format, query.is_snapshot) == ("json", True)
    assert kinds(program(f"{T} {INSERT} DROP QUERY T;")) == {"S": Stream, "T": Relation}
    assert kinds(program(f"{T} {INSERT} DROP QUERY T; DROP TABLE T;")) == {"S": Stream}


def test_several_queries_insert_into_one_table() -> None:
    found = program(f"{T} {INSERT} {INSERT} {INSERT} DROP QUERY T_2; {INSERT}")
    assert list(found.queries) == ["T", "T_3", "T_2"]
    dropped = program(f"{T} {INSERT} {INSERT} DROP QUERY T;")
    assert kinds(dropped) == {"S": Stream, "T_2": QueryDefinition}
    assert list(program(f"{T} {INSERT} {INSERT} DROP QUERY T; {INSERT}").queries) == ["T_2", "T"]


def test_an_inserting_query_is_altered_and_replaced_with_what_it_reads() -> None:
    found = program(f"{T} {INSERT} ALTER QUERY T AS SELECT v, k FROM S;")
    assert (found.queries["T"].names, found.queries["T"].format) == (("a", "b"), "json")
    first = program(f"CREATE VIEW V AS SELECT k, v FROM S; {T} INSERT INTO T SELECT k, v FROM V;")
    second = program("CREATE OR REPLACE VIEW V AS SELECT k, v + 1 AS v FROM S;", first)
    assert second.touched == ("T",)
    assert second.queries["T"].plan != first.queries["T"].plan


def test_tables_are_replaced_and_made_once() -> None:
    first = program(T)
    again = T.replace("CREATE", "CREATE OR REPLACE")
    assert program(again, first).catalog.entries["t"] is first.catalog.entries["t"]
    assert program(T.replace("TABLE", "TABLE IF NOT EXISTS"), first).catalog.tables == first.catalog.tables
    wider = program(again.replace("b INT", "b BIGINT"), first)
    assert str(wider.catalog.tables["t"].schema) == "(a BIGINT, b BIGINT)"
    sink = program("CREATE OR REPLACE TABLE T (a INT) WITH ('connector' = 'print');", first)
    assert (list(sink.catalog.entries), list(sink.catalog.tables)) == (["s"], ["t"])
    assert list(program(again, sink).catalog.entries) == ["s", "t"]


def test_a_table_that_is_replaced_by_a_stream_is_none_any_more() -> None:
    text = f"{T} CREATE OR REPLACE RELATION T (a INT);"
    assert messages(f"{text} {INSERT}") == ["T is a relation, and INSERT INTO takes a table"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (f"{T} CREATE VIEW T AS SELECT k FROM S;", "there is already the relation T"),
        (f"{T} {INSERT} CREATE TABLE T (a INT) WITH ('connector' = 'print');", "there is already a query T"),
        (f"{T} CREATE QUERY q AS SELECT a FROM T; DROP TABLE T;", "relation T is still read by query q"),
        ("DROP TABLE T;", "no table T to drop"),
        (f"{T} INSERT INTO T SELECT 'x' AS x, k FROM S;", "column 1 of the query is STRING, and a of T is BIGINT"),
        (
            f"{T} INSERT INTO T SELECT k, CAST(k AS BIGINT) AS l FROM S;",
            "column 2 of the query is BIGINT, and b of T is INT",
        ),
    ],
)
def test_refused(text: str, message: str) -> None:
    assert messages(text) == [message]
