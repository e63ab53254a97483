"""Run: a compiled script on Spark, which is loaded only once there is something to run."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from tailrace.analysis.program import Query
from tailrace.engine.compile import Compiled
from tailrace.engine.deep import deep
from tailrace.errors import RunError
from tailrace.outcome import Outcome, Watch

if TYPE_CHECKING:
    import pyarrow as pa

    from tailrace.engine.book import Book, Families
    from tailrace.physical.plan import PhysicalPlan
    from tailrace.spark.edition import Changed, Edition, Work
    from tailrace.spark.frames import DataFrame, SparkSession
    from tailrace.spark.watching import Watching

Show = Callable[[Query, list[str], list[tuple[Any, ...]]], None]


def run_once(
    compiled: Compiled,
    folder: str | None,
    until: str | None,
    master: str,
    show: Show,
    watch: Watch = lambda progress: None,
) -> Outcome:
    """Answer every query over all that is there now; `show` gets the rows of queries without INTO."""
    if not compiled.program.queries:
        return Outcome()
    refuse_watching(compiled)
    from tailrace.spark.run import run_once as run_on_spark

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
    changed: Callable[[Changed], None] = lambda changed: None,
) -> Outcome:
    """Answer every query over all that comes or, without a pace, all that is new, going on from the checkpoint.

    `stopping` gets what stops the run when it is set, once Spark is there (which has its own idea of Ctrl-C).
    """
    if not compiled.program.queries:
        return Outcome()
    if pace is None or len(compiled.program.catalog.watching) == len(compiled.program.queries):
        refuse_watching(compiled)
    from tailrace.spark.run import stand as stand_on_spark

    return stand_on_spark(work(compiled, folder, None), master, show, watch, checkpoint, pace, stopping, changed)


def run_beside(
    compiled: Compiled,
    folder: str | None,
    until: str | None,
    spark: SparkSession,
    frames: Mapping[str, DataFrame],
    take: Callable[[Query, pa.Table], None],
) -> Outcome:
    """The same beside a user's session, over files and DataFrames; `take` gets rows as Arrow tables."""
    refuse_watching(compiled)
    from tailrace.spark.run import run_beside as run_on_spark

    return run_on_spark(work(compiled, folder, until), spark, frames, take)


def refuse_watching(compiled: Compiled) -> None:
    """The system's streams tell of queries that stand."""
    if compiled.program.catalog.watching:
        raise RunError(
            f"{min(compiled.program.catalog.watching)} reads a stream of the system, and no other queries stand",
            hint="such streams tell of a run that stands: leave --once out, and have other queries beside it",
        )


def work(
    compiled: Compiled,
    folder: str | None,
    until: str | None,
    book: Book | None = None,
    monitors: Sequence[Watching] = (),
) -> Work:
    """All queries together, ready for Spark, and who watches them of the system's own.

    The book has what is known of them from one work to the next.
    """
    from tailrace.engine.book import Book, families_of
    from tailrace.engine.staging import own_strategy, staged
    from tailrace.physical.lower import lower
    from tailrace.physical.plan import Begin
    from tailrace.physical.stages import StagedPlan
    from tailrace.spark.edition import Work
    from tailrace.spark.watching import Watching

    book = book or Book()
    settings, beside = compiled.program.settings, compiled.program.catalog.watching
    named = compiled.program.queries
    queries = list(named.values())
    if beside:
        named = {name: query for name, query in named.items() if name not in beside}
    own = {name: strategy for name, query in named.items() if (strategy := own_strategy(query))}
    known = deep(lambda: book.facts(named.values(), settings, compiled.final))
    facts = {name: of.under(settings.strategy, name in own) for name, of in known.items()}

    def plan(edition: Edition, past: int) -> StagedPlan:
        families = families_of(edition.numbers, facts)
        physical = deep(lambda: lowered(compiled, book, families, edition, past))
        wished = {name: own.get(name, settings.strategy) for name in physical.outputs}
        found = deep(lambda: staged(physical, wished, edition, past, settings.strategy == "input"))
        found.families = {
            family: {number: name for number, (name, _) in members.items()} for family, members in families.items()
        }
        return found

    def check(names: Iterable[str]) -> None:
        single = [named[name] for name in names if not facts[name].family]
        ends = {query.name for query in single if query.is_snapshot}
        plans = deep(lambda: {query.name: compiled.final(query) for query in single})
        deep(lambda: lower(plans, ends, dict.fromkeys(plans, Begin(1, 1))))

    watching = [Watching(query, compiled.final(query), settings.tick) for query in queries if query.name in beside]
    return Work(plan, check, list(named.values()), facts, settings, folder, until, [*watching, *monitors])


def lowered(compiled: Compiled, book: Book, families: Families, edition: Edition, past: int = -1) -> PhysicalPlan:
    """The operators for the queries of an edition, those of families answered together."""
    from tailrace.physical.lower import lower

    together = {family: book.kin[family].plan for family in families}
    others, beside = edition.numbers, compiled.program.catalog.watching
    alone = {name: query for name, query in compiled.program.queries.items() if not (name in others or name in beside)}
    ends = {name for name, query in alone.items() if query.is_snapshot}
    ends |= {family for family in families if book.kin[family].is_snapshot}
    flows = book.flows(families, edition.begins, past, compiled.program.settings.routing)
    plans = {name: compiled.final(query) for name, query in alone.items()}
    return lower({**plans, **together}, ends, edition.begins, flows)
