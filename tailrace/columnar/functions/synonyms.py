"""Synonyms: functions that are other names for operators, or for functions that have a kernel.

>>> from tailrace.logical.expressions import Column
>>> from tailrace.types import INT
>>> expand_synonym(Call("isnull", (Column(0, INT, "a"),), BOOLEAN)).name
'is null'
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from tailrace.logical.expressions import Call, Expression, Literal
from tailrace.types import BOOLEAN, INT, STRING

OTHER_NAMES = {
    "equal_null": "<=>",
    "isnull": "is null",
    "isnotnull": "is not null",
    "nvl": "coalesce",
    "ifnull": "coalesce",
    "mod": "%",
    "negative": "negate",
    "signum": "sign",
    "ceiling": "ceil",
    "ucase": "upper",
    "lcase": "lower",
    "char_length": "length",
    "character_length": "length",
    "len": "length",
    "substr": "substring",
    "concat": "||",
    "position": "locate",
    "regexp": "rlike",
    "regexp_like": "rlike",
    "day": "dayofmonth",
    "date_diff": "datediff",
    "dateadd": "date_add",
    "to_unix_timestamp": "unix_timestamp",
    "date_part": "extract",
    "datepart": "extract",
    "cardinality": "size",
    "to_timestamp_ltz": "to_timestamp",
    **dict.fromkeys(
        "bigint binary boolean date decimal double float int smallint string timestamp tinyint".split(), "cast"
    ),
    **dict.fromkeys(("to_date", "to_timestamp", "to_timestamp_ntz"), "cast"),
}


def _between(call: Call) -> Expression:
    value, low, high = call.arguments
    return Call("and", (Call(">=", (value, low), BOOLEAN), Call("<=", (value, high), BOOLEAN)), BOOLEAN)


def _null_if(call: Call) -> Expression:
    value, other = call.arguments
    return Call("case", (Call("=", (value, other), BOOLEAN), Literal(None, call.of), value), call.of)


def _null_if_zero(call: Call) -> Expression:
    return _null_if(replace(call, arguments=(*call.arguments, Literal(0, INT))))


def _null_as_zero(call: Call) -> Expression:
    return Call("coalesce", (*call.arguments, Literal(0, INT)), call.of)


def _swap_arguments(name: str) -> Callable[[Call], Expression]:
    """Rewrite a call to the function `name`, which takes the same arguments in reverse order."""
    return lambda call: replace(call, name=name, arguments=call.arguments[::-1])


FORMS: dict[str, Callable[[Call], Expression]] = {
    "between": _between,
    "nullif": _null_if,
    "nullifzero": _null_if_zero,
    "zeroifnull": _null_as_zero,
    "positive": lambda call: call.arguments[0],
    "btrim": lambda call: replace(call, name="trim both"),
    "trim": _swap_arguments("trim both"),
    "ltrim": _swap_arguments("trim left"),
    "rtrim": _swap_arguments("trim right"),
}
# With this number of arguments, the name is no synonym: it means something else.
OTHERWISE = {
    **dict.fromkeys(("dateadd", "date_diff"), 3),
    **dict.fromkeys(("to_date", "to_timestamp", "to_timestamp_ltz", "to_timestamp_ntz", "to_unix_timestamp"), 2),
}


def expand_synonym(call: Call) -> Expression:
    """Rewrite a call to the function that has a kernel; a call that is no synonym stays as it is."""
    if OTHERWISE.get(call.name) == len(call.arguments):
        return call
    if call.name in FORMS:
        return FORMS[call.name](call)
    if call.name == "concat" and call.of != STRING:
        return call
    return replace(call, name=OTHER_NAMES[call.name]) if call.name in OTHER_NAMES else call
