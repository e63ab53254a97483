"""NEXMark's queries as a Flink user writes them, against plain Python: by definition, and in process in any batches.

What a stream of finished windows emitted up to an instant, and what a relation holds at it, is the expected answer.
"""

from __future__ import annotations

from collections import Counter
from datetime import datetime, timedelta
from random import Random
from typing import Any

import pytest

from tailrace.engine.pipeline import PlanningSession, compile_script
from tailrace.errors import Source
from tailrace.logical.plan import Kind, Plan
from tailrace.testing.answers import evaluate_script
from tailrace.testing.reference.evaluate import Answer
from tests.nexmark.answers import ANSWERS, LAST_INSTANT, World, make_world
from tests.nexmark.queries import DECLARED, ORIGIN, QUERIES
from tests.operators.local import answered, splits

SEEDS = (1, 2, 3)
START = datetime.fromisoformat(ORIGIN)


def compile_query(name: str) -> PlanningSession:
    return compile_script(Source(f"{DECLARED} CREATE QUERY q AS {QUERIES[name]};"))


def plan_of(name: str) -> Plan:
    session = compile_query(name)
    return session.rewrite(session.program.queries["q"]).plan


def moment(seconds: int) -> datetime:
    return START + timedelta(seconds=seconds)


def rows_of(world: World) -> dict[str, list[tuple[datetime, tuple[Any, ...]]]]:
    """The rows of each stream with their times."""
    return {
        "person": [(moment(each.at), (each.id, each.name, moment(each.at))) for each in world.people],
        "auction": [
            (moment(at), (id, item, initial, moment(at), moment(expires), seller))
            for id, item, initial, at, expires, seller in world.auctions
        ],
        "bid": [(moment(bid.at), (*bid[:3], moment(bid.at))) for bid in world.bids],
    }


def plain(row: tuple[Any, ...]) -> tuple[Any, ...]:
    """A tuple with its times in seconds since the origin."""
    found = (each.replace(tzinfo=None) - START if isinstance(each, datetime) else each for each in row)
    return tuple(int(each.total_seconds()) if isinstance(each, timedelta) else each for each in found)


def wrong_instants(name: str, answer: Answer, world: World) -> list[str]:
    """Where an answer is not the expected one."""
    problems = []
    so_far: Counter[Any] = Counter()
    for now, bag in enumerate(answer.bags):
        rows = Counter(map(plain, bag.elements()))
        so_far = so_far + rows if answer.kind is Kind.STREAM else rows
        expected = Counter(ANSWERS[name](world, now))
        if so_far != expected:
            problems.append(f"@{now} missing {expected - so_far}, unexpected {so_far - expected}")
    return problems


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", QUERIES)
def test_by_definition(name: str, seed: int) -> None:
    world = make_world(seed)
    given = {stream: [(at, *row) for at, row in rows] for stream, rows in rows_of(world).items()}
    script = f"{DECLARED} CREATE QUERY q AS {QUERIES[name]};"
    last = str(moment(LAST_INSTANT))
    found = evaluate_script(script, given, until=last)["q"]
    assert wrong_instants(name, found.answer, world) == []


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", QUERIES)
def test_in_batches(name: str, seed: int) -> None:
    world, chance = make_world(seed), Random(seed)
    given = {stream: [((at - START).seconds, row) for at, row in rows] for stream, rows in rows_of(world).items()}
    found = answered(plan_of(name), given, splits(LAST_INSTANT, chance), chance)
    assert wrong_instants(name, found, world) == []


@pytest.mark.parametrize("name", QUERIES)
def test_the_answers_change(name: str) -> None:
    for seed in SEEDS:
        world = make_world(seed)
        assert len({frozenset(Counter(ANSWERS[name](world, by)).items()) for by in range(LAST_INSTANT + 1)}) > 2
