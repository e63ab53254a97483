"""Statement texts: writes statements as canonical CQL; `CqlGenerator` writes any tree."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from sqlglot import exp

from tailrace.language import nodes
from tailrace.language.generator import TEXTS, Generator, clause, named_columns, quote_text
from tailrace.language.tokens import RESERVED

PLURAL = {"STREAM": "STREAMS", "RELATION": "RELATIONS", "TABLE": "TABLES", "VIEW": "VIEWS", "QUERY": "QUERIES"}


def options(gen: Generator, node: exp.Expr) -> str:
    given = node.args.get("options")
    return f"OPTIONS ({gen.list_sql(given)})" if given else ""


def option(gen: Generator, node: nodes.Option) -> str:
    parts = node.this.split(".")
    plain = all(part.isidentifier() and part.upper() not in RESERVED for part in parts)
    return f"{node.this if plain else quote_text(node.this)} {quote_text(node.args['value'])}"


def create_head(node: exp.Expr, kind: str) -> str:
    """The words of a CREATE before the name."""
    replace = " OR REPLACE" if node.args.get("replace") else ""
    return f"CREATE{replace} {kind}{' IF NOT EXISTS' if node.args.get('if_not_exists') else ''}"


def create_source(gen: Generator, node: nodes.CreateSource) -> str:
    key = node.args.get("key")
    delay = clause(gen, node, "delay", " DELAY")
    unit = f" IN {node.args['unit']}S" if node.args.get("unit") else ""
    return gen.clauses(
        (
            f"{create_head(node, node.args['kind'])} {gen.sql(node.this)} ({gen.list_sql(node.args['columns'])})",
            clause(gen, node, "format", "USING"),
            options(gen, node),
            clause(gen, node, "timestamp", "TIMESTAMP BY") + unit + delay,
            clause(gen, node, "heartbeat", "HEARTBEAT BY"),
            clause(gen, node, "idle", "IDLE AFTER"),
            clause(gen, node, "op", "OP BY"),
            f"KEY ({gen.list_sql(key)})" if key else "",
        )
    )


def create_query(gen: Generator, node: nodes.CreateQuery) -> str:
    kind = "MATERIALIZED VIEW" if node.args.get("is_materialized_view") else "QUERY"
    head = f"{create_head(node, kind)} {gen.sql(node.this)}"
    into = " ".join(part for part in (clause(gen, node, "format", "INTO"), options(gen, node)) if part)
    return gen.clauses((f"{head} {into} AS" if into else f"{head} AS", gen.sql(node, "query")))


def create_table(gen: Generator, node: nodes.CreateTable) -> str:
    key, given = node.args.get("primary_key"), ", ".join(with_option(each) for each in node.args["options"])
    parts = [
        *map(gen.sql, node.args["columns"]),
        *(f"{gen.sql(name)} AS PROCTIME()" for name in node.args.get("proctimes") or ()),
        gen.sql(node, "watermark"),
        f"PRIMARY KEY ({gen.list_sql(key)}) NOT ENFORCED" if key else "",
    ]
    columns = ", ".join(part for part in parts if part)
    return gen.clauses((f"{create_head(node, 'TABLE')} {gen.sql(node.this)} ({columns})", f"WITH ({given})"))


def with_option(node: nodes.Option) -> str:
    return f"{quote_text(node.this)} = {quote_text(node.args['value'])}"


def watermark(gen: Generator, node: nodes.WatermarkClause) -> str:
    column, delay = gen.sql(node.this), node.args.get("delay")
    less = f" - INTERVAL {quote_text(delay.this)} {delay.args['unit']}" if delay else ""
    return f"WATERMARK FOR {column} AS {column}{less}"


def drop(gen: Generator, node: nodes.Drop) -> str:
    return f"DROP {node.args['kind']} {'IF EXISTS ' if node.args.get('if_exists') else ''}{gen.sql(node.this)}"


def show_create(gen: Generator, node: nodes.ShowCreate) -> str:
    kind = node.args.get("kind")
    return f"SHOW CREATE {f'{kind} ' if kind else ''}{gen.sql(node.this)}"


def explain(gen: Generator, node: nodes.Explain) -> str:
    return f"EXPLAIN {'ANALYZE ' if node.args.get('analyze') else ''}{gen.sql(node, 'this')}".rstrip()


def setting(gen: Generator, node: nodes.Set) -> str:
    plain = all(part.isidentifier() and part.upper() not in RESERVED for part in node.this.split("."))
    return f"SET {node.this if plain else quote_text(node.this)} = {quote_text(node.args['value'])}"


STATEMENT_TEXTS: dict[type[exp.Expr], Callable[..., str]] = {
    nodes.Option: option,
    nodes.CreateSource: create_source,
    nodes.CreateView: lambda gen, node: gen.clauses(
        (f"{create_head(node, 'VIEW')} {named_columns(gen, node)} AS", gen.sql(node, "query"))
    ),
    nodes.CreateQuery: create_query,
    nodes.AlterQuery: lambda gen, node: gen.clauses((f"ALTER QUERY {gen.sql(node.this)} AS", gen.sql(node, "query"))),
    nodes.CreateTable: create_table,
    nodes.WatermarkClause: watermark,
    nodes.Insert: lambda gen, node: gen.clauses((f"INSERT INTO {gen.sql(node.this)}", gen.sql(node, "query"))),
    nodes.Drop: drop,
    nodes.Resume: lambda gen, node: f"RESUME QUERY {gen.sql(node.this)}",
    nodes.Show: lambda gen, node: f"SHOW {PLURAL[node.args['kind']]}",
    nodes.ShowCreate: show_create,
    nodes.Describe: lambda gen, node: f"DESCRIBE {gen.sql(node.this)}",
    nodes.Explain: explain,
    nodes.Set: setting,
}


class CqlGenerator(Generator):
    """The generator with CQL's own nodes in its table."""

    TRANSFORMS: ClassVar = {**TEXTS, **STATEMENT_TEXTS}
