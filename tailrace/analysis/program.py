"""Program: a script's statements in order to a catalog of sources, views and standing queries."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from sqlglot import exp

from tailrace.analysis.queries import Known, Note, QueryAnalysis, has_untyped, output_names, view_columns
from tailrace.analysis.sources import declared, format_options
from tailrace.catalog.catalog import Broken, Catalog
from tailrace.catalog.sources import Declared, Options, Relation, Stream
from tailrace.catalog.user_functions import NO_FUNCTIONS, UserFunctions
from tailrace.errors import (
    AnalysisError,
    CatalogError,
    Place,
    ScriptError,
    Several,
    Source,
    TailraceError,
    did_you_mean,
)
from tailrace.language import nodes as ast
from tailrace.language.nodes import place_of
from tailrace.language.script import Script, parse_script, to_text
from tailrace.logical import nodes
from tailrace.logical.plan import Kind, Plan, walk
from tailrace.schema import Schema
from tailrace.settings import DEFAULTS, Settings
from tailrace.types import is_integer


@dataclass(frozen=True)
class Derived:
    """A view or a standing query: its plan, what its author is told, and its text with every default written out."""

    name: str
    plan: Plan
    names: tuple[str, ...]
    notes: tuple[Note, ...]
    query: ast.Query
    place: Place | None
    word: str = field(default="view", init=False)

    def expanded(self, pretty: bool = False) -> str:
        """The query's text with every default written out."""
        return to_text(self.query, pretty)

    @property
    def kind(self) -> Kind:
        return self.plan.kind

    @property
    def schema(self) -> Schema:
        return self.plan.schema.renamed(self.names)


@dataclass(frozen=True)
class View(Derived):
    """CREATE VIEW: a derived stream or relation that queries can read."""


@dataclass(frozen=True)
class Query(Derived):
    """CREATE QUERY: a standing query and where its results go."""

    format: str | None = None
    options: Options = ()
    word: str = field(default="query", init=False)

    @property
    def is_snapshot(self) -> bool:
        """Whether its sink holds the current relation instead of the changelog."""
        return any(key.lower() == "mode" and value.lower() == "snapshot" for key, value in self.options)

    @property
    def strategy(self) -> str | None:
        """Its own strategy, if it does not go by the setting."""
        return next((value.lower() for key, value in self.options if key.lower() == "strategy"), None)


@dataclass(frozen=True)
class Listing:
    """SHOW: what was there at that point of the script."""

    word: str
    entries: tuple[Declared | Derived, ...]


@dataclass(frozen=True)
class Explanation:
    """EXPLAIN: the plans asked for, by name."""

    plans: dict[str, Plan]


Outcome = Query | View | Listing | Explanation


@dataclass(frozen=True)
class Program:
    """A script that means something. `outcomes` are what its statements say to a reader, in order."""

    source: Source
    catalog: Catalog
    settings: Settings
    outcomes: tuple[Outcome, ...]

    @property
    def queries(self) -> dict[str, Query]:
        """The standing queries at the end of the script, by name."""
        return {entry.name: entry for entry in self.catalog.entries.values() if isinstance(entry, Query)}


def analyse(
    source: Source,
    folder: str | Path | None = None,
    functions: UserFunctions = NO_FUNCTIONS,
    settings: Settings = DEFAULTS,
) -> Program:
    """The program of a script that may call these functions; a ScriptError with all its problems when it has any.

    >>> text = "CREATE STREAM S (k INT) TIMESTAMP BY ts; CREATE QUERY q AS SELECT k FROM S WHERE k > 1;"
    >>> print(analyse(Source(text)).queries["q"].expanded())
    SELECT ISTREAM(k) FROM S [RANGE UNBOUNDED] WHERE k > 1
    """
    return go_on(parse_script(source), folder, Catalog(functions=functions), settings)


def go_on(script: Script, folder: str | Path | None, catalog: Catalog, settings: Settings) -> Program:
    """The program of a script that comes after others, whose catalog and settings stay as they are."""
    work = Statements(script, str(folder) if folder is not None else None, catalog.copy(), settings)
    for name in script.unread:
        if work.catalog.find(name) is None:
            work.catalog.add(Broken(name, "view"))
    for statement in script.statements:
        work.take(statement)
    problems = sorted([*script.problems, *work.problems], key=lambda p: p.place.start if p.place else -1)
    if problems:
        raise ScriptError(problems, script.source)
    return Program(script.source, work.catalog, work.settings, tuple(work.outcomes))


