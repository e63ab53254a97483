"""Scripts as a whole: the order of statements, what SHOW and EXPLAIN say, and problems without follow-ups."""

from __future__ import annotations

import pytest

from tailrace.analysis.program import Program, analyse
from tailrace.analysis.statements.replies import Explanation, Listing
from tailrace.errors import ScriptError, Source
from tailrace.language.script import parse_script
from tailrace.logical.queries import QueryDefinition, View

S = "CREATE STREAM S (k INT, v INT) TIMESTAMP BY ts;"


def program(text: str) -> Program:
    return analyse(parse_script(Source(f"{S}\n{text}")))


def messages(text: str) -> list[tuple[int, str]]:
    """The lines (that of the stream is 1) and messages of a script's problems."""
    with pytest.raises(ScriptError) as raised:
        program(text)
    error = raised.value
    return [(error.source.position(p.place.start)[0], p.message) for p in error.problems if p.place]


def test_queries_and_views() -> None:
    found = program(
        "CREATE VIEW V (id) AS SELECT k FROM S;\n"
        "CREATE QUERY q INTO json OPTIONS (path 'out') AS SELECT id FROM V [RANGE 5];"
    )
    view, query = found.outcomes
    assert isinstance(view, View)
    assert (view.name, view.names) == ("V", ("id",))
    assert isinstance(query, QueryDefinition)
    assert (query.format, query.options) == ("json", (("path", "out"),))
    assert found.queries == {"q": query}


def test_show_tells_what_is_there_at_that_point() -> None:
    found = program(
        "SHOW QUERIES; CREATE QUERY q AS SELECT k FROM S; SHOW queries; DROP QUERY q; SHOW QUERIES; SHOW STREAMS;"
    )
    listings = [outcome for outcome in found.outcomes if isinstance(outcome, Listing)]
    assert [[entry.name for entry in listing.entries] for listing in listings] == [[], ["q"], [], ["S"]]


def test_resumed_queries() -> None:
    found = program("CREATE QUERY p AS SELECT k FROM S; CREATE QUERY q AS SELECT v FROM S; RESUME QUERY Q;")
    assert found.resumed == {"q"}


def test_explain_in_its_three_forms() -> None:
    found = program(
        "CREATE VIEW V AS SELECT k FROM S; CREATE QUERY p AS SELECT k FROM V; CREATE QUERY q AS SELECT v FROM S;"
        "EXPLAIN; EXPLAIN V; EXPLAIN p; EXPLAIN SELECT v FROM S [NOW];"
    )
    explained = [outcome for outcome in found.outcomes if isinstance(outcome, Explanation)]
    assert [list(outcome.plans) for outcome in explained] == [["p", "q"], ["V"], ["p"], ["query"]]


def test_dropped_queries_do_not_stand_and_their_names_are_free() -> None:
    found = program("CREATE QUERY q AS SELECT k FROM S; DROP QUERY q; CREATE QUERY q AS SELECT v FROM S;")
    assert [query.names for query in found.queries.values()] == [("v",)]


def test_drops_follow_who_reads_whom() -> None:
    text = "CREATE VIEW V AS SELECT k FROM S; CREATE QUERY q AS SELECT k FROM V;"
    assert program(f"{text} DROP QUERY q; DROP VIEW V; DROP STREAM S;").catalog.entries == {}
    assert messages(f"{text} DROP VIEW V;") == [(2, "view V is still read by query q")]
    assert messages(f"{text} DROP QUERY q; DROP STREAM S;") == [(2, "stream S is still read by view V")]


def test_subqueries_count_as_readers() -> None:
    text = "CREATE VIEW V AS SELECT k FROM S; CREATE QUERY q AS SELECT k FROM S WHERE k IN (SELECT k FROM V);"
    assert messages(f"{text} DROP VIEW V;") == [(2, "view V is still read by query q")]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("DROP STREAM X;", "no stream X to drop"),
        ("DROP VIEW S;", "S is a stream, not a view"),
        ("CREATE RELATION s (a INT);", "there is already a stream S"),
        ("CREATE QUERY q AS SELECT k FROM S; CREATE VIEW Q AS SELECT k FROM S;", "there is already a query q"),
        ("CREATE VIEW V AS SELECT k FROM V;", "views read each other in a circle: V reads V"),
        ("EXPLAIN S;", "no query or view S to explain"),
        ("SET speed = 3;", "no setting speed"),
    ],
)
def test_refused(text: str, message: str) -> None:
    assert messages(text) == [(2, message)]


