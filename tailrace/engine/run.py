"""Run: a compiled script on Spark, which is loaded only once there is something to run."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tailrace.analysis.program import Query
from tailrace.engine.compile import Compiled
from tailrace.engine.deep import deep
from tailrace.outcome import Outcome, Watch

if TYPE_CHECKING:
    import pyarrow as pa

    from tailrace.engine.book import Book, Facts
    from tailrace.spark.edition import Changed, Work
    from tailrace.spark.frames import DataFrame, SparkSession

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
    from tailrace.spark.run import run_beside as run_on_spark

    return run_on_spark(work(compiled, folder, until), spark, frames, take)


def work(compiled: Compiled, folder: str | None, until: str | None, book: Book | None = None) -> Work:
    """All queries together, ready for Spark; the book has what is known of them from one work to the next."""
    from tailrace.engine.book import Book
    from tailrace.engine.staging import staged
    from tailrace.physical.cut_stages import StagedPlan
    from tailrace.physical.flows.flow import Wish
    from tailrace.physical.lower import lower
    from tailrace.physical.plan import Begin
    from tailrace.spark.edition import Edition, Work

    book = book or Book()
    queries = list(compiled.program.queries.values())
    plans = {name: rewritten.plan for name, rewritten in compiled.rewritten.items()}
    snapshots = {query.name for query in queries if query.is_snapshot}
    facts, settings = deep(lambda: book.facts(queries, plans)), compiled.program.settings
    own = {query.name: query.strategy for query in queries if query.strategy}
    by_input = settings.strategy == "input"

    def plan(edition: Edition, past: int) -> StagedPlan:
        families = by_family(edition.numbers, facts)
        together, flows, ends = {}, {}, set(snapshots)
        for family, members in families.items():
            kin = book.kin[family]
            wishes = {
                number: Wish(facts[name].wanted, kin.width, edition.begins.get(name, Begin()).instant)
                for number, name in members.items()
            }
            together[family], flows[family] = kin.plan, book.flow(family, wishes, past, settings.routing)
            ends |= {family} if kin.is_snapshot else set()
        alone = {name: plan for name, plan in plans.items() if name not in edition.numbers}
        physical = deep(lambda: lower({**alone, **together}, ends, edition.begins, flows))
        wished = {name: own.get(name, settings.strategy) for name in physical.outputs}
        return replace(deep(lambda: staged(physical, wished, edition, past, by_input)), families=families)

    def check(names: Iterable[str]) -> None:
        chosen = {name: plans[name] for name in names if name in own or not facts[name].family}
        deep(lambda: lower(chosen, snapshots, dict.fromkeys(chosen, Begin(1, 1))))

    return Work(
        plan,
        check,
        queries,
        # The baseline's state is in one shard: to take it up, or to leave it, is to begin anew.
        {name: f"{found.text}{' by input' if by_input else ''}" for name, found in facts.items()},
        {name: found.reads for name, found in facts.items()},
        {name: found.family for name, found in facts.items() if found.family and name not in own},
        settings,
        folder,
        until,
    )


def by_family(numbers: Mapping[str, int], facts: Mapping[str, Facts]) -> dict[str, dict[int, str]]:
    """The queries that are answered together, by their numbers, of each family."""
    found: dict[str, dict[int, str]] = {}
    for name, number in numbers.items():
        found.setdefault(facts[name].family or "", {})[number] = name
    return found
