"""Run: a compiled script on Spark, which is loaded only once there is something to run."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tailrace.analysis.program import Query
from tailrace.engine.compile import Compiled
from tailrace.engine.deep import deep
from tailrace.outcome import Outcome, Watch

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
    queries = list(compiled.program.queries.values())
    if not queries:
        return Outcome()
    from tailrace.physical.lower import lower
    from tailrace.spark.run import run_once as run_on_spark

    plans = {name: rewritten.plan for name, rewritten in compiled.rewritten.items()}
    plan = deep(lambda: lower(plans, {query.name for query in queries if query.is_snapshot}))
    return run_on_spark(plan, queries, compiled.program.settings, folder, until, master, show, watch)
