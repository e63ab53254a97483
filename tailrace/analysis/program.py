"""Program: analyses a script's statements in order into a catalog of sources, views and standing queries."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, cast

from tailrace.analysis.checks import (
    reportable_problems,
)
from tailrace.analysis.query_templates import QueryTemplate, analyse_template, bind_plan
from tailrace.analysis.sources import format_options
from tailrace.analysis.statements import replies
from tailrace.analysis.statements.definitions import Definitions, Outcome
from tailrace.catalog.catalog import Catalog, Entry, FailedEntry
from tailrace.catalog.sources import Declared, Options
from tailrace.errors import (
    AnalysisError,
    ScriptError,
    Source,
    TailraceError,
)
from tailrace.language import nodes as ast
from tailrace.language.nodes import place_of
from tailrace.language.script import Script, TemplateMatch, create_query_node
from tailrace.logical.expressions import Constants
from tailrace.logical.plan import Kind, Plan
from tailrace.logical.queries import Definition, QueryDefinition
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
    problems = [*script.problems, *statements.problems, *statements.stale.values()]
    problems.sort(key=lambda p: p.place.start if p.place else -1)
    if problems:
        raise ScriptError(problems, script.source)
    outcomes, touched = tuple(statements.outcomes), tuple(statements.touched)
    resumed = frozenset(statements.resumed)
    return Program(script.source, statements.catalog, statements.settings, outcomes, touched, resumed)


@dataclass
class Statements(Definitions):
    """Analyses statements one by one; the problems of a wrong one are collected and the next is analysed."""

    problems: list[TailraceError] = field(default_factory=list)
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
        if isinstance(statement, (ast.CreateSource, ast.CreateView, ast.CreateQuery, ast.CreateTable)):
            name = statement.this.name
            if self.catalog.find(name) is None:
                self.catalog.add(FailedEntry(name, "view"))

    def run(self, statement: ast.Statement) -> None:
        match statement:
            case ast.CreateSource() | ast.CreateView() | ast.CreateQuery() | ast.CreateTable():
                self.create(statement)
            case ast.AlterQuery():
                self.alter(statement)
            case ast.Insert():
                self.insert(statement)
            case ast.Drop():
                self.drop(statement)
            case ast.Resume():
                self.resumed.add(self.query(statement.this, "resume").name)
            case ast.Show():
                self.outcomes.append(replies.list_entries(self.catalog, statement))
            case ast.ShowCreate():
                self.outcomes.append(replies.find_statement(self.catalog, statement))
            case ast.Describe():
                self.outcomes.append(replies.describe_entry(self.catalog, statement))
            case ast.Explain():
                found = replies.find_plans(self.catalog, statement, lambda query: self.derive(query)[0])
                self.outcomes.append(found)
            case ast.Set():
                self.set(statement)

    def register(self, match: TemplateMatch) -> bool:
        """Register a query by its template, without parsing it; False if the query must be parsed."""
        problems: list[TailraceError] = []
        options = format_options(create_query_node(match.name, match.format, match.options), "sink", problems)
        template = self.template_of(match)
        if template is None or problems or self.catalog.find(match.name) is not None:
            return False
        query = TemplatedQuery(match, options, template)
        self.catalog.add(query, None, frozenset(template.reads), match)
        self.tell(query)
        return True

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
