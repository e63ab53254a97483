"""Scripts: random sources, views and queries together, all of which analysis accepts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC
from math import prod
from random import Random
from typing import Any

from tailrace import Engine
from tailrace.engine.internals import script_of
from tailrace.errors import TailraceError
from tailrace.logical.nodes import Join, Scan, Union
from tailrace.logical.plan import Kind, Plan
from tailrace.logical.queries import View
from tailrace.testing.random_scripts.choices import Choices
from tailrace.testing.random_scripts.expressions import kind_of
from tailrace.testing.random_scripts.queries import FromItem, QueryWriter
from tailrace.testing.random_scripts.select_parts import SelectParts
from tailrace.testing.random_scripts.sources import ORIGIN, RandomSource, draw_source

MOST_ROWS = 10_000  # that a query may give at one instant, for the definition to say them in time
TRIES = 4  # how often a query that analysis refuses is drawn again
RELATIONS = ("static", "upsert", "signed", "growing")
NO_SETTINGS: Mapping[str, str] = {}
NO_SINKS: Mapping[str, str] = {}
SETTINGS = {
    "shards": ("2", "1", "5"),
    "strategy": ("auto", "probing", "negative", "hybrid"),
    "routing": ("best", "tickets", "random", "fixed"),
    "scan": ("arrow", "spark"),
}

PER_WINDOW = ("[TUMBLE", "[HOP", "[CUMULATE", "SESSION")  # windows of which each is counted by itself


@dataclass(frozen=True)
class Law:
    """What must hold between the answers of queries, whatever the definition says of each.

    `parts`: the first query's rows are those of all others together. `counts`: both give the same.
    """

    kind: str
    queries: tuple[str, ...]


@dataclass(frozen=True)
class RandomScript:
    """Sources, views and queries by name; `phases` are the last instants of runs that go on where one stopped."""

    seed: int
    in_ticks: bool
    phases: tuple[int, ...]
    sources: tuple[RandomSource, ...]
    views: Mapping[str, str]
    queries: Mapping[str, str]
    laws: tuple[Law, ...] = ()
    drawn: Mapping[str, tuple[int, ...]] = field(default_factory=dict)  # the choices behind each query, to shrink it

    @property
    def last(self) -> int:
        return self.phases[-1]

    @property
    def ticks_to_origin(self) -> int:
        """How many seconds after 1970 the first instant is; 0 where timestamps count ticks."""
        return 0 if self.in_ticks else int(ORIGIN.replace(tzinfo=UTC).timestamp())

    def text(
        self,
        folder: str = ".",
        files_a_batch: int | None = None,
        settings: Mapping[str, str] = NO_SETTINGS,
        sinks: Mapping[str, str] = NO_SINKS,
    ) -> str:
        """The whole script, over files below a folder; `sinks` has what stands behind INTO, by query."""
        lines = [f"SET {name} = '{value}';" for name, value in settings.items()]
        lines += [] if self.in_ticks else [f"SET origin = '{ORIGIN}';"]
        lines += [each.statement(f"{folder}/{each.name}", self.in_ticks, files_a_batch) for each in self.sources]
        lines += [f"CREATE VIEW {name} AS {text};" for name, text in self.views.items()]
        into = {name: f" INTO {sink}" for name, sink in sinks.items()}
        lines += [f"CREATE QUERY {name}{into.get(name, '')} AS {text};" for name, text in self.queries.items()]
        return "\n".join(lines)

    def rows(self) -> dict[str, list[tuple[Any, ...]]]:
        """The rows of all sources by name, in the order of arrival, as `evaluate_script` takes them."""
        return {source.name: source.dated_rows(self.in_ticks) for source in self.sources}

    def with_queries(self, names: list[str]) -> RandomScript:
        """The same script with some of its queries, and the laws that speak of these alone."""
        laws = tuple(law for law in self.laws if set(law.queries) <= set(names))
        return replace(self, queries={name: self.queries[name] for name in names}, laws=laws)


def random_script(seed: int, size: int | None = None) -> RandomScript:
    """The script of a seed, with about `size` queries; the same seed gives the same script.

    >>> script = random_script(7, 2)
    >>> sorted(script.queries), script == random_script(7, 2)
    (['q0', 'q1'], True)
    >>> from tailrace.testing import evaluate_script
    >>> sorted(evaluate_script(script.text(), script.rows()))
    ['q0', 'q1']
    """
    return Draft(seed, size).script()


class Draft:
    """A script while it is drawn: what analysis has accepted so far, and what a FROM can name."""

    def __init__(self, seed: int, size: int | None = None) -> None:
        self.seed = seed
        self.chance = Random(seed)
        choices = Choices(self.chance)
        self.size = size or choices.pick((1, 2, 4, 8, 12, 20, 30))
        self.in_ticks = choices.number(0, 2) > 0
        first = choices.number(2, 6)
        self.phases = (first, first + choices.number(1, 4), first + choices.number(5, 7))
        kinds = ["stream"] * choices.number(2, 4) + [choices.pick(RELATIONS) for _ in range(choices.number(1, 3))]
        self.sources = tuple(
            draw_source(choices, f"{'S' if kind == 'stream' else 'R'}{place}", kind, self.phases[-1], self.phases)
            for place, kind in enumerate(kinds)
        )
        self.engine = Engine()
        self.items: list[FromItem] = []
        if not self.in_ticks:
            self.engine.execute(f"SET origin = '{ORIGIN}';")
        for source in self.sources:
            self.engine.execute(source.statement("x", self.in_ticks, None))
            columns = tuple((name, kind) for name, type in source.columns if (kind := kind_of(type)))
            self.items.append(FromItem(source.name, columns, source.is_stream, source.is_stream))
        self.views: dict[str, str] = {}
        self.queries: dict[str, str] = {}
        self.drawn: dict[str, tuple[int, ...]] = {}
        self.laws: list[Law] = []
        self.refused = 0

    def script(self) -> RandomScript:
        for place in range(self.chance.choice((0, 1, 2, 3))):
            self.add_view(f"V{place}")
        while len(self.queries) < self.size:
            match self.chance.randrange(20):
                case 0 if self.size >= 8:
                    self.add_alike()
                case 1 | 2:
                    self.add_parts()
                case 3:
                    self.add_counts()
                case _:
                    self.add_query()
        return RandomScript(
            self.seed, self.in_ticks, self.phases, self.sources, self.views, self.queries, tuple(self.laws), self.drawn
        )

    def accepts(self, statement: str) -> bool:
        try:
            self.engine.execute(statement)
        except TailraceError:
            self.refused += 1
            return False
        return True

    def new_name(self) -> str:
        return f"q{len(self.queries)}"

    def add(self, text: str, taken: list[int] | None = None) -> str | None:
        """Register a query if analysis accepts it; its name."""
        name = self.new_name()
        if not self.accepts(f"CREATE QUERY {name} AS {text};"):
            return None
        if self.most_rows(script_of(self.engine).program.queries[name].plan) > MOST_ROWS:
            self.engine.execute(f"DROP QUERY {name};")
            return None
        self.queries[name] = text
        if taken is not None:
            self.drawn[name] = tuple(taken)
        return name

    def most_rows(self, plan: Plan) -> int:
        """How many rows a plan can give at one instant, at most: joins of joins of views soon give millions."""
        sizes = [self.most_rows(child) for child in plan.children]
        if isinstance(plan, Scan):
            return next(len(source.rows) for source in self.sources if source.name == plan.source.name)
        if isinstance(plan, Join):
            return prod(sizes)
        return sum(sizes) if isinstance(plan, Union) else max(sizes)

    def author(self, given: tuple[int, ...] | None = None) -> tuple[QueryWriter, Choices]:
        choices = Choices(self.chance if given is None else None, given or ())
        return QueryWriter(choices, self.items), choices

    def add_query(self) -> None:
        for _ in range(TRIES):
            author, choices = self.author()
            if self.add(author.query(), choices.taken):
                return

    def add_view(self, name: str) -> None:
        for _ in range(TRIES):
            author, _ = self.author()
            text = author.select(1, simple=True).text
            if self.accepts(f"CREATE VIEW {name} AS {text};"):
                entry = script_of(self.engine).program.catalog.find(name)
                assert isinstance(entry, View)
                columns = tuple((each.name, kind) for each in entry.schema if (kind := kind_of(str(each.type))))
                self.views[name] = text
                if columns:
                    self.items.append(FromItem(name, columns, entry.kind is Kind.STREAM))
                return

    def add_alike(self) -> None:
        author, _ = self.author()
        for text in author.alike(self.chance.randrange(16, 20)):
            if self.add(text) is None:
                return

    def add_parts(self) -> None:
        """A query, and it again for the tuples of which a predicate is true, false and unknown."""
        author, _ = self.author()
        whole = replace(author.select(1), operator="")
        condition = self.condition_over(author, whole)
        if not whole.is_plain:
            return
        texts = [
            whole.text,
            *(whole.with_condition(f"({condition}) IS {truth}") for truth in ("TRUE", "FALSE", "NULL")),
        ]
        if self.chance.random() < 0.5:
            texts[1:3] = [whole.with_condition(condition), whole.with_condition(f"NOT ({condition})")]
        names = [self.add(text) for text in texts]
        if None not in names:
            self.laws.append(Law("parts", tuple(name for name in names if name)))

    def add_counts(self) -> None:
        """How many tuples pass a predicate: counted behind WHERE, and in the select list."""
        author, _ = self.author()
        whole = replace(author.select(0), operator="")
        condition = self.condition_over(author, whole)
        if any(word in whole.source for word in PER_WINDOW):
            return  # a window without tuples has no count
        source = f"{whole.source}{f' WHERE {whole.where}' if whole.where else ''}"
        behind = f"SELECT COUNT(*) AS c0 FROM {whole.source} WHERE {whole_where(whole, condition)}"
        inside = f"SELECT COUNT(CASE WHEN {condition} THEN 1 END) AS c0 FROM {source}"
        names = [self.add(behind), self.add(inside)]
        if None not in names:
            self.laws.append(Law("counts", tuple(name for name in names if name)))

    def condition_over(self, author: QueryWriter, whole: SelectParts) -> str:
        """A predicate over what a SELECT reads."""
        return author.expressions.condition(whole.scope, 1)


def whole_where(whole: SelectParts, condition: str) -> str:
    return f"({whole.where}) AND ({condition})" if whole.where else condition
