"""Bounds of the rows that somebody needs: right for every row, and there for the usual predicates."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from tailrace.engine.pipeline import plan_script
from tailrace.errors import Source
from tailrace.exchange.common_bounds import common_bounds

STREAM = """
CREATE STREAM S (a INT, b BIGINT, t TIMESTAMP, d DATE, x DOUBLE) USING parquet OPTIONS (path 'S') TIMESTAMP BY t;
"""


def bounds_of(*predicates: str) -> set[tuple[str, str, object]]:
    """The common bounds of one query for each predicate."""
    queries = "".join(
        f"CREATE QUERY q{number} AS SELECT * FROM S WHERE {text};" for number, text in enumerate(predicates)
    )
    staged = plan_script(Source(STREAM + queries))
    (source,) = {feed.origin for feed in staged.feeds}
    found = common_bounds([feed.predicates for feed in staged.feeds], source.schema)
    return {(bound.column, bound.comparison, bound.value) for bound in found}


@pytest.mark.parametrize(
    ("predicates", "bounds"),
    [
        (["a < 5 AND a < 3 AND b > 2"], {("a", "<", 3), ("b", ">", 2)}),
        (["5 > a"], {("a", "<", 5)}),
        (["a = 5"], {("a", "<=", 5), ("a", ">=", 5)}),
        (["a BETWEEN 1 AND 3"], {("a", ">=", 1), ("a", "<=", 3)}),
        (["a < 5", "a <= 5"], {("a", "<=", 5)}),
        (["a > 5", "a >= 5 AND b = 1"], {("a", ">=", 5)}),
        (["a < 5", "b < 5"], set()),
        (["a < 5 OR b < 5"], set()),
        (["x < 5"], set()),
        (["d >= DATE '2024-03-01'"], {("d", ">=", date(2024, 3, 1))}),
        (
            ["t < TIMESTAMP '2024-03-01 10:00:00.5'"],
            {("t", "<", datetime(2024, 3, 1, 10, 0, 0, 500_000, tzinfo=UTC))},
        ),
    ],
)
def test_bounds(predicates: list[str], bounds: set[tuple[str, str, object]]) -> None:
    assert bounds_of(*predicates) == bounds


def test_no_reader() -> None:
    assert common_bounds([], None) == ()  # type: ignore[arg-type]
