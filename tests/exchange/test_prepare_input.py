"""Prepared inputs: rows are filtered, projected and go to their shards, as a statement of Spark SQL would do it."""

import numpy as np
import pyarrow as pa
import pytest

from tailrace.catalog.sources import Stream
from tailrace.columnar.spark_hash import shards_of
from tailrace.exchange.prepare_input import ExpressionError, OriginRows, Preparation, can_prepare, read_columns
from tailrace.logical.expressions import Call, Column, Expression, Literal
from tailrace.operators.relational.aggregate import Aggregate
from tailrace.operators.relational.pre_aggregation import PartialSum, PreAggregation
from tailrace.schema import Field, Schema
from tailrace.staging.stages import StageInput
from tailrace.staging.wire import START, UNTIL, WEIGHT
from tailrace.types import BOOLEAN, INT

STREAM = Stream("S", Schema((Field("k", INT), Field("v", INT))))
KEY, VALUE = Column(0, INT), Column(1, INT)
ROWS = OriginRows(
    pa.array([1, 2, 3, 4]), [pa.array([7, 8, None, 7], pa.int32()), pa.array([5, None, 6, 1], pa.int32())]
)


def prepare(feed: StageInput, shards: int = 3, task: int = 0, past: int = -1) -> dict[int, list[tuple[object, ...]]]:
    made = Preparation(feed, shards, past, True).prepare(ROWS, task)
    return {shard: list(zip(*(column.to_pylist() for column in batch.columns), strict=True)) for shard, batch in made}


def feed(*predicates: Expression, key: tuple[Expression, ...] | None = (), **others: object) -> StageInput:
    return StageInput(STREAM, predicates, (VALUE,), key, **others)  # type: ignore[arg-type]


def test_a_predicate_that_is_null_drops_the_row() -> None:
    above = Call(">", (VALUE, Literal(4, INT)), BOOLEAN)
    assert prepare(feed(above)) == {0: [(1, 5), (3, 6)]}


def test_rows_before_a_query_begins_are_left_out() -> None:
    assert prepare(feed(since=3)) == {0: [(3, 6), (4, 1)]}


def test_shards_are_those_of_sparks_hash() -> None:
    numbers = shards_of([ROWS.columns[0]], 4, 3)  # type: ignore[list-item]
    wanted: dict[int, list[object]] = {}
    for row, shard in enumerate(np.asarray(numbers).tolist()):
        wanted.setdefault(shard, []).append(ROWS.start[row].as_py())
    assert {shard: [row[0] for row in rows] for shard, rows in prepare(feed(key=(KEY,))).items()} == wanted


def test_rows_that_may_be_anywhere_follow_their_task() -> None:
    assert list(prepare(feed(key=None), task=5)) == [2]


def test_broadcast_rows_go_to_all_shards() -> None:
    found = prepare(feed(is_broadcast=True))
    assert list(found) == [0, 1, 2]
    assert len(set(map(tuple, found.values()))) == 1


def test_elements_get_an_end_and_a_weight_where_the_stage_wants_them() -> None:
    ((_, batch),) = Preparation(feed(), 1, -1, False).prepare(ROWS, 0)
    assert batch[UNTIL].to_pylist() == [2, 3, 4, 5]
    assert batch[WEIGHT].to_pylist() == [1, 1, 1, 1]
    assert batch[START].to_pylist() == [1, 2, 3, 4]


def test_no_rows_no_batch() -> None:
    assert prepare(feed(Call("<", (VALUE, Literal(0, INT)), BOOLEAN))) == {}


def test_a_failing_expression_is_named() -> None:
    missing = Call(">", (Column(9, INT), Literal(0, INT)), BOOLEAN)
    with pytest.raises(ExpressionError) as raised:
        prepare(feed(missing))
    assert (raised.value.expression, raised.value.row) == (missing, None)


def test_a_failing_sum_is_named() -> None:
    missing = Column(9, INT)
    sums = (PartialSum("count", VALUE, None, pa.int64()), PartialSum("sum", missing, None, pa.int64()))
    with pytest.raises(ExpressionError) as raised:
        prepare(feed(preaggregation=PreAggregation((KEY,), sums, None, Aggregate((), (), ()))))
    assert raised.value.expression == missing


def test_columns_that_an_input_reads() -> None:
    assert read_columns(feed()) == {1}
    assert read_columns(feed(key=(KEY,))) == {0, 1}


def test_what_is_nested_deeply_is_left_to_spark() -> None:
    deep: Expression = VALUE
    for _ in range(60):
        deep = Call("+", (deep, Literal(1, INT)), INT)
    above = Call(">", (VALUE, Literal(4, INT)), BOOLEAN)
    assert can_prepare(feed(above, key=(KEY,)))
    assert not can_prepare(feed(Call(">", (deep, Literal(0, INT)), BOOLEAN)))
    assert not can_prepare(feed(*[above] * 60))
