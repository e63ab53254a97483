"""Common columns: the columns that USING and NATURAL compare and merge, and joins that keep the columns of one side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sqlglot import exp

from tailrace.analysis.scalars.coercion import compare, together
from tailrace.analysis.scalars.scope import Scope, refuse_repeats
from tailrace.errors import AnalysisError, TextSpan
from tailrace.language import nodes as ast
from tailrace.language.nodes import place_of
from tailrace.logical import nodes
from tailrace.logical.expressions import Call, Column, Expression, all_of, move, shift
from tailrace.logical.plan import Kind, Plan


def using(node: ast.Join, left: Scope, right: Scope, scope: Scope) -> tuple[Scope, Expression]:
    """The scope and condition of JOIN … USING (a, b): equality on these columns, of which `*` then shows one each.

    A NATURAL join is the same with the columns that both sides have; without any its condition is TRUE.
    """
    names = common_names(node, left, right) if node.args.get("natural") else node.args["using"]
    refuse_repeats(names)
    equal: list[Expression] = []
    merged: list[tuple[str, Expression]] = []
    joined: list[Expression] = []
    for name in names:
        place = place_of(name)
        one, moved = pair_of(name, left, right)
        equal.append(compare("=", one, moved, place))
        joined += (one, moved)
        written = one.name if isinstance(one, Column) else name.name
        merged.append((written, merged_value(node.args["kind"], one, moved, place)))
    already = tuple(pair for pair in scope.merged if pair[0].lower() not in {name.lower() for name, _ in merged})
    rest = tuple(pair for pair in scope.columns() if pair[0] not in joined)
    listed = (*((value, name) for name, value in merged), *rest)
    return replace(scope, merged=(*merged, *already), listed=listed), all_of(equal)


def pair_of(name: exp.Identifier, left: Scope, right: Scope) -> tuple[Expression, Expression]:
    """The columns of this name of both sides, over the joined input."""
    one, other = (side.column(name.name, None, place_of(name)) for side in (left, right))
    return one, shift(other, left.width)


def common_names(node: ast.Join, left: Scope, right: Scope) -> list[exp.Identifier]:
    """The names that columns of both sides have, in the order of the left side, with the place of the right side."""
    theirs = {name.lower() for _, name in right.columns()}
    common = {name.lower(): name for _, name in reversed(left.columns()) if name.lower() in theirs}
    found = [exp.Identifier(this=name, quoted=False) for name in reversed(common.values())]
    for name in found:
        name.meta.update(node.args["right"].meta)
    return found


def merged_value(kind: str, left: Expression, right: Expression, place: TextSpan | None) -> Expression:
    """The value of a USING column: that of the side which is never padded; in a FULL join the one that is not NULL."""
    if kind == "RIGHT":
        return right
    if kind == "FULL":
        values, type_ = together([left, right], "in USING, ", place)
        return Call("coalesce", tuple(values), type_)
    return left


def one_sided_join(
    node: ast.Join, sides: Sequence[tuple[Plan, Scope]], condition: Expression
) -> tuple[Plan, Scope] | None:
    """A SEMI or ANTI join: the tuples of one side, with its columns alone in scope; None for any other join."""
    side, _, word = node.args["kind"].partition(" ")
    if word not in ("SEMI", "ANTI"):
        return None
    (left, left_scope), (right, right_scope) = sides
    if Kind.STEPS in (left.kind, right.kind):
        raise AnalysisError(
            f"a sequence query cannot have a {node.args['kind']} JOIN",
            place_of(node.args["right"]),
            "join in a view, and put RANGE and FREQUENCY on the view",
        )
    if side == "LEFT":
        return nodes.SemiJoin(left, right, word == "ANTI", condition), left_scope
    width, other = len(left.schema), len(right.schema)
    turned = move(condition, lambda index: index + other if index < width else index - width)
    return nodes.SemiJoin(right, left, word == "ANTI", turned), right_scope
