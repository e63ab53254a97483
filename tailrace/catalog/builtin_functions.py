"""Built-in functions: the argument and result types of Spark SQL's functions, known without starting Spark.

They are listed in spark_functions.txt, which explains its notation. A type there may be a variable (T, N, ...) and is
otherwise written as in SQL. So one parser reads that file and the schemas that from_json takes as texts.

>>> result_type(find("GREATEST"), [INT, DOUBLE, INT])
DOUBLE
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Literal, TypeVar, cast

from tailrace import types
from tailrace.types import BIGINT, DOUBLE, INT, MONTHS, STRING, TINYINT, VOID, Type, decimal

Kind = Literal["scalar", "lambda", "aggregate", "generator", "window", "unstable"]
Bound = dict[str, Type]  # the types that the variables of a signature stand for in a call
Parameter = tuple[tuple[Type, bool], ...]  # the types it accepts, each with whether it is exact: no implicit cast
Read = TypeVar("Read")
UNKNOWN = "its type is not known without Spark: CAST the result"  # for calls that may well be correct
ANY_NUMBER = 9999


class SignatureProblem(Exception):
    """A call that fits no signature; `argument` is the index of the wrong argument, None if their number is wrong."""

    def __init__(self, message: str, argument: int | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.argument = argument


@dataclass(frozen=True)
class Signature:
    """One way to call a function. `counts` are the allowed numbers of arguments; `result` is a type or a rule."""

    parameters: tuple[Parameter, ...]
    counts: range
    result: Type | str

    def parameter(self, index: int) -> Parameter:
        """The parameter for the argument at an index; the repeated parameters at the end take turns."""
        turns = max(0, (index - len(self.parameters)) // self.counts.step + 1)
        return self.parameters[index - turns * self.counts.step]


@dataclass(frozen=True)
class Function:
    """A built-in function of Spark; `supported` is False if a continuous query cannot use it."""

    name: str
    kind: Kind
    supported: bool
    signatures: tuple[Signature, ...]


@cache
def _lines() -> dict[str, tuple[str, list[str]]]:
    """The lines of spark_functions.txt, not yet parsed: a function's section and its lines, by its name."""
    found: dict[str, tuple[str, list[str]]] = {}
    section = ""
    for line in Path(__file__).with_name("spark_functions.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            section = line.strip("[]")
        elif line and not line.startswith("#"):
            found.setdefault(line[: line.index("(")], (section, []))[1].append(line)
    return found


def names() -> tuple[str, ...]:
    """The names of all functions, in lower case."""
    return tuple(_lines())


@cache
def find(name: str) -> Function | None:
    """The function of that name, in upper or lower case; None if there is none.

    >>> find("Sum").kind, find("first").supported, find("summ")
    ('aggregate', False, None)
    """
    name = name.lower()
    if name not in _lines():
        return None
    section, lines = _lines()[name]
    kind = cast(Kind, section.split()[0])
    return Function(name, kind, section == kind, tuple(_SignatureParser(line).signature() for line in lines))


NAMES = frozenset(
    "BOOLEAN TINYINT SMALLINT INT BIGINT FLOAT DOUBLE DECIMAL STRING BINARY VARIANT VOID ARRAY MAP STRUCT DATE TIME "
    "TIMESTAMP TIMESTAMP_NTZ INTERVAL MONTHS CALENDAR_INTERVAL GEOGRAPHY GEOMETRY".split()
)
ALIASES = {"INTEGER": "INT", "LONG": "BIGINT", "SHORT": "SMALLINT", "BYTE": "TINYINT", "REAL": "FLOAT"}
ALIASES |= {"NUMERIC": "DECIMAL", "DEC": "DECIMAL", "VARCHAR": "STRING", "CHAR": "STRING", "TIMESTAMP_LTZ": "TIMESTAMP"}
# Which types a variable may stand for, and how a message describes them.
VARIABLES: dict[str, tuple[Callable[[Type], bool], str]] = {
    **dict.fromkeys(("ANY", "T", "U", "K", "V", "S"), (lambda type: True, "anything")),
    "N": (types.is_numeric, "a number"),
    "M": (lambda type: types.is_numeric(type) or "INTERVAL" in type.name, "a number or an INTERVAL"),
    "I": (types.is_integer, "an integer"),
    "D": (types.is_time, "a DATE or TIMESTAMP"),
    "R": (lambda type: type.name == "STRUCT", "a STRUCT"),
    "O": (lambda type: type.name not in ("MAP", "VARIANT"), "something that can be ordered"),
}
NULL_AS = {"N": DOUBLE, "M": DOUBLE, "I": INT}


class _SignatureParser:
    """Parses signatures, types and lists of columns; raises ValueError for any other text."""

    def __init__(self, text: str) -> None:
        self.tokens: list[str] = [*re.findall(r"`[^`]*`|'[^']*'|\.\.\.|\w+|\S", text), ""]
        self.at = 0

    def accept(self, word: str) -> bool:
        found = self.tokens[self.at].upper() == word
        self.at += found
        return found

    def take(self) -> str:
        if not self.tokens[self.at]:
            raise ValueError("a word is missing")
        self.at += 1
        return self.tokens[self.at - 1]

    def several(self, read: Callable[[], Read], end: str) -> tuple[Read, ...]:
        """What `read` parses, any number of times, separated by commas, up to the word `end`."""
        found = []
        while not self.accept(end):
            found.append(read())
            self.accept(",")
        return tuple(found)

    def type(self) -> Type:
        name = self.take().upper()
        name = ALIASES.get(name, name)
        if name not in NAMES and name not in VARIABLES:
            raise ValueError(f"there is no type {name}")
        args: tuple[Any, ...] = ()
        if self.accept("<"):
            args = self.several(self.column if name == "STRUCT" else self.type, ">")
        elif self.accept("("):
            args = self.several(lambda: int(self.take()), ")")
        if name == "INTERVAL" and self.tokens[self.at].upper() in ("YEAR", "MONTH", "DAY", "HOUR", "MINUTE", "SECOND"):
            name = "MONTHS" if self.take().upper() in ("YEAR", "MONTH") else "INTERVAL"
            if self.accept("TO"):
                self.take()
        if name == "DECIMAL":
            return decimal(*(args or (10,)))
        return MONTHS if name == "MONTHS" else Type(name, args if name != "STRING" else ())

    def column(self) -> tuple[str, Type]:
        name = self.take().strip("`")
        self.accept(":")
        type = self.type()
        while self.tokens[self.at] not in (",", ">", ""):  # NOT NULL and COMMENT '...' do not matter
            self.at += 1
        return name, type

    def schema(self) -> Type:
        """A type, or a list of columns: the fields of a STRUCT."""
        if len(self.tokens) < 3 or self.tokens[1] in ("<", "("):
            return self.type()
        return types.struct(*self.several(self.column, ""))

    def parameter(self) -> tuple[Parameter, str]:
        """A parameter, and its sign: `?` for optional, `...` for repeated, otherwise empty."""
        function = self.accept("FN")
        if function:
            self.take()
            self.several(self.type, ")")
        options = [(self.type(), self.accept("!") or function)]
        while self.accept("|"):
            options.append((self.type(), self.accept("!")))
        often = next((sign for sign in ("?", "...") if self.accept(sign)), "")
        return tuple(options), often

    def signature(self) -> Signature:
        self.at = 2  # after the name and its parenthesis
        read = self.several(self.parameter, ")")
        signs = [sign for _, sign in read]
        most = ANY_NUMBER if "..." in signs else len(read)
        counts = range(signs.count(""), most + 1, max(1, signs.count("...")))
        result = self.take() if self.accept("@") else self.type()
        return Signature(tuple(parameter for parameter, _ in read), counts, result)


def _inner(type: Type) -> tuple[Type, ...]:
    """The types inside an array, map or struct."""
    if type.name == "STRUCT":
        return tuple(part for _, part in type.args)
    return () if types.is_atomic(type) else type.args


def _fit(pattern: Type, exact: bool, actual: Type, bound: Bound) -> int | None:
    """How many implicit casts make `actual` fit the pattern, binding its variables; None if no casts do."""
    if pattern.name in VARIABLES:
        return _bind(pattern.name, exact, actual, bound)
    inner = _inner(pattern)
    if actual == VOID or (inner and pattern.name == actual.name):
        given = _inner(actual) or (VOID,) * len(inner)
        costs = [_fit(part, exact, other, bound) for part, other in zip(inner, given, strict=False)]
        return None if None in costs or len(given) != len(inner) else sum(cost or 0 for cost in costs)
    if pattern == actual or (pattern.name == actual.name and not pattern.args):
        return 0
    both = (pattern, actual)
    casts = STRING in both or all(map(types.is_numeric, both)) or all(map(types.is_time, both))
    return 1 if casts and not exact and all(map(types.is_atomic, both)) else None


def _bind(name: str, exact: bool, actual: Type, bound: Bound) -> int | None:
    if actual != VOID and not VARIABLES[name][0](actual):
        # A STRING is cast to the type of the other arguments.
        return 1 if actual == STRING and not exact and _bind(name, exact, VOID, bound) == 0 else None
    before = bound.get(name, VOID)
    common = before if actual == VOID else actual
    if name != "ANY" and VOID not in (before, actual) and before != actual:
        found = None if exact else types.common_type(before, actual, as_text=name not in "SO")
        if found is None:
            return None
        common = found
    bound[name] = common
    return 0


def _substitute(type: Type, bound: Bound, rest: Type | None = VOID) -> Type:
    """The type with its variables replaced; unbound ones become `rest`, or stay as they are if `rest` is None."""
    if type.name in VARIABLES:
        return bound.get(type.name, rest or type)
    if type.name == "STRUCT":
        return types.struct(*((name, _substitute(part, bound, rest)) for name, part in type.args))
    return Type(type.name, tuple(_substitute(part, bound, rest) for part in _inner(type)) or type.args)


@dataclass
class _Call:
    """A call tried against one signature: the casts it needs, its variables' types, the argument that does not fit."""

    name: str
    signature: Signature
    arguments: Sequence[Type]
    literals: Sequence[Any] = ()
    names: Sequence[str | None] | None = None
    casts: int = 0
    bound: Bound = field(default_factory=dict)
    failed: int | None = None

    def __post_init__(self) -> None:
        for index in sorted(range(len(self.arguments)), key=lambda index: not self._decides_first(index)):
            actual = self.arguments[index]
            tries = [(dict(self.bound), option) for option in self.signature.parameter(index)]
            fits = [(_fit(*option, actual, bound), bound) for bound, option in tries]
            best = min((fit for fit in fits if fit[0] is not None), key=lambda fit: fit[0] or 0, default=None)
            if best is None:
                self.failed = index
                break
            self.casts, self.bound = self.casts + (best[0] or 0), best[1]

    def _decides_first(self, index: int) -> bool:
        """Whether an argument is a STRING that makes the others STRINGs too, as in COALESCE(i, day, 'none')."""
        pattern, _ = self.signature.parameter(index)[0]
        return pattern.name in "TUKV" and types.has_text(self.arguments[index])

    def literal(self, index: int, kind: type[Read]) -> Read:
        value = self.literals[index] if index < len(self.literals) else None
        if not isinstance(value, kind):
            raise SignatureProblem(UNKNOWN)
        return value


def result_type(
    function: Function,
    arguments: Sequence[Type],
    literals: Sequence[Any] | None = None,
    names: Sequence[str | None] | None = None,
) -> Type:
    """The type of a call's result; raises SignatureProblem if no signature fits.

    The type of a lambda argument is that of its body; for the star of COUNT any type will do. `literals` are the
    values of the arguments that are literals, `names` the arguments' names as columns.

    >>> result_type(find("round"), [decimal(10, 4), INT], literals=[None, 2])
    DECIMAL(9,2)
    """
    fair = [one for one in function.signatures if len(arguments) in one.counts]
    if not fair:
        raise _wrong_number(function, len(arguments))
    calls = [_Call(function.name, one, arguments, literals or (), names) for one in fair]
    fitting = [call for call in calls if call.failed is None]
    if not fitting:
        index = max(call.failed or 0 for call in calls)
        options = [
            (_substitute(pattern, call.bound, None), exact)
            for call in calls
            if call.failed == index
            for pattern, exact in call.signature.parameter(index)
        ]
        raise _misfit(function.name, index, arguments[index], options)
    call = min(fitting, key=lambda call: call.casts)
    call.bound = {name: NULL_AS.get(name, VOID) if type == VOID else type for name, type in call.bound.items()}
    result = call.signature.result
    return _substitute(result, call.bound) if isinstance(result, Type) else _by_rule(result, call)


def _either(words: Iterable[str]) -> str:
    *others, last = dict.fromkeys(words)
    return f"{', '.join(others)} or {last}" if others else last


def _wrong_number(function: Function, count: int) -> SignatureProblem:
    counts = sorted({count for one in function.signatures for count in one.counts})
    takes = f"at least {counts[0]}" if counts[-1] == ANY_NUMBER else _either(str(one or "no") for one in counts)
    if any(one.counts.step > 1 for one in function.signatures):
        takes = "an even number of"
    plural = "" if takes.endswith("1") else "s"
    return SignatureProblem(f"{function.name.upper()} takes {takes} argument{plural}, not {count}")


def _misfit(name: str, index: int, actual: Type, options: Iterable[tuple[Type, bool]]) -> SignatureProblem:
    wanted = _either(_describe_type(type, exact) for type, exact in options)
    return SignatureProblem(f"argument {index + 1} of {name.upper()} must be {wanted}, not {actual}", index)


def _describe_type(type: Type, exact: bool) -> str:
    if type.name in VARIABLES:
        return VARIABLES[type.name][1]
    if not exact and (types.is_numeric(type) or types.is_time(type)):
        return VARIABLES["N" if types.is_numeric(type) else "D"][1]
    inner = _inner(type)
    whole = types.is_atomic(type) or (inner and not any(part.name in VARIABLES for part in inner))
    text = str(type) if whole else type.name
    return f"{'an' if text[0] in 'AEIOU' else 'a'} {text}"


def _by_rule(rule: str, call: _Call) -> Type:
    """The result type of a call whose signature names a rule, such as @round."""
    arguments, count = call.arguments, len(call.arguments)
    type: Type | None = None
    match rule:
        case "sum" | "avg" | "round" | "ceil":
            return _number(rule, next(iter(call.bound.values()), DOUBLE), call)
        case "+" | "-" | "*" | "/" | "%":
            whole = rule == "/" and all(type == VOID or types.is_integer(type) for type in arguments)
            type = DOUBLE if whole else types.arithmetic(rule, *arguments)
        case "decode":  # a missing default is a NULL of type STRING
            type = types.common_type_of(*arguments[2::2], STRING if count % 2 else arguments[-1])
        case "zeroifnull":
            type = types.common_type(arguments[0], INT)
        case "struct" if call.names is not None:
            named = enumerate(zip(call.names, arguments, strict=True), 1)
            return types.struct(*((name or f"col{number}", type) for number, (name, type) in named))
        case "named_struct":
            return types.struct(*((call.literal(at, str), arguments[at + 1]) for at in range(0, count, 2)))
        case "number":
            before, _, after = re.sub("[^09.]", "", call.literal(1, str).upper().replace("D", ".")).partition(".")
            return decimal(len(before + after), len(after))
        case "date_part":
            unit = call.literal(0, str).upper()[:1]
            small = unit in ("H", "M") and "INTERVAL" in arguments[1].name
            return decimal(8, 6) if unit == "S" else TINYINT if small else INT
        case "schema" | "variant_get":
            try:
                return _SignatureParser(call.literal(1 if rule == "schema" else 2, str)).schema()
            except ValueError:
                raise SignatureProblem(UNKNOWN) from None
        case _:
            raise SignatureProblem(UNKNOWN)
    if type is None and VOID not in arguments:
        raise _misfit(call.name, count - 1, arguments[-1], [(arguments[count - 2], False)])
    if type is None:
        raise SignatureProblem(UNKNOWN)
    return type


def _number(rule: str, type: Type, call: _Call) -> Type:
    """The type of a sum, an average or a rounded number."""
    scaled = len(call.arguments) == 2
    if rule == "ceil" and scaled:
        type = {DOUBLE: decimal(30, 15), types.FLOAT: decimal(14, 7)}.get(type) or types.as_decimal(type)
    if not types.is_decimal(type):
        if rule == "round" or types.is_interval(type):
            return type
        return BIGINT if rule == "ceil" or (rule == "sum" and types.is_integer(type)) else DOUBLE
    precision, scale = type.args
    if rule in ("sum", "avg"):
        more, finer = (10, 0) if rule == "sum" else (4, 4)
        return decimal(min(38, precision + more), min(38, scale + finer))
    digits = call.literal(1, int) if scaled else 0
    kept = max(0, min(scale, digits))
    return decimal(min(38, max(precision - scale, -digits) + 1 + kept), kept)