# Settings -------------------------------------------------------------------------------------------------


def test_durability_is_full_unless_it_is_set() -> None:
    assert program("").settings.durability == "full"
    assert program("SET durability = 'NONE';").settings.durability == "none"
    assert messages("SET durability = 'some';") == [(2, "durability cannot be 'some': expected one of none, full")]


def test_settings_hold_from_where_they_stand() -> None:
    found = analyse(parse_script(Source(f"SET tick = '1 minute'; SET spark.sql.x = 'y'; {S}")))
    assert found.settings.tick == 60_000_000
    assert found.settings.spark == (("spark.sql.x", "y"),)


def test_time_is_set_before_the_first_query() -> None:
    assert messages("CREATE QUERY q AS SELECT k FROM S;\nSET tick = '1 minute';") == [
        (3, "SET tick must come before all views and queries")
    ]
    assert program("CREATE QUERY q AS SELECT k FROM S; SET spark.x = 1; SET tick = '1 second';").settings.spark


# Several problems -----------------------------------------------------------------------------------------


def test_problems_of_all_stages_are_told_in_order_of_place() -> None:
    text = "CREATE VIEW V AS SELECT x FROM S;\nSELECT 1;\nSET y = 1;\nDROP VIEW Z;\nCREATE QUERY q AS SELECT k FROM U;"
    assert messages(text) == [
        (2, "no column x in S"),
        (3, "a query in a script needs a name"),
        (4, "no setting y"),
        (5, "no view Z to drop"),
        (6, "no stream, relation or view U"),
    ]


@pytest.mark.parametrize(
    "broken",
    [
        "CREATE VIEW V AS SELECT x FROM S;",
        "CREATE VIEW V AS SELECT k FORM S;",
        "CREATE VIEW V SELECT k FROM S;",
        "CREATE STREAM V (k INT, k INT) TIMESTAMP BY ts;",
        "CREATE STREAM V (k INTT) TIMESTAMP BY ts;",
    ],
)
@pytest.mark.parametrize(
    "reader",
    [
        "CREATE QUERY q AS SELECT k FROM V;",
        "CREATE QUERY q AS SELECT k FROM S, V;",
        "CREATE QUERY q AS SELECT k FROM S WHERE k IN (SELECT k FROM V);",
        "CREATE QUERY q AS SELECT k, (SELECT MAX(k) FROM V) AS m FROM S;",
        "CREATE QUERY q AS SELECT k FROM S UNION SELECT k FROM V;",
        "CREATE VIEW W AS SELECT k FROM V; CREATE QUERY q AS SELECT k FROM W; EXPLAIN W; EXPLAIN q;",
        "EXPLAIN SELECT k FROM V;",
        "CREATE QUERY q AS SELECT k FROM V; DROP QUERY q;",
        "EXPLAIN V;",
    ],
)
def test_what_reads_something_broken_is_no_mistake_of_its_own(broken: str, reader: str) -> None:
    assert [line for line, _ in messages(f"{broken}\n{reader}")] == [2]


def test_a_circle_is_told_once() -> None:
    text = "CREATE VIEW A AS SELECT k FROM B;\nCREATE VIEW B AS SELECT k FROM C;\nCREATE VIEW C AS SELECT k FROM A;"
    assert messages(text) == [(2, "views read each other in a circle: B reads C reads A reads B")]


def test_a_name_that_comes_later_is_told_with_its_line() -> None:
    text = "CREATE QUERY q AS SELECT k FROM V;\nCREATE VIEW V AS SELECT k FROM S;"
    assert messages(text) == [(2, "V is created only in line 3")]
