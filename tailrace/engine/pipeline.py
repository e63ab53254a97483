"""Pipeline: takes a script from text to stages.

```
text ─ parse ─ analyse ─► program                     compile_script, once for each text
program ─ rewrite ─ share ─ lower ─ stage ─► stages   plan_queries, once for each plan version
```

Each step is one function of the folder with its name. The command line, the Python interface, EXPLAIN, queries over
system streams, benches and tests all come this way. Operators are imported only when there is something to plan:
compiling a script needs none of them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from tailrace.analysis.program import Program, analyse
from tailrace.catalog.catalog import Catalog
from tailrace.catalog.user_functions import NO_FUNCTIONS, UserFunctions
from tailrace.deep_stack import on_deep_stack
from tailrace.errors import Source
from tailrace.language.script import Script, TemplateCache, parse_script
from tailrace.logical.plan import Plan
from tailrace.logical.queries import Definition, QueryDefinition
from tailrace.rewrite.rewriter import RewriteResult, rewrite
from tailrace.settings import DEFAULTS, Settings

if TYPE_CHECKING:
    import pyarrow as pa

    from tailrace.operators.plan import PhysicalPlan
    from tailrace.sharing.registry import QueryProfile, QueryRegistry
    from tailrace.sharing.share import Members, Memberships
    from tailrace.staging.plan_version import PlanVersion, QuerySet, SystemQueryPlan
    from tailrace.staging.stages import StagedPlan


@dataclass
class PlanningCaches:
    """What planning remembers of definitions, as long as these live: rewritten plans, and the registry's profiles."""

    rewritten: WeakKeyDictionary[Definition, tuple[Settings, RewriteResult]] = field(default_factory=WeakKeyDictionary)

    @cached_property
    def registry(self) -> QueryRegistry:
        from tailrace.sharing.registry import QueryRegistry

        return QueryRegistry()


@dataclass(frozen=True)
class PlanningSession:
    """An analysed program and what was planned for it so far; sessions that extend each other share the caches."""

    program: Program
    caches: PlanningCaches = field(default_factory=PlanningCaches, compare=False)

    @property
    def settings(self) -> Settings:
        return self.program.settings

    def without_resumed(self) -> PlanningSession:
        """The session once a run has begun the resumed queries anew: a later run is not to do it again."""
        return replace(self, program=replace(self.program, resumed=frozenset())) if self.program.resumed else self

    def rewrite(self, definition: Definition) -> RewriteResult:
        """The rewritten plan of a view or query; a definition is rewritten once for the same settings."""
        settings, rewritten = self.caches.rewritten.get(definition, (None, None))
        if rewritten is None or settings != self.settings:
            rewritten = on_deep_stack(lambda: rewrite(definition.plan, self.settings))
            self.caches.rewritten[definition] = self.settings, rewritten
        return rewritten

    @property
    def final_plans(self) -> dict[str, Plan]:
        """The plans of all standing queries after the rewrites, by name."""
        return on_deep_stack(lambda: {name: self.rewrite(query).plan for name, query in self.program.queries.items()})

    def profiles(self, queries: Iterable[QueryDefinition]) -> dict[str, QueryProfile]:
        """What sharing knows of each query, by name."""
        profile, settings = self.caches.registry.profile, self.settings
        return on_deep_stack(lambda: {query.name: profile(query, settings, self.rewrite) for query in queries})


# Text to a program ------------------------------------------------------------------------------------------


def compile_script(
    source: Source,
    folder: str | Path | None = None,
    functions: UserFunctions = NO_FUNCTIONS,
    settings: Settings = DEFAULTS,
) -> PlanningSession:
    """Parse and analyse a script that may call these functions. A ScriptError lists all that is wrong with it."""
    empty = Program(source, Catalog(functions=functions), settings, ())
    return extend(PlanningSession(empty), parse_script, source, folder)


def extend(
    session: PlanningSession,
    parse: Callable[[Source, TemplateCache], Script],
    source: Source,
    folder: str | Path | None = None,
) -> PlanningSession:
    """The session with the statements of one more text, which `parse` reads; a ScriptError if they are wrong."""
    catalog = session.program.catalog

    def read() -> Program:
        script = parse(source, catalog.templates)
        program = analyse(script, folder, catalog, session.settings)
        return replace(program, resumed=program.resumed | session.program.resumed)

    return replace(session, program=on_deep_stack(read))


# A program to stages ----------------------------------------------------------------------------------------


def plan_script(source: Source, folder: str | Path | None = None) -> StagedPlan:
    """The whole way: the stages in which a script's queries begin to run."""
    return query_set(compile_script(source, folder)).versions.preview(None, -1)


