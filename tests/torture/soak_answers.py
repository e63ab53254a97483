"""Answers of a soak: its standing queries, what each must have in its sink, and how that differs from what is there.

What must be there is computed with NumPy from the rows that were fed, query by query, by the definition of the query
and in nothing like the way the engine goes. `test_soak.py` compares it with `tailrace.testing` on few rows.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv as pc
import pyarrow.parquet as pq

from tests.torture.soak_rows import Columns, SoakRows

DECLARED = "(ts BIGINT, n BIGINT, k INT, v INT, j INT, d INT)"
READ = "{declared} USING parquet OPTIONS (path '{name}') TIMESTAMP BY ts DELAY 2 SECONDS"
MINUTE, SHORT, NEAR = 60, 10, 5  # seconds of windows; [RANGE T] holds T + 1 instants
GROUPS = 10
MEMBERS, APART, WIDE = 20, 50, 10  # filters that are alike, and the values that each of them selects

Inputs = dict[str, Columns]
Rows = list[np.ndarray]  # a column each; `_op` is 1 or -1, and fractions are there as their bits


@dataclass(frozen=True)
class SoakQuery:
    """A standing query: its text, the format of its sink, the columns there, and what must be in them."""

    name: str
    text: str
    format: str
    columns: tuple[str, ...]
    expect: Callable[[Inputs], Rows]

    @property
    def statement(self) -> str:
        more = ", header 'true'" if self.format == "csv" else ""
        options = f"OPTIONS (path 'answers/{self.name}'{more})"
        return f"CREATE QUERY {self.name} INTO {self.format} {options} AS {self.text};"


def filter_thirds(inputs: Inputs) -> Rows:
    return select_rows(inputs["S"], inputs["S"]["v"] % 3 == 0, ("ts", "n", "k", "v"))


def filter_between(least: int) -> Callable[[Inputs], Rows]:
    """What one of the filters that are alike selects."""

    def select(inputs: Inputs) -> Rows:
        values = inputs["S"]["v"]
        return select_rows(inputs["S"], (values >= least) & (values < least + WIDE), ("ts", "n", "v"))

    return select


def select_rows(columns: Columns, chosen: np.ndarray, names: Iterable[str]) -> Rows:
    return [columns[name][chosen].astype(np.int64) for name in names]


def count_by(columns: Columns, keys: np.ndarray, many: int, until: int, weights: np.ndarray | None) -> np.ndarray:
    """For each instant before `until` and each key, how many rows there are, or the sum of their weights."""
    cells = columns["ts"] * many + keys
    found = np.bincount(cells, weights, minlength=until * many)
    return found.astype(np.int64).reshape(until, many)


def average_keys(inputs: Inputs) -> Rows:
    """The average of each key over a minute: sums from the beginning, less those of a minute before."""
    columns = inputs["S"]
    until, many = int(columns["ts"].max()) + MINUTE + 2, int(columns["k"].max()) + 1
    counts, sums = (
        running - np.vstack([np.zeros((MINUTE + 1, many), np.int64), running[: -MINUTE - 1]])
        for weights in (None, columns["v"])
        for running in [count_by(columns, columns["k"], many, until, weights).cumsum(axis=0)]
    )
    means = np.divide(sums, counts, out=np.zeros(sums.shape), where=counts > 0)
    return changes_of(counts > 0, [means.view(np.int64)])


def total_groups(inputs: Inputs) -> Rows:
    """Counts and sums since the beginning: an error anywhere would stay to the end."""
    columns = inputs["S"]
    until, keys = int(columns["ts"].max()) + 1, columns["k"] % GROUPS
    counts, sums = (count_by(columns, keys, GROUPS, until, weights).cumsum(axis=0) for weights in (None, columns["v"]))
    return changes_of(counts > 0, [counts, sums])


def changes_of(present: np.ndarray, values: list[np.ndarray]) -> Rows:
    """The changelog of a relation with at most one row of each key, from whether it is there and its values.

    All arrays have a row for each instant and a column for each key. Columns of the result: `_ts`, `_op`, key, values.
    """
    there = np.vstack([np.zeros_like(present[:1]), present])
    held = [np.vstack([np.zeros_like(value[:1]), value]) for value in values]
    differs = there[1:] != there[:-1]
    for value in held:
        differs |= there[1:] & (value[1:] != value[:-1])
    found = []
    for sign, part in ((1, slice(1, None)), (-1, slice(None, -1))):
        instants, keys = np.nonzero(differs & there[part])
        found.append([instants, np.full(len(keys), sign), keys, *(value[part][instants, keys] for value in held)])
    return [np.concatenate(both) for both in zip(*found, strict=True)]


def distinct_values(inputs: Inputs) -> Rows:
    """From when until when each value is there: from a row on until nothing of the last instants has it."""
    columns = inputs["S"]
    chosen = columns["v"] < 100
    at, value = columns["ts"][chosen], columns["d"][chosen].astype(np.int64)
    order = np.lexsort((at, value))
    at, value = at[order], value[order]
    after = at + SHORT + 1  # the instant at which a row is not there any more
    first = np.ones(len(at), bool)
    first[1:] = (value[1:] != value[:-1]) | (at[1:] > after[:-1])
    last = np.append(first[1:], True)
    signs = np.repeat([1, -1], [first.sum(), last.sum()])
    return [np.concatenate([at[first], after[last]]), signs, np.concatenate([value[first], value[last]])]


def join_streams(inputs: Inputs) -> Rows:
    """All pairs of one key that are at most so many instants apart, at the later one's instant."""
    left, right = inputs["S"], inputs["R"]
    until = int(max(left["ts"].max(), right["ts"].max())) + NEAR + 1
    places = right["j"] * np.int64(2 * until) + right["ts"]
    order = np.argsort(places, kind="stable")
    wanted = left["j"] * np.int64(2 * until) + left["ts"]
    begin, end = (
        np.searchsorted(places[order], wanted + way * NEAR, side) for way, side in ((-1, "left"), (1, "right"))
    )
    many = end - begin
    one = np.repeat(np.arange(len(wanted)), many)
    other = order[np.arange(many.sum()) - np.repeat(many.cumsum() - many, many) + np.repeat(begin, many)]
    instants = np.maximum(left["ts"][one], right["ts"][other])
    return [instants, left["n"][one], right["n"][other], left["j"][one].astype(np.int64)]


