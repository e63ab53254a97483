"""Nodes: the nodes of CQL's syntax tree: queries, windows and statements, as subclasses of sqlglot's Expression.

Scalar expressions are sqlglot's own nodes. Equality compares nodes and their arguments, not their places in the script
(in `meta`) and not comments.
"""

from __future__ import annotations

from typing import ClassVar

from sqlglot import exp

from tailrace.errors import TextSpan


class Node(exp.Expression):
    """The base of CQL's own nodes."""


# Windows ------------------------------------------------------------------------------------------------


class Duration(Node):
    """`30 SECONDS`, `100 TUPLES`, or a bare number: ticks after RANGE, tuples after ROWS."""

    arg_types: ClassVar = {"this": True, "unit": False}


class Window(Node):
    """The window of a FROM item, such as `[RANGE 5 MINUTES SLIDE 1 MINUTE]`; `kind` None is a bare FREQUENCY."""

    arg_types: ClassVar = {
        "kind": False,
        "size": False,
        "slide": False,
        "partition": False,
        "frequency": False,
        "seed": False,
        "offset": False,
    }


class Frequency(Node):
    """`FREQUENCY 100 TUPLES [PARTITIONED BY a, b]`."""

    arg_types: ClassVar = {"this": True, "partition": False}


# Queries ------------------------------------------------------------------------------------------------


class QueryNode(Node):
    """A query: Select, SetOperation, ToStream or With."""


class Select(QueryNode):
    """SELECT … FROM …; `to_stream` is ISTREAM, DSTREAM or RSTREAM if that operator encloses the select list."""

    arg_types: ClassVar = {
        "expressions": True,
        "distinct": False,
        "to_stream": False,
        "frequency": False,
        "from_": False,
        "where": False,
        "group": False,
        "having": False,
        "windows": False,  # those of WINDOW
        "qualify": False,
        "order": False,
        "limit": False,
        "offset": False,
        "emit": False,  # "CHANGES": groups of a window change before the window ends
    }


class SetOperation(QueryNode):
    """`left UNION|EXCEPT|INTERSECT [ALL] [BY NAME] right`, with an ORDER BY … LIMIT over the whole."""

    arg_types: ClassVar = {
        "kind": True,
        "all": False,
        "by_name": False,
        "left": True,
        "right": True,
        "order": False,
        "limit": False,
        "offset": False,
    }


class ToStream(QueryNode):
    """`ISTREAM(query)`, `DSTREAM(query)`, `RSTREAM(query)`."""

    arg_types: ClassVar = {"kind": True, "this": True}


class With(QueryNode):
    """`WITH name AS (query), … query`."""

    arg_types: ClassVar = {"expressions": True, "this": True}


class Named(Node):
    """One `name [(columns)] AS (query)` of a WITH."""

    arg_types: ClassVar = {"this": True, "columns": False, "query": True}


class Nested(Node):
    """A query as a scalar value or the right side of IN."""

    arg_types: ClassVar = {"this": True}


class Exists(Node):
    """`EXISTS (query)`."""

    arg_types: ClassVar = {"this": True}


class Quantified(Node):
    """`ANY (query)`, `ALL (query)` or `ANY (array)`, as the right side of a comparison; SOME is read as ANY."""

    arg_types: ClassVar = {"word": True, "this": True}


# Window functions ---------------------------------------------------------------------------------------


class Over(Node):
    """`call OVER window`: a window function, or an aggregate as one; `window` is a definition or a window's name."""

    arg_types: ClassVar = {"this": True, "window": True, "ignore_nulls": False}


class WindowDefinition(Node):
    """`([name] PARTITION BY … ORDER BY … frame)`."""

    arg_types: ClassVar = {"base": False, "partition": False, "order": False, "frame": False}


class FrameClause(Node):
    """`ROWS | RANGE | GROUPS BETWEEN first AND last`, both FrameEnds."""

    arg_types: ClassVar = {"unit": True, "first": True, "last": True}


class FrameEnd(Node):
    """`UNBOUNDED PRECEDING`, `2 PRECEDING`, `CURRENT ROW`, …: its kind, and the distance as `this` if it has one."""

    arg_types: ClassVar = {"kind": True, "this": False}


class NamedWindow(Node):
    """One `name AS (…)` of WINDOW."""

    arg_types: ClassVar = {"this": True, "window": True}


# FROM ---------------------------------------------------------------------------------------------------


class Item(Node):
    """A FROM item: a name or a query (`this`), with its sample, window and alias; a query may be LATERAL.

    `as_of` is its FOR SYSTEM_TIME.
    """

    arg_types: ClassVar = {
        "this": True,
        "lateral": False,
        "sample": False,
        "window": False,
        "as_of": False,
        "alias": False,
        "columns": False,
    }


