"""Queries: turns a query of any form into a plan: SELECT, set operations, to-stream operators, WITH.

The defaults of CQL §6.4 are applied here: a stream without a window gets [RANGE UNBOUNDED], a monotonic result gets
ISTREAM. Where a default is applied, the syntax tree is changed in place: its text afterwards is the expanded query.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal, cast

from sqlglot import exp

from tailrace.analysis import ordering, sequence, set_operations
from tailrace.analysis.checks import ReadAllowance
from tailrace.analysis.correlation.outer_columns import reads_outer
from tailrace.analysis.scalars.coercion import cast as cast_to
from tailrace.analysis.scalars.scope import Scope, distinct_names, refuse_repeats
from tailrace.analysis.select import analyse_select
from tailrace.analysis.subqueries import TypedQuery
from tailrace.analysis.tables.finished import ColumnName, grouping_columns, is_momentary
from tailrace.analysis.tables.from_clause import from_plan
from tailrace.analysis.tables.group_windows import move_group_window
from tailrace.analysis.tables.growing_joins import note_growing_joins
from tailrace.catalog.sources import Relation
from tailrace.catalog.user_functions import UserFunctions
from tailrace.errors import AnalysisError
from tailrace.language import nodes as ast
from tailrace.language.nodes import place_of
from tailrace.logical import nodes
from tailrace.logical.expressions import refer_to
from tailrace.logical.nodes import is_static
from tailrace.logical.over import Over, is_running
from tailrace.logical.plan import Kind, Plan
from tailrace.logical.queries import Note
from tailrace.logical.windows import TimeWindow
from tailrace.settings import Settings
from tailrace.types import VOID, Type, common_type


def is_monotonic(plan: Plan) -> bool:
    """Whether R(τ1) ⊆ R(τ2) for all τ1 ≤ τ2, by the conservative test of CQL §6.4.

    A plan that passes never loses a tuple. One that fails may still only grow: by default it then stays a relation.
    """
    match plan:
        case nodes.Scan():
            return isinstance(plan.source, Relation) and plan.source.only_grows
        case nodes.ApplyWindow():
            return isinstance(plan.window, TimeWindow) and plan.window.is_unbounded
        case nodes.Select() | nodes.Project() | nodes.Distinct() | nodes.Union() | nodes.Intersect():
            return all(is_monotonic(child) for child in plan.children)
        case nodes.Join():
            return plan.how == "inner" and all(is_monotonic(child) for child in plan.children)
        case nodes.SemiJoin():
            # A partner in a growing relation never leaves, so a semijoin only grows; an antijoin may lose tuples.
            return not plan.anti and all(is_monotonic(child) for child in plan.children)
        case nodes.MarkJoin() | nodes.SingleJoin():
            return is_static(plan.right) and is_monotonic(plan.left)
        case Over():
            return is_running(plan)
    return False


Operator = Literal["istream", "dstream", "rstream"]


@dataclass(frozen=True)
class NamedInput:
    """The plan and column names that a name in FROM stands for; for a declared source also its timestamp column."""

    plan: Plan
    names: tuple[str, ...]
    timestamp: str | None = None


@dataclass
class QueryAnalysis:
    """The analysis of one statement's query."""

    lookup: Callable[[exp.Identifier], NamedInput]  # finds names in the catalog
    settings: Settings
    functions: UserFunctions = field(default_factory=UserFunctions)  # the user's
    notes: list[Note] = field(default_factory=list)  # remarks for the author so far
    local: dict[str, NamedInput] = field(default_factory=dict)  # the names of WITH
    allowance: ReadAllowance = field(default_factory=ReadAllowance)
    grouping: frozenset[ColumnName] = frozenset()  # by what the SELECT that is analysed groups or joins
    emits_changes: bool = False  # whether it, or one around it, says EMIT CHANGES

    def default(self, node: exp.Expr, text: str) -> None:
        self.notes.append(Note(text, place_of(node), is_default=True))

    def note(self, node: exp.Expr, text: str) -> None:
        self.notes.append(Note(text, place_of(node), is_default=False))

    # Kinds of query -----------------------------------------------------------------------------------

    def outermost(self, node: ast.QueryNode) -> tuple[TypedQuery, ast.QueryNode]:
        """Analyse a statement's query and return it with its expanded tree.

        A monotonic query becomes a stream, and one of finished windows too.
        """
        found = self.query(node)
        if found.kind is Kind.RELATION and is_monotonic(found.plan):
            self.default(node, "the result only grows: it gets ISTREAM")
            return TypedQuery(nodes.ToStream(found.plan, "istream"), found.names), with_operator(node, "ISTREAM")
        if found.kind is Kind.RELATION and is_momentary(found.plan):
            self.default(node, "each window is there when it is finished: it gets RSTREAM")
            return TypedQuery(nodes.ToStream(found.plan, "rstream"), found.names), with_operator(node, "RSTREAM")
        return found, node

    def query(self, node: ast.QueryNode, parent: Scope | None = None) -> TypedQuery:
        """Analyse a query as written. It is a stream if it has a to-stream operator or is a sequence query."""
        match node:
            case ast.Select():
                return self.select(node, parent)
            case ast.SetOperation():
                return self.set_operation(node, parent)
            case ast.ToStream():
                return self.to_stream(self.query(node.this, parent), node.args["kind"], node)
            case ast.With():
                return self.with_query(node, parent)
        raise AssertionError(f"no query {type(node).__name__}")

    def select(self, node: ast.Select, parent: Scope | None) -> TypedQuery:
        if sequence.is_sequence(node):
            return sequence.analyse_sequence(self, node)
        if not node.args.get("from_"):
            raise AnalysisError("a query needs a FROM", place_of(node))
        move_group_window(node)
        around = self.grouping, self.emits_changes
        self.grouping, self.emits_changes = grouping_columns(node), self.emits_changes or bool(node.args.get("emit"))
        try:
            plan, scope = from_plan(self, node.args["from_"], parent)
            found = analyse_select(self, node, plan, scope)
        finally:
            self.grouping, self.emits_changes = around
        note_growing_joins(self, node, found.plan)
        kind = node.args.get("to_stream")
        return self.to_stream(found, kind, node) if kind else found

    def to_stream(self, found: TypedQuery, kind: str, node: exp.Expr) -> TypedQuery:
        if reads_outer(found.plan):
            raise AnalysisError(f"{kind} cannot be used in a correlated subquery", place_of(node))
        if found.kind is not Kind.RELATION:
            raise AnalysisError(
                f"{kind} takes a relation, and this is a stream",
                place_of(node),
                f"it is a stream already: leave {kind} out",
            )
        return TypedQuery(nodes.ToStream(found.plan, cast(Operator, kind.lower())), found.names)

    def with_query(self, node: ast.With, parent: Scope | None) -> TypedQuery:
        """Analyse a WITH query: the names of WITH are views for this query only."""
        before = dict(self.local)
        refuse_repeats([named.this for named in node.expressions])
        for named in node.expressions:
            found, expanded = self.outermost(named.args["query"])
            named.set("query", expanded)
            names = view_columns(found.names, named.args.get("columns"))
            self.local[named.this.name.lower()] = NamedInput(found.plan, names)
        try:
            return self.query(node.this, parent)
        finally:
            self.local = before

    def set_operation(self, node: ast.SetOperation, parent: Scope | None) -> TypedQuery:
        sides = [self.as_relation(node.args[side], parent, node, side) for side in ("left", "right")]
        kind, every = node.args["kind"], bool(node.args.get("all"))
        if node.args.get("by_name"):
            sides = set_operations.match_names(sides[0], sides[1], place_of(node))
        names = sides[0].names
        left, right = self.cast_to_common_types(sides[0], sides[1], kind, node)
        plan: Plan
        if kind == "UNION":
            plan = nodes.Union((left, right))
            plan = plan if every else nodes.Distinct(plan)
        elif kind == "EXCEPT":
            plan = nodes.Except(left, right, every)
        else:
            plan = nodes.Intersect(left, right, every)
        return TypedQuery(ordering.of_set_operation(self, node, plan, names), names)

    def cast_to_common_types(self, left: TypedQuery, right: TypedQuery, kind: str, node: exp.Expr) -> tuple[Plan, Plan]:
        """The plans of both sides of a set operation, with their columns cast to common types."""
        if len(left.names) != len(right.names):
            raise AnalysisError(
                f"{kind} of {len(left.names)} and {len(right.names)} columns",
                place_of(node.args["right"]),
                "both sides need the same number of columns",
            )
        types = []
        for index, name in enumerate(left.names):
            one, other = left.plan.schema[index].type, right.plan.schema[index].type
            common = common_type(one, other)
            if common is None or common.name == "MAP":
                raise AnalysisError(
                    f"column {index + 1} ({name}) is {one} on the left of {kind} and {other} on the right",
                    place_of(node.args["right"]),
                    "CAST one of them",
                )
            types.append(common)
        return self.cast_columns(left, types), self.cast_columns(right, types)

    def cast_columns(self, side: TypedQuery, types: list[Type]) -> Plan:
        if list(side.plan.schema.types) == types:
            return side.plan
        columns = tuple(map(cast_to, refer_to(side.plan.schema), types))
        return nodes.Project(side.plan, columns, side.names)

    # Streams where relations are wanted, and the other way round ----------------------------------------

    def as_relation(
        self, node: ast.QueryNode, parent: Scope | None, owner: exp.Expr | None = None, key: str | None = None
    ) -> TypedQuery:
        """Analyse a query that must be a relation; a stream gets [RANGE UNBOUNDED] around it."""
        holder, holder_key = (owner, key) if owner is not None else (node.parent, node.arg_key)
        found = self.query(node, parent)
        if found.kind is Kind.RELATION:
            return found
        self.default(node, "a stream is used as a relation: it gets [RANGE UNBOUNDED]")
        if holder is not None and holder_key is not None:
            item = ast.Item(this=node.copy(), window=ast.Window(kind="RANGE"))
            holder.set(holder_key, ast.Select(expressions=[exp.Star()], from_=item))
        return TypedQuery(nodes.ApplyWindow(found.plan, TimeWindow(None)), found.names)

    def named_or_nested(self, item: ast.Item, parent: Scope | None = None) -> tuple[Plan, tuple[str, ...], str | None]:
        """The plan of a FROM item's name or subquery, its column names, and a declared source's timestamp column."""
        if isinstance(item.this, exp.Identifier):
            known = self.local.get(item.this.name.lower()) or self.lookup(item.this)
            self.allowance.take(known.plan, item.this)
            return known.plan, known.names, known.timestamp
        found = self.query(item.this, parent)
        plan = found.plan
        table = item.parent if isinstance(item.parent, ast.WindowTable) else None
        on_stream = item.args.get("sample") or item.args.get("window") or table
        if on_stream and reads_outer(plan):
            raise AnalysisError("a window cannot be used on a correlated subquery", place_of(on_stream))
        if on_stream and found.kind is Kind.RELATION:
            word, form = ("SAMPLE", "SAMPLE …") if isinstance(on_stream, ast.Sample) else ("window", "[RANGE …]")
            if is_momentary(plan):
                self.default(item.this, f"a {word} is on a subquery of finished windows: it gets RSTREAM")
                item.set("this", with_operator(item.this, "RSTREAM"))
                return nodes.ToStream(plan, "rstream"), found.names, None
            if not is_monotonic(plan):
                raise AnalysisError(
                    f"a {word} on a subquery that is not monotonic needs an ISTREAM, DSTREAM or RSTREAM inside",
                    place_of(on_stream),
                    f"say which of its changes the {word} sees: (SELECT ISTREAM(…) FROM …) {form}",
                )
            self.default(item.this, f"a {word} is on a subquery that only grows: it gets ISTREAM")
            item.set("this", with_operator(item.this, "ISTREAM"))
            plan = nodes.ToStream(plan, "istream")
        return plan, found.names, None


