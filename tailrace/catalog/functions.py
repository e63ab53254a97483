"""Functions: what Spark SQL's built-in functions take and give, known without Spark.

The table is spark_functions.txt, which explains its notation. The types in it are ordinary ones whose names
may be those of variables (T, N, ...), so one reader does for the table and for the schemas of from_json.

>>> from tailrace.types import DOUBLE, INT, STRING
>>> result_type(find("GREATEST"), [INT, DOUBLE, INT])
DOUBLE
>>> result_type(find("year"), [INT])
Traceback (most recent call last):
tailrace.catalog.functions.SignatureProblem: argument 1 of YEAR must be a DATE or TIMESTAMP, not INT
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
Read = TypeVar("Read")
UNKNOWN = "its type is not known without Spark: CAST the result"


class SignatureProblem(Exception):
    """A call that no signature fits; `argument` is the index of the one at fault, None for their number."""

    def __init__(self, message: str, argument: int | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.argument = argument


class UnknownType(SignatureProblem):
    """A call that may well be right, but whose type only Spark can tell."""

    def __init__(self) -> None:
        super().__init__(UNKNOWN)


@dataclass(frozen=True)
class Parameter:
    """The types it takes, each with whether no cast may lead there; a lambda's `inputs` lead to one of them."""

    options: tuple[tuple[Type, bool], ...]
    repeated: bool
    optional: bool
    inputs: tuple[Type, ...] | None


@dataclass(frozen=True)
class Signature:
    """One way to call a function; the result is a type or the name of a rule."""

    kind: Kind
    parameters: tuple[Parameter, ...]
    result: Type | str

    @property
    def counts(self) -> range:
        """The numbers of arguments it takes; a hundred stands for any number."""
        least = sum(not (parameter.optional or parameter.repeated) for parameter in self.parameters)
        endless = self.parameters and self.parameters[-1].repeated
        return range(least, 100 if endless else len(self.parameters) + 1)


@dataclass(frozen=True)
class Function:
    """A function of Spark; `supported` is False where a continuous query cannot use it."""

    name: str
    kind: Kind
    supported: bool
    signatures: tuple[Signature, ...]

    def kind_of(self, count: int) -> Kind:
        """The kind of a call with so many arguments: unix_timestamp() reads the clock, unix_timestamp(t) not."""
        return next((one.kind for one in self.signatures if count in one.counts), self.kind)