@dataclass
class Statements:
    """Takes statements one by one; a wrong one is noted and the next is taken."""

    script: Script
    folder: str | None
    catalog: Catalog = field(default_factory=Catalog)
    settings: Settings = field(default_factory=Settings)
    outcomes: list[Outcome] = field(default_factory=list)
    problems: list[TailraceError] = field(default_factory=list)
    reading: set[str] = field(default_factory=set)
    circled: set[str] = field(default_factory=set)

    def take(self, statement: ast.Statement) -> None:
        try:
            self.run(statement)
        except RecursionError:
            self.problems.append(AnalysisError("this is nested too deeply", place_of(statement)))
            self.broken(statement)
        except TailraceError as problem:
            self.problems += told(problem)
            self.broken(statement)

    def broken(self, statement: ast.Statement) -> None:
        """Keep the name of a wrong CREATE, so that what reads it is not reported as well."""
        if isinstance(statement, (ast.CreateSource, ast.CreateView, ast.CreateQuery)):
            name = statement.this.name
            if self.catalog.find(name) is None:
                self.catalog.add(Broken(name, "view"))

    def run(self, statement: ast.Statement) -> None:
        match statement:
            case ast.CreateSource():
                self.catalog.add(declared(statement, self.settings, self.folder), place_of(statement.this))
            case ast.CreateView():
                self.create_view(statement)
            case ast.CreateQuery():
                self.create_query(statement)
            case ast.Drop():
                self.catalog.drop(statement.this.name, statement.args["kind"].lower(), place_of(statement.this))
            case ast.Show():
                self.show(statement)
            case ast.Explain():
                self.explain(statement)
            case ast.Set():
                self.set(statement)

    # CREATE -------------------------------------------------------------------------------------------

    def create_view(self, statement: ast.CreateView) -> None:
        plan, names, notes, expanded = self.derive(statement.args["query"])
        names = view_columns(names, statement.args.get("columns"))
        refuse_added_names(names, statement.args["query"])
        view = View(statement.this.name, plan, names, notes, expanded, place_of(statement))
        self.catalog.add(view, place_of(statement.this), frozenset(self.reading))
        self.outcomes.append(view)

    def create_query(self, statement: ast.CreateQuery) -> None:
        problems: list[TailraceError] = []
        options = format_options(statement, "sink", problems)
        format = statement.args["format"].name if statement.args.get("format") else None
        try:
            plan, names, notes, expanded = self.derive(statement.args["query"], is_output=True)
        except TailraceError as problem:
            raise Several([*problems, problem]) from None
        if problems:
            raise Several(problems)
        query = Query(statement.this.name, plan, names, notes, expanded, place_of(statement), format, options)
        self.catalog.add(query, place_of(statement.this), frozenset(self.reading))
        self.outcomes.append(query)

    def derive(
        self, query: ast.Query, is_output: bool = False
    ) -> tuple[Plan, tuple[str, ...], tuple[Note, ...], ast.Query]:
        """A query's plan, column names, notes and expanded tree."""
        self.reading = set()
        analysis = QueryAnalysis(self.lookup, self.settings, self.catalog.functions)
        found, expanded = analysis.outermost(query.copy())
        untyped = has_untyped(found) if is_output else None
        if untyped:
            raise AnalysisError(
                f"the column {untyped} is NULL and has no type",
                place_of(query),
                "give it one: CAST(NULL AS INT)",
            )
        refuse_added_names(found.names, query)
        refuse_two_times(found.plan, query)
        names = output_names(found) if is_output else found.names
        return found.plan, names, tuple(analysis.notes), expanded

    # Names --------------------------------------------------------------------------------------------

    def lookup(self, name: exp.Identifier) -> Known:
        """What a name in FROM means at this point of the script."""
        entry = self.catalog.find(name.name)
        if isinstance(entry, Broken):
            raise Skip("a statement above is wrong")
        if entry is None:
            raise self.unknown(name)
        self.reading.add(entry.name.lower())
        if isinstance(entry, (Stream, Relation)):
            return Known(nodes.Scan(entry), entry.schema.names, entry.timestamp)
        if isinstance(entry, View):
            return Known(entry.plan, entry.names)
        raise AnalysisError(
            f"{entry.name} is a query, and only streams, relations and views can be read",
            place_of(name),
            f"CREATE VIEW {entry.name} AS … gives it a name that others can read",
        )

    def unknown(self, name: exp.Identifier) -> TailraceError:
        """A name that is not there: later in the script, part of a circle, or mistyped."""
        place = place_of(name)
        later = self.later()
        circle = circle_through(name.name.lower(), later)
        start = place.start if place else 0
        definition = later.get(name.name.lower())
        if name.name.lower() in self.circled:
            return Skip("the circle it is in was told")
        if definition is not None and circle:
            self.circled |= {step.lower() for step in circle}
            path = " reads ".join([*circle, circle[0]])
            return CatalogError(f"views that read each other in a circle: {path}", place)
        if definition is not None and (at := place_of(definition)) and at.start > start:
            line, _ = self.script.source.position(at.start)
            return CatalogError(f"{name.name} is created only in line {line}", place, "create it before it is read")
        known = [entry.name for entry in self.catalog.entries.values() if entry.word != "query"]
        return CatalogError(f"no stream, relation or view {name.name}", place, did_you_mean(name.name, known))

    def later(self) -> dict[str, ast.Statement]:
        """All CREATEs of the script, by name."""
        creates = (ast.CreateSource, ast.CreateView)
        return {s.this.name.lower(): s for s in self.script.statements if isinstance(s, creates)}

    # The others ---------------------------------------------------------------------------------------

    def show(self, statement: ast.Show) -> None:
        word = statement.args["kind"].lower()
        entries = tuple(e for e in self.catalog.of(word) if isinstance(e, (Declared, Derived)))
        self.outcomes.append(Listing(word, entries))

    def explain(self, statement: ast.Explain) -> None:
        target = statement.this if statement.args.get("this") else None
        if target is None:
            plans = {e.name: e.plan for e in self.catalog.entries.values() if isinstance(e, Query)}
        elif isinstance(target, exp.Identifier):
            entry = self.catalog.find(target.name)
            if isinstance(entry, Broken):
                raise Skip("a statement above is wrong")
            if not isinstance(entry, Derived):
                known = [e.name for e in self.catalog.entries.values() if isinstance(e, Derived)]
                raise CatalogError(
                    f"no query or view {target.name} to explain",
                    place_of(target),
                    did_you_mean(target.name, known),
                )
            plans = {entry.name: entry.plan}
        else:
            plans = {"query": self.derive(target)[0]}
        self.outcomes.append(Explanation(plans))

    def set(self, statement: ast.Set) -> None:
        changed = self.settings.change(statement.this, statement.args["value"], place_of(statement))
        derived = any(
            isinstance(entry, Derived) or (isinstance(entry, Declared) and (entry.delay or entry.idle))
            for entry in self.catalog.entries.values()
        )
        if derived and (changed.tick, changed.origin) != (self.settings.tick, self.settings.origin):
            raise AnalysisError(
                f"SET {statement.this} after a view or query: one script has one time",
                place_of(statement),
                "put it before the first CREATE",
            )
        self.settings = changed