def with_operator(node: ast.QueryNode, kind: str) -> ast.QueryNode:
    """The tree with ISTREAM or RSTREAM added: around the select list of a SELECT, otherwise around the whole query."""
    if isinstance(node, ast.Select):
        node.set("to_stream", kind)
        return node
    if isinstance(node, ast.With):
        node.set("this", with_operator(node.this, kind))
        return node
    around = ast.ToStream(kind=kind, this=node.copy())
    around.meta.update(node.meta)
    return around


def view_columns(names: tuple[str, ...], written: list[exp.Identifier] | None) -> tuple[str, ...]:
    """A view's column names: those listed behind its name, otherwise those of its query."""
    if not written:
        return names
    if len(written) != len(names):
        raise AnalysisError(
            f"{len(written)} names for {len(names)} columns", place_of(written[0]), "name each column once"
        )
    for earlier, later in ((i, j) for j in range(len(written)) for i in range(j)):
        if written[earlier].name.lower() == written[later].name.lower():
            raise AnalysisError(f"two columns are called {written[later].name}", place_of(written[later]))
    return tuple(name.name for name in written)


def output_names(found: TypedQuery) -> tuple[str, ...]:
    """The column names that a sink gets: those of the query, made distinct."""
    return distinct_names(found.names)


def has_untyped(found: TypedQuery) -> str | None:
    """The name of a column that is a bare NULL and so has no type, which no sink can store; None if there is none."""
    for name, column in zip(found.names, found.plan.schema, strict=False):
        if column.type == VOID:
            return name
    return None
