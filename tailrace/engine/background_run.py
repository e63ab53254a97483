"""Background run: a continuous run of an engine's queries, in its own thread."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from typing import TYPE_CHECKING

from tailrace.engine.pipeline import PlanningSession, query_set
from tailrace.errors import QueryError
from tailrace.progress import RunSummary

if TYPE_CHECKING:
    import pyarrow as pa

    from tailrace.logical.queries import QueryDefinition
    from tailrace.sharing.share import Memberships
    from tailrace.spark.io.frames import DataFrame, SparkSession
    from tailrace.staging.plan_version import PlanChange, QuerySet, SystemQueryPlan

PATIENCE = 60.0  # seconds that `start` waits for Spark to open the sources


class BackgroundRun:
    """A continuous run in the Spark application of a user's session, over files, Spark sources and DataFrames.

    `take` gets each query's rows as Arrow tables, `changed` each change of the plan. `pace` is the shortest time
    between two batches. `monitors` are system queries over the run's own metrics.
    """

    def __init__(
        self,
        session: PlanningSession,
        folder: str | None,
        spark: SparkSession,
        frames: Mapping[str, DataFrame],
        take: Callable[[QueryDefinition, pa.Table], None],
        changed: Callable[[PlanChange], None],
        checkpoint: str | None,
        pace: str,
        monitors: Sequence[SystemQueryPlan] = (),
    ) -> None:
        from tailrace.spark.run.continuous import RunObserver
        from tailrace.spark.run.run_once import stand_beside
        from tailrace.spark.session.errors import translate_spark_errors
        from tailrace.spark.session.session import open_state_folder

        self.folder = folder
        self.memberships: Memberships = {}
        self.monitors = monitors
        self.problem: BaseException | None = None
        self.outcome = RunSummary()
        self.open = ExitStack()
        with translate_spark_errors():
            scratch = session.program.settings.scratch
            place = self.open.enter_context(open_state_folder(spark, checkpoint, scratch))
            observer = RunObserver(take, on_plan_change=changed)
            queries = self._query_set(session)
            self.standing = stand_beside(queries, spark, frames, observer, place, pace, checkpoint is not None)
        self.thread = threading.Thread(target=self._run, name="tailrace", daemon=True)

    def _query_set(self, session: PlanningSession) -> QuerySet:
        return query_set(session, self.folder, None, self.memberships, self.monitors)

    def _run(self) -> None:
        from tailrace.spark.session.errors import translate_spark_errors

        try:
            with translate_spark_errors():
                self.outcome = self.standing.run()
        except BaseException as problem:
            self.problem = problem
        finally:
            self.standing.begun.set()

    def start(self) -> None:
        """Start the thread, and wait up to a minute until the sources are open. An error until then is raised here."""
        self.thread.start()
        self.standing.begun.wait(PATIENCE)
        if self.problem:
            self.stop()

    def change(self, session: PlanningSession, frames: Mapping[str, DataFrame]) -> None:
        """Run other queries from the next batch on; a RunError if one of them cannot run."""
        from tailrace.spark.session.errors import translate_spark_errors

        with translate_spark_errors():
            self.standing.change(self._query_set(session), frames)

    @property
    def causes(self) -> Sequence[str]:
        """The queries for which the run failed; none if it goes on, or failed for something else."""
        return self.problem.queries if isinstance(self.problem, QueryError) else ()

    def causes_left(self, session: PlanningSession) -> list[str] | None:
        """The queries for which the run failed and that nobody has changed or resumed; None if it did for none."""
        failed, program = {query.name: query for query in self.standing.requested.queries}, session.program
        left = [name for name in self.causes if program.queries.get(name) is failed.get(name)]
        return [name for name in left if name not in program.resumed] if self.causes else None

    def tune(self, session: PlanningSession, pace: str) -> None:
        """Change the size of batches, or how often there is one."""
        self.standing.set_batch_limits(session.program.settings, pace)

    def stop(self) -> RunSummary:
        """Finish the current batch and end the run. An error that ended the run is raised here."""
        self.standing.stop.set()
        self.thread.join()
        self.open.close()
        if self.problem:
            raise self.problem
        return self.outcome
