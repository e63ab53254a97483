"""Which relations only grow, and so are streams by default (semantics B.6)."""

from __future__ import annotations

import pytest

from tailrace.analysis.queries import is_monotonic, is_static
from tailrace.logical.plan import Kind
from tests.analysis.build import derived

GROWS = [
    "SELECT k FROM S",
    "SELECT k FROM S [RANGE UNBOUNDED]",
    "SELECT k FROM S [ROWS UNBOUNDED]",
    "SELECT k + 1 AS n FROM S WHERE v > 1 AND name LIKE 'a%'",
    "SELECT DISTINCT k FROM S",
    "SELECT S.k, w FROM S, T WHERE S.k = T.k",
    "SELECT S.k, w FROM S JOIN T ON S.k = T.k",
    "SELECT S.k FROM S CROSS JOIN Still",
    "SELECT S.k, label FROM S, Still WHERE S.k = Still.k",
    "SELECT S.k, label FROM S, Growing WHERE S.k = Growing.k",
    "SELECT label FROM Still",
    "SELECT label FROM Growing WHERE k = 1",
    "SELECT k FROM S UNION ALL SELECT k FROM T",
    "SELECT k FROM S UNION SELECT k FROM Still",
    "SELECT k FROM S INTERSECT SELECT k FROM T",
    "SELECT k FROM S WHERE k IN (SELECT k FROM T)",
    "SELECT k FROM S WHERE EXISTS (SELECT 1 FROM T WHERE T.k = S.k)",
    "SELECT k FROM (SELECT k FROM S WHERE v > 1) AS big",
]
MAY_SHRINK = [
    "SELECT k FROM S [NOW]",
    "SELECT k FROM S [RANGE 5]",
    "SELECT k FROM S [ROWS 5]",
    "SELECT k FROM S [PARTITION BY k ROWS 5]",
    "SELECT COUNT(*) AS n FROM S",
    "SELECT k FROM S GROUP BY k",
    "SELECT S.k FROM S LEFT JOIN T ON S.k = T.k",
    "SELECT S.k FROM S FULL JOIN T ON S.k = T.k",
    "SELECT S.k FROM S, T [RANGE 5] WHERE S.k = T.k",
    "SELECT k FROM S EXCEPT SELECT k FROM T",
    "SELECT k FROM S WHERE k NOT IN (SELECT k FROM T)",
    "SELECT k FROM S WHERE NOT EXISTS (SELECT 1 FROM T WHERE T.k = S.k)",
    "SELECT k FROM S WHERE v > (SELECT COUNT(*) FROM T)",
    "SELECT k FROM S WHERE v > 1 OR k IN (SELECT k FROM T)",
    "SELECT k FROM S ORDER BY v LIMIT 3",
    "SELECT label FROM Latest",
    "SELECT label FROM Kept",
    "SELECT S.k FROM S, Latest WHERE S.k = Latest.k",
]


@pytest.mark.parametrize("query", GROWS)
def test_what_only_grows_becomes_a_stream(query: str) -> None:
    plan = derived(query).plan
    assert plan.kind is Kind.STREAM
    (relation,) = plan.children
    assert is_monotonic(relation)


@pytest.mark.parametrize("query", MAY_SHRINK)
def test_what_may_lose_a_tuple_stays_a_relation(query: str) -> None:
    plan = derived(query).plan
    assert plan.kind is Kind.RELATION
    assert not is_monotonic(plan)


def test_static_is_what_never_changes() -> None:
    (static,) = derived("SELECT label FROM Still WHERE k = 1").plan.children
    (growing,) = derived("SELECT label FROM Growing").plan.children
    assert is_static(static)
    assert not is_static(growing)
    assert not is_static(derived("SELECT label FROM Latest").plan)
