"""Engine: the Python interface of Tailrace: statements and DataFrames in, standing queries and their results out."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from tailrace.analysis.program import Explanation, Listing
from tailrace.catalog.catalog import Entry
from tailrace.catalog.user_functions import UserFunctions
from tailrace.deep_stack import on_deep_stack
from tailrace.engine.background_run import BackgroundRun
from tailrace.engine.dataframes import SourceClauses, create_statement
from tailrace.engine.explain import outcome_text, stages
from tailrace.engine.monitors import Monitors
from tailrace.engine.pipeline import PlanningSession, compile_script, extend
from tailrace.engine.query import Query
from tailrace.engine.results import KEEP, LOG
from tailrace.engine.run import run_beside
from tailrace.errors import AnalysisError, RunError, Source
from tailrace.language.script import Known, Script, parse_as, parse_script
from tailrace.logical.queries import QueryDefinition as Analysed
from tailrace.progress import SHED, Progress, RunSummary
from tailrace.settings import LIVE, Settings

if TYPE_CHECKING:
    import pyarrow as pa

    from tailrace.operators.families.routing.statistics import Taught
    from tailrace.spark.io.frames import DataFrame, SparkSession
    from tailrace.staging.plan_version import PlanChange
    from tailrace.staging.stages import StagedPlan

__all__ = ["Engine", "Query"]

NAME = "<python>"

Guard = Callable[[Script], Script]  # may refuse statements by turning them into problems of the script


@dataclass(frozen=True)
class RunOptions:
    """The arguments of `Engine.start`."""

    trigger: str = "0 seconds"
    checkpoint: str | None = None


class Engine:
    """Streams, relations, views and standing queries, and the Spark session in whose application they run.

    Without a session the engine uses the active one, or starts one on this machine when it needs it. Relative paths are
    relative to `folder`, or to where Python runs. The newest `keep` rows of each query are kept; 0 keeps none.
    """

    def __init__(self, spark: SparkSession | None = None, folder: str | Path | None = None, keep: int = KEEP) -> None:
        self.folder = None if folder is None else str(folder)
        self.keep = keep
        self.session = compile_script(Source("", NAME))
        self.queries: dict[str, Query] = {}
        self._spark = spark
        self._frames: dict[str, tuple[Entry | None, DataFrame]] = {}
        self._live: BackgroundRun | None = None
        self._named = 0  # names q1, q2, … up to this number have been used
        self._how = RunOptions()
        self.monitors: Monitors | None = None  # system queries over the metrics of each run
        self.registered: Callable[[Query], None] = lambda query: None  # called with each new query before it runs

    @property
    def spark(self) -> SparkSession:
        """The Spark session, which is started if there is none."""
        if self._spark is None:
            from tailrace.spark.session.session import current_or_new

            self._spark = current_or_new()
        return self._spark

    def aside(self) -> Engine:
        """An engine with the same sources, views, functions and settings, and without queries; it does not run."""
        other = Engine(self._spark, self.folder, self.keep)
        program = self.session.program
        catalog = program.catalog.copy()
        for name in program.queries:
            catalog.drop(name, "query")
        other.session = PlanningSession(replace(program, catalog=catalog))
        other._frames = dict(self._frames)
        return other

    # Statements ---------------------------------------------------------------------------------------

    def execute(self, text: str, guard: Guard = lambda script: script) -> str | None:
        """Execute statements of any kind; if one is wrong, a ScriptError is raised and none takes effect.

        The result is the output of SHOW and EXPLAIN, if any. `guard` may refuse statements first.
        """
        found = self._take(lambda source, known: guard(parse_script(source, known)), text)
        said = [each for each in found.program.outcomes if isinstance(each, (Listing, Explanation))]
        return on_deep_stack(lambda: "\n\n".join(outcome_text(found, each) for each in said)) or None

    def query(
        self,
        text: str,
        name: str | None = None,
        into: str | None = None,
        options: Mapping[str, str] | None = None,
        guard: Guard = lambda script: script,
    ) -> Query:
        """Register a query. Without a name it is called q1, q2, …; with `into` its rows are written in that format."""
        name = name or self._new_name()
        self._take(lambda source, known: guard(parse_as(source, name, into, options, known)), text)
        return self.queries[name]

    def check(self, text: str, name: str | None = None, guard: Guard = lambda script: script) -> PlanningSession:
        """Compile statements, or one query if it has a name, on top of the engine's; the engine does not change."""

        def read(source: Source, known: Known) -> Script:
            return guard(parse_script(source) if name is None else parse_as(source, name))

        return extend(self.session, read, Source(text, NAME), self.folder)

    def _new_name(self) -> str:
        known = self.session.program.catalog.entries
        while (name := f"q{self._named + 1}") in known:
            self._named += 1
        return name

    def _take(self, read: Callable[[Source, Known], Script], text: str) -> PlanningSession:
        """Apply the statements of a text; a run in the background uses them from its next batch on.

        If the run refuses them, the engine is as it was before.
        """
        before = self.session, self.queries, self._frames
        self.session = extend(self.session, read, Source(text, NAME), self.folder)
        program, known = self.session.program, self.queries
        self.queries = {**known}
        for name in program.touched:
            self.queries.pop(name, None)
            if name in program.queries:
                self.queries[name] = self._new(program.queries[name])
        self._frames = {
            name: (entry, frame) for name, (entry, frame) in self._frames.items() if program.catalog.find(name) is entry
        }
        try:
            self._pass_on(before[0].program.settings, bool(known))
        except RunError:
            self.session, self.queries, self._frames = before
            raise
        return self.session

    def _new(self, analysed: Analysed) -> Query:
        query = Query(self, analysed)
        self.registered(query)
        return query

    def _pass_on(self, settings: Settings, stood: bool) -> None:
        """Give a run in the background the current queries and settings.

        `settings` are those before, `stood` says whether there were queries before.
        """
        wanted, touched = self.session.program.settings, bool(self.session.program.touched)
        if self._live is None or (not touched and wanted == settings):
            return
        self._refuse_failed()
        if wanted.without_live_settings != settings.without_live_settings:
            if stood:
                raise RunError(f"while queries stand, SET may only change {', '.join(LIVE)}", hint="drop them first")
            self._stop()
            self.start_again()
        else:
            if (wanted.batch_time, wanted.batch_rows) != (settings.batch_time, settings.batch_rows):
                self._live.tune(self.session, self._how.trigger)
            self._live.standing.loop.shedding.on = wanted.shedding
            if touched or (wanted.routing, wanted.strategy) != (settings.routing, settings.strategy):
                self._live.change(self.session, self._source_frames)

    def _refuse_failed(self) -> None:
        """Raise an error if the run in the background has failed: it takes no more queries."""
        if self._live is not None and not self.running and self._live.problem is not None:
            raise RunError("the run has failed, and takes no more queries", hint="engine.stop() tells why")

    @property
    def _source_frames(self) -> dict[str, DataFrame]:
        return {name: frame for name, (_, frame) in self._frames.items()}

    # DataFrames ---------------------------------------------------------------------------------------

    def stream(
        self,
        name: str,
        dataframe: DataFrame,
        timestamp: str | None = None,
        delay: str | int | None = None,
        key: str | Sequence[str] = (),
        mirror: bool = False,
        heartbeat: str | None = None,
        idle: str | None = None,
    ) -> None:
        """Declare a stream whose elements are the rows of a batch or streaming DataFrame.

        The timestamp is a column of whole numbers (ticks), TIMESTAMPs or DATEs; without one, elements have the time at
        which they arrive. Queries see the other columns, and with `mirror` the timestamp too. `heartbeat` is a BOOLEAN
        column, true in rows that only advance the watermark. If nothing arrives for `idle`, such as "30 SECONDS", the
        watermark no longer waits for this stream.
        """
        self._declare("STREAM", name, dataframe, SourceClauses(timestamp, delay, None, key, mirror, heartbeat, idle))

    def relation(
        self,
        name: str,
        dataframe: DataFrame,
        timestamp: str | None = None,
        op: str | None = None,
        key: str | Sequence[str] = (),
        delay: str | int | None = None,
        mirror: bool = False,
    ) -> None:
        """Declare a relation whose changes are the rows of a DataFrame; without a timestamp it never changes.

        The column `op` holds `+` or `-`; with a key and no `op`, a newer row replaces the older.
        """
        if timestamp is None and dataframe.isStreaming:
            raise AnalysisError(f"{name} is a streaming DataFrame: when does each change happen?", hint="timestamp='…'")
        self._declare("RELATION", name, dataframe, SourceClauses(timestamp, delay, op, key, mirror))

    def _declare(
        self, kind: Literal["STREAM", "RELATION"], name: str, dataframe: DataFrame, clauses: SourceClauses
    ) -> None:
        from tailrace.spark.io.frames import schema_of

        self._take(parse_script, create_statement(kind, name, schema_of(name, dataframe), clauses))
        self._frames[name.lower()] = self.session.program.catalog.find(name), dataframe

    # Functions ----------------------------------------------------------------------------------------

    def function(
        self,
        name: str,
        function: Callable[..., Any],
        returns: str,
        arguments: Sequence[str] | None = None,
        vectorised: bool = False,
    ) -> None:
        """Register a function of values or, vectorised, of Arrow arrays; the same arguments must give the same value.

        NULL is None. `arguments` are types such as "INT", to which the values of a query are cast.
        """
        self._register(self._functions.function(name, function, returns, arguments, vectorised))

    def aggregate(
        self, name: str, cls: type, returns: str | None = None, arguments: Sequence[str] | None = None
    ) -> None:
        """Register an aggregate: a class with `add(self, *values)` and `result(self)`, and perhaps `remove`.

        Its type is `returns` here or in the class. With `remove(self, *values)`, which undoes an `add`, a sliding
        window is not aggregated anew when tuples leave it.
        """
        self._register(self._functions.aggregate(name, cls, returns, arguments))

    @property
    def _functions(self) -> UserFunctions:
        return self.session.program.catalog.functions

    def _register(self, functions: UserFunctions) -> None:
        program = self.session.program
        program = replace(program, catalog=replace(program.catalog, functions=functions))
        self.session = replace(self.session, program=program)

    # Runs ---------------------------------------------------------------------------------------------

    def start(self, trigger: str = "0 seconds", checkpoint: str | Path | None = None) -> None:
        """Run all queries in the background until `stop`, over all rows that arrive; at most one batch every `trigger`.

        Queries may be registered and dropped meanwhile, with effect from the next batch; `Query.since` is the first
        instant that a new one sees. With a checkpoint, a later start goes on where this one stopped.
        """
        if self._live is not None:
            raise RunError("the engine runs already", hint="engine.stop() ends that run")
        for query in self.queries.values():
            query.answers.clear()
        place = None if checkpoint is None else str(checkpoint)
        self._how = RunOptions(trigger, place)
        told, monitors = (self._on_rows, self._on_plan_change), self.monitors.begin() if self.monitors else []
        live = BackgroundRun(
            self.session, self.folder, self.spark, self._source_frames, *told, place, trigger, monitors
        )
        self._live = live
        try:
            live.start()
        except BaseException:
            self._live = None
            raise

    def stop(self) -> RunSummary:
        """Finish the current batch and end the run. An error that ended the run is raised here."""
        outcome = self._stop()
        for query in self.queries.values():
            query.subscribers.finish()
        self._warn(outcome)
        return outcome

    def _stop(self) -> RunSummary:
        if self._live is None:
            return RunSummary()
        live, self._live = self._live, None
        return live.stop()

    def start_again(self) -> None:
        """Start with the same trigger and checkpoint as the last time."""
        self.start(**asdict(self._how))

    def pace(self, trigger: str) -> None:
        """Set the shortest time between two batches, in place of the trigger that `start` got."""
        self._how = replace(self._how, trigger=trigger)
        if self._live is not None:
            self._refuse_failed()
            self._live.tune(self.session, trigger)

    @property
    def trigger(self) -> str:
        """The shortest time between two batches."""
        return self._how.trigger

    @property
    def problem(self) -> BaseException | None:
        """The error that ended the run in the background, if one did."""
        return None if self._live is None else self._live.problem

    def progress(self) -> Progress | None:
        """The progress of the run in the background; None if there is no run, or it has not begun."""
        return self._live.progress() if self._live is not None and self._live.standing.begun.is_set() else None

    def shed_of(self, query: Analysed) -> dict[str, int]:
        """How many rows the run has shed of each source that a query reads."""
        return {} if self._live is None else self._live.standing.shed_of(query)

    def stages(self) -> tuple[StagedPlan, list[Analysed]]:
        """The stages in which the queries run, or would run, and the queries."""
        if self._live is not None and self._live.standing.version is not None:
            standing = self._live.standing
            with standing.changing:
                return standing.loop.plan, standing.loop.queries
        return stages(self.session), list(self.session.program.queries.values())

    def filter_statistics(self) -> Taught:
        """The statistics that the run has collected of grouped filters, by family."""
        return {} if self._live is None else self._live.standing.loop.statistics_collector.known

    @property
    def running(self) -> bool:
        """Whether a run is active in the background. After a failure it is not, and `stop` raises the error."""
        return self._live is not None and self._live.thread.is_alive()

    def _on_rows(self, query: Analysed, rows: pa.Table) -> None:
        handle = self.queries.get(query.name)
        if handle is not None and handle.analysed is query:
            handle.take(rows, aside=True)

    def _on_plan_change(self, changed: PlanChange) -> None:
        for name, instant in changed.started.items():
            if name in self.queries:
                self.queries[name].since = instant
        for line in changed.describe():
            LOG.info(line)

    def run(self, once: bool = True, until: str | int | datetime | None = None) -> RunSummary:
        """Run all queries once over all rows that are there now, up to the newest timestamp or `until`.

        The results replace those of the run before. Late, unreadable and shed rows are counted, and logged as warnings.
        """
        if not once:
            raise RunError("run() answers what is there now", hint="engine.start() has the queries stand")
        if self._live is not None:
            raise RunError("the engine runs already", hint="engine.stop() ends that run")
        handles = dict(self.queries)
        for query in handles.values():
            query.answers.clear()
        if not handles:
            return RunSummary()

        def take(query: Analysed, rows: pa.Table) -> None:
            handles[query.name].take(rows)

        limit = None if until is None else str(until)
        outcome = run_beside(self.session, self.folder, limit, self.spark, self._source_frames, take)
        self._warn(outcome)
        return outcome

    @staticmethod
    def _warn(outcome: RunSummary) -> None:
        for rows in outcome.late:
            LOG.warning(rows.describe("came too late"))
        for rows in outcome.unreadable:
            LOG.warning(rows.describe("could not be read"))
        for rows in outcome.shed:
            LOG.warning(rows.describe(SHED))
