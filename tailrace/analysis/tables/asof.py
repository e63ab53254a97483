"""As-of joins: reads the condition of ASOF JOIN: equalities, the inequality of the nearest, a bound on the distance.

Over two streams without windows, compared by their timestamps, each element's partner is known at its own instant: the
join is then RSTREAM(left [NOW] ASOF JOIN right), all of it so far.
"""

from __future__ import annotations

from collections.abc import Sequence

from tailrace.analysis.scalars.coercion import compare
from tailrace.analysis.scalars.scope import Scope
from tailrace.analysis.tables.common_columns import pair_of
from tailrace.errors import AnalysisError, TextSpan
from tailrace.language import nodes as ast
from tailrace.language.nodes import place_of
from tailrace.logical.asof_nodes import AsofJoin
from tailrace.logical.expressions import TRUE, Call, Column, Expression, all_of, columns_of, conjuncts, shift
from tailrace.logical.nodes import ApplyWindow, Select, ToStream
from tailrace.logical.plan import Kind, Plan
from tailrace.logical.time.time_bounds import MIRRORED, comparisons, growing_elements, limits, time_bounds
from tailrace.logical.windows import TimeWindow
from tailrace.types import BOOLEAN

FORM = "ASOF JOIN q ON t.k = q.k AND t.ts >= q.ts"


def using_condition(node: ast.Join, left: Scope, right: Scope) -> Expression:
    """The condition of ASOF JOIN … USING (a, b): all columns equal but the last, which is the nearest at or before."""
    names = node.args["using"]
    signs = ["="] * (len(names) - 1) + [">="]
    return all_of(
        [compare(sign, *pair_of(name, left, right), place_of(name)) for name, sign in zip(names, signs, strict=True)]
    )


def asof_join(node: ast.Join, left: Plan, right: Plan, condition: Expression, tick: int) -> Plan:
    """The plan of an ASOF JOIN; `condition` has its MATCH_CONDITION first."""
    place = place_of(node.args.get("match") or node.args.get("on") or node.args["right"])
    if Kind.STEPS in (left.kind, right.kind):
        raise AnalysisError("a sequence query cannot have an ASOF JOIN", place, "join in a view, and read that")
    width = len(left.schema)
    outer = node.args["kind"] == "ASOF LEFT"
    parts = [part for part in conjuncts(condition) if part != TRUE]
    nearest = nearest_of(parts, width, place)
    keys, bounds = [], []
    for part in parts:
        sides = two_sides(part, width)
        used = columns_of(part)
        if part is nearest[0]:
            continue
        if sides and sides.name == "=":
            keys.append(part)
        elif used and min(used) >= width:
            right = Select(right, shift(part, -width))
        elif max(used, default=0) < width and not outer:
            left = Select(left, part)
        elif used and max(used) < width:
            raise AnalysisError(
                "ON of an ASOF LEFT JOIN cannot have a condition on the left side alone", place, "put it into WHERE"
            )
        else:
            bounds.append(check_distance(part, nearest[1], width, place))
    join = AsofJoin(left, right, "left" if outer else "inner", all_of(keys), nearest[1], all_of(bounds))
    return as_elements(join, tick) or join


def nearest_of(parts: Sequence[Expression], width: int, place: TextSpan | None) -> tuple[Expression, Call]:
    """The part that says which right tuple is nearest, as it is and with its left side first; of columns if it can."""
    found = [(part, sides) for part in parts if (sides := two_sides(part, width)) and sides.name != "="]
    if not found:
        raise AnalysisError("an ASOF JOIN needs an inequality, which says what is nearest", place, FORM)
    plain = [pair for pair in found if all(is_plain(side) for side in pair[1].arguments)]
    columns = {frozenset(columns_of(sides)) for _, sides in plain}
    if len(plain) > 1 and len(columns) > 1:
        raise AnalysisError(
            "an ASOF JOIN has one inequality, which says what is nearest, and this has more",
            place,
            "compare further columns in WHERE, or of the right side in a subquery",
        )
    return (plain or found)[0]


def is_plain(side: Expression) -> bool:
    return isinstance(side, Column) or (isinstance(side, Call) and side.name == "cast" and is_plain(side.arguments[0]))


def two_sides(part: Expression, width: int) -> Call | None:
    """A comparison of the left side with the right one, with the left side first; None for anything else."""
    if not isinstance(part, Call) or part.name not in MIRRORED:
        return None
    one, other = part.arguments
    mine, theirs = columns_of(one), columns_of(other)
    if not mine or not theirs:
        return None
    if max(mine) < width <= min(theirs):
        return part
    return Call(MIRRORED[part.name], (other, one), BOOLEAN) if max(theirs) < width <= min(mine) else None


def check_distance(part: Expression, nearest: Call, width: int, place: TextSpan | None) -> Expression:
    """A part that bounds how far the nearest tuple is; any other part is refused."""
    times = columns_of(nearest)
    side_of = {index: index < width for index in times}.get
    for sign, difference in comparisons(part, side_of) if columns_of(part) <= times else ():
        low, high = limits(sign, difference, 1)
        if (low if nearest.name[0] == ">" else high) is not None:
            return part
    raise AnalysisError(
        "ON of an ASOF JOIN has equalities, one inequality and a bound on its distance; this is something else",
        place,
        "a bound is t.ts - q.ts <= 5 or t.ts <= q.ts + 5; put other conditions into WHERE",
    )


def as_elements(join: AsofJoin, tick: int) -> Plan | None:
    """The join of two streams without windows by their times, each element at its own instant; None for any other."""
    left, right = growing_elements(join.left), growing_elements(join.right)
    if left is None or right is None or join.nearest.name[0] == "<":
        return None
    bounds = time_bounds(left, right, all_of((join.nearest, join.within)), tick)
    if bounds is None or bounds.high is None or bounds.high > 0:
        return None
    back = TimeWindow(None if bounds.low is None else max(0, -bounds.low))
    now = AsofJoin(
        ApplyWindow(left, TimeWindow(0)),
        ApplyWindow(right, back),
        join.how,
        join.condition,
        join.nearest,
        join.within,
    )
    return ApplyWindow(ToStream(now, "rstream"), TimeWindow(None))
