"""CACQ: many queries over one stream, beside plain Spark in its best form: a join with a table of the queries.

Queries are drawn as in CACQ §3.2.8: for each of five fields there is a predicate with a chance of one half: one of <,
>, <= and >= with a constant of 0 … 99, as are the fields' values. Each query counts what it selects.
"""

from __future__ import annotations

import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from random import Random
from statistics import median

from tailrace.bench import data, routing
from tailrace.bench.lines import Line, Say
from tailrace.bench.windows import MASTER
from tailrace.engine.compile import compile_script
from tailrace.engine.run import run_once
from tailrace.errors import RunError, Source
from tailrace.outcome import Progress

FIELDS, VALUES = "abcde", 100
SCHEMA = ", ".join(f"{field} INT" for field in FIELDS)
OPERATORS = ("<", ">", "<=", ">=")
Bounds = dict[str, tuple[int, int]]  # by field the least and the greatest value


@dataclass(frozen=True)
class Size:
    """So many queries; how many rows each system gets, the slower one fewer."""

    queries: int
    rows: int
    plain_rows: int
    files: int = 5


SIZES = [Size(1_000, 2_000_000, 500_000), Size(10_000, 1_000_000, 100_000)]
QUICK = [Size(50, 10_000, 10_000, 2)]


def drawn(count: int, seed: int = 3) -> list[dict[str, tuple[str, int]]]:
    """So many queries: for each the fields it has a predicate on, with the operator and the constant.

    >>> drawn(2)
    [{'a': ('>', 47), 'c': ('<', 77), 'd': ('>=', 33)}, {'a': ('>=', 69), 'c': ('>', 29)}]
    """
    chance = Random(seed)
    return [
        {field: (chance.choice(OPERATORS), chance.randrange(VALUES)) for field in FIELDS if chance.random() < 0.5}
        for _ in range(count)
    ]


def where(query: dict[str, tuple[str, int]]) -> str:
    parts = [f"{field} {operator} {constant}" for field, (operator, constant) in query.items()]
    return " AND ".join(parts) or f"{FIELDS[0]} >= 0"


def bounds(query: dict[str, tuple[str, int]]) -> Bounds:
    """The same as the least and greatest value of each field."""
    found = dict.fromkeys(FIELDS, (0, VALUES))
    for field, (operator, constant) in query.items():
        edge = constant + {"<": -1, ">": 1}.get(operator, 0)
        found[field] = (0, edge) if "<" in operator else (edge, VALUES)
    return found


def script(queries: list[dict[str, tuple[str, int]]]) -> str:
    """Their counts, over a stream that is stamped at arrival."""
    stream = f"CREATE STREAM S ({SCHEMA}) USING parquet OPTIONS (path 'S', maxFilesPerTrigger '1');"
    created = [
        f"CREATE QUERY q{number} INTO noop AS SELECT COUNT(*) AS n FROM S WHERE {where(query)};"
        for number, query in enumerate(queries)
    ]
    return "\n".join([stream, *created])


def rate(ends: list[tuple[int, float]], rows: int) -> float:
    """Rows a second after the first micro-batch."""
    (first, begun), (last, ended) = ends[0], ends[-1]
    if last != rows:
        raise RunError(f"{last:,} rows were read of {rows:,}")
    return (last - first) / (ended - begun)


def tailrace(size: Size, folder: Path, times: int) -> tuple[list[float], float]:
    """Rows a second of each run, and the seconds it took to register the queries."""
    begun = time.perf_counter()
    found = compile_script(Source(script(drawn(size.queries)), "cacq.cql"), folder)
    registered = time.perf_counter() - begun
    rates = []
    for _ in range(times):
        ends: list[tuple[int, float]] = []

        def watch(progress: Progress, ends: list[tuple[int, float]] = ends) -> None:
            ends.append((progress.rows, time.perf_counter()))

        run_once(found, str(folder), None, MASTER, lambda query, names, rows: None, watch)
        rates.append(rate(ends, size.rows))
    return rates, registered


def plain(size: Size, folder: Path, times: int) -> list[float]:
    from tailrace.spark.plain import run_plain_members

    rows = [bounds(query) for query in drawn(size.queries)]
    return [
        rate(
            run_plain_members(str(folder / "S"), SCHEMA, rows, str(folder / f"plain-{number}"), MASTER),
            size.plain_rows,
        )
        for number in range(times)
    ]


def measure(quick: bool, say: Say) -> list[Line]:
    """For each number of queries, rows a second of both."""
    found = routing.measure(quick, say)
    for size in QUICK if quick else SIZES:
        with tempfile.TemporaryDirectory(prefix="tailrace-bench-") as folder:
            ours, theirs = Path(folder) / "ours", Path(folder) / "plain"
            say(f"cacq: making {size.rows:,} rows")
            data.write(data.fields(size.rows, FIELDS, VALUES), ours / "S", size.files)
            data.write(data.fields(size.plain_rows, FIELDS, VALUES), theirs / "S", size.files)
            times = 1 if quick else 3
            say(f"cacq: {size.queries:,} queries, Tailrace")
            # The first run of each warms up.
            rates, registered = tailrace(size, ours, times + 1)
            say(f"cacq: {size.queries:,} queries, plain Spark")
            beside = median(plain(size, theirs, times + 1)[1:])
            value = median(rates[1:])
            more = {"seconds to register": registered}
            name = f"{size.queries:,} queries"
            found.append(
                Line(name, value, "rows/s", "Spark's join with a table of queries", beside, value / beside, more)
            )
    return found
