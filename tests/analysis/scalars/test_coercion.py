"""Literals get Spark's types, and implicit casts are written out."""

from __future__ import annotations

from decimal import Decimal

import pytest

from tailrace.analysis.scalars.coercion import cast, compare, number, together, truth
from tailrace.errors import AnalysisError
from tailrace.logical.expressions import Call, Column, Literal
from tailrace.logical.text.expression_text import text_of
from tailrace.types import BIGINT, BOOLEAN, DATE, DOUBLE, INT, STRING, VOID, Type, decimal

K, L, F, S = Column(0, INT, "k"), Column(1, BIGINT, "l"), Column(2, DOUBLE, "f"), Column(3, STRING, "s")
DAY = Column(4, DATE, "d")


@pytest.mark.parametrize(
    ("text", "value", "type"),
    [
        ("0", 0, INT),
        ("2147483647", 2147483647, INT),
        ("2147483648", 2147483648, BIGINT),
        ("9223372036854775807", 9223372036854775807, BIGINT),
        ("9223372036854775808", Decimal("9223372036854775808"), decimal(19)),
        ("1.5", Decimal("1.5"), decimal(2, 1)),
        ("0.05", Decimal("0.05"), decimal(2, 2)),
        ("1.", Decimal("1"), decimal(1)),
        ("1e3", 1000.0, DOUBLE),
        ("2.5E-1", 0.25, DOUBLE),
    ],
)
def test_numbers(text: str, value: object, type: Type) -> None:
    assert number(text) == Literal(value, type)


def test_casting_a_literal_retypes_it() -> None:
    assert cast(Literal(5, INT), BIGINT) == Literal(5, BIGINT)
    assert cast(Literal(5, INT), DOUBLE) == Literal(5.0, DOUBLE)
    assert cast(Literal(None, VOID), STRING) == Literal(None, STRING)


def test_casting_anything_else_is_a_call() -> None:
    assert cast(K, INT) is K
    assert cast(K, BIGINT) == Call("cast", (K,), BIGINT)
    assert cast(Literal("5", STRING), BIGINT) == Call("cast", (Literal("5", STRING),), BIGINT)


@pytest.mark.parametrize(
    ("left", "right", "text"),
    [
        (K, K, "k = k"),
        (K, L, "CAST(k AS BIGINT) = l"),
        (K, F, "CAST(k AS DOUBLE) = f"),
        (K, S, "k = CAST(s AS INT)"),
        (DAY, S, "d = CAST(s AS DATE)"),
        (L, Literal(5, INT), "l = 5L"),
        (K, Literal(None, VOID), "k = CAST(NULL AS INT)"),
    ],
)
def test_both_sides_of_a_comparison_become_one_type(left: Column, right: Column, text: str) -> None:
    assert text_of(compare("=", left, right, None)) == text


def test_what_does_not_compare() -> None:
    with pytest.raises(AnalysisError, match="DATE and INT do not compare"):
        compare("<", DAY, K, None)


def test_several_values_become_one_type() -> None:
    values, type = together([K, F, Literal(1, INT)], "in COALESCE,", None)
    assert type == DOUBLE
    assert [text_of(value) for value in values] == ["CAST(k AS DOUBLE)", "f", "1.0D"]
    with pytest.raises(AnalysisError, match="DATE and INT have no common type"):
        together([DAY, Literal(None, VOID), K], "the branches of CASE:", None)
    with pytest.raises(AnalysisError, match="DATE and INT have no common type"):
        together([Literal(None, VOID), DAY, K], "the branches of CASE:", None)


def test_a_text_makes_texts_of_numbers_and_times() -> None:
    values, type = together([K, DAY, Literal("none", STRING)], "in COALESCE,", None)
    assert type == STRING
    assert [text_of(value) for value in values] == ["CAST(k AS STRING)", "CAST(d AS STRING)", "'none'"]


def test_conditions() -> None:
    flag = Column(5, BOOLEAN, "ok")
    assert truth(flag, "WHERE", None) is flag
    assert truth(Literal(None, VOID), "WHERE", None) == Literal(None, BOOLEAN)
    with pytest.raises(AnalysisError, match="WHERE must be a condition, not INT"):
        truth(K, "WHERE", None)
