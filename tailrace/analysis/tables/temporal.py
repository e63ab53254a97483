"""Temporal: what `s JOIN r FOR SYSTEM_TIME AS OF s.ts` takes: a stream, its timestamp, and a relation."""

from __future__ import annotations

from sqlglot import exp

from tailrace.analysis.scalars.scope import Scope
from tailrace.errors import AnalysisError
from tailrace.language import nodes as ast
from tailrace.language.nodes import place_of
from tailrace.language.script import to_text
from tailrace.logical.expressions import Column
from tailrace.logical.nodes import ApplyWindow, Scan, ToStream
from tailrace.logical.plan import Kind, Plan, walk
from tailrace.logical.time.event_columns import is_event_column
from tailrace.logical.windows import TimeWindow

WORDS = "FOR SYSTEM_TIME AS OF"
KINDS = ("INNER", "LEFT", "CROSS", "COMMA")


def as_of(node: exp.Expr) -> exp.Expr | None:
    """What stands behind FOR SYSTEM_TIME AS OF on the right side of a join; None if it has none."""
    right = node.args.get("right")
    found: exp.Expr | None = right.args.get("as_of") if isinstance(right, ast.Item) else None
    return found


def refuse_alone(node: ast.Item) -> None:
    """Refuse FOR SYSTEM_TIME AS OF anywhere but on the right side of a join."""
    if node.args.get("as_of") and not (isinstance(node.parent, ast.Join) and node.arg_key == "right"):
        raise AnalysisError(
            f"{WORDS} stands on the right side of a join, whose left side is a stream",
            place_of(node.args["as_of"]),
            f"FROM s JOIN r {WORDS} s.ts ON s.k = r.k",
        )


def elements_of(node: ast.Join, plan: Plan) -> Plan:
    """The stream on the left side of a temporal join: a stream without a window, or an earlier temporal join."""
    left = node.args["left"]
    if node.args["kind"] not in KINDS:
        raise AnalysisError(
            f"{node.args['kind']} JOIN cannot have {WORDS}: each element of the left side meets the right side once",
            place_of(node.args["right"]),
            "JOIN or LEFT JOIN",
        )
    if isinstance(left, ast.Item) and left.args.get("window"):
        raise AnalysisError(
            f"{WORDS} takes a stream on the left of its join, and a window makes a relation of it",
            place_of(left.args["window"]),
            "leave the window out: each element meets the right side as it is at the element's instant",
        )
    if isinstance(plan, ApplyWindow) and isinstance(plan.child, ToStream) and plan.window == TimeWindow(None):
        plan = plan.child
    if plan.kind is not Kind.STREAM:
        raise AnalysisError(
            f"{WORDS} takes a stream on the left of its join, and this is a relation",
            place_of(left),
            "a relation joins as it is at each instant: leave FOR SYSTEM_TIME out",
        )
    return plan


def check_moment(moment: exp.Expr, stream: Plan, scope: Scope) -> None:
    """Refuse a FOR SYSTEM_TIME AS OF that is not the time of the left stream's elements."""
    first = scope.bindings[0]
    if is_proctime(moment):
        if all(node.source.timestamp is None for node in walk(stream) if isinstance(node, Scan)):
            return
    elif isinstance(moment, exp.Column):
        mine = not moment.table or moment.table.lower() == (first.name or "").lower()
        if mine and first.timestamp and moment.name.lower() == first.timestamp.lower():
            return
        value = scope.column(moment.name, moment.table or None, place_of(moment))
        if isinstance(value, Column) and is_event_column(stream, value.index):
            return
    name = f"{first.name}." if first.name else ""
    hint = f"{WORDS} {name}{first.timestamp}" if first.timestamp else None
    if any(isinstance(node, Scan) and node.source.timestamp is None for node in walk(stream)):
        hint = hint or f"{WORDS} PROCTIME(), since the timestamps are those of arrival"
    raise AnalysisError(
        f"{to_text(moment)} is not the timestamp of {first.display_name}, and a relation is joined as of that",
        place_of(moment),
        hint or "select the stream's timestamp column in the view or subquery, and name it here",
    )


def is_proctime(moment: exp.Expr) -> bool:
    return isinstance(moment, exp.Anonymous) and not moment.expressions and str(moment.name).upper() == "PROCTIME"


def refuse_stream(node: ast.Item, name: str) -> AnalysisError:
    return AnalysisError(
        f"{name} is a stream, and {WORDS} takes a relation, which has a content at each instant",
        place_of(node.this) if isinstance(node.this, exp.Identifier) else place_of(node),
        f"{name} [PARTITION BY k ROWS 1] is the relation of the last element of each k",
    )
