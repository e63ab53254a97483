"""From clause: turns FROM into a plan and a scope: names, subqueries, samples, windows and joins."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from typing import TYPE_CHECKING, Literal, cast

from sqlglot import exp

from tailrace.analysis.scalars.coercion import compare, together
from tailrace.analysis.scalars.resolve import Scalars
from tailrace.analysis.scalars.scope import Binding, Scope, refuse_repeats
from tailrace.analysis.tables.join_subqueries import has_query, join_with_subqueries
from tailrace.analysis.tables.lateral import check_lateral, lateral_join, suggest_lateral
from tailrace.analysis.tables.windows import window_of
from tailrace.catalog.system_streams import SYSTEM_STREAMS
from tailrace.errors import AnalysisError, TailraceError, TextSpan
from tailrace.language import nodes as ast
from tailrace.language.nodes import place_of
from tailrace.logical import nodes
from tailrace.logical.expressions import TRUE, Call, Column, Expression, all_of, shift
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


HOW = {"COMMA": "inner", "CROSS": "inner", "INNER": "inner", "LEFT": "left", "RIGHT": "right", "FULL": "full"}


def from_plan(queries: QueryAnalysis, node: exp.Expr, parent: Scope | None) -> tuple[Plan, Scope]:
    """The relation of a FROM clause, with windows applied, and the scope of its columns."""
    if isinstance(node, ast.Join):
        return join(queries, node, lambda side: from_plan(queries, side, parent))
    assert isinstance(node, ast.Item)
    plan, scope = item(queries, node, parent)
    return apply_window(queries, node, plan, scope), replace(scope, parent=parent)


def item(queries: QueryAnalysis, node: ast.Item, parent: Scope | None = None) -> tuple[Plan, Scope]:
    """A FROM item before its window is applied, with its sample, and the scope of its columns."""
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
    if not isinstance(node.this, exp.Identifier):
        return None
    name = str(node.this.name)
    return name.rpartition(".")[2] if name in SYSTEM_STREAMS else name


def apply_window(queries: QueryAnalysis, node: ast.Item, plan: Plan, scope: Scope) -> Plan:
    """The item's relation: a stream with its window applied, [RANGE UNBOUNDED] if it has none."""
    written = node.args.get("window")
    if plan.kind is Kind.RELATION:
        if written:
            raise window_on_relation(node)
        return plan
    if written is None:
        node.set("window", ast.Window(kind="RANGE"))
        queries.default(node.this, f"{item_name(node)} has no window: it gets [RANGE UNBOUNDED]")
        return nodes.ApplyWindow(plan, TimeWindow(None))
    if written.args.get("kind") == "SAMPLE":
        seed_of(written, f"{item_name(node)}'s SAMPLE", queries)
    binding = scope.bindings[0]
    names = tuple(name for name in (binding.name, item_name(node)) if name)
    return nodes.ApplyWindow(plan, window_of(written, binding.schema, names, queries.settings))


def item_name(node: ast.Item) -> str:
    if isinstance(node.this, exp.Identifier):
        return str(node.this.name)
    return str(node.args["alias"].name) if node.args.get("alias") else "the subquery"


def window_on_relation(node: ast.Item) -> AnalysisError:
    name = item_name(node)
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
    how = cast(Literal["inner", "left", "right", "full"], HOW[node.args["kind"]])
    condition: Expression = TRUE
    written = node.args.get("on")
    if written and has_query(written):
        if is_lateral:
            raise AnalysisError("ON of a LATERAL join has no subqueries", place_of(written), "put it into WHERE")
        return join_with_subqueries(Scalars(queries, scope, "ON"), written, left, right, how), scope
    if written:
        condition = Scalars(queries, scope, "ON").condition(written)
    elif node.args.get("using"):
        scope, condition = using(node, left_scope, right_scope, scope)
    if is_lateral:
        kind = cast(Literal["inner", "left"], how)
        return lateral_join(left, right, kind, condition, place_of(node.args["right"])), scope
    return nodes.Join(left, right, how, condition), scope


def using(node: ast.Join, left: Scope, right: Scope, scope: Scope) -> tuple[Scope, Expression]:
    """The scope and condition of JOIN … USING (a, b): equality on these columns, of which `*` then shows one each."""
    refuse_repeats(node.args["using"])
    equal: list[Expression] = []
    merged: list[tuple[str, Expression]] = []
    joined: list[Expression] = []
    for name in node.args["using"]:
        one, other = (side.column(name.name, None, place_of(name)) for side in (left, right))
        moved = shift(other, left.width)
        equal.append(compare("=", one, moved, place_of(name)))
        joined += (one, moved)
        written = one.name if isinstance(one, Column) else name.name
        merged.append((written, merged_value(node.args["kind"], one, moved, place_of(name))))
    already = tuple(pair for pair in scope.merged if pair[0].lower() not in {name.lower() for name, _ in merged})
    rest = tuple(pair for pair in scope.columns() if pair[0] not in joined)
    listed = (*((value, name) for name, value in merged), *rest)
    return replace(scope, merged=(*merged, *already), listed=listed), all_of(equal)


def merged_value(kind: str, left: Expression, right: Expression, place: TextSpan | None) -> Expression:
    """The value of a USING column: that of the side which is never padded; in a FULL join the one that is not NULL."""
    if kind == "RIGHT":
        return right
    if kind == "FULL":
        values, type_ = together([left, right], "in USING, ", place)
        return Call("coalesce", tuple(values), type_)
    return left
