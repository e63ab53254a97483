"""Niagara: joins of many queries in one plan, beside the two plans of NiagaraCQ (CACQ §5, Fig. 11 to 13).

PullUp is one join for all queries, with grouped selections after it. PushDown is the grouped selections first; then the
selected quotes are split by query, and each query has a join of its own over one index of articles. Both are built of
the engine's own operators. All three run in this process and deliver joined tuples by query.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from tailrace.bench.cacq.stocks import ARTICLE_TYPES, STOCK_TYPES, SYMBOL, PriceAlert, StockRate, StockWorkload
from tailrace.bench.inputs.in_process import together
from tailrace.bench.report.lines import BenchLine, Curve, Figure, Say
from tailrace.catalog.user_functions import UserFunctions
from tailrace.columnar.delta import Delta, Span, empty
from tailrace.engine.pipeline import compile_script
from tailrace.errors import RunError, Source
from tailrace.operators.families.member_sets import MemberSet
from tailrace.operators.families.tag_members import TagMembers
from tailrace.operators.local_run import LocalRun
from tailrace.operators.operator import TaskContext
from tailrace.operators.relational.binary_join import BinaryJoin, JoinKey

STREAMS = """CREATE STREAM Stocks (symbol INT, price DOUBLE) TIMESTAMP BY ts;
CREATE STREAM Articles (symbol INT, body STRING) TIMESTAMP BY ts;"""
QUERY = "SELECT * FROM Stocks [NOW] AS S, Articles [NOW] AS A WHERE {} AND S.symbol = A.symbol"


class FlowJoin:
    """CACQ's side: all queries of a workload in one plan, with stems. Updates come one after the other."""

    def __init__(self, workload: StockWorkload) -> None:
        functions, texts = UserFunctions(), [STREAMS]
        for number, above in enumerate(workload.prices):
            if workload.udf:
                functions = functions.function(f"wish{number}", PriceAlert(above), "BOOLEAN")
            wanted = f"wish{number}(S.price)" if workload.udf else f"S.price > {above}D"
            texts.append(f"CREATE QUERY q{number} AS {QUERY.format(wanted)};")
        compiled = compile_script(Source("\n".join(texts), "stocks.cql"), functions=functions)
        self.run = LocalRun(together(compiled))

    def __call__(self, stocks: Delta, articles: Delta, span: Span) -> Iterator[Delta]:
        yield from self.run.batch({"Stocks": stocks, "Articles": articles}, span.to).values()


JOINED = (*STOCK_TYPES, *ARTICLE_TYPES)
COUNTS, QUICK_COUNTS = (1, 5, 10, 20, 50, 100, 150, 200), (1, 20)
ARTICLES = (1, 10, 100)
STOCKS, QUICK_STOCKS = 2250, 100
USERS, UDF_STOCKS, QUICK_UDF = 100, 20, (10, 2)  # queries and quotes of Fig. 13
TIMES = 5  # goal: times as fast as PullUp, with 100 articles


Plan = Callable[[Delta, Delta, Span], Iterator[Delta]]  # from an update's quotes and articles to the queries' tuples


@dataclass
class Plans:
    """NiagaraCQ's two plans for a workload."""

    workload: StockWorkload

    def __post_init__(self) -> None:
        numbers = range(self.workload.queries)
        self.flow = MemberSet(self.workload.members.blocks, dict.fromkeys(numbers, 0))
        self.join = BinaryJoin(JOINED, (JoinKey(SYMBOL, SYMBOL),), len(STOCK_TYPES), None)

    def tag(self, types: tuple[Any, ...]) -> TagMembers:
        return TagMembers((pa.int64(), *types), "niagara", tuple(range(len(types))), self.flow)

    def index_articles(self, articles: Delta, span: Span) -> Any:
        """The state of a join after it has read the articles."""
        return self.join.apply([empty(STOCK_TYPES), articles], self.join.initial_state(), span, TaskContext.empty())[1]

    def pull_up(self, stocks: Delta, articles: Delta, span: Span) -> Iterator[Delta]:
        joined, _ = self.join.apply(
            [stocks, empty(ARTICLE_TYPES)], self.index_articles(articles, span), span, TaskContext.empty()
        )
        yield self.tag(JOINED).apply([joined], None, span, TaskContext.empty())[0]

    def push_down(self, stocks: Delta, articles: Delta, span: Span) -> Iterator[Delta]:
        held = self.index_articles(articles, span)
        wanted, _ = self.tag(STOCK_TYPES).apply([stocks], None, span, TaskContext.empty())
        for mine in split(wanted):
            yield self.join.apply([mine, empty(ARTICLE_TYPES)], held, span, TaskContext.empty())[0]


