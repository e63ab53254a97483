"""Routing: how many filters a tuple visits under each policy (CACQ §4.1, Table 3, Fig. 9).

Also: how soon a policy follows when the data or the queries change (§4.2, Table 4, Fig. 10). The eddy's visits are
counted batch by batch. Each batch begins with the statistics of the batches before it, as on Spark.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations

import numpy as np
import pyarrow as pa

from tailrace.bench.report.lines import BenchLine, Curve, Figure, Say
from tailrace.logical.expressions import Call, Column, Expression, Literal, all_of
from tailrace.operators.families.member_index import MemberIndex
from tailrace.operators.families.routing.eddy import Eddy
from tailrace.operators.families.routing.policies import POLICIES, Fixed, Policy, StatsByFilter
from tailrace.operators.families.routing.statistics import together
from tailrace.types import BOOLEAN, INT

FIELDS = 5  # S.a … S.e
LEAST = (90, 70, 50, 30, 10)  # the constants that Table 3 compares the fields with
PAPER = {"optimal": 1.15, "tickets": 1.3, "random": 3.2, "worst": 5.0}
SHOWN = ("optimal", "best", "tickets", "random", "worst")
BATCHES, KNOWN = 10, 0.5
SIZES, QUICK_SIZES = (100_000, 10_000), (10_000,)
FILTERS, NEAR = 1.25, 1.1  # goals: filters a tuple; times the new optimum after three batches
FAMILY = "routing"

Rows = list[pa.Array]


def above(least: Sequence[int | None]) -> Expression:
    """The predicate S.a > 90 AND S.b > 70 and so on for `least` = (90, 70, …); None is a field without a condition."""
    parts = [
        Call(">", (Column(field, INT), Literal(value, INT)), BOOLEAN)
        for field, value in enumerate(least)
        if value is not None
    ]
    return all_of(parts)


TABLE_3 = tuple(above(LEAST[: number + 1]) for number in range(FIELDS))
ALL_FIELDS = (above(LEAST),)


@dataclass(frozen=True)
class RoutingWorkload:
    """Queries of Table 4 in the order in which they are added, and what the paper says of them."""

    name: str
    queries: tuple[Expression, ...]
    paper: str


WORKLOADS = (
    RoutingWorkload(
        "independent queries",
        tuple(above([None] * field + [value]) for field, value in enumerate((30, 50, 10, 40, 90))),
        "§4.2, Fig. 10(a): the most selective, S.e > 90, rapidly gets the most tickets. Here a tuple that one query "
        "rejects is still wanted by others: no order saves a visit, and in the end no filter earns tickets.",
    ),
    RoutingWorkload(
        "equal selectivity",
        tuple(above([10] * count) for count in range(1, FIELDS + 1)),
        "§4.2, Fig. 10(b): S.a, which five times as many predicates ask for as S.e, gets the most tickets.",
    ),
    RoutingWorkload(
        "shared and selective",
        tuple(above((10, 30, 50, 70, 90)[:count]) for count in range(1, FIELDS + 1)),
        "§4.2, Fig. 10(c): S.a, S.b and S.c get about the same, S.d and S.e slightly more than in workload 2.",
    ),
)
EVERY = 5  # batches after which the next query of Table 4 is added


def rows_of(count: int, turned: bool, chance: np.random.Generator) -> Rows:
    """Random values of 0 … 99 for each field.

    With `turned`, the selectivities of the fields are reversed: S.e > 10 is as rare as S.a > 90 was.
    """
    found = []
    for field in range(FIELDS):
        values = chance.integers(0, 100, count)
        if turned:
            # As many rows pass this field's filter as passed that of the field opposite: S.a and S.e, S.b and S.d.
            least, other = LEAST[field], LEAST[-1 - field]
            passes = values > other
            values = np.where(passes, chance.integers(least + 1, 100, count), chance.integers(0, least + 1, count))
        found.append(pa.array(values.astype(np.int32)))
    return found


def flow_of(queries: Sequence[Expression]) -> MemberIndex:
    found = MemberIndex()
    for number, query in enumerate(queries):
        found.add(number, query)
    return found


def visits(
    members: MemberIndex, policy: Policy, rows: Rows, known: StatsByFilter, seed: int
) -> tuple[float, StatsByFilter]:
    """How many filters a tuple of the batch visits on average, and the statistics after that batch."""
    eddy = Eddy(members.blocks, policy, known, seed)
    count = len(rows[0])
    for _ in eddy.route(rows, count):
        pass
    return eddy.visits / count, together({FAMILY: known}, [{FAMILY: eddy.statistics()}], KNOWN)[FAMILY]


def course(members: MemberIndex, policy: Policy, batches: Sequence[Rows]) -> list[float]:
    """How many filters a tuple visits on average, batch by batch."""
    known: StatsByFilter = {}
    found = []
    for number, rows in enumerate(batches):
        value, known = visits(members, policy, rows, known, number)
        found.append(value)
    return found


def extremes(members: MemberIndex, rows: Rows) -> tuple[float, float]:
    """The fewest and the most visits of a tuple, over all fixed orders of the filters."""
    sample = [column.slice(0, 20_000) for column in rows]
    found = [visits(members, Fixed(order), sample, {}, 0)[0] for order in permutations(range(FIELDS))]
    return min(found), max(found)


# Fig. 9 and what follows when the data turns over -----------------------------------------------------------


@dataclass(frozen=True)
class TurnedOver:
    """The visits under each policy, batch by batch; the data is turned over for the second half of the batches.

    `before` and `after` are the visits of the best and of the worst fixed order in each half.
    """

    count: int
    courses: dict[str, list[float]]
    before: tuple[float, float]
    after: tuple[float, float]

    def steady(self, policy: str) -> float:
        return float(np.mean(self.courses[policy][1:BATCHES]))

    def filters(self) -> dict[str, float]:
        """The bars of Fig. 9. Of a policy it is the mean of the first half, without the first batch."""
        learning = {policy: self.steady(policy) for policy in self.courses}
        return {"optimal": self.before[0], "worst": self.before[1], **learning}

    def line(self, name: str, policy: str) -> BenchLine:
        later = self.courses[policy][BATCHES + 3 :]
        value, optimum = float(np.mean(later)), self.after[0]
        goal = "" if policy == "random" else f"at most {NEAR} times after three batches"
        what = f"{name} turned over, {policy}, batches of {self.count:,}"
        met = value <= NEAR * optimum
        return BenchLine(what, value, "filters a tuple", "the best order", optimum, value / optimum, goal=goal, met=met)


def measure_turnover(queries: Sequence[Expression], count: int, policies: Sequence[str]) -> TurnedOver:
    chance = np.random.default_rng(5)
    members = flow_of(queries)
    batches = [rows_of(count, number >= BATCHES, chance) for number in range(2 * BATCHES)]
    courses = {policy: course(members, POLICIES[policy](), batches) for policy in policies}
    return TurnedOver(count, courses, extremes(members, batches[0]), extremes(members, batches[BATCHES]))


def measure_policies(quick: bool, say: Say) -> list[BenchLine | Figure]:
    """Table 3's queries under each policy; then the data turns over, for them and for one query on all five fields."""
    found: list[BenchLine | Figure] = []
    bars, figures = [], []
    for count in QUICK_SIZES if quick else SIZES:
        say(f"cacq: fig9, batches of {count:,}")
        table_3 = measure_turnover(TABLE_3, count, ("best", "tickets", "random"))
        filters = table_3.filters()
        points = tuple((place, filters[name]) for place, name in enumerate(SHOWN))
        bars.append(Curve(f"batches of {count:,} rows", points))
        for policy in ("tickets", "best", "random"):
            found.append(table_3_line(policy, count, filters))
            found.append(table_3.line("table 3", policy))
        five = measure_turnover(ALL_FIELDS, count, ("best", "tickets", "random"))
        found += [five.line("five fields", policy) for policy in five.courses]
        figures += [turn_figure("Table 3's queries", table_3), turn_figure("one query on five fields", five)]
    bars.append(Curve("Table 3", tuple((SHOWN.index(name), value) for name, value in PAPER.items()), True))
    words = "§4.1: tickets 1.3 filters a tuple, random 3.2; the best order 1.15 by calculation, 5 at worst."
    title = "filters a tuple visits, Table 3's queries"
    return [Figure("fig9", title, "", "filters a tuple", tuple(bars), words, ticks=SHOWN), *figures[:2], *found]


