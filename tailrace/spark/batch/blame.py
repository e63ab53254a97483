"""Blame: finds out which operator of which queries made a batch fail.

An operator that fails in a worker reports it itself (StepError). If an expression that Catalyst computes fails, Spark
says what is wrong but not where. Then the expressions are tried one by one, in running order: the first one that fails
is to blame. That costs a job per expression, in a run that has failed anyway.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING

from py4j.protocol import Py4JError
from pyspark.errors import PySparkException

from tailrace.errors import RunError
from tailrace.exchange.payloads import RESULTS
from tailrace.exchange.prepare_input import expression_of
from tailrace.logical.expressions import Column, all_of
from tailrace.operators.names import text_with
from tailrace.operators.operator import Operator
from tailrace.operators.plan import InputPort
from tailrace.spark.batch.stage_task import StepFailure
from tailrace.spark.io.stage_sql import SqlTable, value, where
from tailrace.spark.session.errors import SPARK_SAYS, TRACE_HINT, error_line, is_known
from tailrace.staging.column_names import column_names
from tailrace.staging.explain import Writing, name_of
from tailrace.staging.stages import FEW, StagedPlan, StageInput, StageOutput
from tailrace.staging.wire import START

if TYPE_CHECKING:
    from tailrace.spark.batch.stage_inputs import StageInputs

NOT_SCANNABLE = "NotScannable"  # the exception of a file that needs Spark's reader: the batch is read again
MOST_TRIED = 100  # pieces that are tried at most: the user waits for the message


@contextmanager
def name_failing_operator(batch: StageInputs, outputs: Sequence[str]) -> Iterator[None]:
    """Turn an exception of Spark inside the block into a RunError that names the failing queries and operator.

    If these cannot be found, Spark's exception is raised again.
    """
    try:
        yield
    except (PySparkException, Py4JError) as problem:
        text, search = str(problem), FailureSearch(batch, outputs)
        failed = StepFailure.find_in(text)
        if failed is not None:
            where, operator = search.place(failed)
            raise RunError(search.message(where, failed.said, operator), hint=failed.hint or TRACE_HINT) from problem
        found = None if is_known(text) or NOT_SCANNABLE in text else search.failing_piece()
        if found is None:
            raise
        message = search.message(found.where, error_line(text).removeprefix(SPARK_SAYS), found.operator)
        raise RunError(message, hint=TRACE_HINT) from problem


@dataclass(frozen=True)
class StatementPiece:
    """One expression that Catalyst computes, as a statement of its own, to see whether it fails."""

    statement: str
    operator: str  # the expression as EXPLAIN writes it
    where: str | tuple[int, int]  # the output, or the stage and step, that reads it


@dataclass(frozen=True)
class FailureSearch:
    """Searches a batch for the operator that failed, and writes the message about it."""

    batch: StageInputs
    outputs: Sequence[str]  # their names, in the order of the job

    @property
    def plan(self) -> StagedPlan:
        return self.batch.plan.staged

    @cached_property
    def plan_names(self) -> Writing:
        names = self.batch.plan.column_names
        for family, members in self.plan.families.items():
            names[family] = ("", *names[next(iter(members.values()))])
        return Writing(self.plan, names, column_names(self.plan, names))

    def place(self, failed: StepFailure) -> tuple[str | tuple[int, int], str]:
        """Where something failed, the output or the stage and step, and the operator as EXPLAIN writes it."""
        if failed.part is None:
            return (failed.stage, failed.step), self.operator(failed)
        where: str | tuple[int, int] = ""
        if failed.stage == RESULTS:
            where = self.outputs[failed.step]
            feed = self.plan.outputs[where]
        else:
            stage = self.plan.stages[failed.stage]
            feed, where = stage.inputs[failed.step], (failed.stage, stage.plan.find(failed.step))
        text = text_with(self.plan_names.origin_names(feed), expression_of(feed, failed.part))
        return where, f"{'select' if failed.part < 0 else 'project'} {text}"

    def operator(self, failed: StepFailure) -> str:
        """The operator of a failed step as EXPLAIN writes it."""
        names, step = self.plan_names.names[failed.stage], self.plan.stages[failed.stage].plan.steps[failed.step]
        assert isinstance(step.work, Operator)
        return f"{name_of(step.work)} {step.work.describe([names[below] for below in step.inputs], names[failed.step])}"

    def message(self, where: str | tuple[int, int], said: str, operator: str) -> str:
        outputs = [where] if isinstance(where, str) else outputs_of(self.plan, *where)
        return f"{describe_outputs(self.plan, outputs)}: {said} (in {operator.strip()})"

    def failing_piece(self) -> StatementPiece | None:
        return next((piece for piece in islice(self.pieces(), MOST_TRIED) if self.fails(piece)), None)

    def fails(self, piece: StatementPiece) -> bool:
        try:
            self.batch.session.sql(piece.statement).write.format("noop").mode("overwrite").save()
        except (PySparkException, Py4JError):
            return True
        return False

    def pieces(self) -> Iterator[StatementPiece]:
        """All expressions that Catalyst computes in this batch, in running order: stage by stage, then the outputs."""
        for number, stage in enumerate(self.plan.stages):
            for port, feed in enumerate(stage.inputs):
                yield from self.pieces_of(feed, (number, stage.plan.find(port)))
        for output, feed in self.plan.outputs.items():
            yield from self.pieces_of(feed, output)

    def pieces_of(self, feed: StageInput, where_to: str | tuple[int, int]) -> Iterator[StatementPiece]:
        """The filter of a stage input or output, then each expression that is computed for the rows that pass it."""
        rows = self.batch.origin(feed)
        if rows is None:
            return
        below = self.plan_names.origin_names(feed)
        if feed.predicates:
            text = f"select {text_with(below, all_of(feed.predicates))}"
            yield StatementPiece(self.statement(rows, feed, START), text, where_to)
        sums = [each.argument for each in feed.preaggregation.sums] if feed.preaggregation else []
        keys = feed.preaggregation.keys if feed.preaggregation else ()
        for each in dict.fromkeys([*feed.columns, *(feed.key or ()), *keys, *sums]):
            if each is not None and not isinstance(each, Column):
                yield StatementPiece(
                    self.statement(rows, feed, value(each, rows.named)), f"project {text_with(below, each)}", where_to
                )

    def statement(self, rows: SqlTable, feed: StageInput, wanted: str) -> str:
        return f"SELECT {wanted} AS wanted FROM {rows.table}{where(feed.predicates, rows.named)}"


def outputs_of(plan: StagedPlan, stage: int, step: int) -> list[str]:
    """The outputs, of queries or families, that depend on a step, directly or through later stages."""
    left: set[StageOutput] = set()
    for number in range(stage, len(plan.stages)):
        each = plan.stages[number]
        reached = {step} if number == stage else set()
        for at, other in enumerate(each.plan.steps):
            is_fed = isinstance(other.work, InputPort) and each.inputs[other.work.number].origin in left
            if is_fed or not reached.isdisjoint(other.inputs):
                reached.add(at)
        left |= {StageOutput(number, emission) for emission, at in enumerate(each.output_steps) if at in reached}
    return [output for output, feed in plan.outputs.items() if feed.origin in left]


def describe_outputs(plan: StagedPlan, outputs: Sequence[str]) -> str:
    """Name outputs for people: a query by its name, several by their number and the first names.

    >>> plan = StagedPlan([], {}, families={"family-1f": {0: "a", 1: "b", 2: "c", 4: "d"}})
    >>> describe_outputs(plan, ["q"]), describe_outputs(plan, ["q", "family-1f"])
    ('query q', '5 queries (q, a, b, …)')
    """
    names = [name for output in outputs for name in (plan.families.get(output) or {0: output}).values()]
    if len(names) == 1:
        return f"query {names[0]}"
    return f"{len(names)} queries ({', '.join([*names[:FEW], *(['…'] if len(names) > FEW else [])])})"