def split(tagged: Delta) -> Iterator[Delta]:
    """The tuples of each query, without the column of its number."""
    numbers = tagged.columns[0].to_numpy()
    order = np.argsort(numbers, kind="stable")
    sorted_ = tagged.take(order)
    ends = np.append(np.flatnonzero(np.diff(numbers[order])) + 1, len(order))
    first = 0
    for last in ends.tolist():
        part = slice(first, last)
        columns = tuple(column.slice(first, last - first) for column in sorted_.columns[1:])
        yield Delta(sorted_.start[part], sorted_.until[part], sorted_.weight[part], columns)
        first = last


def measure_plan(workload: StockWorkload, plan: Plan) -> StockRate:
    """The rate of the fastest update, and the tuples delivered; the first update does not count."""
    rates, delivered = [], 0
    for number in range(workload.updates + 1):
        stocks, articles = workload.update(number)
        begun = time.perf_counter()
        got = sum(len(each) for each in plan(stocks, articles, Span(number - 1, number)))
        if number:
            rates.append(workload.stocks / (time.perf_counter() - begun))
            delivered += got
    return StockRate(max(rates), delivered)


OURS = "one flow (CACQ)"
SYSTEMS: dict[str, Callable[[StockWorkload], Plan]] = {
    OURS: FlowJoin,
    "PullUp": lambda workload: Plans(workload).pull_up,
    "PushDown": lambda workload: Plans(workload).push_down,
}


def rates(workload: StockWorkload, systems: Sequence[str]) -> dict[str, float]:
    """Quotes a second of each system. They must deliver the same number of tuples."""
    found = {name: measure_plan(workload, SYSTEMS[name](workload)) for name in systems}
    if len({outcome.delivered for outcome in found.values()}) > 1:
        told = ", ".join(f"{name} {outcome.delivered:,}" for name, outcome in found.items())
        raise RunError(f"{workload.queries} queries got different numbers of tuples: {told}")
    return {name: outcome.rate for name, outcome in found.items()}


def by_queries(quick: bool, say: Say) -> list[BenchLine | Figure]:
    """Fig. 12: an update of 2,250 quotes with an article each, selected by price."""
    points: dict[str, list[tuple[float, float]]] = {name: [] for name in SYSTEMS}
    for count in QUICK_COUNTS if quick else COUNTS:
        say(f"cacq: fig12, {count} queries")
        for name, rate in rates(StockWorkload(count, QUICK_STOCKS if quick else STOCKS), list(SYSTEMS)).items():
            points[name].append((count, rate))
    curves = tuple(Curve(name, tuple(each)) for name, each in points.items())
    words = (
        "§5: CACQ is faster than PullUp with few queries, since it selects smaller tuples before it joins them, and "
        "somewhat slower with many, for its lineage; PushDown is slower in all cases."
    )
    figure = Figure("fig12", "stocks joined with articles", "queries", "quotes/s", curves, words, wide_y=True)
    lines = []
    for place in (0, -1):
        (some, mine), (_, other) = points[OURS][place], points["PullUp"][place]
        lines.append(BenchLine(f"fig12, {some} queries", mine, "quotes/s", "PullUp", other, mine / other))
    return [figure, *lines]


def by_articles(quick: bool, say: Say) -> list[BenchLine | Figure]:
    """Fig. 13: a hundred users' functions select quotes; there are many articles about each quote."""
    users, stocks = QUICK_UDF if quick else (USERS, UDF_STOCKS)
    systems = (OURS, "PullUp")
    points: dict[str, list[tuple[float, float]]] = {name: [] for name in systems}
    for place, articles in enumerate(ARTICLES):
        say(f"cacq: fig13, {articles} articles")
        for name, rate in rates(StockWorkload(users, stocks, articles, udf=True, updates=1), systems).items():
            points[name].append((place, rate))
    words = (
        "§5: with functions CACQ is much more efficient, since it applies them to quotes before the join and PullUp to "
        "every joined tuple; the more articles, the more so. PushDown remains much slower and is left out."
    )
    ticks = tuple(f"{articles} articles" for articles in ARTICLES)
    curves = tuple(Curve(name, tuple(each)) for name, each in points.items())
    title = f"{users} users' functions select"
    figure = Figure("fig13", title, "", "quotes/s", curves, words, ticks=ticks, wide_y=True)
    lines = []
    for place, articles in enumerate(ARTICLES):
        mine, other = points[OURS][place][1], points["PullUp"][place][1]
        last = articles == ARTICLES[-1]
        goal, met = (f"at least {TIMES} times" if last else "", last and mine >= TIMES * other)
        name = f"fig13, {articles} articles"
        lines.append(BenchLine(name, mine, "quotes/s", "PullUp", other, mine / other, goal=goal, met=met))
    return [figure, *lines]
