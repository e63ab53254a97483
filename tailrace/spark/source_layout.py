"""Source layout: the columns that rows of all sources have, so that the sources can be unioned.

A row has the number of its source, its moment (event time, in microseconds or ticks), its weight, the file and block
that order arrivals, the text that could not be read, and the columns that queries use. Sources share wire columns of
equal types.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import pyarrow as pa

from tailrace.catalog.formats import CHECKED
from tailrace.catalog.sources import FRAME, Relation, Stream
from tailrace.columnar.arrow_types import arrow_type, type_of
from tailrace.logical.expressions import Column, columns_of
from tailrace.logical.text.spark_sql import spark_type
from tailrace.staging.stages import StagedPlan, StageInput, StageOutput, is_signed
from tailrace.staging.wire import START, UNTIL, WEIGHT, WireFormat
from tailrace.types import VOID

SOURCE, MOMENT = "_source", "_moment"
FILE, BLOCK, LINE = "_file", "_block", "_line"
ORDER = (FILE, BLOCK, LINE)
UNREADABLE = "_unreadable"

ColumnText = Callable[[Column], str]


@dataclass(frozen=True)
class SourceLayout:
    """The common layout of all sources' rows: the sources by number, and the columns of each that queries use."""

    sources: tuple[Stream | Relation, ...]
    columns: tuple[tuple[int, ...], ...]
    ordered: bool  # rows also carry the file and block that order their arrival
    named: bool = False  # Spark knows each source by a name, so that sources may join or leave on a restart
    ticking: bool = False  # `ticks` is part of the union: a row a second that only says that time goes on

    @staticmethod
    def of(plan: StagedPlan, whole: bool = False, ticks: bool = True) -> SourceLayout:
        """The layout for the columns that a plan reads or, with `whole`, for all columns of its sources.

        A continuous run needs `whole`: its plan may change while Structured Streaming goes on. `ticks` allows the tick
        rows, which are added if time goes on for a source without rows.
        """
        sources = tuple(plan.sources)
        if whole:
            columns = tuple(tuple(range(len(source.schema))) for source in sources)
            named = all(source.format != FRAME for source in sources)
            return SourceLayout(sources, columns, True, named, ticks and any(map(goes_by_the_clock, sources)))
        used = tuple(tuple(sorted(used_columns(plan.feeds, source.name))) for source in sources)
        return SourceLayout(sources, used, plan.needs_arrival_order)

    @cached_property
    def wire(self) -> WireFormat:
        return WireFormat.of(
            [
                [arrow_type(source.schema[column].type) for column in columns]
                for source, columns in zip(self.sources, self.columns, strict=True)
            ]
        )

    @property
    def has_weights(self) -> bool:
        return any(map(is_signed, self.sources))

    @property
    def has_checked_formats(self) -> bool:
        return any((source.format or "").lower() in CHECKED for source in self.sources)

    @property
    def has_heartbeats(self) -> bool:
        """Whether some rows are no elements: heartbeats or ticks."""
        return self.ticking or any(source.heartbeat for source in self.sources)

    @property
    def sound(self) -> list[str]:
        """The conditions, beside having a moment, for a row that can be read: a valid weight and no malformed text."""
        signs, texts = [f"{WEIGHT} IS NOT NULL"], [f"{UNREADABLE} IS NULL"]
        return [*(signs if self.has_weights else ()), *(texts if self.has_checked_formats else ())]

    @property
    def readable(self) -> str:
        """The condition for rows that are elements and can be read."""
        return f"({' AND '.join([*self.of_elements, f'{MOMENT} IS NOT NULL', *self.sound])})"

    @property
    def unreadable(self) -> str:
        """The condition for rows that should be elements but cannot be read."""
        return f"({' AND '.join([*self.of_elements, f'NOT {self.readable}'])})"

    @property
    def of_elements(self) -> list[str]:
        """The condition for rows that are elements and not heartbeats or ticks; none if all rows are elements."""
        return [f"{SOURCE} >= 0"] if self.has_heartbeats else []

    def texts(self, known: Mapping[str, str]) -> list[str]:
        """The select list for rows of this layout; `known` has the SQL of some columns, others get a default."""
        others = {WEIGHT: "1L", UNREADABLE: "CAST(NULL AS STRING)"}
        others |= {FILE: "CAST(NULL AS STRING)", BLOCK: "CAST(NULL AS BIGINT)"}
        others |= {f"w{slot}": null_text(type) for slot, type in enumerate(self.wire.types)}
        wanted = [SOURCE, MOMENT, *([WEIGHT] if self.has_weights else ())]
        wanted += [FILE] if self.ordered or self.has_checked_formats else []
        wanted += [BLOCK] if self.ordered else []
        wanted += [UNREADABLE] if self.has_checked_formats else []
        wanted += [f"w{slot}" for slot in range(len(self.wire.types))]
        return [f"{known.get(name, others.get(name))} AS {name}" for name in wanted]

    def slots(self, number: int) -> dict[int, int]:
        """The wire column of each column of a source that queries use."""
        return dict(zip(self.columns[number], self.wire.places[number], strict=True))

    def table_with_instants(self, view: str, instant: str, which: str, ordered: bool) -> str:
        """A subquery over a view of this layout: the rows that meet the condition `which`, with their instants.

        `instant` is the SQL of a row's instant; a row lasts until the next one. With `ordered`, the columns that order
        arrivals are kept.
        """
        wanted = [
            f"{instant} AS {START}",
            f"{instant} + 1L AS {UNTIL}",
            WEIGHT if self.has_weights else f"1L AS {WEIGHT}",
        ]
        wanted.append(SOURCE)
        if ordered:
            wanted += [FILE, BLOCK, f"monotonically_increasing_id() AS {LINE}"]
        wanted += [f"w{slot}" for slot in range(len(self.wire.types))]
        return f"(SELECT {', '.join(wanted)} FROM {view} WHERE {which})"


def used_columns(feeds: Sequence[StageInput], name: str) -> set[int]:
    found: set[int] = set()
    for feed in feeds:
        if isinstance(feed.origin, StageOutput) or feed.origin.name != name:
            continue
        found |= columns_of(*feed.predicates, *(feed.key or ()), *(feed.prefilter.key if feed.prefilter else ()))
        part = feed.preaggregation
        wanted = feed.columns
        if part:
            wanted = (*part.keys, *(e for each in part.sums for e in (each.argument, each.condition) if e))
        found |= columns_of(*wanted)
    return found


def goes_by_the_clock(source: Stream | Relation) -> bool:
    """Whether a source's watermark advances with the clock: it is stamped at arrival or has IDLE AFTER."""
    return source.idle is not None or (isinstance(source, Stream) and source.timestamp is None)


def beats(number: int) -> int:
    """The source number of rows that are heartbeats of source `number`; negative, unlike those of elements."""
    return -1 - number


def column_text(slots: Mapping[int, int]) -> ColumnText:
    """Writes an origin's columns as the wire columns in which they are."""
    return lambda column: f"w{slots[column.index]}"


def null_text(type: pa.DataType) -> str:
    """The SQL of a NULL of this type."""
    kind = type_of(type)
    return "NULL" if kind == VOID else f"CAST(NULL AS {spark_type(kind)})"
