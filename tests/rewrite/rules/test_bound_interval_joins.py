"""Bounded windows below joins of streams whose condition bounds how far apart times are."""

from __future__ import annotations

from random import Random

import pytest

from tailrace.analysis.program import analyse
from tailrace.errors import Source
from tailrace.language.script import parse_script
from tailrace.logical.plan import walk
from tailrace.logical.text.explain import label, tree
from tailrace.lowering.lower import lower
from tailrace.operators.local_run import LocalRun, size_of
from tailrace.rewrite.rewriter import rewrite
from tailrace.settings import Settings
from tailrace.testing.reference.evaluate import evaluate
from tests.conftest import Examples
from tests.operators.local import arrived
from tests.operators.test_local_run import check
from tests.random_plans.interval_joins import seeded_interval_join

SOURCES = """
CREATE STREAM A (k INT, ts BIGINT) TIMESTAMP BY ts;
CREATE STREAM B (k INT, at INT) TIMESTAMP BY at;
CREATE STREAM C (k INT, ts TIMESTAMP) TIMESTAMP BY ts;
CREATE STREAM D (k INT, ts TIMESTAMP) TIMESTAMP BY ts;
CREATE STREAM E (k INT, ms BIGINT) TIMESTAMP BY ms IN MILLISECONDS;
CREATE VIEW V AS SELECT at AS t, k + 1 AS k FROM B WHERE k > 1;
CREATE VIEW Pairs AS SELECT RSTREAM(A.k, A.ts) FROM A [NOW] JOIN B [RANGE 5] ON A.k = B.k;
"""


def windows(query: str) -> list[str]:
    """The windows of a query's rewritten plan, in pairs for each join."""
    program = analyse(parse_script(Source(f"{SOURCES} CREATE QUERY q AS {query};")))
    plan = rewrite(program.queries["q"].plan, Settings()).plan
    return [label(node).removeprefix("window ") for node in walk(plan) if label(node).startswith("window")]


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("A JOIN B ON A.k = B.k AND at BETWEEN ts AND ts + 4", "[NOW] [NOW] [RANGE 4] [NOW]"),
        ("A JOIN B ON A.k = B.k AND at BETWEEN ts - 3 AND ts + 4", "[NOW] [RANGE 3] [RANGE 4] [NOW]"),
        ("A, B WHERE A.k = B.k AND ABS(ts - at) < 4", "[NOW] [RANGE 3] [RANGE 3] [NOW]"),
        ("A, B WHERE at - ts <= 4 AND ts < at", "[RANGE 4] [NOW]"),
        ("A, B WHERE at >= ts - 2", "[NOW] [RANGE 2] [RANGE UNBOUNDED] [NOW]"),
        ("A, B WHERE at = ts", "[NOW] [NOW]"),
        ("A, B WHERE at > ts AND at <= ts + 2 * 3", "[RANGE 6] [NOW]"),
        ("A, V WHERE ts + 10 > t AND t >= ts", "[NOW] [NOW] [RANGE 9] [NOW]"),
        (
            "Pairs p JOIN B ON p.k = B.k AND at BETWEEN p.ts AND p.ts + 1",
            "[NOW] [RANGE 5] [NOW] [RANGE 1] [NOW] [RANGE 5] [NOW]",
        ),
        ("(SELECT k AS j, ts AS s FROM A) x, B WHERE s = at + 2", "[NOW] [RANGE 2]"),
        (
            "C JOIN D ON D.ts BETWEEN C.ts - INTERVAL '1' MINUTE AND C.ts + INTERVAL '90' SECOND",
            "[NOW] [RANGE 60] [RANGE 90] [NOW]",
        ),
        ("C JOIN D ON D.ts - C.ts < INTERVAL '1500' MILLISECOND AND D.ts >= C.ts", "[NOW] [NOW] [RANGE 2] [NOW]"),
        ("C, D WHERE C.ts - INTERVAL '1' DAY * 2 <= D.ts AND C.ts > D.ts", "[NOW] [RANGE 172800]"),
    ],
)  # fmt: skip
def test_windows_follow_the_bounds(source: str, found: str) -> None:
    assert " ".join(windows(f"SELECT 1 AS one FROM {source}")) == found


@pytest.mark.parametrize(
    "source",
    [
        "A, B WHERE at <> ts",
        "A, B WHERE A.k = B.k AND at BETWEEN A.k AND A.k + 4",
        "A LEFT JOIN B ON at BETWEEN ts AND ts + 4",
        "A, B WHERE at BETWEEN ts AND ts + 4 OR A.k = B.k",
        "A, B WHERE at + ts < 10",
        "E x, E y WHERE x.ms = y.ms",
        # Behind a sum of two INTs that wraps around, any time may stand.
        "B x, B y WHERE x.at + 3 <= y.at",
    ],
)
def test_what_bounds_nothing_stays_unbounded(source: str) -> None:
    assert windows(f"SELECT 1 AS one FROM {source}") == ["[RANGE UNBOUNDED]"] * 2


def test_a_join_that_can_hold_nothing_stays() -> None:
    assert windows("SELECT 1 AS one FROM A, B WHERE at > ts AND at < ts") == ["[RANGE UNBOUNDED]"] * 2


@pytest.mark.parametrize("start", [0, pytest.param(500, marks=pytest.mark.slow)])
def test_random_interval_joins(start: int, examples: Examples) -> None:
    fired = answered = 0
    for seed in range(start, start + 300):
        world = seeded_interval_join(seed)
        done = rewrite(world.plan, Settings())
        expected = evaluate(world.plan, world.inputs, world.last_instant)
        assert evaluate(done.plan, world.inputs, world.last_instant) == expected, f"seed {seed}:\n{tree(world.plan)}"
        check(world, seed)
        fired += any(step.rule == "bound_interval_joins" for step in done.steps)
        answered += any(expected.bags)
    assert fired > 150
    assert answered > 80
    examples("interval joins in process, as written and as rewritten", 300)


def test_state_is_bounded_by_the_condition() -> None:
    text = f"{SOURCES} CREATE QUERY q AS SELECT A.k FROM A JOIN B ON A.k = B.k AND at BETWEEN ts AND ts + 4;"
    program = analyse(parse_script(Source(text)))
    physical = lower({"q": rewrite(program.queries["q"].plan, Settings()).plan})
    local, chance = LocalRun(physical), Random(1)
    sizes = []
    for instant in range(0, 400, 4):
        rows = [(instant + place, (chance.randrange(3), instant + place)) for place in range(4)]
        local.batch({source.name: arrived(source, rows) for source in physical.sources}, instant + 3)
        sizes.append(sum(size_of(state)[0] for state in local.state))
    assert max(sizes[50:]) <= max(sizes[5:50])
