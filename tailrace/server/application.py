"""Application: the REST interface over an EngineWorker, described by OpenAPI, and the files of the page."""

from __future__ import annotations

import json
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any, TypeVar

from fastapi import APIRouter, Depends, FastAPI, Query, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, StreamingResponse
from fastapi.staticfiles import StaticFiles
from starlette.exceptions import HTTPException

import tailrace
from tailrace.engine.completion import is_query
from tailrace.engine.engine import Engine
from tailrace.engine.engine import Query as Registered
from tailrace.engine.internals import script_of
from tailrace.errors import RunError, ScriptError, TailraceError
from tailrace.server import catalog_views as listing
from tailrace.server import models
from tailrace.server.channel import Chunk, Gap
from tailrace.server.engine_worker import BusyError, EngineWorker, UnknownError, send_events
from tailrace.server.kept_statements import KeptStatements
from tailrace.server.plan_view import picture
from tailrace.server.statement_guard import Guard

LOG = logging.getLogger("tailrace")
PAGE = Path(__file__).with_name("page")
T = TypeVar("T")
WRONG: dict[int | str, dict[str, Any]] = {
    400: {"model": models.Wrong, "description": "the text or a value is wrong"},
    404: {"model": models.Wrong, "description": "there is no such thing"},
    409: {"model": models.Wrong, "description": "it cannot be done now"},
    422: {"model": models.Wrong, "description": "the request is not as described"},
}
router = APIRouter(prefix="/api", responses=WRONG)


def the_desk(request: Request) -> EngineWorker:
    desk = request.app.state.desk
    assert isinstance(desk, EngineWorker)
    return desk


AtDesk = Annotated[EngineWorker, Depends(the_desk)]


def application(engine: Engine, guard: Guard, kept: KeptStatements | None = None) -> FastAPI:
    """Make the web application over an engine. Results are kept from now on; its end stops the engine."""
    desk = EngineWorker(engine, guard, kept or KeptStatements())

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        app.state.desk = desk
        desk.begin()
        yield
        desk.close()

    app = FastAPI(
        title="Tailrace",
        version=tailrace.__version__,
        description="Standing queries in CQL: what there is, what a text means, plans, results as pages and events.",
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/openapi.json",
        lifespan=lifespan,
    )
    app.include_router(router)
    app.add_exception_handler(TailraceError, wrong)
    app.add_exception_handler(RequestValidationError, not_as_described)
    app.add_exception_handler(HTTPException, plain)
    app.add_exception_handler(BusyError, busy)
    app.add_exception_handler(Exception, on_unexpected_error)
    app.mount("/", StaticFiles(directory=PAGE, html=True))
    return app


# Status, catalog, settings --------------------------------------------------------------------------------


@router.get("/status")
async def get_status(desk: AtDesk) -> models.Status:
    """How far the run is, and what holds its watermark back."""
    return listing.status(desk)


@router.get("/catalog")
async def get_catalog(
    desk: AtDesk, most: Annotated[int, Query(ge=0, le=100_000, description="queries that are listed")] = 1000
) -> models.CatalogResponse:
    """Streams, relations, views and queries, with their schemas and what is known of each."""
    return await desk.do(lambda: listing.catalog(desk, most))


@router.get("/completions")
async def get_completions(desk: AtDesk) -> models.Completions:
    """Names for completion."""
    return listing.completions(script_of(desk.engine).program)


@router.get("/plan")
async def get_plan(desk: AtDesk) -> dict[str, Any]:
    """The merged plan of all queries, as it runs, with what its operators do."""
    return await desk.do(lambda: picture(desk))


@router.get("/settings")
async def get_settings(desk: AtDesk) -> list[models.SettingShown]:
    return listing.settings(desk)


@router.put("/settings/{key}")
async def put_setting(key: str, asked: models.SettingAsked, desk: AtDesk) -> list[models.SettingShown]:
    """Change a setting that may change while queries run."""
    await desk.do(lambda: desk.set(key, asked.value))
    return listing.settings(desk)


