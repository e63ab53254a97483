"""Quarantine: finds the queries that make a batch fail, so that a run can go on without them.

An error often names its queries. Where it does not, or names a whole family, the batch is tried with some queries at a
time, until the ones are found that fail by themselves. What is tried is not delivered and leaves no trace.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from py4j.protocol import Py4JError
from pyspark.errors import PySparkException

from tailrace.errors import QueryError
from tailrace.spark.batch.run_batch import run_batch
from tailrace.spark.batch.run_state import BatchInput, QueryFailure, RunningPlan, RunState, restore_failures
from tailrace.spark.batch.services import Services
from tailrace.spark.io.delivery import DeliverNothing
from tailrace.spark.io.sink_errors import find_failing, query_error
from tailrace.spark.run.checkpoint import Checkpoint
from tailrace.spark.run.reshard import reshard
from tailrace.spark.session.errors import is_known
from tailrace.staging.plan_version import PlanVersion, QuerySet

FAILURES = (QueryError, PySparkException, Py4JError)


@dataclass(frozen=True)
class FailedBatch:
    """A batch that failed: what it began with, and the plan version `before` it, which its queries go on from."""

    batch: BatchInput
    state: RunState
    queries: QuerySet
    before: PlanVersion
    services: Services

    def find_failures(self, problem: Exception, is_repeated: bool) -> dict[str, QueryFailure] | None:
        """The queries that make the batch fail; none if it does not fail again, None if it is not for queries.

        If it `is_repeated`, and none fail by themselves, they are those that the problem names.

        Queries may share what failed and not what they take of it: members of a family, and queries that read columns
        of one input. So they are tried, unless the problem `names_all`.
        """
        if not may_be_for_queries(problem):
            return None
        if isinstance(problem, QueryError) and problem.names_all:
            found: dict[str, Exception] = dict.fromkeys(problem.queries, problem)
        else:
            named = problem.queries if isinstance(problem, QueryError) else tuple(self.queries.profiles)
            found = find_failing(named, self.run_for)
        if not found and is_repeated:
            found = dict.fromkeys(problem.queries, problem) if isinstance(problem, QueryError) else {}
        if found.keys() >= self.queries.profiles.keys() or (not found and is_repeated):
            return None
        return {name: self.failure(name, each) for name, each in found.items()}

    def failure(self, name: str, problem: Exception) -> QueryFailure:
        error = problem if isinstance(problem, QueryError) else query_error(name, problem)
        query_id = self.queries.profiles[name].query_id
        return QueryFailure(query_id, error.message, self.state.next_batch, error.failing_row)

    def run_for(self, names: Sequence[str]) -> Exception | None:
        """Run the batch for some queries, delivering nothing; returns the exception if that fails.

        An exception for which no query is to blame is raised.
        """
        sources = self.services.sources
        late, unreadable = replace(sources.late, folder=None), replace(sources.unreadable, folder=None)
        sources = replace(sources, late=late, unreadable=unreadable)
        services = replace(self.services, sources=sources, deliver=DeliverNothing())
        plan = RunningPlan.advance(self.queries.only(names, on_trial=True), self.before, self.state)
        try:
            run_batch(replace(self.batch, choices=None), reshard(self.state, plan.staged, services), plan, services)
        except FAILURES as problem:
            if not may_be_for_queries(problem):
                raise
            return problem
        finally:
            services.reports.drain()
        return None


def may_be_for_queries(problem: Exception) -> bool:
    """Whether queries may be to blame for an exception, and not files, machines or the state in the checkpoint."""
    return isinstance(problem, QueryError) or (isinstance(problem, FAILURES) and not is_known(str(problem)))


def read_quarantine(checkpoint: Checkpoint, queries: QuerySet, anew: frozenset[str]) -> dict[str, QueryFailure]:
    """The queries that are quarantined when a run begins, by the record of its checkpoint's last batch."""
    return still_quarantined(restore_failures(checkpoint.read_newest_record()), queries, anew)


def still_quarantined(
    failures: Mapping[str, QueryFailure], queries: QuerySet, anew: frozenset[str]
) -> dict[str, QueryFailure]:
    """The failures of queries that are as they were when they failed, and that nobody has started `anew`."""
    profiles = queries.profiles
    return {
        name: failure
        for name, failure in failures.items()
        if name in profiles and profiles[name].query_id == failure.query_id and name not in anew
    }
