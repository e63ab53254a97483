"""From clause: turns FROM into a plan and a scope: names, subqueries, samples, windows and joins."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from typing import TYPE_CHECKING, Literal, cast

from sqlglot import exp

from tailrace.analysis.scalars.resolve import Scalars
from tailrace.analysis.scalars.scope import Binding, Scope, refuse_repeats
from tailrace.analysis.tables import temporal
from tailrace.analysis.tables.asof import asof_join, using_condition
from tailrace.analysis.tables.common_columns import one_sided_join, using
from tailrace.analysis.tables.finished import finish, make_lasting, window_columns
from tailrace.analysis.tables.join_subqueries import has_query, join_with_subqueries
from tailrace.analysis.tables.lateral import check_lateral, lateral_join, suggest_lateral
from tailrace.analysis.tables.window_tables import is_pane, pane_relation, window_table
from tailrace.analysis.tables.windows import window_of
from tailrace.catalog.system_streams import SYSTEM_STREAMS
from tailrace.errors import AnalysisError, TailraceError
from tailrace.language import nodes as ast
from tailrace.language.nodes import place_of
from tailrace.language.script import to_text
from tailrace.logical import nodes
from tailrace.logical.expressions import TRUE, Expression, all_of
from tailrace.logical.plan import Kind, Plan
from tailrace.logical.sampling import SampleRate
from tailrace.logical.windows import TimeWindow

if TYPE_CHECKING:
    from tailrace.analysis.queries import QueryAnalysis


SEED = "0"
LEAST = Decimal("0.000001")


def sample_rate_of(node: ast.Sample, stream: str, queries: QueryAnalysis) -> SampleRate:
    """The rate of SAMPLE p PERCENT. Without a SEED it gets the default one: so every run takes the same sample."""
    percent = Decimal(node.this)
    if percent == 0:
        raise AnalysisError("SAMPLE 0 PERCENT takes nothing", place_of(node), "SAMPLE takes more than 0 PERCENT")
    if percent > 100:
        raise AnalysisError(
            f"SAMPLE {node.this} PERCENT is too much", place_of(node), "SAMPLE takes at most 100 PERCENT"
        )
    if percent < LEAST:
        raise AnalysisError(f"SAMPLE takes at least {LEAST:f} PERCENT", place_of(node))
    return SampleRate(percent, seed_of(node, f"{stream}'s SAMPLE", queries))


def seed_of(node: exp.Expr, what: str, queries: QueryAnalysis) -> int:
    """The seed of a sample; without one, the default seed is written into the syntax tree and noted for the author."""
    if node.args.get("seed") is None:
        node.set("seed", SEED)
        queries.default(node, f"{what} has no SEED: it gets SEED {SEED}")
    return int(node.args["seed"])


How = Literal["inner", "left", "right", "full"]
HOW: dict[str, How] = {
    "COMMA": "inner",
    "CROSS": "inner",
    "INNER": "inner",
    "LEFT": "left",
    "RIGHT": "right",
    "FULL": "full",
}


def from_plan(queries: QueryAnalysis, node: exp.Expr, parent: Scope | None) -> tuple[Plan, Scope]:
    """The relation of a FROM clause, with windows applied, and the scope of its columns."""
    if isinstance(node, ast.Join):
        if temporal.as_of(node):
            return temporal_join(queries, node, parent)
        return join(queries, node, lambda side: from_plan(queries, side, parent))
    assert isinstance(node, ast.Item)
    plan, scope = item(queries, node, parent)
    if plan.kind is Kind.STREAM and is_pane(node.args.get("window")):
        plan, scope = pane_relation(queries, node, plan, scope)
    else:
        plan = apply_window(queries, node, plan, scope)
    return plan, replace(scope, parent=parent)


def item(queries: QueryAnalysis, node: ast.Item, parent: Scope | None = None) -> tuple[Plan, Scope]:
    """A FROM item before its window is applied, with its sample, and the scope of its columns."""
    temporal.refuse_alone(node)
    if isinstance(node.this, ast.WindowTable):
        (plan, names), timestamp = window_table(queries, node.this, item), None
    else:
        plan, names, timestamp = queries.named_or_nested(node, parent)
    sample = node.args.get("sample")
    if sample:
        if plan.kind is not Kind.STREAM:
            raise AnalysisError(
                f"{item_name(node)} is a relation, and SAMPLE takes a stream",
                place_of(sample),
                "LIMIT takes some rows of a relation",
            )
        plan = nodes.HashSample(plan, sample_rate_of(sample, item_name(node), queries), tuple(range(len(plan.schema))))
    alias = node.args.get("alias")
    columns = node.args.get("columns")
    schema = plan.schema.with_names(names)
    if columns:
        refuse_repeats(columns)
        if len(columns) != len(schema):
            raise AnalysisError(
                f"{len(columns)} names for {len(schema)} columns",
                place_of(columns[0]),
                "name each column once",
            )
        schema = schema.with_names(tuple(column.name for column in columns))
    name = alias.name if alias else own_name(node)
    return plan, Scope((Binding(name, schema, 0, timestamp),))


def own_name(node: ast.Item) -> str | None:
    """The name that qualifies columns of a FROM item without alias; for tailrace.batches it is `batches`."""
    if isinstance(node.this, ast.WindowTable):
        return own_name(node.this.this)
    if not isinstance(node.this, exp.Identifier):
        return None
    name = str(node.this.name)
    return name.rpartition(".")[2] if name in SYSTEM_STREAMS else name


def apply_window(queries: QueryAnalysis, node: ast.Item, plan: Plan, scope: Scope) -> Plan:
    """The item's relation: a stream with its window applied, [RANGE UNBOUNDED] if it has none."""
    written = node.args.get("window")
    if written is None and groups_windows(queries, plan, scope.bindings[0]):
        finished = None if queries.emits_changes else finish(plan)
        if finished is not None:
            return finished
    if plan.kind is Kind.RELATION:
        if written:
            raise window_on_relation(node)
        return plan
    if written is None and window_columns(plan):
        # Nothing is written into the tree: there a window would say that finished windows are not wanted.
        if queries.grouping:
            queries.default(node.this, f"{item_name(node)} is not grouped by its windows: it gets [RANGE UNBOUNDED]")
        return nodes.ApplyWindow(plan, TimeWindow(None))
    if window_columns(plan):
        plan = make_lasting(plan)
    if written is None:
        node.set("window", ast.Window(kind="RANGE"))
        queries.default(node.this, f"{item_name(node)} has no window: it gets [RANGE UNBOUNDED]")
        return nodes.ApplyWindow(plan, TimeWindow(None))
    if written.args.get("kind") == "SAMPLE":
        seed_of(written, f"{item_name(node)}'s SAMPLE", queries)
    binding = scope.bindings[0]
    names = tuple(name for name in (binding.name, item_name(node)) if name)
    window = window_of(written, binding.schema, names, queries.settings)
    if isinstance(window, TimeWindow) and window.size == window.slide:
        size = to_text(written.args["size"])
        queries.note(
            written,
            f"{to_text(written)} holds both of its ends, so {size} and a tick: neighbours share an instant. "
            f"[TUMBLE {size}] has no overlap",
        )
    return nodes.ApplyWindow(plan, window)


