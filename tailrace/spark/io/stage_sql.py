"""Stage SQL: writes stage inputs as Spark SQL, so that Catalyst filters, projects, pre-aggregates and assigns shards.

All inputs of a stage are one statement: Spark analyses it once, while a DataFrame built call by call is analysed with
each call.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tailrace.columnar.arrow_types import type_of
from tailrace.logical.expressions import Column, Expression, all_of
from tailrace.logical.text.spark_sql import spark_text, spark_type
from tailrace.logical.windows import TimeWindow
from tailrace.operators.relational.pre_aggregation import PartialSum, PreAggregation
from tailrace.operators.sequence.frequency import PushedPrefilter
from tailrace.spark.source_layout import BLOCK, FILE, LINE, ORDER, ColumnText, null_text
from tailrace.staging.stages import StageInput
from tailrace.staging.wire import PORT, SHARD, START, UNTIL, WEIGHT, WireFormat
from tailrace.types import VOID


@dataclass(frozen=True)
class SqlTable:
    """A table expression with START, UNTIL, WEIGHT and wire columns; `named` writes an origin's column in its terms."""

    table: str
    named: ColumnText


@dataclass(frozen=True)
class InputTarget:
    """Where the rows of a stage input go: its port of the stage's wire, and the number of shards."""

    wire: WireFormat
    port: int
    shards: int
    ordered: bool  # rows keep the columns that order their arrival
    prefiltered: bool = False  # its prefilter is applied


def value(expression: Expression, named: ColumnText) -> str:
    """The SQL of an expression, cast to the type that analysis gave it."""
    text = spark_text(expression, named)
    if isinstance(expression, Column) or expression.type == VOID:
        return text
    return f"CAST({text} AS {spark_type(expression.type)})"


def where(predicates: Sequence[Expression], named: ColumnText) -> str:
    return f" WHERE {spark_text(all_of(predicates), named)}" if predicates else ""


def input_sql(rows: SqlTable, feed: StageInput, place: InputTarget) -> str:
    """The statement for one stage input: filters, projects or pre-aggregates its rows into the wire's columns."""
    shard = shard_text(feed.key, rows.named, place.shards) if not feed.is_broadcast else every_shard(place.shards)
    table, columns = f"{rows.table}{where(feed.predicates, rows.named)}", []
    if feed.prefilter and place.prefiltered:
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
    """One statement for stage inputs of different sources, so that the common table is read once.

    `feeds` is by source number, which the column `by` of the table holds. `past` is the instant up to which everything
    is decided: an input that starts later gets a condition for its first instant.
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
    """The condition that drops rows before a stage input's first instant; none if such rows can no longer come."""
    return [f"{START} >= {feed.since}"] if feed.since > past + 1 else []


def column_by_source(by: str, texts: Mapping[int, str]) -> str:
    """One column by source, such as `CASE _source WHEN 0 THEN a WHEN 1 THEN b END AS w0`, of texts `… AS name`."""
    if len(set(texts.values())) == 1:
        return next(iter(texts.values()))
    named = {number: text.rpartition(" AS ")[::2] for number, text in texts.items()}
    cases = " ".join(f"WHEN {number} THEN {text or name}" for number, (text, name) in named.items())
    return f"CASE {by} {cases} END AS {next(iter(named.values()))[1]}"


def on_wire(place: InputTarget, columns: Sequence[str], shard: str) -> list[str]:
    """The select list that puts `columns` on the wire; wire columns of other ports are NULL."""
    slots = dict(zip(place.wire.places[place.port], columns, strict=True))
    heads = {PORT: f"{place.port} AS {PORT}", START: START, UNTIL: UNTIL, WEIGHT: WEIGHT}
    filled = [
        f"{slots[slot] if slot in slots else null_text(type)} AS w{slot}" for slot, type in enumerate(place.wire.types)
    ]
    return [*(heads[name] for name in place.wire.heads), *filled, f"{shard} AS {SHARD}"]


def shard_markers(place: InputTarget) -> str:
    """The statement for markers, which tell each task its shard n even if no row comes: their start is -1 - n."""
    wanted = [
        f"{'-1L - id' if field.name == START else null_text(field.type)} AS {field.name}" for field in place.wire.schema
    ]
    order = no_order() if place.ordered else ()
    return f"SELECT {', '.join([*wanted, f'CAST(id AS INT) AS {SHARD}', *order])} FROM range(0, {place.shards}, 1, 1)"


def no_order() -> tuple[str, ...]:
    kinds = {FILE: "STRING", BLOCK: "BIGINT", LINE: "BIGINT"}
    return tuple(f"CAST(NULL AS {kinds[name]}) AS {name}" for name in ORDER)


def shard_text(key: Sequence[Expression] | None, named: ColumnText, shards: int) -> str:
    """The SQL for a row's shard: the hash of its key; the partition it is in if `key` is None; 0 for an empty key."""
    if shards == 1 or key == ():
        return "CAST(0 AS INT)"  # a bare number in GROUP BY would mean a column by position
    if key is None:
        return f"pmod(spark_partition_id(), {shards})"
    return f"pmod(hash({', '.join(value(part, named) for part in key)}), {shards})"


def every_shard(shards: int) -> str:
    """The SQL that broadcasts a row: one copy for each shard."""
    return f"explode(sequence(0, {shards - 1}))"


def preaggregation_sql(table: str, part: PreAggregation, shard: str, named: ColumnText) -> str:
    """The pre-aggregation: one row, of exact sums, for the tuples of a key that enter and leave the window together."""
    width = len(part.keys)
    keys = [f"{value(key, named)} AS p{number}" for number, key in enumerate(part.keys)]
    lives = [f"{text} AS _life{number}" for number, text in enumerate(lifetime(part.window))]
    sums = [
        f"CAST({each.function}({argument(each, named)}) AS {spark_type(type_of(each.type))}) AS p{width + number}"
        for number, each in enumerate(part.sums)
    ]
    # The shard is a function of the key. As a grouping expression it is hashed once per group, not once per row.
    groups = ", ".join([*(value(key, named) for key in part.keys), *lifetime(part.window), shard])
    first = [f"min({START}) AS {START}", f"min({START}) + 1L AS {UNTIL}", f"1L AS {WEIGHT}"]
    return f"SELECT {', '.join([*keys, *lives, f'{shard} AS {SHARD}', *first, *sums])} FROM {table} GROUP BY {groups}"


def prefilter_sql(table: str, what: PushedPrefilter, named: ColumnText) -> str:
    """The table without rows that no window can see (see the operator Prefilter).

    First it finds the bounds: the first (for samples: last) instant of each key in each time slot. A broadcast join
    then keeps the rows at a bound and those that an evaluation in a later slot can see.
    """
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
    """SQL expressions that are equal for elements that enter and leave a window together (TimeWindowOp.lifetimes)."""
    if window is None or window.slide == 1:
        return [START]
    comes = f"greatest({up(START, window.slide)}, {window.slide - 1}L)"
    return [comes] if window.size is None else [comes, up(f"{START} + {window.size + 1}L", window.slide)]


def up(text: str, slide: int) -> str:
    """The SQL for the smallest multiple of the slide that is not below `text`."""
    return f"(({text} + {slide - 1}L) - pmod({text} + {slide - 1}L, {slide}L))"
