"""Functions: what Spark SQL's built-in functions take and give, known without Spark.

The table is spark_functions.txt, which explains its notation. The types in it are ordinary ones whose names
may be those of variables (T, N, ...), so one reader does for the table and for the schemas of from_json.

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
Bound = dict[str, Type]  # what the variables of a signature stand for
Parameter = tuple[tuple[Type, bool], ...]  # the types it takes, each with whether no cast may lead there
Read = TypeVar("Read")
UNKNOWN = "its type is not known without Spark: CAST the result"  # said of calls that may well be right
ANY_NUMBER = 9999


class SignatureProblem(Exception):
    """A call that no signature fits; `argument` is the index of the one at fault, None for their number."""

    def __init__(self, message: str, argument: int | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.argument = argument


@dataclass(frozen=True)
class Signature:
    """One way to call a function, with the numbers of arguments it takes; the result is a type or a rule's name."""

    parameters: tuple[Parameter, ...]
    counts: range
    result: Type | str

    def parameter(self, index: int) -> Parameter:
        """The parameter of an argument; those that repeat stand at the end and take turns."""
        turns = max(0, (index - len(self.parameters)) // self.counts.step + 1)
        return self.parameters[index - turns * self.counts.step]


@dataclass(frozen=True)
class Function:
    """A function of Spark; `supported` is False where a continuous query cannot use it."""

    name: str
    kind: Kind
    supported: bool
    signatures: tuple[Signature, ...]


@cache
def _lines() -> dict[str, tuple[str, list[str]]]:
    """The table, its lines still unread: a function's section and lines by its name."""
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
    """The function of that name, whatever its capitals.

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
# What a variable stands for, and how a message calls it.
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
    """Reads signatures, types and lists of columns; ValueError where the text is something else."""

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
        """What `read` reads between commas, up to the end."""
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
        """A type, or columns that make a STRUCT."""
        if len(self.tokens) < 3 or self.tokens[1] in ("<", "("):
            return self.type()
        return types.struct(*self.several(self.column, ""))

    def parameter(self) -> tuple[Parameter, str]:
        """A parameter, and the sign for how often it comes."""
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
    """How many implicit casts make the actual type fit the pattern, binding variables; None: nothing does."""
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
        # A string is read as whatever the other arguments are.
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
    """The type with its variables replaced; those without a value become `rest`, or stay if that is None."""
    if type.name in VARIABLES:
        return bound.get(type.name, rest or type)
    if type.name == "STRUCT":
        return types.struct(*((name, _substitute(part, bound, rest)) for name, part in type.args))
    return Type(type.name, tuple(_substitute(part, bound, rest) for part in _inner(type)) or type.args)


@dataclass
class _Call:
    """A call read as one signature: the casts it needs, the variables' values, the argument that fails."""

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
        """Whether an argument is a STRING that makes one of each other of its kind, as in COALESCE(i, day, 'none')."""
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
    """The type of a call; a lambda counts as the type of its body, the star of COUNT as any type.

    `literals` are the values of the arguments that are literals, `names` the arguments' names as columns.

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
    """The type of a call by the rule that the table names."""
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
