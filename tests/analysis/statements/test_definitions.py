"""What CREATE OR REPLACE, IF EXISTS, ALTER QUERY and queries that read queries do to the catalog."""

from __future__ import annotations

import pytest

from tailrace.analysis.program import Program, analyse
from tailrace.analysis.statements.replies import Remark
from tailrace.errors import ScriptError, Source
from tailrace.language.script import parse_script

S = "CREATE STREAM S (k INT, v INT) TIMESTAMP BY ts;"
V = "CREATE VIEW V AS SELECT k FROM S WHERE v > 1;"
Q = "CREATE QUERY q AS SELECT k FROM V [RANGE 5];"


def program(text: str, before: Program | None = None) -> Program:
    source = Source(text if before else f"{S}\n{text}")
    return analyse(parse_script(source), before=before.catalog if before else None)


def messages(text: str) -> list[str]:
    with pytest.raises(ScriptError) as raised:
        program(text)
    return [problem.message for problem in raised.value.problems]


def remarks(found: Program) -> list[str]:
    return [outcome.text for outcome in found.outcomes if isinstance(outcome, Remark)]


# OR REPLACE -----------------------------------------------------------------------------------------------


def test_a_replaced_query_has_the_new_meaning() -> None:
    found = program("CREATE QUERY q AS SELECT k FROM S; CREATE OR REPLACE QUERY q AS SELECT v FROM S;")
    assert [(name, query.names) for name, query in found.queries.items()] == [("q", ("v",))]


def test_what_means_the_same_stays_the_same_object() -> None:
    first = program(V + Q)
    again = "CREATE OR REPLACE VIEW V AS SELECT k FROM S WHERE 1 < v OR FALSE;"
    assert program(again, first).queries["q"] is not first.queries["q"]
    second = program(
        f"CREATE OR REPLACE STREAM S (k INT, v INT) TIMESTAMP BY ts; {V.replace('CREATE', 'CREATE OR REPLACE')}"
        f"{Q.replace('CREATE', 'CREATE OR REPLACE')}",
        first,
    )
    assert second.catalog.entries == first.catalog.entries
    assert second.touched == ()
    assert remarks(second) == [f"{what} is as it was: nothing is done" for what in ("stream S", "view V", "query q")]


def test_readers_of_a_replaced_view_read_the_new_one() -> None:
    first = program(f"{V}{Q} CREATE QUERY other AS SELECT v FROM S;")
    second = program("CREATE OR REPLACE VIEW V AS SELECT k FROM S WHERE v > 2;", first)
    assert second.touched == ("q",)
    assert "v > 2" in str(second.queries["q"].plan) or second.queries["q"].plan != first.queries["q"].plan
    assert second.queries["other"] is first.queries["other"]


def test_readers_of_a_replaced_stream_are_analysed_anew() -> None:
    first = program(f"{V}{Q}")
    second = program("CREATE OR REPLACE STREAM S (k BIGINT, v INT) TIMESTAMP BY ts;", first)
    assert str(second.queries["q"].schema) == "(k BIGINT)"


def test_readers_through_templates_are_analysed_anew() -> None:
    text = f"{S} {V} CREATE QUERY a AS SELECT k FROM V WHERE k > 1; CREATE QUERY b AS SELECT k FROM V WHERE k > 2;"
    templates: dict[str, object] = {}
    first = analyse(parse_script(Source(text), templates))
    second = program("CREATE OR REPLACE VIEW V AS SELECT k + 1 AS k FROM S;", first)
    assert second.touched == ("a", "b")


def test_a_reader_that_would_be_wrong_is_told_unless_it_is_replaced_too() -> None:
    wrong = f"{V}{Q} CREATE OR REPLACE VIEW V AS SELECT v FROM S;"
    assert messages(wrong) == ["query q reads V, and would be wrong: no column k in V"]
    assert program(f"{wrong} CREATE OR REPLACE QUERY q AS SELECT v FROM V;").queries["q"].names == ("v",)
    assert program(f"{wrong} DROP QUERY q;").queries == {}


