"""The defaults of CQL §6.4: each is applied, reported, and written out in the expanded query."""

from __future__ import annotations

from pathlib import Path

import pytest

from tailrace.analysis.program import analyse
from tailrace.errors import Source
from tailrace.language.nodes import CreateQuery, CreateView
from tailrace.language.script import parse_script, to_text
from tailrace.logical.plan import Kind
from tailrace.logical.queries import Definition
from tests.analysis.build import defaults, derived, expanded, pointed_at, problem, program
from tests.language.scripts import case_scripts, corpus_scripts, shown, source_of

NO_WINDOW = "S has no window: it gets [RANGE UNBOUNDED]"
ONLY_GROWS = "the result only grows: it gets ISTREAM"
ON_SUBQUERY = "a window is on a subquery that only grows: it gets ISTREAM"
AS_RELATION = "a stream is used as a relation: it gets [RANGE UNBOUNDED]"


@pytest.mark.parametrize(
    ("query", "told", "text"),
    [
        ("SELECT COUNT(*) FROM S", [NO_WINDOW], "SELECT COUNT(*) FROM S [RANGE UNBOUNDED]"),
        ("SELECT k FROM S", [NO_WINDOW, ONLY_GROWS], "SELECT ISTREAM(k) FROM S [RANGE UNBOUNDED]"),
        ("SELECT k FROM S [RANGE 5]", [], "SELECT k FROM S [RANGE 5]"),
        (
            "SELECT DISTINCT k FROM S",
            [NO_WINDOW, ONLY_GROWS],
            "SELECT ISTREAM(DISTINCT k) FROM S [RANGE UNBOUNDED]",
        ),
        (
            "SELECT k FROM (SELECT k FROM S) [RANGE 5]",
            [NO_WINDOW, ON_SUBQUERY],
            "SELECT k FROM (SELECT ISTREAM(k) FROM S [RANGE UNBOUNDED]) [RANGE 5]",
        ),
        (
            "SELECT k FROM Still UNION SELECT k FROM S",
            [NO_WINDOW, ONLY_GROWS],
            "ISTREAM(SELECT k FROM Still UNION SELECT k FROM S [RANGE UNBOUNDED])",
        ),
        (
            "SELECT k FROM Latest WHERE k IN (SELECT ISTREAM(k) FROM S [NOW])",
            [AS_RELATION],
            "SELECT k FROM Latest WHERE k IN (SELECT * FROM (SELECT ISTREAM(k) FROM S [NOW]) [RANGE UNBOUNDED])",
        ),
        (
            "SELECT k FROM Latest EXCEPT SELECT ISTREAM(k) FROM S [NOW]",
            [AS_RELATION],
            "SELECT k FROM Latest EXCEPT SELECT * FROM (SELECT ISTREAM(k) FROM S [NOW]) [RANGE UNBOUNDED]",
        ),
        (
            "WITH w AS (SELECT k FROM S) SELECT COUNT(*) AS n FROM w",
            [NO_WINDOW, ONLY_GROWS, "w has no window: it gets [RANGE UNBOUNDED]"],
            "WITH w AS (SELECT ISTREAM(k) FROM S [RANGE UNBOUNDED]) SELECT COUNT(*) AS n FROM w [RANGE UNBOUNDED]",
        ),
    ],
)
def test_defaults(query: str, told: list[str], text: str) -> None:
    assert defaults(query) == told
    assert expanded(query) == text


def test_defaults_know_their_place() -> None:
    found = derived("SELECT k FROM S WHERE v > 1")
    places = [note.place for note in found.notes]
    assert all(place is not None for place in places)
    assert [place.end - place.start for place in places if place] == [len("S"), len("SELECT k FROM S WHERE v > 1")]


def test_a_view_gets_the_defaults_of_a_query() -> None:
    (view,) = program("CREATE VIEW V AS SELECT k FROM S;").outcomes
    assert isinstance(view, Definition)
    assert view.kind is Kind.STREAM
    assert [note.text for note in view.notes] == [NO_WINDOW, ONLY_GROWS]


def test_explicit_operators_are_kept() -> None:
    for operator in ("ISTREAM", "DSTREAM", "RSTREAM"):
        assert expanded(f"SELECT {operator}(k) FROM S [NOW]") == f"SELECT {operator}(k) FROM S [NOW]"
        assert expanded(f"{operator}(SELECT k FROM S [NOW])") == f"{operator}(SELECT k FROM S [NOW])"


def test_a_window_on_a_subquery_that_may_shrink_is_refused() -> None:
    query = "SELECT k FROM (SELECT k FROM S GROUP BY k) [RANGE 5]"
    assert problem(query).startswith("a window on a subquery that is not monotonic needs an ISTREAM")
    assert pointed_at(query) == "[RANGE 5]"


def test_columns_of_set_operations_are_named_by_the_left_and_share_a_type() -> None:
    found = derived("SELECT k AS a FROM S [NOW] UNION ALL SELECT k AS b FROM T [NOW]")
    assert str(found.schema) == "(a BIGINT)"


def test_names_of_a_sink_are_distinct() -> None:
    assert derived("SELECT * FROM S [NOW] AS a, S [NOW] AS b").names == ("k", "v", "name", "k_2", "v_2", "name_2")


@pytest.mark.parametrize("script", corpus_scripts() + case_scripts(), ids=shown)
def test_expanded_queries_mean_the_same_and_need_no_default(script: Path) -> None:
    """Each query replaced by its expanded text gives the same plans, and no default is reported for it."""
    source = source_of(script)
    before = analyse(parse_script(source), script.parent)
    told = [outcome for outcome in before.outcomes if isinstance(outcome, Definition)]
    statements = list(parse_script(source).statements)
    queries = [node for node in statements if isinstance(node, (CreateView, CreateQuery))]
    for node, outcome in zip(queries, told, strict=True):
        node.set("query", outcome.query.copy())
    after = analyse(parse_script(Source(";\n".join(map(to_text, statements)))), script.parent)
    again = [outcome for outcome in after.outcomes if isinstance(outcome, Definition)]
    assert [outcome.plan for outcome in again] == [outcome.plan for outcome in told]
    assert [note.text for outcome in again for note in outcome.notes if note.is_default] == []
