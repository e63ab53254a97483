"""Window functions: where they may stand, what they read, and the nodes of the plan."""

from __future__ import annotations

import pytest

from tailrace.engine.pipeline import compile_script
from tailrace.errors import Source
from tailrace.logical.nodes import Aggregate, Project, Select, TopK
from tailrace.logical.over import Frame, Over
from tailrace.logical.plan import walk
from tailrace.types import DOUBLE, INT, STRING
from tests.analysis.build import SOURCES, derived, expanded, operators, problem


def overs(query: str) -> list[Over]:
    return [node for node in walk(derived(query).plan) if isinstance(node, Over)]


def test_functions_of_one_window_are_one_node() -> None:
    query = "SELECT RANK() OVER (ORDER BY v) AS r, SUM(v) OVER (ORDER BY v ROWS 2 PRECEDING) AS s FROM S [NOW]"
    (over,) = overs(query)
    assert [each.call.function for each in over.functions] == ["rank", "sum"]
    assert len(overs(query.replace("SUM(v) OVER (", "SUM(v) OVER (PARTITION BY k "))) == 2


def test_equal_functions_are_computed_once() -> None:
    (over,) = overs("SELECT RANK() OVER (ORDER BY v) + RANK() OVER (ORDER BY v) AS r FROM S [NOW]")
    assert len(over.functions) == 1


def test_the_input_has_the_columns_that_the_query_reads() -> None:
    (over,) = overs("SELECT RANK() OVER (ORDER BY v) AS r FROM S [NOW] WHERE name = 'a'")
    assert isinstance(over.child, Project)
    assert over.child.schema.names == ("v",)
    (over,) = overs("SELECT *, RANK() OVER (ORDER BY v) AS r FROM S [NOW]")
    assert over.child.schema.names == ("k", "v", "name")


def test_groups_are_made_before_and_qualify_comes_after() -> None:
    query = """SELECT k, RANK() OVER (ORDER BY SUM(v) DESC) AS r, SUM(SUM(v)) OVER () AS total FROM S [NOW] GROUP BY k
               HAVING COUNT(*) > 1 QUALIFY r < 3 AND COUNT(*) > 2 ORDER BY r LIMIT 5"""
    kinds = [type(node) for node in walk(derived(query).plan)]
    order = [TopK, Project, Select, Over, Over, Select, Aggregate]
    assert [kind for kind in kinds if kind in order] == order


@pytest.mark.parametrize(
    ("written", "frame"),
    [
        ("ORDER BY v", Frame("range", None, 0)),
        ("PARTITION BY k", Frame("range", None, None)),
        ("ORDER BY v ROWS 3 PRECEDING", Frame("rows", -3, 0)),
        ("ORDER BY v ROWS BETWEEN 2 FOLLOWING AND UNBOUNDED FOLLOWING", Frame("rows", 2, None)),
        ("ORDER BY v GROUPS BETWEEN 1 PRECEDING AND 1 FOLLOWING", Frame("groups", -1, 1)),
        ("ORDER BY v RANGE BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING", Frame("range", None, None)),
    ],
)
def test_frames(written: str, frame: Frame) -> None:
    (over,) = overs(f"SELECT SUM(v) OVER ({written}) AS s FROM S [NOW]")
    assert over.functions[0].frame == frame


@pytest.mark.parametrize(
    ("key", "distance", "first"),
    [
        ("at", "INTERVAL '2' MINUTE", -120_000_000),
        ("d", "INTERVAL '2' DAY", -2),
        ("d", "3", -3),
        ("f", "2.5", -2.5),
        ("l", "2", -2),
    ],
)
def test_ranges_by_the_sort_key(key: str, distance: str, first: float) -> None:
    (over,) = overs(f"SELECT COUNT(*) OVER (ORDER BY {key} RANGE {distance} PRECEDING) AS n FROM Typed [NOW]")
    assert over.functions[0].frame.first == first


def test_types() -> None:
    query = """SELECT ROW_NUMBER() OVER w, CUME_DIST() OVER w, LAG(name) OVER w, LEAD(v, 1, 0.5) OVER w,
                      NTH_VALUE(v, 2) OVER w FROM S [NOW] WINDOW w AS (ORDER BY v)"""
    types = derived(query).plan.schema.types
    assert types[:3] == (INT, DOUBLE, STRING)
    assert str(types[3]) == "DECIMAL(11,1)"
    assert types[4] == INT


def test_named_windows_build_on_each_other() -> None:
    named = (
        "SELECT SUM(v) OVER (b ROWS 1 PRECEDING) AS s FROM S [NOW] WINDOW a AS (PARTITION BY k), b AS (a ORDER BY v)"
    )
    (over,) = overs(named)
    (plain,) = overs("SELECT SUM(v) OVER (PARTITION BY k ORDER BY v ROWS 1 PRECEDING) AS s FROM S [NOW]")
    assert over == plain
    twice = "SELECT SUM(v) OVER (a PARTITION BY v) AS s FROM S [NOW] WINDOW a AS (PARTITION BY k)"
    assert problem(twice) == "a window has its PARTITION BY or ORDER BY twice"


def test_the_running_form_is_a_stream() -> None:
    assert operators("SELECT SUM(v) OVER (ORDER BY v) AS s FROM S")[0] == "project"
    text = "CREATE STREAM Timed (ts INT, v INT) TIMESTAMP BY ts; CREATE QUERY q AS SELECT "
    for call, kind in (("SUM(v)", "stream"), ("LAG(v)", "stream"), ("LEAD(v)", "relation"), ("NTILE(2)", "relation")):
        session = compile_script(Source(f"{text}{call} OVER (ORDER BY ts) AS s FROM Timed;", "test.cql"), None)
        assert str(session.program.queries["q"].plan.kind) == kind, call


def test_the_expanded_text_has_the_window() -> None:
    query = "SELECT k FROM S [NOW] WINDOW w AS (ORDER BY v) QUALIFY RANK() OVER w = 1"
    assert " ".join(expanded(query).split()) == query


@pytest.mark.parametrize(
    "form",
    [
        "SELECT SUM(v) OVER (ORDER BY v ROWS BETWEEN # PRECEDING AND CURRENT ROW) AS s FROM S [NOW]",
        "SELECT LAG(v, #) OVER (ORDER BY v) AS s FROM S [NOW]",
        "SELECT k FROM S [NOW] QUALIFY ROW_NUMBER() OVER (ORDER BY v) <= #",
        "SELECT COUNT_IF(v > #) OVER (ORDER BY v) AS s FROM S [NOW] WHERE k = #",
    ],
)
def test_queries_that_differ_in_a_constant_have_different_plans(form: str) -> None:
    queries = [f"CREATE QUERY q{n} AS {form.replace('#', str(n))};" for n in (1, 2, 3)]
    session = compile_script(Source(SOURCES + "\n".join(queries), "test.cql"), None)
    plans = [session.program.queries[f"q{n}"].plan for n in (1, 2, 3)]
    assert len(set(plans)) == 3
    assert plans == [derived(form.replace("#", str(n))).plan for n in (1, 2, 3)]
