"""Tables: analyses CREATE TABLE and INSERT INTO: a table is a source that is read, or a sink that queries fill."""

from __future__ import annotations

from collections.abc import Callable

from sqlglot import exp

from tailrace.analysis.checks import AlreadyReported
from tailrace.analysis.scalars.coercion import cast
from tailrace.analysis.sources import analyse_source, declared_schema, format_options
from tailrace.catalog.catalog import Catalog, Entry, FailedEntry
from tailrace.catalog.declared_tables import Table
from tailrace.errors import AnalysisError, CatalogError, ErrorGroup, TailraceError, TextSpan, did_you_mean
from tailrace.language import nodes as ast
from tailrace.language.dialects.connectors import as_sink, as_source, read_options
from tailrace.language.nodes import place_of
from tailrace.language.script import create_query_node, to_text
from tailrace.logical import nodes
from tailrace.logical.expressions import refer_to
from tailrace.logical.plan import Plan
from tailrace.logical.queries import Note, QueryDefinition
from tailrace.schema import Schema
from tailrace.settings import Settings
from tailrace.types import Type, common_type


def analyse_table(statement: ast.CreateTable, settings: Settings, folder: str | None) -> Table:
    """The table that a CREATE TABLE declares; its statement is the CREATE STREAM or RELATION that it is when read."""
    source = as_source(statement)
    declared = analyse_source(source, settings, folder) if source else None
    schema = declared.schema if declared else sink_schema(statement)
    format, options = as_sink(statement) if read_options(statement).connector.writes else (None, ())
    return Table(statement.this.name, schema, declared, format, options, source or statement)


def sink_schema(statement: ast.CreateTable) -> Schema:
    problems: list[TailraceError] = []
    schema = declared_schema(ast.CreateSource(columns=statement.args["columns"]), problems)
    if problems:
        raise ErrorGroup(problems)
    return schema


def remark_on_table(table: Table) -> str:
    """What a CREATE TABLE was taken for."""
    if table.source is None:
        return f"table {table.name}: INSERT INTO {table.name} writes to {table.format}"
    return f"table {table.name} is understood as {to_text(table.statement)}"


def drop_table(catalog: Catalog, table: Table, place: TextSpan | None) -> None:
    """Remove a table that no query reads or inserts into."""
    if writers := writers_of(catalog, table.name):
        message = f"table {table.name} is still written by query {writers[0]}"
        raise CatalogError(message, place, f"DROP QUERY {writers[0]} first")
    catalog.remove_table(table, place)


def drop_writer(catalog: Catalog, statement: ast.Insert) -> None:
    """Let the table of a dropped INSERT INTO be a source again, if it was the last one."""
    table = catalog.tables.get(statement.this.name.lower())
    if table and not writers_of(catalog, table.name):
        catalog.restore_source(table)


# INSERT INTO ----------------------------------------------------------------------------------------------


def find_table(catalog: Catalog, name: exp.Identifier) -> Table:
    """The table of an INSERT INTO; an error if there is none, or if it cannot take more rows."""
    table = catalog.tables.get(name.name.lower())
    if table is None:
        entry = catalog.find(name.name)
        if isinstance(entry, FailedEntry):
            raise AlreadyReported("a statement above is wrong")
        if entry is None:
            known = [each.name for each in catalog.tables.values()]
            hint = did_you_mean(name.name, known) or "CREATE TABLE … WITH ('connector' = …) declares one"
            raise CatalogError(f"no table {name.name}", place_of(name), hint)
        raise CatalogError(
            f"{entry.name} is a {entry.word}, and INSERT INTO takes a table",
            place_of(name),
            "CREATE QUERY name INTO format OPTIONS (…) AS SELECT … writes to a sink",
        )
    if table.format is None:
        raise CatalogError(f"{table.name} cannot be written", place_of(name))
    readers = catalog.readers(name.name) if name.name.lower() in catalog.entries else []
    if readers:
        raise CatalogError(
            f"{table.name} is read by {readers[0].word} {readers[0].name}, which would not see these rows",
            place_of(name),
            "put all INSERT INTO before what reads the table, as one: SELECT … UNION ALL SELECT …",
        )
    return table


def writers_of(catalog: Catalog, table: str) -> list[str]:
    """The names of the queries that insert into a table."""
    inserts = ((name, each) for name, each in catalog.statements.items() if isinstance(each, ast.Insert))
    return [catalog.entries[name].name for name, each in inserts if each.this.name.lower() == table.lower()]


def refuse_several_writers(catalog: Catalog, entry: Entry, read: exp.Identifier) -> None:
    """Refuse to read a table that several queries insert into: none of them has all of its rows."""
    writers = writers_of(catalog, entry.name)
    if len(writers) > 1:
        raise AnalysisError(
            f"{entry.name} gets the rows of several queries: {', '.join(writers)}",
            place_of(read),
            f"SELECT * FROM {writers[0]} UNION ALL SELECT * FROM {writers[1]}",
        )


def free_name(catalog: Catalog, table: Table) -> str:
    """The name of the next query that inserts into a table: the table's own or, if that is a query, t_2, t_3, …."""
    name, number = table.name, 1
    while (entry := catalog.entries.get(name.lower())) is not None and entry is not table.source:
        number += 1
        name = f"{table.name}_{number}"
    return name


def insert_query(
    statement: ast.Insert,
    catalog: Catalog,
    name: str,
    derive: Callable[[ast.QueryNode], tuple[Plan, tuple[str, ...], tuple[Note, ...], ast.QueryNode]],
) -> QueryDefinition:
    """The query that an INSERT INTO is: its columns have the names of the table's, by position."""
    table = catalog.tables[statement.this.name.lower()]
    problems: list[TailraceError] = []
    sink = create_query_node(name, table.format, table.options)
    format_options(sink, "sink", problems)
    if problems:
        raise AnalysisError(problems[0].message, place_of(statement.this), problems[0].hint)
    plan, _, notes, expanded = derive(statement.args["query"])
    plan = fit_columns(plan, table, statement)
    return QueryDefinition(
        name, plan, table.schema.names, notes, expanded, place_of(statement), table.format, table.options
    )


def fit_columns(plan: Plan, table: Table, statement: ast.Insert) -> Plan:
    """The plan with columns of the table's types; an error if one is of a type that does not fit."""
    place = place_of(statement.args["query"])
    if len(plan.schema) != len(table.schema):
        message = f"{table.name} has {len(table.schema)} columns, and the query has {len(plan.schema)}"
        raise AnalysisError(message, place, f"{table.name}{table.schema}")
    for number, (column, wanted) in enumerate(zip(plan.schema, table.schema, strict=True), start=1):
        if not is_widened(column.type, wanted.type):
            raise AnalysisError(
                f"column {number} of the query is {column.type}, and {wanted.name} of {table.name} is {wanted.type}",
                place,
                f"CAST(… AS {wanted.type})",
            )
    if plan.schema.types == table.schema.types:
        return plan
    values = map(cast, refer_to(plan.schema), table.schema.types)
    return nodes.Project(plan, tuple(values), table.schema.names)


def is_widened(have: Type, want: Type) -> bool:
    """Whether each value of a type is one of the other, so that no CAST need be written."""
    return have == want or (have.name != "STRING" and common_type(have, want) == want and want.name != "STRING")
