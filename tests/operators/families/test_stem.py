"""Stems: joins that share stems, while queries come and go, answer as each of them does alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from random import Random
from typing import Any

import pytest

from tailrace.columnar.delta import Delta, concat
from tailrace.engine.pipeline import PlanningSession, compile_script, plan_queries, query_set
from tailrace.errors import Source
from tailrace.logical.expressions import Call, Column, Literal
from tailrace.operators.families.member_sets import MemberFilter, Membership, StemReaders
from tailrace.operators.families.stem import RowNumber, RowStem, Stem
from tailrace.operators.operator import Operator
from tailrace.operators.plan import StartPoint
from tailrace.sharing.share import Memberships
from tailrace.staging.plan_version import PlanVersion
from tailrace.staging.sharding import Pins
from tailrace.testing.reference.evaluate import Answer, evaluate
from tailrace.types import BIGINT, BOOLEAN
from tests.conftest import Examples
from tests.operators.local import arrived, as_answer, differences
from tests.operators.step_through import NUMBER, TEXT, StepThrough
from tests.staging.staged import StagedRun

NAMES = "ABCD"
STREAMS = "\n".join(
    f"CREATE STREAM {name} (k INT, v INT, s STRING) USING json OPTIONS (path '{name}') TIMESTAMP BY ts;"
    for name in NAMES
)
WINDOWS = ["[NOW]", "[RANGE 2]", "[RANGE 9]", "[RANGE 3 SLIDE 2]", "[RANGE 1 SLIDE 4]", "[RANGE UNBOUNDED]"]
WINDOWS += ["[ROWS 1]", "[ROWS 2]", "[ROWS 3]", "[ROWS 5]", "[ROWS 40]"]
SELECTED = [
    "SELECT ISTREAM({0}.v AS one, {1}.s AS other) FROM {from_} WHERE {where}",
    "SELECT {0}.k AS k, {1}.v AS v FROM {from_} WHERE {where}",
    "SELECT * FROM {from_} WHERE {where}",
    "SELECT COUNT(*) AS n, MAX({1}.v) AS v FROM {from_} WHERE {where}",
    "SELECT {0}.k AS k, COUNT(*) AS n FROM {from_} WHERE {where} GROUP BY {0}.k",
    "SELECT DISTINCT {1}.v AS v FROM {from_} WHERE {where}",
    "SELECT RSTREAM({0}.v AS v) FROM {from_} WHERE {where}",
]
SOURCES = {source.name: source for source in compile_script(Source(STREAMS)).program.catalog.entries.values()}
LAST = 14
Rows = list[tuple[int, tuple[Any, ...]]]


def term(chance: Random, alias: str) -> str:
    number = chance.randrange(5)
    return chance.choice(
        [
            f"{alias}.v {chance.choice(['<', '>', '<=', '>=', '=', '<>'])} {number}",
            f"{alias}.v IN ({number}, NULL)",
            f"{alias}.s {chance.choice(['>', '=', '<>'])} '{chance.choice('abc')}'",
            f"({alias}.s LIKE '%b%' OR {alias}.v < {number})",
            f"{alias}.v IS NULL",
            f"NOT ({alias}.v = {number} AND {alias}.s = 'b')",
        ]
    )


def several_keys(chance: Random, aliases: list[str]) -> list[str]:
    """More equalities: of all streams, or of some, in an order of their own."""
    column = chance.choice("vs")
    found = [f"{one}.{column} = {other}.{column}" for one, other in pairwise(chance.sample(aliases, len(aliases)))]
    return found[: chance.randrange(1, len(found) + 1)]


def query(chance: Random) -> str:
    """A join of two to four streams, now and then of one with itself."""
    count = chance.choice([2, 2, 3, 3, 4])
    streams = [chance.choice(NAMES) for _ in range(count)] if chance.random() < 0.3 else chance.sample(NAMES, count)
    aliases = [f"x{place}" for place in range(count)]
    from_ = ", ".join(
        f"{stream} {chance.choice(WINDOWS)} AS {alias}" for stream, alias in zip(streams, aliases, strict=True)
    )
    where = [f"{chance.choice(aliases[:place])}.k = {aliases[place]}.k" for place in range(1, count)]
    if chance.random() < 0.3:
        where += several_keys(chance, aliases)
    where += [term(chance, alias) for alias in aliases if chance.random() < 0.6]
    if chance.random() < 0.4:
        one, other = chance.sample(aliases, 2)
        where.append(f"{one}.v {chance.choice(['<', '<=', '<>'])} {other}.v")
    return chance.choice(SELECTED).format(*aliases, from_=from_, where=" AND ".join(where))


def rows_of(chance: Random) -> Rows:
    """Tuples in order of time, of few keys."""
    instants = sorted(chance.randrange(LAST + 1) for _ in range(chance.randrange(4, 14)))
    return [
        (instant, (chance.choice([None, 1, 1, 2, 3]), chance.choice([None, *range(5)]), chance.choice([None, *"abc"])))
        for instant in instants
    ]


@dataclass
class Standing:
    """Running queries, some of them in families, over shards. State is carried from one plan version to the next."""

    shards: int
    memberships: Memberships = field(default_factory=dict)
    run: StagedRun | None = None
    pins: Pins = field(default_factory=dict)
    joined: Mapping[str, int] = field(default_factory=dict)
    answers: dict[str, list[Delta]] = field(default_factory=dict)

    def change(
        self, compiled: PlanningSession, begins: Mapping[str, StartPoint], past: int, numbers: Mapping[str, int]
    ) -> None:
        profiles = compiled.profiles(compiled.program.queries.values())
        edition = PlanVersion(begins=begins, pins=self.pins, merged_steps=self.joined, member_ids=numbers)
        plan = plan_queries(compiled, profiles, edition, self.memberships, past)
        before, self.run = self.run, StagedRun(plan, self.shards)
        self.pins, self.joined = plan.fixed_shardings, plan.merged_starts
        if before:
            carry_over(before, self.run, past)

    def reshard(self, shards: int) -> None:
        """Go on over another number of shards."""
        assert self.run is not None
        self.shards = shards
        self.run.reshard(shards)

    def batch(self, inputs: Mapping[str, Delta], to: int) -> None:
        assert self.run is not None
        for name, rows in self.run.batch(inputs, to).items():
            members = self.run.plan.families.get(name)
            if members is None:
                self.answers.setdefault(name, []).append(rows)
            for number, member in (members or {}).items():
                mine = rows.where(rows.columns[0].to_numpy() == number)
                self.answers.setdefault(member, []).append(mine.with_columns(mine.columns[1:]))


def carry_over(before: StagedRun, after: StagedRun, past: int) -> None:
    """Give the new run the state of the old one by the names of states, as workers find it in files."""
    for shard in range(before.shards):
        known: dict[str, Any] = {}
        for stage, runs in zip(before.plan.stages, before.runs, strict=True):
            known |= {name: runs[shard].state[step] for step, names in stage.names.items() for name in names}
        for stage, runs in zip(after.plan.stages, after.runs, strict=True):
            runs[shard].past = past
            for step, names in stage.names.items():
                there = [known[name] for name in names if name in known]
                work = stage.plan.steps[step].work
                if there and isinstance(work, Operator) and work.initial_state() is not None:
                    runs[shard].state[step] = there[0]


def compiled_queries(texts: Mapping[str, str], policy: str) -> PlanningSession:
    queries = [f"CREATE QUERY {name} AS {text};" for name, text in texts.items()]
    return compile_script(Source("\n".join([f"SET routing = '{policy}';", STREAMS, *queries])))


@dataclass
class World:
    """Queries that come and go while tuples come, drawn at random."""

    chance: Random
    standing: Standing
    inputs: dict[str, Rows]
    draw: Callable[[Random], str]
    texts: dict[str, str] = field(default_factory=dict)  # of all queries that there ever were
    there: list[str] = field(default_factory=list)
    begins: dict[str, StartPoint] = field(default_factory=dict)
    ends: dict[str, int] = field(default_factory=dict)
    together: set[str] = field(default_factory=set)
    past: int = -1
    newest: int = -1
    batches: int = 0

    def change(self) -> None:
        """Drop some queries and add some; those that can be are put into families."""
        self.there = [name for name in self.there if self.chance.random() < 0.7]
        for _ in range(self.chance.randrange(2, 7)):
            known = list(self.texts.values())
            name = f"q{len(self.texts)}"
            self.texts[name] = (
                self.chance.choice(known) if known and self.chance.random() < 0.3 else self.draw(self.chance)
            )
            self.begins[name] = StartPoint(
                self.batches, self.newest + self.chance.randrange(1, 4) if self.batches else 0
            )
            self.there.append(name)
        policy = self.chance.choice(["tickets", "best", "random", "fixed"])
        compiled = compiled_queries({name: self.texts[name] for name in self.there}, policy)
        alike = query_set(compiled).families
        numbers = {name: 17 * int(name[1:]) for name in self.there if name in alike}
        self.together |= numbers.keys()
        self.standing.change(compiled, {name: self.begins[name] for name in self.there}, self.past, numbers)

    def batch(self) -> None:
        """Some tuples come, a few of them before their time."""
        to = min(LAST, self.past + self.chance.randrange(6))
        early = to + self.chance.randrange(3)
        now = {name: [row for row in rows if self.newest < row[0] <= early] for name, rows in self.inputs.items()}
        self.standing.batch({name: arrived(SOURCES[name], rows) for name, rows in now.items() if rows}, to)
        self.past, self.newest, self.batches = to, max(self.newest, early), self.batches + 1
        self.ends |= dict.fromkeys(self.there, to)

    def run(self, resharded: bool = True) -> None:
        """Batch after batch, between which queries change or, perhaps, shards."""
        self.change()
        while self.past < LAST:
            if self.batches and self.chance.random() < 0.4:
                self.change()
            elif self.batches and resharded and self.chance.random() < 0.2:
                self.standing.reshard(self.chance.choice([1, 2, 3, 5]))
            self.batch()
        self.check()

    def check(self) -> None:
        """Each query answered as the reference says, for as long as it was there."""
        compiled = compiled_queries(self.texts, "fixed")
        for name, parts in self.standing.answers.items():
            plan, first, last = compiled.program.queries[name].plan, self.begins[name].instant, self.ends[name]
            seen = {source: [row for row in rows if row[0] >= first] for source, rows in self.inputs.items()}
            rows = concat(parts, parts[0].types)
            found = as_answer(plan.kind, rows.where(rows.start <= last), last)
            expected = evaluate(plan, seen, last, first)
            problems = differences(*(Answer(each.kind, each.bags[first:]) for each in (found, expected)))
            assert not problems, f"{name}, from {first}: {self.texts[name]}\n" + "\n".join(problems)


@pytest.mark.parametrize("seed", range(30))
def test_together_as_the_reference_has_each_alone(seed: int, examples: Examples) -> None:
    chance = Random(f"stems {seed}")
    world = World(chance, Standing(chance.choice([1, 2, 3])), {name: rows_of(chance) for name in NAMES}, query)
    world.run()
    assert len(world.together) > len(world.texts) / 2, "joins on one key should mostly be answered together"
    examples("joins answered together as the reference answers each", len(world.together))


def alike(chance: Random) -> str:
    """A join of one family, whose members have windows of rows of their own sizes."""
    sizes = [chance.choice([1, 2, 3, 5, 8]) for _ in range(3)]
    third = chance.choice([f"[ROWS {sizes[2]}]", "[RANGE 4]"])
    from_ = f"A [ROWS {sizes[0]}] AS x, B [ROWS {sizes[1]}] AS y, C {third} AS z"
    return (
        f"SELECT x.v AS one, y.v AS other FROM {from_} WHERE x.k = y.k AND y.k = z.k AND x.v >= {chance.randrange(3)}"
    )


@pytest.mark.parametrize("seed", range(6))
def test_tuples_leave_windows_of_rows_of_many_sizes(seed: int, examples: Examples) -> None:
    chance = Random(f"rows {seed}")
    inputs = {
        name: sorted((at, (1, v, "a")) for at, (_, v, _) in rows_of(chance) + rows_of(chance) if v is not None)
        for name in NAMES
    }
    world = World(chance, Standing(chance.choice([1, 2, 3])), inputs, alike)
    world.run()
    assert world.together == set(world.texts)
    examples("joins answered together as the reference answers each", len(world.together))


# The law of each operator on a few rows -------------------------------------------------------------------


def readers_of_small_keys(reach: int, needs: set[int]) -> StemReaders:
    """One member, which wants the tuples whose first column is below 5."""
    small = Call("<", (Column(0, BIGINT), Literal(5, BIGINT)), BOOLEAN)
    return Membership().flow({3: MemberFilter(small, 2, 0)}, past=-1).for_stem(reach, frozenset(needs))


def test_a_stem_keeps_what_a_member_wants_for_as_long_as_a_window_may_hold_it() -> None:
    """With [RANGE 3] as the largest window a tuple of instant 1 is kept up to 4; a NULL key joins nothing."""
    steps = StepThrough(Stem((NUMBER, TEXT), "stem", 2, (0,), readers_of_small_keys(3, {1})))
    assert steps.batch(1, "+ 2 a @1..2\n+ 9 b @1..2\n+ None c @1..2") == ["+ 2 a @1..2"]
    assert steps.batch(3) == []
    assert len(steps.state) == 1
    steps.batch(4)
    assert len(steps.state) == 0


def test_a_stem_stores_the_columns_that_readers_need() -> None:
    """The key is always stored; a column that no reader needs is NULL."""
    steps = StepThrough(Stem((NUMBER, TEXT), "stem", 2, (0,), readers_of_small_keys(3, set())))
    assert steps.batch(1, "+ 2 a @1..2") == ["+ 2 None @1..2"]


def test_a_row_stem_keeps_a_tuple_until_as_many_have_come_to_the_whole_stream() -> None:
    """With [ROWS 2] tuple 1 goes with tuple 3. Tuples 2 and 3 are in other shards: only their numbers come here."""
    flow = readers_of_small_keys(2, {1})
    steps = StepThrough(RowStem((NUMBER, TEXT, NUMBER), "stem", 2, (0,), flow), (NUMBER, TEXT, NUMBER), (NUMBER,))
    assert steps.batch(1, "+ 2 a 1 @1..2", "+ 1 @1..2") == ["+ 2 a 1 @1..2"]
    assert steps.batch(4, "", "+ 2 @4..5") == []
    assert len(steps.state.memory) == 1
    assert steps.batch(7, "", "+ 3 @7..8") == []
    assert (len(steps.state.memory), steps.state.total) == (0, 3)


def test_row_numbers_go_on_from_batch_to_batch() -> None:
    """Tuples are numbered from 1 on, in order of time and then of arrival, and each copy has a number."""
    steps = StepThrough(RowNumber((TEXT, NUMBER)), (TEXT,))
    assert steps.batch(3, "+ b @3..4\n+ a @1..2\n+ c @3..4") == ["+ a 1 @1..2", "+ b 2 @3..4", "+ c 3 @3..4"]
    assert steps.batch(4) == []
    assert steps.batch(5, "+2 d @5..6") == ["+ d 4 @5..6", "+ d 5 @5..6"]
