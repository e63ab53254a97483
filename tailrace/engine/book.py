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
from tailrace.physical.expressions import can_evaluate
from tailrace.physical.fingerprints import source_text
from tailrace.physical.flows.flow import Flow, Roll, Wish
from tailrace.physical.flows.predicates import branches
from tailrace.rewrite.families import Selection, lifted, selection


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


@dataclass
class Book:
    """Facts of queries by name, families by name, and the rolls of their members."""

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
        if chosen is None or not is_indexed(chosen.predicate):
            return facts
        return replace(facts, family=self.family(plan, chosen, query.is_snapshot), wanted=chosen.predicate)

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


def is_indexed(predicate: Expression) -> bool:
    """Whether a flow can tell who wants what, without Catalyst."""
    return all(can_evaluate(part) for branch in branches(predicate) for part in branch.residual)
