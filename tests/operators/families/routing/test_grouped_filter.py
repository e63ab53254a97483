"""Grouped filter: a value's bitmap says of each member whether its region has the value."""

from __future__ import annotations

import pickle
from random import Random

import numpy as np
import pyarrow as pa
import pytest

from tailrace.columnar.arrow_types import arrow_type
from tailrace.logical.expressions import Column
from tailrace.operators.families.routing import grouped_filter
from tailrace.operators.families.routing.grouped_filter import compile_filter
from tailrace.operators.families.routing.lineage import bits_of
from tailrace.operators.families.routing.ordinals import LEAST, MOST
from tailrace.operators.families.routing.regions import Region, complement, in_at_least, intersection, union
from tailrace.types import BIGINT, INT, STRING, Type
from tests.conftest import Examples
from tests.operators.families.routing.random_predicates import find_rows, index_of

SPREADS: dict[str, list[int]] = {
    "close": list(range(-20, 20)),
    "far": [LEAST, LEAST + 1, -(10**15), -1, 0, 1, 10**15, MOST - 1, MOST],
    "at an end": [MOST - 5, MOST - 3, MOST - 1, MOST],
    "at the other": [LEAST, LEAST + 1, LEAST + 4],
}


def holds(region: Region, value: int | str | None) -> bool:
    if value is None:
        return region.null
    return region.below ^ (sum(cut <= value for cut in region.cuts) % 2 == 1)


def drawn(random: Random, keys: list[int] | list[str]) -> Region:
    cuts = sorted(random.sample(keys, random.randint(0, min(4, len(keys)))))  # type: ignore[type-var]
    return Region(random.random() < 0.5, tuple(cuts), random.random() < 0.3)


@pytest.mark.parametrize("spread", SPREADS)
def test_every_member_of_numbers(spread: str, examples: Examples) -> None:
    keys = SPREADS[spread]
    values = [
        *keys,
        *(key + 1 for key in keys if key < MOST),
        None,
        *(key - 1 for key in keys if key > LEAST),
        LEAST,
        MOST,
    ]
    agree(BIGINT, keys, values, examples)


def test_every_member_of_texts(examples: Examples) -> None:
    keys = ["", "a", "a\0", "ab", "b", "é", "日", "\U0001f600", "\uffee"]
    agree(STRING, keys, [*keys, "aa", None, "zz", "\U0010ffff"], examples)


def agree(type: Type, keys: list[int] | list[str], values: list[int | str | None], examples: Examples) -> None:
    random, column = Random(len(values)), Column(0, type, "c")
    for count in (1, 3, 70, 200):
        regions = {bit: drawn(random, keys) for bit in random.sample(range(200), count)}
        filter = compile_filter(index_of(column, regions, (1 << 200) - 1))
        found = bits_of(filter.table[find_rows(filter, pa.array(values, arrow_type(type)))])
        for bit in range(200):
            expected = [bit not in regions or holds(regions[bit], value) for value in values]
            assert (found[:, bit] == expected).all()
        assert not found[:, 200:].any()
        examples("regions in a grouped filter", count)


def test_sets_of_values(examples: Examples) -> None:
    random, keys = Random(3), list(range(8))
    for _ in range(300):
        several = [drawn(random, keys) for _ in range(random.randint(1, 4))]
        least = random.randint(1, len(several))
        for value in (None, *range(-1, 9)):
            inside = [holds(region, value) for region in several]
            assert holds(union(several), value) == any(inside)
            assert holds(intersection(several), value) == all(inside)
            assert holds(in_at_least(least, several), value) == (sum(inside) >= least)
            assert holds(complement(several[0]), value) != inside[0]
    examples("sets of values", 300)


def test_the_same_content_is_compiled_once_and_there_is_an_end_to_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(grouped_filter, "_compiled", type(grouped_filter._compiled)())
    column = Column(0, INT, "c")
    indexes = [index_of(column, {0: Region(False, (at,), False)}, 1) for at in range(10)]
    first = compile_filter(indexes[0])
    assert compile_filter(pickle.loads(pickle.dumps(indexes[0]))) is first
    monkeypatch.setattr(grouped_filter, "CACHED_BYTES", 3 * first.table.nbytes)
    for index in indexes:
        compile_filter(index)
    assert len(grouped_filter._compiled) == 3
    assert compile_filter(indexes[0]) is not first
    assert (compile_filter(indexes[0]).table == first.table).all()
    assert np.array_equal(find_rows(compile_filter(indexes[-1]), pa.array([8, 9], pa.int32())), [0, 1])
