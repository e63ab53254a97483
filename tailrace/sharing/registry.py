"""Registry: remembers a profile of each query and the plan of each family from one change of the queries to the next.

So adding one query to ten thousand costs the analysis of that one query.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from weakref import WeakKeyDictionary

from tailrace.analysis.program import TemplatedQuery
from tailrace.analysis.query_templates import QueryTemplate
from tailrace.catalog.sources import Relation, Stream
from tailrace.columnar.evaluate import can_evaluate
from tailrace.errors import UnknownValueError
from tailrace.logical.expressions import (
    TRUE,
    Call,
    Column,
    Constants,
    Expression,
    Literal,
    Parameter,
    bind,
    columns_of,
    transform,
)
from tailrace.logical.expressions import walk as walk_parts
from tailrace.logical.family_nodes import StemJoin
from tailrace.logical.nodes import Scan
from tailrace.logical.plan import Plan, walk
from tailrace.logical.queries import QueryDefinition
from tailrace.logical.windows import Sliding
from tailrace.operators.families.routing.predicates import branches
from tailrace.operators.identity import stem_name
from tailrace.rewrite.rewriter import RewriteResult, rewrite
from tailrace.settings import Settings
from tailrace.sharing.families import Selection, generalise, selection
from tailrace.sharing.join_families import JoinTree
from tailrace.stable_encoding import digest, encode, hash_bytes


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

    Queries with equal ids compute the same, whatever their columns are called. For a query that joins streams,
    `predicate` is over combinations, and `parts` has its predicate and window on each stream.
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
        id = f"{self.query_id}{'-by-input' if strategy == 'input' else ''}"
        return replace(self, query_id=id, family=None, parts=())


@dataclass(frozen=True)
class Family:
    """The plan for all members of a family; `width` is the number of columns of the stream or join below it.

    `is_snapshot` says that the members ask for their result once, at the end of a run.
    """

    plan: Plan
    width: int
    is_snapshot: bool


@dataclass(frozen=True)
class TemplateProfile:
    """What queries of one template have in common: what they read, their family, and their predicate with parameters.

    `is_indexed` says that workers can evaluate the predicate whatever the parameters are; otherwise each query must
    be looked at. `rivals` are groups of comparisons that differ only in their constants. Rewrites drop one of two equal
    conditions, so a query in which two of them become equal is rewritten by itself.
    """

    profile: QueryProfile
    is_indexed: bool
    rivals: tuple[tuple[Expression, ...], ...]

    def bind(self, constants: Constants) -> Expression | None:
        """The predicate of the query with these constants; None if the query must be rewritten by itself."""
        if any(len({bind(each, constants) for each in group}) < len(group) for group in self.rivals):
            return None
        predicate = bind(self.profile.predicate, constants)
        return predicate if self.is_indexed or is_indexed(predicate) else None


@dataclass
class QueryRegistry:
    """The profiles of queries and of query templates, and the families, by name.

    Profiles are kept by definition, as long as the definition lives. So sessions that extend each other share them.
    """

    profiles: WeakKeyDictionary[QueryDefinition, tuple[Settings, QueryProfile]] = field(
        default_factory=WeakKeyDictionary
    )
    families: dict[str, Family] = field(default_factory=dict)
    family_names: dict[tuple[Plan, bool], str] = field(default_factory=dict)  # by the plan with an empty name
    templates: WeakKeyDictionary[QueryTemplate, dict[tuple[bool, Settings], TemplateProfile | None]] = field(
        default_factory=WeakKeyDictionary
    )

    def profile(
        self, query: QueryDefinition, settings: Settings, rewrite_query: Callable[[QueryDefinition], RewriteResult]
    ) -> QueryProfile:
        """The profile of a query; `rewrite_query` is called only if there is none of it, or of its template, yet."""
        known_settings, profile = self.profiles.get(query, (None, None))
        if profile is None or known_settings is not settings:
            profile = self.profile_by_template(query, settings) if isinstance(query, TemplatedQuery) else None
            if profile is None:
                bare = QueryProfile(query_id(encode(query.plan), query.is_snapshot), sources_of(query.plan))
                profile = self.with_family(bare, rewrite_query(query).plan, query.is_snapshot)
            profile = profile.with_strategy(settings.strategy, query.strategy is not None)
            self.profiles[query] = settings, profile
        return profile

    def with_family(self, profile: QueryProfile, plan: Plan, is_snapshot: bool) -> QueryProfile:
        """The profile with the query's family, given its rewritten plan; unchanged if the query can be in no family."""
        chosen = selection(plan)
        if chosen is None or not all(map(is_indexed, chosen.predicates)):
            return profile
        family = self.family(plan, chosen.width, is_snapshot)
        parts = parts_of(chosen, self.families[family].plan) if isinstance(chosen, JoinTree) else ()
        return replace(profile, family=family, predicate=chosen.predicate, parts=parts)

    def profile_by_template(self, query: TemplatedQuery, settings: Settings) -> QueryProfile | None:
        """The profile of a query made from its template, without a look at its plan; None if that is not possible.

        It is not possible for joins, for queries without a family, and if two comparisons of the query are equal.
        """
        template, constants = query.template, query.constants
        profiles, key = self.templates.setdefault(template, {}), (query.is_snapshot, settings)
        if key not in profiles:
            profiles[key] = self.profile_template(template, query.is_snapshot, settings)
        shared = profiles[key]
        predicate = shared.bind(constants) if shared else None
        if shared is None or predicate is None:
            return None
        id = query_id(template.encode_plan(constants), query.is_snapshot)
        return QueryProfile(id, shared.profile.reads, shared.profile.family, predicate)

    def profile_template(
        self, template: QueryTemplate, is_snapshot: bool, settings: Settings
    ) -> TemplateProfile | None:
        """What all queries of a template have in common, if they are in one family over one stream; else None."""
        try:
            plan = rewrite(template.plan, settings).plan
            chosen = selection(plan)
            if not isinstance(chosen, Selection):
                return None
            family = self.family(plan, chosen.width, is_snapshot)
        except UnknownValueError:
            return None
        profile = QueryProfile("", sources_of(template.plan), family, chosen.predicate)
        return TemplateProfile(profile, is_always_indexed(chosen.predicate), rivals_of(chosen.predicate))

    def family(self, plan: Plan, width: int, is_snapshot: bool) -> str:
        """The name of the family to which a plan belongs, which is registered if it is new.

        The name is a hash of the family's plan and sources, so it is the same in every run.
        """
        key = generalise(plan, ""), is_snapshot
        if key not in self.family_names:
            name = f"family-{digest(key, 8)}"
            self.family_names[key] = name
            self.families[name] = Family(generalise(plan, name), width, is_snapshot)
        return self.family_names[key]


