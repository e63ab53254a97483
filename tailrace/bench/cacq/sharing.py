"""Sharing: how many tuples reach queries in a second, by number of queries and of sources (CACQ Fig. 6 and 7).

Physical plans run in this process: one plan for all queries over a source, beside a plan for each query.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from random import Random
from statistics import median

import numpy as np
import pyarrow as pa

from tailrace.bench.cacq.random_predicates import FIELDS, OPERATORS, SCHEMA, VALUES, random_queries, where
from tailrace.bench.inputs.in_process import alone, together
from tailrace.bench.report.lines import BenchLine, Curve, Figure, Say
from tailrace.columnar.delta import Delta, elements
from tailrace.engine.pipeline import PlanningSession, compile_script
from tailrace.errors import RunError, Source
from tailrace.operators.local_run import LocalRun
from tailrace.operators.plan import PhysicalPlan

COUNTS, QUICK_COUNTS = (1, 2, 5, 10, 20, 50, 100, 200), (1, 20)
SOURCES, QUICK_SOURCES = (1, 2, 5, 10, 15, 20), (1, 20)
ROWS, QUICK_ROWS = 20_000, 2_000  # of a batch
BATCHES = 7
ON_SOURCES = 20  # queries of Fig. 7
STREAM = f"CREATE STREAM {{}} (id INT, {SCHEMA}) TIMESTAMP BY ts;"

Batch = dict[str, Delta]


def compile_queries(sources: Sequence[str], queries: Sequence[tuple[str, str]], select: str = "id") -> PlanningSession:
    """A script of queries, given the source and the predicate of each."""
    texts = [STREAM.format(source) for source in sources]
    for number, (source, wanted) in enumerate(queries):
        texts.append(f"CREATE QUERY q{number} AS SELECT {select} FROM {source} WHERE {wanted};")
    return compile_script(Source("\n".join(texts), "sharing.cql"))


def eddies(queries: PlanningSession) -> list[PhysicalPlan]:
    """A plan for each query, with an eddy of its own."""
    return [together(queries, [name]) for name in queries.program.queries]


def batches(sources: Sequence[str], rows: int, seed: int = 7) -> list[Batch]:
    """Batches of `rows` rows, an equal number from each source."""
    chance = np.random.default_rng(seed)
    each, found = max(rows // len(sources), 1), []
    for instant in range(BATCHES + 1):
        batch = {}
        for source in sources:
            values = [np.arange(each), *(chance.integers(0, VALUES, each) for _ in FIELDS)]
            batch[source] = elements(np.full(each, instant), [pa.array(part.astype(np.int32)) for part in values])
        found.append(batch)
    return found


def measure_plans(plans: Sequence[PhysicalPlan], given: Sequence[Batch]) -> tuple[float, float]:
    """The fewest seconds that the plans take for a batch after the first, and the tuples that their queries get."""
    runs = [LocalRun(plan) for plan in plans]
    seconds, tuples = [], []
    for instant, batch in enumerate(given):
        begun = time.perf_counter()
        answers = [answer for run in runs for answer in run.batch(batch, instant).values()]
        seconds.append(time.perf_counter() - begun)
        tuples.append(sum(len(answer) for answer in answers))
    return min(seconds[1:]), median(tuples[1:])


SYSTEMS: dict[str, Callable[[PlanningSession], list[PhysicalPlan]]] = {
    "one flow": lambda queries: [together(queries)],
    "an eddy each": eddies,
    "a filter each": alone,
}


def by_queries(quick: bool, say: Say) -> list[BenchLine | Figure]:
    """Fig. 6: queries drawn as in CACQ §3.2.8 over one source.

    They get their tuples or, in another figure, count them.
    """
    given = batches(["S"], QUICK_ROWS if quick else ROWS)
    counts = QUICK_COUNTS if quick else COUNTS
    got: dict[str, list[tuple[float, float]]] = {name: [] for name in SYSTEMS}
    counted: dict[str, list[tuple[float, float]]] = {name: [] for name in ("one flow", "a filter each")}
    for count in counts:
        say(f"cacq: fig6, {count} queries")
        queries = [("S", where(query)) for query in random_queries(count)]
        tuples_of, counts_of = compile_queries(["S"], queries), compile_queries(["S"], queries, "COUNT(*) AS n")
        delivered = set()
        for name, lowered in SYSTEMS.items():
            seconds, tuples = measure_plans(lowered(tuples_of), given)
            delivered.add(tuples)
            got[name].append((count, tuples / seconds))
            if name in counted:
                counted[name].append((count, tuples / measure_plans(lowered(counts_of), given)[0]))
        if len(delivered) > 1:
            raise RunError(f"fig6: {count} queries got different numbers of tuples: {sorted(delivered)}")
    best = max(rate for _, rate in got["one flow"])
    # The paper's text gives numbers of queries and proportions, which are drawn on our own scale.
    paper = (
        Curve("one flow", ((20, best), (50, best)), True),
        Curve("an eddy each", ((5, best / 2), (50, best / 2)), True),
    )
    words = (
        "§3.2.8: with one flow throughput rises to about 20 queries and stays there; with an eddy for each query it "
        "is at its most with 5 queries, at about half of that (proportions only, on the scale of our one flow's most)."
    )
    name, title = "fig6", "tuples that reach queries, by number of queries"
    more = "has no such figure. Here queries count what they select: nothing is copied for them."
    few, many = (tuple(Curve(each, tuple(points)) for each, points in found.items()) for found in (got, counted))
    return [
        Figure(name, title, "queries", "tuples delivered/s", (*few, *paper), words, wide_x=True),
        Figure(name, f"{title}, counted", "queries", "tuples counted/s", many, more, wide_x=True, wide_y=True),
        compare_rates(f"fig6, {counts[-1]} queries", got, "an eddy each"),
        compare_rates(f"fig6, {counts[-1]} queries, filters", got, "a filter each"),
        compare_rates(f"fig6, {counts[-1]} queries, counted", counted, "a filter each"),
    ]


def compare_rates(line: str, found: Mapping[str, Sequence[tuple[float, float]]], beside: str) -> BenchLine:
    """A line for the largest number of queries: all in one plan, beside each in a plan of its own."""
    mine, other = found["one flow"][-1][1], found[beside][-1][1]
    return BenchLine(line, mine, "tuples/s", beside, other, mine / other)


def by_sources(quick: bool, say: Say) -> list[BenchLine | Figure]:
    """Fig. 7: twenty queries, each with a predicate on S.a over a source that is drawn for it."""
    taken, got = [], []
    for count in QUICK_SOURCES if quick else SOURCES:
        say(f"cacq: fig7, {count} sources")
        chance, names = Random(5), [f"S{number}" for number in range(count)]
        queries = [
            (chance.choice(names), f"a {chance.choice(OPERATORS)} {chance.randrange(VALUES)}")
            for _ in range(ON_SOURCES)
        ]
        given = batches(names, QUICK_ROWS if quick else ROWS)
        seconds, tuples = measure_plans([together(compile_queries(names, queries))], given)
        taken.append((count, sum(map(len, given[0].values())) / seconds))
        got.append((count, tuples / seconds))
    paper = Curve("tuples delivered", ((1, got[0][1]), (20, got[0][1] / 2)), True)
    words = (
        "§3.2.8: by twenty sources throughput has dropped by about a factor of two (drawn from our figure for one). "
        "Here the sources share one number of rows, so that a row reaches fewer queries the more sources there are."
    )
    curves = (Curve("tuples delivered", tuple(got)), paper, Curve("rows taken", tuple(taken)))
    return [Figure("fig7", "throughput of 20 queries by number of sources", "sources", "tuples/s", curves, words)]
