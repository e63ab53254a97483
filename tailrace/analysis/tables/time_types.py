"""Time types: of which type the times of a stream's elements are, and which of its columns holds them."""

from __future__ import annotations

from pathlib import Path

from tailrace.catalog.file_samples import FileFormat, first_stamp, is_whole, local_files, local_head
from tailrace.catalog.formats import SAMPLED
from tailrace.catalog.sources import FRAME, SCHEME, STAMP_TYPE, Declared, Stream, beside_script, path_option
from tailrace.logical import nodes
from tailrace.logical.expressions import Column
from tailrace.logical.plan import Plan, walk
from tailrace.logical.time.window_tables import AssignWindows
from tailrace.types import BIGINT, TIMESTAMP, TIMESTAMP_NTZ, Type, is_integer


def time_type(plan: Plan) -> Type | None:
    """BIGINT if the timestamps that a plan reads count ticks, otherwise TIMESTAMP; None if no source shows which."""
    sources = dict.fromkeys(node.source for node in walk(plan) if isinstance(node, nodes.Scan))
    return next((found for source in sources if (found := type_of_source(source)) is not None), None)


def type_of_source(source: Declared) -> Type | None:
    if source.event_time:
        return BIGINT if source.event_time.in_ticks else TIMESTAMP
    if source.timestamp is None:
        return TIMESTAMP if isinstance(source, Stream) else None  # the clock at arrival, or no time at all
    listed = source.schema.find(source.timestamp)
    if listed:
        type = source.schema[listed[0]].type
        return BIGINT if is_integer(type) else type if type == TIMESTAMP_NTZ else TIMESTAMP
    told = next((value for key, value in source.options if key.lower() == STAMP_TYPE.lower()), None)
    if source.format == FRAME and told:
        return TIMESTAMP if told in ("TIMESTAMP", "DATE") else TIMESTAMP_NTZ if told == "TIMESTAMP_NTZ" else BIGINT
    stamp = sampled_stamp(source)
    return None if stamp is None else BIGINT if is_whole(stamp) else TIMESTAMP


def sampled_stamp(source: Declared) -> str | None:
    """The first timestamp in a source's csv or json files, as it is written, if these can be read here."""
    path = beside_script(path_option(source.options), source.folder)
    format = (source.format or "").lower()
    if source.timestamp is None or source.event_time or format not in SAMPLED or not path or SCHEME.match(path):
        return None
    listed = source.schema.find(source.timestamp)
    names = (*source.schema.names, *([] if listed else [source.timestamp]))
    written = FileFormat.of(format, source.options)
    try:
        stamps = (
            first_stamp(local_head(f), written, source.timestamp, names)
            for f in local_files(Path(path), source.options)
        )
        return next((stamp for stamp in stamps if stamp is not None), None)
    except (OSError, ValueError, LookupError, EOFError):
        return None


def holds_time(plan: Plan, index: int) -> bool:
    """Whether a column of a stream holds each element's own timestamp: it is a copy of a source's TIMESTAMP BY."""
    match plan:
        case nodes.Scan():
            return plan.schema[index].name.lower() in timestamp_names(plan.source)
        case nodes.Select(child) | nodes.HashSample(child):
            return holds_time(child, index)
        case AssignWindows(child):
            return index < len(child.schema) and not plan.finished and holds_time(child, index)
        case nodes.Project(child, expressions):
            value = expressions[index]
            return isinstance(value, Column) and holds_time(child, value.index)
        case nodes.Union(inputs):
            return all(holds_time(child, index) for child in inputs)
        case nodes.ToStream(child, "istream" | "rstream"):
            return holds_new_time(child, index, plan.operator == "rstream")
    return False


def holds_new_time(plan: Plan, index: int, at_once: bool) -> bool:
    """Whether a column of a relation holds the timestamp of each tuple's element, which is there from that time on.

    With `at_once` the tuples are there at that time only.
    """
    match plan:
        case nodes.ApplyWindow(child, window):
            fits = getattr(window, "is_now", False) if at_once else getattr(window, "is_unbounded", False)
            return bool(fits) and holds_time(child, index)
        case nodes.Select(child):
            return holds_new_time(child, index, at_once)
        case nodes.Project(child, expressions):
            value = expressions[index]
            return isinstance(value, Column) and holds_new_time(child, value.index, at_once)
    return False


def unlisted_names(plan: Plan) -> set[str]:
    """The names of the timestamp of the one source whose elements, with their own timestamps, a stream consists of."""
    match plan:
        case nodes.Scan():
            return timestamp_names(plan.source)
        case nodes.Select(child) | nodes.HashSample(child) | nodes.Project(child):
            return unlisted_names(child)
        case nodes.ToStream(child, "istream"):
            while isinstance(child, nodes.Select | nodes.Project):
                child = child.child
            if isinstance(child, nodes.ApplyWindow) and getattr(child.window, "is_unbounded", False):
                return unlisted_names(child.child)
    return set()


def timestamp_names(source: Declared) -> set[str]:
    """The names of a source's timestamp, in lower case: its column, or the one column that it is computed from."""
    if source.event_time:
        return {name.lower() for name, _ in source.event_time.reads} if len(source.event_time.reads) == 1 else set()
    return {source.timestamp.lower()} if source.timestamp else set()
