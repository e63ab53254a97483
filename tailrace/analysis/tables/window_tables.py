"""Window tables: TUMBLE, HOP, CUMULATE and SESSION, as functions in FROM or in brackets behind a stream."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from sqlglot import exp

from tailrace.analysis.scalars.scope import Binding, Scope
from tailrace.analysis.tables.time_types import holds_time, time_type, unlisted_names
from tailrace.analysis.tables.windows import LONGEST, columns_of, ticks
from tailrace.errors import AnalysisError
from tailrace.language import nodes as ast
from tailrace.language.nodes import place_of
from tailrace.language.script import to_text
from tailrace.logical import nodes
from tailrace.logical.expressions import Column
from tailrace.logical.plan import Kind, Plan
from tailrace.logical.time.window_tables import AssignWindows, CumulateWindow, HopWindow, SessionWindow, TableWindow
from tailrace.logical.windows import TimeWindow
from tailrace.schema import Schema
from tailrace.settings import Settings
from tailrace.types import BIGINT, TIMESTAMP

if TYPE_CHECKING:
    from tailrace.analysis.queries import QueryAnalysis

MOST_WINDOWS = 10_000  # that an element is in
PANES = ("TUMBLE", "HOP", "CUMULATE", "SESSION")
ItemPlan = tuple[Plan, Scope]


def is_pane(window: ast.Window | None) -> bool:
    """Whether a window in brackets has a start and an end."""
    return window is not None and window.args.get("kind") in PANES


def window_table(
    queries: QueryAnalysis, node: ast.WindowTable, item: Callable[[QueryAnalysis, ast.Item], ItemPlan]
) -> tuple[Plan, tuple[str, ...]]:
    """The plan of TUMBLE(TABLE s, DESCRIPTOR(ts), …), and the names of its columns; `item` analyses the stream.

    It is a stream, unless the windows are sessions: what their windows are is known when they are finished.
    """
    plan, scope = item(queries, node.this)
    binding = scope.bindings[0]
    kind = node.args["kind"]
    if plan.kind is not Kind.STREAM:
        raise AnalysisError(
            f"{binding.display_name} is a relation, and {kind} takes a stream",
            place_of(node.this),
            f"make it a stream first: {kind}(TABLE (SELECT ISTREAM(*) FROM …), …)",
        )
    check_descriptor(node, plan, binding)
    window = window_of(node, binding.schema, binding, queries.settings)
    finished = isinstance(window, SessionWindow)
    if finished and queries.emits_changes:
        raise sessions_change(node)
    made = assign_windows(queries, node, plan, window, finished)
    return made, made.schema.with_names((*binding.schema.names, *made.schema.names[-2:])).names


def check_descriptor(node: ast.WindowTable, plan: Plan, binding: Binding) -> None:
    """Refuse a DESCRIPTOR that is not the timestamp of the stream: windows are of the stream's own time."""
    column = node.args["column"]
    if not binding.schema.find(column.name) and column.name.lower() in unlisted_names(plan):
        return
    found = Scope((binding,)).column(column.name, column.table or None, place_of(column))
    if isinstance(found, Column) and holds_time(plan, found.index):
        return
    stamp = plan.source.timestamp if isinstance(plan, nodes.Scan) else None
    raise AnalysisError(
        f"{column.name} is not the timestamp of {binding.display_name}, and windows follow that",
        place_of(column),
        f"DESCRIPTOR({stamp})" if stamp else f"windows in brackets name no column: {binding.display_name} [TUMBLE …]",
    )


def pane_relation(queries: QueryAnalysis, node: ast.Item, plan: Plan, scope: Scope) -> ItemPlan:
    """The relation of a window such as [TUMBLE 1 MINUTE] on a stream, and its scope with the window's columns."""
    written, binding = node.args["window"], scope.bindings[0]
    window = window_of(written, binding.schema, binding, queries.settings)
    if queries.emits_changes and isinstance(window, SessionWindow):
        raise sessions_change(written)
    made: Plan = assign_windows(queries, written, plan, window, not queries.emits_changes)
    schema = binding.schema + Schema(made.schema.fields[-2:])
    if queries.emits_changes:
        made = nodes.ApplyWindow(made, TimeWindow(None))
    return made, replace(scope, bindings=(replace(binding, schema=schema, is_per_window=True),))


def sessions_change(node: exp.Expr) -> AnalysisError:
    return AnalysisError(
        "EMIT CHANGES cannot be used with sessions: an element may still join two of them",
        place_of(node),
        "leave EMIT CHANGES out: a session is shown when it is finished",
    )


def assign_windows(
    queries: QueryAnalysis, node: exp.Expr, plan: Plan, window: TableWindow, finished: bool
) -> AssignWindows:
    type = time_type(plan)
    if type is None and queries.settings.origin is not None:
        type = TIMESTAMP  # what counts ticks has no origin
    if type is None:
        raise AnalysisError(
            "whether the timestamps here count ticks is not known before there are rows",
            place_of(node),
            "list the timestamp's column in CREATE STREAM, with its type",
        )
    tick = 1 if type == BIGINT else queries.settings.tick
    return AssignWindows(plan, window, type, tick, finished, queries.emits_changes)


def window_of(node: ast.WindowTable | ast.Window, schema: Schema, binding: Binding, settings: Settings) -> TableWindow:
    """The logical window of a window table or of brackets."""
    kind, size, slide, offset = (node.args.get(part) for part in ("kind", "size", "slide", "offset"))
    assert size is not None
    length = positive_length(size, "a gap" if kind == "SESSION" else "a window", settings)
    if kind == "SESSION":
        names = (binding.name,) if binding.name else ()
        return SessionWindow(length, columns_of(node.args.get("partition") or [], schema, names))
    shift = ticks(offset, settings) if offset else 0
    if kind == "TUMBLE":
        return HopWindow(length, length, shift % length)
    assert slide is not None
    step = positive_length(slide, "a step", settings)
    if -(-length // step) > MOST_WINDOWS:
        raise AnalysisError(
            f"an element would be in {-(-length // step):,} windows, and {MOST_WINDOWS:,} are the most",
            place_of(node),
            "make the step longer; [RANGE …] moves at every tick",
        )
    if kind == "HOP":
        return HopWindow(length, step, shift % step)
    if length % step:
        raise AnalysisError(
            "the length of CUMULATE is not a whole number of steps",
            place_of(node),
            "the last of its steps ends where the window does",
        )
    return CumulateWindow(length, step, shift % length)


def positive_length(duration: ast.Duration, what: str, settings: Settings) -> int:
    length = ticks(duration, settings)
    if length > LONGEST // settings.tick:
        raise AnalysisError(f"{to_text(duration)} is too long", place_of(duration))
    if length == 0:
        raise AnalysisError(f"{what} of length 0 would hold nothing", place_of(duration), "write a length of time")
    return length
