"""Row comparisons: those of rows of values, such as `(a, b) < (1, 2)`, taken apart into comparisons of their parts.

Rows compare as Spark compares structs: part by part, where a NULL equals a NULL and is less than any other value. So
the comparison of two rows is never NULL. (A row before `IN (subquery)` is no struct: there each part compares by `=`.)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from sqlglot import exp

from tailrace.analysis.scalars.coercion import compare
from tailrace.errors import AnalysisError, TextSpan
from tailrace.language import nodes as ast
from tailrace.language.nodes import place_of
from tailrace.logical.expressions import FALSE, Call, Expression, all_of
from tailrace.types import BOOLEAN

if TYPE_CHECKING:
    from tailrace.analysis.scalars.resolve import Scalars

Row = Sequence[Expression]


def is_row(*operands: exp.Expr) -> bool:
    """Whether an operand is a row of values."""
    return any(isinstance(operand.unnest(), exp.Tuple) for operand in operands)


def parts_of_row(scalars: Scalars, node: exp.Expr, width: int | None, place: TextSpan | None) -> Row:
    """The typed parts of a row of values, which must be as many as `width`."""
    row = node.unnest()
    if not isinstance(row, exp.Tuple):
        hint = "write (a, b) IN (SELECT …)" if isinstance(row, ast.Nested) else None
        raise AnalysisError("a row of values is compared with a row of values", place_of(node) or place, hint)
    parts = row.expressions
    if width is not None and len(parts) != width:
        raise AnalysisError(f"a row of {width} values is compared with one of {len(parts)}", place)
    return [scalars.resolve(part) for part in parts]


def rows_of(scalars: Scalars, operands: Sequence[exp.Expr], place: TextSpan | None) -> list[Row]:
    first = parts_of_row(scalars, operands[0], None, place)
    return [first, *(parts_of_row(scalars, other, len(first), place) for other in operands[1:])]


def compare_rows(sign: str, left: Row, right: Row, place: TextSpan | None) -> Expression:
    """A comparison of two rows by any sign."""
    match sign:
        case "=" | "<=>":
            return all_of([compare("<=>", one, other, place) for one, other in zip(left, right, strict=True)])
        case "<>":
            return Call("not", (compare_rows("=", left, right, place),), BOOLEAN)
        case "<":
            return is_less(left, right, place)
        case ">":
            return is_less(right, left, place)
        case "<=":
            return Call("not", (is_less(right, left, place),), BOOLEAN)
    return Call("not", (is_less(left, right, place),), BOOLEAN)


def is_less(left: Row, right: Row, place: TextSpan | None) -> Expression:
    """Whether a row comes before another one: its first part does, or is equal and the rest comes before."""
    found: Expression = FALSE
    for one, other in reversed(list(zip(left, right, strict=True))):
        less = Call("is true", (compare("<", one, other, place),), BOOLEAN)
        null = Call("is null", (one,), BOOLEAN)
        value = Call("not", (Call("is null", (other,), BOOLEAN),), BOOLEAN)
        first = Call("or", (less, Call("and", (null, value), BOOLEAN)), BOOLEAN)
        if found == FALSE:
            found = first
        else:
            rest = Call("and", (compare("<=>", one, other, place), found), BOOLEAN)
            found = Call("or", (first, rest), BOOLEAN)
    return found


def compare_operands(scalars: Scalars, sign: str, node: exp.Expr) -> Expression:
    """`(a, b) = (1, 2)` and its like."""
    left, right = rows_of(scalars, [node.this, node.args["expression"]], place_of(node))
    return compare_rows(sign, left, right, place_of(node))


def is_among(scalars: Scalars, node: exp.In) -> Expression:
    """`(a, b) IN ((1, 2), (3, 4))`."""
    left, *others = rows_of(scalars, [node.this, *node.expressions], place_of(node))
    found: Expression = compare_rows("=", left, others[0], place_of(node))
    for other in others[1:]:
        found = Call("or", (found, compare_rows("=", left, other, place_of(node))), BOOLEAN)
    return found


def is_between(scalars: Scalars, node: exp.Between) -> Expression:
    """`(a, b) BETWEEN (1, 2) AND (3, 4)`."""
    value, low, high = rows_of(scalars, [node.args[key] for key in ("this", "low", "high")], place_of(node))
    ends = (compare_rows(">=", value, low, place_of(node)), compare_rows("<=", value, high, place_of(node)))
    return Call("and", ends, BOOLEAN)
