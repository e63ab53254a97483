"""Engine: the Python interface of Tailrace: statements and DataFrames in, standing queries and their results out."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from tailrace.catalog.catalog import Entry
from tailrace.catalog.user_functions import UserFunctions
from tailrace.engine.background_run import BackgroundRun
from tailrace.engine.dataframes import SourceClauses, create_statement
from tailrace.engine.explain_analyze import reply_text
from tailrace.engine.monitors import Monitors
from tailrace.engine.pipeline import PlanningSession, compile_script, extend
from tailrace.engine.query import Query
from tailrace.engine.results import KEEP, LOG
from tailrace.engine.run_queries import run_beside
from tailrace.errors import AnalysisError, RunError, Source
from tailrace.language.script import Script, TemplateCache, parse_as, parse_script
from tailrace.logical.queries import QueryDefinition
from tailrace.progress import Progress, RunSummary
from tailrace.settings import LIVE, Settings

if TYPE_CHECKING:
    import pyarrow as pa

    from tailrace.spark.io.frames import DataFrame, SparkSession
    from tailrace.staging.plan_version import PlanChange

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

    Examples below use `engine = Engine()` and a stream `S (k INT, v INT)`.
    """

    def __init__(self, spark: SparkSession | None = None, folder: str | Path | None = None, keep: int = KEEP) -> None:
        self._folder = None if folder is None else str(folder)
        self._keep = keep
        self._session = compile_script(Source("", NAME))
        self._queries: dict[str, Query] = {}
        self._spark = spark
        self._frames: dict[str, tuple[Entry | None, DataFrame]] = {}
        self._live: BackgroundRun | None = None
        self._named = 0  # names q1, q2, … up to this number have been used
        self._how = RunOptions()
        self._monitors: Monitors | None = None  # system queries over the metrics of each run
        self._on_query: Callable[[Query], None] = lambda query: None  # called with each new query before it runs

    @property
    def spark(self) -> SparkSession:
        """The Spark session, which is started if there is none: `engine.spark.read.parquet("S")`."""
        if self._spark is None:
            from tailrace.spark.session.session import current_or_new

            self._spark = current_or_new()
        return self._spark

    # Statements ---------------------------------------------------------------------------------------

    @property
    def queries(self) -> dict[str, Query]:
        """The registered queries by name: `engine.queries["counts"].rows()`."""
        return self._queries

    def execute(self, text: str, guard: Guard = lambda script: script) -> str | None:
        """Execute statements of any kind; if one is wrong, a ScriptError is raised and none takes effect.

        The result is what SHOW, DESCRIBE, EXPLAIN and remarks say, if any. `guard` may refuse statements first.

        >>> engine = Engine()
        >>> engine.execute("CREATE STREAM S (k INT, v INT)")
        >>> print(engine.execute("SHOW STREAMS"))
        streams
          S(k INT, v INT)
        """
        found = self._apply(lambda source, templates: guard(parse_script(source, templates)), text)
        return reply_text(self, found)

    def query(
        self,
        text: str,
        name: str | None = None,
        into: str | None = None,
        options: Mapping[str, str] | None = None,
        guard: Guard = lambda script: script,
    ) -> Query:
        """Register a query. Without a name it is called q1, q2, …; with `into` its rows are written in that format.

        `counts = engine.query("SELECT k, COUNT(*) AS n FROM S [RANGE 10] GROUP BY k", name="counts")`
        """
        name = name or self._new_name()
        self._apply(lambda source, templates: guard(parse_as(source, name, into, options, templates)), text)
        return self._queries[name]

    def check(self, text: str, name: str | None = None, guard: Guard = lambda script: script) -> PlanningSession:
        """Compile statements, or one query if it has a name, on top of the engine's; the engine does not change.

        `engine.check("SELECT v FROM S", name="q")` raises a ScriptError if the query is wrong.
        """

        def read(source: Source, templates: TemplateCache) -> Script:
            return guard(parse_script(source) if name is None else parse_as(source, name))

        return extend(self._session, read, Source(text, NAME), self._folder)

    def _new_name(self) -> str:
        known = self._session.program.catalog.entries
        while (name := f"q{self._named + 1}") in known:
            self._named += 1
        return name

    def _apply(self, read: Callable[[Source, TemplateCache], Script], text: str) -> PlanningSession:
        """Apply the statements of a text, in a run from its next batch on; if the run refuses them, nothing changes."""
        before, live = (self._session, self._queries, self._frames), self._live
        self._session = extend(self._session, read, Source(text, NAME), self._folder)
        program, known = self._session.program, self._queries
        self._queries = {**known}
        for name in program.touched:
            self._queries.pop(name, None)
            if name in program.queries:
                self._queries[name] = Query(self, program.queries[name])
                self._on_query(self._queries[name])
        self._frames = {
            name: (entry, frame) for name, (entry, frame) in self._frames.items() if program.catalog.find(name) is entry
        }
        try:
            self._apply_to_run(before[0].program.settings, bool(known))
        except RunError:
            self._session, self._queries, self._frames = before
            if live is not None and self._live is None:
                self._restart()
            raise
        return self._session

    def _apply_to_run(self, settings: Settings, stood: bool) -> None:
        """Give a run the current queries and settings; before, it had `settings`, and queries only if `stood`."""
        program, live = self._session.program, self._live
        wanted, touched = program.settings, bool(program.touched or program.resumed)
        if live is None or (not touched and wanted == settings):
            return
        resumed = sorted((program.resumed & self._queries.keys()) - {*live.causes})
        if running := [name for name in resumed if self._queries[name].failure is None]:
            raise RunError(f"{running[0]} is not quarantined", hint="SHOW QUERIES says which queries are, and why")
        if live.problem is not None and not self.running:
            self._mend(live)
        elif wanted.without_live_settings != settings.without_live_settings:
            if stood:
                raise RunError(f"while queries run, SET may only change {', '.join(LIVE)}", hint="drop them first")
            self._stop()
            self._restart()
        else:
            if (wanted.batch_time, wanted.batch_rows) != (settings.batch_time, settings.batch_rows):
                live.tune(self._session, self._how.trigger)
            live.standing.set_shedding(wanted.shedding)
            if touched or (wanted.routing, wanted.strategy) != (settings.routing, settings.strategy):
                live.change(self._session, self._source_frames)
            self._session = self._session.without_resumed()

    def _mend(self, live: BackgroundRun) -> None:
        """Start a failed run again if the queries for which it failed are changed or resumed; until then, drop them."""
        program, left = self._session.program, live.causes_left(self._session)
        if left == []:
            with suppress(Exception):
                self._stop()
            self._restart()
        elif any(name in program.queries for name in program.touched):
            what_to_do = f"drop {' and '.join(left)} first" if left else "engine.stop() tells why"
            raise RunError("the run has failed, and takes no more queries", hint=what_to_do)

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

        `engine.stream("S", dataframe, timestamp="ts", delay="5 SECONDS")`
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

        `engine.relation("Prices", dataframe, timestamp="ts", key="k")`
        """
        if timestamp is None and dataframe.isStreaming:
            raise AnalysisError(f"{name} is a streaming DataFrame: when does each change happen?", hint="timestamp='…'")
        self._declare("RELATION", name, dataframe, SourceClauses(timestamp, delay, op, key, mirror))

    def _declare(
        self, kind: Literal["STREAM", "RELATION"], name: str, dataframe: DataFrame, clauses: SourceClauses
    ) -> None:
        from tailrace.spark.io.frames import schema_of

        self._apply(parse_script, create_statement(kind, name, schema_of(name, dataframe), clauses))
        self._frames[name.lower()] = self._session.program.catalog.find(name), dataframe

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

        `engine.function("plus_one", lambda value: value and value + 1, returns="INT")`
        """
        self._register(self._functions.function(name, function, returns, arguments, vectorised))

    def aggregate(
        self, name: str, cls: type, returns: str | None = None, arguments: Sequence[str] | None = None
    ) -> None:
        """Register an aggregate: a class with `add(self, *values)` and `result(self)`, and perhaps `remove`.

        Its type is `returns` here or in the class. With `remove(self, *values)`, which undoes an `add`, a sliding
        window is not aggregated anew when tuples leave it.

        `engine.aggregate("spread", Spread, returns="INT")`
        """
        self._register(self._functions.aggregate(name, cls, returns, arguments))

    @property
    def _functions(self) -> UserFunctions:
        return self._session.program.catalog.functions

    def _register(self, functions: UserFunctions) -> None:
        program = self._session.program
        program = replace(program, catalog=replace(program.catalog, functions=functions))
        self._session = replace(self._session, program=program)

    # Runs ---------------------------------------------------------------------------------------------

    def start(self, trigger: str = "0 seconds", checkpoint: str | Path | None = None) -> None:
        """Run all queries in the background until `stop`, over all rows that arrive; at most one batch every `trigger`.

        Queries may be registered and dropped meanwhile, with effect from the next batch; `Query.since` is the first
        instant that a new one sees. With a checkpoint, a later start goes on where this one stopped.

        `engine.start(trigger="5 seconds", checkpoint="kept")`
        """
        if self._live is not None:
            raise RunError("the engine runs already", hint="engine.stop() ends that run")
        for query in self._queries.values():
            query.answers.clear()
        place = None if checkpoint is None else str(checkpoint)
        self._how = RunOptions(trigger, place)
        told, monitors = (self._on_rows, self._on_plan_change), self._monitors.begin() if self._monitors else []
        self._live = live = BackgroundRun(
            self._session, self._folder, self.spark, self._source_frames, *told, place, trigger, monitors
        )
        try:
            live.start()
        except BaseException:
            self._live = None
            raise
        self._session = self._session.without_resumed()

    def stop(self) -> RunSummary:
        """Finish the current batch and end the run. An error that ended the run is raised here.

        `engine.stop().rows` is the number of rows that were read.
        """
        outcome = self._stop()
        for query in self._queries.values():
            query.subscribers.finish()
        outcome.warn_of_rejected(LOG)
        return outcome

    def _stop(self) -> RunSummary:
        if self._live is None:
            return RunSummary()
        live, self._live = self._live, None
        return live.stop()

    def _restart(self) -> None:
        """Start with the same trigger and checkpoint as the last time."""
        self.start(**asdict(self._how))

    def set_trigger(self, trigger: str) -> None:
        """Set the shortest time between two batches, instead of `start`'s trigger: `engine.set_trigger("1 minute")`."""
        self._how = replace(self._how, trigger=trigger)
        if self._live is not None:
            self._live.tune(self._session, trigger)

    @property
    def problem(self) -> BaseException | None:
        """The error that ended the run in the background, if one did: `if engine.problem: engine.stop()`."""
        return None if self._live is None else self._live.problem

    def progress(self) -> Progress | None:
        """The progress of the run in the background; None if there is no run, or it has not begun.

        `engine.progress().watermark` is how far all sources are complete, as text.
        """
        return self._live.standing.progress() if self._live is not None and self._live.standing.begun.is_set() else None

    @property
    def running(self) -> bool:
        """Whether a run is active in the background: `while engine.running: sleep(1)`.

        After a failure it is not, and `stop` raises the error.
        """
        return self._live is not None and self._live.thread.is_alive()

    def _on_rows(self, query: QueryDefinition, rows: pa.Table) -> None:
        handle = self._queries.get(query.name)
        if handle is not None and handle.definition is query:
            handle.add_batch(rows, in_background=True)

    def _on_plan_change(self, changed: PlanChange) -> None:
        for name, instant in changed.started.items():
            if name in self._queries:
                self._queries[name].since = instant
        for line in changed.describe():
            LOG.info(line)

    def run(self, once: bool = True, until: str | int | datetime | None = None) -> RunSummary:
        """Run all queries once over all rows that are there now, up to the newest timestamp or `until`.

        The results replace those of the run before. Late, unreadable and shed rows are counted, and logged as warnings.

        `engine.run(until="2024-03-01 10:00:00")`
        """
        if not once:
            raise RunError("run() answers what is there now", hint="engine.start() runs queries continuously")
        if self._live is not None:
            raise RunError("the engine runs already", hint="engine.stop() ends that run")
        handles = dict(self._queries)
        for query in handles.values():
            query.answers.clear()
        if not handles:
            return RunSummary()

        def take(query: QueryDefinition, rows: pa.Table) -> None:
            handles[query.name].add_batch(rows)

        limit = None if until is None else str(until)
        outcome = run_beside(self._session, self._folder, limit, self.spark, self._source_frames, take)
        outcome.warn_of_rejected(LOG)
        return outcome
