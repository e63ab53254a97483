"""System queries: checks that a query over system streams can run in the driver, without Spark."""

from __future__ import annotations

from tailrace.columnar.evaluate import can_evaluate
from tailrace.errors import RunError
from tailrace.logical.queries import QueryDefinition
from tailrace.logical.text.expression_text import text_of
from tailrace.operators.plan import PhysicalPlan


def check_system_query(query: QueryDefinition, operators: PhysicalPlan) -> None:
    """Raise a RunError if a query over system streams is a snapshot, or has an expression that only Spark computes."""
    if query.is_snapshot:
        raise RunError(f"{query.name}: mode 'snapshot' is not for queries over system streams")
    for operator in operators.operators:
        for expression in operator.computed_expressions:
            if not can_evaluate(expression):
                raise RunError(
                    f"{query.name}: {text_of(expression)} is computed by Spark, and queries over system "
                    "streams run without it"
                )
