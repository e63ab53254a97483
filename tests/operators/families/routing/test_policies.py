"""Policies: what they cost on CACQ's Table 3, how soon they see that the data changed, and what workers share."""

from __future__ import annotations

from collections.abc import Callable
from itertools import permutations

import numpy as np
import pyarrow as pa
import pytest

from tailrace.logical.expressions import Column, Literal, all_of
from tailrace.operators.families.member_index import MemberIndex
from tailrace.operators.families.routing.eddy import Eddy
from tailrace.operators.families.routing.policies import (
    CALL_ROWS,
    Best,
    FilterCounts,
    FilterStats,
    Fixed,
    Policy,
    Random,
    Tickets,
    decay_stats,
    merge_stats,
)
from tailrace.types import INT
from tests.operators.families.routing.random_predicates import call

COLUMNS = [Column(at, INT, name) for at, name in enumerate("abcde")]
ABOVE = (90, 70, 50, 30, 10)
BATCH = 100_000


def batch(rng: np.random.Generator, order: tuple[int, ...] = (0, 1, 2, 3, 4), rows: int = BATCH) -> list[pa.Array]:
    """Five attributes; the filter of attribute i lets as much pass as that of order[i] does of even numbers."""
    even = [rng.integers(0, 100, rows) for _ in COLUMNS]
    # A number is above ABOVE[i] just where the even one is above ABOVE[order[i]].
    moved = [np.where(even[at] > ABOVE[order[at]], 99, 0) for at in range(5)]
    return [pa.array(each.astype(np.int32)) for each in moved]


def table_3() -> MemberIndex:
    members = MemberIndex()
    for last in range(1, 6):
        tests = zip(COLUMNS[:last], ABOVE[:last], strict=True)
        members.add(last, all_of([call(">", column, Literal(above, INT)) for column, above in tests]))
    return members


def one_query() -> MemberIndex:
    members = MemberIndex()
    tests = zip(COLUMNS, ABOVE, strict=True)
    members.add(1, all_of([call(">", column, Literal(above, INT)) for column, above in tests]))
    return members


@pytest.fixture(autouse=True)
def every_filter_costs_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """Measured times would differ from run to run, and with them the orders that policies choose."""
    record = FilterStats.record

    def record_equal_costs(self: FilterStats, place: int, taken: int, returned: int, seconds: float) -> None:
        record(self, place, taken, returned, (taken + CALL_ROWS) * 1e-8)

    monkeypatch.setattr(FilterStats, "record", record_equal_costs)


def visits(eddy: Eddy, columns: list[pa.Array]) -> float:
    """Filters that a row visits on average."""
    before = eddy.visits
    for _ in eddy.route(columns, len(columns[0])):
        pass
    return (eddy.visits - before) / len(columns[0])


@pytest.mark.parametrize(
    ("policy", "least", "most"),
    [
        (Fixed(), 1.13, 1.17),
        (Tickets(), 1.13, 1.25),
        (Best(), 1.13, 1.17),
        (Random(), 2.8, 3.5),
        (Fixed((4, 3, 2, 1, 0)), 4.9, 5.0),
    ],
    ids=repr,
)
def test_table_3(policy: Policy, least: float, most: float) -> None:
    rng = np.random.default_rng(1)
    eddy = Eddy(table_3().blocks, policy, seed=2)
    visits(eddy, batch(rng))
    found = np.mean([visits(eddy, batch(rng)) for _ in range(4)])
    assert least <= found <= most


@pytest.mark.parametrize("policy", [Tickets(), Best()], ids=repr)
def test_the_data_turns_over(policy: Policy) -> None:
    """Attributes a and e change places, so that the last filter should be the first."""
    rng = np.random.default_rng(3)
    turned = (4, 1, 2, 3, 0)
    sample = batch(rng, turned)
    members = one_query()
    best = min(visits(Eddy(members.blocks, Fixed(order)), sample) for order in permutations(range(5)))
    eddy = Eddy(members.blocks, policy, seed=4)
    for _ in range(3):
        visits(eddy, batch(rng))
    for _ in range(3):
        visits(eddy, batch(rng, turned))
    assert visits(eddy, batch(rng, turned)) < 1.1 * best


