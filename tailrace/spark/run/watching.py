"""Watching: plans queries over the system's own streams, which run without Spark."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pyarrow as pa

from tailrace.columnar.evaluate import can_evaluate
from tailrace.errors import RunError
from tailrace.logical.expression_text import text_of
from tailrace.logical.plan import Plan
from tailrace.logical.queries import QueryDefinition
from tailrace.lowering.lower import lower
from tailrace.operators.plan import PhysicalPlan, StartPoint
from tailrace.operators.relational.project import Project
from tailrace.operators.relational.select import Select
from tailrace.staging.pushdown import expressions_of


@dataclass(frozen=True)
class SystemQueryPlan:
    """A query over system streams, its final plan, and its tick in microseconds.

    `take` gets the query's rows; if it is None, the run delivers them like those of other queries.
    """

    query: QueryDefinition
    plan: Plan
    tick: int
    take: Callable[[QueryDefinition, pa.Table], None] | None = None

    def lower_from(self, instant: int) -> PhysicalPlan:
        """The query's operators from an instant on; raises a RunError for an expression that only Spark can compute."""
        name = self.query.name
        if self.query.is_snapshot:
            raise RunError(f"{name}: mode 'snapshot' is not for queries over system streams")
        found = lower({name: self.plan}, (), {name: StartPoint(1, instant)} if instant else {})
        for step in found.steps:
            wanted = expressions_of(step.work) if isinstance(step.work, (Select, Project)) else ()
            for expression in wanted:
                if not can_evaluate(expression):
                    raise RunError(
                        f"{name}: {text_of(expression)} is computed by Spark, and queries over system "
                        "streams run without it"
                    )
        return found
