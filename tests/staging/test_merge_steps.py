"""Queries that start at different times and have parts in common: each answers as it would alone."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from tailrace.columnar.delta import Delta, concat
from tailrace.engine.pipeline import compile_script, query_set
from tailrace.errors import Source
from tailrace.staging.plan_version import PlanVersion
from tailrace.staging.stages import StagedPlan
from tailrace.testing.reference.evaluate import Answer, evaluate
from tests.conftest import Examples
from tests.operators.local import arrived, as_answer, differences
from tests.staging.staged import StagedRun

LAST = 48
STREAMS = "CREATE STREAM S (k INT, v INT) TIMESTAMP BY ts; CREATE STREAM R (k INT, v INT) TIMESTAMP BY ts;"
PARTS = [
    "SELECT k, COUNT(*) AS n FROM S [RANGE 3] GROUP BY k",
    "SELECT k, SUM(v) AS n FROM S [RANGE 4 SLIDE 2] WHERE v > 1 GROUP BY k",
    "SELECT S.k, R.v AS n FROM S [RANGE 4], R [RANGE 2] WHERE S.k = R.k",
    "SELECT DISTINCT k, v AS n FROM R [RANGE 5]",
    "SELECT k, v AS n FROM S [RANGE 3] EXCEPT SELECT k, v AS n FROM R [RANGE 3]",
]
WHOLES = [
    "{part}",
    "SELECT ISTREAM(k, n) FROM ({part}) AS p",
    "SELECT MAX(n) AS n FROM ({part}) AS p",
    "SELECT k, SUM(n) AS n FROM (SELECT ISTREAM(k, n) FROM ({part}) AS p) [RANGE UNBOUNDED] AS q GROUP BY k",
    "SELECT DISTINCT n FROM ({part}) AS p",
    "SELECT p.n, R.v FROM ({part}) AS p, R [ROWS 2] WHERE p.k = R.k",
    "SELECT k FROM ({part}) AS p WHERE k NOT IN (SELECT k FROM R [RANGE UNBOUNDED] WHERE v = 5)",
]


class Living:
    """Plan versions one after the other over the same shards. State is carried from one to the next by its names."""

    def __init__(self, shards: int) -> None:
        self.shards = shards
        self.edition = PlanVersion()
        self.kept: dict[tuple[str, int], Any] = {}
        self.past = -1
        self.answers: dict[str, list[Delta]] = {}

    def batch(
        self, number: int, queries: Mapping[str, str], inputs: Mapping[str, Delta], to: int, strategy: str = "auto"
    ) -> None:
        asked = (f"CREATE QUERY {name} AS {text};" for name, text in queries.items())
        script = "\n".join([STREAMS, f"SET strategy = '{strategy}';", *asked])
        wanted = query_set(compile_script(Source(script)))
        self.edition, plan = wanted.versions.advance(self.edition, number, self.past, self.past, {})
        self.edition = PlanVersion.from_json(self.edition.to_json())
        run = StagedRun(plan, self.shards)
        self.load(run, plan)
        for name, rows in run.batch(inputs, to).items():
            self.answers.setdefault(name, []).append(rows)
        self.kept = {
            (name, shard): local.state[step]
            for stage, locals in zip(plan.stages, run.runs, strict=True)
            for shard, local in enumerate(locals)
            for step, names in stage.names.items()
            for name in names
        }
        self.past = to

    def load(self, run: StagedRun, plan: StagedPlan) -> None:
        for stage, locals in zip(plan.stages, run.runs, strict=True):
            for shard, local in enumerate(locals):
                local.past = self.past
                for step, names in stage.names.items():
                    found = [self.kept[name, shard] for name in names if (name, shard) in self.kept]
                    if found:
                        local.state[step] = found[0]


def rows_of(chance: Random) -> dict[str, list[Any]]:
    return {
        name: sorted((chance.randrange(LAST + 1), (chance.randrange(4), chance.randrange(6))) for _ in range(60))
        for name in ("S", "R")
    }


def changed(queries: dict[str, str], number: int, chance: Random) -> dict[str, str]:
    """Drop some queries, and add some that have a part in common with another one."""
    left = {name: text for name, text in queries.items() if chance.random() < 0.85}
    for place in range(chance.randrange(3)):
        part = chance.choice(PARTS[:2] if chance.random() < 0.6 else PARTS)
        left[f"q{number}_{place}"] = chance.choice(WHOLES).format(part=part)
    return left


def test_queries_with_parts_in_common(examples: Examples) -> None:
    found = [check(Random(seed)) for seed in range(int(os.environ.get("SEEDS", "6")))]
    examples("queries that have parts in common with earlier ones", sum(queries for queries, _ in found))
    examples("steps that gave way to earlier ones", sum(steps for _, steps in found))
    assert sum(steps for _, steps in found) > len(found)


def test_a_query_keeps_its_state_when_its_twin_goes() -> None:
    """Two queries that differ in column names only share their steps; when the first is dropped, the second goes on."""
    rows, living = rows_of(Random(5)), Living(2)
    text = "SELECT DISTINCT {y} FROM (SELECT k AS {x}, v AS {y} FROM S [RANGE UNBOUNDED]) AS p WHERE {y} < 5"
    first, second = text.format(x="a", y="b"), text.format(x="c", y="d")
    for number, to in enumerate((10, 20, 30, LAST)):
        inputs = {"S": arrived(declared("S"), [row for row in rows["S"] if living.past < row[0] <= to])}
        living.batch(number, {"second": second} if number > 1 else {"first": first, "second": second}, inputs, to)
    assert not wrong("second", second, living, rows)


def test_queries_whose_strategy_changes(examples: Examples) -> None:
    """Expire operators come with the first plan version that needs them, and stay; all other state keeps its names."""
    strategies = ("probing", "negative", "hybrid")
    found = [check(Random(seed), strategies) for seed in range(100, 100 + int(os.environ.get("SEEDS", "6")))]
    examples("queries that come and go while their strategy changes", sum(queries for queries, _ in found))


def check(chance: Random, strategies: Sequence[str] = ("auto",)) -> tuple[int, int]:
    """Check all answers.

    Returns how many queries there were in the end, and how many steps were merged into older ones.
    """
    rows, living = rows_of(chance), Living(chance.choice([1, 2, 3]))
    queries: dict[str, str] = {"first": WHOLES[3].format(part=PARTS[0])}
    texts, joined = dict(queries), set[str]()
    number = 0
    while living.past < LAST:
        to = min(LAST, living.past + chance.randrange(5))
        inputs = {
            source: arrived(declared(source), [row for row in rows[source] if living.past < row[0] <= to])
            for source in ("S", "R")
        }
        if number and to < LAST - 12 and chance.random() < 0.5:
            queries = changed(queries, number, chance)
            texts |= queries
        if queries:
            living.batch(number, queries, inputs, to, chance.choice(strategies))
        joined |= set(living.edition.merged_steps)
        living.past, number = to, number + 1
    for name in queries:
        assert not wrong(name, texts[name], living, rows), f"{name}: {texts[name]}"
    return len(queries), len(joined)


def declared(source: str) -> Any:
    return compile_script(Source(STREAMS)).program.catalog.find(source)


def wrong(name: str, text: str, living: Living, rows: Mapping[str, list[Any]]) -> list[str]:
    """Where a query's answers differ from those of the reference from its first instant on."""
    first = living.edition.begins[name].instant
    compiled = compile_script(Source(f"{STREAMS} CREATE QUERY q AS {text};"))
    plan = compiled.final_plans["q"]
    seen = {source: [row for row in found if row[0] >= first] for source, found in rows.items()}
    parts = living.answers[name]
    found = as_answer(plan.kind, concat(parts, tuple(column.type for column in parts[0].columns)), LAST)
    expected = evaluate(plan, seen, LAST, first)
    return differences(since(found, first), since(expected, first))


def since(answer: Answer, first: int) -> Answer:
    nothing: tuple[Counter[Any], ...] = (Counter(),) * first
    return Answer(answer.kind, (*nothing, *answer.bags[first:]))
