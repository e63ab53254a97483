"""Digests: short hashes of rows and of operators' state. Only values count, no names of classes or fields."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from tailrace.columnar.delta import Delta
from tests.staging.staged import StagedRun

COLUMNS = (np.ndarray, pa.Array, pa.ChunkedArray)


def digest(what: object) -> str:
    """Six hexadecimal digits of something that is made of Python's own values.

    >>> digest([1, "a"]), digest([1, "b"])
    ('ae4112', '5a0f66')
    """
    return hashlib.blake2b(repr(what).encode(), digest_size=3).hexdigest()


def rows_of(delta: Delta) -> list[str]:
    """Rows with their instants and weights, sorted."""
    return table([delta.start, delta.until, delta.weight, *delta.columns])


def table(columns: Iterable[Any]) -> list[str]:
    """The rows of some columns of one length, each as a text, sorted.

    >>> table([np.array([2, 1]), pa.array(["a", None])])
    ['(1, None)', "(2, 'a')"]
    """
    return sorted(map(repr, zip(*map(values, columns), strict=True)))


def values(column: Any) -> list[Any]:
    return column.tolist() if isinstance(column, np.ndarray) else column.to_pylist()


def plain(state: Any) -> Any:
    """A state as lists of Python's own values; the tables and other parts of a record are sorted.

    >>> from tailrace.state.runs import Run
    >>> plain((Run(np.array([1, 2]), (pa.array(["b", "a"]),)), 7, None))
    [[["(1, 'b')", "(2, 'a')"], 'None', '[]'], 7, None]
    """
    if is_dataclass(state):
        return record(state)
    match state:
        case None | bool() | int() | float() | str():
            return state
        case np.generic():
            return state.item()
        case np.ndarray() | pa.Array() | pa.ChunkedArray():
            return values(state)
        case list() | tuple():
            return [plain(each) for each in state]
        case dict():
            return sorted(repr((key, plain(each))) for key, each in state.items())
        case set() | frozenset():
            return sorted(repr(plain(each)) for each in state)
    raise TypeError(f"a state holds a {type(state).__name__}")


def record(state: Any) -> list[Any]:
    columns: dict[int, list[Any]] = {}
    others = []
    for field in fields(state):
        value = getattr(state, field.name)
        several = value if isinstance(value, tuple) and value else (value,)
        if all(isinstance(each, COLUMNS) for each in several):
            for each in several:
                columns.setdefault(len(each), []).append(each)
        else:
            others.append(repr(plain(value)))
    return [*(table(each) for _, each in sorted(columns.items())), *sorted(others)]


NO_ROWS = digest([("query", [])])


def state_digest(run: StagedRun) -> str:
    """The digest of all steps' state in each shard; the order of the steps does not matter."""
    shards = [
        sorted(repr(plain(state)) for runs in run.runs for state in runs[shard].state if state is not None)
        for shard in range(run.shards)
    ]
    return digest(shards)


def answers_digest(run: StagedRun, answers: dict[str, Delta]) -> str:
    """The digest of a batch's answers, query by query, also for members of families."""
    found: dict[str, list[str]] = {}
    for name, rows in answers.items():
        members = run.plan.families.get(name)
        if members is None:
            found[name] = rows_of(rows)
        for number, member in (members or {}).items():
            mine = rows.where(rows.columns[0].to_numpy() == number)
            found[member] = rows_of(mine.with_columns(mine.columns[1:]))
    return digest(sorted(found.items()))
