"""Expressions: typed scalar expressions over the columns of a plan, by position.

Positions make expressions of different queries comparable: they are equal if they compute the same, whatever the
queries call the columns. Names are kept for people only and are not compared.

>>> from tailrace.types import BIGINT, BOOLEAN, INT
>>> over = Call(">", (Column(1, INT, "speed"), Literal(65, INT)), BOOLEAN)
>>> columns_of(over), over == Call(">", (Column(1, INT, "s"), Literal(65, INT)), BOOLEAN)
({1}, True)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from tailrace.catalog.user_functions import UserAggregate, UserFunction
from tailrace.errors import UnknownValueError
from tailrace.logical.sampling import SampleRate
from tailrace.schema import Schema
from tailrace.stable_encoding import stable
from tailrace.types import BOOLEAN, Type


@dataclass(frozen=True)
class Expression:
    """The base of typed expressions."""

    @property
    def type(self) -> Type:
        raise AssertionError("each kind of expression has its type")

    @property
    def children(self) -> tuple[Expression, ...]:
        return ()

    def with_children(self, children: tuple[Expression, ...]) -> Expression:
        return self


@stable("expression/column")
@dataclass(frozen=True)
class Column(Expression):
    """The column at a position of the input (of a join: the left side's columns, then the right side's)."""

    index: int
    of: Type
    name: str = field(default="", compare=False, repr=False)  # for people only

    @property
    def type(self) -> Type:
        return self.of


@stable("expression/outer")
@dataclass(frozen=True)
class Outer(Expression):
    """In a subquery, a column of a query around it. None are left once the subquery has become a join."""

    index: int
    of: Type
    name: str = field(default="", compare=False, repr=False)  # for people only
    level: int = 1  # 1: of the query directly around, 2: of the query around that one, …

    @property
    def type(self) -> Type:
        return self.of


@stable("expression/variable")
@dataclass(frozen=True)
class Variable(Expression):
    """A lambda's variable."""

    name: str
    of: Type

    @property
    def type(self) -> Type:
        return self.of


@stable("expression/literal")
@dataclass(frozen=True)
class Literal(Expression):
    """A constant; `value` is None for NULL, and a text for dates, timestamps and intervals."""

    value: Any
    of: Type

    @property
    def type(self) -> Type:
        return self.of

    @property
    def is_null(self) -> bool:
        return self.value is None

    def __eq__(self, other: object) -> bool:
        # 1, 1.0 and True are equal in Python but not in SQL: the types must be equal too.
        return isinstance(other, Literal) and (self.of, repr(self.value)) == (other.of, repr(other.value))

    def __hash__(self) -> int:
        return hash((self.of, repr(self.value)))


@stable("expression/literal")
class Parameter(Literal):
    """The constant of a query template that its queries have different values for; whoever asks for the value fails.

    So nothing can depend on the value by mistake: analysis and rewrites see the type, and that it is no NULL. If
    `has_sign`, the sign of the comparison is different as well: in a plan with parameters it is `<`, negated `>=`.
    """

    number: int
    has_sign: bool

    def __init__(self, number: int, of: Type, has_sign: bool = False) -> None:
        vars(self).update(number=number, of=of, has_sign=has_sign)

    @property
    def value(self) -> Any:
        raise UnknownValueError(f"parameter {self.number} of a template has no value")

    @property
    def is_null(self) -> bool:
        return False

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Parameter) and vars(self) == vars(other)

    def __hash__(self) -> int:
        return hash((self.number, self.of))

    def __repr__(self) -> str:
        return f"Parameter(number={self.number}, of={self.of!r}, has_sign={self.has_sign})"


@stable("expression/call")
@dataclass(frozen=True)
class Call(Expression):
    """An operator or function applied to arguments; `name` is in lower case, or an operator's sign such as `<=`."""

    name: str
    arguments: tuple[Expression, ...]
    of: Type

    @property
    def type(self) -> Type:
        return self.of

    @property
    def children(self) -> tuple[Expression, ...]:
        return self.arguments

    def with_children(self, children: tuple[Expression, ...]) -> Expression:
        return replace(self, arguments=children)


@stable("expression/user-call")
@dataclass(frozen=True)
class UserCall(Expression):
    """A function that the user registered from Python, applied to arguments.

    It is not a Call, so no rule about Spark's functions applies to it: nothing assumes that it has a value for every
    tuple, computes it on constants or writes it for Catalyst.
    """

    function: UserFunction
    arguments: tuple[Expression, ...]

    @property
    def type(self) -> Type:
        return self.function.returns

    @property
    def children(self) -> tuple[Expression, ...]:
        return self.arguments

    def with_children(self, children: tuple[Expression, ...]) -> Expression:
        return replace(self, arguments=children)


@stable("expression/sample-test")
@dataclass(frozen=True)
class SampleTest(Expression):
    """Whether a stream's element with these columns is in a sample of the stream; depends on the element's instant too.

    Only physical plans and load shedding use it, so no rewrite rule meets it. In a logical plan a sample is a node
    (HashSample), since an element's instant is not one of its columns.
    """

    rate: SampleRate
    columns: tuple[Expression, ...]

    @property
    def type(self) -> Type:
        return BOOLEAN

    @property
    def children(self) -> tuple[Expression, ...]:
        return self.columns

    def with_children(self, children: tuple[Expression, ...]) -> Expression:
        return replace(self, columns=children)


