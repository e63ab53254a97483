"""The sampling hash: on whole columns it is what the definition says, and samples by it are fair."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from random import Random
from typing import Any

import numpy as np
import pyarrow as pa

from tailrace import types
from tailrace.columnar.arrow_types import arrow_type
from tailrace.columnar.delta import Span, elements
from tailrace.columnar.sampling_hash import sample_hashes
from tailrace.logical.sampling import SampleRate
from tailrace.logical.windows import Reservoir as Window
from tailrace.operators.operator import TaskContext
from tailrace.operators.windows.sampling import HashSample, Reservoir
from tailrace.testing.reference.sampling_hash import sampling_hash

ROWS = 200
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def values(type: types.Type, chance: Random) -> list[Any]:
    """Values of a type, a few of them alike, some NULL, with those that are easily got wrong."""
    odd: dict[types.Type, list[Any]] = {
        types.BOOLEAN: [True, False],
        types.TINYINT: [0, -1, 127, -128],
        types.SMALLINT: [0, -1, 32767],
        types.INT: [0, -1, 2**31 - 1, -(2**31), 7],
        types.BIGINT: [0, -1, 2**63 - 1, -(2**63), 7],
        types.FLOAT: [0.0, -0.0, 1.5, float("nan"), float("inf")],
        types.DOUBLE: [0.0, -0.0, 0.1, float("nan"), float("-inf")],
        types.STRING: ["", "a", "ä中", "a longer text than eight letters"],
        types.BINARY: [b"", b"\x00\xff"],
        types.DATE: [date(1970, 1, 1), date(1969, 12, 31), date(2024, 2, 29)],
        types.TIMESTAMP: [EPOCH, EPOCH - timedelta(microseconds=1), EPOCH + timedelta(days=20_000, microseconds=3)],
        types.decimal(8, 2): [Decimal("0.00"), Decimal("-12345.67"), Decimal("99.90")],
        types.decimal(18, 0): [Decimal(10**18 - 1), Decimal(-(10**18) + 1)],
        types.decimal(30, 2): [Decimal("1.00"), Decimal(10**25)],
        types.array(types.INT): [[1], []],
    }
    return [chance.choice([*odd[type], None]) for _ in range(ROWS)]


TYPES = (
    types.BOOLEAN,
    *types.INTEGERS,
    types.FLOAT,
    types.DOUBLE,
    types.STRING,
    types.BINARY,
    types.DATE,
    types.TIMESTAMP,
    types.decimal(8, 2),
    types.decimal(18, 0),
    types.decimal(30, 2),
    types.array(types.INT),
)


def test_lots_are_what_they_are_by_definition() -> None:
    chance = Random(1)
    instants = [chance.randrange(-3, 2**40) for _ in range(ROWS)]
    columns = {type: values(type, chance) for type in TYPES}
    arrays = [pa.array(column, arrow_type(type)) for type, column in columns.items()]
    for chosen in ([place] for place in range(len(TYPES))):
        check(chosen, columns, arrays, instants)
    check(list(range(len(TYPES))), columns, arrays, instants)


def check(chosen: list[int], columns: dict[types.Type, list[Any]], arrays: list[pa.Array], instants: list[int]) -> None:
    of, seed = [TYPES[place] for place in chosen], len(chosen)
    expected = [sampling_hash(seed, at, [columns[type][row] for type in of], of) for row, at in enumerate(instants)]
    found = sample_hashes(seed, np.array(instants), [arrays[place] for place in chosen])
    assert found.tolist() == expected, of
    # A part of a column is looked at as it is, not from where its memory begins.
    part = sample_hashes(seed, np.array(instants[50:]), [arrays[place].slice(50) for place in chosen])
    assert part.tolist() == expected[50:], of


def test_a_share_is_as_large_as_it_says() -> None:
    rows = elements(np.arange(100_000) // 100, [pa.array(np.arange(100_000) % 1000)])
    for percent in ("0.1", "10", "50", "99"):
        drawn, _ = HashSample((pa.int64(),), SampleRate(Decimal(percent), 7), (0,)).apply(
            [rows], None, Span(-1, 1000), TaskContext.empty()
        )
        share = float(percent) / 100
        # Four standard deviations.
        assert abs(len(drawn) / 100_000 - share) < 4 * (share * (1 - share) / 100_000) ** 0.5
    all_of_them, _ = HashSample((pa.int64(),), SampleRate(Decimal(100), 7), (0,)).apply(
        [rows], None, Span(-1, 1000), TaskContext.empty()
    )
    assert len(all_of_them) == 100_000


def test_a_reservoir_is_uniform_and_remembers_no_more_than_it_holds() -> None:
    """Each of 40 elements, half of them equal, is among the 10 of a reservoir as often as any other."""
    held: Counter[int] = Counter()
    for seed in range(400):
        work = Reservoir((pa.int64(),), Window(10, seed))
        state = work.initial_state()
        for first in range(0, 40, 8):
            instants = np.arange(first, first + 8) // 4
            values = pa.array([max(number, 20) for number in range(first, first + 8)])
            _, state = work.apply(
                [elements(instants, [values])], state, Span(first // 4 - 1, first // 4 + 1), TaskContext.empty()
            )
            assert len(state[0]) <= 10
        held.update(state[0].columns[0].to_pylist())
    assert sum(held.values()) == 4000
    # 400 draws of one in four: 100 each, give or take four deviations of 8.7; of the 21 that are equal, 2,100.
    assert all(65 <= held[number] <= 135 for number in range(21, 40))
    assert 1950 <= held[20] <= 2250
