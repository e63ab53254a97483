"""Live road: queries that come and go while an engine follows files, and a restart in the middle.

Unlike runs that end, a continuous run decides only up to the watermark: rows wait when queries change, and when it
stops.
"""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Mapping
from datetime import datetime
from pathlib import Path

from pyspark.sql import SparkSession

from tailrace import Engine, Query
from tailrace.testing.random_scripts.scripts import RandomScript
from tests.fuzz.answers import instant_of
from tests.fuzz.files import write_files
from tests.fuzz.run_road import Restarted, queries_of_phase
from tests.patience import PATIENCE


def run_live(spark: SparkSession, script: RandomScript, folder: Path, settings: Mapping[str, str]) -> Restarted:
    """Queries change once while the run goes on, and once with a restart from its checkpoint."""
    shutil.rmtree(folder, ignore_errors=True)
    found = Restarted()
    for source in script.sources:
        (folder / source.name).mkdir(parents=True)
        if source.is_static:
            write_files(source, [source.rows], folder, script.in_ticks, 0)
    run = LiveRun(spark, script, folder, settings, found)
    first, second = queries_of_phase(script, 0), queries_of_phase(script, 1)
    run.begin(first)
    run.take_phase(0)
    run.change(first, second)
    run.take_phase(1)
    run.end(second)
    run.begin(second)
    run.take_phase(2)
    run.end(second)
    return found


class LiveRun:
    """An engine that follows a script's files; a query may stand under the name of another, which it replaced."""

    def __init__(
        self, spark: SparkSession, script: RandomScript, folder: Path, settings: Mapping[str, str], found: Restarted
    ) -> None:
        self.spark, self.script, self.folder, self.settings, self.found = spark, script, folder, settings, found
        self.engine = Engine(spark, folder)

    def begin(self, named: Mapping[str, str]) -> None:
        self.engine = Engine(self.spark, self.folder)
        self.engine.execute(self.script.with_queries([]).text(".", 1, self.settings))
        for name, query in named.items():
            self.engine.query(self.script.queries[query], name)
        self.engine.start(checkpoint=self.folder / "checkpoint")

    def take_phase(self, number: int) -> None:
        """Write the rows of a phase, a file of each source, and wait until all of them have been taken."""
        begin = 0 if number == 0 else self.script.phases[number - 1] + 1
        end = self.script.phases[number]
        for source in self.script.sources:
            if not source.is_static:
                rows = [row for row in source.rows if begin <= (row[0] or 0) <= end]
                write_files(source, [rows], self.folder, self.script.in_ticks, number)
        self.wait_until(lambda: self.has_taken(end), "files were not taken")

    def wait_until(self, is_so: Callable[[], bool], otherwise: str) -> None:
        begun = time.monotonic()
        while not is_so():
            assert self.engine.running, self.engine.stop()
            assert time.monotonic() - begun < PATIENCE, otherwise
            time.sleep(0.02)

    def has_taken(self, end: int) -> bool:
        assert self.engine._live
        standing = self.engine._live.standing
        with standing.working:
            newest, followed = standing.state.watermark.newest, standing.services.sources.tracker.sources
            seen = [newest.get(source.name) for source in followed.values()]
            answers_all = standing.plan.query_set is standing.requested and not standing.reopen.is_set()
            return answers_all and all(newest == end for newest in seen)

    def change(self, before: Mapping[str, str], after: Mapping[str, str]) -> None:
        """Drop the queries that leave, and register those that join, from the next batch on."""
        decided = self.last_decided()
        for name, query in before.items():
            if after.get(name) != query:
                self.keep(query, self.engine.queries[name], decided)
                self.engine.queries[name].drop()
        for name, query in after.items():
            if before.get(name) != query:
                self.engine.query(self.script.queries[query], name)
        # Where other sources are read from now on, files that came before they are open would be taken without them.
        self.wait_until(self.will_answer, "the change was not taken up")

    def will_answer(self) -> bool:
        """Whether the next batch answers the queries as they are now."""
        assert self.engine._live
        standing = self.engine._live.standing
        with standing.working:
            return standing.requested in (standing.pending, standing.plan.query_set) and not standing.reopen.is_set()

    def last_decided(self) -> int:
        """The last instant that is decided."""
        assert self.engine._live
        with self.engine._live.standing.working:
            return self.engine._live.standing.state.decided_until

    def end(self, named: Mapping[str, str]) -> None:
        """Stop after the batch at hand, and keep what the queries answered."""
        live = self.engine._live
        assert live
        self.engine.stop()
        for name, query in named.items():
            self.keep(query, self.engine.queries[name], live.standing.state.decided_until)

    def keep(self, query: str, handle: Query, decided: int) -> None:
        table = handle.answers.table
        if table is not None:
            columns = [column.to_pylist() for column in table.columns]
            self.found.answers.add(query, table.column_names, zip(*columns, strict=True))
        if handle.since is not None:
            is_tick = handle.since.isdigit()
            since = int(handle.since) if is_tick else instant_of(datetime.fromisoformat(handle.since))
            self.found.since.setdefault(query, since)
        self.found.since.setdefault(query, 0)
        self.found.until[query] = decided
