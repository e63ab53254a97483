"""Blame: finds out which operator of which queries made a batch fail.

An operator that fails in a worker reports it itself (StepError). If an expression that Catalyst computes fails, Spark
says what is wrong but not where. Then the expressions are tried one by one, in running order: the first one that fails
is to blame. That costs a job per expression, in a run that has failed anyway.

Java's regular expressions may take for ever, and nothing interrupts them. So jobs in which they are have a time limit.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING

from py4j.protocol import Py4JError
from pyspark.errors import PySparkException

from tailrace.errors import EndlessPatternError, QueryError
from tailrace.exchange.payloads import RESULTS
from tailrace.exchange.prepare_input import expression_of
from tailrace.logical.expressions import Call, Column, Expression, Literal, all_of, walk
from tailrace.operators.names import Names, text_with
from tailrace.operators.operator import Operator
from tailrace.operators.plan import InputPort
from tailrace.scan.scan_spec import NotScannable
from tailrace.spark.batch.stage_task import StepFailure
from tailrace.spark.io.stage_sql import SqlTable, value, where
from tailrace.spark.session.errors import SPARK_SAYS, TRACE_HINT, error_line, is_disk_error, is_known
from tailrace.spark.session.job_limit import JobLimitError, limit_jobs
from tailrace.staging.column_names import column_names
from tailrace.staging.explain import Writing, name_of
from tailrace.staging.stages import FEW, StagedPlan, StageInput, StageOutput
from tailrace.staging.wire import START
from tailrace.write.result_files import SinkWriteError

if TYPE_CHECKING:
    from tailrace.spark.batch.stage_inputs import StageInputs

NOT_SCANNABLE = "NotScannable"  # the exception of a file that needs Spark's reader: the batch is read again
# Functions that match Java's regular expressions; those of LIKE do so if the pattern comes from a row.
PATTERNS = frozenset(
    "rlike regexp regexp_like regexp_count regexp_extract regexp_extract_all regexp_instr regexp_replace regexp_substr "
    "split str_to_map".split()
)
LIKE = frozenset(("like", "ilike", "escape"))
PATTERN_HINT = "a simpler pattern, or a function from Python that matches it; Java may be busy with it until a restart"
MOST_TRIED = 100  # pieces that are tried at most: the user waits for the message


@contextmanager
def name_failing_operator(
    batch: StageInputs,
    outputs: Sequence[str],
    check_files: Callable[[Exception], None],
    delivered: str | None = None,
) -> Iterator[None]:
    """Turn an exception of Spark inside the block into a QueryError that names the failing queries and operator.

    If these cannot be found, Spark's exception is raised again. `check_files` raises an error of its own if files of
    the batch are the cause. `delivered` is the output that the block is about, if the job of the batch is over.
    """
    search = FailureSearch(batch, outputs, delivered)
    try:
        with search.limit_patterns():
            yield
    except (PySparkException, Py4JError) as problem:
        text = str(problem)
        failed = StepFailure.find_in(text)
        if failed is not None:
            raise search.error_of(failed) from problem
        unwritten = SinkWriteError.find_in(text)
        if unwritten is not None and not is_disk_error(problem):
            raise search.sink_error(*unwritten) from problem
        if NOT_SCANNABLE not in text:
            check_files(problem)
        found = None if is_known(text) or NOT_SCANNABLE in text else search.failing_piece()
        if found is None:
            raise
        raise search.error(found.where, error_line(text).removeprefix(SPARK_SAYS), found.operator) from problem


def why_not_scannable(problem: Exception) -> str | None:
    """Why a file needs Spark's reader, if a batch failed for that.

    >>> why_not_scannable(ValueError("…NotScannable: a line is too long")), why_not_scannable(ValueError("no"))
    ('a line is too long', None)
    """
    if isinstance(problem, NotScannable):
        return problem.message
    found = re.search(rf"\b{NOT_SCANNABLE}: (.*)", str(problem))
    return found[1] if found else None


def is_of_operator(problem: QueryError) -> bool:
    """Whether an operator failed, or took too long, and not what its rows were delivered to."""
    return isinstance(problem, EndlessPatternError) or StepFailure.find_in(str(problem.__cause__)) is not None


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
    delivered: str | None = None  # the only one that may have failed, if the job is over

    @property
    def plan(self) -> StagedPlan:
        return self.batch.plan.staged

    @cached_property
    def plan_names(self) -> Writing:
        names = self.batch.plan.column_names
        for family, members in self.plan.families.items():
            names[family] = ("", *names[next(iter(members.values()))])
        return Writing(self.plan, names, column_names(self.plan, names))

    def error_of(self, failed: StepFailure) -> QueryError:
        """The error for what a worker says that failed."""
        where, operator, names = self.place(failed)
        row = ", ".join(f"{names[place]} = {text}" for place, text in failed.row) if failed.row else None
        return self.error(where, failed.said, operator, failed.hint or TRACE_HINT, row)

    def sink_error(self, output: int, said: str) -> QueryError:
        """The error for files of an output that a task could not write, of which the disk says something."""
        outputs = [self.outputs[output]]
        message = f"{describe_outputs(self.plan, outputs)}: {error_line(said).removeprefix(SPARK_SAYS)} (in its sink)"
        return QueryError(message, queries_of(self.plan, outputs), TRACE_HINT)

    def names_all(self, where: str | tuple[int, int], queries: Sequence[str]) -> bool:
        """Whether all queries fail if something fails at one place: a step does the same for each query above it.

        An input of a stage does not: each query reads columns of its own. Nor do the members of a family.
        """
        if isinstance(where, str) or self.batch.plan.version is None:
            return False
        is_step = not isinstance(self.plan.stages[where[0]].plan.steps[where[1]].work, InputPort)
        return is_step and self.batch.plan.version.member_ids.keys().isdisjoint(queries)

    def place(self, failed: StepFailure) -> tuple[str | tuple[int, int], str, Names]:
        """Where something failed, the output or the stage and step; the operator, as EXPLAIN writes it, and its input.

        The input is given by the names of its columns.
        """
        if failed.part is None:
            step = self.plan.stages[failed.stage].plan.steps[failed.step]
            below = self.plan_names.names[failed.stage][step.inputs[0]] if step.inputs else ()
            return (failed.stage, failed.step), self.operator(failed), below
        where: str | tuple[int, int] = ""
        if failed.stage == RESULTS:
            where = self.outputs[failed.step]
            feed = self.plan.outputs[where]
        else:
            stage = self.plan.stages[failed.stage]
            feed, where = stage.inputs[failed.step], (failed.stage, stage.plan.find(failed.step))
        names = self.plan_names.origin_names(feed)
        text = text_with(names, expression_of(feed, failed.part))
        return where, f"{'select' if failed.part < 0 else 'project'} {text}", names

    def operator(self, failed: StepFailure) -> str:
        """The operator of a failed step as EXPLAIN writes it."""
        names, step = self.plan_names.names[failed.stage], self.plan.stages[failed.stage].plan.steps[failed.step]
        assert isinstance(step.work, Operator)
        return f"{name_of(step.work)} {step.work.describe([names[below] for below in step.inputs], names[failed.step])}"

    def error(
        self,
        where: str | tuple[int, int],
        said: str,
        operator: str,
        hint: str | None = TRACE_HINT,
        row: str | None = None,
    ) -> QueryError:
        outputs = [where] if isinstance(where, str) else outputs_of(self.plan, *where)
        message = f"{describe_outputs(self.plan, outputs)}: {said} (in {operator.strip()})"
        queries = queries_of(self.plan, outputs)
        return QueryError(message, queries, hint, row, self.names_all(where, queries))

    @contextmanager
    def limit_patterns(self) -> Iterator[None]:
        """Raise an EndlessPatternError if Java matches patterns in the block, and that takes longer than a step may.

        A run without a trigger has no limit: its job may be all that there is, and no others wait for it.
        """
        services, outputs = self.batch.services, self.outputs_with_patterns()
        is_limited = bool(outputs) and services.setup.trigger_interval is not None
        try:
            with limit_jobs(services.spark, services.setup.step_time if is_limited else None):
                yield
        except JobLimitError as problem:
            message = f"{describe_outputs(self.plan, outputs)}: {problem.message} (in a regular expression)"
            raise EndlessPatternError(
                message, queries_of(self.plan, outputs), PATTERN_HINT, names_all=True
            ) from problem

    def outputs_with_patterns(self) -> list[str]:
        """The outputs for which Java matches regular expressions: in the job of the batch, or in the one delivered."""
        if self.delivered is not None:
            feed = self.plan.outputs[self.delivered]
            return [self.delivered] if has_patterns(feed) and self.batch.is_by_statement(feed) else []
        found: dict[str, None] = {}
        for number, stage in enumerate(self.plan.stages):
            for port, feed in enumerate(stage.inputs):
                if has_patterns(feed) and self.batch.is_by_statement(feed):
                    found |= dict.fromkeys(outputs_of(self.plan, number, stage.plan.find(port)))
        return list(found)

    def failing_piece(self) -> StatementPiece | None:
        return next((piece for piece in islice(self.pieces(), MOST_TRIED) if self.fails(piece)), None)

    def fails(self, piece: StatementPiece) -> bool:
        try:
            with limit_jobs(self.batch.services.spark, self.batch.services.setup.step_time):
                self.batch.session.sql(piece.statement).write.format("noop").mode("overwrite").save()
        except (PySparkException, Py4JError, JobLimitError):
            return True
        return False

    def pieces(self) -> Iterator[StatementPiece]:
        """All expressions that Catalyst computes in this batch, in running order: stage by stage, then the outputs."""
        if self.delivered is not None:
            yield from self.pieces_of(self.plan.outputs[self.delivered], self.delivered)
            return
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
        for each in computed_expressions(feed):
            if not isinstance(each, Column):
                yield StatementPiece(
                    self.statement(rows, feed, value(each, rows.named)), f"project {text_with(below, each)}", where_to
                )

    def statement(self, rows: SqlTable, feed: StageInput, wanted: str) -> str:
        return f"SELECT {wanted} AS wanted FROM {rows.table}{where(feed.predicates, rows.named)}"


def computed_expressions(feed: StageInput) -> list[Expression]:
    """The expressions that a stage input or output computes for the rows that pass its filter, each once."""
    sums = [each.argument for each in feed.preaggregation.sums] if feed.preaggregation else []
    keys = feed.preaggregation.keys if feed.preaggregation else ()
    return [each for each in dict.fromkeys([*feed.columns, *(feed.key or ()), *keys, *sums]) if each is not None]


def has_patterns(feed: StageInput) -> bool:
    """Whether some expression of a stage input or output matches regular expressions."""
    parts = (part for each in (*feed.predicates, *computed_expressions(feed)) for part in walk(each))
    return any(isinstance(part, Call) and matches_patterns(part) for part in parts)


def matches_patterns(call: Call) -> bool:
    """Whether a function matches regular expressions of Java, which may take for ever.

    >>> from tailrace.types import BOOLEAN, STRING
    >>> text, row = Literal("a%", STRING), Column(0, STRING)
    >>> [matches_patterns(Call("like", (row, pattern), BOOLEAN)) for pattern in (text, row)]
    [False, True]
    """
    return call.name in PATTERNS or (call.name in LIKE and not isinstance(call.arguments[1], Literal))


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


def queries_of(plan: StagedPlan, outputs: Sequence[str]) -> list[str]:
    """The names of the queries that outputs belong to."""
    return [name for output in outputs for name in (plan.families.get(output) or {0: output}).values()]


def describe_outputs(plan: StagedPlan, outputs: Sequence[str]) -> str:
    """Name outputs for people: a query by its name, several by their number and the first names.

    >>> plan = StagedPlan([], {}, families={"family-1f": {0: "a", 1: "b", 2: "c", 4: "d"}})
    >>> describe_outputs(plan, ["q"]), describe_outputs(plan, ["q", "family-1f"])
    ('query q', '5 queries (q, a, b, …)')
    """
    names = queries_of(plan, outputs)
    if len(names) == 1:
        return f"query {names[0]}"
    return f"{len(names)} queries ({', '.join([*names[:FEW], *(['…'] if len(names) > FEW else [])])})"
