"""Registry: remembers a profile of each query and a plan of each family from one change of the queries to the next.

So adding one query to ten thousand costs the analysis of that one query.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from hashlib import blake2b

from tailrace.analysis.program import TemplatedQuery
from tailrace.analysis.query_templates import PredicateTemplate, QueryTemplate, pattern_of
from tailrace.catalog.sources import Relation, Stream
from tailrace.columnar.evaluate import can_evaluate
from tailrace.logical.explain import tree
from tailrace.logical.expressions import TRUE, Expression, columns_of
from tailrace.logical.family_nodes import StemJoin
from tailrace.logical.nodes import Scan
from tailrace.logical.plan import Plan, walk
from tailrace.logical.queries import QueryDefinition
from tailrace.logical.windows import Sliding
from tailrace.operators.families.member_sets import MemberFilter, MemberSet, Membership, Windows, reach_of
from tailrace.operators.families.routing.predicates import branches
from tailrace.operators.identity import source_id, stem_name
from tailrace.operators.plan import StartPoint
from tailrace.rewrite.rewriter import rewrite
from tailrace.settings import Settings
from tailrace.sharing.families import generalise, selection
from tailrace.sharing.join_families import JoinTree


@dataclass(frozen=True)
class StemInput:
    """One stream that a query joins: the stem with the stream's tuples, the query's predicate on them, and its window.

    `wanted` is the predicate, over the `width` columns of the stream. `needs` are the columns the stem must store.
    """

    stem: str
    wanted: Expression
    width: int
    window: Sliding
    needs: frozenset[int]


@dataclass(frozen=True)
class QueryProfile:
    """What sharing knows of a query: its id, the sources that it reads, its family, and its predicate in the family.

    `query_id` is the whole plan and its sources as text: queries with equal ids compute the same. For a query that
    joins streams, `predicate` is over combinations, and `parts` has its predicate and window on each stream.
    """

    query_id: str
    reads: tuple[Stream | Relation, ...]
    family: str | None = None
    predicate: Expression = TRUE
    parts: tuple[StemInput, ...] = ()

    @property
    def share_keys(self) -> tuple[str, ...]:
        """The names by which queries are counted to decide whether to share: the stems it reads, or else its family."""
        stems = tuple(part.stem for part in self.parts)
        return stems or ((self.family,) if self.family else ())

    def with_strategy(self, strategy: str, is_own: bool) -> QueryProfile:
        """The profile under an expiry strategy; `is_own` says that the query has chosen one for itself.

        A query with its own strategy is answered alone, and so are all queries under `input`. That strategy keeps the
        state in one shard, so it is part of the id: a query that starts or stops using it starts empty.
        """
        if strategy != "input" and not is_own:
            return self
        text = f"{self.query_id}{' by input' if strategy == 'input' else ''}"
        return replace(self, query_id=text, family=None, parts=())


Families = dict[str, dict[int, tuple[str, QueryProfile]]]  # by family: its queries, by their member numbers


@dataclass(frozen=True)
class Family:
    """The plan for all members of a family; `width` is the number of columns of the stream or join below it.

    `is_snapshot` says that the members ask for their result once, at the end of a run.
    """

    plan: Plan
    width: int
    is_snapshot: bool


# What queries of one template have in common: a profile without id, the predicate, and the texts before and after the
# plan's own text in the query id.
Told = tuple[QueryProfile, PredicateTemplate, tuple[str, str]]


@dataclass
class QueryRegistry:
    """The profiles of queries, the plans of families, and the members of families and stems, each by name.

    `known` and `shapes` are caches of profiles, of queries and of query templates. `kin` has the families by name.
    """

    known: dict[str, tuple[QueryDefinition, Settings, QueryProfile]] = field(default_factory=dict)
    kin: dict[str, Family] = field(default_factory=dict)
    families: dict[tuple[Plan, bool], str] = field(default_factory=dict)  # names, by the plan with an empty name
    rolls: dict[str, Membership] = field(default_factory=dict)
    shapes: dict[tuple[int, bool], tuple[QueryTemplate, Settings, Told | None]] = field(default_factory=dict)

    def facts(
        self, queries: Iterable[QueryDefinition], settings: Settings, final: Callable[[QueryDefinition], Plan]
    ) -> dict[str, QueryProfile]:
        """The profile of each query, by name; queries that are not in `queries` are forgotten.

        `final` gives the rewritten plan of a query. It is called only for queries without a profile under `settings`.
        """
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
        """The profile with the query's family, given its rewritten plan; unchanged if the query can be in no family."""
        chosen = selection(plan)
        if chosen is None or not all(map(is_indexed, chosen.predicates)):
            return facts
        family = self.family(plan, chosen.width, is_snapshot)
        parts = parts_of(chosen, self.kin[family].plan) if isinstance(chosen, JoinTree) else ()
        return replace(facts, family=family, predicate=chosen.predicate, parts=parts)

    def alike(self, query: TemplatedQuery, settings: Settings) -> QueryProfile | None:
        """The profile of a query made from its template, without a look at its plan; None if that is not possible.

        It is not possible for joins, for queries without a family, and if two comparisons of the query are equal.
        """
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
        """What all queries of a template have in common, if they are in one family over one stream; else None."""
        final = [rewrite(plan, settings).plan for plan in samples.plans]
        bare = QueryProfile("", sources_of(samples.plans[0]))
        one, other = (self.with_family(bare, plan, is_snapshot) for plan in final)
        if one.family is None or one.family != other.family or one.parts:
            return None
        found = pattern_of(samples, one.predicate, other.predicate)
        before, _, after = text_of(samples.plans[0], is_snapshot).partition(tree(samples.plans[0]))
        return (one, found, (before, after)) if found else None

    def family(self, plan: Plan, width: int, is_snapshot: bool) -> str:
        """The name of the family to which a plan belongs, which is registered if it is new.

        The name is a hash of the family's plan and sources, so it is the same in every run.
        """
        key = generalise(plan, ""), is_snapshot
        if key not in self.families:
            sources = {source_id(node.source) for node in walk(key[0]) if isinstance(node, Scan)}
            text = " ".join([str(is_snapshot), tree(key[0]), *sorted(sources)])
            name = f"family-{blake2b(text.encode(), digest_size=8).hexdigest()}"
            self.families[key] = name
            self.kin[name] = Family(generalise(plan, name), width, is_snapshot)
        return self.families[key]

    def flows(
        self, families: Families, begins: Mapping[str, StartPoint], past: int, policy: str
    ) -> dict[str, MemberSet]:
        """The members of each family, and the readers of each stem that the families read, by name.

        `begins` has the start of each query. All rows of the batch are of instants after `past`, so a member that
        started earlier needs no check of instants.
        """
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
        """The membership of a family or a stem, empty if it is new."""
        return self.rolls.setdefault(name, Membership())


def families_of(numbers: Mapping[str, int], facts: Mapping[str, QueryProfile]) -> Families:
    """The queries that have member numbers, by family and number."""
    found: Families = {}
    for name, number in numbers.items():
        found.setdefault(facts[name].family or "", {})[number] = name, facts[name]
    return found


def parts_of(tree: JoinTree, plan: Plan) -> tuple[StemInput, ...]:
    """What a join reads of each stream. The family's plan tells which columns of combinations are used above it."""
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
    """The query's id: its kind of result, its plan and its sources as text."""
    kind = "in the end" if is_snapshot else str(plan.kind)
    return "\n".join([kind, tree(plan), *map(source_id, sources_of(plan))])


def is_indexed(predicate: Expression) -> bool:
    """Whether a worker can evaluate the predicate in grouped filters and Arrow, without Catalyst."""
    return all(can_evaluate(part) for branch in branches(predicate) for part in branch.residual)
