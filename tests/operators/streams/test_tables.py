"""Tables: how arriving rows become a relation: they stay, they insert and delete, or they replace by a key."""

from __future__ import annotations

from random import Random

import numpy as np
import pyarrow as pa
import pytest

from tailrace.columnar import keys
from tailrace.columnar.delta import Span, elements
from tailrace.operators.operator import TaskContext
from tailrace.operators.streams.tables import InsertOnlyTable, SignedTable, Upsert
from tests.operators.bags import bag_at, rows_of
from tests.operators.step_through import NUMBER, TEXT, StepThrough

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
        out, state = operator.apply(
            [elements(instants, columns)], state, Span(4 * batch - 1, 4 * batch + 3), TaskContext.empty()
        )
        found += rows_of(out)
        for number in range(4 * batch, 4 * batch + 4):
            known |= {row[1:]: row for row, instant in zip(rows, instants, strict=True) if instant == number}
            assert bag_at(found, number) == dict.fromkeys(known.values(), 1)
    assert len(known) == 6


def test_a_row_of_a_growing_table_stays() -> None:
    """With neither OP BY nor KEY the relation only grows: a row holds from its instant on (semantics B.7)."""
    steps = StepThrough(InsertOnlyTable((TEXT,)))
    assert steps.batch(2, "+ a @0..1\n+ b @2..3") == ["+ a @0..", "+ b @2.."]
    assert steps.batch(9, "+ a @5..6") == ["+ a @5.."]
    assert not steps.operator.may_retract([False])


def test_a_row_of_a_signed_table_inserts_or_deletes_one_copy() -> None:
    """With OP BY a row adds a copy of its tuple or removes one, from its instant on (semantics B.7)."""
    steps = StepThrough(SignedTable((TEXT,)))
    assert steps.batch(2, "+ a @1..2\n+ a @2..3") == ["+ a @1..", "+ a @2.."]
    assert steps.batch(9, "- a @5..6") == ["- a @5.."]
    assert steps.operator.may_retract([False])


def test_a_newer_row_replaces_the_older_one_of_its_key() -> None:
    """With KEY the last row of a key counts, of one instant the last to arrive; an equal row changes nothing."""
    steps = StepThrough(Upsert((TEXT, NUMBER), key=(0,)))
    assert steps.batch(2, "+ x 1 @1..2\n+ x 2 @1..2\n+ y 5 @2..3") == ["+ x 2 @1..", "+ y 5 @2.."]
    assert steps.batch(5, "+ x 3 @4..5\n+ y 5 @5..6") == ["+ x 3 @4..", "- x 2 @4.."]
    assert steps.batch(8) == []
    assert steps.batch(9, "+ y 6 @9..10") == ["+ y 6 @9..", "- y 5 @9.."]
