"""Definitions: what CREATE, ALTER, INSERT INTO and DROP do to the catalog, and what names in FROM stand for."""

from __future__ import annotations

from dataclasses import dataclass, field

from sqlglot import exp

from tailrace.analysis.checks import AlreadyReported, refuse_added_names, refuse_mixed, refuse_two_times
from tailrace.analysis.queries import NamedInput, QueryAnalysis, has_untyped, output_names, view_columns
from tailrace.analysis.sources import analyse_source, format_options
from tailrace.analysis.statements import table_statements as tables
from tailrace.analysis.statements.replace import Analysed, replace_entry
from tailrace.analysis.statements.replies import Remark, Reply
from tailrace.analysis.statements.unknown_names import unknown_name
from tailrace.catalog.catalog import Catalog, Entry, FailedEntry
from tailrace.catalog.declared_tables import Table
from tailrace.catalog.sources import Declared, Relation, Stream
from tailrace.errors import AnalysisError, CatalogError, ErrorGroup, TailraceError, did_you_mean
from tailrace.language import nodes as ast
from tailrace.language.nodes import place_of
from tailrace.language.script import Script, create_query_node
from tailrace.logical import nodes
from tailrace.logical.plan import Plan
from tailrace.logical.queries import Definition, Note, QueryDefinition, View
from tailrace.settings import Settings

Outcome = QueryDefinition | View | Reply
WITH_PACKAGE = ("delta", "iceberg", "hudi")  # formats that Spark does not bring along


