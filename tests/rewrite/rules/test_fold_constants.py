"""Folding constants: values where they are certain, three-valued logic, and what is left to Spark."""

from decimal import Decimal

import pytest

from tailrace.logical.expressions import FALSE, TRUE, Aggregation, Call, Expression, Literal
from tailrace.logical.nodes import Aggregate
from tailrace.logical.text.expression_text import text_of
from tailrace.rewrite.rules.fold_constants import fold_constants
from tailrace.types import BIGINT, BOOLEAN, DATE, DOUBLE, FLOAT, INT, STRING, VOID, decimal
from tests.rewrite.build import R, S, aggregate, check, expression, join, last, project, select, top, unchanged


def folded(text: str) -> str:
    """An expression over S after folding, its type unchanged."""
    before = expression(S.schema, text)
    after = fold_constants(project(S, text)).expressions[0]  # type: ignore[attr-defined]
    assert after.type == before.type
    return text_of(after)


def fold(written: Expression) -> Expression:
    plan = project(S, "k")
    changed = fold_constants(type(plan)(S, (written,), ("x",)))
    return changed.expressions[0]  # type: ignore[attr-defined, no-any-return]


def test_a_selection_by_a_computed_constant() -> None:
    check(
        fold_constants,
        select(S, "v > 60 + 5 AND 1 < 2"),
        """
        select v > 60 + 5 AND 1 < 2
        └─ stream S(k INT, v INT)
        """,
        """
        select v > 65
        └─ stream S(k INT, v INT)
        """,
    )


def test_a_selection_by_true_is_gone() -> None:
    check(
        fold_constants,
        last(select(S, "v = v OR 1 = 1")),
        """
        window [RANGE 30]
        └─ select v = v OR 1 = 1
           └─ stream S(k INT, v INT)
        """,
        """
        window [RANGE 30]
        └─ stream S(k INT, v INT)
        """,
    )


def test_expressions_are_folded_wherever_they_stand() -> None:
    check(
        fold_constants,
        top(aggregate(join(last(S), R, "c0 = c2 + (1 - 1)"), ["v * (2 + 3)"], "v + (1 + 1)"), 2, "n * (1 + 1)"),
        """
        top-k 2 by n * (1 + 1)
        └─ aggregate COUNT(*), SUM(v + (1 + 1)) by v * (2 + 3)
           └─ join on k#0 = k#2 + (1 - 1)
              ├─ window [RANGE 30]
              │  └─ stream S(k INT, v INT)
              └─ relation static R(k INT, name STRING)
        """,
        """
        top-k 2 by n * 2
        └─ aggregate COUNT(*), SUM(v + 2) by v * 5
           └─ join on k#0 = k#2 + 0
              ├─ window [RANGE 30]
              │  └─ stream S(k INT, v INT)
              └─ relation static R(k INT, name STRING)
        """,
    )


def test_a_filter_by_true_is_none() -> None:
    def counted(condition: Expression | None) -> Aggregate:
        return Aggregate(last(S), (), (Aggregation("count", (), BIGINT, condition=condition),), ("n",))

    assert fold_constants(counted(TRUE)) == counted(None)
    unchanged(fold_constants, counted(FALSE))


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("1 + 2 * 3", "7"),
        ("-7 / 2", "-3L"),
        ("-7 % 4", "-3"),
        ("7 % -4", "3"),
        ("1.5 * 2.0", "3.0D"),
        ("-(2)", "-2"),
        ("v + NULL", "CAST(NULL AS INT)"),
        ("NULL / 0", "CAST(NULL AS BIGINT)"),
        ("'a' || 'b'", "'ab'"),
        ("'a' || NULL", "CAST(NULL AS STRING)"),
        ("CAST(5 AS BIGINT)", "5L"),
        ("CAST(5 AS DOUBLE)", "5.0D"),
        ("CAST(NULL AS INT)", "CAST(NULL AS INT)"),
        ("CAST(v AS INT)", "v"),
    ],
)
def test_values(written: str, value: str) -> None:
    assert folded(written) == value


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("2 < 3", "TRUE"),
        ("'b' <= 'a'", "FALSE"),
        ("1.5 = 1.5", "TRUE"),
        ("TRUE <> FALSE", "TRUE"),
        ("v = NULL", "CAST(NULL AS BOOLEAN)"),
        ("1 IS NULL", "FALSE"),
        ("NULL IS NULL", "TRUE"),
        ("NULL IS NOT NULL", "FALSE"),
        ("v IS NULL", "v IS NULL"),
        ("2 IN (1, 2)", "TRUE"),
        ("2 IN (1, 2, NULL)", "TRUE"),
        ("2 IN (1, NULL)", "CAST(NULL AS BOOLEAN)"),
        ("2 IN (1, 3)", "FALSE"),
        ("NULL IN (1, 3)", "CAST(NULL AS BOOLEAN)"),
        ("v IN (1, 3)", "v IN (1, 3)"),
        ("2 IN (1, v)", "2 IN (1, v)"),
    ],
)
def test_comparisons(written: str, value: str) -> None:
    assert folded(written) == value


