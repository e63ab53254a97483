"""MIN, MAX: the least or greatest value other than NULL; NULL if there is none.

A value covers the stretches of the timeline in which the group has it; at each row the best value that covers it is the
result. If tuples are never retracted (`stairs`), only those are remembered that no better one outlives: from the best
value to the worst, their ends rise like stairs.
"""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from tailrace.columnar import segments
from tailrace.operators.aggregates.aggregation import null_where
from tailrace.operators.aggregates.group_state import GroupBatch, GroupRows, Timeline
from tailrace.operators.aggregates.order_statistics import Events
from tailrace.operators.aggregates.ranks import encode_order


def result(function: str, events: Events, values: pa.Array, line: Timeline) -> pa.Array:
    """The best value at each row of the timeline."""
    rank = _rank_by_preference(function, events.rank, len(values))
    group = line.group[events.row]
    pairs, pair = np.unique(group * max(len(values), 1) + rank, return_inverse=True)
    cells, of = segments.cells(pair, events.row)
    counts = segments.sum_by_place(of, events.change, len(cells))
    starts = segments.heads(cells.group)
    low, high = segments.positive(segments.running_sums(counts, starts), starts)
    group, rank = np.divmod(pairs[cells.group[low]], max(len(values), 1))
    ends = np.append(cells.instant, 0)[high]
    open_ = np.append(cells.group, -1)[high] != cells.group[low]
    best, shown = _best(cells.instant[low], np.where(open_, line.stop[group], ends), rank, len(line))
    best = _rank_by_preference(function, best, len(values))
    return values.take(pa.array(np.where(shown, best, 0), mask=~shown))


def _rank_by_preference(function: str, rank: np.ndarray, count: int) -> np.ndarray:
    """Ranks of which the least is the best: for MAX they are turned round. Applied twice, it gives the ranks again."""
    return count - 1 - rank if function == "max" else rank


def _best(low: np.ndarray, high: np.ndarray, rank: np.ndarray, length: int) -> tuple[np.ndarray, np.ndarray]:
    """The least rank that covers each row, and whether there is any; ranks cover the rows low … high − 1."""
    best = segments.least_covering_rank(low, high, rank, length, np.iinfo(np.int64).max)
    ones = np.ones(len(low), np.int64)
    depth = segments.sum_by_place(low, ones, length + 1) - segments.sum_by_place(high, ones, length + 1)
    return best, np.cumsum(depth)[:length] > 0


def stairs_type(value: pa.DataType) -> pa.DataType:
    return pa.list_(pa.struct([("value", value), ("start", pa.int64()), ("until", pa.int64())]))


def stairs(
    function: str, known: pa.Array, page: GroupBatch, rows: GroupRows, column: pa.Array
) -> tuple[pa.Array, pa.Array]:
    """The best value at each row of the timeline, and the tuples of each group that still matter; nothing is retracted.

    `known` has the tuples that mattered before the batch, a list for each group; `column` has the value of each row,
    none of them NULL. A tuple matters while no tuple that is at least as good has begun and lasts at least as long.
    """
    line, to = page.timeline, page.span.to
    old = known.flatten()
    lengths = np.asarray(known.value_lengths().fill_null(0).to_numpy(zero_copy_only=False))
    group = np.concatenate([np.repeat(np.arange(len(known)), lengths), rows.group])
    start = np.concatenate([old.field("start").to_numpy(), rows.start])
    until = np.concatenate([old.field("until").to_numpy(), rows.until])
    value = pa.concat_arrays([old.field("value"), column])
    codes, back = encode_order(value)
    # ~ reverses the order of numbers; applied twice, it gives the number again.
    rank = ~codes if function == "max" else codes
    low, high = _stretch(page, rows, group, start, until)
    there = np.flatnonzero((low >= 0) & (start <= to))
    best, shown = _best(low[there], high[there], rank[there], len(line))
    best = np.where(shown, ~best if function == "max" else best, codes[:1] if len(codes) else 0)
    found = back(best) if len(codes) else pa.nulls(len(line), column.type)
    kept = _find_outliving(group, rank, until, start <= to, np.flatnonzero(until > to))
    offsets = np.append(0, np.cumsum(np.bincount(group[kept], minlength=len(known))))
    taken = [value.take(pa.array(kept)), pa.array(start[kept]), pa.array(until[kept])]
    steps = pa.StructArray.from_arrays(taken, names=["value", "start", "until"])
    return null_where(~shown, found), pa.ListArray.from_arrays(pa.array(offsets.astype(np.int32)), steps)


def _stretch(
    page: GroupBatch, rows: GroupRows, group: np.ndarray, start: np.ndarray, until: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """The rows of the timeline between which each tuple is in its group: remembered tuples first, then new ones."""
    line, old = page.timeline, len(group) - len(rows.group)
    low, high = line.head[group], line.stop[group]
    low[old:] = line.of_cell[rows.begin]
    begins = np.flatnonzero((start[:old] > page.span.after) & (start[:old] <= page.span.to))
    low[begins] = page.find(group[begins], start[begins])
    end = line.of_cell[rows.end]
    high[old + rows.ends[end >= 0]] = end[end >= 0]
    ends = np.flatnonzero(until[:old] <= page.span.to)
    high[ends] = page.find(group[ends], until[ends])
    return low, high


def _find_outliving(
    group: np.ndarray, rank: np.ndarray, until: np.ndarray, begun: np.ndarray, among: np.ndarray
) -> np.ndarray:
    """Those of the tuples `among` all that last longer than every better tuple of their group that has begun."""
    order = among[np.lexsort((-until[among], rank[among], group[among]))]
    ticks = segments.distinct(until[order])
    lasting = np.searchsorted(ticks, until[order]) + 1
    floor = group[order] * (len(ticks) + 1)
    longest = np.maximum.accumulate(floor + np.where(begun[order], lasting, 0)) if len(order) else floor
    before = np.maximum(np.append(0, longest[:-1])[: len(order)], floor)
    return order[floor + lasting > before]
