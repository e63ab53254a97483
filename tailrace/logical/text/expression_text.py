"""Expression text: expressions as EXPLAIN prints them for people; spark_sql.py writes them for Catalyst.

Functions from Python appear under their registered names; Catalyst never sees those.

>>> from tailrace.logical.expressions import Call, Column, Literal
>>> from tailrace.types import BOOLEAN, INT
>>> print(text_of(Call(">", (Column(1, INT, "speed"), Literal(65, INT)), BOOLEAN)))
speed > 65
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import Decimal
from math import isfinite
from typing import Any

from tailrace.logical.expressions import (
    Aggregation,
    Call,
    Column,
    Expression,
    Lambda,
    Literal,
    Outer,
    SampleTest,
    UserCall,
    Variable,
)
from tailrace.logical.over import WindowFunction
from tailrace.types import BOOLEAN, INT, INTERVAL, MONTHS, STRING, VOID, Type, is_decimal, is_fraction
from tailrace.types import quote_name as quoted_name

ColumnText = Callable[[Column], str]

# Operators by precedence, the loosest first. An operand that binds looser than its operator is put in parentheses.
PRECEDENCE = {
    name: level
    for level, names in enumerate(
        (
            ("or",),
            ("and",),
            ("not",),
            (
                "=",
                "<>",
                "<",
                "<=",
                ">",
                ">=",
                "<=>",
                "in",
                "escape",
                "like",
                "ilike",
                "rlike",
                "is null",
                "is not null",
                "is true",
                "is not true",
                "is false",
                "is not false",
            ),
            ("|",),
            ("^",),
            ("&",),
            ("+", "-", "||"),
            ("*", "/", "%", "div"),
            ("negate", "~"),
        )
    )
    for name in names
}
INFIX = (
    frozenset(PRECEDENCE)
    - {"not", "in", "escape", "negate", "~"}
    - {name for name in PRECEDENCE if name.startswith("is ")}
)
ATOM = len(PRECEDENCE)
TYPED_LITERALS = ("TIMESTAMP", "TIMESTAMP_NTZ", "DATE")
# Functions whose first argument is a unit written as a bare word, as in DATEDIFF(DAY, a, b).
UNIT_FIRST = ("date_add", "dateadd", "date_diff", "datediff", "timediff", "timestampadd", "timestampdiff")


def name_of(column: Column) -> str:
    return column.name or f"#{column.index}"


def text_of(expression: Expression, column: ColumnText = name_of) -> str:
    """The expression's text for people; `column` writes each column."""
    return Text(column).of(expression)