@stable("expression/lambda")
@dataclass(frozen=True)
class Lambda(Expression):
    """`(x, y) -> body`, an argument of a higher-order function."""

    variables: tuple[Variable, ...]
    body: Expression

    @property
    def type(self) -> Type:
        return self.body.type

    @property
    def children(self) -> tuple[Expression, ...]:
        return (self.body,)

    def with_children(self, children: tuple[Expression, ...]) -> Expression:
        return replace(self, body=children[0])


@stable("expression/aggregation")
@dataclass(frozen=True)
class Aggregation:
    """An aggregate over a group: function, arguments, DISTINCT, and the condition of its FILTER."""

    function: str
    arguments: tuple[Expression, ...]
    of: Type
    distinct: bool = False
    condition: Expression | None = None
    user: UserAggregate | None = None  # the aggregate itself if it was registered from Python

    @property
    def type(self) -> Type:
        return self.of

    def where(self, condition: Expression) -> Aggregation:
        """The same aggregate with one more condition in its FILTER."""
        return replace(self, condition=all_of([self.condition, condition]) if self.condition else condition)

    def map(self, change: Callable[[Expression], Expression]) -> Aggregation:
        """The same aggregate with `change` applied to its expressions."""
        return replace(
            self,
            arguments=tuple(change(argument) for argument in self.arguments),
            condition=change(self.condition) if self.condition else None,
        )

    @property
    def expressions(self) -> tuple[Expression, ...]:
        return self.arguments + ((self.condition,) if self.condition else ())


TRUE = Literal(True, BOOLEAN)
FALSE = Literal(False, BOOLEAN)


def walk(expression: Expression) -> Iterator[Expression]:
    """The expression and everything inside it, outermost first."""
    yield expression
    for child in expression.children:
        yield from walk(child)


def uses_python(expression: Expression) -> bool:
    """Whether the expression calls a function from Python; such an expression cannot be written for Catalyst."""
    return any(isinstance(part, UserCall) for part in walk(expression))


def transform(expression: Expression, change: Callable[[Expression], Expression]) -> Expression:
    """The expression with `change` applied to every part, innermost first."""
    children = tuple(transform(child, change) for child in expression.children)
    if children != expression.children:
        expression = expression.with_children(children)
    return change(expression)


def refer_to(schema: Schema, indexes: Iterable[int] | None = None) -> tuple[Column, ...]:
    """All columns of a schema, or those at some positions, as expressions."""
    places = range(len(schema)) if indexes is None else indexes
    return tuple(Column(index, schema[index].type, schema[index].name) for index in places)


def columns_of(*expressions: Expression) -> set[int]:
    return {part.index for root in expressions for part in walk(root) if isinstance(part, Column)}


def map_columns(expression: Expression, change: Callable[[Column], Expression]) -> Expression:
    return transform(expression, lambda part: change(part) if isinstance(part, Column) else part)


def move(expression: Expression, to: Callable[[int], int]) -> Expression:
    """The same expression over columns at other positions."""
    return map_columns(expression, lambda column: replace(column, index=to(column.index)))


def shift(expression: Expression, by: int) -> Expression:
    return move(expression, lambda index: index + by)


def inline(expression: Expression, values: Sequence[Expression]) -> Expression:
    """The expression with each column replaced by its value: the expression at the column's position in `values`."""
    return map_columns(expression, lambda column: values[column.index])


Constants = Sequence[
    tuple[str, Literal]
]  # for each parameter, by number, the sign ("" where it is fixed) and the value
OPPOSITE = {"<": ">=", ">=": "<", ">": "<=", "<=": ">"}


def bind(expression: Expression, constants: Constants) -> Expression:
    """The expression with constants in place of its parameters, each the right side of a comparison.

    >>> from tailrace.types import INT
    >>> open_ended = Call("<", (Column(0, INT), Parameter(0, INT, has_sign=True)), BOOLEAN)
    >>> bind(open_ended, [(">", Literal(7, INT))]).name
    '>'
    """
    right = expression.children[-1] if isinstance(expression, Call) and expression.children else None
    if isinstance(expression, Call) and isinstance(right, Parameter):
        sign, literal = constants[right.number]
        if not right.has_sign:
            sign = expression.name
        elif expression.name != "<":
            sign = OPPOSITE[sign]
        return Call(sign, (bind(expression.arguments[0], constants), literal), expression.of)
    children = tuple([bind(child, constants) for child in expression.children])
    same = all(new is old for new, old in zip(children, expression.children, strict=True))
    return expression if same else expression.with_children(children)


def conjuncts(predicate: Expression) -> tuple[Expression, ...]:
    """The parts of a predicate that are connected by AND.

    >>> len(conjuncts(all_of([TRUE, FALSE, TRUE])))
    3
    """
    if isinstance(predicate, Call) and predicate.name == "and":
        return tuple(part for argument in predicate.arguments for part in conjuncts(argument))
    return (predicate,)


def all_of(parts: Sequence[Expression]) -> Expression:
    """The parts connected by AND, as in `(a AND b) AND c`; TRUE if there are none."""
    if not parts:
        return TRUE
    found = parts[0]
    for part in parts[1:]:
        found = Call("and", (found, part), BOOLEAN)
    return found
