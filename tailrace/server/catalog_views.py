"""Catalog views: the engine's catalog, queries, status and settings as models of the REST interface, with figures."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

import tailrace
from tailrace.analysis.program import Program
from tailrace.analysis.statements.replies import Reply
from tailrace.catalog.sources import Declared, path_option
from tailrace.catalog.system_streams import SYSTEM_STREAMS
from tailrace.engine.completion import KEYWORDS, function_names, readable
from tailrace.engine.engine import Query
from tailrace.engine.explain import entry_text, outcome_text
from tailrace.engine.internals import script_of, trigger_of
from tailrace.engine.monitors import Monitors
from tailrace.engine.pipeline import PlanningSession
from tailrace.errors import ScriptError, Source, TailraceError
from tailrace.logical.queries import Definition, View
from tailrace.progress import LaggingSource, Progress
from tailrace.schema import Schema
from tailrace.server import models
from tailrace.server.engine_worker import EngineWorker
from tailrace.settings import LIVE, OWN_STRATEGIES, ROUTINGS, interval_text


def columns(schema: Schema) -> list[models.Column]:
    return [models.Column(name=field.name, type=str(field.type)) for field in schema]


def meaning(derived: Definition) -> dict[str, object]:
    return {
        "name": derived.name,
        "word": derived.word,
        "kind": str(derived.kind),
        "columns": columns(derived.schema),
        "defaults": [note.text for note in derived.notes if note.is_default],
        "notes": [note.text for note in derived.notes if not note.is_default],
        "expanded": derived.expanded_text(pretty=True),
    }


def check_response(session: PlanningSession, is_query: bool) -> models.Checked:
    """The answer for a text without errors: what its views and queries mean, and what SHOW and EXPLAIN say."""
    outcomes = session.program.outcomes
    meanings = [models.Meaning.model_validate(meaning(each)) for each in outcomes if isinstance(each, Definition)]
    said = [outcome_text(session, each) for each in outcomes if isinstance(each, Reply)]
    return models.Checked(ok=True, is_query=is_query, meanings=meanings, said=said)


def problems(wrong: TailraceError, source: Source | None = None) -> list[models.Problem]:
    """All problems of an error, with their places in the text."""
    if isinstance(wrong, ScriptError):
        return [each for problem in wrong.problems for each in problems(problem, wrong.source)]
    found = models.Problem(message=wrong.message, hint=wrong.hint)
    if wrong.place is not None and source is not None:
        found.line, found.column = source.position(wrong.place.start)
        found.start, found.end = wrong.place.start, wrong.place.end
    return [found]


# Catalog and status ---------------------------------------------------------------------------------------


def catalog(desk: EngineWorker, most: int) -> models.CatalogResponse:
    """The whole catalog with its current figures; of the queries, the first `most`."""
    engine = desk.engine
    progress = engine.progress()
    figures = source_figures(desk, progress)
    held = progress.held if progress else None
    rates = query_rates(desk)
    entries = list(script_of(engine).program.catalog.entries.values())
    sources = [source(each, figures.get(each.name, {}), held) for each in entries if isinstance(each, Declared)]
    return models.CatalogResponse(
        streams=[each for each in sources if each.word == "stream"],
        relations=[each for each in sources if each.word == "relation"],
        system=[system(each) for each in SYSTEM_STREAMS.values()],
        monitors=monitors(desk.monitors),
        views=[models.ViewShown.model_validate(meaning(each)) for each in entries if isinstance(each, View)],
        queries=[query(desk, each, rates) for each in list(engine.queries.values())[:most]],
        more=max(0, len(engine.queries) - most),
    )


@cache
def monitors(found: Monitors) -> list[models.Meaning]:
    """The monitors: the queries from which the figures come."""
    return [models.Meaning.model_validate(meaning(each)) for each in found.queries.values()]


def query_rates(desk: EngineWorker) -> dict[str, float]:
    return {each["query"]: each["rate"] for each in desk.monitors.now("query_rates")}


def source_figures(desk: EngineWorker, progress: Progress | None) -> dict[str, dict[str, Any]]:
    """The figures of each source, from monitors; how long it is idle, when no rows come, the run itself says."""
    told: dict[str, dict[str, Any]] = {}
    for each in progress.sources if progress else ():
        told[each.name] = {"rows": 0, "late": 0, "shed": 0, "rate": 0.0, "idle_seconds": each.idle_seconds}
    for monitor in ("source_totals", "source_newest", "source_rates"):
        for row in desk.monitors.now(monitor):
            if row["source"] in told:
                told[row["source"]] |= {key: value for key, value in row.items() if key not in ("_ts", "source")}
    return told


def source(entry: Declared, figures: Mapping[str, Any], held: LaggingSource | None) -> models.SourceShown:
    shown = models.SourceShown(
        name=entry.name,
        word=entry.word,
        columns=columns(entry.schema),
        text=entry_text(entry),
        path=path_option(entry.options),
        **figures,
    )
    if held is not None and held.source == entry.name:
        shown.holds_back, shown.behind = True, held.behind
    return shown


def system(stream: Declared) -> models.SourceShown:
    """A system stream, such as tailrace.batches, which reports on the engine itself."""
    shown = source(stream, {}, None)
    shown.text += ", a row after each batch"
    return shown


def query(desk: EngineWorker, found: Query, rates: Mapping[str, float]) -> models.QueryShown:
    channel, engine = desk.channels.get(found), desk.engine
    is_watched = channel is not None and found.name.lower() not in script_of(engine).program.catalog.watchers
    failure = found.failure
    if failure is not None:
        state = "quarantined"
    elif channel is not None and channel.paused_at is not None:
        state = "paused"
    elif engine.running:
        state = "running"
    else:
        state = "failed" if engine.problem else "waiting"
    figures = {
        "state": state,
        "failure": failure,
        "into": found.definition.format,
        "since": found.since,
        "rows": channel.last if channel else None,
        "rate": rates.get(found.name, 0.0) if is_watched else None,
        "readers": channel.readers if channel else 0,
        "last_id": f"{channel.epoch}-{channel.last_handed_out}" if channel else None,
        "shed": found.shed_rows,
    }
    # Kept, since writing a query's text takes longer than all else here.
    if found not in desk.meanings:
        desk.meanings[found] = meaning(found.definition)
    return models.QueryShown.model_validate({**desk.meanings[found], **figures})


def status(desk: EngineWorker) -> models.Status:
    engine, problem = desk.engine, desk.engine.problem
    progress = engine.progress()
    newest = batches(desk)
    return models.Status(
        version=tailrace.__version__,
        running=engine.running,
        problem=None if problem is None else public_message(problem),
        rows=sum(each["rows"] for each in desk.monitors.now("source_totals")),
        watermark=newest[-1]["watermark"] if newest else None,
        held=held_shown(progress.held if progress else None),
        batches=[models.BatchShown.model_validate(each) for each in newest],
        readers=desk.readers,
        left_out=len(desk.kept.left_out),
    )


def public_message(problem: BaseException) -> str:
    return problem.message if isinstance(problem, TailraceError) else "the run failed; the server's log says why"


def held_shown(held: LaggingSource | None) -> models.HeldShown | None:
    if held is None:
        return None
    return models.HeldShown(
        source=held.source, idle_seconds=held.idle_seconds, next=held.next, behind=held.behind, text=held.describe()
    )


def batches(desk: EngineWorker) -> list[dict[str, Any]]:
    """The newest batches in order, as their monitor has them."""
    rows = sorted(desk.monitors.now("batches"), key=lambda row: int(row["batch"]))
    return [{**row, "number": row["batch"], "at": row["_ts"].timestamp()} for row in rows]


# Settings and completions ---------------------------------------------------------------------------------

MEANINGS = {
    "trigger": "the least time between two batches",
    "batch.time": "what a batch should take",
    "batch.rows": "the most rows of a batch",
    "shedding": "whether rows are dropped, and counted, when batches fall behind",
    "routing": "how rows are routed through the filters of many queries",
    "strategy": "how operators learn that tuples leave their windows",
    "tick": "the length of an instant",
    "origin": "the first instant",
    "late": "the folder for rows that come too late",
    "unreadable": "the folder for rows that cannot be read",
}


CHOICES = {"routing": list(ROUTINGS), "shedding": ["off", "on"], "strategy": list(OWN_STRATEGIES)}


def settings(desk: EngineWorker) -> list[models.SettingShown]:
    now = script_of(desk.engine).program.settings
    values = {
        "trigger": trigger_of(desk.engine),
        "batch.time": interval_text(now.batch_time),
        "batch.rows": "" if now.batch_rows is None else str(now.batch_rows),
        "shedding": "on" if now.shedding else "off",
        "routing": now.routing,
        "strategy": now.strategy,
        "tick": interval_text(now.tick),
        "origin": "" if now.origin is None else str(now.origin.replace(tzinfo=None)),
        "late": now.late or "",
        "unreadable": now.unreadable,
    }
    return [
        models.SettingShown(
            key=key,
            value=value,
            live=key == "trigger" or (key in LIVE and value != "input"),
            meaning=MEANINGS[key],
            choices=CHOICES.get(key, []),
        )
        for key, value in values.items()
    ]


def completions(program: Program) -> models.Completions:
    """Keywords, functions and names that a query may contain."""
    return models.Completions(keywords=KEYWORDS.split(), functions=function_names(), names=readable(program))