def plan_queries(
    session: PlanningSession,
    profiles: Mapping[str, QueryProfile],
    version: PlanVersion,
    memberships: Memberships,
    decided_until: int = -1,
) -> StagedPlan:
    """The stages of the queries that have profiles, in a plan version; instants up to `decided_until` are decided.

    Queries with a member number are in their family's plan. `memberships` keeps the members between versions of a run.
    """
    from tailrace.sharing.share import members_of
    from tailrace.staging.stage import stage_plan

    queries, strategy = session.program.queries, session.settings.strategy
    members = members_of(version.member_ids, profiles)
    alone = [queries[name] for name in profiles if name not in version.member_ids]
    operators = plan_operators(session, alone, version, members, memberships, decided_until)
    own = {query.name: query.strategy for query in alone}
    requested = {name: own.get(name) or strategy for name in operators.outputs}
    families = {family: {number: name for number, (name, _) in each.items()} for family, each in members.items()}
    return on_deep_stack(
        lambda: stage_plan(operators, requested, version, decided_until, families, strategy == "input")
    )


def plan_operators(
    session: PlanningSession,
    alone: Collection[QueryDefinition],
    version: PlanVersion,
    members: Members | None = None,
    memberships: Memberships | None = None,
    decided_until: int = -1,
) -> PhysicalPlan:
    """The operators of queries that are answered alone, and of families with these members."""
    from tailrace.lowering.lower import lower
    from tailrace.sharing.share import share

    families = session.caches.registry.families
    routing = session.settings.routing

    def plan() -> PhysicalPlan:
        final = {query.name: session.rewrite(query).plan for query in alone}
        kept = {} if memberships is None else memberships
        shared = share(members or {}, families, kept, version.begins, decided_until, routing)
        snapshots = shared.snapshots.union(query.name for query in alone if query.is_snapshot)
        return lower({**final, **shared.plans}, snapshots, version.begins, shared.members)

    return on_deep_stack(plan)


# Plan versions of a run -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class RunPlanner:
    """Plans the versions of one run: this is the `PlanVersions` that Spark is handed (staging/plan_version.py)."""

    session: PlanningSession
    profiles: Mapping[str, QueryProfile]
    memberships: Memberships

    def advance(
        self, before: PlanVersion, batch: int, decided_until: int, watermark: int, newest: Mapping[str, int]
    ) -> tuple[PlanVersion, StagedPlan]:
        version = before.with_queries(self.profiles, batch, decided_until, watermark, newest)
        plan = plan_queries(self.session, self.profiles, version, self.memberships, decided_until)
        return version.with_plan(plan), plan

    def preview(self, before: PlanVersion | None, decided_until: int) -> StagedPlan:
        from tailrace.staging.plan_version import PlanVersion

        batch = 0 if before is None else 1
        return self.advance(before or PlanVersion(), batch, decided_until, decided_until, {})[1]

    def only(self, names: Collection[str], on_trial: bool = False) -> RunPlanner:
        profiles = {name: profile for name, profile in self.profiles.items() if name in names}
        memberships = deepcopy(self.memberships) if on_trial else self.memberships
        return replace(self, profiles=profiles, memberships=memberships)

    def check(self, names: Iterable[str]) -> None:
        single = [self.session.program.queries[name] for name in names if not self.profiles[name].family]
        self.plan_from(single, 1)

    def plan_system_query(self, query: QueryDefinition, instant: int) -> PhysicalPlan:
        from tailrace.staging.system_queries import check_system_query

        operators = self.plan_from([query], instant)
        check_system_query(query, operators)
        return operators

    def plan_from(self, queries: Sequence[QueryDefinition], instant: int) -> PhysicalPlan:
        """The operators of queries that are added at an instant, each answered alone."""
        from tailrace.operators.plan import StartPoint
        from tailrace.staging.plan_version import PlanVersion

        start = StartPoint(1, instant) if instant else StartPoint()
        version = PlanVersion(begins={query.name: start for query in queries})
        return plan_operators(self.session, queries, version)


def query_set(
    session: PlanningSession,
    folder: str | None = None,
    until: str | None = None,
    memberships: Memberships | None = None,
    monitors: Sequence[SystemQueryPlan] = (),
) -> QuerySet:
    """The queries of a session, ready for Spark; a run's next set must have the memberships of the one before."""
    from tailrace.staging.plan_version import QuerySet

    system = session.program.catalog.system_queries
    queries = [query for name, query in session.program.queries.items() if name not in system]
    profiles = session.profiles(queries)
    versions = RunPlanner(session, profiles, {} if memberships is None else memberships)
    watching = [*plan_system_queries(session), *monitors]
    resumed = session.program.resumed
    return QuerySet(queries, versions, profiles, session.settings, folder, until, watching, resumed)


def plan_system_queries(
    session: PlanningSession, take: Callable[[QueryDefinition, pa.Table], None] | None = None
) -> list[SystemQueryPlan]:
    """The queries over system streams, ready for a run; `take` gets their rows in place of their sinks."""
    from tailrace.staging.plan_version import SystemQueryPlan

    planner, tick = RunPlanner(session, {}, {}), session.settings.tick
    system, queries = session.program.catalog.system_queries, session.program.queries
    return [SystemQueryPlan(query, planner, tick, take) for name, query in queries.items() if name in system]
