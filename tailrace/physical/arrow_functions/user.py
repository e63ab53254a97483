"""User: functions that were registered from Python, called row by row or on whole arrays.

Whatever goes wrong in them becomes one message that says which function, on which arguments, and what it said.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import pyarrow as pa

from tailrace.catalog.user_functions import UserFunction
from tailrace.errors import RunError
from tailrace.physical.arrow_functions.python_values import Misfit, as_column, as_values, said, shown
from tailrace.physical.arrow_types import arrow_type

# Where a function of arrays fails, this many rows are tried one by one to name one that is at fault.
TRIED = 1000


def run(function: UserFunction, given: Sequence[pa.Array], length: int) -> pa.Array:
    """The function on every row of the arrays, which are `length` long."""
    if not length:
        return pa.array([], arrow_type(function.returns))
    return on_arrays(function, given, length) if function.vectorised else on_rows(function, given, length)


def on_rows(function: UserFunction, given: Sequence[pa.Array], length: int) -> pa.Array:
    columns = [as_values(array) for array in given]
    rows: Iterable[tuple[Any, ...]] = zip(*columns, strict=True) if columns else [()] * length
    found: list[Any] = []
    call = function.function
    try:
        for row in rows:
            found.append(call(*row))
    except Exception as problem:
        raise failed(function.name, [column[len(found)] for column in columns], problem) from None
    try:
        return as_column(found, function.returns)
    except Misfit as misfit:
        row = tuple(column[misfit.place] for column in columns)
        what = f"gave {shown(found[misfit.place])}, which is no {function.returns}"
        raise RunError(f"{called(function.name, row)} {what}") from None


def on_arrays(function: UserFunction, given: Sequence[pa.Array], length: int) -> pa.Array:
    try:
        found = function.function(*given)
    except Exception as problem:
        raise blamed(function, given, length, problem) from None
    name = f"{function.name}({', '.join(str(array.type) for array in given)})"
    if isinstance(found, pa.ChunkedArray):
        found = found.combine_chunks()
    if not isinstance(found, pa.Array):
        raise RunError(f"{name} gave a {type(found).__name__}, not an Arrow array")
    if len(found) != length:
        raise RunError(f"{name} gave {len(found)} values for {length} rows")
    wanted = arrow_type(function.returns)
    if found.type == wanted:
        return found
    try:
        return found.cast(wanted)
    except (pa.ArrowException, ValueError) as problem:
        raise RunError(f"{name} gave {found.type}, which is no {function.returns}: {problem}") from None


def blamed(function: UserFunction, given: Sequence[pa.Array], length: int, problem: Exception) -> RunError:
    """The message for a failure on arrays, with the arguments of a row that fails by itself."""
    for place in range(min(length, TRIED)):
        row = [array.slice(place, 1) for array in given]
        try:
            function.function(*row)
        except Exception as alone:
            return failed(function.name, [as_values(array)[0] for array in row], alone)
    name = f"{function.name}({', '.join(str(array.type) for array in given)})"
    return RunError(f"{name} failed on {length} rows: {said(problem)}")


def failed(name: str, arguments: Sequence[Any], problem: Exception) -> RunError:
    """The one message for an exception inside a user's code."""
    hint = "NULL comes as None" if None in arguments else None
    return RunError(f"{called(name, arguments)} failed: {said(problem)}", None, hint)


def called(name: str, arguments: Sequence[Any]) -> str:
    return f"{name}({', '.join(map(shown, arguments))})"
