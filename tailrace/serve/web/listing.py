"""Listing: streams, relations, views and queries with what is known of each while they run."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import TYPE_CHECKING

import tailrace
from tailrace.analysis.program import Derived, Explanation, Listing, Program, View
from tailrace.catalog.paths import path_option
from tailrace.catalog.sources import Declared
from tailrace.catalog.system import SYSTEM_STREAMS
from tailrace.engine.api import Query
from tailrace.engine.compile import Compiled
from tailrace.engine.report import entry_text, outcome_text
from tailrace.errors import ScriptError, Source, TailraceError
from tailrace.outcome import Held, Progress, SourceSeen
from tailrace.schema import Schema
from tailrace.serve.web import models
from tailrace.serve.web.desk import Desk
from tailrace.serve.words import KEYWORDS, function_names, readable
from tailrace.settings import LIVE, ROUTINGS, interval_text

if TYPE_CHECKING:
    from tailrace.spark.gauge import Taken

RATED = 10.0  # seconds over which rows are counted
SHOWN = 120  # batches


def columns(schema: Schema) -> list[models.Column]:
    return [models.Column(name=field.name, type=str(field.type)) for field in schema]


def meaning(derived: Derived) -> dict[str, object]:
    return {
        "name": derived.name,
        "word": derived.word,
        "kind": str(derived.kind),
        "columns": columns(derived.schema),
        "defaults": [note.text for note in derived.notes if note.is_default],
        "notes": [note.text for note in derived.notes if not note.is_default],
        "expanded": derived.expanded(pretty=True),
    }


def checked(compiled: Compiled, is_query: bool) -> models.Checked:
    """What a text means that is right."""
    outcomes = compiled.program.outcomes
    meanings = [models.Meaning.model_validate(meaning(each)) for each in outcomes if isinstance(each, Derived)]
    said = [outcome_text(compiled, each) for each in outcomes if isinstance(each, (Listing, Explanation))]
    return models.Checked(ok=True, is_query=is_query, meanings=meanings, said=said)


def problems(wrong: TailraceError, source: Source | None = None) -> list[models.Problem]:
    """All that is wrong, with its places."""
    if isinstance(wrong, ScriptError):
        return [each for problem in wrong.problems for each in problems(problem, wrong.source)]
    found = models.Problem(message=wrong.message, hint=wrong.hint)
    if wrong.place is not None and source is not None:
        found.line, found.column = source.position(wrong.place.start)
        found.start, found.end = wrong.place.start, wrong.place.end
    return [found]


# What is there --------------------------------------------------------------------------------------------


def catalog(desk: Desk, most: int) -> models.Catalog:
    """All there is, of queries the first so many."""
    engine = desk.engine
    progress = engine.progress()
    seen = {each.name: each for each in progress.sources} if progress else {}
    held = progress.held if progress else None
    rates = source_rates(list(engine.taken))
    entries = list(engine.compiled.program.catalog.entries.values())
    sources = [source(each, seen.get(each.name), held, rates) for each in entries if isinstance(each, Declared)]
    return models.Catalog(
        streams=[each for each in sources if each.word == "stream"],
        relations=[each for each in sources if each.word == "relation"],
        system=[system(each) for each in SYSTEM_STREAMS.values()],
        views=[models.ViewShown.model_validate(meaning(each)) for each in entries if isinstance(each, View)],
        queries=[query(desk, each) for each in list(engine.queries.values())[:most]],
        more=max(0, len(engine.queries) - most),
    )


def source(
    entry: Declared, seen: SourceSeen | None, held: Held | None, rates: Mapping[str, float]
) -> models.SourceShown:
    shown = models.SourceShown(
        name=entry.name,
        word=entry.word,
        columns=columns(entry.schema),
        text=entry_text(entry),
        path=path_option(entry.options),
    )
    if seen is not None:
        shown.rows, shown.late, shown.newest, shown.silent = seen.rows, seen.late, seen.newest, seen.silent
        shown.shed = seen.shed
        shown.rate = rates.get(entry.name, 0.0)
    if held is not None and held.source == entry.name:
        shown.holds_back, shown.behind = True, held.behind
    return shown


def system(stream: Declared) -> models.SourceShown:
    """A stream that tells of the system."""
    shown = source(stream, None, None, {})
    shown.text += ", a row after each batch"
    return shown


def source_rates(taken: list[Taken]) -> dict[str, float]:
    """Rows a second of each source, in the last seconds."""
    now = time.time()
    recent = [each for each in taken if each.at >= now - RATED]
    if not recent:
        return {}
    earlier = taken[-len(recent) - 1].rows if len(taken) > len(recent) else {}
    return {name: max(0, rows - earlier.get(name, 0)) / RATED for name, rows in recent[-1].rows.items()}


def query(desk: Desk, found: Query) -> models.QueryShown:
    channel, engine = desk.channels.get(found), desk.engine
    if channel is not None and channel.paused_at is not None:
        state = "paused"
    elif engine.running:
        state = "running"
    else:
        state = "failed" if engine.problem else "waiting"
    figures = {
        "state": state,
        "into": found.analysed.format,
        "since": found.since,
        "rows": channel.last if channel else None,
        "rate": channel.rate if channel else None,
        "readers": channel.readers if channel else 0,
        "last_id": f"{channel.epoch}-{channel.shown}" if channel else None,
        "shed": found.shed,
    }
    # A query's text takes longer to write than all else here.
    if found not in desk.meanings:
        desk.meanings[found] = meaning(found.analysed)
    return models.QueryShown.model_validate({**desk.meanings[found], **figures})


def status(desk: Desk) -> models.Status:
    engine = desk.engine
    progress = engine.progress() or Progress(0, None)
    problem = engine.problem
    return models.Status(
        version=tailrace.__version__,
        running=engine.running,
        problem=None if problem is None else told(problem),
        rows=progress.rows,
        heartbeat=progress.heartbeat,
        held=held_shown(progress.held),
        batches=batches(list(engine.taken)[-SHOWN:]),
        readers=desk.readers,
    )


def told(problem: BaseException) -> str:
    return problem.message if isinstance(problem, TailraceError) else "the run failed; the server's log says why"


def held_shown(held: Held | None) -> models.HeldShown | None:
    if held is None:
        return None
    return models.HeldShown(
        source=held.source, silent=held.silent, next=held.next, behind=held.behind, text=held.told()
    )


def batches(taken: list[Taken]) -> list[models.BatchShown]:
    found, before = [], 0
    for each in taken:
        rows = sum(each.rows.values())
        found.append(
            models.BatchShown(number=each.number, at=each.at, seconds=each.seconds, rows=max(0, rows - before))
        )
        before = rows
    return found[1:] if len(found) == SHOWN else found


# Settings and words ---------------------------------------------------------------------------------------

MEANINGS = {
    "trigger": "the least time between two batches",
    "batch.time": "what a batch should take",
    "batch.rows": "the most rows of a batch",
    "shedding": "whether rows are dropped, and counted, when batches fall behind",
    "routing": "how rows are routed through the filters of many queries",
    "tick": "the length of an instant",
    "origin": "the first instant",
    "late": "the folder for rows that come too late",
    "unreadable": "the folder for rows that cannot be read",
}


CHOICES = {"routing": list(ROUTINGS), "shedding": ["off", "on"]}


def settings(desk: Desk) -> list[models.SettingShown]:
    now = desk.engine.compiled.program.settings
    values = {
        "trigger": desk.engine.trigger,
        "batch.time": interval_text(now.batch_time),
        "batch.rows": "" if now.batch_rows is None else str(now.batch_rows),
        "shedding": "on" if now.shedding else "off",
        "routing": now.routing,
        "tick": interval_text(now.tick),
        "origin": "" if now.origin is None else str(now.origin.replace(tzinfo=None)),
        "late": now.late or "",
        "unreadable": now.unreadable,
    }
    return [
        models.SettingShown(
            key=key,
            value=value,
            live=key == "trigger" or key in LIVE,
            meaning=MEANINGS[key],
            choices=CHOICES.get(key, []),
        )
        for key, value in values.items()
    ]


def words(program: Program) -> models.Words:
    """What a query may be made of."""
    return models.Words(keywords=KEYWORDS.split(), functions=function_names(), names=readable(program))
