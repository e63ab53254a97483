"""Engine worker: everything that the server asks of an engine, without HTTP.

One thread does all work on the engine, one request after the other.
"""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import TypeVar

from tailrace.deep_stack import on_deep_stack
from tailrace.engine.completion import is_query
from tailrace.engine.dataframes import identifier_text
from tailrace.engine.engine import Engine, Query
from tailrace.engine.explain import explain_report
from tailrace.engine.internals import attach_monitors, on_each_query, refuse_taken_over, restart, script_of
from tailrace.engine.monitors import Monitors
from tailrace.engine.pipeline import PlanningSession
from tailrace.errors import RunError, SettingError, TailraceError, did_you_mean
from tailrace.language.script import Script
from tailrace.logical.queries import Definition
from tailrace.server.channel import Channel, event
from tailrace.server.kept_statements import KeptStatements, statements_of
from tailrace.server.statement_guard import Guard
from tailrace.settings import DEFAULTS, LIVE, interval_text, read_interval

LOG = logging.getLogger("tailrace")
T = TypeVar("T")
PATIENCE = 60.0  # seconds that a request may take
AT_ONCE = "0 seconds"
CHECKED = "query"  # the name of a nameless query while it is checked
READERS = 2000  # the most readers of results at the same time
MONITORS = Path(__file__).with_name("monitors.cql")


class UnknownError(TailraceError):
    """There is nothing of that name."""


class BusyError(Exception):
    """A request took too long, or there are too many."""


