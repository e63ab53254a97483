"""Routing: how many filters a tuple visits, under each policy, beside the best fixed order (CACQ §4.1, Table 3).

The five queries of Table 3 ask about one more field each. What is counted is what the eddy does with rows, batch by
batch, each batch knowing what was learned in those before, as on Spark.
"""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pyarrow as pa

from tailrace.bench.lines import Line, Say
from tailrace.logical.expressions import Call, Column, Literal, all_of
from tailrace.physical.flows.eddy import Eddy
from tailrace.physical.flows.lessons import together
from tailrace.physical.flows.members import Members
from tailrace.physical.flows.policies import POLICIES, Fixed, Lessons, Policy
from tailrace.types import BOOLEAN, INT

LEAST = (90, 70, 50, 30, 10)  # of S.a … S.e, in the queries of Table 3
PAPER = {"tickets": 1.3, "random": 3.2}
BATCHES, KNOWN = 10, 0.5
FAMILY = "table 3"

Rows = list[pa.Array]


def members() -> Members:
    """Query n asks for S.a > 90 and so on, up to the n-th field."""
    found = Members()
    for number in range(len(LEAST)):
        parts = [Call(">", (Column(field, INT), Literal(LEAST[field], INT)), BOOLEAN) for field in range(number + 1)]
        found.add(number, all_of(parts))
    return found


def rows_of(count: int, turned: bool, chance: np.random.Generator) -> Rows:
    """Values of 0 … 99, all as likely; turned over, values are such that S.e > 10 is as rare as S.a > 90 was."""
    found = []
    for field in range(len(LEAST)):
        values = chance.integers(0, 100, count)
        if turned:
            # As many rows pass this filter as passed the one at its place counted from the other end.
            least, other = LEAST[field], LEAST[-1 - field]
            passes = values > other
            values = np.where(passes, chance.integers(least + 1, 100, count), chance.integers(0, least + 1, count))
        found.append(pa.array(values.astype(np.int32)))
    return found


def visits(policy: Policy, rows: Rows, known: Lessons, seed: int) -> tuple[float, Lessons]:
    """Filters that a tuple visits, and what is known after that batch."""
    eddy = Eddy(members().blocks, policy, known, seed)
    count = len(rows[0])
    for _ in eddy.route(rows, count):
        pass
    return eddy.visits / count, together({FAMILY: known}, [{FAMILY: eddy.learned()}], KNOWN)[FAMILY]


def best(rows: Rows) -> float:
    """Of all orders, the least."""
    sample = [column.slice(0, 20_000) for column in rows]
    return min(visits(Fixed(order), sample, {}, 0)[0] for order in permutations(range(len(LEAST))))


def course(policy: str, batches: list[Rows]) -> list[float]:
    """Filters that a tuple visits, batch by batch."""
    known: Lessons = {}
    found = []
    for number, rows in enumerate(batches):
        value, known = visits(POLICIES[policy](), rows, known, number)
        found.append(value)
    return found


def measure(quick: bool, say: Say) -> list[Line]:
    """Each policy over batches of rows, the second half of which are turned over."""
    count = 10_000 if quick else 100_000
    chance = np.random.default_rng(5)
    say("cacq: routing")
    batches = [rows_of(count, number >= BATCHES, chance) for number in range(2 * BATCHES)]
    optimal, after = best(batches[0]), best(batches[BATCHES])
    found = []
    for policy in ("tickets", "best", "random"):
        seen = course(policy, batches)
        steady, third = float(np.mean(seen[1:BATCHES])), float(np.mean(seen[BATCHES + 3 :]))
        more = {"the paper's": PAPER[policy]} if policy in PAPER else {}
        beside = "the best order"
        found.append(Line(f"table 3, {policy}", steady, "filters a tuple", beside, optimal, steady / optimal, more))
        found.append(Line(f"turned over, {policy}", third, "filters a tuple", beside, after, third / after))
    return found
