"""Lineage: counts, pairs and folds are what they are bit by bit."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from tailrace.operators.families.routing.lineage import (
    WORD,
    Tally,
    WordFold,
    any_member_wants,
    bits_of,
    count,
    count_segments,
    fold,
    narrow,
    pairs,
    words_of,
)


def lineages(rng: np.random.Generator) -> Iterator[np.ndarray]:
    """Dense and sparse ones, long and short ones."""
    for rows, words in ((0, 3), (1, 1), (2, 1), (7, 2), (100, 5), (700, 64), (3000, 3)):
        for density in (0.0, 0.001, 0.05, 0.5, 1.0):
            bits = rng.random((rows, words * WORD)) < density
            yield np.packbits(bits, axis=1, bitorder="little").view(np.uint64).reshape(rows, words)


def test_counts_pairs_and_who_is_wanted() -> None:
    rng = np.random.default_rng(3)
    for lineage in lineages(rng):
        bits = bits_of(lineage)
        assert bits.shape == (len(lineage), lineage.shape[1] * WORD)
        assert (any_member_wants(lineage) == bits.any(axis=1)).all()
        assert (count(lineage) == bits.sum(axis=0)).all()
        rows, members = pairs(lineage)
        assert (np.stack([rows, members]) == np.stack(np.nonzero(bits))).all()


def test_counts_are_added_up_over_chunks() -> None:
    rng = np.random.default_rng(4)
    tally, expected = Tally(3), np.zeros(3 * WORD, np.int64)
    room = np.empty((5000, 3), np.uint64)
    for rows in (0, 1, 5000, 17, 4096, 2, *rng.integers(0, 5000, 20).tolist()):
        room[:rows] = rng.integers(0, 2**64, (rows, 3), np.uint64)
        tally.add(room[:rows])
        expected += bits_of(room[:rows]).sum(axis=0, dtype=np.int64)
    assert (tally.total() == expected).all()
    assert (tally.total() == expected).all(), "looking changes nothing"


@pytest.mark.parametrize("longest", [1, 3, 60, 700])
def test_counts_of_segments(longest: int) -> None:
    rng = np.random.default_rng(longest)
    lengths = rng.integers(1, longest + 1, 3000 // longest + 2)
    starts = np.cumsum(lengths) - lengths
    lineage = rng.integers(0, 2**64, (int(lengths.sum()), 2), np.uint64)
    expected = np.add.reduceat(bits_of(lineage).astype(np.int32), starts, axis=0)
    assert (count_segments(lineage, starts) == expected).all()


def test_no_segments() -> None:
    assert count_segments(np.zeros((0, 2), np.uint64), np.zeros(0, np.int64)).shape == (0, 2 * WORD)


def test_narrow() -> None:
    rng = np.random.default_rng(6)
    lineage, table = (rng.integers(0, 2**64, (rows, 5), np.uint64) for rows in (20_000, 40))
    rows = rng.integers(0, 40, 20_000)
    expected = lineage & table[rows]
    narrow(lineage, table, rows, np.empty_like(lineage))
    assert (lineage == expected).all()


def test_fold() -> None:
    # Member 3 has three bits, 70 has two, 5 has one.
    homes = words_of(1 << 3 | 1 << 70 | 1 << 5, 4)
    folds = [WordFold(1, words_of(1 << 3 | 1 << 70, 4)), WordFold(2, words_of(1 << 3, 4))]
    rng = np.random.default_rng(7)
    lineage = rng.integers(0, 2**64, (200, 4), np.uint64) & rng.integers(0, 2**64, (200, 4), np.uint64)
    before = bits_of(lineage)
    fold(lineage, folds, homes)
    after = bits_of(lineage)
    assert (after[:, 3] == (before[:, 3] | before[:, 67] | before[:, 131])).all()
    assert (after[:, 70] == (before[:, 70] | before[:, 134])).all()
    assert (after[:, 5] == before[:, 5]).all()
    assert after.sum() == after[:, [3, 70, 5]].sum()