@pytest.mark.parametrize("rows", [3_000, 10_000])
@pytest.mark.parametrize("queries", [table_3, one_query])
def test_best_follows_at_once(queries: Callable[[], MemberIndex], rows: int) -> None:
    """A look at the rows to come shows the order, in the very batch in which they change, however small."""
    rng = np.random.default_rng(6)
    members = queries()
    for order in [(0, 1, 2, 3, 4), (4, 3, 2, 1, 0), (2, 4, 0, 3, 1)]:
        columns = batch(rng, order, rows)
        best = min(visits(Eddy(members.blocks, Fixed(each)), columns) for each in permutations(range(5)))
        assert visits(Eddy(members.blocks, Best(), seed=4), columns) < 1.1 * best


@pytest.mark.parametrize("seed", range(4))
def test_tickets_learn_within_small_batches(seed: int) -> None:
    """The policy draws often while it knows little, and the statistics of a batch are used in the next."""
    rng = np.random.default_rng(seed)
    members, known = table_3(), dict[str, FilterCounts]()
    found = []
    for number in range(20):
        eddy = Eddy(members.blocks, Tickets(), known, seed=100 * seed + number)
        found.append(visits(eddy, batch(rng, rows=10_000)))
        known = merge_stats([decay_stats(known, 0.5), eddy.statistics()])
    assert np.mean(found[1:]) <= 1.25


def test_a_filter_that_removed_nothing_is_asked_again() -> None:
    """In batches of a few chunks too: a filter that earned nothing for a while earns again when it removes rows."""
    rng = np.random.default_rng(7)
    members, known = one_query(), dict[str, FilterCounts]()
    for number in range(40):
        eddy = Eddy(members.blocks, Fixed(), known, seed=number)
        turned = (4, 1, 2, 3, 0) if number < 20 else (0, 1, 2, 3, 4)
        columns = batch(rng, turned, 10_000)
        columns[0] = pa.array(np.full(10_000, 99, np.int32)) if number < 20 else columns[0]
        visits(eddy, columns)
        known = merge_stats([decay_stats(known, 0.5), eddy.statistics()])
    assert known["0 0"].returned < 0.5 * known["0 0"].taken


def test_workers_learn_from_each_other() -> None:
    """What two workers learned is added up, and a third one, which has seen nothing, begins with it."""
    rng = np.random.default_rng(5)
    members = table_3()
    known: dict[str, FilterCounts] = {}
    for number in range(3):
        workers = [Eddy(members.blocks, Tickets(), known, seed=10 * number + worker) for worker in range(2)]
        for worker in workers:
            visits(worker, batch(rng))
        known = merge_stats([decay_stats(known, 0.5), *(worker.statistics() for worker in workers)])
    assert set(known) == {f"0 {at}" for at in range(5)}
    assert all(each.taken >= each.returned >= 0 and each.seconds > 0 for each in known.values())
    first = [Eddy(members.blocks, Tickets(), known, seed=seed) for seed in range(40)]
    orders = [eddy.policy.order(eddy.courses[0].standing, eddy.random) for eddy in first]
    assert sum(order[0] == 0 for order in orders) > 30


def test_lessons_are_sums() -> None:
    one, two = FilterCounts(10, 5, 0.5, 20), FilterCounts(30, 1, 0.25, 4)
    found = merge_stats([{"x": one}, {"x": two, "y": one}])
    assert found == {"x": FilterCounts(40, 6, 0.75, 24), "y": one}
    assert decay_stats(found, 0.5)["x"] == FilterCounts(20, 3, 0.375, 12)
