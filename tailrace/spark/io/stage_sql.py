"""Push-down: feeds as Spark SQL, so that Catalyst filters, projects, adds up per key and instant, and picks shards.

A stage's input is one statement: that costs Spark one analysis, where a DataFrame put together call by call costs many.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import pyarrow as pa

from tailrace.columnar.arrow_types import type_of
from tailrace.logical.expressions import Column, Expression, all_of
from tailrace.logical.spark_sql import spark_text, spark_type
from tailrace.logical.windows import TimeWindow
from tailrace.staging.pre_aggregation import PartialSum, PreAggregation
from tailrace.staging.pushdown import PushedPrefilter
from tailrace.staging.stages import StageInput
from tailrace.staging.wire import PORT, SHARD, START, UNTIL, WEIGHT, WireFormat
from tailrace.types import VOID

FILE, BLOCK, LINE = "_file", "_block", "_line"
ORDER = (FILE, BLOCK, LINE)

ColumnText = Callable[[Column], str]


@dataclass(frozen=True)
class SqlTable:
    """A table expression with a start, until and weight and slots, and how an origin's columns are called in it."""

    table: str
    named: ColumnText


@dataclass(frozen=True)
class InputTarget:
    """Where a feed goes: its port of the stage's wire, and over how many shards; ordered rows keep what orders them.

    `thin`: what no window wants is left behind.
    """

    wire: WireFormat
    port: int
    shards: int
    ordered: bool
    thin: bool = False


def column_text(slots: Mapping[int, int]) -> ColumnText:
    """Columns of an origin by the slots in which they are."""
    return lambda column: f"w{slots[column.index]}"


def value(expression: Expression, named: ColumnText) -> str:
    """An expression, in the type that it was given."""
    text = spark_text(expression, named)
    if isinstance(expression, Column) or expression.type == VOID:
        return text
    return f"CAST({text} AS {spark_type(expression.type)})"


def where(predicates: Sequence[Expression], named: ColumnText) -> str:
    return f" WHERE {spark_text(all_of(predicates), named)}" if predicates else ""


def input_sql(rows: SqlTable, feed: StageInput, place: InputTarget) -> str:
    """The statement that puts a feed's rows on the wire."""
    shard = shard_text(feed.key, rows.named, place.shards) if not feed.is_broadcast else every_shard(place.shards)
    table, columns = f"{rows.table}{where(feed.predicates, rows.named)}", []
    if feed.prefilter and place.thin:
        table = prefilter_sql(table, feed.prefilter, rows.named)
    if feed.preaggregation:
        table = f"({preaggregation_sql(table, feed.preaggregation, shard, rows.named)})"
        columns, shard = [f"p{number}" for number in range(len(feed.types))], SHARD
    else:
        columns = [value(column, rows.named) for column in feed.columns]
    order = (ORDER if feed.needs_arrival_order else no_order()) if place.ordered else ()
    wanted = [*on_wire(place, columns, shard), *order]
    return f"SELECT {', '.join(wanted)} FROM {table}"


def combined_input_sql(
    table: str, by: str, feeds: Mapping[int, tuple[StageInput, InputTarget, ColumnText]], past: int
) -> str:
    """One statement for feeds of different sources, whose numbers stand in the column `by`: rows are read once.

    Rows up to the instant `past` have been decided; a feed that begins later is told apart by its first instant.
    """
    lists, conditions = [], []
    for number, (feed, place, named) in feeds.items():
        columns = [value(column, named) for column in feed.columns]
        order = (ORDER if feed.needs_arrival_order else no_order()) if place.ordered else ()
        lists.append([*on_wire(place, columns, shard_text(feed.key, named, place.shards)), *order])
        of_feed = [f"{by} = {number}", *since_text(feed, past)]
        if feed.predicates:
            of_feed.append(f"({spark_text(all_of(feed.predicates), named)})")
        conditions.append(f"({' AND '.join(of_feed)})")
    chosen = [column_by_source(by, dict(zip(feeds, texts, strict=True))) for texts in zip(*lists, strict=True)]
    return f"SELECT {', '.join(chosen)} FROM {table} WHERE {' OR '.join(conditions)}"


def since_text(feed: StageInput, past: int) -> list[str]:
    """The condition that keeps rows from before a feed's first instant out, where such rows can still come."""
    return [f"{START} >= {feed.since}"] if feed.since > past + 1 else []


def column_by_source(by: str, texts: Mapping[int, str]) -> str:
    """One column out of the columns that the sources have for it: texts of the form `… AS name`, or a name."""
    if len(set(texts.values())) == 1:
        return next(iter(texts.values()))
    named = {number: text.rpartition(" AS ")[::2] for number, text in texts.items()}
    cases = " ".join(f"WHEN {number} THEN {text or name}" for number, (text, name) in named.items())
    return f"CASE {by} {cases} END AS {next(iter(named.values()))[1]}"


