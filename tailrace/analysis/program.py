"""Program: analyses a script's statements in order into a catalog of sources, views and standing queries."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, cast

from sqlglot import exp

from tailrace.analysis.checks import (
    AlreadyReported,
    circle_through,
    refuse_added_names,
    refuse_mixed,
    refuse_two_times,
    reportable_problems,
)
from tailrace.analysis.queries import NamedInput, QueryAnalysis, has_untyped, output_names, view_columns
from tailrace.analysis.query_templates import QueryTemplate, analyse_template, bind_plan
from tailrace.analysis.sources import analyse_source, format_options
from tailrace.catalog.catalog import Catalog, Entry, FailedEntry
from tailrace.catalog.sources import Declared, Options, Relation, Stream
from tailrace.catalog.system_streams import SYSTEM_STREAMS
from tailrace.errors import (
    AnalysisError,
    CatalogError,
    ErrorGroup,
    ScriptError,
    Source,
    TailraceError,
    TextSpan,
    did_you_mean,
)
from tailrace.language import nodes as ast
from tailrace.language.nodes import place_of
from tailrace.language.script import Script, TemplateMatch, create_query_node
from tailrace.logical import nodes
from tailrace.logical.expressions import Constants
from tailrace.logical.plan import Kind, Plan
from tailrace.logical.queries import Definition, Note, QueryDefinition, View
from tailrace.schema import Schema
from tailrace.settings import DEFAULTS, Settings


class TemplatedQuery(QueryDefinition):
    """A query of a known template. It is parsed and analysed by itself only if its notes or its text are asked for."""

    def __init__(self, match: TemplateMatch, options: Options, template: QueryTemplate) -> None:
        self.__dict__.update(
            name=match.name,
            names=template.names,
            format=match.format,
            options=options,
            word="query",
            match=match,
            template=template,
        )

    match: TemplateMatch
    template: QueryTemplate

    @property
    def constants(self) -> Constants:
        return self.template.constants_of(self.match)

    @cached_property
    def plan(self) -> Plan:
        return bind_plan(self.template.plan, self.constants)

    @cached_property
    def whole(self) -> QueryDefinition:
        """The same query, read and analysed by itself."""
        catalog = Catalog(dict(self.template.reads), functions=self.template.functions)
        statements = Statements(Script(Source(""), (), ()), None, catalog, self.template.settings)
        statements.run(self.match.read())
        (query,) = statements.outcomes
        assert isinstance(query, QueryDefinition)
        return query

    @property
    def kind(self) -> Kind:
        return self.template.plan.kind

    @property
    def schema(self) -> Schema:
        return self.template.plan.schema.with_names(self.names)

    def __getattr__(self, part: str) -> Any:
        if part in ("notes", "query", "place"):
            return getattr(self.whole, part)
        raise AttributeError(part)


@dataclass(frozen=True)
class Listing:
    """The result of SHOW: the entries of one kind at this point of the script."""

    word: str
    entries: tuple[Declared | Definition, ...]


@dataclass(frozen=True)
class Explanation:
    """The result of EXPLAIN: the plans to explain, by name."""

    plans: dict[str, Plan]


Outcome = QueryDefinition | View | Listing | Explanation


@dataclass(frozen=True)
class Program:
    """An analysed script without problems. `outcomes` are the definitions and answers of its statements, in order."""

    source: Source
    catalog: Catalog
    settings: Settings
    outcomes: tuple[Outcome, ...]
    touched: tuple[str, ...] = ()  # the names of queries that the script creates or drops
    resumed: frozenset[str] = frozenset()  # queries to begin anew, if they are quarantined, until a run has done so

    @property
    def queries(self) -> Mapping[str, QueryDefinition]:
        """The standing queries at the end of the script, by name."""
        return cast(dict[str, QueryDefinition], self.catalog.queries)


def analyse(
    script: Script, folder: str | Path | None = None, before: Catalog | None = None, settings: Settings = DEFAULTS
) -> Program:
    """Analyse a script, which may continue others; raises a ScriptError with all its problems if there are any.

    `before` and `settings` are what the others left; that catalog is not changed.

    >>> from tailrace.language.script import parse_script
    >>> text = "CREATE STREAM S (k INT) TIMESTAMP BY ts; CREATE QUERY q AS SELECT k FROM S WHERE k > 1;"
    >>> print(analyse(parse_script(Source(text))).queries["q"].expanded_text())
    SELECT ISTREAM(k) FROM S [RANGE UNBOUNDED] WHERE k > 1
    """
    catalog = Catalog() if before is None else before.copy()
    statements = Statements(script, str(folder) if folder is not None else None, catalog, settings)
    for name in script.unread:
        if statements.catalog.find(name) is None:
            statements.catalog.add(FailedEntry(name, "view"))
    for statement in script.statements:
        statements.take(statement)
    problems = sorted([*script.problems, *statements.problems], key=lambda p: p.place.start if p.place else -1)
    if problems:
        raise ScriptError(problems, script.source)
    outcomes, touched = tuple(statements.outcomes), tuple(statements.touched)
    resumed = frozenset(statements.resumed)
    return Program(script.source, statements.catalog, statements.settings, outcomes, touched, resumed)


@dataclass
class Statements:
    """Analyses statements one by one; the problems of a wrong one are collected and the next is analysed."""

    script: Script
    folder: str | None
    catalog: Catalog = field(default_factory=Catalog)
    settings: Settings = field(default_factory=Settings)
    outcomes: list[Outcome] = field(default_factory=list)
    problems: list[TailraceError] = field(default_factory=list)
    reading: set[str] = field(default_factory=set)
    circled: set[str] = field(default_factory=set)
    touched: dict[str, None] = field(default_factory=dict)  # names, in order
    resumed: set[str] = field(default_factory=set)

    def take(self, statement: ast.Statement | TemplateMatch) -> None:
        if isinstance(statement, TemplateMatch):
            if self.register(statement):
                return
            statement = statement.read()
        try:
            self.run(statement)
        except RecursionError:
            self.problems.append(AnalysisError("this is nested too deeply", place_of(statement)))
            self.broken(statement)
        except TailraceError as problem:
            self.problems += reportable_problems(problem)
            self.broken(statement)

    def broken(self, statement: ast.Statement) -> None:
        """Add the name of a wrong CREATE to the catalog, so that statements which read it are not reported as well."""
        if isinstance(statement, (ast.CreateSource, ast.CreateView, ast.CreateQuery)):
            name = statement.this.name
            if self.catalog.find(name) is None:
                self.catalog.add(FailedEntry(name, "view"))

    def run(self, statement: ast.Statement) -> None:
        match statement:
            case ast.CreateSource():
                self.catalog.add(analyse_source(statement, self.settings, self.folder), place_of(statement.this))
            case ast.CreateView():
                self.create_view(statement)
            case ast.CreateQuery():
                self.create_query(statement)
            case ast.Drop():
                entry = self.catalog.drop(statement.this.name, statement.args["kind"].lower(), place_of(statement.this))
                self.touched.update({entry.name: None} if isinstance(entry, QueryDefinition) else {})
            case ast.Resume():
                self.resumed.add(self.query(statement.this).name)
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
            raise ErrorGroup([*problems, problem]) from None
        if problems:
            raise ErrorGroup(problems)
        query = QueryDefinition(statement.this.name, plan, names, notes, expanded, place_of(statement), format, options)
        self.add(query, place_of(statement.this), self.reading)

    def register(self, match: TemplateMatch) -> bool:
        """Register a query by its template, without parsing it; False if the query must be parsed."""
        problems: list[TailraceError] = []
        options = format_options(create_query_node(match.name, match.format, match.options), "sink", problems)
        template = self.template_of(match)
        if template is None or problems or self.catalog.find(match.name) is not None:
            return False
        self.add(TemplatedQuery(match, options, template), None, template.reads)
        return True

    def add(self, query: QueryDefinition, place: TextSpan | None, reads: Iterable[str]) -> None:
        self.catalog.add(query, place, frozenset(reads))
        self.touched[query.name] = None
        self.outcomes.append(query)

    def template_of(self, match: TemplateMatch) -> QueryTemplate | None:
        """The template of a query, if it has one; problems are not reported here, but when the query is parsed."""
        key, templates = match.key, self.catalog.templates
        template = templates.get(key)
        if template is False or (isinstance(template, QueryTemplate) and template.holds(self.catalog, self.settings)):
            return template or None

        def derive(query: ast.QueryNode) -> tuple[Plan, tuple[str, ...], dict[str, Entry]]:
            plan, names, _, _ = self.derive(query, is_output=True)
            return plan, names, {name: entry for name in self.reading if (entry := self.catalog.find(name))}

        template = None
        with suppress(TailraceError, RecursionError):
            template = analyse_template(match, derive, self.catalog.functions, self.settings)
            templates[key] = template or False
        return template

    def derive(
        self, query: ast.QueryNode, is_output: bool = False
    ) -> tuple[Plan, tuple[str, ...], tuple[Note, ...], ast.QueryNode]:
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
        refuse_mixed(found.plan, query)
        names = output_names(found) if is_output else found.names
        return found.plan, names, tuple(analysis.notes), expanded

    # Names --------------------------------------------------------------------------------------------

    def lookup(self, name: exp.Identifier) -> NamedInput:
        """The plan that a name in FROM stands for at this point of the script."""
        entry = self.catalog.find(name.name)
        if isinstance(entry, FailedEntry):
            raise AlreadyReported("a statement above is wrong")
        if entry is None:
            raise self.unknown(name)
        self.reading.add(entry.name.lower())
        if isinstance(entry, (Stream, Relation)):
            return NamedInput(nodes.Scan(entry), entry.schema.names, entry.timestamp)
        if isinstance(entry, View):
            return NamedInput(entry.plan, entry.names)
        raise AnalysisError(
            f"{entry.name} is a query, and only streams, relations and views can be read",
            place_of(name),
            f"CREATE VIEW {entry.name} AS … gives it a name that others can read",
        )

    def unknown(self, name: exp.Identifier) -> TailraceError:
        """The error for an unknown name: it is created later, is part of a circle of views, or is mistyped."""
        place = place_of(name)
        later = self.later()
        circle = circle_through(name.name.lower(), later)
        start = place.start if place else 0
        definition = later.get(name.name.lower())
        if name.name.lower() in self.circled:
            return AlreadyReported("the circle it is in was told")
        if definition is not None and circle:
            self.circled |= {step.lower() for step in circle}
            path = " reads ".join([*circle, circle[0]])
            return CatalogError(f"views read each other in a circle: {path}", place)
        if definition is not None and (at := place_of(definition)) and at.start > start:
            line, _ = self.script.source.position(at.start)
            return CatalogError(f"{name.name} is created only in line {line}", place, "create it before it is read")
        known = [*(e.name for e in self.catalog.entries.values() if e.word != "query"), *SYSTEM_STREAMS]
        return CatalogError(f"no stream, relation or view {name.name}", place, did_you_mean(name.name, known))

    def later(self) -> dict[str, ast.Statement]:
        """All CREATE STREAM, RELATION and VIEW statements of the script, by lower-case name."""
        creates = (ast.CreateSource, ast.CreateView)
        return {s.this.name.lower(): s for s in self.script.statements if isinstance(s, creates)}

    def query(self, name: exp.Identifier) -> QueryDefinition:
        """The query of a name; a CatalogError if there is none."""
        entry = self.catalog.find(name.name)
        if isinstance(entry, FailedEntry):
            raise AlreadyReported("a statement above is wrong")
        if not isinstance(entry, QueryDefinition):
            raise CatalogError(
                f"no query {name.name} to resume", place_of(name), did_you_mean(name.name, self.catalog.queries)
            )
        return entry

    def show(self, statement: ast.Show) -> None:
        word = statement.args["kind"].lower()
        entries = tuple(e for e in self.catalog.of(word) if isinstance(e, (Declared, Definition)))
        self.outcomes.append(Listing(word, entries))

    def explain(self, statement: ast.Explain) -> None:
        target = statement.this if statement.args.get("this") else None
        if target is None:
            plans = {e.name: e.plan for e in self.catalog.entries.values() if isinstance(e, QueryDefinition)}
        elif isinstance(target, exp.Identifier):
            entry = self.catalog.find(target.name)
            if isinstance(entry, FailedEntry):
                raise AlreadyReported("a statement above is wrong")
            if not isinstance(entry, Definition):
                known = [e.name for e in self.catalog.entries.values() if isinstance(e, Definition)]
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
            isinstance(entry, Definition) or (isinstance(entry, Declared) and (entry.delay or entry.idle))
            for entry in self.catalog.entries.values()
        )
        if derived and (changed.tick, changed.origin) != (self.settings.tick, self.settings.origin):
            raise AnalysisError(
                f"SET {statement.this} must come before all views and queries",
                place_of(statement),
                "put it before the first CREATE",
            )
        self.settings = changed
