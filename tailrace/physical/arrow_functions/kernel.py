"""Kernel: how one operator or function is evaluated on Arrow values, and for which types that is exact.

Values are an array, or a scalar where they are the same in every row; at least one of a call's arguments is an
array. A kernel sees its arguments cast to the types it wants, and gives values of the call's own type.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tailrace.logical.expressions import Call, Expression, Literal
from tailrace.physical.arrow_types import arrow_type
from tailrace.types import STRING, Type

Values = Any  # pa.Array | pa.Scalar, which have no types
Numbers = np.ndarray[Any, Any]
Mask = np.ndarray[Any, np.dtype[np.bool_]]
Run = Callable[[Call, Sequence[Values]], Values]
Wants = Callable[[Call], Sequence[Type]]
Test = Callable[[Call], bool]


def own_types(call: Call) -> Sequence[Type]:
    return [argument.type for argument in call.arguments]


def result_types(call: Call) -> Sequence[Type]:
    """Every argument is cast to the type of the result."""
    return [call.of] * len(call.arguments)


def always(call: Call) -> bool:
    return True


@dataclass(frozen=True)
class Kernel:
    """`run` evaluates calls whose arguments have the types that `wants` says, where `exact` allows it."""

    run: Run
    wants: Wants = own_types
    exact: Test = always


Table = dict[str, Kernel]


def fixed(*wanted: Type, repeat: bool = False) -> Wants:
    """Arguments of these types, the last one as often as it takes if it repeats."""

    def wants(call: Call) -> Sequence[Type]:
        given = own_types(call)
        more = [wanted[-1]] * len(given) if repeat else given[len(wanted) :]
        return [*wanted, *more][: len(given)]

    return wants


def of_types(*types: Type, count: int | None = None) -> Test:
    """A test that the arguments have these types, all of them or the first `count`."""
    return lambda call: all(argument.type in types for argument in call.arguments[:count])


def arguments(*counts: int) -> Test:
    return lambda call: len(call.arguments) in counts


def literal_text(expression: Expression) -> str | None:
    """The text of a constant; None if it is something else."""
    if isinstance(expression, Literal) and expression.of == STRING and expression.value is not None:
        return str(expression.value)
    return None


def literal_number(expression: Expression) -> int | None:
    """The value of a whole constant; None if it is something else."""
    if isinstance(expression, Literal) and type(expression.value) is int:
        return expression.value
    return None


# Arrow values as NumPy sees them -------------------------------------------------------------------------


def numbers_of(values: Values) -> Numbers:
    """The values of a type of fixed width, without a copy; where one is NULL, anything may stand."""
    if isinstance(values, pa.Scalar):
        return numbers_of(pa.repeat(values, 1))
    if pa.types.is_boolean(values.type):
        return np.asarray(pc.fill_null(values, False).to_numpy(zero_copy_only=False))
    width = values.type.bit_width // 8
    kind = np.dtype(f"f{width}" if pa.types.is_floating(values.type) else f"i{width}")
    data = values.buffers()[1]
    if data is None:
        return np.zeros(len(values), kind)
    return np.frombuffer(data, kind, len(values), values.offset * width)


def nulls_of(*several: Values) -> Mask:
    """The rows in which any of the values is NULL."""
    found: Mask = np.zeros(1, bool)
    for values in several:
        if isinstance(values, pa.Scalar):
            found = found | (not values.is_valid)
        elif values.null_count:
            found = found | values.is_null().to_numpy(zero_copy_only=False)
    return found


def array_of(numbers: Numbers, nulls: Mask, type: Type) -> pa.Array:
    """An array of a type of fixed width."""
    target = arrow_type(type)
    numbers, nulls = np.broadcast_arrays(numbers, nulls)
    if type.name == "BOOLEAN":
        return pa.array(np.ascontiguousarray(numbers, bool), target, mask=np.ascontiguousarray(nulls))
    kind = f"f{target.bit_width // 8}" if pa.types.is_floating(target) else f"i{target.bit_width // 8}"
    plain = pa.array(np.ascontiguousarray(numbers, kind), mask=np.ascontiguousarray(nulls) if nulls.any() else None)
    return plain if plain.type == target else plain.view(target)


def length_of(several: Sequence[Values]) -> int:
    return next(len(values) for values in several if not isinstance(values, pa.Scalar))


def as_array(values: Values, length: int) -> pa.Array:
    if not isinstance(values, pa.Scalar):
        return values
    return pa.repeat(values, length) if values.is_valid else pa.nulls(length, values.type)


def where(condition: Values, values: Values, others: Values) -> Values:
    """The values where the condition holds, the others where it does not or is NULL."""
    return pc.if_else(pc.coalesce(condition, pa.scalar(False)), values, others)


def null(type: Type) -> pa.Scalar:
    return pa.scalar(None, arrow_type(type))
