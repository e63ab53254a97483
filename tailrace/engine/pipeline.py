"""Pipeline: takes a script from text to rewritten plans, and runs its queries on Spark.

Spark is imported only when there is something to run: compiling a script needs none of it.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tailrace.analysis.program import Program, analyse, go_on
from tailrace.catalog.user_functions import NO_FUNCTIONS, UserFunctions
from tailrace.deep_stack import on_deep_stack
from tailrace.errors import RunError, Source
from tailrace.language.script import Known, Script
from tailrace.logical.plan import Plan
from tailrace.logical.queries import Definition, QueryDefinition
from tailrace.progress import RunSummary, Watch
from tailrace.rewrite.rewriter import RewriteResult, rewrite
from tailrace.settings import DEFAULTS, Settings

if TYPE_CHECKING:
    import pyarrow as pa

    from tailrace.operators.plan import PhysicalPlan
    from tailrace.sharing.registry import Families, QueryRegistry
    from tailrace.spark.io.frames import DataFrame, SparkSession
    from tailrace.spark.run.watching import SystemQueryPlan
    from tailrace.staging.plan_version import PlanChange, PlanVersion, QuerySet


@dataclass(frozen=True)
class Compiled:
    """An analysed program, and its rewritten plans, made when they are first asked for.

    `known` is a cache of rewritten plans by the id of the definition. Programs that extend this one share it.
    """

    program: Program
    known: dict[int, tuple[Definition, Settings, RewriteResult]] = field(default_factory=dict, compare=False)

    @cached_property
    def rewritten(self) -> dict[str, RewriteResult]:
        """The rewritten plan of each standing query, by name."""
        return on_deep_stack(lambda: {name: self.rewrite(query) for name, query in self.program.queries.items()})

    def rewrite(self, derived: Definition) -> RewriteResult:
        """The rewritten plan of a view or query; a definition is rewritten once for the same settings."""
        whose, settings, rewritten = self.known.get(id(derived), (None, None, None))
        if whose is not derived or settings != self.program.settings or rewritten is None:
            rewritten = on_deep_stack(lambda: rewrite(derived.plan, self.program.settings))
            self.known[id(derived)] = derived, self.program.settings, rewritten
        return rewritten

    def final(self, query: Definition) -> Plan:
        return self.rewrite(query).plan

    @property
    def final_plans(self) -> dict[str, Plan]:
        """The plans of all standing queries after the rewrites."""
        return {name: rewritten.plan for name, rewritten in self.rewritten.items()}


def compile_script(
    source: Source,
    folder: str | Path | None = None,
    functions: UserFunctions = NO_FUNCTIONS,
    settings: Settings = DEFAULTS,
) -> Compiled:
    """Parse and analyse a script that may call these functions. A ScriptError lists all that is wrong with it."""
    return Compiled(on_deep_stack(lambda: analyse(source, folder, functions, settings)))


def extend(
    before: Compiled, read: Callable[[Source, Known], Script], source: Source, folder: str | Path | None = None
) -> Compiled:
    """The program with the statements of one more text, which `read` parses; a ScriptError if they are wrong."""
    catalog, settings = before.program.catalog, before.program.settings
    program = on_deep_stack(lambda: go_on(read(source, catalog.shapes), folder, catalog, settings))
    known = before.known
    if len(known) > 2 * len(program.catalog.entries):
        there = {id(entry) for entry in program.catalog.entries.values()}
        known = {key: found for key, found in list(known.items()) if key in there}
    return Compiled(program, known)


def find(compiled: Compiled, name: str) -> Definition | None:
    """The view or query of this name."""
    entry = compiled.program.catalog.find(name)
    return entry if isinstance(entry, Definition) else None


Show = Callable[[QueryDefinition, list[str], list[tuple[Any, ...]]], None]


def run_once(
    compiled: Compiled,
    folder: str | None,
    until: str | None,
    master: str,
    show: Show,
    watch: Watch = lambda progress: None,
) -> RunSummary:
    """Run every query once, over all rows that are there now; `show` gets the rows of queries without INTO."""
    if not compiled.program.queries:
        return RunSummary()
    refuse_watching(compiled)
    from tailrace.spark.run.run_once import run_once as run_on_spark

    return run_on_spark(work(compiled, folder, until), master, show, watch)


def stand(
    compiled: Compiled,
    folder: str | None,
    checkpoint: str | None,
    pace: str | None,
    stopping: Callable[[threading.Event], None],
    master: str,
    show: Show,
    watch: Watch = lambda progress: None,
    changed: Callable[[PlanChange], None] = lambda changed: None,
) -> RunSummary:
    """Run every query continuously, going on from the checkpoint; without a pace, over the rows that are new now.

    `pace` is the shortest time between two batches. `stopping` is called once Spark has started, with an event that
    stops the run when it is set: Spark has its own handler of Ctrl-C, which must be replaced. `changed` gets each
    change of the plan.
    """
    if not compiled.program.queries:
        return RunSummary()
    if pace is None or len(compiled.program.catalog.system_queries) == len(compiled.program.queries):
        refuse_watching(compiled)
    from tailrace.spark.run.run_once import stand as stand_on_spark

    return stand_on_spark(work(compiled, folder, None), master, show, watch, checkpoint, pace, stopping, changed)


def run_beside(
    compiled: Compiled,
    folder: str | None,
    until: str | None,
    spark: SparkSession,
    frames: Mapping[str, DataFrame],
    take: Callable[[QueryDefinition, pa.Table], None],
) -> RunSummary:
    """Run every query once in the Spark application of a user's session, over files and DataFrames.

    `take` gets the rows of queries without INTO as Arrow tables.
    """
    refuse_watching(compiled)
    from tailrace.spark.run.run_once import run_beside as run_on_spark

    return run_on_spark(work(compiled, folder, until), spark, frames, take)


def refuse_watching(compiled: Compiled) -> None:
    """Raise an error if a query reads a system stream: only a continuous run of other queries feeds these."""
    if compiled.program.catalog.system_queries:
        raise RunError(
            f"{min(compiled.program.catalog.system_queries)} reads a system stream, and there is no run to watch",
            hint="system streams report on a continuous run of other queries: leave --once out, and add some",
        )


def work(
    compiled: Compiled,
    folder: str | None,
    until: str | None,
    book: QueryRegistry | None = None,
    monitors: Sequence[SystemQueryPlan] = (),
) -> QuerySet:
    """The query set of a compiled script, ready for Spark; `monitors` are further queries over system streams.

    `book` keeps the profiles of queries between calls, so that only new queries are looked at.
    """
    from tailrace.lowering.lower import lower
    from tailrace.operators.plan import StartPoint
    from tailrace.sharing.registry import QueryRegistry, families_of
    from tailrace.spark.run.watching import SystemQueryPlan
    from tailrace.staging.plan_version import QuerySet
    from tailrace.staging.stage import own_strategy, stage_plan
    from tailrace.staging.stages import StagedPlan

    book = book or QueryRegistry()
    settings, beside = compiled.program.settings, compiled.program.catalog.system_queries
    named = compiled.program.queries
    queries = list(named.values())
    if beside:
        named = {name: query for name, query in named.items() if name not in beside}
    own = {name: strategy for name, query in named.items() if (strategy := own_strategy(query))}
    known = on_deep_stack(lambda: book.facts(named.values(), settings, compiled.final))
    facts = {name: of.with_strategy(settings.strategy, name in own) for name, of in known.items()}

    def plan(edition: PlanVersion, past: int) -> StagedPlan:
        families = families_of(edition.member_ids, facts)
        physical = on_deep_stack(lambda: lower_queries(compiled, book, families, edition, past))
        wished = {name: own.get(name, settings.strategy) for name in physical.outputs}
        found = on_deep_stack(lambda: stage_plan(physical, wished, edition, past, settings.strategy == "input"))
        found.families = {
            family: {number: name for number, (name, _) in members.items()} for family, members in families.items()
        }
        return found

    def check(names: Iterable[str]) -> None:
        single = [named[name] for name in names if not facts[name].family]
        ends = {query.name for query in single if query.is_snapshot}
        plans = on_deep_stack(lambda: {query.name: compiled.final(query) for query in single})
        on_deep_stack(lambda: lower(plans, ends, dict.fromkeys(plans, StartPoint(1, 1))))

    watching = [
        SystemQueryPlan(query, compiled.final(query), settings.tick) for query in queries if query.name in beside
    ]
    return QuerySet(plan, check, list(named.values()), facts, settings, folder, until, [*watching, *monitors])


def lower_queries(
    compiled: Compiled, book: QueryRegistry, families: Families, edition: PlanVersion, past: int = -1
) -> PhysicalPlan:
    """The physical plan for the queries of a plan version; queries with a member number are in their family's plan."""
    from tailrace.lowering.lower import lower

    together = {family: book.kin[family].plan for family in families}
    others, beside = edition.member_ids, compiled.program.catalog.system_queries
    alone = {name: query for name, query in compiled.program.queries.items() if not (name in others or name in beside)}
    ends = {name for name, query in alone.items() if query.is_snapshot}
    ends |= {family for family in families if book.kin[family].is_snapshot}
    flows = book.flows(families, edition.begins, past, compiled.program.settings.routing)
    plans = {name: compiled.final(query) for name, query in alone.items()}
    return lower({**plans, **together}, ends, edition.begins, flows)
