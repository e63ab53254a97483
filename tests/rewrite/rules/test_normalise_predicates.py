"""Normalising predicates: NOT inwards, conjunctive normal form, and the predicates that stay as they are."""

import pytest

from tailrace.logical.text.explain import text
from tailrace.rewrite.rules.normalise_predicates import MOST_CONJUNCTS, normalise_predicates
from tests.rewrite.build import WIDE, R, S, antijoin, check, expression, join, last, markjoin, select, unchanged


def normal(predicate: str) -> str:
    changed = normalise_predicates(select(WIDE, predicate))
    assert normalise_predicates(changed) == changed
    return text(changed.predicate, WIDE.schema)  # type: ignore[attr-defined]


def test_a_selection() -> None:
    check(
        normalise_predicates,
        select(S, "NOT (k = 1 OR NOT v < 5)"),
        """
        select NOT (k = 1 OR NOT v < 5)
        └─ stream S(k INT, v INT)
        """,
        """
        select k <> 1 AND v < 5
        └─ stream S(k INT, v INT)
        """,
    )


def test_conditions_of_joins() -> None:
    check(
        normalise_predicates,
        join(antijoin(last(S), R, "c0 = c2 AND c0 = c2"), R, "(c0 = c2 AND v = 1) OR (c0 = c2 AND v = 2)", "left"),
        """
        join left on k#0 = k#2 AND v = 1 OR k#0 = k#2 AND v = 2
        ├─ antijoin on k#0 = k#2 AND k#0 = k#2
        │  ├─ window [RANGE 30]
        │  │  └─ stream S(k INT, v INT)
        │  └─ relation static R(k INT, name STRING)
        └─ relation static R(k INT, name STRING)
        """,
        """
        join left on k#0 = k#2 AND (k#0 = k#2 OR v = 2) AND (v = 1 OR k#0 = k#2) AND (v = 1 OR v = 2)
        ├─ antijoin on k#0 = k#2
        │  ├─ window [RANGE 30]
        │  │  └─ stream S(k INT, v INT)
        │  └─ relation static R(k INT, name STRING)
        └─ relation static R(k INT, name STRING)
        """,
    )


def test_a_mark_keeps_its_three_values() -> None:
    changed = normalise_predicates(markjoin(last(S), R, "NOT (c0 <> c2)"))
    assert changed == markjoin(last(S), R, "c0 = c2")


@pytest.mark.parametrize(
    ("predicate", "expected"),
    [
        ("NOT NOT a = 1", "a = 1"),
        ("NOT a < 1", "a >= 1"),
        ("NOT a >= 1", "a < 1"),
        ("NOT a > 1", "a <= 1"),
        ("NOT a <= 1", "a > 1"),
        ("NOT a <> 1", "a = 1"),
        ("NOT (a IS NULL)", "a IS NOT NULL"),
        ("NOT (a IS NOT NULL)", "a IS NULL"),
        ("NOT a IN (1, 2)", "NOT a IN (1, 2)"),
        ("NOT (a = 1 AND b IN (1, 2))", "a <> 1 OR NOT b IN (1, 2)"),
        ("a = 1 AND (b = 1 AND a = 1)", "a = 1 AND b = 1"),
        ("a = 1 OR (b = 1 OR a = 1)", "a = 1 OR b = 1"),
        ("(a = 1 AND b = 1) OR c = 1", "(a = 1 OR c = 1) AND (b = 1 OR c = 1)"),
        (
            "(a = 1 AND b = 1) OR (a = 2 AND b = 2)",
            "(a = 1 OR a = 2) AND (a = 1 OR b = 2) AND (b = 1 OR a = 2) AND (b = 1 OR b = 2)",
        ),
        ("(a = 1 OR b = 1) AND c = 1", "(a = 1 OR b = 1) AND c = 1"),
    ],
)
def test_normal_forms(predicate: str, expected: str) -> None:
    assert normal(predicate) == expected


def test_growth_is_bounded() -> None:
    """2 to the power of 7 conjuncts would be too many; what is beside them is put in order all the same."""
    pairs = " OR ".join(f"(a = {i} AND b = {i})" for i in range(7))
    assert MOST_CONJUNCTS < 2**7
    written = text(expression(WIDE.schema, pairs), WIDE.schema)
    assert normal(f"({pairs}) AND NOT NOT c = 1") == f"({written}) AND c = 1"


def test_size_is_bounded() -> None:
    """Few conjuncts, but each of them longer than all there was."""
    alternatives = " OR ".join(f"a = {i}" for i in range(8))
    predicate = f"{alternatives} OR ({alternatives.replace('OR', 'AND').replace('a', 'b')})"
    assert normal(predicate) == text(expression(WIDE.schema, predicate), WIDE.schema)


def test_a_guard_stays_with_what_it_guards() -> None:
    """Distributed, b <> 0 would no longer keep 1 / b from being asked where c = 1."""
    unchanged(normalise_predicates, select(WIDE, "(b <> 0 AND 1 / b > a) OR c = 1"))
    assert normal("NOT (b = 0 OR 1 / b > a)") == "b <> 0 AND 1 / b <= a"


def test_nothing_to_do() -> None:
    unchanged(
        normalise_predicates,
        select(S, "k = 1 AND v = 2"),
        select(S, "k = 1 OR v = 2"),
        select(S, "TRUE"),
        select(S, "NULL"),
    )
