"""Spark SQL: writes expressions as Spark SQL to which Catalyst gives exactly the meaning and the type they have here.

The text differs from EXPLAIN's where Spark, outside its ANSI mode, would give the short form another type: such parts
are cast explicitly.

>>> from tailrace.logical.expressions import Call, Column, Literal
>>> from tailrace.types import DATE, INTERVAL, TIMESTAMP
>>> later = Call("+", (Column(0, DATE, "day"), Literal("36 HOUR", INTERVAL)), TIMESTAMP)
>>> print(spark_text(later, lambda column: f"`c{column.index}`"))
CAST(`c0` AS TIMESTAMP) + INTERVAL '1 12:00:00.000000' DAY TO SECOND
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from decimal import Decimal

from tailrace.logical.expressions import Call, Expression, Lambda, Literal, SampleTest
from tailrace.logical.sampling import has_lot
from tailrace.logical.text.expression_text import ColumnText, Text, name_of
from tailrace.types import (
    BINARY,
    DATE,
    INT,
    INTERVAL,
    MICROSECONDS,
    MONTHS,
    MONTHS_OF,
    STRING,
    TIMESTAMP,
    TIMESTAMP_NTZ,
    Type,
    as_decimal,
    is_atomic,
    is_decimal,
    is_integer,
)

INSTANT = "_start"  # the column with a row's instant in every table that Spark handles
ARITHMETIC = ("+", "-", "*", "/", "%", "div")


def spark_text(expression: Expression, column: ColumnText = name_of) -> str:
    """The expression in Spark SQL; `column` writes each column."""
    return SparkText(column).of(expression)


def spark_type(type: Type) -> str:
    """A type's name in Spark.

    >>> from tailrace.types import array
    >>> spark_type(array(INTERVAL))
    'ARRAY<INTERVAL DAY TO SECOND>'
    """
    if type == INTERVAL:
        return "INTERVAL DAY TO SECOND"
    if type.name == "CALENDAR_INTERVAL":
        return "INTERVAL"
    if type.name == "STRUCT":
        return f"STRUCT<{', '.join(f'{name_text(name)}: {spark_type(part)}' for name, part in type.args)}>"
    return str(type) if is_atomic(type) else f"{type.name}<{', '.join(map(spark_type, type.args))}>"


def name_text(name: str) -> str:
    return "`" + name.replace("`", "``") + "`"


class SparkText(Text):
    """Writes expressions as Spark SQL for Catalyst."""

    def sample_text(self, expression: SampleTest) -> str:
        lot = [self.lot(column) for column in expression.columns if has_lot(column.type)]
        rate = expression.rate
        return f"xxhash64({', '.join([f'{rate.seed}L', INSTANT, *lot])}) <= {rate.most}L"

    def lot(self, column: Expression) -> str:
        """A column as it is hashed into an element's lot, cast to its declared type; texts by their crc32."""
        text = f"CAST({self.of(column)} AS {spark_type(column.type)})"
        return f"crc32(CAST({text} AS BINARY))" if column.type in (STRING, BINARY) else text

    def variable(self, name: str) -> str:
        # The prefix keeps a variable from hiding a column: no column's name begins with it.
        return name_text(f"lambda {name}")

    def variables(self, function: Lambda) -> str:
        names = [self.variable(variable.name) for variable in function.variables]
        return names[0] if len(names) == 1 else f"({', '.join(names)})"

    def type(self, type: Type) -> str:
        return spark_type(type)

    # Constants ----------------------------------------------------------------------------------------

    def quote(self, text: str) -> str:
        # Spark replaces ${name} by the value of the setting of that name, even inside quotes.
        return super().quote(text).replace("${", "\\u0024{")

    def time(self, text: str, type: Type) -> str:
        if type == TIMESTAMP_NTZ:
            text = str(datetime.fromisoformat(text).replace(tzinfo=None))
        return super().time(text, type)

    def interval(self, text: str, type: Type) -> str:
        """An interval with all its fields, from days to seconds: with fewer it would have another type."""
        amount, _, unit = text.rpartition(" ")
        sign = "-" if amount.startswith("-") else ""
        if type == MONTHS:
            years, months = divmod(abs(int(amount)) * MONTHS_OF[unit], 12)
            return f"INTERVAL '{sign}{years}-{months}' YEAR TO MONTH"
        rest, microseconds = divmod(int(abs(Decimal(amount)) * MICROSECONDS[unit]), 1_000_000)
        rest, seconds = divmod(rest, 60)
        rest, minutes = divmod(rest, 60)
        days, hours = divmod(rest, 24)
        clock = f"{hours:02}:{minutes:02}:{seconds:02}.{microseconds:06}"
        return f"INTERVAL '{sign}{days} {clock}' DAY TO SECOND"

    # Operators ----------------------------------------------------------------------------------------

    def call(self, call: Call) -> str:
        if call.name in ARITHMETIC and len(call.arguments) == 2:
            call = with_operands_cast(call)
            if call.of == INTERVAL and call.arguments[0].type == DATE:
                return f"CAST({super().call(call)} AS INTERVAL DAY TO SECOND)"
        return super().call(call)

    # Functions ----------------------------------------------------------------------------------------

    def function(self, call: Call, texts: Sequence[str]) -> str:
        match call.name:
            case "extract":
                return self.plain("date_part", texts)
            case "struct":
                fields = zip(call.of.args, texts, strict=True)
                return self.plain("named_struct", [f"{self.quote(name)}, {text}" for (name, _), text in fields])
        return super().function(call, texts)

    def field(self, name: str) -> str:
        return name_text(name)

    def plain(self, name: str, texts: Sequence[str]) -> str:
        # Some function names are keywords of Spark's grammar; in backticks they are plain names.
        return f"{name_text(name)}({', '.join(texts)})"


def with_operands_cast(call: Call) -> Call:
    """The call with explicit casts where Spark's implicit ones depend on more than the types of the operands."""
    left, right = call.arguments
    kinds = {left.type, right.type}
    if call.of == DATE and kinds == {DATE, INTERVAL}:
        day, length = (left, right) if left.type == DATE else (right, left)
        return Call("date_sub" if call.name == "-" else "date_add", (day, _days(length)), DATE)
    if any(map(is_decimal, kinds)) and any(map(is_integer, kinds)):
        # Beside a DECIMAL, Spark gives an integer literal only the digits that it is written with.
        return replace(call, arguments=tuple(_cast(side, as_decimal(side.type)) for side in (left, right)))
    if call.of == TIMESTAMP and kinds == {DATE, INTERVAL}:
        # In Spark a DATE plus an interval of whole days stays a DATE.
        return replace(
            call, arguments=tuple(_cast(side, TIMESTAMP) if side.type == DATE else side for side in (left, right))
        )
    return call


def _days(length: Expression) -> Expression:
    """The whole days of an interval, as a number."""
    if isinstance(length, Literal) and length.value is not None:
        amount, _, unit = str(length.value).rpartition(" ")
        return Literal(int(Decimal(amount) * MICROSECONDS[unit] / MICROSECONDS["DAY"]), INT)
    return Call("date_part", (Literal("DAY", STRING), length), INT)


def _cast(expression: Expression, type: Type) -> Expression:
    if expression.type == type:
        return expression
    if (
        isinstance(expression, Literal)
        and expression.value is not None
        and expression.of != STRING
        and is_decimal(type)
    ):
        return Literal(Decimal(expression.value), type)
    return Call("cast", (expression,), type)