# Statements and plans -------------------------------------------------------------------------------------


@router.post("/check")
async def check(asked: models.CheckAsked, desk: AtDesk) -> models.Checked:
    """What a query or script means, or where it is wrong; nothing is taken."""

    def work() -> models.Checked:
        try:
            return listing.check_response(desk.check(asked.text, asked.name), is_query(asked.text))
        except TailraceError as problem:
            found = listing.problems(problem)
            return models.Checked(ok=False, is_query=is_query(asked.text), problems=found)

    return await desk.do(work)


@router.post("/explain")
async def explain(asked: models.ExplainAsked, desk: AtDesk) -> models.Explained:
    """The plan of a text, before it is registered, or of all queries merged."""
    return explain_response(asked.form, await desk.do(lambda: desk.explain(asked.text, asked.form)))


def explain_response(form: models.Form, text: str) -> models.Explained:
    if form == "json":
        return models.Explained(form=form, plan=json.loads(text))
    return models.Explained(form=form, text=text)


@router.post("/execute")
async def execute(asked: models.ExecuteAsked, desk: AtDesk) -> models.Executed:
    """Take statements of any kind: all of them or, where one is wrong, none."""
    return models.Executed(said=await desk.do(lambda: desk.execute(asked.text)))


@router.get("/kept")
async def get_kept(desk: AtDesk) -> list[models.KeptShown]:
    """The statements that are kept for the next start; `problem` is why this start left one out."""
    return [models.KeptShown(**asdict(each)) for each in desk.kept.statements]


@router.delete("/kept/{name}", status_code=204)
async def forget(name: str, desk: AtDesk) -> Response:
    """Forget the kept statements about this name that were left out."""
    await desk.do(lambda: desk.forget(name))
    return Response(status_code=204)


@router.post("/start")
async def start(desk: AtDesk) -> models.Status:
    """Have a run that failed begin again."""
    await desk.do(desk.start_again)
    return listing.status(desk)


# Queries --------------------------------------------------------------------------------------------------


def query_response(desk: EngineWorker, query: Registered) -> models.QueryShown:
    return listing.query(desk, query, listing.query_rates(desk))


@router.post("/queries", status_code=201)
async def register(asked: models.QueryAsked, desk: AtDesk) -> models.QueryShown:
    """Register a query; it answers from the next batch on."""

    def work() -> models.QueryShown:
        return query_response(desk, desk.register(asked.text, asked.name, asked.into, asked.options))

    return await desk.do(work)


@router.get("/queries/{name}")
async def get_query(name: str, desk: AtDesk) -> models.QueryShown:
    return await desk.do(lambda: query_response(desk, desk.query(name)))


@router.delete("/queries/{name}", status_code=204)
async def drop(name: str, desk: AtDesk) -> Response:
    """Drop a query, with its state; other queries do not notice."""
    await desk.do(lambda: desk.drop(name))
    return Response(status_code=204)


@router.post("/queries/{name}/pause")
async def pause(name: str, desk: AtDesk) -> models.QueryShown:
    """Hand out no more results. The query goes on, and its results are kept as long as there is room."""
    desk.channel(name).pause()
    return await get_query(name, desk)


@router.post("/queries/{name}/resume")
async def resume(name: str, desk: AtDesk) -> models.QueryShown:
    """Hand out results again, those that came meanwhile first; a quarantined query is started anew."""
    await desk.do(lambda: desk.resume(name))
    return await get_query(name, desk)


@router.get("/queries/{name}/explain")
async def explain_query(name: str, desk: AtDesk, form: models.Form = "text") -> models.Explained:
    return explain_response(form, await desk.do(lambda: desk.explain_query(name, form)))


