"""Subqueries: turns IN, EXISTS, ANY, ALL and scalar subqueries into joins: in WHERE semi- and antijoins, else values.

A subquery can read columns of the queries around it. Where they stand only in conditions that can move into the join,
these move (correlation/lift_conditions.py). Any other subquery is evaluated for all values that the query around has
for them (correlation/dependent_join.py).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from sqlglot import exp

from tailrace.analysis.correlation.dependent_join import or_of_nothing
from tailrace.analysis.correlation.lift_conditions import Lifted, correlated_keys, equal_keys, key_name, lift_conditions
from tailrace.analysis.correlation.outer_columns import Operands, node_reads_outer
from tailrace.analysis.scalars.coercion import COMPARISONS, compare
from tailrace.analysis.scalars.placeholders import PendingSubquery, attach, join_on_operands
from tailrace.errors import AnalysisError, TextSpan
from tailrace.language import nodes as ast
from tailrace.language.nodes import place_of
from tailrace.logical import nodes
from tailrace.logical.expressions import Call, Column, Expression, Literal, Outer, all_of, inline
from tailrace.logical.plan import Kind, Plan
from tailrace.types import BOOLEAN

if TYPE_CHECKING:
    from tailrace.analysis.scalars.resolve import Scalars


NEGATED = {"=": "<>", "<>": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}


@dataclass(frozen=True)
class TypedQuery:
    """An analysed query: its plan and column names. The plan of a correlated subquery reads outer columns."""

    plan: Plan
    names: tuple[str, ...]
    values: tuple[Expression, ...] = ()  # the select items' expressions over FROM

    @property
    def kind(self) -> Kind:
        return self.plan.kind


def conjunct(scalars: Scalars, node: exp.Expr, plan: Plan) -> Plan | None:
    """The plan with a condition that only tests a subquery applied as a semi- or antijoin; None for anything else.

    Such conditions are `[NOT] EXISTS`, `[NOT] IN (subquery)` and comparisons with ANY or ALL of a subquery.
    """
    negated = False
    while isinstance(node, (exp.Not, exp.Paren)):
        negated ^= isinstance(node, exp.Not)
        node = node.this
    if isinstance(node, ast.Exists):
        test = existence(scalars, node)
    elif isinstance(node, exp.In) and node.args.get("query"):
        test = membership(scalars, node)
    elif is_quantified(node):
        test = quantification(scalars, node)
        negated ^= test.negated
    else:
        return None
    operands = list(test.operands)
    for index in range(test.given):
        plan, operands[index] = attach(plan, operands[index])
    # NOT IN is true only if every comparison is false: one that is NULL excludes the tuple as well.
    compared = [Call("is not false", (all_of(test.compared),), BOOLEAN)] if negated else test.compared
    condition = all_of([*(compared if test.compared else ()), *test.conditions])
    right, condition, _ = join_on_operands(plan, test.right, condition, tuple(operands), test.place)
    return nodes.SemiJoin(plan, right, negated, condition)


@dataclass(frozen=True)
class SubqueryTest:
    """A test whether some tuple of a subquery fits: comparisons that may be NULL, and conditions on what counts.

    In all of them an `Outer` is the number of an operand; the first `given` operands are those that are compared. If
    `negated`, the test itself is that no tuple fits.
    """

    right: Plan
    compared: list[Expression]
    conditions: list[Expression]
    operands: tuple[Expression, ...]
    given: int
    place: TextSpan | None
    negated: bool = False

    @property
    def value(self) -> Expression:
        """The truth of the test as a value: a column that a MarkJoin will add."""
        certain = [Call("is true", (part,), BOOLEAN) for part in self.conditions]
        if not self.compared:
            certain = [Call("is true", (all_of(self.conditions),), BOOLEAN)]
        mark = Column(0, BOOLEAN, "mark")
        condition = all_of([*self.compared, *certain])
        found = PendingSubquery("mark", self.right, condition, self.operands, mark, self.place)
        return Call("not", (found,), BOOLEAN) if self.negated else found


def existence(scalars: Scalars, node: ast.Exists) -> SubqueryTest:
    """The test of EXISTS: that the subquery has a tuple. What its columns are does not matter."""
    found = relation(scalars, node.this)
    lifted = lift_conditions(found.plan, exact=False)
    if lifted is None:
        plan = without_columns(found.plan)
        lifted = lift_conditions(plan, exact=False) or Lifted(plan, ())
    operands = Operands()
    right = operands.number(lifted.plan)
    return SubqueryTest(
        right, [], [operands.number(part) for part in lifted.conditions], tuple(operands.found), 0, place_of(node)
    )


def without_columns(plan: Plan) -> Plan:
    """A plan that has tuples whenever the given one has some, without what only computes, removes copies or sorts."""
    while True:
        match plan:
            case nodes.Project() | nodes.Distinct():
                plan = plan.child
            case nodes.TopK(limit=limit, offset=0) if limit is None or limit > 0:
                plan = plan.child
            case _:
                return plan


def membership(scalars: Scalars, node: exp.In) -> SubqueryTest:
    """The test of IN (subquery)."""
    return comparison(scalars, "=", node.this, node.args["query"].this, node, "IN")


def is_quantified(node: exp.Expr) -> bool:
    """Whether a node compares with ANY or ALL of a subquery."""
    right = node.args.get("expression")
    return isinstance(right, ast.Quantified) and isinstance(right.this, ast.Nested)


def quantification(scalars: Scalars, node: exp.Expr) -> SubqueryTest:
    """The test of `x > ANY (subquery)`; `x > ALL (subquery)` is that `x <= y` for no y of the subquery."""
    right, sign = node.args["expression"], COMPARISONS[type(node)]
    every = right.args["word"] == "ALL"
    test = comparison(scalars, NEGATED[sign] if every else sign, node.this, right.this.this, node, right.args["word"])
    return replace(test, negated=every)


def comparison(
    scalars: Scalars, sign: str, left: exp.Expr, query: ast.QueryNode, node: exp.Expr, word: str
) -> SubqueryTest:
    """The test that a value, or a row of values, compares with some tuple of a subquery."""
    left = left.this if isinstance(left, exp.Paren) else left
    given = left.expressions if isinstance(left, exp.Tuple) else [left]
    if len(given) > 1 and sign != "=":
        raise AnalysisError(
            f"a row of values is compared with {word} (subquery) by {'=' if word != 'ALL' else '<>'} only",
            place_of(node),
            "write EXISTS (SELECT … WHERE …) with the comparison inside",
        )
    values = [scalars.resolve(operand) for operand in given]
    found = relation(scalars, query)
    if len(found.names) != len(values):
        raise AnalysisError(
            f"{word} compares {len(values)} with {len(found.names)} columns of the subquery", place_of(node)
        )
    lifted = lift_conditions(found.plan, exact=False) or Lifted(found.plan, tuple(range(len(found.names))))
    operands = Operands()
    operands.found += values  # they come first, each with a place of its own
    right = operands.number(lifted.plan)
    conditions = [operands.number(part) for part in lifted.conditions]
    compared: list[Expression] = []
    for index, value in enumerate(values):
        column = Column(index, found.plan.schema[index].type, found.names[index])
        operand = value if isinstance(value, Literal) else Outer(index, value.type)
        compared.append(compare(sign, operand, column, place_of(node)))
    return SubqueryTest(right, compared, conditions, tuple(operands.found), len(values), place_of(node))


def scalar(scalars: Scalars, node: ast.Nested) -> Expression:
    """The value of a scalar subquery: the one column of its one row, NULL if it has no row."""
    found = relation(scalars, node.this)
    if len(found.names) != 1:
        raise AnalysisError(f"a subquery used as a value has one column, not {len(found.names)}", place_of(node))
    lifted, value = lift_conditions(found.plan, exact=True), None
    if lifted is None:
        lifted, value = lift_total(found.plan) or (Lifted(found.plan, (0,)), None)
    operands = Operands()
    right = operands.number(lifted.plan)
    condition = all_of([operands.number(part) for part in lifted.conditions])
    value = value or Column(0, found.plan.schema[0].type, found.names[0])
    return PendingSubquery("single", right, condition, tuple(operands.found), value, place_of(node))


def lift_total(plan: Plan) -> tuple[Lifted, Expression] | None:
    """The groups of a correlated aggregate without GROUP BY, and its select item over the columns of a group.

    The aggregate is grouped by what it is correlated with, and the select item and HAVING are computed after the join
    with these groups: a tuple without a group finds NULLs, of which the item makes what the aggregate has of nothing.
    """
    while isinstance(plan, nodes.Distinct):
        plan = plan.child
    if not isinstance(plan, nodes.Project) or node_reads_outer(plan):
        return None
    item, below = plan.expressions[0], plan.child
    conditions = []
    while isinstance(below, nodes.Select) and not node_reads_outer(below):
        conditions.append(below.predicate)
        below = below.child
    if not isinstance(below, nodes.Aggregate) or below.keys or node_reads_outer(below):
        return None
    lifted = lift_conditions(below.child, exact=True)
    pairs = correlated_keys(lifted.conditions) if lifted else None
    if lifted is None or pairs is None or any(sign == "<=>" for sign, _, _ in pairs):
        return None
    keys = tuple(inner for _, inner, _ in pairs)
    aggregations = tuple(each.map(lifted.place) for each in below.aggregations)
    groups = nodes.Aggregate(lifted.plan, keys, aggregations, (*map(key_name, keys), *below.names))
    # In a group that is there, no key is NULL: each was equal to a value of the outer tuple.
    values = [
        or_of_nothing(Column(len(keys) + place, each.type, name), each, Column(0, keys[0].type))
        for place, (each, name) in enumerate(zip(aggregations, below.names, strict=True))
    ]
    value = inline(item, values)
    for condition in conditions:
        value = Call("case", (inline(condition, values), value, Literal(None, value.type)), value.type)
    return Lifted(groups, (), equal_keys(pairs, keys)), value


def relation(scalars: Scalars, query: ast.QueryNode) -> TypedQuery:
    """Analyse a subquery as a relation; the scope of the query around is its outer scope."""
    return scalars.queries.as_relation(query, scalars.scope)
