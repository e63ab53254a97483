"""Pre-aggregate rows: sums up the rows of each key that enter and leave a window together, before the shuffle.

Only exact sums are computed so (see PreAggregation): the order of additions does not matter.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tailrace.columnar.evaluate import evaluate
from tailrace.columnar.keys import groups
from tailrace.logical.windows import TimeWindow
from tailrace.operators.relational.pre_aggregation import PartialSum, PreAggregation
from tailrace.operators.windows.time_window import ENDLESS, lifetimes

ARROW_NAMES = {"count": "count", "count_if": "count", "sum": "sum", "min": "min", "max": "max"}


def pre_aggregate_rows(
    part: PreAggregation, start: np.ndarray, columns: Sequence[pa.Array | None]
) -> tuple[np.ndarray, np.ndarray, list[pa.Array]]:
    """For each group of rows: its first instant, the number of one of its rows, and its keys and partial sums."""
    length = len(start)
    keys = [evaluate(key, columns, length) for key in part.keys]
    by = [*keys, *(pa.array(each) for each in window_groups(part.window, start))]
    if not all(map(has_plain_equality, keys)):
        by = [pa.array(groups(by, length)[0])]
    table = {f"k{place}": column for place, column in enumerate(by)}
    table |= {"start": pa.array(start), "row": pa.array(np.arange(length))}
    asked = [("start", "min"), ("row", "min")]
    for place, each in enumerate(part.sums):
        table[f"v{place}"] = argument_of(each, columns, length)
        asked.append((f"v{place}", ARROW_NAMES[each.function]))
        if is_greatest_float(each):
            table[f"n{place}"] = pc.is_nan(table[f"v{place}"])
            asked.append((f"n{place}", "max"))
    found = pa.table(table).group_by([f"k{place}" for place in range(len(by))], use_threads=False).aggregate(asked)
    row = whole(found["row_min"]).to_numpy()
    sums = []
    for place, each in enumerate(part.sums):
        total = whole(found[f"v{place}_{ARROW_NAMES[each.function]}"]).cast(each.type)
        if is_greatest_float(each):
            # Arrow's maximum leaves NaN out; in Spark NaN is greater than all numbers.
            total = pc.if_else(pc.fill_null(whole(found[f"n{place}_max"]), False), pa.scalar(np.nan, each.type), total)
        sums.append(total)
    taken = pa.array(row)
    return whole(found["start_min"]).to_numpy(), row, [*(key.take(taken) for key in keys), *sums]


def window_groups(window: TimeWindow | None, start: np.ndarray) -> list[np.ndarray]:
    """Numbers that are equal for elements that enter and leave a window together."""
    if window is None or window.slide == 1:
        return [start]
    enters, leaves = lifetimes(start, ENDLESS if window.size is None else window.size, window.slide)
    return [enters] if window.size is None else [enters, leaves]


def has_plain_equality(column: pa.Array) -> bool:
    """Whether Arrow groups the values as Spark does: it tells -0.0 from 0.0, and does not group lists."""
    kind = column.type
    return not (pa.types.is_floating(kind) or pa.types.is_nested(kind) or pa.types.is_null(kind))


def is_greatest_float(each: PartialSum) -> bool:
    return each.function == "max" and pa.types.is_floating(each.type)


def argument_of(each: PartialSum, columns: Sequence[pa.Array | None], length: int) -> pa.Array:
    """The values that are summed, NULL for rows that do not count."""
    if each.argument is None:
        values: pa.Array = pa.array(np.ones(length, np.int64))
    else:
        values = evaluate(each.argument, columns, length)
    if each.function == "count_if":
        values = pc.if_else(values, 1, pa.scalar(None, pa.int32()))
    elif each.function == "sum" and each.type != values.type:
        values = values.cast(each.type)
    if each.condition is not None:
        counts = pc.fill_null(evaluate(each.condition, columns, length), False)
        values = pc.if_else(counts, values, pa.scalar(None, values.type))
    return values


def whole(column: pa.ChunkedArray) -> pa.Array:
    return column.chunk(0) if column.num_chunks == 1 else pa.concat_arrays(column.chunks)
