"""Sources: analyses CREATE STREAM and CREATE RELATION, checked against their format and, if readable, their files."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from sqlglot import exp

from tailrace.analysis.scalars.scope import refuse_repeats
from tailrace.analysis.statements.event_times import event_time
from tailrace.analysis.tables.windows import microseconds, ticks
from tailrace.catalog.file_samples import FileFormat, local_files, local_head, names_in
from tailrace.catalog.formats import FORMATS, MODES, Format
from tailrace.catalog.sources import EventTime, Options, Relation, Stream, beside_script, path_option
from tailrace.errors import AnalysisError, ErrorGroup, TailraceError, TextSpan, did_you_mean
from tailrace.language import nodes as ast
from tailrace.language.nodes import place_of
from tailrace.language.script import to_text
from tailrace.schema import Field, Schema
from tailrace.settings import OWN_STRATEGIES, STRATEGIES, Settings
from tailrace.types import BOOLEAN, DATE, STRING, TIMESTAMP, TIMESTAMP_NTZ, is_integer


def analyse_source(node: ast.CreateSource, settings: Settings, folder: str | None) -> Stream | Relation:
    """The stream or relation that a statement declares; raises an ErrorGroup of all problems if there are any."""
    problems: list[TailraceError] = []
    schema = declared_schema(node, problems)
    check_clauses(node, schema, problems)
    options = format_options(node, "source", problems)
    if not problems:
        check_names(node, schema, options, folder, problems)
    when = time_of(node, schema, settings, problems)
    delay = length(node, "delay", ticks, settings, problems)
    idle = length(node, "idle", microseconds, settings, problems)
    if problems:
        raise ErrorGroup(problems)
    format, timestamp, heartbeat, op = (
        node.args[part].name if node.args.get(part) else None for part in ("format", "timestamp", "heartbeat", "op")
    )
    timestamp = timestamp if when is None else to_text(node.args["timestamp"])
    key = tuple(schema[schema.find(column.name)[0]].name for column in node.args.get("key") or [])
    said = (node.this.name, schema, format, options, timestamp, delay or 0, key, heartbeat, idle, folder)
    if node.args["kind"] == "STREAM":
        return Stream(*said, event_time=when)
    return Relation(*said, op=op, event_time=when)


def time_of(
    node: ast.CreateSource, schema: Schema, settings: Settings, problems: list[TailraceError]
) -> EventTime | None:
    """The event time of TIMESTAMP BY (see `event_time`); a problem is added to `problems`."""
    try:
        return event_time(node, schema, settings)
    except AnalysisError as problem:
        problems.append(problem)
        return None


def length(
    node: ast.CreateSource,
    part: str,
    count: Callable[[ast.Duration, Settings], int],
    settings: Settings,
    problems: list[TailraceError],
) -> int | None:
    """The length of DELAY or IDLE AFTER, as `count` computes it; None if the statement has no such clause."""
    try:
        return count(node.args[part], settings) if node.args.get(part) else None
    except AnalysisError as problem:
        problems.append(problem)
        return None


def declared_schema(node: ast.CreateSource, problems: list[TailraceError]) -> Schema:
    fields: list[Field] = []
    for column in node.args["columns"]:
        if any(field.name.lower() == column.this.name.lower() for field in fields):
            problems.append(AnalysisError(f"two columns are called {column.this.name}", place_of(column)))
        if column.this.name.startswith("_"):
            problems.append(
                AnalysisError(
                    f"{column.this.name}: a column's name cannot begin with _",
                    place_of(column),
                    "_ts and _op are the columns that results add",
                )
            )
        fields.append(Field(column.this.name, column.args["type"].this))
    return Schema(tuple(fields))


def check_clauses(node: ast.CreateSource, schema: Schema, problems: list[TailraceError]) -> None:
    timestamp, op, key = (node.args.get(part) for part in ("timestamp", "op", "key"))
    if op is not None and node.args["kind"] == "STREAM":
        problems.append(AnalysisError("a stream only grows: OP BY is for relations", place_of(op), "CREATE RELATION"))
    elif op is not None and timestamp is None:
        problems.append(AnalysisError("OP BY needs TIMESTAMP BY: when does each change happen?", place_of(op)))
    is_column = isinstance(timestamp, exp.Identifier) and not node.args.get("unit")
    if timestamp is not None and is_column and schema.find(timestamp.name):
        problems += timestamp_problems(schema[schema.find(timestamp.name)[0]], place_of(timestamp))
    if op is not None and timestamp is not None and op.name.lower() == timestamp.name.lower():
        problems.append(AnalysisError(f"{op.name} cannot be the timestamp and the sign of a row at once", place_of(op)))
    elif op is not None and schema.find(op.name):
        problems += op_problems(schema[schema.find(op.name)[0]], place_of(op))
    check_heartbeats(node, schema, problems)
    try:
        refuse_repeats(key or [])
    except AnalysisError as problem:
        problems.append(problem)
    for column in key or []:
        if not schema.find(column.name):
            problems.append(
                AnalysisError(
                    f"no column {column.name} for the KEY",
                    place_of(column),
                    did_you_mean(column.name, schema.names),
                )
            )


def timestamp_problems(column: Field, place: TextSpan | None = None) -> list[TailraceError]:
    """The problem with the type of a timestamp column, if there is one."""
    if is_integer(column.type) or column.type in (TIMESTAMP, TIMESTAMP_NTZ, DATE):
        return []
    message = f"{column.name} is {column.type}, and a timestamp is a number of ticks or a TIMESTAMP"
    return [AnalysisError(message, place, "declare it BIGINT or TIMESTAMP")]


def op_problems(column: Field, place: TextSpan | None = None) -> list[TailraceError]:
    """The problem with the type of the column of OP BY, if there is one."""
    if column.type == STRING:
        return []
    return [AnalysisError(f"{column.name} is {column.type}, and the sign of a row is '+' or '-'", place)]


def check_heartbeats(node: ast.CreateSource, schema: Schema, problems: list[TailraceError]) -> None:
    """Check HEARTBEAT BY, which names a BOOLEAN column of its own; it and IDLE AFTER need a TIMESTAMP BY."""
    timestamp, op, heartbeat, idle = (node.args.get(part) for part in ("timestamp", "op", "heartbeat", "idle"))
    for part, words in ((heartbeat, "HEARTBEAT BY"), (idle, "IDLE AFTER")):
        if part is not None and timestamp is None:
            without = "its time is the clock" if node.args["kind"] == "STREAM" else "it is static"
            message = f"{words} needs TIMESTAMP BY"
            problems.append(AnalysisError(message, place_of(part), f"without TIMESTAMP BY {without}"))
    if heartbeat is None:
        return
    for other, what in ((timestamp, "timestamp"), (op, "sign")):
        if other is not None and heartbeat.name.lower() == other.name.lower():
            message = f"{heartbeat.name} cannot be the {what} of a row and tell whether it is a heartbeat"
            problems.append(AnalysisError(message, place_of(heartbeat), "name a column of its own"))
            return
    if found := schema.find(heartbeat.name):
        type = schema[found[0]].type
        if type != BOOLEAN:
            message = f"{heartbeat.name} is {type}, and HEARTBEAT BY takes a BOOLEAN that is true in heartbeats"
            problems.append(AnalysisError(message, place_of(heartbeat), "declare it BOOLEAN"))


# Formats --------------------------------------------------------------------------------------------------


NO_SINKS = {
    "memory": "leave INTO out: the page, the shell and Python have the newest rows of the query",
    "rate": "the format noop takes rows and keeps none",
    "socket": "the page, the shell and Python have the newest rows of a query without INTO",
}


def format_options(node: exp.Expr, side: str, problems: list[TailraceError]) -> Options:
    """The options of USING or INTO; unknown and missing ones are problems."""
    written = node.args.get("options") or []
    format = node.args.get("format")
    if format is None:
        if written:
            problems.append(AnalysisError("OPTIONS needs USING", place_of(written[0])))
        return ()
    known = FORMATS.get(format.name.lower())
    if side == "sink" and format.name.lower() in NO_SINKS:
        problems.append(AnalysisError(f"{format.name} is no sink", place_of(format), NO_SINKS[format.name.lower()]))
    if known is None:
        hint = did_you_mean(format.name, FORMATS)
        if hint:
            problems.append(AnalysisError(f"no format {format.name}", place_of(format), hint))
        return tuple((option.this, option.args["value"]) for option in written)
    seen: set[str] = set()
    for option in written:
        problem = option_problem(option, known, format.name, side, seen)
        if problem:
            problems.append(problem)
        seen.add(option.this.lower())
    for choice in known.source_needs if side == "source" else known.sink_needs:
        if not any(name.lower() in seen for name in choice):
            where = f"the {'source' if side == 'source' else 'sink'} {format.name}"
            problems.append(
                AnalysisError(
                    f"{where} needs the option {' or '.join(choice)}",
                    place_of(format),
                    f"OPTIONS ({choice[0]} '…')",
                )
            )
    return tuple((option.this, option.args["value"]) for option in written)


def strategy_problem(option: ast.Option) -> TailraceError | None:
    """The problem with a query's option `strategy`: it must be one that can be chosen for a single query."""
    chosen = option.args["value"]
    if chosen.lower() in OWN_STRATEGIES:
        return None
    hint = did_you_mean(chosen, OWN_STRATEGIES)
    if chosen.lower() in STRATEGIES:
        hint = f"SET strategy = '{chosen.lower()}' is for all queries together"
    return AnalysisError(f"the strategy of a query is {' or '.join(OWN_STRATEGIES)}", place_of(option), hint)


