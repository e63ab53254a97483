"""MIN, MAX: the least or greatest known value, NULL when there is none.

Each value is painted over the stretches of time in which it is there; at each instant the best colour shows.
Where tuples are never taken back (`Stairs`), only those are remembered that no better one outlives.
"""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from tailrace.physical import segments
from tailrace.physical.aggregates.ledger import Page, Rows, Timeline
from tailrace.physical.aggregates.ranks import ranked
from tailrace.physical.aggregates.selection import Events


def result(function: str, events: Events, values: pa.Array, line: Timeline) -> pa.Array:
    """The best value at each row of the timeline."""
    rank = _preferred(function, events.rank, len(values))
    group = line.group[events.row]
    pairs, pair = np.unique(group * max(len(values), 1) + rank, return_inverse=True)
    cells, of = segments.cells(pair, events.row)
    counts = segments.scattered(of, events.change, len(cells))
    starts = segments.heads(cells.group)
    low, high = segments.positive(segments.running(counts, starts), starts)
    owner = pairs[cells.group[low]]
    group, rank = np.divmod(owner, max(len(values), 1))
    ends = np.append(cells.instant, 0)[high]
    open_ = np.append(cells.group, -1)[high] != cells.group[low]
    return _shown(function, cells.instant[low], np.where(open_, line.stop[group], ends), rank, values, len(line))


def _preferred(function: str, rank: np.ndarray, count: int) -> np.ndarray:
    return count - 1 - rank if function == "max" else rank


def _shown(
    function: str, low: np.ndarray, high: np.ndarray, rank: np.ndarray, values: pa.Array, length: int
) -> pa.Array:
    nothing = len(values)
    best = segments.painted(low, high, rank, length, nothing)
    return values.take(pa.array(_preferred(function, best, nothing), mask=best == nothing))


def stairs_type(value: pa.DataType) -> pa.DataType:
    return pa.list_(pa.struct([("value", value), ("start", pa.int64()), ("until", pa.int64())]))


def stairs(function: str, known: pa.Array, page: Page, rows: Rows, column: pa.Array) -> tuple[pa.Array, pa.Array]:
    """The best value at each row of the timeline, and the tuples of each group that still matter.

    `known` has those of before, a list a group; the column has the value of each row, none of them NULL. A tuple
    matters while no tuple at least as good is there already and stays at least as long.
    """
    line, to = page.timeline, page.span.to
    old = known.flatten()
    counts = np.asarray(known.value_lengths().fill_null(0).to_numpy(zero_copy_only=False))
    group = np.concatenate([np.repeat(np.arange(len(known)), counts), rows.group])
    start = np.concatenate([old.field("start").to_numpy(), rows.start])
    until = np.concatenate([old.field("until").to_numpy(), rows.until])
    value = pa.concat_arrays([old.field("value"), column])
    numbers, distinct = ranked(value)
    rank = _preferred(function, numbers, len(distinct))
    low, high = line.head[group], line.stop[group]
    begins = np.flatnonzero((start > page.span.after) & (start <= to))
    low[begins] = page.find(group[begins], start[begins])
    ends = np.flatnonzero(until <= to)
    high[ends] = page.find(group[ends], until[ends])
    there = np.flatnonzero((line.head[group] >= 0) & (start <= to))
    best = _shown(function, low[there], high[there], rank[there], distinct, len(line))
    kept = _outliving(group, rank, until, start <= to, np.flatnonzero(until > to))
    offsets = np.append(0, np.cumsum(np.bincount(group[kept], minlength=len(known))))
    taken = [value.take(pa.array(kept)), pa.array(start[kept]), pa.array(until[kept])]
    steps = pa.StructArray.from_arrays(taken, names=["value", "start", "until"])
    return best, pa.ListArray.from_arrays(pa.array(offsets.astype(np.int32)), steps)


def _outliving(
    group: np.ndarray, rank: np.ndarray, until: np.ndarray, begun: np.ndarray, among: np.ndarray
) -> np.ndarray:
    """Those that stay longer than all better ones that have begun, by group."""
    order = among[np.lexsort((-until[among], rank[among], group[among]))]
    ticks = segments.distinct(until[order])
    lasting = np.searchsorted(ticks, until[order]) + 1
    floor = group[order] * (len(ticks) + 1)
    longest = np.maximum.accumulate(floor + np.where(begun[order], lasting, 0)) if len(order) else floor
    before = np.maximum(np.append(0, longest[:-1])[: len(order)], floor)
    return order[floor + lasting > before]
