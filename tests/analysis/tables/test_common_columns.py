"""SEMI, ANTI and NATURAL joins: the plans they stand for, and what is in scope behind them."""

from __future__ import annotations

import pytest

from tests.analysis.build import derived, operators, plan_of, problem


@pytest.mark.parametrize(
    ("join", "same"),
    [
        ("LEFT SEMI JOIN Still ON S.k = Still.k", "WHERE EXISTS (SELECT 1 FROM Still WHERE Still.k = S.k)"),
        ("SEMI JOIN Still USING (k)", "WHERE EXISTS (SELECT 1 FROM Still WHERE Still.k = S.k)"),
        ("ANTI JOIN Still ON S.k = Still.k", "WHERE NOT EXISTS (SELECT 1 FROM Still WHERE Still.k = S.k)"),
        ("NATURAL LEFT ANTI JOIN Still", "WHERE NOT EXISTS (SELECT 1 FROM Still WHERE Still.k = S.k)"),
        ("NATURAL JOIN T [NOW]", "JOIN T [NOW] USING (k)"),
        ("NATURAL LEFT OUTER JOIN Still", "LEFT JOIN Still USING (k)"),
        ("NATURAL FULL JOIN Still", "FULL JOIN Still USING (k)"),
        ("NATURAL JOIN (SELECT label FROM Still) x", "CROSS JOIN (SELECT label FROM Still) x"),
    ],
)
def test_joins_that_are_written_otherwise_too(join: str, same: str) -> None:
    one, other = (operators(f"SELECT * FROM S [NOW] {text}") for text in (join, same))
    assert [each for each in one if each != "project"] == [each for each in other if each != "project"]


def test_a_right_semijoin_keeps_the_right_side() -> None:
    assert derived("SELECT * FROM S [NOW] RIGHT SEMI JOIN Still USING (k)").names == ("k", "label")
    assert plan_of("SELECT * FROM S [NOW] RIGHT ANTI JOIN Still USING (k)").splitlines()[1:3] == [
        "└─ antijoin on k#2 = k#0",
        "   ├─ relation static Still(k INT, label STRING)",
    ]


def test_a_semijoin_goes_on_with_the_columns_of_its_side() -> None:
    text = "SELECT * FROM S [NOW] SEMI JOIN Still USING (k) JOIN Latest ON S.k = Latest.k"
    assert derived(text).names == ("k", "v", "name", "k_2", "label")


def test_refused() -> None:
    assert problem("SELECT label FROM S [NOW] SEMI JOIN Still USING (k)") == "no column label in S"
    assert problem("SELECT v FROM S [NOW] NATURAL CROSS JOIN Still") == "NATURAL CROSS JOIN has no meaning"
    assert problem("SELECT v FROM S a JOIN T b USING (k) NATURAL JOIN S c JOIN Latest d NATURAL JOIN Still") == (
        "expected ON or USING after INNER JOIN, found NATURAL"
    )
