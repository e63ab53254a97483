"""Array comparisons: `x = ANY (array)` and its like: comparisons with the elements, connected by OR or by AND.

The elements of an array that is written out are compared one by one, those of others in a higher-order function.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlglot import exp

from tailrace.analysis.scalars.coercion import compare, together
from tailrace.analysis.scalars.placeholders import has_aggregate, has_subquery
from tailrace.errors import AnalysisError
from tailrace.language.nodes import place_of
from tailrace.logical.expressions import Call, Expression, Lambda, Variable
from tailrace.types import BOOLEAN

if TYPE_CHECKING:
    from tailrace.analysis.scalars.resolve import Scalars


def compare_elements(scalars: Scalars, sign: str, node: exp.Expr) -> Expression:
    """`x = ANY (array)` and `x > ALL (array)`: whether the comparison is true of some, or of every, element."""
    quantified = node.args["expression"]
    if is_array_of_values(quantified.this):
        return compare_values(scalars, sign, node)
    value, array = scalars.resolve(node.this), scalars.resolve(quantified.this)
    if array.type.name != "ARRAY":
        word = quantified.args["word"]
        raise AnalysisError(f"{word} takes a subquery or an ARRAY, not {array.type}", place_of(quantified))
    if any(has_aggregate(side) or has_subquery(side) for side in (value, array)):
        raise AnalysisError("a comparison with the elements of an array holds no aggregate or subquery", place_of(node))
    element = Variable(f"element{len(scalars.variables)}", array.type.args[0])
    body = compare(sign, value, element, place_of(node))
    name = "forall" if quantified.args["word"] == "ALL" else "exists"
    return Call(name, (array, Lambda((element,), body)), BOOLEAN)


def is_array_of_values(node: exp.Expr) -> bool:
    """Whether a node is `ARRAY(a, b, …)`."""
    return isinstance(node, exp.Anonymous) and str(node.this).upper() == "ARRAY" and bool(node.expressions)


def compare_values(scalars: Scalars, sign: str, node: exp.Expr) -> Expression:
    quantified = node.args["expression"]
    value = scalars.resolve(node.this)
    elements, _ = together(
        [scalars.resolve(each) for each in quantified.this.expressions], "in ARRAY, ", place_of(quantified)
    )
    word = "and" if quantified.args["word"] == "ALL" else "or"
    found: Expression = compare(sign, value, elements[0], place_of(node))
    for element in elements[1:]:
        found = Call(word, (found, compare(sign, value, element, place_of(node))), BOOLEAN)
    return found
