"""Bounds on ranks keep the first tuples of partitions."""

from __future__ import annotations

import pytest

from tailrace.logical.over import Over, TopOfPartition
from tailrace.logical.plan import Plan, walk
from tailrace.rewrite.rewriter import rewrite
from tailrace.settings import Settings
from tests.analysis.build import derived


def final(query: str) -> Plan:
    return rewrite(derived(query).plan, Settings()).plan


def tops(query: str) -> list[TopOfPartition]:
    return [node for node in walk(final(query)) if isinstance(node, TopOfPartition)]


@pytest.mark.parametrize(
    ("bound", "limit"),
    [("<= 3", 3), ("< 3", 2), ("= 1", 1), ("= 4", 4), ("BETWEEN 2 AND 5", 5), ("<= 3 AND v > 1", 3)],
)
def test_bounds(bound: str, limit: int) -> None:
    (top,) = tops(f"SELECT k, v FROM S [NOW] QUALIFY ROW_NUMBER() OVER (PARTITION BY k ORDER BY v) {bound}")
    assert (top.limit, top.ties) == (limit, False)


def test_a_bound_of_rank_keeps_ties() -> None:
    (top,) = tops("SELECT k, v FROM S [NOW] QUALIFY RANK() OVER (ORDER BY v) <= 2")
    assert top.ties


def test_a_where_around_a_subquery() -> None:
    inner = "SELECT k, v, ROW_NUMBER() OVER (PARTITION BY k ORDER BY v) AS place FROM S [NOW]"
    assert tops(f"SELECT k, v FROM ({inner}) WHERE place <= 2")


def test_a_rank_that_nobody_reads_is_not_computed() -> None:
    kinds = {type(node) for node in walk(final("SELECT k FROM S [NOW] QUALIFY ROW_NUMBER() OVER (ORDER BY v) <= 2"))}
    assert TopOfPartition in kinds
    assert Over not in kinds


@pytest.mark.parametrize(
    "query",
    [
        "SELECT k FROM S [NOW] QUALIFY DENSE_RANK() OVER (ORDER BY v) <= 2",
        "SELECT k FROM S [NOW] QUALIFY ROW_NUMBER() OVER (ORDER BY v) >= 2",
        "SELECT k FROM S [NOW] QUALIFY ROW_NUMBER() OVER (ORDER BY v) <= 0",
        "SELECT k FROM S [NOW] QUALIFY ROW_NUMBER() OVER (ORDER BY v) <= v",
        "SELECT k, LEAD(v) OVER (ORDER BY v) AS next FROM S [NOW] QUALIFY ROW_NUMBER() OVER (ORDER BY v) <= 2",
        "SELECT k, SUM(v) OVER (ORDER BY v) AS peers FROM S [NOW] QUALIFY ROW_NUMBER() OVER (ORDER BY v) <= 2",
    ],
)
def test_what_reads_other_tuples_is_left_alone(query: str) -> None:
    assert not tops(query)
