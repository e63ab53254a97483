"""Statements: the Spark SQL of a script's batches, planned as `tailrace run` plans it, without Spark.

A script runs twice: once to its end (a first batch, a later one, a large one up to `--until`), and continuously, where
its last query joins the others after the first batch.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from types import SimpleNamespace
from typing import Any, cast

import pytest
from pyspark.sql import functions

from tailrace.catalog.formats import CHECKED
from tailrace.catalog.sources import Relation
from tailrace.engine.pipeline import compile_script, query_set
from tailrace.errors import RunError, Source
from tailrace.spark.batch import run_batch as batch_loop
from tailrace.spark.batch.run_batch import BatchRun
from tailrace.spark.batch.run_state import BatchInput, RunningPlan
from tailrace.spark.batch.services import OpenSources, RunSetup, Services
from tailrace.spark.batch.stage_inputs import StageInputs
from tailrace.spark.batch.task_reports import TaskReports
from tailrace.spark.io import sources
from tailrace.spark.io.bind_files import FileBinding
from tailrace.spark.io.rejected_rows import RejectedRows
from tailrace.spark.source_layout import UNREADABLE, SourceLayout
from tailrace.spark.time.event_clock import EventClock
from tailrace.spark.time.watermark import WatermarkTracker
from tailrace.staging.plan_version import QuerySet
from tailrace.types import is_integer
from tests.golden.recorded import Record, RecordedFrame, RecordedSession, as_text

SHARDS = 4
A_BATCH = 10  # instants
LARGE = 3_000_000  # rows of a batch that is sorted, and of which some need not be exchanged
ORIGIN = datetime(2024, 3, 1)


def statements(text: str, patch: pytest.MonkeyPatch, *, continuous: bool) -> str:
    """All statements of a script, for people and for comparison; those of a continuous run if that is wanted too."""
    found = runs(text, patch, continuous)
    parts = {f"{how}, {batch}": record for how, run in found.items() for batch, record in run.items()}
    return "\n".join(f"== {title}\n{as_text(record) or NOTHING}" for title, record in parts.items())


NOTHING = "as before\n"


def runs(text: str, patch: pytest.MonkeyPatch, continuous: bool) -> dict[str, dict[str, Record]]:
    patch.setattr(functions, "col", lambda name: name)
    patch.setattr(batch_loop, "open_source", arriving)
    patch.setattr(StageInputs, "is_by_statement", lambda inputs, feed: True)
    whole = work_of(text)
    if not whole.queries:
        return {}
    found = {"to an end": run_to_an_end(whole)}
    return found | {"continuously": run_continuously(text, whole)} if continuous else found


def work_of(text: str) -> QuerySet:
    return query_set(compile_script(Source(text, "script.cql")))


def run_to_an_end(whole: QuerySet) -> dict[str, Record]:
    run = open_run(whole, RunningPlan.start(whole))
    first, run = take(run)
    later, run = take(with_last_rows(run, 1000))
    run = with_last_rows(run, LARGE)
    until = "500" if run.state.watermark.clock.in_ticks else "2024-03-01 10:00:00"
    setup = replace(run.services.setup, until=until)
    large, _ = take(replace(run, services=replace(run.services, setup=setup)))
    return {"first batch": first, "later batch": find_changes(first, later), "large batch": find_changes(later, large)}


def run_continuously(text: str, whole: QuerySet) -> dict[str, Record]:
    """Run a script continuously; one query, the last one that can, is added with the second batch."""
    begun, joins = first_queries(text, whole)
    run = open_run(begun, RunningPlan.start(begun), standing=True)
    first, run = take(run)
    state, version = run.state, run.plan.version
    newest = {source.name: state.decided_until + 2 for source in begun.sources}
    seen = replace(state.watermark, watermark=state.decided_until, newest=newest)
    assert version
    plan = RunningPlan.advance(whole, version, replace(state, watermark=seen))
    state = replace(open_run(whole, plan, standing=True).state, next_batch=1, decided_until=state.decided_until)
    run = with_last_rows(replace(open_run(whole, plan, standing=True), state=state), 1000)
    return {"first batch": first, f"later batch, {joins}": find_changes(first, take(run)[0])}


def with_last_rows(run: BatchRun, rows: int) -> BatchRun:
    return replace(run, state=replace(run.state, watermark=replace(run.state.watermark, last_rows=rows)))


def first_queries(text: str, whole: QuerySet) -> tuple[QuerySet, str]:
    """All queries but one that can be added later, and that one; or all of them if none can."""
    for query in reversed(whole.queries[1:]):
        try:
            whole.versions.check([query.name])
        except RunError:
            continue
        return work_of(f"{text}\nDROP QUERY {query.name};"), f"{query.name} joins"
    return whole, "no query joins"


def open_run(of: QuerySet, plan: RunningPlan, standing: bool = False) -> BatchRun:
    """The first batch of a run over these queries."""
    session: Any = RecordedSession()
    settings = replace(of.settings, shards=SHARDS, origin=of.settings.origin or ORIGIN)
    setup = RunSetup(settings, is_continuous=standing)
    sources = open_sources(session, plan, setup)
    services = Services(session, setup, sources, session, TaskReports.open(session.sparkContext), "state", SHARDS)
    return BatchRun(BatchInput(None), services.first_state(), plan, services)


def open_sources(session: Any, plan: RunningPlan, setup: RunSetup) -> OpenSources:
    """Open the sources, as far as that needs no file."""
    layout = SourceLayout.of(plan.staged, setup.is_continuous)
    is_static = [isinstance(source, Relation) and source.is_static for source in layout.sources]
    static = tuple(number for number, each in enumerate(is_static) if each)
    moving = {number: arriving(session, layout, number) for number, each in enumerate(is_static) if not each}
    clock = EventClock.of(setup.settings, in_ticks(layout))
    unreadable = cast(RejectedRows, SimpleNamespace(keep=lambda rows, batch: {}))
    tracker = WatermarkTracker(layout, tuple(moving))
    return OpenSources(layout, moving, static, (), FileBinding(), clock, tracker, unreadable, unreadable)


def in_ticks(shape: SourceLayout) -> bool:
    """Whether timestamps are numbers, as far as the script says."""
    stamps = [(source, source.schema.find(source.timestamp)) for source in shape.sources if source.timestamp]
    return any(is_integer(source.schema[found[0]].type) for source, found in stamps if found)


def arriving(session: Any, shape: SourceLayout, number: int, *more: Any) -> Any:
    """A source's rows in the common layout, as if its files had the columns that its declaration names."""
    return sources.in_shape(shape, number, raw_rows(session, shape.sources[number]), False)


