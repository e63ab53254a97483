"""Resolve: turns the syntax tree of a scalar expression into a typed expression over a scope."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from functools import singledispatchmethod
from typing import TYPE_CHECKING

from sqlglot import exp

from tailrace import types
from tailrace.analysis import over, subqueries
from tailrace.analysis.scalars import array_comparisons, calls, intervals, row_comparisons
from tailrace.analysis.scalars.coercion import (
    COMPARISONS,
    cast,
    compare,
    minus,
    number,
    together,
    truth,
    whole_quotient,
)
from tailrace.analysis.scalars.scope import Scope, SelectItem
from tailrace.errors import AnalysisError
from tailrace.language import nodes as ast
from tailrace.language.nodes import place_of
from tailrace.language.script import to_text
from tailrace.logical.expressions import Call, Expression, Literal, Parameter, Variable
from tailrace.types import BIGINT, BOOLEAN, STRING, Type

if TYPE_CHECKING:
    from tailrace.analysis.queries import QueryAnalysis

ARITHMETIC: dict[type[exp.Expr], str] = {exp.Add: "+", exp.Sub: "-", exp.Mul: "*", exp.Div: "/", exp.Mod: "%"}
BITWISE: dict[type[exp.Expr], str] = {exp.BitwiseAnd: "&", exp.BitwiseOr: "|", exp.BitwiseXor: "^"}
MATCHES: dict[type[exp.Expr], str] = {exp.Like: "like", exp.ILike: "ilike", exp.RegexpLike: "rlike"}


@dataclass(frozen=True)
class Scalars:
    """Resolves the expressions of one clause."""

    queries: QueryAnalysis
    scope: Scope
    clause: str  # its name, for messages
    aggregates: bool = False  # whether it may hold aggregates
    variables: tuple[Variable, ...] = ()  # those of the lambdas around
    windows: bool = False  # whether it may hold window functions
    nested_aggregates: bool = False  # whether arguments of aggregates may hold aggregates, as in SUM(SUM(x)) OVER ()
    items: tuple[SelectItem, ...] = ()  # select items that it can name where FROM has no column of the name

    def condition(self, node: exp.Expr) -> Expression:
        return truth(self.resolve(node), self.clause, place_of(node))

    @singledispatchmethod
    def resolve(self, node: exp.Expr) -> Expression:
        for table, build in self._families().items():
            if type(node) in table:
                return build(node)
        raise AnalysisError(f"{to_text(node)} cannot be used in an expression", place_of(node))

    def _families(self) -> dict[tuple[type, ...], Callable[[exp.Expr], Expression]]:
        return {
            tuple(COMPARISONS): self._comparison,
            tuple(ARITHMETIC): self._arithmetic,
            tuple(BITWISE): self._bitwise,
            tuple(MATCHES): self._match,
        }

    # Names and constants ------------------------------------------------------------------------------

    @resolve.register
    def _(self, node: exp.Column) -> Expression:
        if isinstance(node.this, exp.Star):
            raise AnalysisError(f"{to_text(node)} must be alone in a select list", place_of(node))
        for variable in reversed(self.variables):
            if variable.name.lower() == (node.table or node.name).lower():
                return field(variable, node.args["this"]) if node.table else variable
        struct = node.table and not self.scope.has_table(node.table)
        if struct and any(binding.schema.find(node.table) for binding in self.scope.bindings):
            return field(self.scope.column(node.table, None, place_of(node)), node.args["this"])
        try:
            return self.scope.column(node.name, node.table or None, place_of(node))
        except AnalysisError:
            named = [item for item in self.items if not node.table and item.name.lower() == node.name.lower()]
            if not named:
                raise
            return named[0].value

    @resolve.register
    def _(self, node: exp.Literal) -> Expression:
        return Literal(node.this, STRING) if node.is_string else number(node.this)

    @resolve.register
    def _(self, node: exp.Parameter) -> Expression:
        return Parameter(node.args["number"], self.resolve(node.this).type, node.args["has_sign"])

    @resolve.register
    def _(self, node: exp.Null) -> Expression:
        return Literal(None, types.VOID)

    @resolve.register
    def _(self, node: exp.Boolean) -> Expression:
        return Literal(bool(node.this), BOOLEAN)

    @resolve.register
    def _(self, node: exp.Interval) -> Expression:
        return intervals.resolve_interval(node)

    @resolve.register
    def _(self, node: exp.Star) -> Expression:
        raise AnalysisError("* must be alone in a select list, or in COUNT(*)", place_of(node))

    @resolve.register
    def _(self, node: exp.Tuple) -> Expression:
        raise AnalysisError(
            "a row of values is no value of its own",
            place_of(node),
            "it can be compared with another row, by a sign, BETWEEN or IN; STRUCT(…) makes a value of it",
        )

    # Logic --------------------------------------------------------------------------------------------

    @resolve.register
    def _(self, node: exp.Paren) -> Expression:
        return self.resolve(node.this)

    @resolve.register
    def _(self, node: exp.And) -> Expression:
        return self._connect("and", node)

    @resolve.register
    def _(self, node: exp.Or) -> Expression:
        return self._connect("or", node)

    def _connect(self, name: str, node: exp.Binary) -> Expression:
        sides = [truth(self.resolve(side), name.upper(), place_of(side)) for side in (node.this, node.expression)]
        return Call(name, tuple(sides), BOOLEAN)

    @resolve.register
    def _(self, node: exp.Not) -> Expression:
        return Call("not", (truth(self.resolve(node.this), "NOT", place_of(node.this)),), BOOLEAN)

    @resolve.register
    def _(self, node: exp.Is) -> Expression:
        value = self.resolve(node.this)
        if isinstance(node.expression, exp.Null):
            return Call("is null", (value,), BOOLEAN)
        word = "is true" if node.expression.this else "is false"
        return Call(word, (truth(value, "IS TRUE", place_of(node.this)),), BOOLEAN)

    def _comparison(self, node: exp.Expr) -> Expression:
        if isinstance(node.expression, ast.Quantified):
            return self._quantification(node)
        if row_comparisons.is_row(node.this, node.expression):
            return row_comparisons.compare_operands(self, COMPARISONS[type(node)], node)
        left, right = self.resolve(node.this), self.resolve(node.expression)
        return compare(COMPARISONS[type(node)], left, right, place_of(node))

    def _quantification(self, node: exp.Expr) -> Expression:
        """A comparison with ANY or ALL of a subquery, or of the elements of an array."""
        if subqueries.is_quantified(node):
            return subqueries.quantification(self, node).value
        return array_comparisons.compare_elements(self, COMPARISONS[type(node)], node)

    @resolve.register
    def _(self, node: exp.NullSafeNEQ) -> Expression:
        if row_comparisons.is_row(node.this, node.expression):
            return row_comparisons.compare_operands(self, "<>", node)
        left, right = self.resolve(node.this), self.resolve(node.expression)
        return Call("not", (compare("<=>", left, right, place_of(node)),), BOOLEAN)

    @resolve.register
    def _(self, node: exp.Between) -> Expression:
        if row_comparisons.is_row(node.this):
            return row_comparisons.is_between(self, node)
        value, low, high = (self.resolve(node.args[key]) for key in ("this", "low", "high"))
        ends = (compare(">=", value, low, place_of(node)), compare("<=", value, high, place_of(node)))
        return Call("and", ends, BOOLEAN)

    @resolve.register
    def _(self, node: exp.In) -> Expression:
        if node.args.get("query"):
            return subqueries.membership(self, node).value
        if row_comparisons.is_row(node.this):
            return row_comparisons.is_among(self, node)
        values = [self.resolve(value) for value in (node.this, *node.expressions)]
        cast_values, _ = together(values, "in IN, ", place_of(node))
        return Call("in", tuple(cast_values), BOOLEAN)

    @resolve.register
    def _(self, node: ast.Exists) -> Expression:
        return subqueries.existence(self, node).value

    @resolve.register
    def _(self, node: ast.Nested) -> Expression:
        return subqueries.scalar(self, node)

    def _match(self, node: exp.Expr) -> Expression:
        sides = tuple(self._text(side) for side in (node.this, node.expression))
        return Call(MATCHES[type(node)], sides, BOOLEAN)

    @resolve.register
    def _(self, node: exp.Escape) -> Expression:
        like = node.this
        parts = tuple(self._text(part) for part in (like.this, like.expression, node.expression))
        return Call("ilike" if isinstance(like, exp.ILike) else "escape", parts, BOOLEAN)

    def _text(self, node: exp.Expr) -> Expression:
        value = self.resolve(node)
        if not types.is_atomic(value.type):
            raise AnalysisError(f"expected a text, not {value.type}", place_of(node))
        return cast(value, STRING)

    # Arithmetic ---------------------------------------------------------------------------------------

    def _arithmetic(self, node: exp.Expr) -> Expression:
        sign = ARITHMETIC[type(node)]
        in_two_steps = intervals.split_mixed(type(node), node.this, node.expression)
        if in_two_steps is not None:
            return self.resolve(in_two_steps)
        left, right = beside_decimals(self.resolve(node.this), self.resolve(node.expression))
        constant = intervals.fold_arithmetic(sign, left, right)
        if constant is not None:
            return constant
        if sign == "+" and types.is_interval(left.type) and types.is_time(right.type):
            left, right = right, left
        result = types.arithmetic(sign, left.type, right.type)
        if result == types.TIMESTAMP and types.DATE in (left.type, right.type) and in_days(left, right):
            result = types.DATE
        if result is None:
            raise AnalysisError(f"{left.type} {sign} {right.type} is not defined", place_of(node), "CAST one side")
        if sign == "/" and result == BIGINT:
            return Call("div", (cast(left, BIGINT), cast(right, BIGINT)), BIGINT)
        if types.is_integer(result) or types.is_fraction(result):
            left, right = cast(left, result), cast(right, result)
        return Call(sign, (left, right), result)

    @resolve.register
    def _(self, node: exp.IntDiv) -> Expression:
        return whole_quotient([self.resolve(side) for side in (node.this, node.expression)], place_of(node))

    @resolve.register
    def _(self, node: exp.Neg) -> Expression:
        value = self.resolve(node.this)
        if isinstance(value, Literal) and types.is_numeric(value.type) and not value.is_null:
            return minus(value)
        if intervals.is_constant(value):
            return intervals.negate(value)
        if value.type == STRING:
            value = cast(value, types.DOUBLE)
        if not (types.is_numeric(value.type) or types.is_interval(value.type)):
            raise AnalysisError(f"minus {value.type} is not defined", place_of(node))
        return Call("negate", (value,), value.type)

    def _bitwise(self, node: exp.Expr) -> Expression:
        sides = [self.resolve(side) for side in (node.this, node.expression)]
        if not all(types.is_integer(side.type) for side in sides):
            raise AnalysisError(f"{BITWISE[type(node)]} works on integers", place_of(node))
        values, type_ = together(sides, "", place_of(node))
        return Call(BITWISE[type(node)], tuple(values), type_)

    @resolve.register
    def _(self, node: exp.BitwiseNot) -> Expression:
        value = self.resolve(node.this)
        if not types.is_integer(value.type):
            raise AnalysisError("~ works on integers", place_of(node))
        return Call("~", (value,), value.type)

    @resolve.register
    def _(self, node: exp.DPipe) -> Expression:
        return Call("||", (self._text(node.this), self._text(node.expression)), STRING)

    # Forms --------------------------------------------------------------------------------------------

    @resolve.register
    def _(self, node: exp.Case) -> Expression:
        operand = self.resolve(node.this) if node.this else None
        conditions, values = [], []
        for branch in node.args["ifs"]:
            when = self.resolve(branch.this)
            at = place_of(branch.this)
            conditions.append(compare("=", operand, when, at) if operand else truth(when, "WHEN", at))
            values.append(self.resolve(branch.args["true"]))
        default = node.args.get("default")
        values.append(self.resolve(default) if default else Literal(None, types.VOID))
        values, type_ = together(values, "the branches of CASE:", place_of(node))
        flat = [part for pair in zip(conditions, values, strict=False) for part in pair]
        return Call("case", (*flat, values[-1]), type_)

    @resolve.register(exp.Cast)
    @resolve.register(exp.TryCast)
    def _(self, node: exp.Cast) -> Expression:
        value = self.resolve(node.this)
        target: Type = node.args["to"].this
        if not types.can_cast(value.type, target):
            raise AnalysisError(f"{value.type} cannot be cast to {target}", place_of(node))
        if isinstance(value, Literal) and value.of == STRING and target.name in ("DATE", "TIMESTAMP", "TIMESTAMP_NTZ"):
            return calls.time_literal(value.value, target, place_of(node))
        if isinstance(node, exp.TryCast):
            if types.is_integer(value.type) and target == types.BINARY:
                raise AnalysisError(f"{value.type} cannot be cast to BINARY by TRY_CAST", place_of(node), "CAST it")
            return Call("try_cast", (value,), target)
        return cast(value, target)

    @resolve.register
    def _(self, node: exp.Extract) -> Expression:
        value = self.resolve(node.expression)
        if not (types.is_time(value.type) or types.is_interval(value.type)):
            raise AnalysisError(f"EXTRACT reads a time, not {value.type}", place_of(node))
        return calls.resolve_extract(node.this.this, value, place_of(node))

    @resolve.register
    def _(self, node: exp.Bracket) -> Expression:
        value, index = self.resolve(node.this), self.resolve(node.expressions[0])
        if value.type.name == "ARRAY" and types.is_integer(index.type):
            return Call("item", (value, index), value.type.args[0])
        if value.type.name == "MAP" and types.comparable(value.type.args[0], index.type):
            return Call("item", (value, cast(index, value.type.args[0])), value.type.args[1])
        raise AnalysisError(f"{value.type} has no item [{index.type}]", place_of(node))

    @resolve.register
    def _(self, node: exp.Dot) -> Expression:
        return field(self.resolve(node.this), node.expression)

    @resolve.register
    def _(self, node: exp.Anonymous) -> Expression:
        return calls.call(self, node)

    @resolve.register
    def _(self, node: exp.Filter) -> Expression:
        return calls.resolve_filter(self, node)

    @resolve.register
    def _(self, node: ast.Over) -> Expression:
        return over.resolve_over(self, node)


def beside_decimals(left: Expression, right: Expression) -> tuple[Expression, Expression]:
    """Both sides of arithmetic; an integer literal beside a DECIMAL becomes a decimal of its own number of digits."""

    def narrow_literal(side: Expression, other: Expression) -> Expression:
        if isinstance(side, Literal) and types.is_integer(side.of) and types.is_decimal(other.type):
            return Literal(Decimal(side.value), types.decimal(len(str(abs(side.value)))))
        return side

    return narrow_literal(left, right), narrow_literal(right, left)


def in_days(*sides: Expression) -> bool:
    """Whether one side is a literal interval of whole days: a DATE plus that stays a DATE."""
    return any(isinstance(side, Literal) and side.of == types.INTERVAL and intervals.is_in_days(side) for side in sides)


def field(value: Expression, name: exp.Identifier) -> Expression:
    """The field of a STRUCT; upper and lower case are equal."""
    if value.type.name != "STRUCT":
        raise AnalysisError(f"{value.type} has no field {name.name}", place_of(name))
    for known, type_ in value.type.args:
        if known.lower() == name.name.lower():
            return Call("field", (value, Literal(known, STRING)), type_)
    names = ", ".join(known for known, _ in value.type.args)
    raise AnalysisError(f"no field {name.name}", place_of(name), f"the fields are {names}")