def parts_of(tree: JoinTree, plan: Plan) -> tuple[StemInput, ...]:
    """What a join reads of each stream. The family's plan tells which columns of combinations are used above it."""
    needed = columns_of(tree.predicate).union(*(node.columns for node in walk(plan) if isinstance(node, StemJoin)))
    parts = []
    first = 0
    for stem, side, window in zip(tree.stems, tree.sides, tree.windows, strict=True):
        width = len(side.source.schema)
        needs = frozenset(column - first for column in needed if first <= column < first + width)
        parts.append(StemInput(stem_name(stem), side.predicate, width, window, needs))
        first += width
    return tuple(parts)


def sources_of(plan: Plan) -> tuple[Stream | Relation, ...]:
    return tuple({node.source.name: node.source for node in walk(plan) if isinstance(node, Scan)}.values())


def query_id(encoded_plan: bytes, is_snapshot: bool) -> str:
    """The id of a query: the hash of its plan's encoding and of whether it asks for its result once, at the end."""
    return hash_bytes(encode(is_snapshot) + encoded_plan)


def is_indexed(predicate: Expression) -> bool:
    """Whether a worker can evaluate the predicate in grouped filters and Arrow, without Catalyst."""
    return all(can_evaluate(part) for branch in branches(predicate) for part in branch.residual)


def is_always_indexed(predicate: Expression) -> bool:
    """Whether a worker can evaluate the predicate whatever its parameters are, as if they were columns."""
    return can_evaluate(transform(predicate, lambda p: Column(0, p.of) if isinstance(p, Parameter) else p))


def rivals_of(predicate: Expression) -> tuple[tuple[Expression, ...], ...]:
    """The comparisons of the same expression with parameters or other constants, where there are several."""
    groups: dict[Expression, dict[Expression, None]] = {}
    for part in walk_parts(predicate):
        match part:
            case Call(_, (left, Literal())):
                groups.setdefault(left, {})[part] = None
    return tuple(tuple(group) for group in groups.values() if len(group) > 1)
