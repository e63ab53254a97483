"""Build: short ways from a text to what the analysis makes of it, over a few sources of every kind."""

from __future__ import annotations

from tailrace.analysis.program import Program, analyse
from tailrace.errors import ScriptError, Source, TailraceError
from tailrace.language.script import parse_script
from tailrace.logical.expressions import Expression
from tailrace.logical.nodes import Project
from tailrace.logical.plan import walk
from tailrace.logical.queries import Definition
from tailrace.logical.text.explain import tree

SOURCES = """
CREATE STREAM S (k INT, v INT, name STRING) TIMESTAMP BY ts;
CREATE STREAM T (k BIGINT, w INT) TIMESTAMP BY ts;
CREATE STREAM Typed (
  i INT, l BIGINT, f DOUBLE, p DECIMAL(8,2), s STRING, ok BOOLEAN, d DATE, at TIMESTAMP, b BINARY,
  a ARRAY<INT>, m MAP<STRING, INT>, r STRUCT<p: INT, q: STRING>
) TIMESTAMP BY ts;
CREATE RELATION Still (k INT, label STRING);
CREATE RELATION Growing (k INT, label STRING) TIMESTAMP BY ts;
CREATE RELATION Latest (k INT, label STRING) TIMESTAMP BY ts KEY (k);
CREATE RELATION Kept (k INT, label STRING) TIMESTAMP BY ts OP BY op;
"""


def program(text: str) -> Program:
    return analyse(parse_script(Source(SOURCES + text, "test.cql")))


def derived(query: str) -> Definition:
    """The query definition that the analysis makes of a text."""
    return program(f"CREATE QUERY q AS {query};").queries["q"]


def plan_of(query: str) -> str:
    """A query's logical plan as EXPLAIN shows it, each line without the schema of its output."""
    lines = tree(derived(query).plan).splitlines()
    return "\n".join(line.rpartition("  → ")[0] for line in lines)


def operators(query: str) -> list[str]:
    """The names of the plan's operators, outermost first."""
    return [line.lstrip("│├└─ ").split(" ", 1)[0] for line in plan_of(query).splitlines()]


def expanded(query: str) -> str:
    return derived(query).expanded_text()


def defaults(query: str) -> list[str]:
    return [note.text for note in derived(query).notes if note.is_default]


def value(text: str) -> Expression:
    """The typed expression of a select item over the stream of all types."""
    plan = derived(f"SELECT {text} AS it FROM Typed [NOW]").plan
    return next(node for node in walk(plan) if isinstance(node, Project)).expressions[0]


def problems(text: str) -> list[TailraceError]:
    """All that is wrong with a script."""
    try:
        program(text)
    except ScriptError as error:
        return list(error.problems)
    return []


def problem(query: str) -> str:
    """The message of the one problem of a query."""
    (found,) = problems(f"CREATE QUERY q AS {query};")
    return found.message


def pointed_at(query: str) -> str:
    """The text that the one problem of a query points at."""
    text = f"CREATE QUERY q AS {query};"
    (found,) = problems(text)
    assert found.place is not None
    return (SOURCES + text)[found.place.start : found.place.end]
