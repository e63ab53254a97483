"""Run: a compiled script on Spark, which is loaded only once there is something to run."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from tailrace.analysis.program import Query
from tailrace.engine.compile import Compiled
from tailrace.engine.deep import deep
from tailrace.logical.explain import tree
from tailrace.logical.facts import reach
from tailrace.logical.nodes import Scan
from tailrace.logical.plan import walk
from tailrace.outcome import Outcome, Watch

if TYPE_CHECKING:
    import pyarrow as pa

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


def work(compiled: Compiled, folder: str | None, until: str | None) -> Work:
    """All queries together, ready for Spark."""
    from tailrace.physical.cut_stages import StagedPlan, cut_stages
    from tailrace.physical.fingerprints import source_text
    from tailrace.physical.lower import lower
    from tailrace.physical.plan import Begin
    from tailrace.physical.sharding import Pins
    from tailrace.spark.edition import Work

    queries = list(compiled.program.queries.values())
    plans = {name: rewritten.plan for name, rewritten in compiled.rewritten.items()}
    snapshots = {query.name for query in queries if query.is_snapshot}

    def plan(begins: Mapping[str, Begin], pins: Pins | None, past: int) -> StagedPlan:
        return deep(lambda: cut_stages(lower(plans, snapshots, begins), pins, past))

    def scanned(query: Query) -> dict[str, str]:
        found = [node.source for node in walk(query.plan) if isinstance(node, Scan)]
        return {source.name: source_text(source) for source in found}

    sources = deep(lambda: {query.name: scanned(query) for query in queries})
    kinds = {query.name: "in the end" if query.is_snapshot else str(query.kind) for query in queries}
    texts = deep(
        lambda: {
            query.name: "\n".join([kinds[query.name], tree(query.plan), *sources[query.name].values()])
            for query in queries
        }
    )
    reads = {name: tuple(found) for name, found in sources.items()}
    reaches = deep(lambda: {query.name: reach(query.plan) for query in queries})
    return Work(plan, queries, texts, reads, reaches, compiled.program.settings, folder, until)