def option_problem(option: ast.Option, known: Format, format: str, side: str, seen: set[str]) -> TailraceError | None:
    name = option.this.lower()
    if name in seen:
        return AnalysisError(f"the option {option.this} twice", place_of(option))
    if side == "sink" and name == "mode" and option.args["value"].lower() not in MODES:
        hint = did_you_mean(option.args["value"], MODES)
        return AnalysisError(f"the mode of a sink is {' or '.join(MODES)}", place_of(option), hint)
    if side == "sink" and name == "strategy":
        return strategy_problem(option)
    if known.options is not None and name not in {known_name.lower() for known_name in known.options}:
        hint = did_you_mean(option.this, known.options)
        return AnalysisError(f"the format {format} has no option {option.this}", place_of(option), hint)
    return None


# Columns --------------------------------------------------------------------------------------------------


def check_names(
    node: ast.CreateSource,
    schema: Schema,
    options: Options,
    folder: str | None,
    problems: list[TailraceError],
) -> None:
    """Report declared columns that the source does not have, if the source's columns can be known now."""
    format = node.args["format"].name.lower() if node.args.get("format") else None
    known = FORMATS.get(format or "")
    names = known.columns if known else None
    where = f"a {format} source"
    if format == "csv":
        names, where = csv_header(options, folder)
    if names is None:
        return
    columns = [column.this for column in node.args["columns"]]
    columns += [node.args[part] for part in ("heartbeat", "op") if node.args.get(part)]
    columns += timestamp_columns(node)
    for column in {column.name.lower(): column for column in columns}.values():
        if column.name.lower() not in {name.lower() for name in names}:
            problems.append(
                AnalysisError(
                    f"{where} has no column {column.name}",
                    place_of(column),
                    did_you_mean(column.name, names) or f"it has {', '.join(names)}",
                )
            )


def timestamp_columns(node: ast.CreateSource) -> list[exp.Expr]:
    """The columns that TIMESTAMP BY reads."""
    stamp = node.args.get("timestamp")
    if stamp is None or isinstance(stamp, exp.Identifier):
        return [stamp] if stamp else []
    return [column for column in stamp.find_all(exp.Column) if not column.table]


def csv_header(options: Options, folder: str | None) -> tuple[tuple[str, ...] | None, str]:
    """The columns of the first csv file that has a line, also those of folders such as `day=1`, and the file's name."""
    path = beside_script(path_option(options), folder) or "."
    written = FileFormat.of("csv", options)
    if not written.has_header or "://" in path or "*" in path:
        return None, ""
    try:
        for file in local_files(Path(path), options):
            names = names_in(local_head(file), written)
            if names:
                below = file.relative_to(path).parts[:-1]
                return (*filter(None, names), *(part.partition("=")[0] for part in below if "=" in part)), file.name
    except (OSError, ValueError, LookupError, TypeError, EOFError):
        # A file that cannot be read now is reported by the run that needs it.
        return None, ""
    return None, ""
