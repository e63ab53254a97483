"""Book: what is known of an engine's queries and families, so that a change costs as much as what changes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from hashlib import blake2b

from tailrace.analysis.program import QueryDefinition, TemplatedQuery
from tailrace.analysis.query_templates import PredicateTemplate, QueryTemplate, pattern_of
from tailrace.catalog.sources import Relation, Stream
from tailrace.columnar.evaluate import can_evaluate
from tailrace.logical.explain import tree
from tailrace.logical.expressions import TRUE, Expression, columns_of
from tailrace.logical.family_nodes import StemJoin
from tailrace.logical.nodes import Scan
from tailrace.logical.plan import Plan, walk
from tailrace.logical.windows import Sliding
from tailrace.operators.families.member_sets import MemberFilter, MemberSet, Membership, Windows, reach_of
from tailrace.operators.families.routing.predicates import branches
from tailrace.operators.plan import StartPoint
from tailrace.rewrite.rewriter import rewrite
from tailrace.settings import Settings
from tailrace.sharing.families import generalise, selection
from tailrace.sharing.join_families import JoinTree
from tailrace.state.identity import source_text, stem_name


@dataclass(frozen=True)
class StemInput:
    """What a query wants of a stream that it joins, in which window, and the stem that has the stream's tuples.

    `needs` are the columns that the stem is to remember for it.
    """

    stem: str
    wanted: Expression
    width: int
    window: Sliding
    needs: frozenset[int]


@dataclass(frozen=True)
class QueryProfile:
    """What a query is, as a text; what it reads; its family and what it wants there.

    What a query that joins streams wants of combinations is `wanted`, of each stream one of the `parts`.
    """

    query_id: str
    reads: tuple[Stream | Relation, ...]
    family: str | None = None
    predicate: Expression = TRUE
    parts: tuple[StemInput, ...] = ()

    @property
    def share_keys(self) -> tuple[str, ...]:
        """What many queries may have in common with it: the stems that it reads, or else its family."""
        stems = tuple(part.stem for part in self.parts)
        return stems or ((self.family,) if self.family else ())

    def with_strategy(self, strategy: str, is_own: bool) -> QueryProfile:
        """The same under a strategy. One of its own is for a query alone, as is `input`, to which belongs state in one
        shard: to take that up, or to leave it, is to begin anew."""
        if strategy != "input" and not is_own:
            return self
        text = f"{self.query_id}{' by input' if strategy == 'input' else ''}"
        return replace(self, query_id=text, family=None, parts=())


Families = dict[str, dict[int, tuple[str, QueryProfile]]]  # of each the queries by their numbers


@dataclass(frozen=True)
class Family:
    """A family: the plan for all its members over a stream, or a join, of so many columns."""

    plan: Plan
    width: int
    is_snapshot: bool


Told = tuple[QueryProfile, PredicateTemplate, tuple[str, str]]  # the text is what `tree` writes, between these


@dataclass
class QueryRegistry:
    """Facts of queries by name, families by name, and the rolls of the members of families and stems."""

    known: dict[str, tuple[QueryDefinition, Settings, QueryProfile]] = field(default_factory=dict)
    kin: dict[str, Family] = field(default_factory=dict)
    families: dict[tuple[Plan, bool], str] = field(default_factory=dict)  # by their plans, which have no name yet
    rolls: dict[str, Membership] = field(default_factory=dict)
    shapes: dict[tuple[int, bool], tuple[QueryTemplate, Settings, Told | None]] = field(default_factory=dict)

    def facts(
        self, queries: Iterable[QueryDefinition], settings: Settings, final: Callable[[QueryDefinition], Plan]
    ) -> dict[str, QueryProfile]:
        """Of each query by its name; `final` gives the plan of one after the rewrites, by these settings."""
        found = {}
        for query in queries:
            whose, by, facts = self.known.get(query.name, (None, None, None))
            if facts is None or whose is not query or by is not settings:
                facts = self.alike(query, settings) if isinstance(query, TemplatedQuery) else None
                facts = facts or self.profile_of(query, final(query))
            found[query.name] = query, settings, facts
        self.known = found
        return {name: facts for name, (_, _, facts) in found.items()}

    def profile_of(self, query: QueryDefinition, plan: Plan) -> QueryProfile:
        facts = QueryProfile(text_of(query.plan, query.is_snapshot), sources_of(query.plan))
        return self.with_family(facts, plan, query.is_snapshot)

    def with_family(self, facts: QueryProfile, plan: Plan, is_snapshot: bool) -> QueryProfile:
        """The facts with a query's family, given its final plan."""
        chosen = selection(plan)
        if chosen is None or not all(map(is_indexed, chosen.predicates)):
            return facts
        family = self.family(plan, chosen.width, is_snapshot)
        parts = parts_of(chosen, self.kin[family].plan) if isinstance(chosen, JoinTree) else ()
        return replace(facts, family=family, predicate=chosen.predicate, parts=parts)

    def alike(self, query: TemplatedQuery, settings: Settings) -> QueryProfile | None:
        """The same by the samples of a query's shape, if they tell."""
        samples, values = query.samples, query.like.shape.values
        key = id(samples), query.is_snapshot
        whose, by, known = self.shapes.get(key, (None, None, None))
        if whose is not samples or by != settings:
            known = self.profile_template(samples, query.is_snapshot, settings)
            self.shapes[key] = samples, settings, known
        if known is None:
            return None
        facts, pattern, (before, after) = known
        wanted = pattern.of(values)
        text = f"{before}{samples.text(values)}{after}"
        return None if wanted is None else QueryProfile(text, facts.reads, facts.family, wanted)

    def profile_template(self, samples: QueryTemplate, is_snapshot: bool, settings: Settings) -> Told | None:
        """What holds for all queries of a shape, if they are of one family over one stream."""
        final = [rewrite(plan, settings).plan for plan in samples.plans]
        bare = QueryProfile("", sources_of(samples.plans[0]))
        one, other = (self.with_family(bare, plan, is_snapshot) for plan in final)
        if one.family is None or one.family != other.family or one.parts:
            return None
        found = pattern_of(samples, one.predicate, other.predicate)
        before, _, after = text_of(samples.plans[0], is_snapshot).partition(tree(samples.plans[0]))
        return (one, found, (before, after)) if found else None

    def family(self, plan: Plan, width: int, is_snapshot: bool) -> str:
        """The name of the family that a plan is of; the same in every run."""
        key = generalise(plan, ""), is_snapshot
        if key not in self.families:
            sources = {source_text(node.source) for node in walk(key[0]) if isinstance(node, Scan)}
            text = " ".join([str(is_snapshot), tree(key[0]), *sorted(sources)])
            name = f"family-{blake2b(text.encode(), digest_size=8).hexdigest()}"
            self.families[key] = name
            self.kin[name] = Family(generalise(plan, name), width, is_snapshot)
        return self.families[key]

    def flows(
        self, families: Families, begins: Mapping[str, StartPoint], past: int, policy: str
    ) -> dict[str, MemberSet]:
        """The flows of families, and of the stems that they read; what comes is after `past`."""
        found: dict[str, MemberSet] = {}
        stems: dict[str, dict[int, tuple[StemInput, int]]] = {}
        for family, members in families.items():
            facts = {number: each for number, (_, each) in members.items()}
            first = {number: begins.get(name, StartPoint()).instant for number, (name, _) in members.items()}
            width = self.kin[family].width
            wishes = {number: MemberFilter(each.predicate, width, first[number]) for number, each in facts.items()}
            flow = self.roll(family).flow(wishes, past, policy)
            windows = {number: [part.window for part in each.parts] for number, each in facts.items() if each.parts}
            found[family] = flow.for_stem_join(Windows.of(windows)) if windows else flow
            for number, each in facts.items():
                for part in each.parts:
                    stems.setdefault(part.stem, {})[number] = part, first[number]
        for stem, readers in stems.items():
            wishes = {number: MemberFilter(part.wanted, part.width, since) for number, (part, since) in readers.items()}
            parts = [part for part, _ in readers.values()]
            reach = max(reach_of(part.window) for part in parts)
            needs = frozenset[int]().union(*{part.needs for part in parts})
            found[stem] = self.roll(stem).flow(wishes, past, policy).for_stem(reach, needs)
        return found

    def roll(self, name: str) -> Membership:
        """The members of a family or a stem."""
        return self.rolls.setdefault(name, Membership())


