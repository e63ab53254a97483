"""Query ids: they say what a query computes, and change neither with names nor with how the query was planned."""

from __future__ import annotations

import pytest

from tailrace.engine.pipeline import compile_script, query_set
from tailrace.errors import Source

DECLARED = "CREATE STREAM S (k INT, v INT) TIMESTAMP BY ts;\nCREATE STREAM T (k INT, v INT) TIMESTAMP BY ts;\n"
QUERY = "SELECT k, SUM(v) AS s FROM S [RANGE 5] WHERE v > 3 GROUP BY k"


def ids(*queries: str, before: str = "") -> list[str]:
    """The ids of queries that are in one script."""
    statements = "".join(f"CREATE QUERY q{number} AS {query};\n" for number, query in enumerate(queries))
    profiles = query_set(compile_script(Source(DECLARED + before + statements))).profiles
    return [profiles[f"q{number}"].query_id for number in range(len(queries))]


@pytest.mark.parametrize(
    "same",
    [
        "SELECT k AS a, SUM(v) AS b FROM S [RANGE 5] WHERE v > 3 GROUP BY k",
        "SELECT x.k, SUM(x.v) AS s FROM S [RANGE 5] AS x WHERE x.v > 3 GROUP BY x.k",
    ],
    ids=["columns", "sources"],
)
def test_names_do_not_matter(same: str) -> None:
    assert ids(QUERY) == ids(same)


@pytest.mark.parametrize(
    "other",
    [
        QUERY.replace("> 3", "> 4"),
        QUERY.replace("> 3", ">= 3"),
        QUERY.replace("RANGE 5", "RANGE 6"),
        QUERY.replace("FROM S", "FROM T"),
        QUERY.replace("SUM(v)", "AVG(v)"),
        QUERY.replace("SUM(v)", "SUM(DISTINCT v)"),
        QUERY.replace("SELECT k", "SELECT k + 1 AS k"),
    ],
)
def test_what_is_computed_matters(other: str) -> None:
    assert ids(QUERY) != ids(other)


def test_whether_it_was_planned_by_a_template_does_not_matter() -> None:
    """Queries of one template are not read one by one, yet each has the id that it has when it is alone."""
    alike = [QUERY.replace("> 3", f"{sign} {value}") for sign in (">", "<>", "<=") for value in (-7, 0, 2, 300)]
    assert len(set(ids(*alike))) == len(alike)
    assert ids(*alike) == [id for query in alike for id in ids(query)]


def test_minus_zero_is_not_zero() -> None:
    before = "CREATE STREAM D (d DOUBLE) TIMESTAMP BY ts;\n"
    alike = [f"SELECT d FROM D WHERE d > {value}" for value in ("0.5", "0.7", "-0.0", "0.0")]
    assert len(set(ids(*alike, before=before))) == len(alike)
    assert ids(*alike, before=before) == [id for query in alike for id in ids(query, before=before)]


def test_other_queries_do_not_matter() -> None:
    assert ids(QUERY) == ids("SELECT k FROM T [NOW]", QUERY)[1:]
    assert ids(QUERY, before="CREATE VIEW V AS SELECT k FROM T [NOW];\n") == ids(QUERY)
