"""Upsert: a newer row replaces the older of its key, and of its key only."""

from __future__ import annotations

from random import Random

import numpy as np
import pyarrow as pa
import pytest

from tailrace.columnar import keys
from tailrace.columnar.delta import Span, elements
from tailrace.operators.streams.tables import Upsert
from tests.operators.bags import bag_at, rows_of

TYPES = (pa.string(), pa.int64(), pa.string())


@pytest.mark.parametrize("distinct_hashes", [None, 3, 1])
def test_keys_that_share_a_hash_stay_apart(monkeypatch: pytest.MonkeyPatch, distinct_hashes: int | None) -> None:
    """The key is the second and third column, to be sure that none is taken for another."""
    true_hashes = keys.hashes
    if distinct_hashes:
        monkeypatch.setattr(keys, "hashes", lambda *given: true_hashes(*given) % np.uint64(distinct_hashes))
    chance = Random(7)
    operator = Upsert(TYPES, (1, 2))
    state, found = operator.initial_state(), []
    known: dict[tuple[int | None, str], tuple[str, int | None, str]] = {}
    for batch in range(12):
        instants = sorted(chance.randrange(4 * batch, 4 * batch + 4) for _ in range(chance.randrange(6)))
        rows = [(chance.choice("abc"), chance.choice([None, 1, 2]), chance.choice("xy")) for _ in instants]
        columns = [pa.array([row[index] for row in rows], type) for index, type in enumerate(TYPES)]
        out, state = operator.apply([elements(instants, columns)], state, Span(4 * batch - 1, 4 * batch + 3))
        found += rows_of(out)
        for number in range(4 * batch, 4 * batch + 4):
            known |= {row[1:]: row for row, instant in zip(rows, instants, strict=True) if instant == number}
            assert bag_at(found, number) == dict.fromkeys(known.values(), 1)
    assert len(known) == 6
