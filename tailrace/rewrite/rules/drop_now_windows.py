"""Drop now windows: removes Rstream over [NOW], which turns a stream into a relation and back into the same stream."""

from __future__ import annotations

from collections.abc import Hashable, Sequence, Set

from tailrace.logical.expressions import Column
from tailrace.logical.nodes import ApplyWindow, HashSample, Project, Scan, Select, ToStream, Union
from tailrace.logical.plan import Plan
from tailrace.logical.windows import TimeWindow
from tailrace.rewrite.traverse import bottom_up


def drop_now_windows(plan: Plan) -> Plan:
    """Remove Rstream and [NOW] where one undoes the other.

    Law: S [NOW] holds at τ the elements of τ, and Rstream sends what a relation holds at τ. So Rstream(f(S [NOW])) is
    f(S) for selections, projections and unions f, and Rstream(R) [NOW] is R. Istream is the same as Rstream if no tuple
    occurs twice, as a KEY promises (CQL §10.1, footnote 4).

    >>> from tailrace.catalog.sources import Stream
    >>> from tailrace.logical.text.explain import tree
    >>> from tailrace.schema import Schema
    >>> now = ApplyWindow(Scan(Stream("S", Schema.of())), TimeWindow(0))
    >>> print(tree(drop_now_windows(ToStream(now, "rstream"))))
    stream S()  → stream
    """
    return bottom_up(plan, drop)


def drop(plan: Plan) -> Plan:
    match plan:
        case ToStream(child, "rstream"):
            return as_stream(child) or plan
        case ToStream(child, "istream") if key_columns(child):
            return as_stream(child) or plan
        case ApplyWindow(ToStream(child, "rstream"), TimeWindow() as window) if window.is_now:
            return child
    return plan


def as_stream(plan: Plan) -> Plan | None:
    """The stream s with `plan` = s [NOW]; None if the plan is not a [NOW] window below row-by-row operators."""
    match plan:
        case ApplyWindow(child, TimeWindow() as window):
            return child if window.is_now else None
        case Select(child) | Project(child):
            stream = as_stream(child)
            return plan.with_children(stream) if stream else None
        case Union(inputs):
            streams = [as_stream(part) for part in inputs]
            whole = tuple(stream for stream in streams if stream)
            return Union(whole) if len(whole) == len(streams) else None
    return None


def key_columns(plan: Plan) -> frozenset[int]:
    """The positions of a stream's KEY columns in the plan's tuples; empty unless all of them are there."""
    match plan:
        case Scan(source, columns):
            names = [field.name.lower() for field in source.schema]
            kept = names if columns is None else [names[index] for index in columns]
            return found_all({name.lower() for name in source.key}, kept)
        case Select(child) | ApplyWindow(child) | HashSample(child):
            return key_columns(child)
        case Project(child, expressions):
            kept_columns = [part.index if isinstance(part, Column) else None for part in expressions]
            return found_all(key_columns(child), kept_columns)
    return frozenset()


def found_all(wanted: Set[Hashable], places: Sequence[Hashable]) -> frozenset[int]:
    """The first index of each wanted thing in `places`; empty unless all of them are there."""
    found = {thing: place for place, thing in reversed(list(enumerate(places)))}
    return frozenset(found[thing] for thing in wanted) if wanted <= found.keys() else frozenset()
