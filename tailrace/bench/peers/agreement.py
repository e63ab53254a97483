"""Agreement: whether the answers of two systems to one question are the same.

Tailrace answers with a stream, or with the changes of a relation (`_op` is `+` or `-`). Flink answers with rows, each
for its own moment. Four forms of comparison: streams as multisets of rows (`rows`); relations at the end of each minute
(`windows`), at the moments of arrivals (`arrivals`), or at the end of the run (`end`).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.csv as pc
import pyarrow.parquet as pq

from tailrace.bench.peers.questions import ORIGIN, Question

TYPES = {"INT": pa.int32(), "BIGINT": pa.int64(), "DOUBLE": pa.float64(), "TIMESTAMP(3)": pa.timestamp("ms")}
CHANGE = re.compile(r"([+-])[IUD]\[([\d, ]+)\]")  # the letter says why: insert, update, delete
EXACT = 1e-9  # of what doubles may differ by, relative to their size
Row = tuple[Hashable, ...]


@dataclass(frozen=True)
class Agreement:
    """How many rows were compared, how many of them differ, and one that does."""

    rows: int
    differing: int = 0
    example: str = ""

    def describe(self) -> str:
        """One phrase for the table.

        >>> Agreement(1200).describe(), Agreement(1200, 3, "(7, 1)").describe()
        ('1,200 rows agree', '3 of 1,200 rows DIFFER, such as (7, 1)')
        """
        if not self.rows:
            return "no rows to compare"
        return (
            f"{self.differing:,} of {self.rows:,} rows DIFFER, such as {self.example}"
            if self.differing
            else (f"{self.rows:,} rows agree")
        )


def compare(question: Question, tailrace: Path, flink: Path) -> Agreement:
    """Compare what both systems wrote: Tailrace below a folder; Flink below a folder, or its changes in a file."""
    mine = read_tailrace(tailrace)
    if question.form == "end":
        return compare_rows(rows_at_end(mine, question.columns), read_changes(flink))
    theirs = read_flink(question, flink)
    if question.form == "rows":
        return compare_rows(iterate_rows(mine, question.columns), iterate_rows(theirs, question.columns))
    theirs = theirs.drop_duplicates(["seg", "at"], keep="last").sort_values("at", kind="stable")
    if question.form == "windows":
        theirs = fill_grid(theirs, mine["_ts"].max())
    return compare_relation(mine, theirs, question.columns[2:])


# Reading -----------------------------------------------------------------------------------------------------------


def read_tailrace(folder: Path) -> pd.DataFrame:
    """All rows of all queries, in the order of time; timestamps without a time zone."""
    tables = [pq.read_table(query) for query in sorted(folder.iterdir()) if list(query.glob("*.parquet"))]
    found = pa.concat_tables(tables).to_pandas()
    for name in found.select_dtypes("datetimetz"):
        found[name] = found[name].dt.tz_convert("UTC").dt.tz_localize(None)
    return found.sort_values("_ts", kind="stable")


def read_flink(question: Question, folder: Path) -> pd.DataFrame:
    """All rows that Flink wrote as csv files."""
    kinds = {name: TYPES[kind] for name, kind in (column.split() for column in question.answer.split(", "))}
    reading = pc.ReadOptions(column_names=list(kinds))
    files = [file for file in sorted(folder.rglob("*")) if file.is_file() and file.stat().st_size]
    options = pc.ConvertOptions(column_types=kinds)
    return pa.concat_tables([pc.read_csv(file, reading, convert_options=options) for file in files]).to_pandas()


def read_changes(file: Path) -> list[Row]:
    """The rows of whole numbers that are left after the changes that Flink printed, such as `1> +U[7, 12]`."""
    found = map(CHANGE.search, file.read_text(encoding="utf-8").splitlines())
    return apply_changes((each[1], tuple(map(int, each[2].split(", ")))) for each in found if each)


# Comparing ---------------------------------------------------------------------------------------------------------


def apply_changes(changes: Iterable[tuple[str, Row]]) -> list[Row]:
    """The rows that are left in the end.

    >>> apply_changes([("+", (1, 5)), ("-", (1, 5)), ("+", (1, 6))])
    [(1, 6)]
    """
    left: Counter[Row] = Counter()
    for sign, row in changes:
        left[row] += 1 if sign == "+" else -1
    return list(left.elements())


def rows_at_end(changes: pd.DataFrame, columns: list[str]) -> list[Row]:
    return apply_changes(zip(changes["_op"], iterate_rows(changes, columns), strict=True))


def iterate_rows(frame: pd.DataFrame, columns: list[str]) -> Iterator[Row]:
    yield from frame[columns].itertuples(index=False, name=None)


def compare_rows(mine: Iterable[Row], theirs: Iterable[Row]) -> Agreement:
    """Compare two multisets of rows.

    >>> compare_rows([(1, 2), (1, 2)], [(1, 2), (1, 3)]).describe()
    '2 of 3 rows DIFFER, such as (1, 2)'
    """
    one, two = Counter(mine), Counter(theirs)
    differing = (one - two) + (two - one)
    example = min(map(repr, differing), default="")
    return Agreement((one | two).total(), differing.total(), example)


def compare_relation(changes: pd.DataFrame, asked: pd.DataFrame, values: list[str]) -> Agreement:
    """Compare a relation, given by its changes, with rows that say what it has for a segment at a moment.

    A row without values says that the relation has no row for the segment then.
    """
    states = changes.copy()
    # Of the changes of a segment at one moment the insertion counts, if there is one.
    states = states.sort_values(["_ts", "_op"], key=lambda each: each == "+" if each.name == "_op" else each)
    states = states.drop_duplicates(["seg", "_ts"], keep="last")
    states[values] = states[values].astype(float).where(states["_op"] == "+", axis=0)
    states = states[["seg", "_ts", *values]].rename(columns={"_ts": "at"}).sort_values("at", kind="stable")
    keys = {"seg": "int64", "at": "datetime64[us]"}  # pandas joins equal types alone
    found = pd.merge_asof(asked.astype(keys), states.astype(keys), on="at", by="seg", suffixes=("_theirs", ""))
    same = np.ones(len(found), bool)
    for value in values:
        mine, theirs = found[value].to_numpy(float), found[f"{value}_theirs"].to_numpy(float)
        same &= np.isclose(mine, theirs, rtol=EXACT, atol=0, equal_nan=True)
    wrong = found[~same]
    example = str(wrong.iloc[0].to_dict()) if len(wrong) else ""
    return Agreement(len(found), len(wrong), example)


def fill_grid(windows: pd.DataFrame, last: pd.Timestamp) -> pd.DataFrame:
    """A row for each segment at the end of each window up to `last`; without values where a segment has no row.

    The window that ends with the first instant is left out: CQL's is empty then (semantics B.2).
    """
    whole = windows[(windows["at"] > pd.Timestamp(ORIGIN)) & (windows["at"] <= last)]
    grid = pd.MultiIndex.from_product(
        [sorted(whole["at"].unique()), sorted(whole["seg"].unique())], names=["at", "seg"]
    )
    return whole.set_index(["at", "seg"]).reindex(grid).reset_index()