def test_a_name_in_other_letters_is_the_same_query() -> None:
    first = program("CREATE QUERY q AS SELECT k FROM S;")
    second = program("CREATE OR REPLACE QUERY Q AS SELECT v FROM S;", first)
    assert (list(second.queries), second.touched) == (["Q"], ("q", "Q"))


def test_replacing_makes_what_there_is_not() -> None:
    assert list(program("CREATE OR REPLACE QUERY q AS SELECT k FROM S;").queries) == ["q"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("CREATE OR REPLACE VIEW S AS SELECT 1 AS one FROM S;", "S is a stream, and a view cannot replace it"),
        (f"{V} CREATE OR REPLACE VIEW V AS SELECT k FROM V;", "V would read itself"),
        (f"{V}{Q} CREATE OR REPLACE VIEW V AS SELECT k FROM q;", "V would read itself"),
        (
            "CREATE OR REPLACE VIEW IF NOT EXISTS V AS SELECT k FROM S;",
            "OR REPLACE and IF NOT EXISTS in one statement",
        ),
    ],
)
def test_refused_replacements(text: str, message: str) -> None:
    assert messages(text) == [message]


# IF [NOT] EXISTS ------------------------------------------------------------------------------------------


def test_if_not_exists_leaves_what_is_there() -> None:
    found = program(
        f"{V} CREATE VIEW IF NOT EXISTS V AS SELECT v FROM S; CREATE VIEW IF NOT EXISTS W AS SELECT v FROM S;"
    )
    assert [(e.name, e.schema.names) for e in found.catalog.of("view")] == [("V", ("k",)), ("W", ("v",))]
    assert remarks(found) == ["there is already a view V: nothing is done"]
    assert messages("CREATE VIEW IF NOT EXISTS S AS SELECT v FROM S;") == ["there is already a stream S"]


def test_drop_if_exists() -> None:
    found = program(f"{V} DROP VIEW IF EXISTS V; DROP VIEW IF EXISTS V;")
    assert remarks(found) == ["there is no view V: nothing is done"]
    assert messages("DROP VIEW IF EXISTS S;") == ["S is a stream, not a view"]


# ALTER QUERY ----------------------------------------------------------------------------------------------


def test_alter_query_keeps_into() -> None:
    found = program(
        "CREATE QUERY q INTO json OPTIONS (path 'out') AS SELECT k FROM S; ALTER QUERY q AS SELECT v FROM S;"
    )
    query = found.queries["q"]
    assert (query.names, query.format, query.options) == (("v",), "json", (("path", "out"),))
    assert messages("ALTER QUERY q AS SELECT v FROM S;") == ["no query q to alter"]


# Queries that are read ------------------------------------------------------------------------------------


def test_a_query_is_read_like_a_view_of_the_same_text() -> None:
    text = "SELECT k, COUNT(*) AS n FROM S [RANGE 5] GROUP BY k"
    by_query = program(f"CREATE QUERY a AS {text}; CREATE QUERY b AS SELECT n FROM a WHERE n > 1;")
    by_view = program(f"CREATE VIEW a AS {text}; CREATE QUERY b AS SELECT n FROM a WHERE n > 1;")
    assert by_query.queries["b"].plan == by_view.queries["b"].plan


def test_a_query_that_is_read_cannot_be_dropped() -> None:
    text = "CREATE QUERY a AS SELECT k FROM S; CREATE QUERY b AS SELECT k FROM a;"
    assert messages(f"{text} DROP QUERY a;") == ["query a is still read by query b"]
    assert program(f"{text} DROP QUERY b; DROP QUERY a;").queries == {}


def test_a_query_over_a_system_query_watches_the_run_too() -> None:
    found = program("CREATE QUERY a AS SELECT batch FROM tailrace.batches; CREATE QUERY b AS SELECT batch FROM a;")
    assert found.catalog.system_queries == {"a", "b"}


def test_a_materialized_view_is_a_query() -> None:
    found = program("CREATE MATERIALIZED VIEW m AS SELECT k FROM S; CREATE QUERY b AS SELECT k FROM m;")
    assert list(found.queries) == ["m", "b"]
    assert [note.text for note in found.queries["m"].notes if not note.is_default] == [
        "a materialized view is a query here: CREATE QUERY"
    ]
