"""Nasty values: random tables with everything that writers of csv, json and parquet may disagree about."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from decimal import Decimal
from struct import pack, unpack
from typing import Any

import pyarrow as pa

from tailrace.columnar.arrow_types import arrow_type
from tailrace.types import (
    BIGINT,
    BINARY,
    BOOLEAN,
    DATE,
    DOUBLE,
    FLOAT,
    INT,
    INTEGER_BITS,
    SMALLINT,
    STRING,
    TIMESTAMP,
    TINYINT,
    Type,
    array,
    decimal,
    map_of,
    struct,
)

FLAT = (
    BOOLEAN,
    TINYINT,
    SMALLINT,
    INT,
    BIGINT,
    FLOAT,
    DOUBLE,
    decimal(5, 2),
    decimal(9, 0),
    decimal(18, 18),
    decimal(38, 10),
    STRING,
    DATE,
    TIMESTAMP,
)
NESTED = (
    array(INT),
    array(STRING),
    array(array(DOUBLE)),
    map_of(STRING, DOUBLE),
    map_of(INT, array(STRING)),
    struct(("a", INT), ("b c", STRING), ("d", array(TIMESTAMP))),
    array(struct(("x", DATE), ("y", struct(("z", BOOLEAN))))),
    map_of(STRING, struct(("k", decimal(10, 8)))),
)
PIECES = [
    "",
    " ",
    "a",
    "b",
    ",",
    ";",
    '"',
    "\\",
    "\n",
    "\r",
    "\t",
    "\0",
    "\x01",
    "\x1f",
    "\x7f",
    "#",
    "'",
    "é",
    "\u2028",
]
PIECES += ["\u00a0", "😀", "\ufeff", "null", "NULL", '""', "\\n", '\\"', "\b", "\f", "/", "</", "\u0085", "|", "  "]
DOUBLES = [0.0, -0.0, 1.0, -1.5, 1e7, 9999999.0, 1e-3, 9.99e-4, 0.002, 1e23, 8.41e21, 2.0**60, 5e-324, 1.1e-322]
DOUBLES += [1.7976931348623157e308, 2.0**-44, 123456789.125, 0.1, float("nan"), float("inf"), float("-inf")]
DAYS = [0, -1, 18262, -719528, -719529, 2932896, 2932897, -141428, 11_000_000, -1_000_000]
NAMES = ["a", "a b", "A,b", 'q"r', "b\\s", "#c", "é", "x;y", " pad ", "tab\tname", "N"]


def draw_text(draw: random.Random) -> str:
    return "".join(draw.choices(PIECES, k=draw.choice((0, 1, 1, 2, 3, 5))))


def draw_integer(draw: random.Random, bits: int) -> int:
    edge = 2 ** (bits - 1)
    return draw.choice((0, 1, -1, 7, edge - 1, -edge, draw.randrange(-edge, edge)))


def draw_double(draw: random.Random) -> float:
    anything = unpack("<d", draw.randbytes(8))[0]
    return float(
        draw.choice(
            (
                draw.choice(DOUBLES),
                anything,
                draw.randrange(1000) / 8,
                round(draw.random() * 100, 2),
                draw.randrange(10**5) * 10.0 ** draw.randrange(-30, 30),
                draw.randrange(2**53, 2**63),
            )
        )
    )


def draw_float(draw: random.Random) -> float:
    bits = draw.choice((draw.randbytes(4), pack("<f", draw.random() * 100)))
    return float(draw.choice((unpack("<f", bits)[0], draw.randrange(1000) / 8, 0.0, -0.0, float("nan"))))


def draw_decimal(draw: random.Random, precision: int, scale: int) -> Decimal:
    digits = draw.choice((0, 1, -1, 10**precision - 1, draw.randrange(-(10**precision) + 1, 10**precision)))
    digits //= 10 ** draw.choice((0, 0, draw.randrange(precision)))
    return Decimal(f"{digits}E-{scale}")


def draw_moment(draw: random.Random) -> int:
    day = draw.choice((*DAYS, draw.randrange(-20000, 40000)))
    return day * 86_400_000_000 + draw.choice((0, 1, 999, 1000, 123_456, draw.randrange(86_400_000_000)))


def draw_value(draw: random.Random, type: Type) -> Any:
    """A value as Arrow takes it for the type, or None."""
    if draw.random() < 0.15:
        return None
    if type in INTEGER_BITS:
        return draw_integer(draw, INTEGER_BITS[type])
    simple: dict[Type, Callable[[], Any]] = {
        BOOLEAN: lambda: draw.random() < 0.5,
        FLOAT: lambda: draw_float(draw),
        DOUBLE: lambda: draw_double(draw),
        STRING: lambda: draw_text(draw),
        BINARY: lambda: draw.randbytes(draw.randrange(5)),
        DATE: lambda: draw.choice((*DAYS, draw.randrange(-20000, 40000))),
        TIMESTAMP: lambda: draw_moment(draw),
    }
    if type in simple:
        return simple[type]()
    if type.name == "DECIMAL":
        return draw_decimal(draw, *type.args)
    if type.name == "ARRAY":
        return [draw_value(draw, type.args[0]) for _ in range(draw.randrange(4))]
    if type.name == "MAP":
        keys = {key for _ in range(draw.randrange(4)) if (key := draw_value(draw, type.args[0])) is not None}
        return [(key, draw_value(draw, type.args[1])) for key in sorted(keys)]
    return {name: draw_value(draw, part) for name, part in type.args}


def draw_table(draw: random.Random, types: Sequence[Type], rows: int) -> pa.Table:
    """A table as results are: `_ts` first, which is never NULL, then columns of these types."""
    names = draw.sample(NAMES, len(types))
    columns = [pa.array([draw.randrange(10**6) for _ in range(rows)], pa.int64())]
    columns += [pa.array([draw_value(draw, type) for _ in range(rows)], arrow_type(type)) for type in types]
    fields = [pa.field("_ts", pa.int64()), *map(pa.field, names, map(arrow_type, types))]
    return pa.Table.from_arrays(columns, schema=pa.schema(fields))
