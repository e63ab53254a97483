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

from tailrace.catalog.sources import Relation
from tailrace.engine.pipeline import compile_script, work
from tailrace.errors import RunError, Source
from tailrace.spark.batch import run_batch as batch_loop
from tailrace.spark.batch.run_batch import BatchLoop
from tailrace.spark.batch.stage_inputs import StageInputs
from tailrace.spark.io import sources
from tailrace.spark.io.rejected_rows import RejectedRows
from tailrace.spark.source_layout import CHECKED, UNREADABLE, SourceLayout
from tailrace.spark.time.event_clock import EventClock
from tailrace.spark.time.watermark import WatermarkTracker
from tailrace.staging.plan_version import PlanVersion, QuerySet
from tailrace.staging.stages import StagedPlan
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
    whole = work_of(text)
    if not whole.queries:
        return {}
    found = {"to an end": run_to_an_end(whole)}
    return found | {"continuously": run_continuously(text, whole)} if continuous else found


def work_of(text: str) -> QuerySet:
    return work(compile_script(Source(text, "script.cql")), None, None)


def run_to_an_end(whole: QuerySet) -> dict[str, Record]:
    _, plan = PlanVersion().next(whole, 0, -1, -1, {})
    loop = make_loop(whole, plan)
    first = take(loop)
    loop.watermarks.last_rows = 1000
    later = take(loop)
    loop.watermarks.last_rows = LARGE
    loop.until = "500" if loop.watermarks.clock.in_ticks else "2024-03-01 10:00:00"
    large = take(loop)
    return {"first batch": first, "later batch": find_changes(first, later), "large batch": find_changes(later, large)}


def run_continuously(text: str, whole: QuerySet) -> dict[str, Record]:
    """Run a script continuously; one query, the last one that can, is added with the second batch."""
    begun, joins = first_queries(text, whole)
    edition, plan = PlanVersion().next(begun, 0, -1, -1, {})
    loop = make_loop(begun, plan, standing=True)
    first = take(loop)
    newest = {source.name: loop.decided_until + 2 for source in begun.sources}
    _, loop.plan = edition.next(whole, loop.batch, loop.decided_until, loop.decided_until, newest)
    loop.queries, loop.watermarks.last_rows = whole.queries, 1000
    open_sources(loop)
    return {"first batch": first, f"later batch, {joins}": find_changes(first, take(loop))}


def first_queries(text: str, whole: QuerySet) -> tuple[QuerySet, str]:
    """All queries but one that can be added later, and that one; or all of them if none can."""
    for query in reversed(whole.queries[1:]):
        try:
            whole.check([query.name])
        except RunError:
            continue
        return work_of(f"{text}\nDROP QUERY {query.name};"), f"{query.name} joins"
    return whole, "no query joins"


def make_loop(of: QuerySet, plan: StagedPlan, standing: bool = False) -> BatchLoop:
    session: Any = RecordedSession()
    settings = replace(of.settings, shards=SHARDS, origin=of.settings.origin or ORIGIN)
    loop = BatchLoop(session, plan, of.queries, settings, session, is_continuous=standing)
    loop.shards, loop.folder = SHARDS, "state"
    open_sources(loop)
    return loop


def open_sources(loop: BatchLoop) -> None:
    """Open the sources, as far as that needs no file."""
    loop.shape = SourceLayout.of(loop.plan, loop.is_continuous)
    session: Any = loop.spark
    is_static = [isinstance(source, Relation) and source.is_static for source in loop.shape.sources]
    loop.static = [number for number, static in enumerate(is_static) if static]
    loop.moving = {
        number: arriving(session, loop.shape, number) for number, static in enumerate(is_static) if not static
    }
    loop.unreadable = cast(RejectedRows, SimpleNamespace(keep=lambda rows, batch: None))
    rows = loop.watermarks.last_rows if hasattr(loop, "watermarks") else -1
    clock = EventClock.of(loop.settings, in_ticks(loop.shape))
    loop.watermarks = WatermarkTracker(loop.shape, clock, list(loop.moving), last_rows=rows)


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


def take(loop: BatchLoop) -> Record:
    """One batch as the loop runs it, except that no stage runs."""
    session: Any = loop.spark
    record: Record = {}
    for number, frame in loop.moving.items():
        record[f"rows {loop.shape.sources[number].name}"] = list(frame.made)
    record["asked"] = [f"{text} AS {name}" for name, text in loop.watermarks.batch_measures().items()]
    rows: Any = RecordedFrame(session, ("rows of all",)) if loop.moving else None
    arrived = loop.source_tables(session, rows, loop.decided_until)
    batch = StageInputs(loop, session, arrived, loop.decided_until + A_BATCH)
    for number, stage in enumerate(loop.plan.stages):
        batch.run(number, stage).createOrReplaceTempView(f"tailrace_stage_{number}")
    loop.deliver_results(batch)
    loop.batch, loop.decided_until = loop.batch + 1, batch.decide_until
    return record | shorten_record(session.take_record(), arrived)


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
