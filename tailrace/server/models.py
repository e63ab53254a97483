"""Models: the requests and answers of the REST interface, from which its OpenAPI description is made."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

Text = Annotated[str, Field(max_length=200_000, description="CQL")]
Name = Annotated[str, Field(min_length=1, max_length=200)]
Form = Literal["text", "mermaid", "json"]


class Asked(BaseModel):
    """A request. Fields that its model does not name are refused."""

    model_config = ConfigDict(extra="forbid")


class CheckAsked(Asked):
    text: Text
    name: Name | None = None


class ExplainAsked(Asked):
    text: Text | None = Field(default=None, description="a query or script; without one, all standing queries together")
    form: Form = "text"


class ExecuteAsked(Asked):
    text: Text


class QueryAsked(Asked):
    text: Text
    name: Name | None = Field(default=None, description="without one it gets one")
    into: Name | None = Field(default=None, description="a format; without one, results are read here")
    options: dict[str, str] = Field(default_factory=dict, max_length=50)


class SettingAsked(Asked):
    value: str = Field(max_length=200)


# Answers --------------------------------------------------------------------------------------------------


class Problem(BaseModel):
    """What is wrong with a text, and where: lines and columns count from one, `start` and `end` are offsets."""

    message: str
    hint: str | None = None
    line: int | None = None
    column: int | None = None
    start: int | None = None
    end: int | None = None


class Wrong(BaseModel):
    """Why a request was refused."""

    message: str
    hint: str | None = None
    problems: list[Problem] = []


class Column(BaseModel):
    name: str
    type: str


class Meaning(BaseModel):
    """What a view or query is: stream or relation, its columns, the defaults it got, and its text with them."""

    name: str
    word: Literal["view", "query"]
    kind: str
    columns: list[Column]
    defaults: list[str]
    notes: list[str]
    expanded: str


class Checked(BaseModel):
    """What a text means, or all that is wrong with it."""

    ok: bool
    is_query: bool = Field(description="it is one query, not a script of statements")
    meanings: list[Meaning] = []
    said: list[str] = []
    problems: list[Problem] = []


class Explained(BaseModel):
    form: Form
    text: str | None = None
    plan: dict[str, Any] | None = None


class Executed(BaseModel):
    said: str | None


class KeptShown(BaseModel):
    """A statement that is kept for the next start."""

    action: Literal["create", "drop", "set"]
    name: str
    text: str
    problem: str | None = Field(description="why this start left it out")


class SourceShown(BaseModel):
    """A stream or relation; figures are there while somebody reads it."""

    name: str
    word: Literal["stream", "relation"]
    columns: list[Column]
    text: str
    path: str | None
    rows: int | None = Field(default=None, description="since the run began, as are those late and shed")
    rate: float | None = Field(default=None, description="rows a second in the last ten seconds")
    late: int | None = None
    shed: int | None = Field(default=None, description="rows dropped because batches fell behind")
    newest: str | None = None
    idle_seconds: float | None = Field(default=None, description="seconds since something came")
    holds_back: bool = False
    behind: str | None = None


class ViewShown(Meaning):
    pass


class QueryShown(Meaning):
    """A standing query; `rows` are the results so far, `last_id` is where reading can go on.

    There is no rate of those that go into a sink, nor of those that watch the system.
    """

    state: Literal["running", "paused", "waiting", "failed", "quarantined"]
    failure: str | None = Field(default=None, description="why it is quarantined: taken out of the run")
    into: str | None
    since: str | None
    rows: int | None
    rate: float | None
    readers: int
    last_id: str | None
    shed: dict[str, int] = Field(default={}, description="rows that its sources lost because batches fell behind")


class CatalogResponse(BaseModel):
    streams: list[SourceShown]
    relations: list[SourceShown]
    system: list[SourceShown] = Field(description="streams that tell of the system itself")
    monitors: list[Meaning] = Field(description="the queries over them that tell the figures here")
    views: list[ViewShown]
    queries: list[QueryShown]
    more: int = Field(description="queries that are not listed here")


class HeldShown(BaseModel):
    source: str
    idle_seconds: float
    next: str
    behind: str | None
    text: str


class BatchShown(BaseModel):
    number: int
    at: float
    seconds: float
    rows: int


class Status(BaseModel):
    version: str
    running: bool
    problem: str | None
    rows: int
    watermark: str | None
    held: HeldShown | None
    batches: list[BatchShown]
    readers: int
    left_out: int = Field(description="kept statements that this start left out: see /api/kept")


class Page(BaseModel):
    """Results after a row, with their numbers; `gap` is how many came before them and are no longer kept."""

    columns: list[Column]
    first: int
    rows: list[list[Any]]
    gap: int
    last_id: str
    more: bool
    shed: dict[str, int] = Field(default={}, description="rows that the query's sources lost, so far")


class SettingShown(BaseModel):
    key: str
    value: str
    live: bool = Field(description="may change while queries run")
    meaning: str
    choices: list[str] = []


class Completions(BaseModel):
    """Names for completion."""

    keywords: list[str]
    functions: list[str]
    names: dict[str, list[str]] = Field(description="streams, relations and views with their columns")
