"""Random predicates: of every form that an index knows and of some that it does not, and rows for them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime
from decimal import Decimal
from random import Random
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tailrace.columnar.arrow_types import arrow_type
from tailrace.columnar.evaluate import evaluate
from tailrace.logical.expressions import Call, Column, Expression, Literal
from tailrace.operators.families.routing.grouped_filter import (
    CutIndex,
    GroupedFilter,
    Probe,
    clip_to_64_bits,
    cut_array,
)
from tailrace.operators.families.routing.ordinals import Key, is_long, ordinals
from tailrace.operators.families.routing.regions import Region
from tailrace.types import (
    BIGINT,
    BOOLEAN,
    DATE,
    DOUBLE,
    FLOAT,
    INT,
    SMALLINT,
    STRING,
    TIMESTAMP,
    TIMESTAMP_NTZ,
    VOID,
    Type,
    decimal,
)

MONEY, WIDE = decimal(6, 2), decimal(30, 3)
ENDS = [2**63 - 1, -(2**63), 2**63 - 2]
TEXTS = ["", "a", "a\0", "ab", "b", "B", "äö", "日本", "\U0001f600", "\uffee", "a%b"]
VALUES: dict[Type, list[Any]] = {
    INT: [*range(-3, 8), 2**31 - 1, -(2**31)],
    SMALLINT: [*range(-3, 8), 2**15 - 1, -(2**15)],
    BIGINT: [*range(-3, 8), *ENDS, 2**53, 2**53 + 1],
    DOUBLE: [0.0, -0.0, 1.0, 1.5, 2.0, -2.5, 5e-324, -5e-324, 1e300, math.nan, math.inf, -math.inf],
    FLOAT: [0.0, -0.0, 1.0, 1.5, -2.5, 0.5, math.nan, math.inf, -math.inf],
    STRING: TEXTS,
    DATE: [date(1969, 12, 31), date(1970, 1, 1), date(2024, 2, 29), date(2024, 3, 1)],
    TIMESTAMP: [datetime(2024, 2, 29, 23, 59, 59, 999999), datetime(1969, 12, 31, 1), datetime(2024, 3, 1)],
    TIMESTAMP_NTZ: [datetime(2024, 2, 29, 23, 59, 59, 5), datetime(1969, 12, 31)],
    MONEY: [*map(Decimal, ("0.00", "0.01", "-2.50", "1.00", "1.50", "9999.99"))],
    WIDE: [*map(Decimal, ("0.000", "1.000", "-2.501", "99999999999999999999999.125"))],
    BOOLEAN: [True, False],
}
# What a column is compared with, after a cast where the types differ.
BESIDE: dict[Type, list[Type]] = {
    INT: [INT, BIGINT, DOUBLE, MONEY, decimal(12, 2), FLOAT, SMALLINT],
    SMALLINT: [SMALLINT, INT, BIGINT, DOUBLE, FLOAT],
    BIGINT: [BIGINT, INT, DOUBLE, decimal(22, 2)],
    DOUBLE: [DOUBLE, INT, FLOAT],
    FLOAT: [FLOAT, DOUBLE],
    MONEY: [MONEY, INT, decimal(12, 4), DOUBLE],
    WIDE: [WIDE, INT, MONEY],
}
SCHEMA = tuple(type for type in VALUES for _ in range(1 if type in (BOOLEAN, TIMESTAMP_NTZ, SMALLINT) else 2))
SIGNS = ("=", "<>", "<", "<=", ">", ">=", "<=>")
PATTERNS = ("a%", "%b", "_", "%", "a\\%b", "ab", "ä%%", "", "日%")


class Draw:
    """Draws predicates over the columns of SCHEMA, and rows."""

    def __init__(self, seed: int, types: Sequence[Type] = tuple(VALUES)) -> None:
        self.random = Random(seed)
        self.columns = [Column(at, type, f"c{at}") for at, type in enumerate(SCHEMA) if type in types]

    def chance(self, of: float) -> bool:
        return self.random.random() < of

    def rows(self, count: int) -> list[tuple[Any, ...]]:
        return [
            tuple(None if self.chance(0.15) else self.random.choice(VALUES[type]) for type in SCHEMA)
            for _ in range(count)
        ]

    def literal(self, of: Type) -> Literal:
        if self.chance(0.06):
            return Literal(None, of)
        near = decimal(6, 2) if of.name == "DECIMAL" and of not in VALUES else of
        kept = self.random.choice(VALUES[near])
        return Literal(str(kept) if isinstance(kept, date) else kept, of)

    def item(self, column: Column) -> Expression:
        """A constant beside a column."""
        if self.chance(0.05):
            return Literal(None, VOID)
        if column.of in (BIGINT, DOUBLE, MONEY) and self.chance(0.1):
            return Call("cast", (Literal(self.random.randint(0, 3), INT),), column.of)
        return self.literal(self.random.choice(BESIDE.get(column.of, [column.of])))

    def items(self, column: Column) -> list[Expression]:
        """Constants of one type, as the analyser makes them."""
        of = self.random.choice(BESIDE.get(column.of, [column.of]))
        return [self.literal(of) for _ in range(self.random.randint(1, 6))]

    def atom(self) -> Expression:
        column = self.random.choice(self.columns)
        kind = self.random.random()
        if kind < 0.1:
            return call(self.random.choice(["is null", "is not null", "isnull", "isnotnull"]), column)
        if kind < 0.2:
            return call("in", column, *self.items(column))
        if kind < 0.3:
            return call("between", column, self.item(column), self.item(column))
        if kind < 0.35:
            return Literal(self.random.choice([True, False, None]), BOOLEAN)
        if kind < 0.5:
            return self.unindexed(column)
        sides = [column, self.item(column)]
        if column.of == INT and self.chance(0.1):
            sides = [Call("cast", (column,), DOUBLE), self.literal(DOUBLE)]
        if self.chance(0.3):
            sides.reverse()
        return call(self.random.choice(SIGNS), *sides)

    def unindexed(self, column: Column) -> Expression:
        other = self.random.choice([each for each in self.columns if each.of == column.of])
        if column.of == STRING and self.chance(0.7):
            return call("like", column, Literal(self.random.choice(PATTERNS), STRING))
        if column.of == BOOLEAN:
            return column
        return call(self.random.choice(SIGNS), column, other)

    def predicate(self, depth: int) -> Expression:
        if depth == 0 or self.chance(0.15):
            return self.atom()
        name = self.random.choice(["and", "and", "or", "or", "not", "is true", "is false", "is null", "is not true"])
        if name.startswith("is ") and self.chance(0.5):
            name = "and"
        count = self.random.choice([2, 2, 3]) if name in ("and", "or") else 1
        return call(name, *(self.predicate(depth - 1) for _ in range(count)))


def call(name: str, *arguments: Expression) -> Call:
    return Call(name, arguments, BOOLEAN)


def columns_of_rows(rows: Sequence[tuple[Any, ...]]) -> list[pa.Array]:
    """The rows as slices out of the middle of longer arrays, as operators pass them."""
    found = []
    for values, type in zip(zip(*rows, strict=True), SCHEMA, strict=True):
        zoned = [each.replace(tzinfo=UTC) if type == TIMESTAMP and each is not None else each for each in values]
        found.append(pa.array([None, *zoned, None], arrow_type(type)).slice(1, len(rows)))
    return found


def passes(predicate: Expression, columns: Sequence[pa.Array], length: int) -> np.ndarray:
    """By the evaluator of single expressions, for every row."""
    truth = evaluate(predicate, columns, length)
    return np.asarray(pc.fill_null(truth, False).to_numpy(zero_copy_only=False), bool)


def index_of(column: Column, regions: Mapping[int, Region], everyone: int) -> CutIndex:
    """The index of regions, which are given by their members' bits."""
    cuts: list[Key] = []
    bits: list[int] = []
    members = below = null = 0
    for bit, region in regions.items():
        region = clip_to_64_bits(region) if is_long(column.of) else region
        cuts += region.cuts
        bits += [bit] * len(region.cuts)
        members |= 1 << bit
        below |= region.below << bit
        null |= region.null << bit
    return CutIndex(column.index, cut_array(cuts, column), np.array(bits, np.uint16), everyone, members, below, null)


def find_rows(filter: GroupedFilter, values: pa.Array) -> np.ndarray:
    """For each value the row of the filter's table with the members it satisfies."""
    return Probe(filter, ordinals(values)).rows(slice(None))