QUERIES = (
    SoakQuery("thirds", "SELECT n, k, v FROM S WHERE v % 3 = 0", "csv", ("_ts", "n", "k", "v"), filter_thirds),
    SoakQuery(
        "averages",
        f"SELECT k, AVG(v) AS mean FROM S [RANGE {MINUTE} SECONDS] WHERE v >= 0 GROUP BY k",
        "parquet",
        ("_ts", "_op", "k", "mean"),
        average_keys,
    ),
    SoakQuery(
        "totals",
        f"SELECT k % {GROUPS} AS b, COUNT(*) AS n, SUM(v) AS s FROM S [RANGE UNBOUNDED] WHERE v >= 0 "
        f"GROUP BY k % {GROUPS}",
        "json",
        ("_ts", "_op", "b", "n", "s"),
        total_groups,
    ),
    SoakQuery(
        "values_seen",
        f"SELECT DISTINCT d FROM S [RANGE {SHORT} SECONDS] WHERE v >= 0 AND v < 100",
        "parquet",
        ("_ts", "_op", "d"),
        distinct_values,
    ),
    SoakQuery(
        "pairs",
        f"SELECT ISTREAM(S.n AS left_n, R.n AS right_n, S.j AS j) FROM S [RANGE {NEAR} SECONDS], "
        f"R [RANGE {NEAR} SECONDS] WHERE S.j = R.j AND S.v >= 0",
        "parquet",
        ("_ts", "left_n", "right_n", "j"),
        join_streams,
    ),
    *(
        SoakQuery(
            f"between_{least}",
            f"SELECT n, v FROM S WHERE v >= {least} AND v < {least + WIDE}",
            "parquet",
            ("_ts", "n", "v"),
            filter_between(least),
        )
        for least in range(0, MEMBERS * APART, APART)
    ),
)


