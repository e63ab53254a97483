"""Sequence: analyses queries with FREQUENCY or RANGE n TUPLES: evaluated step by step (CSQL §4, semantics A)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlglot import exp

from tailrace.analysis.scalars.resolve import Scalars
from tailrace.analysis.scalars.scope import Scope
from tailrace.analysis.select import analyse_select
from tailrace.analysis.subqueries import TypedQuery
from tailrace.analysis.tables import from_clause as from_items
from tailrace.analysis.tables.window_tables import PANES
from tailrace.analysis.tables.windows import columns_of, every
from tailrace.errors import AnalysisError
from tailrace.language import nodes as ast
from tailrace.language.nodes import place_of
from tailrace.language.script import to_text
from tailrace.logical import nodes
from tailrace.logical.nodes import is_static
from tailrace.logical.plan import Kind, Plan
from tailrace.logical.windows import ONE_TUPLE

if TYPE_CHECKING:
    from tailrace.analysis.queries import QueryAnalysis


def is_sequence(node: ast.Select) -> bool:
    """Whether a SELECT is a sequence query: its own brackets, not those of subqueries, have FREQUENCY or TUPLES."""
    if node.args.get("frequency"):
        return True
    return any(window.args.get("frequency") or in_tuples(window.args.get("size")) for window in own_windows(node))


def own_windows(node: ast.Select) -> list[ast.Window]:
    """The windows of a SELECT's own FROM items, not those inside subqueries."""
    found, waiting = [], [node.args.get("from_")]
    while waiting:
        item = waiting.pop()
        if isinstance(item, ast.Join):
            waiting += [item.args["left"], item.args["right"]]
        elif isinstance(item, ast.Item) and item.args.get("window"):
            found.append(item.args["window"])
    return found


def in_tuples(size: ast.Duration | None) -> bool:
    return size is not None and size.args.get("unit") == "TUPLE"


def analyse_sequence(queries: QueryAnalysis, node: ast.Select) -> TypedQuery:
    """Analyse a sequence query: a stream of each step's whole result, sampled by the select list's FREQUENCY."""
    if node.args.get("to_stream"):
        raise AnalysisError(
            f"the result of a sequence query is a stream already: {node.args['to_stream']} is not allowed",
            place_of(node),
            f"leave {node.args['to_stream']} out",
        )
    for nested in node.find_all(ast.Nested, ast.Exists):
        if nested.find_ancestor(ast.Select) is node:
            raise AnalysisError("a sequence query has no subqueries in its expressions", place_of(nested))
    if not node.args.get("from_"):
        raise AnalysisError("a sequence query needs a stream in FROM", place_of(node))
    steps, scope = from_steps(queries, node.args["from_"])
    found = analyse_select(queries, node, steps, scope)
    plan: Plan = nodes.Append(found.plan)
    often = node.args.get("frequency")
    if often:
        frequency = every(often.this, "FREQUENCY", queries.settings)
        partition = output_columns(queries, scope, often, found)
        plan = nodes.FrequencySample(plan, frequency, partition)
    return TypedQuery(plan, found.names)


def from_steps(queries: QueryAnalysis, node: exp.Expr) -> tuple[Plan, Scope]:
    """The steps of a sequence query's FROM: one stream, perhaps joined with static relations."""
    if isinstance(node, ast.Join):
        plan, scope = from_items.join(queries, node, lambda side: from_steps(queries, side))
        if all(child.kind is Kind.STEPS for child in plan.children):
            raise AnalysisError(
                "a sequence query reads one stream: its steps are the elements of that one",
                place_of(node.args["right"]),
                "join first, in a view, and put FREQUENCY on the view",
            )
        return plan, scope
    assert isinstance(node, ast.Item)
    return step_item(queries, node)


def step_item(queries: QueryAnalysis, node: ast.Item) -> tuple[Plan, Scope]:
    """The steps of a stream in FROM; a static relation stays as it is."""
    plan, scope = from_items.item(queries, node)
    if node.args.get("as_of"):
        raise AnalysisError(
            "a sequence query cannot have FOR SYSTEM_TIME AS OF",
            place_of(node.args["as_of"]),
            "join in a view, and put FREQUENCY on the view",
        )
    window = node.args.get("window")
    if is_static(plan) and window is None:
        return plan, scope
    if plan.kind is not Kind.STREAM:
        raise AnalysisError(
            f"{from_items.item_name(node)} is a relation, and a sequence query reads a stream", place_of(node)
        )
    if window is None:
        return nodes.JumpWindow(plan, ONE_TUPLE, ONE_TUPLE), scope
    if window.args.get("kind") in ("NOW", "ROWS", "SAMPLE", *PANES) or window.args.get("slide"):
        raise AnalysisError(
            "a sequence query has RANGE and FREQUENCY only",
            place_of(window),
            "RANGE n TUPLES is its row window",
        )
    often = window.args.get("frequency")
    frequency = every(often.this, "FREQUENCY", queries.settings) if often else ONE_TUPLE
    binding = scope.bindings[0]
    names = tuple(name for name in (binding.name, from_items.item_name(node)) if name)
    partition = columns_of(often.args.get("partition") or [] if often else [], binding.schema, names)
    if not window.args.get("kind"):
        return nodes.JumpWindow(nodes.FrequencySample(plan, frequency, partition), ONE_TUPLE, ONE_TUPLE), scope
    if window.args.get("size") is None:
        raise AnalysisError("a sequence query's RANGE needs a size", place_of(window), "RANGE 1 HOUR, RANGE 100 TUPLES")
    if often is None:
        window.set("frequency", ast.Frequency(this=ast.Duration(this="1", unit="TUPLE")))
        queries.default(window, f"{from_items.item_name(node)} has no FREQUENCY: it gets FREQUENCY 1 TUPLE")
    return nodes.JumpWindow(plan, every(window.args["size"], "RANGE", queries.settings), frequency, partition), scope


def output_columns(queries: QueryAnalysis, scope: Scope, often: ast.Frequency, found: TypedQuery) -> tuple[int, ...]:
    """The positions of the result's columns that PARTITIONED BY behind the select list names."""
    positions = []
    for column in often.args.get("partition") or []:
        if column.table:
            wanted = Scalars(queries, scope, "PARTITIONED BY").resolve(column)
            matches = [index for index, value in enumerate(found.values) if value == wanted]
        else:
            matches = [index for index, name in enumerate(found.names) if name.lower() == column.name.lower()]
        if not matches:
            raise AnalysisError(
                f"{to_text(column)} is no column of the result",
                place_of(column),
                f"the columns are {', '.join(found.names)}",
            )
        positions.append(matches[0])
    return tuple(positions)
