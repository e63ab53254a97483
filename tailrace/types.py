"""Types: Spark SQL's types and its rules for combining them, without Spark.

>>> common_type(INT, DOUBLE)
DOUBLE
>>> arithmetic("+", decimal(8, 2), INT)
DECIMAL(13,2)
>>> arithmetic("/", INT, BIGINT)
BIGINT
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tailrace.stable_encoding import stable


def quote_name(name: str) -> str:
    """A field's name, in backticks where it is not a plain word."""
    return name if name.isidentifier() and name.isascii() else "`" + name.replace("`", "``") + "`"


@stable("type")
@dataclass(frozen=True)
class Type:
    """A Spark SQL type: its name and its parameters, such as DECIMAL's precision and scale or ARRAY's element type."""

    name: str
    args: tuple[Any, ...] = ()

    def __str__(self) -> str:
        if self.name == "STRUCT":
            return f"STRUCT<{', '.join(f'{quote_name(field)}: {type}' for field, type in self.args)}>"
        if self.name in ("ARRAY", "MAP"):
            return f"{self.name}<{', '.join(map(str, self.args))}>"
        if self.args:
            return f"{self.name}({','.join(map(str, self.args))})"
        return self.name

    __repr__ = __str__


BOOLEAN = Type("BOOLEAN")
TINYINT = Type("TINYINT")
SMALLINT = Type("SMALLINT")
INT = Type("INT")
BIGINT = Type("BIGINT")
FLOAT = Type("FLOAT")
DOUBLE = Type("DOUBLE")
STRING = Type("STRING")
BINARY = Type("BINARY")
DATE = Type("DATE")
TIMESTAMP = Type("TIMESTAMP")
TIMESTAMP_NTZ = Type("TIMESTAMP_NTZ")
INTERVAL = Type("INTERVAL")  # INTERVAL DAY TO SECOND: a number of microseconds
MONTHS = Type("INTERVAL YEAR TO MONTH")
VOID = Type("VOID")  # the type of a bare NULL: it becomes any other type

INTEGERS = (TINYINT, SMALLINT, INT, BIGINT)
SMALL_INTEGERS = (TINYINT, SMALLINT, INT)
INTEGER_DIGITS = {TINYINT: 3, SMALLINT: 5, INT: 10, BIGINT: 20}
INTEGER_BITS = {TINYINT: 8, SMALLINT: 16, INT: 32, BIGINT: 64}
# The units of INTERVAL in microseconds; MONTHS_OF has the units of INTERVAL YEAR TO MONTH in months.
MICROSECONDS = {
    "MICROSECOND": 1,
    "MILLISECOND": 1000,
    "SECOND": 1_000_000,
    "MINUTE": 60_000_000,
    "HOUR": 3_600_000_000,
    "DAY": 86_400_000_000,
    "WEEK": 604_800_000_000,
}
MONTHS_OF = {"MONTH": 1, "QUARTER": 3, "YEAR": 12}
MAX_PRECISION = 38
MIN_ADJUSTED_SCALE = 6


def decimal(precision: int, scale: int = 0) -> Type:
    return Type("DECIMAL", (precision, scale))


def array(element: Type) -> Type:
    return Type("ARRAY", (element,))


def map_of(key: Type, value: Type) -> Type:
    return Type("MAP", (key, value))


def struct(*fields: tuple[str, Type]) -> Type:
    return Type("STRUCT", fields)


def is_integer(type: Type) -> bool:
    return type in INTEGERS


def is_decimal(type: Type) -> bool:
    return type.name == "DECIMAL"


def is_fraction(type: Type) -> bool:
    return type in (FLOAT, DOUBLE)


def is_numeric(type: Type) -> bool:
    return is_integer(type) or is_fraction(type) or is_decimal(type)


def is_time(type: Type) -> bool:
    """A calendar type: a point in time."""
    return type in (DATE, TIMESTAMP, TIMESTAMP_NTZ)


def is_interval(type: Type) -> bool:
    return type in (INTERVAL, MONTHS)


