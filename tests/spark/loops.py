"""Loops: a script's batches in this process, in the session that tests share."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pyspark.sql import DataFrame, SparkSession

from tailrace.analysis.program import Query
from tailrace.engine.compile import compile_script
from tailrace.errors import Source
from tailrace.outcome import Outcome
from tailrace.physical.cut_stages import cut_stages
from tailrace.physical.lower import lower
from tailrace.spark.batch_loop import BatchLoop
from tailrace.spark.sinks import MEMBER, Written

Answers = dict[str, list[tuple[Any, ...]]]


@dataclass(frozen=True)
class Each:
    """Rows of each query by themselves, as a DataFrame."""

    deliver: Callable[[Query, DataFrame], None]

    def one(self, query: Query, frame: DataFrame, batch: Written | None) -> None:
        self.deliver(query, frame)

    def many(self, queries: Mapping[int, Query], frame: DataFrame, batch: Written | None) -> None:
        for number, query in queries.items():
            self.deliver(query, frame.where(f"{MEMBER} = {number}").drop(MEMBER))


def run(spark: SparkSession, folder: Path, script: str, **more: Any) -> tuple[Outcome, Answers]:
    """What a run tells, and the rows of each query in order."""
    compiled = compile_script(Source(script), folder)
    queries = list(compiled.program.queries.values())
    plan = lower({name: rewritten.plan for name, rewritten in compiled.rewritten.items()})
    found: Answers = {query.name: [] for query in queries}

    def deliver(query: Query, frame: DataFrame) -> None:
        found[query.name] += [tuple(row) for row in frame.collect()]

    loop = BatchLoop(
        spark, cut_stages(plan), queries, compiled.program.settings, Each(deliver), home=str(folder), **more
    )
    return loop.run_once(), {name: sorted(rows) for name, rows in found.items()}
