"""Deliveries that fail: once, for some members of a family, or because their job was cancelled."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pyarrow as pa
import pytest
from pyspark.errors import PySparkException

from tailrace.analysis.program import analyse
from tailrace.errors import Source
from tailrace.language.script import parse_script
from tailrace.logical.queries import QueryDefinition
from tailrace.spark.io import delivery
from tailrace.spark.io.delivery import ResultRows, deliver_members
from tailrace.spark.io.sinks import BatchId

TEXT = "CREATE STREAM S (k INT);" + "".join(f"CREATE QUERY q{number} AS SELECT k FROM S;" for number in range(4))
MEMBERS = dict(enumerate(analyse(parse_script(Source(TEXT))).queries.values()))
BATCH = BatchId(7, "ab", False)


class Frame:
    """A DataFrame of members that fails if it has rows of a bad one."""

    def __init__(self, members: frozenset[int], bad: frozenset[int], said: str) -> None:
        self.members, self.bad, self.said = members, bad, said

    write = property(lambda self: self)
    format = mode = lambda self, name: self

    def where(self, members: Any) -> Frame:
        return Frame(frozenset(members), self.bad, self.said)

    def save(self) -> None:
        if self.bad & self.members:
            raise PySparkException(self.said)


class Deliveries:
    """Delivers to memory; the first delivery fails."""

    def __init__(self) -> None:
        self.seen: list[tuple[list[int], bool]] = []

    def one(self, query: QueryDefinition, rows: ResultRows, batch: BatchId | None) -> None: ...

    def many(
        self, queries: Mapping[int, QueryDefinition], rows: ResultRows, batch: BatchId | None
    ) -> dict[int, Exception]:
        self.seen.append((list(queries), bool(batch and batch.again)))
        if len(self.seen) == 1:
            raise PySparkException("503")
        return {}


@pytest.fixture(autouse=True)
def by_number(monkeypatch: pytest.MonkeyPatch) -> None:
    """Frames are asked for members without Spark."""

    class Numbers:
        @staticmethod
        def col(name: str) -> Any:
            return Numbers

        @staticmethod
        def isin(numbers: Any) -> Any:
            return numbers

    monkeypatch.setattr(delivery, "F", Numbers)


def rows_of(*bad: int, said: str = "no") -> ResultRows:
    return ResultRows(None, lambda: Frame(frozenset(MEMBERS), frozenset(bad), said))  # type: ignore[arg-type,return-value]


def test_members_of_which_none_fails_alone_get_their_rows_the_second_time() -> None:
    deliveries = Deliveries()
    assert deliver_members(deliveries, MEMBERS, rows_of(), BATCH) == {}
    assert deliveries.seen == [([0, 1, 2, 3], False), ([0, 1, 2, 3], True)]


def test_members_that_fail_alone() -> None:
    deliveries = Deliveries()
    found = deliver_members(deliveries, MEMBERS, rows_of(2), BATCH)
    assert {number: error.queries for number, error in found.items()} == {2: ("q2",)}
    assert deliveries.seen == [([0, 1, 2, 3], False), ([0, 1, 3], True)]


def test_a_job_that_was_cancelled_is_not_tried_again() -> None:
    deliveries = Deliveries()
    with pytest.raises(PySparkException, match="JOB_CANCELLED"):
        deliver_members(deliveries, MEMBERS, rows_of(2, said="[SPARK_JOB_CANCELLED] over"), BATCH)
    assert len(deliveries.seen) == 1


def test_rows_of_one_query_are_not_taken_apart() -> None:
    rows = ResultRows(pa.table({}), lambda: Frame(frozenset(), frozenset(), ""))  # type: ignore[arg-type,return-value]
    assert rows.of_members([None]) is rows
