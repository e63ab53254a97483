"""Event times: TIMESTAMP BY with a unit or an expression, and a warning if ticks look like another unit.

`TIMESTAMP BY ts IN MILLISECONDS` reads whole numbers as milliseconds since 1970. `TIMESTAMP BY to_timestamp(day)`
evaluates the expression. The expression may use a column that the source does not list: of STRING, BIGINT and
TIMESTAMP, the column gets the first type with which the expression is a time.
"""

from __future__ import annotations

from collections.abc import Iterable

from sqlglot import exp

from tailrace.analysis.queries import NamedInput, QueryAnalysis
from tailrace.analysis.scalars.resolve import Scalars
from tailrace.analysis.scalars.scope import Binding, Scope
from tailrace.analysis.tables.time_types import sampled_stamp
from tailrace.analysis.tables.windows import describe
from tailrace.catalog.file_samples import is_whole
from tailrace.catalog.sources import Declared, EventTime
from tailrace.errors import AnalysisError, TailraceError
from tailrace.language import nodes as ast
from tailrace.language.nodes import place_of
from tailrace.language.script import to_text
from tailrace.logical.expressions import Expression, columns_of
from tailrace.logical.text.spark_sql import name_text, spark_text, spark_type
from tailrace.schema import Field, Schema
from tailrace.settings import Settings
from tailrace.types import BIGINT, DATE, STRING, TIMESTAMP, TIMESTAMP_NTZ, Type, is_integer

GUESSES = (STRING, BIGINT, TIMESTAMP)  # types that a column which is not listed may have; the first that fits
# Spark SQL for microseconds since 1970, by the unit of a whole number {0}; NULL where they are too many.
MICROSECONDS = {
    "SECOND": "try_multiply({0}, 1000000L)",
    "MILLISECOND": "try_multiply({0}, 1000L)",
    "MICROSECOND": "{0}",
    "NANOSECOND": "({0} - pmod({0}, 1000L)) div 1000L",
}
# The least number that looks like a time since 1970 in this unit, the unit, and its microseconds. Read in this unit,
# the numbers from here to the next line's are times from 1973 to 5138.
EPOCHS = (
    (100_000_000, "SECONDS", 1_000_000),
    (100_000_000_000, "MILLISECONDS", 1_000),
    (100_000_000_000_000, "MICROSECONDS", 1),
    (100_000_000_000_000_000, "NANOSECONDS", 0),
)


def event_time(node: ast.CreateSource, schema: Schema, settings: Settings) -> EventTime | None:
    """The event time of a TIMESTAMP BY with an expression or a unit; None for a bare column or no TIMESTAMP BY."""
    stamp, unit = node.args.get("timestamp"), node.args.get("unit")
    if stamp is None or (isinstance(stamp, exp.Identifier) and not unit):
        return None
    tree = exp.Column(this=stamp.copy()) if isinstance(stamp, exp.Identifier) else stamp
    tree.meta.update(stamp.meta)
    if nested := tree.find(ast.Nested, ast.Exists):
        raise AnalysisError("a subquery cannot be used in TIMESTAMP BY", place_of(nested))
    found, columns = resolve_time(tree, schema, settings, unit)
    if not columns_of(found):
        raise AnalysisError(f"{to_text(stamp)} is the same for every row", place_of(stamp), "name a column")
    text = spark_text(
        found, lambda column: f"CAST({name_text(columns[column.index].name)} AS {spark_type(column.type)})"
    )
    reads = tuple((columns[index].name, columns[index].type) for index in sorted(columns_of(found)))
    shown = f"{to_text(stamp)} IN {unit}S" if unit else to_text(stamp)
    if unit:
        return EventTime(shown, MICROSECONDS[unit].format(f"CAST({text} AS BIGINT)"), False, reads)
    if is_integer(found.type):
        return EventTime(shown, f"CAST({text} AS BIGINT)", True, reads)
    return EventTime(shown, f"unix_micros(CAST({text} AS TIMESTAMP))", False, reads)