@cache
def _lines() -> dict[str, list[tuple[str, str]]]:
    """The table, its lines still unread: by function, section and line."""
    found: dict[str, list[tuple[str, str]]] = {}
    section = ""
    for line in Path(__file__).with_name("spark_functions.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            section = line.strip("[]")
        elif line and not line.startswith("#"):
            found.setdefault(line[: line.index("(")], []).append((section, line))
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
    lines = _lines().get(name.lower())
    if lines is None:
        return None
    signatures = tuple(_Reader(line).signature(cast(Kind, section.split()[0])) for section, line in lines)
    return Function(name.lower(), signatures[0].kind, "unsupported" not in lines[0][0], signatures)


ALIASES = {"INTEGER": "INT", "LONG": "BIGINT", "NUMERIC": "DECIMAL", "VARCHAR": "STRING", "MONTHS": MONTHS.name}
# What a variable stands for, and how a message calls it.
VARIABLES: dict[str, tuple[Callable[[Type], bool], str]] = {
    **dict.fromkeys(("ANY", "T", "U", "K", "V", "S"), (lambda type: True, "anything")),
    "N": (types.is_numeric, "a number"),
    "M": (lambda type: types.is_numeric(type) or "INTERVAL" in type.name, "a number or an INTERVAL"),
    "I": (types.is_integer, "an integer"),
    "D": (types.is_time, "a DATE or TIMESTAMP"),
    "R": (lambda type: type.name == "STRUCT", "a STRUCT"),
}
NULL_AS = {"N": DOUBLE, "M": DOUBLE, "I": INT}


class _Reader:
    """Reads signatures, types and lists of columns; ValueError where the text is something else."""

    def __init__(self, text: str) -> None:
        self.tokens = [*re.findall(r"`[^`]*`|'[^']*'|\.\.\.|\w+|\S", text), ""]
        self.at = 0

    def accept(self, word: str) -> bool:
        found = self.tokens[self.at].upper() == word
        self.at += found
        return found

    def take(self) -> str:
        token = self.tokens[self.at]
        if not token:
            raise ValueError("the text ends too early")
        self.at += 1
        return token

    def several(self, read: Callable[[], Read], end: str) -> tuple[Read, ...]:
        """What `read` reads between commas, up to the end."""
        found = []
        while not self.accept(end):
            found.append(read())
            self.accept(",")
        return tuple(found)

    def type(self) -> Type:
        word = self.take().upper()
        name = ALIASES.get(word, word)
        args: tuple[Any, ...] = ()
        if self.accept("<"):
            args = self.several(self.column if name == "STRUCT" else self.type, ">")
        elif self.accept("("):
            args = self.several(lambda: int(self.take()), ")")
        if name == "DECIMAL":
            return decimal(*(args or (10,)))
        return Type(name, args if name != "STRING" else ())

    def column(self) -> tuple[str, Type]:
        name = self.take().strip("`")
        self.accept(":")
        type = self.type()
        while self.tokens[self.at] not in (",", ">", ""):  # NOT NULL, COMMENT '...'
            self.at += 1
        return name, type

    def parameter(self) -> Parameter:
        inputs = None
        if self.accept("FN"):
            self.take()
            inputs = self.several(self.type, ")")
        options = [(self.type(), self.accept("!") or inputs is not None)]
        while self.accept("|"):
            options.append((self.type(), self.accept("!")))
        return Parameter(tuple(options), self.accept("..."), self.accept("?"), inputs)

    def signature(self, kind: Kind) -> Signature:
        self.at = 2  # the name and its parenthesis
        parameters = self.several(self.parameter, ")")
        return Signature(kind, parameters, self.take() if self.accept("@") else self.type())

    def schema(self) -> Type:
        """A type, or columns that make a STRUCT."""
        type = self.type()
        if self.tokens[self.at]:
            self.at = 0
            type = types.struct(*self.several(self.column, ""))
        return type


Bound = dict[str, Type]


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
        given = _inner(actual) or [VOID] * len(inner)
        costs = [_fit(part, exact, other, bound) for part, other in zip(inner, given, strict=False)]
        return None if None in costs or len(given) != len(inner) else sum(cost or 0 for cost in costs)
    if pattern == actual or (pattern.name == actual.name and not pattern.args):
        return 0
    both = (pattern, actual)
    casts = STRING in both or all(map(types.is_numeric, both)) or all(map(types.is_time, both))
    return 1 if casts and not exact and all(map(types.is_atomic, both)) else None


def _bind(name: str, exact: bool, actual: Type, bound: Bound) -> int | None:
    if actual != VOID and not VARIABLES[name][0](actual):
        # A string stands for whatever the other arguments are.
        return 1 if actual == STRING and not exact and _bind(name, exact, VOID, bound) == 0 else None
    before = bound.get(name, VOID)
    alike = exact or (name == "S" and STRING in (before, actual))
    if alike and VOID not in (before, actual) and before != actual:
        return None
    common = actual if name == "ANY" else types.common_type(before, actual)
    if common is None:
        return None
    bound[name] = common
    return 0


def _filled(type: Type, bound: Bound, rest: Type | None = VOID) -> Type:
    """The type with its variables replaced; those without a value become `rest`, or stay if that is None."""
    if type.name in VARIABLES:
        return bound.get(type.name, rest or type)
    if type.name == "STRUCT":
        return types.struct(*((name, _filled(part, bound, rest)) for name, part in type.args))
    return Type(type.name, tuple(_filled(part, bound, rest) for part in _inner(type)) or type.args)


@dataclass
class _Call:
    """A call against one signature: the casts it needs, the variables' values, the argument that fails."""

    name: str
    signature: Signature
    arguments: Sequence[Type]
    literals: Sequence[Any] = ()
    names: Sequence[str | None] | None = None
    casts: int = 0
    bound: Bound = field(default_factory=dict)
    failed: int | None = None

    def match(self) -> _Call:
        parameters = self.signature.parameters
        for index, actual in enumerate(self.arguments):
            fits = []
            for pattern, exact in parameters[min(index, len(parameters) - 1)].options:
                bound = dict(self.bound)
                casts = _fit(pattern, exact, actual, bound)
                if casts is not None:
                    fits.append((casts, bound))
            if not fits:
                self.failed = index
                break
            casts, self.bound = min(fits, key=lambda fit: fit[0])
            self.casts += casts
        return self

    def literal(self, index: int, kind: type[Read]) -> Read:
        value = self.literals[index] if index < len(self.literals) else None
        if not isinstance(value, kind):
            raise UnknownType
        return value

    def common(self, indexes: Iterable[int]) -> Type:
        found = VOID
        for index in indexes:
            both = types.common_type(found, self.arguments[index])
            if both is None:
                raise _misfit(self.name, index, self.arguments[index], [(found, False)])
            found = both
        return found


def result_type(
    function: Function,
    arguments: Sequence[Type],
    literals: Sequence[Any] | None = None,
    names: Sequence[str | None] | None = None,
) -> Type:
    """The type of a call; a lambda counts as the type of its body, the star of COUNT as any type.

    `literals` are the values of those arguments that are literals, `names` the arguments' names as columns.

    >>> result_type(find("round"), [decimal(10, 4), INT], literals=[None, 2])
    DECIMAL(9,2)
    """
    calls = [
        _Call(function.name, one, arguments, literals or (), names).match()
        for one in function.signatures
        if len(arguments) in one.counts
    ]
    if not calls:
        raise _wrong_number(function, len(arguments))
    fitting = [call for call in calls if call.failed is None]
    if not fitting:
        raise _nothing_fits(function.name, arguments, calls)
    call = min(fitting, key=lambda call: call.casts)
    call.bound = {name: NULL_AS.get(name, VOID) if type == VOID else type for name, type in call.bound.items()}
    result = call.signature.result
    return _filled(result, call.bound) if isinstance(result, Type) else _ruled(result, call)


def lambda_types(function: Function, arguments: Sequence[Type], count: int) -> tuple[Type, ...] | None:
    """The types of the `count` parameters of a lambda that follows these arguments; None: it takes others.

    >>> lambda_types(find("transform"), [types.array(STRING)], 2)
    (STRING, INT)
    """
    for signature in function.signatures:
        if len(arguments) + 1 in signature.counts:
            inputs = signature.parameters[len(arguments)].inputs
            call = _Call(function.name, signature, arguments).match()
            if inputs is not None and len(inputs) == count and call.failed is None:
                return tuple(_filled(type, call.bound) for type in inputs)
    return None


def _wrong_number(function: Function, count: int) -> SignatureProblem:
    counts = sorted({count for one in function.signatures for count in one.counts})
    if counts[-1] > 50:
        takes = f"at least {counts[0]}"
    elif len(counts) > 2 and counts[-1] - counts[0] == len(counts) - 1:
        takes = f"{counts[0]} to {counts[-1]}"
    else:
        takes = _either([str(count) for count in counts])
    plural = "" if takes.endswith("1") else "s"
    return SignatureProblem(f"{function.name.upper()} takes {takes} argument{plural}, not {count}".replace("takes 0", "takes no"))


def _either(words: Sequence[str]) -> str:
    *others, last = dict.fromkeys(words)
    return f"{', '.join(others)} or {last}" if others else last


def _nothing_fits(name: str, arguments: Sequence[Type], calls: Sequence[_Call]) -> SignatureProblem:
    """What to say of the argument up to which the best of the signatures fits."""
    index = max(call.failed or 0 for call in calls)
    options = [
        (_filled(pattern, call.bound, None), exact)
        for call in calls if call.failed == index
        for pattern, exact in call.parameter(index).options
    ]
    return _misfit(name, index, arguments[index], options)


def _misfit(name: str, index: int, actual: Type, options: Iterable[tuple[Type, bool]]) -> SignatureProblem:
    wanted = _either([_described(type, exact) for type, exact in options])
    return SignatureProblem(f"argument {index + 1} of {name.upper()} must be {wanted}, not {actual}", index)


def _described(type: Type, exact: bool) -> str:
    for alike, words in (VARIABLES.get(type.name), VARIABLES["N"], VARIABLES["D"]):
        ...
    text = str(type) if all(part.name not in VARIABLES for part in _inner(type)) else type.name
    return f"{'an' if text[0] in 'AEIOU' else 'a'} {text}"