def raw_rows(session: Any, source: Any) -> Any:
    named = (source.timestamp, source.heartbeat, getattr(source, "op", None))
    names = dict.fromkeys([*(field.name for field in source.schema), *(name for name in named if name)])
    unreadable = (UNREADABLE,) if is_checked(source) else ()
    return RecordedFrame(session, (f"rows of {source.name}",), (*names, *unreadable))


def is_checked(source: Any) -> bool:
    return (source.format or "").lower() in CHECKED


def take(run: BatchRun) -> tuple[Record, BatchRun]:
    """The statements of one batch if Spark SQL prepares all of it, and the batch after it."""
    session: Any = run.services.spark
    sources, state = run.services.sources, run.state
    record: Record = {}
    for number, frame in sources.moving.items():
        record[f"rows {sources.layout.sources[number].name}"] = list(cast(Any, frame).made)
    record["asked"] = [f"{text} AS {name}" for name, text in sources.tracker.batch_measures().items()]
    rows: Any = RecordedFrame(session, ("rows of all",)) if sources.moving else None
    arrived, _ = run.source_tables(session, rows, state.decided_until, state.watermark.clock)
    batch = StageInputs(state, run.plan, run.services, session, arrived)
    for number, stage in enumerate(run.plan.staged.stages):
        messages = batch.statement_rows(number, stage)
        if messages is not None:
            messages.createOrReplaceTempView(f"messages for stage {number + 1}")
    for output in run.outputs():
        rows = batch.answers(output.name, output.query, output.is_family)
        if rows is not None and output.is_family:
            session.many(output.queries, rows, None)
        elif rows is not None:
            session.one(output.query, rows, None)
    after = replace(state, next_batch=state.next_batch + 1, decided_until=state.decided_until + A_BATCH)
    return record | shorten_record(session.take_record(), arrived), replace(run, state=after)


def shorten_record(record: Record, arrived: dict[int, str]) -> Record:
    """Write the source's rows down once, and use a name for them in statements."""
    names = {text: f"<arrived {number}>" for number, text in reversed(arrived.items())}
    found: Record = {name: [text] for text, name in names.items()}
    for name, made in record.items():
        for text, called in names.items():
            made = [line.replace(text, called) for line in made]
        found[name] = made
    return found


def find_changes(before: Record, after: Record) -> Record:
    """What differs from the batch before; a statement that is gone is only named."""
    gone: Record = {name: ["is gone"] for name in before if name not in after}
    return gone | {name: made for name, made in after.items() if before.get(name) != made}
