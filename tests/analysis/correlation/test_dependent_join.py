"""Subqueries that cannot be lifted into a join are evaluated for the distinct values of the outer columns."""

from __future__ import annotations

from tests.analysis.build import operators, plan_of


def test_the_domain_is_joined_where_the_plan_begins_to_read_it() -> None:
    found = plan_of("SELECT k, (SELECT SUM(w) FROM T [NOW] AS t WHERE t.w > s.v) AS x FROM S [NOW] AS s").splitlines()
    assert found[1] == "└─ singlejoin on v <=> d0"
    below = "\n".join(line.lstrip("│├└─ ") for line in found[4:])
    assert below == "\n".join(
        (
            "project d0, SUM(w) AS sum",
            "project d0#0 AS d0, SUM(w)",
            "singlejoin on d0#0 <=> d0#1",
            *(domain := ("distinct", "project v AS d0", "window [NOW]", "stream S(k INT, v INT, name STRING)")),
            "project d0, SUM(w), TRUE AS there",
            "aggregate SUM(w) by d0",
            "select w > d0",
            "join on TRUE",
            *domain,
            "window [NOW]",
            "stream T(k BIGINT, w INT)",
        )
    )


def test_a_domain_is_not_dependent_where_a_filter_can_be_left_out() -> None:
    inner = (
        "SELECT 1 FROM Still AS b WHERE b.k = a.k AND b.label > (SELECT MAX(c.label) FROM Still AS c WHERE c.k > b.k)"
    )
    found = operators(f"SELECT k FROM S [NOW] AS a WHERE EXISTS ({inner})")
    assert found.count("distinct") == found.count("singlejoin") == 2
    assert "<=>" not in plan_of(f"SELECT k FROM S [NOW] AS a WHERE EXISTS ({inner})").splitlines()[1]
