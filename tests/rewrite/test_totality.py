"""Totality: what can fail is known to, and what is not known counts as able to."""

import pytest

from tailrace.logical.expressions import Call, Column, Expression, Lambda, Literal, Variable
from tailrace.rewrite.totality import cannot_fail
from tailrace.types import BIGINT, BOOLEAN, DATE, DOUBLE, INT, STRING, TIMESTAMP, array, decimal
from tests.rewrite.build import WIDE, expression

A, D = Column(0, INT, "a"), Column(3, STRING, "d")


@pytest.mark.parametrize(
    ("written", "total"),
    [
        ("a = 1 AND NOT (b IS NULL OR c IN (1, 2))", True),
        ("a < 1.5", True),
        ("d = 'x'", True),
        ("d = 1", False),
        ("a + 1 = 2", False),
        ("CAST(a AS DOUBLE) + 1.5 = 2.0", True),
        ("a / 2 = 1", True),
        ("a % 2 = 1", True),
        ("a / 0 = 1", False),
        ("a / -1 = 1", False),
        ("a / b = 1", False),
        ("-a = 1", False),
        ("CAST(a AS BIGINT) = 1", True),
        ("CAST(a AS TINYINT) = 1", False),
        ("CAST(d AS INT) = 1", False),
        ("d || 'x' = 'yx'", True),
        ("COALESCE(a, b) = 1", True),
        ("CASE WHEN a = 1 THEN b ELSE c END = 1", True),
        ("CASE WHEN 1 / a = 1 THEN b ELSE c END = 1", False),
        ("NULL", True),
    ],
)
def test_expressions(written: str, total: bool) -> None:
    assert cannot_fail(expression(WIDE.schema, written)) is total


@pytest.mark.parametrize(
    ("call", "total"),
    [
        (Call("like", (D, Literal("a%", STRING)), BOOLEAN), True),
        (Call("like", (D, Literal("a\\", STRING)), BOOLEAN), False),
        (Call("like", (D, D), BOOLEAN), False),
        (Call("cast", (A,), decimal(12, 2)), True),
        (Call("cast", (A,), decimal(11, 2)), False),
        (Call("cast", (A,), STRING), True),
        (Call("cast", (Column(0, decimal(8, 2)),), DOUBLE), True),
        (Call("cast", (Column(0, decimal(8, 2)),), decimal(9, 3)), True),
        (Call("cast", (Column(0, decimal(8, 2)),), decimal(9, 1)), False),
        (Call("cast", (D,), TIMESTAMP), False),
        (Call("cast", (Column(0, DATE),), TIMESTAMP), True),
        (Call("extract", (Literal("HOUR", STRING), Column(0, TIMESTAMP)), INT), True),
        (Call("somebodys_function", (A,), INT), False),
        (
            Call("transform", (Column(0, array(INT)), Lambda((Variable("x", INT),), Variable("x", INT))), array(INT)),
            False,
        ),
        (Call("/", (Column(0, BIGINT), Literal(None, BIGINT)), BIGINT), False),
    ],
)
def test_calls(call: Expression, total: bool) -> None:
    assert cannot_fail(call) is total