def is_atomic(type: Type) -> bool:
    return type.name not in ("ARRAY", "MAP", "STRUCT")


def as_decimal(type: Type) -> Type:
    """The decimal that holds every value of an integer type; decimals stay as they are."""
    return decimal(INTEGER_DIGITS[type]) if is_integer(type) else type


def bounded_decimal(precision: int, scale: int) -> Type:
    """Spark's adjustment of a decimal that would need more than 38 digits: digits before the point win."""
    if precision <= MAX_PRECISION:
        return decimal(precision, scale)
    whole = precision - scale
    return decimal(MAX_PRECISION, max(MAX_PRECISION - whole, min(scale, MIN_ADJUSTED_SCALE)))


def common_type(left: Type, right: Type, *, as_text: bool = True) -> Type | None:
    """The type to which both are cast where either may be the result, as in CASE and UNION; None if there is none.

    A STRING makes the other type a STRING too, unless `as_text` is False, as in GREATEST. These are Spark's rules
    outside its ANSI mode; Tailrace always runs Spark outside it.

    >>> common_type(INT, STRING), common_type(INT, STRING, as_text=False), common_type(BOOLEAN, STRING)
    (STRING, None, None)
    """
    if left == right:
        return left
    if VOID in (left, right):
        return right if left == VOID else left
    if STRING in (left, right):
        other = right if left == STRING else left
        return STRING if as_text and is_atomic(other) and other not in (BOOLEAN, BINARY) else None
    if is_numeric(left) and is_numeric(right):
        return _common_numeric(left, right)
    if is_time(left) and is_time(right):
        return TIMESTAMP if TIMESTAMP in (left, right) else TIMESTAMP_NTZ
    return _common_nested(left, right, as_text)


def _common_nested(left: Type, right: Type, as_text: bool) -> Type | None:
    """`common_type` of two arrays, maps or structs: that of their parts, one by one; None if their shapes differ."""
    if left.name != right.name or is_atomic(left) or len(left.args) != len(right.args):
        return None
    if left.name == "STRUCT":
        if [name.lower() for name, _ in left.args] != [name.lower() for name, _ in right.args]:
            return None
        pairs = zip(left.args, right.args, strict=True)
        types = [common_type(one, other, as_text=as_text) for (_, one), (_, other) in pairs]
        fields = [(name, type) for (name, _), type in zip(left.args, types, strict=True) if type]
        return struct(*fields) if len(fields) == len(types) else None
    parts = [common_type(one, other, as_text=as_text) for one, other in zip(left.args, right.args, strict=True)]
    return Type(left.name, tuple(parts)) if all(parts) else None


def comparison_type(sign: str, left: Type, right: Type) -> Type | None:
    """The type in which two values are compared; None if they cannot be. A STRING is cast to the other side's type.

    >>> comparison_type("<", INT, STRING), comparison_type("=", BOOLEAN, INT), comparison_type("<", BOOLEAN, INT)
    (INT, INT, None)
    """
    if left != right and STRING in (left, right):
        other = right if left == STRING else left
        if is_decimal(other) and other.args[1]:  # no single DECIMAL type holds every fraction that a text may name
            return DOUBLE
        return STRING if other == VOID else other if is_atomic(other) and not is_interval(other) else None
    if BOOLEAN in (left, right) and sign in ("=", "<>", "<=>"):
        other = right if left == BOOLEAN else left
        if is_numeric(other):
            return other
    common = common_type(left, right, as_text=False)
    return None if common is None or common.name == "MAP" else common


def _common_numeric(left: Type, right: Type) -> Type:
    if is_fraction(left) or is_fraction(right):
        return (
            FLOAT
            if FLOAT in (left, right) and all(is_integer(side) or side == FLOAT for side in (left, right))
            else DOUBLE
        )
    if is_integer(left) and is_integer(right):
        return max(left, right, key=INTEGERS.index)
    (p1, s1), (p2, s2) = as_decimal(left).args, as_decimal(right).args
    scale = max(s1, s2)
    whole = max(p1 - s1, p2 - s2)
    # Where not all digits fit, digits after the decimal point are dropped before digits in front of it.
    return decimal(min(MAX_PRECISION, whole + scale), max(0, min(scale, MAX_PRECISION - whole)))