class Text:
    """Writes expressions as text, one method for each part; a subclass overrides the parts that it writes otherwise."""

    def __init__(self, column: ColumnText = name_of) -> None:
        self.column = column

    def of(self, expression: Expression) -> str:
        match expression:
            case Column():
                return self.column(expression)
            case Outer():
                return f"outer.{expression.name}"
            case Variable():
                return self.variable(expression.name)
            case Literal():
                return self.literal(expression.value, expression.of)
            case Lambda():
                return f"{self.variables(expression)} -> {self.of(expression.body)}"
            case Call():
                return self.call(expression)
            case SampleTest():
                return self.sample_text(expression)
            case UserCall():
                return f"{expression.function.name}({', '.join(map(self.of, expression.arguments))})"
        raise AssertionError(f"no text for {expression!r}")

    def sample_text(self, expression: SampleTest) -> str:
        return f"SAMPLE {expression.rate}"

    def variable(self, name: str) -> str:
        return name

    def variables(self, function: Lambda) -> str:
        return f"({', '.join(self.variable(variable.name) for variable in function.variables)})"

    def type(self, type: Type) -> str:
        return str(type)

    # Constants ----------------------------------------------------------------------------------------

    def literal(self, value: Any, type: Type) -> str:
        if value is None:
            return "NULL" if type == VOID else f"CAST(NULL AS {self.type(type)})"
        if type == STRING:
            return self.quote(value)
        if type.name == "BINARY":
            return f"X'{value.hex().upper()}'"
        if type.name in TYPED_LITERALS:
            return self.time(str(value), type)
        if type in (INTERVAL, MONTHS):
            return self.interval(str(value), type)
        if type == BOOLEAN:
            return "TRUE" if value else "FALSE"
        if type == INT:
            return str(value)
        if is_decimal(type):
            return decimal_text(Decimal(str(value)), type)
        if is_fraction(type):
            plain = type.name == "DOUBLE" and isfinite(float(value))
            return f"{float(value)!r}D" if plain else f"CAST('{value}' AS {type})"
        return f"CAST({value} AS {type})" if type.name != "BIGINT" else f"{value}L"

    def quote(self, text: str) -> str:
        return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"

    def time(self, text: str, type: Type) -> str:
        return f"{type.name} '{text}'"

    def interval(self, text: str, type: Type) -> str:
        amount, _, unit = text.rpartition(" ")
        return f"INTERVAL '{amount}' {unit}"

    # Operators ----------------------------------------------------------------------------------------

    def call(self, call: Call) -> str:
        name, level = call.name, level_of(call)
        if name in INFIX and len(call.arguments) == 2:
            sign = name.upper() if name.isalpha() else name
            # A comparison inside a comparison needs parentheses: `a LIKE b = c` would be parsed otherwise.
            left = self.operand(call, 0, level + 1 if level == PRECEDENCE["="] else level)
            return f"{left} {sign} {self.operand(call, 1, level + 1)}"
        if level == ATOM:
            return self.function(call, [self.of(argument) for argument in call.arguments])
        first, *others = (self.operand(call, index, level + 1) for index in range(len(call.arguments)))
        match name:
            case "not":
                return f"NOT {first}"
            case "negate" | "~":
                return f"{'~' if name == '~' else '-'}{first}"
            case "in":
                return f"{first} IN ({', '.join(self.of(value) for value in call.arguments[1:])})"
            case "escape" | "like" | "ilike":
                return f"{first} {'ILIKE' if name == 'ilike' else 'LIKE'} {others[0]} ESCAPE {others[1]}"
        return f"{first} {name.upper()}"

    def operand(self, call: Call, index: int, above: int) -> str:
        """The text of an argument, in parentheses unless it binds at least as tightly as the level `above`."""
        child = call.arguments[index]
        return parenthesise(child, self.of(child), above)

    # Functions ----------------------------------------------------------------------------------------

    def function(self, call: Call, texts: Sequence[str]) -> str:
        """The text of a function call, or of CAST, CASE, EXTRACT, an item `a[i]` or a field `s.f`."""
        match call.name:
            case "cast" | "try_cast":
                return f"{call.name.upper()}({texts[0]} AS {self.type(call.of)})"
            case "case":
                branches = "".join(f" WHEN {texts[i]} THEN {texts[i + 1]}" for i in range(0, len(texts) - 1, 2))
                return f"CASE{branches} ELSE {texts[-1]} END"
            case "item":
                return f"{parenthesise(call.arguments[0], texts[0])}[{texts[1]}]"
            case "field":
                return f"{parenthesise(call.arguments[0], texts[0])}.{self.field(word_of(call.arguments[1]))}"
            case "extract":
                return f"EXTRACT({word_of(call.arguments[0])} FROM {texts[1]})"
            case name if name in UNIT_FIRST and len(texts) == 3:
                return f"{name.upper()}({', '.join([word_of(call.arguments[0]), *texts[1:]])})"
        return self.plain(call.name, texts)

    def field(self, name: str) -> str:
        return quoted_name(name)

    def plain(self, name: str, texts: Sequence[str]) -> str:
        return f"{name.upper()}({', '.join(texts)})"


def level_of(expression: Expression) -> int:
    return PRECEDENCE.get(expression.name, ATOM) if isinstance(expression, Call) else ATOM


def parenthesise(expression: Expression, text: str, above: int = ATOM) -> str:
    """The expression's text, in parentheses unless it binds at least as tightly as the level `above`."""
    negative = isinstance(expression, Literal) and text.startswith("-")
    return f"({text})" if level_of(expression) < above or negative else text


def word_of(expression: Expression) -> str:
    """The bare word that a call takes as an argument, such as the unit of EXTRACT."""
    assert isinstance(expression, Literal)
    return str(expression.value)


def decimal_text(value: Decimal, type: Type) -> str:
    """A decimal's digits if Spark would give them exactly this type; otherwise a CAST to the type."""
    written = format(value, "f")
    whole, _, fraction = written.lstrip("-").partition(".")
    digits = len(whole.lstrip("0")) + len(fraction)
    plain = "." in written and type.args == (max(digits, len(fraction)), len(fraction))
    return written if plain else f"CAST('{written}' AS {type})"


def aggregation_text(aggregation: Aggregation, column: ColumnText = name_of) -> str:
    arguments = ", ".join(text_of(argument, column) for argument in aggregation.arguments) or "*"
    name = aggregation.user.name if aggregation.user else aggregation.function.upper()
    text = f"{name}({'DISTINCT ' if aggregation.distinct else ''}{arguments})"
    if aggregation.condition:
        text += f" FILTER (WHERE {text_of(aggregation.condition, column)})"
    return text


def window_call_text(function: WindowFunction, column: ColumnText = name_of) -> str:
    """A window function without its frame."""
    text = aggregation_text(function.call, column)
    if not function.is_aggregate and not function.call.arguments:
        text = text.replace("(*)", "()")
    return f"{text} IGNORE NULLS" if function.ignores_nulls else text
