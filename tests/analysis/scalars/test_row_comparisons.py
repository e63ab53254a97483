"""Comparisons of rows of values and of the elements of arrays, on NULLs too: what Spark says of structs and lambdas."""

from __future__ import annotations

import re

import pytest

from tailrace.testing.reference.values import value as value_of
from tests.analysis.build import plan_of, value

NOTHING = "CAST(NULL AS INT)"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("(1, n) = (1, n)", True),
        ("(1, n) = (1, 2)", False),
        ("(1, n) <> (1, 2)", True),
        ("(n, 1) < (1, 1)", True),
        ("(1, n) < (1, 2)", True),
        ("(1, 2) < (1, n)", False),
        ("(1, 2) <= (1, n)", False),
        ("(1, 2) > (1, n)", True),
        ("(1, n) >= (1, n)", True),
        ("(1, 2, 3) < (1, 2, 4)", True),
        ("(2, 1) < (1, 9)", False),
        ("(1, n) IN ((1, n))", True),
        ("(1, n) IN ((1, 2), (3, 4))", False),
        ("(1, n) NOT IN ((2, 3))", True),
        ("(1, n) BETWEEN (0, 1) AND (2, 2)", True),
        ("(1, n) IS DISTINCT FROM (1, n)", False),
        ("1 = ANY (ARRAY(2, n))", None),
        ("2 = ANY (ARRAY(2, n))", True),
        ("1 <> ALL (ARRAY(2, n))", None),
        ("2 <> ALL (ARRAY(2, n))", False),
        ("3 > ALL (ARRAY(1, 2))", True),
    ],
)
def test_what_they_are_worth(text: str, expected: bool | None) -> None:
    assert value_of(value(re.sub(r"\bn\b", NOTHING, text)), ()) == expected


def test_equal_rows_are_keys_of_a_join() -> None:
    plan = plan_of("SELECT S.k FROM S [NOW] JOIN Still ON (S.k, S.name) = (Still.k, Still.label)")
    assert "join on k#0 <=> k#3 AND name <=> label" in plan


def test_an_array_of_a_column_is_compared_in_a_lambda() -> None:
    assert "exists(a, " in plan_of("SELECT i = ANY (a) AS it FROM Typed [NOW]").lower()
    assert "forall(a, " in plan_of("SELECT i < ALL (a) AS it FROM Typed [NOW]").lower()
