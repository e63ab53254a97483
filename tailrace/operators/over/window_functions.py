"""Window functions: the values of each function at every row of sorted snapshots.

Sums over frames are differences of prefix sums. These are of whole numbers, also for DOUBLEs (exact_sums.py), so they
are exact. The least value of a frame is the lesser of those of two overlapping stretches of 2^k rows.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from tailrace.logical.over import NEIGHBOURS, PICKS, RANKS, Frame
from tailrace.operators.aggregates.aggregation import Aggregation, parts, taking_part
from tailrace.operators.aggregates.exact_sums import Sums
from tailrace.operators.aggregates.formulas import ALGEBRAIC
from tailrace.operators.aggregates.ranks import rank_values
from tailrace.operators.names import Names
from tailrace.operators.over.sorted_rows import SortedRows
from tailrace.stable_encoding import stable


@stable("operator-window-function")
@dataclass(frozen=True)
class WindowCall:
    """A window function of columns; `constant` is the distance of LAG, or the number of NTILE and NTH_VALUE."""

    call: Aggregation
    frame: Frame
    ignores_nulls: bool = False
    constant: int = 0

    def describe(self, names: Names) -> str:
        name = self.call.function
        if name in (*RANKS, *NEIGHBOURS, *PICKS):
            constant = [str(self.constant)] if self.constant else []
            text = f"{name.upper()}({', '.join([*(names[index] for index in self.call.arguments), *constant])})"
        else:
            text = self.call.describe(names)
        ignores = " IGNORE NULLS" if self.ignores_nulls else ""
        framed = name not in (*RANKS, *NEIGHBOURS) and not self.frame.is_whole
        return f"{text}{ignores}{f' {self.frame}' if framed else ''}"

    @property
    def is_aggregate(self) -> bool:
        return self.call.function not in (*RANKS, *NEIGHBOURS, *PICKS)

    def values(self, rows: SortedRows) -> pa.Array:
        """The function's value at each row."""
        name = self.call.function
        if name in RANKS:
            found = pa.array(RANK_VALUES[name](rows) if name != "ntile" else tiles(rows, self.constant))
        elif name in NEIGHBOURS:
            found = self.neighbours(rows)
        elif name in PICKS:
            found = self.picks(rows)
        elif name in ("min", "max"):
            found = extremes(self.call, rows, *rows.frame(self.frame))
        else:
            found = sums(self.call, rows, *rows.frame(self.frame))
        return found if found.type == self.call.type else found.cast(self.call.type)

    def neighbours(self, rows: SortedRows) -> pa.Array:
        """LAG and LEAD: the value of another row of the snapshot, or the default."""
        value, *default = (rows.columns[index] for index in self.call.arguments)
        steps = self.constant if self.call.function == "lead" else -self.constant
        if self.ignores_nulls and steps:
            known = Known.of(value, rows)
            wanted = known.before[rows.row] + steps if steps < 0 else known.before[rows.row + 1] + steps - 1
            there = (wanted >= known.before[rows.begin]) & (wanted < known.before[rows.end])
            place = known.rows_at(wanted)
        else:
            place = rows.row + steps
            there = (place >= rows.begin) & (place < rows.end)
        source = rows.source[np.where(there, place, 0)] if len(rows) else rows.source
        if not default:
            return value.take(pa.array(source, mask=~there))
        both = pa.concat_arrays([value, default[0]])
        return both.take(pa.array(np.where(there, source, len(value) + rows.source)))

    def picks(self, rows: SortedRows) -> pa.Array:
        """FIRST_VALUE, LAST_VALUE, NTH_VALUE: the value of a row of the frame; NULL if there is no such row."""
        value = rows.columns[self.call.arguments[0]]
        low, high = rows.frame(self.frame)
        known = Known.of(value, rows) if self.ignores_nulls else None
        if known is not None:
            low, high = known.before[low], known.before[high]
        wanted = high - 1 if self.call.function == "last_value" else low + max(self.constant - 1, 0)
        there = (wanted >= low) & (wanted < high)
        place = known.rows_at(wanted) if known is not None else np.where(there, wanted, 0)
        source = rows.source[np.where(there, place, 0)] if len(rows) else rows.source
        return value.take(pa.array(source, mask=~there))


