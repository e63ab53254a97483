"""Push-down: feeds as Spark SQL, so that Catalyst filters, projects, adds up per key and instant, and picks shards."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import pyarrow as pa
from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from tailrace.logical.expressions import Column, Expression, all_of
from tailrace.logical.spark_text import spark_text, spark_type
from tailrace.logical.windows import TimeWindow
from tailrace.physical.arrow_types import type_of
from tailrace.physical.cut_stages import Feed
from tailrace.physical.partial_aggregates import Partial, Sum
from tailrace.physical.wire import PORT, SHARD, START, UNTIL, WEIGHT, Wire
from tailrace.types import VOID

FILE, BLOCK, LINE = "_file", "_block", "_line"
ORDER = (FILE, BLOCK, LINE)

ColumnText = Callable[[Column], str]


@dataclass(frozen=True)
class Place:
    """Where a feed goes: its port of the stage's wire, and over how many shards; ordered rows keep what orders them."""

    wire: Wire
    port: int
    shards: int
    ordered: bool


def column_text(slots: Mapping[int, int]) -> ColumnText:
    """Columns of an origin by the slots in which they are."""
    return lambda column: f"w{slots[column.index]}"


def value(expression: Expression, named: ColumnText) -> str:
    """An expression, in the type that it was given."""
    text = spark_text(expression, named)
    if isinstance(expression, Column) or expression.type == VOID:
        return text
    return f"CAST({text} AS {spark_type(expression.type)})"


def prepared(rows: DataFrame, feed: Feed, named: ColumnText, place: Place) -> DataFrame:
    """A feed's rows on the wire. `rows` have a start (until and weight too, unless the wire is plain) and slots."""
    if feed.predicates:
        rows = rows.where(spark_text(all_of(feed.predicates), named))
    shard = shard_text(feed.key, named, place.shards)
    if feed.partial:
        rows = added_up(rows, feed.partial, shard, named)
        columns, shard = [f"p{number}" for number in range(len(feed.types))], SHARD
    else:
        columns = [value(column, named) for column in feed.columns]
    heads = {PORT: f"{place.port} AS {PORT}", START: START, UNTIL: UNTIL, WEIGHT: WEIGHT}
    slots = dict(zip(place.wire.places[place.port], columns, strict=True))
    filled = [
        f"{slots[slot] if slot in slots else nothing(type)} AS w{slot}" for slot, type in enumerate(place.wire.types)
    ]
    order: tuple[str, ...] = ()
    if place.ordered:
        order = ORDER if feed.ordered else tuple(f"NULL AS {name}" for name in ORDER)
    return rows.selectExpr(*(heads[name] for name in place.wire.heads), *filled, f"{shard} AS {SHARD}", *order)


def nothing(type: pa.DataType) -> str:
    kind = type_of(type)
    return "NULL" if kind == VOID else f"CAST(NULL AS {spark_type(kind)})"


def shard_text(key: Sequence[Expression] | None, named: ColumnText, shards: int) -> str:
    """The number of a row's shard."""
    if key is None:
        return f"pmod(spark_partition_id(), {shards})"
    if not key:
        return "0"
    return f"pmod(hash({', '.join(value(part, named) for part in key)}), {shards})"


def added_up(rows: DataFrame, part: Partial, shard: str, named: ColumnText) -> DataFrame:
    """One row for the tuples of a key that come and go together; the sums are exact, so their order does not matter."""
    keys = [f"{value(key, named)} AS p{number}" for number, key in enumerate(part.keys)]
    lives = [f"{text} AS _life{number}" for number, text in enumerate(lifetime(part.window))]
    arguments = {each: f"_a{number}" for number, each in enumerate(part.sums)}
    given = [f"{argument(each, named)} AS {name}" for each, name in arguments.items()]
    narrow = rows.selectExpr(*keys, *lives, f"{shard} AS {SHARD}", START, *given)
    groups = [f"p{number}" for number in range(len(keys))] + [f"_life{number}" for number in range(len(lives))]
    sums = [
        F.expr(f"CAST({each.function}({name}) AS {spark_type(type_of(each.type))})").alias(f"p{len(keys) + number}")
        for number, (each, name) in enumerate(arguments.items())
    ]
    return narrow.groupBy(*groups, SHARD).agg(F.min(START).alias(START), *sums)


def argument(each: Sum, named: ColumnText) -> str:
    text = "1" if each.argument is None else value(each.argument, named)
    return text if each.condition is None else f"IF({spark_text(each.condition, named)}, {text}, NULL)"


def lifetime(window: TimeWindow | None) -> list[str]:
    """What elements of a window that come and go together have in common; see SeqWindow.lifetimes."""
    if window is None or window.slide == 1:
        return [START]
    comes = f"greatest({up(START, window.slide)}, {window.slide - 1})"
    return [comes] if window.size is None else [comes, up(f"{START} + {window.size + 1}", window.slide)]


def up(text: str, slide: int) -> str:
    """The next multiple of the slide."""
    return f"(({text} + {slide - 1}) - pmod({text} + {slide - 1}, {slide}))"
