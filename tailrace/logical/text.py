"""Text: expressions written out, for people in EXPLAIN and for Catalyst as Spark SQL.

Both read the same: what EXPLAIN shows is what Spark is asked to compute. Functions from Python are shown by the names
they were given, and Spark is not asked for them.

>>> from tailrace.logical.expressions import Call, Column, Literal
>>> from tailrace.types import BOOLEAN, INT
>>> print(text_of(Call(">", (Column(1, INT, "speed"), Literal(65, INT)), BOOLEAN)))
speed > 65
"""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from math import isfinite

from tailrace.logical.expressions import (
    Aggregation,
    Call,
    Column,
    Expression,
    Lambda,
    Literal,
    Outer,
    UserCall,
    Variable,
)
from tailrace.types import BOOLEAN, INT, INTERVAL, MONTHS, STRING, VOID, Type, is_decimal, is_fraction

ColumnText = Callable[[Column], str]

# Loosest first: an operand of a looser operator goes in parentheses.
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
CAST_LITERALS = ("TIMESTAMP", "TIMESTAMP_NTZ", "DATE")


def name_of(column: Column) -> str:
    return column.name or f"#{column.index}"


def text_of(expression: Expression, column: ColumnText = name_of) -> str:
    """The expression in Spark SQL, each column written by `column`."""
    match expression:
        case Column():
            return column(expression)
        case Outer():
            return f"outer.{expression.name}"
        case Variable():
            return expression.name
        case Literal():
            return literal_text(expression.value, expression.of)
        case Lambda():
            variables = ", ".join(variable.name for variable in expression.variables)
            return f"({variables}) -> {text_of(expression.body, column)}"
        case Call():
            return call_text(expression, column)
        case UserCall():
            return f"{expression.function.name}({', '.join(text_of(value, column) for value in expression.arguments)})"
    raise AssertionError(f"no text for {expression!r}")


def literal_text(value: object, type: Type) -> str:
    if value is None:
        return "NULL" if type == VOID else f"CAST(NULL AS {type})"
    if type == STRING:
        return quoted(str(value))
    if type.name in CAST_LITERALS:
        return f"{type.name} {quoted(str(value))}"
    if type in (INTERVAL, MONTHS):
        return f"INTERVAL {quoted(str(value).rpartition(' ')[0])} {str(value).rpartition(' ')[2]}"
    if type == BOOLEAN:
        return "TRUE" if value else "FALSE"
    if type == INT:
        return str(value)
    if is_decimal(type):
        return decimal_text(Decimal(str(value)), type)
    if is_fraction(type):
        plain = type.name == "DOUBLE" and isfinite(float(str(value)))
        return f"{float(str(value))!r}D" if plain else f"CAST({quoted(str(value))} AS {type})"
    return f"CAST({value} AS {type})" if type.name != "BIGINT" else f"{value}L"


def decimal_text(value: Decimal, type: Type) -> str:
    """A decimal as written where Spark would read this very type from it, else with its type."""
    written = format(value, "f")
    whole, _, fraction = written.lstrip("-").partition(".")
    digits = len(whole.lstrip("0")) + len(fraction)
    plain = "." in written and type.args == (max(digits, len(fraction)), len(fraction))
    return written if plain else f"CAST({quoted(written)} AS {type})"


def quoted(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def call_text(call: Call, column: ColumnText) -> str:
    name, arguments = call.name, call.arguments
    level = PRECEDENCE.get(name, ATOM)

    def operand(index: int, above: int = level) -> str:
        child = arguments[index]
        text = text_of(child, column)
        own = PRECEDENCE.get(child.name, ATOM) if isinstance(child, Call) else ATOM
        negative = isinstance(child, Literal) and text.startswith("-")
        return f"({text})" if own < above or negative else text

    if name in INFIX:
        sign = name.upper() if name.isalpha() else name
        # Predicates do not chain: `a LIKE b = c` would be read otherwise.
        left = operand(0, level + 1 if level == PRECEDENCE["="] else level)
        return f"{left} {sign} {operand(1, level + 1)}"
    if name == "not":
        return f"NOT {operand(0, level + 1)}"
    if name == "negate":
        return f"-{operand(0, level + 1)}"
    if name == "~":
        return f"~{operand(0, level + 1)}"
    if name.startswith("is "):
        return is_text(name, operand(0, level + 1))
    if name == "in":
        return f"{operand(0, level + 1)} IN ({', '.join(text_of(value, column) for value in arguments[1:])})"
    return function_text(call, column)


def is_text(name: str, operand: str) -> str:
    return f"{operand} {name.upper()}"


def function_text(call: Call, column: ColumnText) -> str:
    """Everything that is written like a function call, or nearly."""
    texts = [text_of(argument, column) for argument in call.arguments]
    match call.name:
        case "cast" | "try_cast":
            return f"{call.name.upper()}({texts[0]} AS {call.of})"
        case "case":
            branches = "".join(f" WHEN {texts[i]} THEN {texts[i + 1]}" for i in range(0, len(texts) - 1, 2))
            return f"CASE{branches} ELSE {texts[-1]} END"
        case "item":
            return f"{texts[0]}[{texts[1]}]"
        case "field":
            field = call.arguments[1]
            assert isinstance(field, Literal)
            return f"{texts[0]}.{field.value}"
        case "escape":
            return f"{texts[0]} LIKE {texts[1]} ESCAPE {texts[2]}"
        case "extract":
            unit = call.arguments[0]
            assert isinstance(unit, Literal)
            return f"EXTRACT({unit.value} FROM {texts[1]})"
    return f"{call.name.upper()}({', '.join(texts)})"


def aggregation_text(aggregation: Aggregation, column: ColumnText = name_of) -> str:
    arguments = ", ".join(text_of(argument, column) for argument in aggregation.arguments) or "*"
    name = aggregation.user.name if aggregation.user else aggregation.function.upper()
    text = f"{name}({'DISTINCT ' if aggregation.distinct else ''}{arguments})"
    if aggregation.condition:
        text += f" FILTER (WHERE {text_of(aggregation.condition, column)})"
    return text