def resolve_time(tree: exp.Expr, schema: Schema, settings: Settings, unit: str | None) -> tuple[Expression, Schema]:
    """The typed expression of TIMESTAMP BY, and its input columns: those that are listed, then those that are not."""
    names = {column.name.lower(): column.name for column in tree.find_all(exp.Column) if not column.table}
    unlisted = [name for name in names.values() if not schema.find(name)]
    problems: list[TailraceError] = []
    for guess in GUESSES if unlisted else (STRING,):
        columns = Schema((*schema, *(Field(name, guess) for name in unlisted)))
        try:
            found = Scalars(QueryAnalysis(refuse_name, settings), Scope((Binding(None, columns, 0),)), "TIMESTAMP BY")
            expression = found.resolve(tree)
        except AnalysisError as problem:
            problems.append(problem)
            continue
        refused = time_problem(tree, expression.type, unit)
        if refused is None:
            return expression, columns
        problems.append(refused)
    raise problems[-1] if unit else problems[0]


def time_problem(tree: exp.Expr, type: Type, unit: str | None) -> TailraceError | None:
    """The problem with an expression of this type as a timestamp; None if there is none."""
    if is_integer(type) or (not unit and type in (TIMESTAMP, TIMESTAMP_NTZ, DATE)):
        return None
    if unit:
        message = f"{to_text(tree)} is {type}, and only a whole number is a time IN {unit}S"
        hint = "leave the unit out" if type in (TIMESTAMP, TIMESTAMP_NTZ, DATE) else "CAST(… AS BIGINT)"
        return AnalysisError(message, place_of(tree), hint)
    message = f"{to_text(tree)} is {type}, and a timestamp is a number of ticks or a TIMESTAMP"
    return AnalysisError(message, place_of(tree), "CAST(… AS TIMESTAMP), or a function such as to_timestamp")


def refuse_name(name: exp.Identifier) -> NamedInput:
    raise AnalysisError(f"{name.name} cannot be read in TIMESTAMP BY", place_of(name))


# Units that are not ticks ---------------------------------------------------------------------------------


def warn_of_unit(source: Declared, stamp: int, settings: Settings) -> str | None:
    """A warning for a source whose timestamps count ticks but look like a time since 1970 in another unit.

    `stamp` is one of its timestamps. None if it looks right.

    >>> from tailrace.types import INT
    >>> S = Declared("S", Schema.of(("k", INT)), timestamp="ts")
    >>> print(warn_of_unit(S, 1_700_000_000_000, Settings()).partition("; ")[2])
    write TIMESTAMP BY ts IN MILLISECONDS, or SET tick = '1 millisecond'
    >>> warn_of_unit(S, 1_700_000_000, Settings()), warn_of_unit(S, 7, Settings())
    (None, None)
    """
    likely = [(unit, size) for least, unit, size in EPOCHS if stamp >= least]
    if not likely or likely[-1][1] == settings.tick:
        return None
    unit, size = likely[-1]
    shown = source.event_time.shown if source.event_time else source.timestamp
    other = f", or SET tick = '{describe(size)}'" if size else ""
    return (
        f"{source.name}: {shown} is {stamp}, which looks like {unit} since 1970, and counts ticks of "
        f"{describe(settings.tick)}; write TIMESTAMP BY {shown} IN {unit}{other}"
    )


def unit_warnings(sources: Iterable[object], settings: Settings) -> list[str]:
    """The warnings of `warn_of_unit` for those of the sources whose csv or json files are on this machine."""
    found = []
    for source in sources:
        stamp = sampled_ticks(source) if isinstance(source, Declared) else None
        text = warn_of_unit(source, stamp, settings) if isinstance(source, Declared) and stamp is not None else None
        found += [text] if text else []
    return found


def sampled_ticks(source: Declared) -> int | None:
    """The first timestamp in a source's files, if the timestamp is a column of ticks and the files can be read here."""
    listed = source.schema.find(source.timestamp) if source.timestamp else ()
    if listed and not is_integer(source.schema[listed[0]].type):
        return None
    stamp = sampled_stamp(source)
    return int(stamp) if stamp is not None and is_whole(stamp) else None
