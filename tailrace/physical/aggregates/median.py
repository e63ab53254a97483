"""MEDIAN: the middle one of the known values, or half way between the two middle ones; NULL when there is none."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from tailrace.physical import segments
from tailrace.physical.aggregates.ledger import Timeline
from tailrace.physical.aggregates.nulls import null_where
from tailrace.physical.aggregates.selection import Events, selected


def result(function: str, events: Events, values: pa.Array, line: Timeline) -> pa.Array:
    """The median at each row of the timeline."""
    known = segments.running(segments.scattered(events.row, events.change, len(line)), line.heads)
    asked = np.flatnonzero(known > 0)
    count = known[asked]
    even = np.flatnonzero(count % 2 == 0)
    rows, places = np.append(asked, asked[even]), np.append((count - 1) // 2, count[even] // 2)
    ranks = selected(events, line.group, rows, places)
    numbers = np.asarray(values.cast(pa.float64()).to_numpy(zero_copy_only=False))
    lower = numbers[ranks[: len(asked)]]
    upper = lower.copy()
    upper[even] = numbers[ranks[len(asked) :]]
    found = np.zeros(len(line))
    found[asked] = lower
    with np.errstate(invalid="ignore", over="ignore"):  # half way between two infinities is NaN, as in Spark
        half_way = lower + (upper - lower) * 0.5
    apart = np.flatnonzero(lower != upper)
    found[asked[apart]] = half_way[apart]
    return null_where(known <= 0, pa.array(found))