def families_of(numbers: Mapping[str, int], facts: Mapping[str, QueryProfile]) -> Families:
    """The families of the queries that have numbers."""
    found: Families = {}
    for name, number in numbers.items():
        found.setdefault(facts[name].family or "", {})[number] = name, facts[name]
    return found


def parts_of(tree: JoinTree, plan: Plan) -> tuple[StemInput, ...]:
    """What is wanted of each stream that is joined, given the plan of the family."""
    needed = columns_of(tree.predicate).union(*(node.columns for node in walk(plan) if isinstance(node, StemJoin)))
    found = []
    first = 0
    for stem, side, window in zip(tree.stems, tree.sides, tree.windows, strict=True):
        width = len(side.source.schema)
        needs = frozenset(column - first for column in needed if first <= column < first + width)
        found.append(StemInput(stem_name(stem), side.predicate, width, window, needs))
        first += width
    return tuple(found)


def sources_of(plan: Plan) -> tuple[Stream | Relation, ...]:
    return tuple({node.source.name: node.source for node in walk(plan) if isinstance(node, Scan)}.values())


def text_of(plan: Plan, is_snapshot: bool) -> str:
    """What a query is."""
    kind = "in the end" if is_snapshot else str(plan.kind)
    return "\n".join([kind, tree(plan), *map(source_text, sources_of(plan))])


def is_indexed(predicate: Expression) -> bool:
    """Whether a flow can tell who wants what, without Catalyst."""
    return all(can_evaluate(part) for branch in branches(predicate) for part in branch.residual)
