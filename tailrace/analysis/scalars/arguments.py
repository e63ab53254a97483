"""Arguments: makes the implicit casts of a function's arguments explicit.

Then all evaluators agree: COALESCE(1, 'a') is a STRING, and each of them casts its 1 to STRING.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tailrace.analysis.scalars.coercion import cast, compare, whole_quotient
from tailrace.catalog.builtin_functions import VARIABLES, Function, Signature, SignatureProblem, result_type
from tailrace.errors import AnalysisError, TextSpan
from tailrace.logical.expressions import Call, Column, Expression, Lambda, Literal, Variable, walk
from tailrace.types import (
    BINARY,
    BOOLEAN,
    INT,
    STRING,
    VOID,
    Type,
    can_cast,
    common_type,
    common_type_of,
    is_atomic,
    is_interval,
    is_numeric,
)

# Variables of signatures: all arguments of one variable are cast to their common type.
SHARED = frozenset("TUKVSOID")
ARITHMETIC = {"mod", "pmod", "try_add", "try_divide", "try_mod", "try_multiply", "try_subtract"}
# The indexes of arguments that must be constants: Spark needs them before it sees a row.
CONSTANT: dict[str, tuple[int, ...]] = {
    **dict.fromkeys(("round", "bround", "collate", "sort_array", "to_char", "to_varchar"), (1,)),
    **dict.fromkeys(("to_binary", "try_to_binary", "variant_strip_nulls", "to_number", "try_to_number"), (1,)),
    **dict.fromkeys(("schema_of_avro", "schema_of_csv", "schema_of_json", "schema_of_xml"), (0, 1)),
    **{f"xpath{of}": (1,) for of in ("", *"_boolean _double _float _int _long _number _short _string".split())},
    **{f"kll_sketch_get_{what}_{of}": (1,) for what in ("quantile", "rank") for of in ("bigint", "double", "float")},
    **{f"tuple_intersection_{of}": (2,) for of in ("double", "integer", "theta_double", "theta_integer")},
    **{f"tuple_union_{of}": (2, 3) for of in ("double", "integer", "theta_double", "theta_integer")},
    **{f"tuple_sketch_summary_{of}": (1,) for of in ("double", "integer")},
    **dict.fromkeys(("variant_set", "try_variant_set"), (3,)),
    "ilike": (2,),
    "mask": (1, 2, 3, 4),
    "regexp_replace": (3,),
    "time_bucket": (0, 2),
}


def explicit(function: Function, arguments: Sequence[Expression], type: Type, place: TextSpan | None) -> Call:
    """The call, with its arguments cast explicitly to the types that give the call its result type."""
    check_constants(function.name, arguments, place)
    call = Call(function.name, tuple(arguments), type)
    kinds = [argument.type for argument in arguments]
    match function.name:
        case "decode" if len(arguments) > 2:
            return _decode(call, place)
        case "decode" if not {*kinds} <= {STRING, BINARY, VOID}:
            raise AnalysisError("DECODE of two arguments reads BINARY in a character set", place)
        case "to_timestamp" | "to_timestamp_ltz" | "try_to_timestamp" if is_numeric(kinds[0]) and len(kinds) > 1:
            return replace(call, arguments=(cast(arguments[0], STRING), arguments[1]))
        case "nullif" if arguments[0].type != arguments[1].type:
            value, other = arguments
            equal = compare("=", value, other, place)
            return Call("case", (equal, Literal(None, type), value), type)
        case "between":
            value, low, high = arguments
            return Call("and", (compare(">=", value, low, place), compare("<=", value, high, place)), BOOLEAN)
        case "equal_null":
            return compare("<=>", arguments[0], arguments[1], place)
        case "zeroifnull" | "nullifzero":
            return replace(call, arguments=(cast(arguments[0], type),))
        case "div":
            return call if all(map(is_interval, kinds)) else whole_quotient(arguments, place)
        case "months_between" if len(arguments) > 2:
            return replace(call, arguments=(*arguments[:2], cast(arguments[2], BOOLEAN)))
        case "overlay":
            return replace(call, arguments=(*(cast(each, type) for each in arguments[:2]), *arguments[2:]))
        case "date_add" | "date_sub" | "dateadd" if len(arguments) == 2 and arguments[1].type == STRING:
            return replace(call, arguments=(arguments[0], cast(arguments[1], INT)))
        case name if name in ARITHMETIC:
            return replace(call, arguments=tuple(_as_numbers(arguments, type)))
    signature = _signature_of(call, function)
    return replace(call, arguments=_as_wanted(signature, arguments)) if signature else call


def check_constants(name: str, arguments: Sequence[Expression], place: TextSpan | None) -> None:
    for index in CONSTANT.get(name, ()):
        if index < len(arguments) and any(isinstance(part, Column | Variable) for part in walk(arguments[index])):
            raise AnalysisError(f"argument {index + 1} of {name.upper()} must be a constant", place)


def _as_numbers(arguments: Sequence[Expression], type: Type) -> list[Expression]:
    """The arguments of an arithmetic function: a STRING is cast to the result's type, a NULL to its neighbour's."""
    known = [each.type for each in arguments if each.type not in (STRING, VOID)]
    beside = known[0] if len(known) == 1 and STRING not in [each.type for each in arguments] else type
    return [cast(each, beside) if each.type in (STRING, VOID) else each for each in arguments]


def _signature_of(call: Call, function: Function) -> Signature | None:
    """The first signature of the function that gives the call its type; None if no signature does."""
    kinds = [argument.type for argument in call.arguments]
    literals = [argument.value if isinstance(argument, Literal) else None for argument in call.arguments]
    for signature in function.signatures:
        try:
            if result_type(replace(function, signatures=(signature,)), kinds, literals, [None] * len(kinds)) == call.of:
                return signature
        except SignatureProblem:
            continue
    return None


def _as_wanted(signature: Signature, arguments: Sequence[Expression]) -> tuple[Expression, ...]:
    met: dict[str, list[Type]] = {}
    options = [signature.parameter(index) for index in range(len(arguments))]
    for argument, option in zip(arguments, options, strict=True):
        for pattern, _ in option:
            _collect(pattern, argument.type, met)
    bound = {name: common_type_of(*types) or types[-1] for name, types in met.items()}
    found = []
    for argument, option in zip(arguments, options, strict=True):
        pattern, _ = option[0]
        wanted = _substitute(pattern, bound) if len(option) == 1 else None
        found.append(cast(argument, wanted) if wanted and _is_cast(argument, wanted, pattern) else argument)
    return tuple(found)


def _collect(pattern: Type, actual: Type, met: dict[str, list[Type]]) -> None:
    """Add to `met` the types that the shared variables of a pattern stand for in an argument."""
    if pattern.name in SHARED:
        if VARIABLES[pattern.name][0](actual) or actual == VOID:
            met.setdefault(pattern.name, []).append(actual)
    elif pattern.name == actual.name and pattern.name in ("ARRAY", "MAP"):
        for part, other in zip(pattern.args, actual.args, strict=False):
            _collect(part, other, met)


def _substitute(pattern: Type, bound: dict[str, Type]) -> Type | None:
    """The type that a pattern stands for; None if one of its variables is unbound."""
    if pattern.name in VARIABLES:
        found = bound.get(pattern.name)
        return None if found == VOID else found
    if pattern.name in ("ARRAY", "MAP"):
        parts = [_substitute(part, bound) for part in pattern.args]
        return Type(pattern.name, tuple(parts)) if parts and all(parts) else None
    return pattern if is_atomic(pattern) else None


def _is_cast(argument: Expression, wanted: Type, pattern: Type) -> bool:
    """Whether an argument is cast: a NULL, or one whose type is a variable; for plain types Spark takes others too."""
    if isinstance(argument, Lambda) or wanted.name == "TIME":  # the type TIME is switched off in Spark 4.3
        return False
    if argument.type == VOID:
        return True
    return pattern != wanted and argument.type != wanted and _can_cast(argument.type, wanted)


def _can_cast(source: Type, target: Type) -> bool:
    return can_cast(source, target) if is_atomic(target) else common_type(source, target) == target


def _decode(call: Call, place: TextSpan | None) -> Call:
    """DECODE(value, search, result, …, default) as a CASE; a NULL search value matches NULL."""
    value, *rest = call.arguments
    if len(rest) % 2 == 0:
        rest.append(Literal(None, call.of))
    tests = [compare("<=>", value, search, place) for search in rest[:-1:2]]
    pairs = [part for test, result in zip(tests, rest[1:-1:2], strict=True) for part in (test, cast(result, call.of))]
    return Call("case", (*pairs, cast(rest[-1], call.of)), call.of)