@router.get("/queries/{name}/results")
async def results(
    name: str,
    desk: AtDesk,
    after: Annotated[str | None, Query(max_length=60, description="the id of the last row that is known")] = None,
    limit: Annotated[int, Query(ge=1, le=10_000)] = 100,
) -> models.Page:
    """A page of results; `last_id` is where the next one begins."""
    channel, query = desk.channel(name), desk.query(name)
    number = channel.number_of(after)
    found = list(channel.since(number, limit))
    chunks = [each for each in found if isinstance(each, Chunk)]
    rows = [json.loads(row) for chunk in chunks for row in chunk.rows]
    gap = sum(each.last - each.first + 1 for each in found if isinstance(each, Gap))
    last = found[-1].last if found else number
    return models.Page(
        columns=result_columns(query.definition.schema, str(query.definition.kind)),
        first=chunks[0].first if chunks else last + 1,
        rows=rows,
        gap=gap,
        last_id=f"{channel.epoch}-{last}",
        more=last < channel.last_handed_out,
        shed=query.shed_rows,
    )


def result_columns(schema: Any, kind: str) -> list[models.Column]:
    """The columns of a query's results: `_ts`, for a relation `_op`, then the select list."""
    added = [models.Column(name="_ts", type="")]
    added += [models.Column(name="_op", type="STRING")] if kind == "relation" else []
    return [*added, *listing.columns(schema)]


@router.get(
    "/queries/{name}/events",
    response_class=StreamingResponse,
    responses={200: {"content": {"text/event-stream": {}}, "description": "events: columns, rows, gap, end"}},
)
async def stream(name: str, request: Request, desk: AtDesk) -> StreamingResponse:
    """Results as server-sent events; with Last-Event-ID, those after it. A `gap` is for rows no longer kept."""
    desk.refuse_many()
    channel, query = desk.channel(name), desk.query(name)
    head = {
        "columns": [each.model_dump() for each in result_columns(query.definition.schema, str(query.definition.kind))],
        "kind": str(query.definition.kind),
    }
    told = request.headers.get("last-event-id") or request.query_params.get("after")
    body = send_events(desk, channel, channel.number_of(told), json.dumps(head, ensure_ascii=False))
    return StreamingResponse(body, media_type="text/event-stream", headers={"x-accel-buffering": "no"})


# Errors ---------------------------------------------------------------------------------------------------


def error_response(
    status: int, message: str, hint: str | None = None, found: list[models.Problem] | None = None
) -> Response:
    wrong = models.Wrong(message=message, hint=hint, problems=found or [])
    return JSONResponse(wrong.model_dump(), status)


async def wrong(request: Request, problem: Exception) -> Response:
    assert isinstance(problem, TailraceError)
    if isinstance(problem, ScriptError):
        found = listing.problems(problem)
        return error_response(400, found[0].message if found else "the text is wrong", None, found)
    if isinstance(problem, UnknownError):
        return error_response(404, problem.message, problem.hint)
    return error_response(409 if isinstance(problem, RunError) else 400, problem.message, problem.hint)


async def not_as_described(request: Request, problem: Exception) -> Response:
    """Answer a request that does not fit its model. What was sent is not repeated: it may be anything."""
    assert isinstance(problem, RequestValidationError)
    places = [".".join(map(str, each["loc"])) for each in problem.errors()]
    found = [
        models.Problem(message=printable(f"{place}: {each['msg']}"))
        for place, each in zip(places, problem.errors(), strict=True)
    ]
    return error_response(422, found[0].message if found else "the request is not as described", None, found)


def printable(text: str) -> str:
    return text.encode("utf-8", "backslashreplace").decode()


async def plain(request: Request, problem: Exception) -> Response:
    assert isinstance(problem, HTTPException)
    answer = error_response(problem.status_code, str(problem.detail))
    for name, value in (problem.headers or {}).items():
        answer.headers[name] = value
    return answer


async def busy(request: Request, problem: Exception) -> Response:
    return error_response(503, str(problem))


async def on_unexpected_error(request: Request, problem: Exception) -> Response:
    """Answer with status 500. The answer shows nothing of the error; the server's log has all of it."""
    LOG.error("%s %s failed", request.method, request.url.path, exc_info=problem)
    return error_response(500, "something went wrong on the server; its log says what")