UNKNOWN = "CAST(NULL AS BOOLEAN)"
LOGIC = {"TRUE": "TRUE", "FALSE": "FALSE", "NULL": UNKNOWN}
AND = {"TRUE": {"TRUE": "TRUE", "NULL": "NULL"}, "NULL": {"TRUE": "NULL", "NULL": "NULL"}}
OR = {"FALSE": {"FALSE": "FALSE", "NULL": "NULL"}, "NULL": {"FALSE": "NULL", "NULL": "NULL"}}


@pytest.mark.parametrize("left", LOGIC)
@pytest.mark.parametrize("right", LOGIC)
def test_three_valued_logic(left: str, right: str) -> None:
    assert folded(f"{left} AND {right}") == LOGIC[AND.get(left, {}).get(right, "FALSE")]
    assert folded(f"{left} OR {right}") == LOGIC[OR.get(left, {}).get(right, "TRUE")]


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("NOT TRUE", "FALSE"),
        ("NOT FALSE", "TRUE"),
        ("NOT NULL", UNKNOWN),
        ("v > 1 AND TRUE", "v > 1"),
        ("v > 1 AND FALSE", "FALSE"),
        ("v > 1 AND NULL", "v > 1 AND NULL"),
        ("TRUE OR v > 1", "TRUE"),
        ("FALSE OR v > 1", "v > 1"),
        ("1 / 0 = 1 AND FALSE", "FALSE"),
    ],
)
def test_logic_with_something_unknown_beside_it(written: str, value: str) -> None:
    assert folded(written) == value


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("CASE WHEN 1 = 1 THEN k ELSE v END", "k"),
        ("CASE WHEN 1 = 2 THEN k ELSE v END", "v"),
        ("CASE WHEN NULL THEN k ELSE NULL END", "CAST(NULL AS INT)"),
        (
            "CASE WHEN k = 1 THEN 1 WHEN FALSE THEN 2 WHEN TRUE THEN 3 WHEN k = 2 THEN 4 ELSE 5 END",
            "CASE WHEN k = 1 THEN 1 ELSE 3 END",
        ),
        ("CASE WHEN TRUE THEN 1 ELSE 2.5 END", "CASE WHEN TRUE THEN 1 ELSE 2.5D END"),
        ("COALESCE(3, v)", "3"),
        ("COALESCE(NULL, v)", "v"),
        ("COALESCE(NULL, k, v)", "COALESCE(k, v)"),
        ("COALESCE(v, 3)", "COALESCE(v, 3)"),
        ("COALESCE(3, 2.5)", "COALESCE(3, 2.5D)"),
    ],
)
def test_case_and_coalesce(written: str, value: str) -> None:
    assert folded(written) == value


@pytest.mark.parametrize(
    "written",
    ["2147483647 + 1", "1 / 0", "1 % 0", "1.0 / 0.0", "CAST(300 AS TINYINT)", "1 < 1.5", "'1' = 1", "v - v", "v * 0"],
)
def test_left_to_spark(written: str) -> None:
    assert folded(written) == text_of(expression(S.schema, written))


@pytest.mark.parametrize(
    "left",
    [
        Literal(1.5, FLOAT),
        Literal("2024-01-01", DATE),
        Literal(float("nan"), DOUBLE),
        Literal(Decimal("1.5"), decimal(2, 1)),
    ],
)
def test_sums_left_to_spark(left: Literal) -> None:
    addition = Call("+", (left, left), left.of)
    assert fold(addition) == addition


def test_comparisons_left_to_spark() -> None:
    for left in (Literal(1.5, FLOAT), Literal("2024-01-01", DATE), Literal(float("nan"), DOUBLE)):
        equal = Call("=", (left, left), BOOLEAN)
        assert fold(equal) == equal


def test_decimals_of_one_type_compare() -> None:
    one, two = (Literal(Decimal(text), decimal(2, 1)) for text in ("1.0", "2.0"))
    assert fold(Call("<", (one, two), BOOLEAN)) == TRUE
    assert fold(Call("negate", (one,), decimal(2, 1))) == Literal(Decimal("-1.0"), decimal(2, 1))


def test_a_function_is_left_to_spark() -> None:
    upper = Call("upper", (Literal("a", STRING),), STRING)
    assert fold(upper) == upper
    assert fold(Call("and", (Literal(None, VOID), TRUE), BOOLEAN)) == Literal(None, BOOLEAN)
    assert fold(Literal(1, INT)) == Literal(1, INT)
