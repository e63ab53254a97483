"""Window identifiers give the answers of the jumping window that is compared with them."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pyarrow as pa
import pytest

from tailrace.bench.csql.condense import by_ids, plan_jump_window
from tailrace.columnar.delta import Delta, elements
from tailrace.operators.plan import PhysicalPlan
from tests.operators.local import run


def batches(sizes: list[int], seed: int) -> list[tuple[dict[str, Delta], int]]:
    chance = np.random.default_rng(seed)
    found, instant = [], 0
    for size in sizes:
        instants = instant + np.sort(chance.integers(0, 4, size))
        columns = [pa.array(chance.integers(0, most, size).astype(np.int32)) for most in (3, 50)]
        instant += 4
        found.append(({"S": elements(instants, columns)}, instant - 1))
    return found


def values(plan: PhysicalPlan, given: list[tuple[dict[str, Delta], int]], skipped: int) -> Counter[object]:
    """The answers without the window's number, which only one of the two has."""
    rows = run(plan, given)["answers"]
    found = rows.where(rows.weight > 0)
    return Counter(zip(*(column.to_pylist() for column in found.columns[skipped:]), strict=True))


@pytest.mark.parametrize("grouped", [False, True])
@pytest.mark.parametrize(("size", "every"), [(3, 10), (10, 10), (1, 4), (7, 3), (20, 6)])
def test_as_the_jumping_window(size: int, every: int, grouped: bool) -> None:
    given = batches([30, 0, 1, 17, 5, 64], 3)
    mine = values(plan_jump_window(f"{size} TUPLES", f"{every} TUPLES", grouped), given, 0)
    assert sum(mine.values()) >= 117 // every
    assert mine == values(by_ids(size, every, grouped), given, 1)