class WindowTable(Node):
    """`TUMBLE(TABLE s, DESCRIPTOR(ts), 10 SECONDS)` or another window function in FROM; `this` is the stream's Item."""

    arg_types: ClassVar = {
        "kind": True,
        "this": True,
        "partition": False,
        "column": True,
        "size": True,
        "slide": False,
        "offset": False,
    }


class Sample(Node):
    """`SAMPLE 10 PERCENT [SEED 7]` behind a stream's name; `this` is the number of percent as text."""

    arg_types: ClassVar = {"this": True, "seed": False}


class Join(Node):
    """`left [LEFT …] JOIN right ON … | USING (…)`; a comma in FROM is a join of kind COMMA without a condition.

    `natural` stands for a USING of the common columns; `match` is the MATCH_CONDITION of an ASOF join.
    """

    arg_types: ClassVar = {
        "kind": True,
        "natural": False,
        "left": True,
        "right": True,
        "match": False,
        "on": False,
        "using": False,
    }


# Statements ---------------------------------------------------------------------------------------------


class Statement(Node):
    """A statement of a script."""


class ColumnType(Node):
    """A declared column: its name and its type."""

    arg_types: ClassVar = {"this": True, "type": True}


class TypeName(Node):
    """A type's name, as in CAST or a column's declaration; `this` is a `tailrace.types.Type`."""

    arg_types: ClassVar = {"this": True}


class Option(Node):
    """One `key 'value'` of OPTIONS."""

    arg_types: ClassVar = {"this": True, "value": True}


class CreateSource(Statement):
    """CREATE STREAM or CREATE RELATION, as `kind` says."""

    arg_types: ClassVar = {
        "kind": True,
        "this": True,
        "columns": True,
        "format": False,
        "options": False,
        "timestamp": False,  # a column's name, or an expression
        "unit": False,
        "delay": False,
        "heartbeat": False,
        "idle": False,
        "op": False,
        "key": False,
        "replace": False,
        "if_not_exists": False,
    }


class CreateView(Statement):
    """CREATE VIEW name [(columns)] AS query."""

    arg_types: ClassVar = {"this": True, "columns": False, "query": True, "replace": False, "if_not_exists": False}


class CreateQuery(Statement):
    """CREATE QUERY name [INTO format [OPTIONS (…)]] AS query; CREATE MATERIALIZED VIEW if `is_materialized_view`."""

    arg_types: ClassVar = {
        "this": True,
        "format": False,
        "options": False,
        "query": True,
        "replace": False,
        "if_not_exists": False,
        "is_materialized_view": False,
    }


class AlterQuery(Statement):
    """ALTER QUERY name AS query."""

    arg_types: ClassVar = {"this": True, "query": True}


class CreateTable(Statement):
    """Flink's CREATE TABLE; `options` are those of WITH, `proctimes` the columns AS PROCTIME()."""

    arg_types: ClassVar = {
        "this": True,
        "columns": True,
        "proctimes": False,
        "watermark": False,
        "primary_key": False,
        "options": False,
        "replace": False,
        "if_not_exists": False,
    }


class WatermarkClause(Node):
    """`WATERMARK FOR ts AS ts - INTERVAL '5' SECOND`; `delay` is what is taken off, if anything is."""

    arg_types: ClassVar = {"this": True, "delay": False}


class Insert(Statement):
    """INSERT INTO table query."""

    arg_types: ClassVar = {"this": True, "query": True}


class Drop(Statement):
    """DROP STREAM | RELATION | VIEW | QUERY | TABLE [IF EXISTS] name."""

    arg_types: ClassVar = {"kind": True, "this": True, "if_exists": False}


class Resume(Statement):
    """RESUME QUERY name."""

    arg_types: ClassVar = {"this": True}


class Show(Statement):
    """SHOW STREAMS | RELATIONS | TABLES | VIEWS | QUERIES."""

    arg_types: ClassVar = {"kind": True}


class ShowCreate(Statement):
    """SHOW CREATE [STREAM | RELATION | TABLE | VIEW | QUERY] name."""

    arg_types: ClassVar = {"kind": False, "this": True}


class Describe(Statement):
    """DESCRIBE name."""

    arg_types: ClassVar = {"this": True}


class Explain(Statement):
    """EXPLAIN [ANALYZE] [query | name]."""

    arg_types: ClassVar = {"this": False, "analyze": False}


class Set(Statement):
    """SET key = value; both are text."""

    arg_types: ClassVar = {"this": True, "value": True}


def place_of(node: exp.Expr) -> TextSpan | None:
    """A node's place in its script; None for a node that was made by the program and not parsed."""
    start, end = node.meta.get("start"), node.meta.get("end")
    return TextSpan(start, end) if isinstance(start, int) and isinstance(end, int) else None