def script() -> str:
    """The sources and all standing queries."""
    sources = [f"CREATE STREAM {name} {READ.format(declared=DECLARED, name=name)};" for name in "SR"]
    return "\n".join([*sources, *(query.statement for query in QUERIES)])


# What is in the sinks ---------------------------------------------------------------------------------------


def read_sink(query: SoakQuery, folder: Path) -> Rows:
    """All rows in the sink of a query, as those that are expected."""
    tables = [read_file(file, query.columns) for file in sorted((folder / query.name).glob("part-*"))]
    columns: list[list[np.ndarray]] = [[np.empty(0, np.int64)] for _ in query.columns]
    for table in tables:
        for name, parts in zip(query.columns, columns, strict=True):
            parts.append(as_numbers(table[name]))
    return [np.concatenate(parts) for parts in columns]


def read_file(file: Path, columns: tuple[str, ...]) -> pa.Table:
    if file.suffix == ".parquet":
        return pq.read_table(file)
    if file.suffix == ".csv":
        return pc.read_csv(file)
    rows = [json.loads(line) for line in file.read_text().splitlines()]
    return pa.table({name: [row[name] for row in rows] for name in columns})


def as_numbers(column: pa.ChunkedArray) -> np.ndarray:
    """A column as integers: signs as 1 and -1, fractions as their bits."""
    if pa.types.is_string(column.type):
        return np.where(column.to_numpy() == "+", 1, -1).astype(np.int64)
    if pa.types.is_null(column.type):
        return np.empty(0, np.int64)
    values = column.to_numpy()
    return values.view(np.int64) if values.dtype == np.float64 else values.astype(np.int64)


@dataclass(frozen=True)
class Comparison:
    """How many rows there must be, and how many are missing, there too often, or such as must not be there at all."""

    rows: int
    lost: int = 0
    doubled: int = 0
    wrong: int = 0
    examples: tuple[str, ...] = ()

    @property
    def is_exact(self) -> bool:
        return not (self.lost or self.doubled or self.wrong)


def compare_rows(expected: Rows, found: Rows, shown: int = 3) -> Comparison:
    """Compare two multisets of rows.

    >>> compare_rows([np.array([1, 2, 3])], [np.array([2, 1, 2, 5])])
    Comparison(rows=3, lost=1, doubled=1, wrong=1, examples=('lost (3,)', 'doubled (2,)', 'wrong (5,)'))
    """
    size = len(expected[0])
    both = [np.concatenate(columns) for columns in zip(expected, found, strict=True)]
    order = np.lexsort(both[::-1])
    both = [column[order] for column in both]
    first = np.ones(len(order), bool)
    first[1:] = np.logical_or.reduce([column[1:] != column[:-1] for column in both])
    begins = np.flatnonzero(first)
    is_wanted = (order < size).astype(np.int64)
    if not len(begins):
        return Comparison(0)
    wanted = np.add.reduceat(is_wanted, begins)
    had = np.add.reduceat(1 - is_wanted, begins)
    kinds = {
        "lost": np.maximum(wanted - had, 0),
        "doubled": np.where(wanted > 0, np.maximum(had - wanted, 0), 0),
        "wrong": np.where(wanted == 0, had, 0),
    }
    examples = [
        f"{kind} ({', '.join(str(column[begins[place]]) for column in both)}{',' * (len(both) == 1)})"
        for kind, counts in kinds.items()
        for place in np.flatnonzero(counts)[:shown]
    ]
    return Comparison(size, *(int(counts.sum()) for counts in kinds.values()), tuple(examples))


def compare_sinks(rows: SoakRows, seconds: int, folder: Path) -> dict[str, Comparison]:
    """Compare the sinks of all queries with what they must have after so many seconds of rows."""
    inputs = {source: rows.all(source, seconds) for source in "SR"}
    return {query.name: compare_rows(query.expect(inputs), read_sink(query, folder)) for query in QUERIES}