def groups_windows(queries: QueryAnalysis, plan: Plan, binding: Binding) -> bool:
    """Whether the query around groups or joins by a column of this item that is a window's start or end."""
    names = {binding.schema[index].name.lower() for index in window_columns(plan)}
    tables = {"", (binding.name or "").lower()}
    return any(table in tables and name in names for table, name in queries.grouping)


def item_name(node: ast.Item) -> str:
    if isinstance(node.this, ast.WindowTable):
        return str(node.this.args["kind"])
    if isinstance(node.this, exp.Identifier):
        return str(node.this.name)
    return str(node.args["alias"].name) if node.args.get("alias") else "the subquery"


def window_on_relation(node: ast.Item) -> AnalysisError:
    name = item_name(node)
    if isinstance(node.this, ast.WindowTable):
        return AnalysisError(
            f"{name} gives finished windows, and takes no other window", place_of(node.args["window"]), "leave it out"
        )
    return AnalysisError(
        f"{name} is a relation, and a window takes a stream",
        place_of(node.this) if isinstance(node.this, exp.Identifier) else place_of(node),
        f"leave the window out, or make it a stream first: (SELECT ISTREAM(*) FROM {name}) [RANGE …]",
    )


# Joins ----------------------------------------------------------------------------------------------------


def join(queries: QueryAnalysis, node: ast.Join, side: Callable[[exp.Expr], tuple[Plan, Scope]]) -> tuple[Plan, Scope]:
    """Two FROM items joined, each analysed by `side`."""
    left, left_scope = side(node.args["left"])
    is_lateral = isinstance(node.args["right"], ast.Item) and node.args["right"].args.get("lateral")
    if is_lateral:
        check_lateral(node, left)
        right, right_scope = from_plan(queries, node.args["right"], left_scope)
    else:
        try:
            right, right_scope = side(node.args["right"])
        except TailraceError as problem:
            raise suggest_lateral(problem, node.args["right"], left_scope) from None
    try:
        scope = left_scope.join(right_scope)
    except AnalysisError as problem:
        raise AnalysisError(problem.message, place_of(node.args["right"]), problem.hint) from None
    condition: Expression = TRUE
    sides = ((left, left_scope), (right, right_scope))
    written = node.args.get("on")
    if written and has_query(written):
        if is_lateral or node.args["kind"] not in HOW:
            kind = "LATERAL" if is_lateral else node.args["kind"].removeprefix("LEFT ").removeprefix("RIGHT ")
            raise AnalysisError(f"ON of a {kind} join has no subqueries", place_of(written), "put it into WHERE")
        return join_with_subqueries(Scalars(queries, scope, "ON"), written, left, right, HOW[node.args["kind"]]), scope
    if written:
        condition = Scalars(queries, scope, "ON").condition(written)
    elif node.args.get("using") or node.args.get("natural"):
        scope, condition = using(node, left_scope, right_scope, scope)
    if node.args["kind"].startswith("ASOF"):
        if node.args.get("using"):
            condition = using_condition(node, left_scope, right_scope)
        if node.args.get("match"):
            condition = all_of((Scalars(queries, scope, "ON").condition(node.args["match"]), condition))
        return asof_join(node, left, right, condition, queries.settings.tick), scope
    if kept := one_sided_join(node, sides, condition):
        return kept
    how = HOW[node.args["kind"]]
    if is_lateral:
        kind = cast(Literal["inner", "left"], how)
        return lateral_join(left, right, kind, condition, place_of(node.args["right"])), scope
    return nodes.Join(left, right, how, condition), scope


def temporal_join(queries: QueryAnalysis, node: ast.Join, parent: Scope | None) -> tuple[Plan, Scope]:
    """A stream's elements joined with a relation, each as of its own instant: RSTREAM(s [NOW] JOIN r) as a relation."""
    written, other = node.args["left"], node.args["right"]
    is_item = isinstance(written, ast.Item)
    plan, scope = item(queries, written, parent) if is_item else from_plan(queries, written, parent)
    stream = temporal.elements_of(node, plan)
    temporal.check_moment(other.args["as_of"], stream, scope)
    relation, right = item(queries, other, parent)
    if relation.kind is Kind.STREAM and not other.args.get("window"):
        raise temporal.refuse_stream(other, item_name(other))
    sides = {
        id(written): (nodes.ApplyWindow(stream, TimeWindow(0)), replace(scope, parent=parent)),
        id(other): (apply_window(queries, other, relation, right), right),
    }
    plan, scope = join(queries, node, lambda side: sides[id(side)])
    return nodes.ApplyWindow(nodes.ToStream(plan, "rstream"), TimeWindow(None)), scope