def common_type_of(*types: Type) -> Type | None:
    """`common_type` of any number of types. Types with a STRING are taken first, as Spark does.

    >>> common_type_of(INT, DATE, STRING), common_type_of(INT, DATE)
    (STRING, None)
    """
    found: Type | None = VOID
    for type in sorted(types, key=lambda type: not has_text(type)):
        found = common_type(found, type) if found else None
    return found


def has_text(type: Type) -> bool:
    """Whether a type is STRING, or an array of STRING: `common_type_of` takes such types first."""
    return has_text(type.args[0]) if type.name == "ARRAY" else type == STRING


def comparable(left: Type, right: Type) -> bool:
    return comparison_type("<", left, right) is not None


def arithmetic(op: str, left: Type, right: Type) -> Type | None:
    """The type of `left op right` for + - * / %; None where the operation does not exist.

    `/` between integers stays an integer (semantics §9.2); everything else follows Spark SQL.
    """
    moved = _time_arithmetic(op, left, right)
    if moved:
        return moved
    if left == right == VOID:
        return DOUBLE
    if VOID in (left, right):
        if op == "/" and is_decimal(right):
            return DOUBLE
        left = right = right if left == VOID else left
    if STRING in (left, right):
        left, right = (DOUBLE if side == STRING else side for side in (left, right))
    if not (is_numeric(left) and is_numeric(right)):
        return None
    if is_fraction(left) or is_fraction(right):
        return DOUBLE if op == "/" else _common_numeric(left, right)
    if is_integer(left) and is_integer(right):
        return BIGINT if op == "/" else _common_numeric(left, right)
    return _decimal_arithmetic(op, as_decimal(left), as_decimal(right))


def _time_arithmetic(op: str, left: Type, right: Type) -> Type | None:
    if op == "+" and (is_interval(left) or left in SMALL_INTEGERS) and is_time(right):
        left, right = right, left
    if op in "+-" and is_interval(left) and left == right:
        return left
    if op in "+-" and is_time(left) and is_interval(right):
        return TIMESTAMP if left == DATE and right == INTERVAL else left
    if op in "+-" and left == DATE and right in SMALL_INTEGERS:
        return DATE
    if op == "-" and is_time(left) and is_time(right):
        return INTERVAL
    if op in "*/" and is_interval(left) and is_numeric(right):
        return left
    if op == "*" and is_numeric(left) and is_interval(right):
        return right
    return None


def _decimal_arithmetic(op: str, left: Type, right: Type) -> Type:
    (p1, s1), (p2, s2) = left.args, right.args
    if op == "*":
        return bounded_decimal(p1 + p2 + 1, s1 + s2)
    if op == "/":
        scale = max(6, s1 + p2 + 1)
        return bounded_decimal(p1 - s1 + s2 + scale, scale)
    scale = max(s1, s2)
    if op == "%":
        return bounded_decimal(min(p1 - s1, p2 - s2) + scale, scale)
    return bounded_decimal(max(p1 - s1, p2 - s2) + scale + 1, scale)


def can_cast(source: Type, target: Type) -> bool:
    """Whether CAST between two types is allowed. A value may still fail to convert: Spark gives NULL or an error."""
    if source == target or VOID in (source, target) or (source == STRING and is_atomic(target)):
        return True
    if target == STRING:
        return True
    if is_numeric(source):
        return (
            is_numeric(target)
            or target in (BOOLEAN, TIMESTAMP)
            or is_interval(target)
            or (target == BINARY and is_integer(source))
        )
    if source == BOOLEAN:
        return is_numeric(target)
    if is_time(source):
        return is_time(target) or (source == TIMESTAMP and is_numeric(target))
    if is_interval(source):
        return is_numeric(target)
    if source.name == target.name == "ARRAY":
        return can_cast(source.args[0], target.args[0])
    return False
