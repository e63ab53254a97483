"""Mixed calls: splits expressions of which a worker can compute one part and only Catalyst another.

`soundex(f(x))`, with f from Python, becomes a column f(x), computed in a stage, and soundex of it, left to Catalyst.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from tailrace.columnar.evaluate import can_evaluate
from tailrace.logical.expressions import Column, Expression, UserCall, transform, uses_python

if TYPE_CHECKING:
    from tailrace.lowering.lower import Lowering


def add_part_columns(lowering: Lowering, number: int, wanted: Sequence[Expression]) -> tuple[int, list[Expression]]:
    """A step that computes the parts of mixed expressions as columns, and the expressions over these columns.

    Each round computes the innermost parts, until no expression is mixed. Step `number` is the input.
    """
    found = list(wanted)
    while True:
        parts = list(dict.fromkeys(part for expression in found for part in _next(expression)))
        if not parts:
            return number, found
        number, places = lowering.with_columns(number, parts)
        columns = {part: Column(place, part.type) for part, place in zip(parts, places, strict=True)}
        found = [transform(expression, partial(_replace_part, columns)) for expression in found]


def _replace_part(columns: Mapping[Expression, Column], part: Expression) -> Expression:
    return columns.get(part, part)


def _next(expression: Expression) -> Iterator[Expression]:
    """The innermost proper parts of a mixed expression that need the other side; nothing if it is not mixed.

    The sides are a worker, which evaluates Arrow and Python, and Catalyst.
    """
    if can_evaluate(expression) or not uses_python(expression):
        return
    mixed = [child for child in expression.children if not can_evaluate(child) and uses_python(child)]
    if mixed:
        for child in mixed:
            yield from _next(child)
    elif isinstance(expression, UserCall):
        yield from (child for child in expression.children if not can_evaluate(child))
    else:
        yield from (child for child in expression.children if uses_python(child))