ADDED = ("_ts", "_op")


class Skip(TailraceError):
    """A statement that reads something broken: nothing more to report."""


def refuse_added_names(names: Sequence[str], query: exp.Expr) -> None:
    """A result's own columns would hide behind those that a sink adds."""
    for name in names:
        if name.lower() in ADDED:
            raise AnalysisError(f"results add the column {name} themselves", place_of(query), "give it another name")


def refuse_two_times(plan: Plan, query: exp.Expr) -> None:
    """Instants counted in ticks and instants told by TIMESTAMPs do not meet."""
    ticks: dict[bool, str] = {}
    for node in walk(plan):
        if isinstance(node, nodes.Scan) and node.source.timestamp:
            listed = node.source.schema.find(node.source.timestamp)
            if listed:
                ticks[is_integer(node.source.schema[listed[0]].type)] = node.source.name
    if len(ticks) == 2:
        raise AnalysisError(
            f"{ticks[True]} counts ticks and {ticks[False]} has TIMESTAMPs: one query has one time", place_of(query)
        )


def told(problem: TailraceError) -> list[TailraceError]:
    """What of a problem is worth telling: each part of several, and nothing that another statement caused."""
    if isinstance(problem, Several):
        return [part for each in problem.problems for part in told(each)]
    return [] if isinstance(problem, Skip) else [problem]


def circle_through(name: str, creates: dict[str, ast.Statement]) -> list[str] | None:
    """The views from `name` back to `name` through what they read, or None."""
    paths = [[name]]
    seen = {name}
    while paths:
        path = paths.pop()
        for read in sorted(names_read(creates.get(path[-1]))):
            if read == name:
                return [creates[step].this.name for step in path]
            if read in creates and read not in seen:
                seen.add(read)
                paths.append([*path, read])
    return None


def names_read(statement: ast.Statement | None) -> set[str]:
    if not isinstance(statement, ast.CreateView):
        return set()
    items = statement.args["query"].find_all(ast.Item)
    return {item.this.name.lower() for item in items if isinstance(item.this, exp.Identifier)}