@dataclass
class Definitions:
    """The catalog as statements change it, and what they say."""

    script: Script
    folder: str | None
    catalog: Catalog = field(default_factory=Catalog)
    settings: Settings = field(default_factory=Settings)
    outcomes: list[Outcome] = field(default_factory=list)
    reading: set[str] = field(default_factory=set)
    circled: set[str] = field(default_factory=set)
    touched: dict[str, None] = field(default_factory=dict)  # names of queries, in order
    stale: dict[str, TailraceError] = field(default_factory=dict)  # of entries that a replacement made wrong

    # CREATE -------------------------------------------------------------------------------------------

    def create(self, statement: ast.Statement) -> None:
        """Add what a statement creates; with OR REPLACE, put it in the place of what has its name."""
        name, word = statement.this.name, word_of(statement)
        table = self.catalog.tables.get(name.lower()) if word == "table" else None
        known: Entry | None = table or self.catalog.find(name)
        if isinstance(known, FailedEntry):
            known = None
        if known is not None and statement.args.get("if_not_exists") and is_kind(known, word):
            self.outcomes.append(Remark(f"there is already a {known.word} {known.name}: nothing is done"))
        elif known is not None and statement.args.get("replace"):
            self.replace(statement, known, word)
        elif isinstance(statement, ast.CreateTable):
            table = tables.analyse_table(statement, self.settings, self.folder)
            self.catalog.add_table(table, place_of(statement.this))
            self.outcomes.append(Remark(tables.remark_on_table(table)))
        else:
            found = self.analyse(statement)
            self.catalog.add(found.entry, place_of(statement.this), found.reads, statement)
            self.tell(found.entry)

    def replace(self, statement: ast.Statement, known: Entry, word: str) -> None:
        """Put what a statement creates in the place of `known`; what means the same as before stays as it is."""
        if not is_kind(known, word):
            raise CatalogError(
                f"{known.name} is a {known.word}, and a {word} cannot replace it",
                place_of(statement.this),
                f"DROP {known.word.upper()} {known.name} first",
            )
        if isinstance(statement, ast.CreateTable):
            changed = self.replace_table(statement, known)
        else:
            found = self.analyse(statement)
            changed = list(replace_entry(self.catalog, found, statement.this, self.analyse, self.stale))
            if changed and isinstance(statement, ast.CreateSource):
                self.catalog.tables.pop(known.name.lower(), None)  # it was a table, and is one no more
        if changed and isinstance(known, QueryDefinition):
            self.touched[known.name] = None  # its name may now be written in other letters
        for entry in changed:
            self.tell(entry)
        if not changed:
            self.outcomes.append(Remark(f"{word} {known.name} is as it was: nothing is done"))

    def replace_table(self, statement: ast.CreateTable, known: Entry) -> list[Entry]:
        table, key = tables.analyse_table(statement, self.settings, self.folder), known.name.lower()
        if table == known:
            return []
        if table.source is not None and isinstance(self.catalog.entries.get(key), Declared):
            found = Analysed(table.source, frozenset(), table.statement)
            changed = list(replace_entry(self.catalog, found, statement.this, self.analyse, self.stale))
            self.catalog.tables[key] = table
        else:
            before = self.catalog.tables.get(key) or Table(known.name, table.schema)
            tables.drop_table(self.catalog, before, place_of(statement.this))
            self.catalog.add_table(table, place_of(statement.this))
            changed = [table]
        self.outcomes.append(Remark(tables.remark_on_table(table)))
        return changed

    def tell(self, entry: Entry) -> None:
        """Note that a definition is new or another one now."""
        if isinstance(entry, QueryDefinition):
            self.touched[entry.name] = None
        if isinstance(entry, (QueryDefinition, View)):
            self.outcomes.append(entry)

    def analyse(self, statement: ast.Statement) -> Analysed:
        """The entry that a CREATE or INSERT statement makes. The catalog stays as it is."""
        self.reading = set()
        entry: Entry
        match statement:
            case ast.CreateSource():
                entry = analyse_source(statement, self.settings, self.folder)
            case ast.CreateView():
                entry = self.view(statement)
            case ast.CreateQuery():
                entry = self.query_of(statement)
            case ast.Insert():
                name = statement.meta["query_name"]
                entry = tables.insert_query(
                    statement, self.catalog, name, lambda query: self.derive(query, is_output=True)
                )
        return Analysed(entry, frozenset(self.reading), statement)

    def view(self, statement: ast.CreateView) -> View:
        plan, names, notes, expanded = self.derive(statement.args["query"])
        names = view_columns(names, statement.args.get("columns"))
        refuse_added_names(names, statement.args["query"])
        return View(statement.this.name, plan, names, notes, expanded, place_of(statement))

    def query_of(self, statement: ast.CreateQuery) -> QueryDefinition:
        problems: list[TailraceError] = []
        options = format_options(statement, "sink", problems)
        format = statement.args["format"].name if statement.args.get("format") else None
        try:
            plan, names, notes, expanded = self.derive(statement.args["query"], is_output=True)
        except TailraceError as problem:
            raise ErrorGroup([*problems, problem]) from None
        if problems:
            raise ErrorGroup(problems)
        if statement.args.get("is_materialized_view"):
            notes = (*notes, Note("a materialized view is a query here: CREATE QUERY", place_of(statement), False))
        if (format or "").lower() in WITH_PACKAGE:
            text = f"Spark has the format {format} only with a package: SET spark.jars.packages = '…'"
            notes = (*notes, Note(text, place_of(statement), False))
        return QueryDefinition(statement.this.name, plan, names, notes, expanded, place_of(statement), format, options)

    def alter(self, statement: ast.AlterQuery) -> None:
        """Replace a query by another one with the same INTO."""
        before = self.query(statement.this, "alter")
        known, query = self.catalog.statements.get(before.name.lower()), statement.args["query"]
        if isinstance(known, ast.Insert):
            create: ast.Statement = ast.Insert(this=known.this.copy(), query=query)
        else:
            create = create_query_node(before.name, before.format, before.options, query)
        create.this.meta.update(statement.this.meta)
        create.meta.update(statement.meta, query_name=before.name)
        self.replace(create, before, "query")

    def insert(self, statement: ast.Insert) -> None:
        table = tables.find_table(self.catalog, statement.this)
        statement.meta["query_name"] = name = tables.free_name(self.catalog, table)
        found = self.analyse(statement)
        if name == table.name:
            self.catalog.forget_source(table)
        self.catalog.put(found.entry, found.reads, statement)
        self.tell(found.entry)

    def drop(self, statement: ast.Drop) -> None:
        name, word, place = statement.this.name, statement.args["kind"].lower(), place_of(statement.this)
        if statement.args.get("if_exists") and self.catalog.find(name) is None:
            self.outcomes.append(Remark(f"there is no {word} {name}: nothing is done"))
            return
        if table := self.catalog.tables.get(name.lower()) if word in ("table", "stream", "relation") else None:
            tables.drop_table(self.catalog, table, place)
            return
        before = self.catalog.statements.get(name.lower())
        entry = self.catalog.drop(name, word, place)
        self.stale.pop(name.lower(), None)
        if isinstance(entry, QueryDefinition):
            self.touched[entry.name] = None
            if isinstance(before, ast.Insert):
                tables.drop_writer(self.catalog, before)

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
        if entry is None or isinstance(entry, Table):
            raise self.unknown(name)
        if entry.name.lower() in self.catalog.tables:
            tables.refuse_several_writers(self.catalog, entry, name)
        self.reading.add(entry.name.lower())
        if isinstance(entry, (Stream, Relation)):
            return NamedInput(nodes.Scan(entry), entry.schema.names, entry.timestamp)
        assert isinstance(entry, Definition)
        return NamedInput(entry.plan, entry.names)

    def unknown(self, name: exp.Identifier) -> TailraceError:
        return unknown_name(name, self.catalog, self.script.source, self.script.statements, self.circled)

    def query(self, name: exp.Identifier, verb: str) -> QueryDefinition:
        """The query of a name; a CatalogError if there is none."""
        entry = self.catalog.find(name.name)
        if isinstance(entry, FailedEntry):
            raise AlreadyReported("a statement above is wrong")
        if not isinstance(entry, QueryDefinition):
            raise CatalogError(
                f"no query {name.name} to {verb}", place_of(name), did_you_mean(name.name, self.catalog.queries)
            )
        return entry


def word_of(statement: ast.Statement) -> str:
    """The kind of what a CREATE statement creates."""
    match statement:
        case ast.CreateSource():
            return str(statement.args["kind"]).lower()
        case ast.CreateView():
            return "view"
        case ast.CreateTable():
            return "table"
    return "query"


def is_kind(entry: Entry, word: str) -> bool:
    return entry.word == word or (word == "table" and isinstance(entry, Declared))