def on_wire(place: InputTarget, columns: Sequence[str], shard: str) -> list[str]:
    """A row's columns on the wire."""
    slots = dict(zip(place.wire.places[place.port], columns, strict=True))
    heads = {PORT: f"{place.port} AS {PORT}", START: START, UNTIL: UNTIL, WEIGHT: WEIGHT}
    filled = [
        f"{slots[slot] if slot in slots else nothing(type)} AS w{slot}" for slot, type in enumerate(place.wire.types)
    ]
    return [*(heads[name] for name in place.wire.heads), *filled, f"{shard} AS {SHARD}"]


def tellers(place: InputTarget) -> str:
    """For each shard a row before all time, which tells a task its shard, also where nothing else comes."""
    wanted = [
        f"{'-1L - id' if field.name == START else nothing(field.type)} AS {field.name}" for field in place.wire.schema
    ]
    order = no_order() if place.ordered else ()
    return f"SELECT {', '.join([*wanted, f'CAST(id AS INT) AS {SHARD}', *order])} FROM range(0, {place.shards}, 1, 1)"


def no_order() -> tuple[str, ...]:
    kinds = {FILE: "STRING", BLOCK: "BIGINT", LINE: "BIGINT"}
    return tuple(f"CAST(NULL AS {kinds[name]}) AS {name}" for name in ORDER)


def nothing(type: pa.DataType) -> str:
    kind = type_of(type)
    return "NULL" if kind == VOID else f"CAST(NULL AS {spark_type(kind)})"


def shard_text(key: Sequence[Expression] | None, named: ColumnText, shards: int) -> str:
    """The number of a row's shard."""
    if shards == 1 or key == ():
        return "CAST(0 AS INT)"  # a bare number in GROUP BY would be the place of a column
    if key is None:
        return f"pmod(spark_partition_id(), {shards})"
    return f"pmod(hash({', '.join(value(part, named) for part in key)}), {shards})"


def every_shard(shards: int) -> str:
    """The numbers of all shards, so that a row becomes one for each."""
    return f"explode(sequence(0, {shards - 1}))"


def preaggregation_sql(table: str, part: PreAggregation, shard: str, named: ColumnText) -> str:
    """One row for the tuples of a key that come and go together; the sums are exact, so their order does not matter."""
    width = len(part.keys)
    keys = [f"{value(key, named)} AS p{number}" for number, key in enumerate(part.keys)]
    lives = [f"{text} AS _life{number}" for number, text in enumerate(lifetime(part.window))]
    sums = [
        f"CAST({each.function}({argument(each, named)}) AS {spark_type(type_of(each.type))}) AS p{width + number}"
        for number, each in enumerate(part.sums)
    ]
    # A shard follows from the key: its hash is taken of groups, not of rows.
    groups = ", ".join([*(value(key, named) for key in part.keys), *lifetime(part.window), shard])
    first = [f"min({START}) AS {START}", f"min({START}) + 1L AS {UNTIL}", f"1L AS {WEIGHT}"]
    return f"SELECT {', '.join([*keys, *lives, f'{shard} AS {SHARD}', *first, *sums])} FROM {table} GROUP BY {groups}"


def prefilter_sql(table: str, what: PushedPrefilter, named: ColumnText) -> str:
    """A table without what no window wants: see Thin. What the bounds of slots are is found out first."""
    by, keys = what.by, [value(key, named) for key in what.key]
    every = by.frequency.count
    slot = f"{START} div {every}L" if by.range else f"greatest(({START} + {every - 1}L) div {every}L, 1L)"
    seen = f"{START} + {by.range.count}L > ({slot} + 1L) * {every}L" if by.range else "false"
    found = [f"{'min' if by.range else 'max'}({START}) AS _bound", *(f"{key} AS _key{n}" for n, key in enumerate(keys))]
    bounds = f"SELECT {', '.join(found)} FROM {table} GROUP BY {', '.join([slot, *keys])}"
    same = " AND ".join([f"{START} = _bound", *(f"{key} <=> _key{n}" for n, key in enumerate(keys))])
    every_row = f"(SELECT * FROM {table}) AS _rows LEFT JOIN ({bounds}) AS _bounds ON {same}"
    return f"(SELECT /*+ BROADCAST(_bounds) */ _rows.* FROM {every_row} WHERE {seen} OR _bound IS NOT NULL)"


def argument(each: PartialSum, named: ColumnText) -> str:
    text = "1" if each.argument is None else value(each.argument, named)
    return text if each.condition is None else f"IF({spark_text(each.condition, named)}, {text}, NULL)"


def lifetime(window: TimeWindow | None) -> list[str]:
    """What elements of a window that come and go together have in common; see SeqWindow.lifetimes."""
    if window is None or window.slide == 1:
        return [START]
    comes = f"greatest({up(START, window.slide)}, {window.slide - 1}L)"
    return [comes] if window.size is None else [comes, up(f"{START} + {window.size + 1}L", window.slide)]


def up(text: str, slide: int) -> str:
    """The next multiple of the slide."""
    return f"(({text} + {slide - 1}L) - pmod({text} + {slide - 1}L, {slide}L))"
