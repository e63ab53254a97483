"""Growing joins: tells the author of a join of streams without windows that nothing bounds: its state never shrinks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from tailrace.language import nodes as ast
from tailrace.logical.expressions import Expression, all_of, columns_of, conjuncts, shift
from tailrace.logical.nodes import Aggregate, Distinct, Join, Project, Select
from tailrace.logical.plan import Plan
from tailrace.logical.time.time_bounds import growing_elements, time_bounds

if TYPE_CHECKING:
    from tailrace.analysis.queries import QueryAnalysis

INNER = "state grows for ever: this join remembers all elements of both streams. Bound their times, as in "
INNER += "t.ts BETWEEN s.ts AND s.ts + 60, or give them windows"
OUTER = "state grows for ever: an outer join remembers all elements of both streams. Give them windows"


def note_growing_joins(queries: QueryAnalysis, node: ast.Select, plan: Plan) -> None:
    """Add a note for each kind of join in a SELECT's plan that remembers all elements of two streams."""
    if isinstance(node.args["from_"], ast.Join):
        for text in dict.fromkeys(notes_of(plan, (), queries.settings.tick)):
            queries.note(node.args["from_"], text)


def notes_of(plan: Plan, above: tuple[Expression, ...], tick: int) -> Iterator[str]:
    """The notes on a plan's joins; `above` has the conditions of selections above it."""
    match plan:
        case Select(child, predicate):
            yield from notes_of(child, (*above, *conjuncts(predicate)), tick)
        case Project(child) | Aggregate(child) | Distinct(child):
            yield from notes_of(child, (), tick)
        case Join(left, right, how, condition):
            parts = (*above, *conjuncts(condition)) if how == "inner" else ()
            mine, theirs, width = growing_elements(left), growing_elements(right), len(left.schema)
            if mine and theirs and not (parts and time_bounds(mine, theirs, all_of(parts), tick)):
                yield INNER if how == "inner" else OUTER
            on_left = tuple(part for part in parts if max(columns_of(part), default=width) < width)
            on_right = tuple(shift(part, -width) for part in parts if min(columns_of(part), default=-1) >= width)
            yield from notes_of(left, on_left, tick)
            yield from notes_of(right, on_right, tick)
