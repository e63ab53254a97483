"""Book: what is known of an engine's queries and families, so that a change costs as much as what changes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from hashlib import blake2b

from tailrace.analysis.program import Query
from tailrace.catalog.sources import Relation, Stream
from tailrace.logical.explain import tree
from tailrace.logical.expressions import TRUE, Expression
from tailrace.logical.nodes import Scan
from tailrace.logical.plan import Plan, walk
from tailrace.logical.windows import TimeWindow
from tailrace.physical.expressions import can_evaluate
from tailrace.physical.fingerprints import source_text, stem_name
from tailrace.physical.flows.flow import Flow, Roll, Windows, Wish, reach_of
from tailrace.physical.flows.predicates import branches
from tailrace.physical.plan import Begin
from tailrace.rewrite.families import lifted, selection
from tailrace.rewrite.join_families import JoinTree


@dataclass(frozen=True)
class Part:
    """What a query wants of a stream that it joins, in which window, and the stem that has the stream's tuples."""

    stem: str
    wanted: Expression
    width: int
    window: TimeWindow


@dataclass(frozen=True)
class Facts:
    """What a query is, as a text; what it reads; its family and what it wants there.

    What a query that joins streams wants of combinations is `wanted`, of each stream one of the `parts`.
    """

    text: str
    reads: tuple[Stream | Relation, ...]
    family: str | None = None
    wanted: Expression = TRUE
    parts: tuple[Part, ...] = ()

    @property
    def shares(self) -> tuple[str, ...]:
        """What many queries may have in common with it: the stems that it reads, or else its family."""
        stems = tuple(part.stem for part in self.parts)
        return stems or ((self.family,) if self.family else ())


@dataclass(frozen=True)
class Kin:
    """A family: the plan for all its members over a stream, or a join, of so many columns."""

    plan: Plan
    width: int
    is_snapshot: bool


@dataclass
class Book:
    """Facts of queries by name, families by name, and the rolls of the members of families and stems."""

    known: dict[str, tuple[Query, Plan, Facts]] = field(default_factory=dict)
    kin: dict[str, Kin] = field(default_factory=dict)
    families: dict[tuple[Plan, bool], str] = field(default_factory=dict)  # by their plans, which have no name yet
    rolls: dict[str, Roll] = field(default_factory=dict)

    def facts(self, queries: Iterable[Query], plans: Mapping[str, Plan]) -> dict[str, Facts]:
        """Of each query by its name, given its final plan."""
        found = {}
        for query in queries:
            plan = plans[query.name]
            whose, of, facts = self.known.get(query.name, (None, None, None))
            if facts is None or whose is not query or of is not plan:
                facts = self.found(query, plan)
            found[query.name] = query, plan, facts
        self.known = found
        return {name: facts for name, (_, _, facts) in found.items()}

    def found(self, query: Query, plan: Plan) -> Facts:
        sources = {node.source.name: node.source for node in walk(query.plan) if isinstance(node, Scan)}
        kind = "in the end" if query.is_snapshot else str(query.kind)
        text = "\n".join([kind, tree(query.plan), *map(source_text, sources.values())])
        facts = Facts(text, tuple(sources.values()))
        chosen = selection(plan)
        parts = parts_of(chosen) if isinstance(chosen, JoinTree) else ()
        if chosen is None or not all(map(is_indexed, [chosen.predicate, *(part.wanted for part in parts)])):
            return facts
        family = self.family(plan, chosen.width, query.is_snapshot)
        return replace(facts, family=family, wanted=chosen.predicate, parts=parts)

    def family(self, plan: Plan, width: int, is_snapshot: bool) -> str:
        """The name of the family that a plan is of; the same in every run."""
        key = lifted(plan, ""), is_snapshot
        if key not in self.families:
            sources = {source_text(node.source) for node in walk(key[0]) if isinstance(node, Scan)}
            text = " ".join([str(is_snapshot), tree(key[0]), *sorted(sources)])
            name = f"family-{blake2b(text.encode(), digest_size=8).hexdigest()}"
            self.families[key] = name
            self.kin[name] = Kin(lifted(plan, name), width, is_snapshot)
        return self.families[key]

    def families_of(self, numbers: Mapping[str, int]) -> dict[str, dict[int, str]]:
        """The families of queries that have numbers: by each its members' names."""
        found: dict[str, dict[int, str]] = {}
        for name, number in numbers.items():
            found.setdefault(self.known[name][2].family or "", {})[number] = name
        return found

    def flows(
        self, families: Mapping[str, Mapping[int, str]], begins: Mapping[str, Begin], past: int, policy: str
    ) -> dict[str, Flow]:
        """The flows of families, of which each has these members by number, and of the stems that they read.

        What comes is after `past`.
        """
        found: dict[str, Flow] = {}
        stems: dict[str, dict[int, Wish]] = {}
        reaches: dict[str, int] = {}
        for family, members in families.items():
            facts = {number: self.known[name][2] for number, name in members.items()}
            first = {number: begins.get(name, Begin()).instant for number, name in members.items()}
            width = self.kin[family].width
            wishes = {number: Wish(each.wanted, width, first[number]) for number, each in facts.items()}
            flow = self.roll(family).flow(wishes, past, policy)
            windows = {number: [part.window for part in each.parts] for number, each in facts.items() if each.parts}
            found[family] = flow.joining(Windows.of(windows)) if windows else flow
            for number, each in facts.items():
                for part in each.parts:
                    wish = Wish(part.wanted, part.width, first[number])
                    stems.setdefault(part.stem, {})[number] = wish
                    reaches[part.stem] = max(reaches.get(part.stem, 0), reach_of(part.window))
        for stem, wishes in stems.items():
            found[stem] = self.roll(stem).flow(wishes, past, policy).reaching(reaches[stem])
        return found

    def roll(self, name: str) -> Roll:
        """The members of a family or a stem."""
        return self.rolls.setdefault(name, Roll())


def parts_of(tree: JoinTree) -> tuple[Part, ...]:
    """What is wanted of each stream that is joined."""
    return tuple(
        Part(stem_name(stem), side.predicate, len(side.source.schema), window)
        for stem, side, window in zip(tree.stems, tree.sides, tree.windows, strict=True)
    )


def is_indexed(predicate: Expression) -> bool:
    """Whether a flow can tell who wants what, without Catalyst."""
    return all(can_evaluate(part) for branch in branches(predicate) for part in branch.residual)