class EngineWorker:
    """An engine, a channel for the results of each query, a guard of statements, and monitors of every run.

    Statements that change something are kept for the next start.
    """

    def __init__(self, engine: Engine, guard: Guard, kept: KeptStatements) -> None:
        self.engine, self.guard, self.kept = engine, guard, kept
        self.worker = ThreadPoolExecutor(1, "tailrace desk")
        self.loop: asyncio.AbstractEventLoop | None = None
        self.early: list[Callable[[], None]] = []  # work that came before there was a loop
        self.starting = threading.Lock()
        self.channels: dict[Query, Channel] = {}
        self.meanings: dict[Query, dict[str, object]] = {}  # the descriptions of registered queries
        self.readers = 0
        self.monitors = Monitors(MONITORS.read_text(encoding="utf-8"))
        attach_monitors(engine, self.monitors)
        on_each_query(engine, self.on_query)
        for query in engine.queries.values():
            self.on_query(query)

    def begin(self) -> None:
        """Use the event loop that runs now, and give it the work that came before there was a loop."""
        with self.starting:
            self.loop = asyncio.get_running_loop()
            for work in self.early:
                self.loop.call_soon(work)
            self.early = []

    def soon(self, work: Callable[[], None]) -> None:
        """Run `work` in the event loop's thread. After the loop has ended, nothing is run."""
        with self.starting, suppress(RuntimeError):
            if self.loop is None:
                self.early.append(work)
            else:
                self.loop.call_soon_threadsafe(work)

    async def do(self, work: Callable[[], T]) -> T:
        """Run `work` in the engine's thread, in its turn. Raises BusyError if it is not done after PATIENCE seconds."""
        future = asyncio.get_running_loop().run_in_executor(self.worker, work)
        try:
            return await asyncio.wait_for(future, PATIENCE)
        except TimeoutError:
            raise BusyError(f"this took longer than {PATIENCE:.0f} seconds") from None

    # Channels -----------------------------------------------------------------------------------------

    def on_query(self, query: Query) -> None:
        """Make a channel for a query before its first row comes. A query with a sink gets none."""
        if not query.definition.format:
            channel = Channel(self.soon)
            self.channels[query] = channel
            query.subscribe(channel.take, tables=True)

    def tidy(self) -> None:
        """Close the channels of queries that were dropped, and forget their descriptions."""
        there = set(self.engine.queries.values())
        self.meanings = {query: known for query, known in self.meanings.items() if query in there}
        for query in [query for query in self.channels if query not in there]:
            self.soon(self.channels.pop(query).close)

    def query(self, name: str) -> Query:
        """The query of this name, in upper or lower case."""
        known = self.engine.queries
        found = next((query for each, query in known.items() if each.lower() == name.lower()), None)
        if found is None:
            raise UnknownError(f"no query {name}", hint=did_you_mean(name, known))
        return found

    def channel(self, name: str) -> Channel:
        query = self.query(name)
        if query not in self.channels:
            raise RunError(f"the rows of {query.name} go into {query.definition.format} and are not kept")
        return self.channels[query]

    def refuse_many(self) -> None:
        if self.readers >= READERS:
            raise BusyError(f"there are {READERS:,} readers already")

    # Texts --------------------------------------------------------------------------------------------

    def check(self, text: str, name: str | None) -> PlanningSession:
        """Compile a query or script as if it were added to what the engine has; nothing is registered."""
        return self.engine.check(text, (name or self.free_name()) if is_query(text) else None, self.guard)

    def free_name(self) -> str:
        """A name that is not taken, for a query that is only checked."""
        known = script_of(self.engine).program.catalog.entries
        return next(name for name in (CHECKED, *(f"{CHECKED}{n}" for n in range(len(known)))) if name not in known)

    def explain(self, text: str | None, form: str) -> str:
        """The plan of a text's queries and views or, without a text, of all registered queries together."""
        if text is None:
            session = script_of(self.engine)
            chosen: list[Definition] = list(session.program.queries.values())
        else:
            session = self.check(text, None)
            chosen = [each for each in session.program.outcomes if isinstance(each, Definition)]
        return on_deep_stack(lambda: explain_report(session, chosen, form))

    def explain_query(self, name: str, form: str) -> str:
        return self.query(name).explain(form)

    # Changes ------------------------------------------------------------------------------------------

    def execute(self, text: str) -> str | None:
        return self.change(lambda guard: self.engine.execute(text, guard))

    def register(self, text: str, name: str | None, into: str | None, options: dict[str, str]) -> Query:
        name = name or self.free_query_name()
        return self.change(lambda guard: self.engine.query(text, name, into, options, guard))

    def free_query_name(self) -> str | None:
        """A name for a query without one, which no statement that was left out has; None if any will do."""
        taken = {each.name for each in self.kept.left_out}
        names = (f"q{number}" for number in count(1))
        known = script_of(self.engine).program.catalog.entries
        return next(name for name in names if name not in taken and name not in known) if taken else None

    def drop(self, name: str) -> None:
        query = self.query(name)
        self.change(lambda guard: self.engine.execute(f"DROP QUERY {identifier_text(query.name)}", guard))

    def resume(self, name: str) -> None:
        """Hand out a query's results again or, if it is quarantined, start it anew."""
        query = self.query(name)
        if query.failure is None:
            self.channel(name).resume()
        else:
            self.engine.execute(f"RESUME QUERY {identifier_text(query.name)}")

    def change(self, work: Callable[[Callable[[Script], Script]], T]) -> T:
        """Have statements executed by `work`, which must show them to the guard it gets; they are kept if they are."""
        executed: list[Script] = []

        def look(script: Script) -> Script:
            catalog = script_of(self.engine).program.catalog
            executed[:] = [self.guard.keep_sinks(self.guard(script), catalog)]
            return executed[0]

        try:
            done = work(look)
        finally:
            self.tidy()
        if self.kept.folder is not None:
            # Only now: which query an INSERT INTO has made is known once it is executed.
            self.keep(self.kept.after([each for script in executed for each in statements_of(script)]))
        return done

    def keep(self, kept: KeptStatements) -> None:
        """Write the kept statements, if they changed; a RunError if they cannot be written."""
        if kept == self.kept:
            return
        self.kept = kept  # also if this fails: the next change writes this one too
        try:
            refuse_taken_over(self.engine)
            kept.write(script_of(self.engine).program.settings.durability == "full")
        except (OSError, RunError) as problem:
            why = problem.message if isinstance(problem, RunError) else problem.strerror or problem
            raise RunError(
                f"this was done, and is not kept for the next start: {why}",
                hint="the next change that can be written keeps this one too",
            ) from None

    def forget(self, name: str) -> None:
        """Forget the kept statements of a name that were left out at the start."""
        kept = self.kept.without(name)
        if kept == self.kept:
            raise UnknownError(f"no statement about {name} was left out", hint="DROP removes what was executed")
        self.keep(kept)

    def set(self, key: str, value: str) -> None:
        """Change a setting that may change while queries run."""
        if key == "trigger":
            try:
                # In the one form that Spark reads too.
                self.engine.set_trigger(AT_ONCE if value.strip() == AT_ONCE else interval_text(read_interval(value)))
            except ValueError as problem:
                raise SettingError(f"trigger cannot be '{value}': {problem}") from None
            return
        if key not in LIVE:
            raise UnknownError(f"no setting {key} that may change now", hint=did_you_mean(key, ["trigger", *LIVE]))
        # Parsed first: a value that is valid has no quote in it, which would end the string in the statement.
        DEFAULTS.change(key, value)
        self.change(lambda guard: self.engine.execute(f"SET {key} = '{value.strip()}'", guard))

    def start_again(self) -> None:
        """Start a failed run again: from its checkpoint or, without one, from the beginning."""
        if self.engine.running:
            return
        with suppress(Exception):
            self.engine.stop()
        restart(self.engine)

    def close(self) -> None:
        """Stop the engine after its current batch. If the run has failed, its error is logged."""
        try:
            self.engine.stop()
        except TailraceError as problem:
            LOG.warning(problem.message)
        self.worker.shutdown(wait=False)


TOGETHER = 5000  # rows that are taken from the channel at a time
ALIVE = 15.0  # seconds without rows after which a comment keeps the connection alive


async def send_events(worker: EngineWorker, channel: Channel, number: int, head: str) -> AsyncIterator[bytes]:
    """Yield the columns, then all rows after `number` as they come (`gap`: lost rows), and the end if it is dropped."""
    worker.readers += 1
    channel.readers += 1
    try:
        yield event("columns", head)
        while True:
            changed = channel.changed
            # A list, since the channel may change while rows are sent; a short one, since it is kept for a slow reader.
            several = list(channel.since(number, TOGETHER))
            for found in several:
                number = found.last
                yield found.event
            if several:
                continue
            if channel.over:
                yield event("end", "{}")
                return
            try:
                async with asyncio.timeout(ALIVE):
                    await changed.wait()
            except TimeoutError:
                yield b": still here\n\n"
    finally:
        worker.readers -= 1
        channel.readers -= 1