@dataclass(frozen=True)
class Known:
    """The rows whose value is not NULL, and how many of them stand before each row."""

    rows: np.ndarray
    before: np.ndarray

    @staticmethod
    def of(value: pa.Array, rows: SortedRows) -> Known:
        known = value.is_valid().to_numpy(zero_copy_only=False)[rows.source]
        return Known(np.flatnonzero(known), np.append(0, np.cumsum(known)))

    def rows_at(self, numbers: np.ndarray) -> np.ndarray:
        """The rows of these numbers among them; any row for a number that there is not."""
        if not len(self.rows):
            return np.zeros(len(numbers), np.int64)
        return self.rows[np.clip(numbers, 0, len(self.rows) - 1)]


def tiles(rows: SortedRows, count: int) -> np.ndarray:
    """NTILE: the rows of a snapshot in `count` parts, the first of which are larger by one row if need be."""
    place = rows.row - rows.begin
    size, larger = np.divmod(rows.end - rows.begin, count)
    edge = larger * (size + 1)
    return np.where(place < edge, place // (size + 1), larger + (place - edge) // np.maximum(size, 1)) + 1


RANK_VALUES: dict[str, Callable[[SortedRows], np.ndarray]] = {
    "row_number": lambda rows: rows.row - rows.begin + 1,
    "rank": lambda rows: rows.peers_begin - rows.begin + 1,
    "dense_rank": lambda rows: rows.group - rows.group[rows.begin] + 1,
    "percent_rank": lambda rows: (rows.peers_begin - rows.begin) / np.maximum(rows.end - rows.begin - 1, 1),
    "cume_dist": lambda rows: (rows.peers_end - rows.begin) / (rows.end - rows.begin),
}


def sums(of: Aggregation, rows: SortedRows, low: np.ndarray, high: np.ndarray) -> pa.Array:
    """COUNT, SUM, AVG, STDDEV, …: formulas over sums of the frame."""
    count = len(rows.peer)
    mask = taking_part(rows.columns, of.arguments, of.filter)
    chosen = np.arange(count) if mask is None else np.flatnonzero(mask)
    family = ALGEBRAIC[of.function]
    totals: list[Sums] = []
    for quantity in family.quantities(of):
        column = None if quantity.column is None else rows.columns[quantity.column].take(pa.array(chosen))
        found: Sums = {} if quantity.is_exact else {0: np.zeros(len(rows), np.int64)}
        for bin, part in parts(quantity, column, len(chosen)):
            amounts = np.zeros(count, np.int64)
            amounts[chosen] = part
            prefix = np.append(0, np.cumsum(amounts[rows.source]))
            found[bin] = found.get(bin, 0) + prefix[high] - prefix[low]
        totals.append(found)
    types = [rows.columns[index].type for index in of.arguments[:1]]
    return family.result(of, totals, sum(type.scale for type in types if pa.types.is_decimal(type)))


def extremes(of: Aggregation, rows: SortedRows, low: np.ndarray, high: np.ndarray) -> pa.Array:
    """MIN and MAX: the least or greatest rank in the frame."""
    numbers, values = rank_values(rows.columns[of.arguments[0]])
    best, nothing = (np.minimum, len(values)) if of.function == "min" else (np.maximum, -1)
    mask = taking_part(rows.columns, of.arguments, of.filter)
    numbers = numbers if mask is None else np.where(mask, numbers, nothing)
    found = over_stretches(numbers[rows.source], low, high, best, nothing)
    return values.take(pa.array(found, mask=found == nothing))


def over_stretches(numbers: np.ndarray, low: np.ndarray, high: np.ndarray, best: np.ufunc, nothing: int) -> np.ndarray:
    """The best of the numbers low[i] … high[i] − 1 for each i; `nothing` for an empty stretch.

    >>> over_stretches(np.array([5, 3, 4]), np.array([0, 1, 2]), np.array([3, 1, 3]), np.minimum, 9).tolist()
    [3, 9, 4]
    """
    length = high - low
    found = np.full(len(low), nothing)
    level = np.frexp(length.astype(np.float64))[1] - 1
    table = numbers
    for step in range(int(level.max(initial=-1)) + 1):
        mine = np.flatnonzero(level == step)
        found[mine] = best(table[low[mine]], table[high[mine] - (1 << step)])
        table = best(table[: -(1 << step)], table[1 << step :])
    return found