def table_3_line(policy: str, count: int, filters: dict[str, float]) -> BenchLine:
    value, optimum = filters[policy], filters["optimal"]
    more = {"the paper's": PAPER[policy]} if policy in PAPER else {}
    goal = "" if policy == "random" else f"at most {FILTERS} filters"
    name, met = f"table 3, {policy}, batches of {count:,}", value <= FILTERS
    return BenchLine(
        name, value, "filters a tuple", "the best order", optimum, value / optimum, more, goal=goal, met=met
    )


def turn_figure(what: str, found: TurnedOver) -> Figure:
    curves = [Curve(policy, tuple(enumerate(values, 1))) for policy, values in found.courses.items()]
    optimum = [(number, found.before[0]) for number in range(1, BATCHES + 1)]
    optimum += [(number, found.after[0]) for number in range(BATCHES + 1, 2 * BATCHES + 1)]
    words = "§4.2 says that tickets follow within four seconds when queries come; it has no figure for data that turns."
    return Figure(
        "turn",
        f"the data turns over, {what}, batches of {found.count:,}",
        "batch",
        "filters a tuple",
        (*curves, Curve("the best order", tuple(optimum))),
        words,
        marks=((BATCHES + 0.5, "turns over"),),
    )


# Fig. 10 ----------------------------------------------------------------------------------------------------


def shares(workload: RoutingWorkload, count: int) -> tuple[Curve, ...]:
    """The share of each filter in all tickets, in percent, batch by batch."""
    chance = np.random.default_rng(5)
    members = MemberIndex()
    lessons: StatsByFilter = {}
    found: list[list[tuple[float, float]]] = [[] for _ in range(FIELDS)]
    for batch in range(EVERY * (FIELDS + 1)):
        if batch % EVERY == 0 and batch // EVERY < FIELDS:
            members.add(batch // EVERY, workload.queries[batch // EVERY])
        _, lessons = visits(members, POLICIES["tickets"](), rows_of(count, False, chance), lessons, batch)
        tickets = [max(lessons[f"0 {field}"].tickets, 1.0) if f"0 {field}" in lessons else 0 for field in range(FIELDS)]
        for field, own in enumerate(tickets):
            found[field].append((batch + 1, 100 * own / sum(tickets)))
    return tuple(Curve(f"S.{name}", tuple(points)) for name, points in zip("abcde", found, strict=True))


def measure_adapting(quick: bool, say: Say) -> list[BenchLine | Figure]:
    """The workloads of Table 4; after every five batches one more query is added."""
    found: list[BenchLine | Figure] = []
    marks = tuple((EVERY * number + 0.5, f"query {number + 1}") for number in range(1, FIELDS))
    for number, workload in enumerate(WORKLOADS, 1):
        say(f"cacq: fig10, workload {number}")
        title = f"tickets, workload {number}: {workload.name}"
        curves = shares(workload, 1_000 if quick else 20_000)
        found.append(Figure("fig10", title, "batch", "% of tickets", curves, workload.paper, marks=marks))
    return found
