"""Book: what is known of an engine's queries and families, so that a change costs as much as what changes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from hashlib import blake2b

from tailrace.analysis.alike import Samples
from tailrace.analysis.program import Alike, Query
from tailrace.catalog.sources import Relation, Stream
from tailrace.engine.patterns import Pattern, pattern_of
from tailrace.logical.explain import tree
from tailrace.logical.expressions import TRUE, Expression
from tailrace.logical.nodes import Scan
from tailrace.logical.plan import Plan, walk
from tailrace.physical.expressions import can_evaluate
from tailrace.physical.fingerprints import source_text
from tailrace.physical.flows.flow import Flow, Roll, Wish
from tailrace.physical.flows.predicates import branches
from tailrace.rewrite.families import Selection, lifted, selection
from tailrace.rewrite.rules import rewrite
from tailrace.settings import Settings


@dataclass(frozen=True)
class Facts:
    """What a query is, as a text; what it reads; its family and what it wants there."""

    text: str
    reads: tuple[Stream | Relation, ...]
    family: str | None = None
    wanted: Expression = TRUE


@dataclass(frozen=True)
class Kin:
    """A family: the plan for all its members over a stream of so many columns."""

    plan: Plan
    width: int
    is_snapshot: bool


Told = tuple[Facts, Pattern, tuple[str, str]]  # the text is what `tree` writes, between these


@dataclass
class Book:
    """Facts of queries by name, families by name, and the rolls of their members."""

    known: dict[str, tuple[Query, Settings, Facts]] = field(default_factory=dict)
    kin: dict[str, Kin] = field(default_factory=dict)
    families: dict[tuple[Plan, bool], str] = field(default_factory=dict)  # by their plans, which have no name yet
    rolls: dict[str, Roll] = field(default_factory=dict)
    shapes: dict[tuple[int, bool], tuple[Samples, Settings, Told | None]] = field(default_factory=dict)

    def facts(self, queries: Iterable[Query], settings: Settings, final: Callable[[Query], Plan]) -> dict[str, Facts]:
        """Of each query by its name; `final` gives the plan of one after the rewrites, by these settings."""
        found = {}
        for query in queries:
            whose, by, facts = self.known.get(query.name, (None, None, None))
            if facts is None or whose is not query or by is not settings:
                facts = self.alike(query, settings) if isinstance(query, Alike) else None
                facts = facts or self.found(query, final(query))
            found[query.name] = query, settings, facts
        self.known = found
        return {name: facts for name, (_, _, facts) in found.items()}

    def found(self, query: Query, plan: Plan) -> Facts:
        facts = Facts(text_of(query.plan, query.is_snapshot), sources_of(query.plan))
        return self.placed(facts, plan, query.is_snapshot)

    def placed(self, facts: Facts, plan: Plan, is_snapshot: bool) -> Facts:
        """The facts with a query's family, given its final plan."""
        chosen = selection(plan)
        if chosen is None or not is_indexed(chosen.predicate):
            return facts
        return replace(facts, family=self.family(plan, chosen, is_snapshot), wanted=chosen.predicate)

    def alike(self, query: Alike, settings: Settings) -> Facts | None:
        """The same by the samples of a query's shape, if they tell."""
        samples, values = query.samples, query.like.shape.values
        key = id(samples), query.is_snapshot
        whose, by, known = self.shapes.get(key, (None, None, None))
        if whose is not samples or by != settings:
            known = self.told(samples, query.is_snapshot, settings)
            self.shapes[key] = samples, settings, known
        if known is None:
            return None
        facts, pattern, (before, after) = known
        wanted = pattern.of(values)
        text = f"{before}{samples.text(values)}{after}"
        return None if wanted is None else Facts(text, facts.reads, facts.family, wanted)

    def told(self, samples: Samples, is_snapshot: bool, settings: Settings) -> Told | None:
        """What holds for all queries of a shape, if they are of one family."""
        final = [rewrite(plan, settings).plan for plan in samples.plans]
        bare = Facts("", sources_of(samples.plans[0]))
        one, other = (self.placed(bare, plan, is_snapshot) for plan in final)
        if one.family is None or one.family != other.family:
            return None
        found = pattern_of(samples, one.wanted, other.wanted)
        before, _, after = text_of(samples.plans[0], is_snapshot).partition(tree(samples.plans[0]))
        return (one, found, (before, after)) if found else None

    def family(self, plan: Plan, chosen: Selection, is_snapshot: bool) -> str:
        """The name of the family that a plan is of; the same in every run."""
        key = lifted(plan, ""), is_snapshot
        if key not in self.families:
            text = f"{is_snapshot} {tree(key[0])} {source_text(chosen.source)}"
            name = f"family-{blake2b(text.encode(), digest_size=8).hexdigest()}"
            self.families[key] = name
            self.kin[name] = Kin(lifted(plan, name), len(chosen.source.schema), is_snapshot)
        return self.families[key]

    def flow(self, family: str, wishes: Mapping[int, Wish], past: int, policy: str) -> Flow:
        """The flow of a family whose members, by number, want this; what comes is after `past`."""
        return self.rolls.setdefault(family, Roll()).flow(wishes, past, policy)


def sources_of(plan: Plan) -> tuple[Stream | Relation, ...]:
    return tuple({node.source.name: node.source for node in walk(plan) if isinstance(node, Scan)}.values())


def text_of(plan: Plan, is_snapshot: bool) -> str:
    """What a query is."""
    kind = "in the end" if is_snapshot else str(plan.kind)
    return "\n".join([kind, tree(plan), *map(source_text, sources_of(plan))])


def is_indexed(predicate: Expression) -> bool:
    """Whether a flow can tell who wants what, without Catalyst."""
    return all(can_evaluate(part) for branch in branches(predicate) for part in branch.residual)
