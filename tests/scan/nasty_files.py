"""Nasty files: random files with everything that readers of csv and json may disagree about."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Sequence
from datetime import date
from decimal import Context, Decimal

import pyarrow as pa

from tailrace.columnar.arrow_types import arrow_type
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
    TINYINT,
    Type,
    decimal,
    is_decimal,
    is_integer,
)

TYPES = (
    BOOLEAN,
    TINYINT,
    SMALLINT,
    INT,
    BIGINT,
    FLOAT,
    DOUBLE,
    decimal(5, 2),
    decimal(38, 10),
    STRING,
    DATE,
    TIMESTAMP,
)

INTEGERS = """
    0 -0 +0 7 -7 +7 007 -007 127 128 -128 -129 255 32767 32768 -32768 2147483647 2147483648 -2147483648 -2147483649
    9223372036854775807 9223372036854775808 -9223372036854775808 -9223372036854775809 99999999999999999999
    00000000000000000000000000000000000000000000000005 00000000000000000000000000000000000000000000000000000000000000005
    0x1F 0X1F -0x1 1e3 1.0 1. 5L 1_000 ٥ ٥٦ 𝟓 ５ - + -- +-1 1- ¹ ½
""".split()
FRACTIONS = """
    0 -0 0.0 -0.0 1 +1 -1 1.5 .5 5. . -. +.5 1e5 1E5 1e+5 1e-5 1e 1e+ e5 1e400 -1e400 1e-400 4.9e-324 2.5e-324
    1.7976931348623157e308 1.7976931348623159e308 3.4028235e38 3.4028236e38 1e39 1e-46 16777217 0.1 0.30000000000000004
    123456789012345678901234567890 0.1234567890123456789012345678901234567890 NaN nan NAN -NaN +NaN Inf -Inf +Inf inf
    -inf INF Infinity -Infinity +Infinity infinity 1d 1D 1f 1F 1.5d 1e5f 0x1p3 0x1.8p1 0x1p 0xA 1,5 1_0 1__0 ٥ 1.٥
    nan(1)    9007199254740993 9007199254740992.5 2.2250738585072011e-308 1.00000017881393432617187499
    1.00000017881393432617187500
""".split()
DECIMALS = """
    999.99 999.994 999.995 1000 -999.99 0.005 0.004 -0.005 1e2 1e-2 1E+2 1e3 1e-20 12345678901234567890123456.1234567891
    1234567890123456789012345678.12345678905 12345678901234567890123456789 00000000000000000000000000000000000000000001
    1,000 ,1 1, 0.00000000005 0.000000000049999 +1 1. .1 0e0 1e99 1e-99
""".split()
BOOLEANS = "true false TRUE FALSE True False tRuE fALSE t f 1 0 yes no falſe tru true1 ttrue".split()
DATES = """
    2024-03-01 2024-3-1 2024-03 2024 2024- 2024-03-01T 2024-03-01T12:00 2024-03-01x 2024-02-30 2023-02-29 2024-02-29
    0000-01-01 0001-01-01 9999-12-31 10000-01-01 +12345-01-01 -0001-01-01 1582-10-10 1969-12-31 2024-00-01 2024-13-01
    20240301 03/01/2024 2024/03/01 24-03-01 2024-03-01GMT GMT2024-03-01 2024-03-001 1234567-01-01 12345678-01-01
    99999-1-1 +2024-3-1 2024-03-0x T 5881580-07-11 5881580-07-12 ２０２４-03-01
""".split()
CLOCKS = """
    00:00:00 12:30:45 12:30 12 1:2:3 23:59:59 24:00:00 23:60:00 23:59:60 12:30:45.5 12:30:45.123456 12:30:45.1234567
    12:30:45.123456789 12:30:45. 12:30: 12: 123045 12:30:45,5 1:2 12:30:45.12x 12:30:4x 12.30 :30:00
""".split()
ZONES = [
    *[""] * 12,
    *"""Z z +01 +01:00 +0100 +1 +1:00 +1:0 +01:0 -08:00 +18:00 +18:01 +19 -18:00 +01:00:30 +010030 +01:60 UTC GMT UT
    UTC+1 UTC+01:00 GMT-3 GMT-03:00 GMT+1:30 UTCx GMT+ ZZ +: + - abc .5 ZGMT +01:0:0""".split(),
    " UTC",
    " +01:00",
    "  Z",
    " ",
]
WORDS = [
    "",
    "a",
    "ann",
    "bob, the",
    "a b",
    " a",
    "a ",
    "\t",
    "NA",
    "NULL",
    "null",
    "ä",
    "日本",
    "😀",
    "x\0y",
    "\0",
    "\x7f",
    "\ufeff",
]
BLANKS = ["", "", "", "", "", "", "", "", " ", "\t", "  ", "\x0b", "\x0c", "\x01", "\x7f", "\xa0", "\u3000", "\0"]
ODD_BYTES = [
    b'"',
    b'"',
    b'""',
    b"\\",
    b'\\"',
    b",",
    b";",
    b"\t",
    b" ",
    b"\0",
    b"\xff",
    b"\xc3",
    b"\xed\xa0\x80",
    b"\xed\xa0",
    b"\xe2\x82",
]
ODD_BYTES += [
    b"\xf0\x9f\x98",
    b"\xf0\x8f\xbf\xbf",
    b"\xf4\x90\x80\x80",
    b"\xc0\x80",
    b"\xef\xbb\xbf",
    b"'",
    b"#",
    b"\r",
    b"\n",
    b"5",
    b"\xe0\x80",
    b"\xed\xa0x",
]
LINE_ENDS = [b"\n"] * 8 + [b"\r\n"] * 2 + [b"\r", b"\n\n", b"\r\r\n", b"\n\r"]
BLANK_LINES = [b"", b" ", b"\t\t", b" \x00 ", b"   ", b"\x0c"]

Draw = random.Random


def random_text(draw: Draw, type: Type) -> str:
    """A text in a column of a type: mostly a value of the type, sometimes with blanks around it, or anything."""
    if draw.random() < 0.08:
        return draw.choice(WORDS)
    if draw.random() < 0.04:
        type = draw.choice(TYPES)
    text = _text_of(draw, type)
    if type != STRING and draw.random() < 0.1:
        return draw.choice(BLANKS) + text + draw.choice(BLANKS)
    return text


def _text_of(draw: Draw, type: Type) -> str:
    if type == STRING:
        return draw.choice(WORDS) if draw.random() < 0.5 else f"w{draw.randrange(100)}"
    if type == BOOLEAN:
        return draw.choice(BOOLEANS) if draw.random() < 0.4 else draw.choice(("true", "false"))
    if type == DATE:
        return draw.choice(DATES) if draw.random() < 0.4 else _day(draw)
    if type == TIMESTAMP:
        return random_timestamp(draw)
    if is_integer(type):
        return draw.choice(INTEGERS) if draw.random() < 0.3 else str(draw.randrange(-200, 200))
    pool = DECIMALS + FRACTIONS if is_decimal(type) else FRACTIONS
    if draw.random() < 0.4:
        return draw.choice(pool)
    return f"{draw.uniform(-1000, 1000):.{draw.randrange(12)}{draw.choice('fe')}}"


def _day(draw: Draw) -> str:
    return f"{draw.randrange(1900, 2100)}-{draw.randrange(1, 13):02}-{draw.randrange(1, 29):02}"


def random_timestamp(draw: Draw) -> str:
    day = draw.choice(DATES) if draw.random() < 0.15 else _day(draw)
    if draw.random() < 0.1:
        return day
    clock = draw.choice(CLOCKS) if draw.random() < 0.3 else f"{draw.randrange(24):02}:00:{draw.randrange(60):02}"
    zone = draw.choice(ZONES) if draw.random() < 0.3 else ""
    return f"{day}{draw.choice(('T', ' ', ' ', ' '))}{clock}{zone}"


def mutate(draw: Draw, line: bytes) -> bytes:
    """The line with some bytes put in or taken out."""
    for _ in range(draw.randrange(1, 4)):
        at = draw.randrange(len(line) + 1)
        line = line[:at] + draw.choice(ODD_BYTES) + line[at + draw.randrange(2) :]
    return line


def join_lines(draw: Draw, lines: Sequence[bytes]) -> bytes:
    """The lines with line ends of all kinds between them, and sometimes none at the end."""
    usual = draw.choice((b"\n", b"\n", b"\r\n", b"\r"))
    joined = b"".join(line + (usual if draw.random() < 0.9 else draw.choice(LINE_ENDS)) for line in lines)
    return joined.rstrip(b"\r\n") if draw.random() < 0.3 else joined


# Csv ------------------------------------------------------------------------------------------------------


def quote_text(draw: Draw, text: str) -> str:
    inner = text.replace("\\", "\\\\").replace('"', '\\"') if draw.random() < 0.5 else text
    return f'"{inner}"' + (draw.choice(BLANKS) if draw.random() < 0.1 else "")


def csv_line(draw: Draw, types: Sequence[Type], separator: str, tame: bool) -> bytes:
    """A line of csv; a tame one has no more oddities than its values."""
    texts = [random_text(draw, type) for type in types]
    if tame:
        return separator.join(text.replace(separator, "") for text in texts).encode()
    if draw.random() < 0.08:
        texts = texts[: draw.randrange(len(texts) + 1)] if draw.random() < 0.5 else [*texts, draw.choice(texts)]
    texts = [quote_text(draw, text) if draw.random() < 0.2 else text for text in texts]
    line = separator.join(texts).encode()
    return mutate(draw, line) if draw.random() < 0.2 else line


def csv_file(draw: Draw, names: Sequence[str], types: Sequence[Type], separator: str, has_header: bool) -> bytes:
    """A csv file of few lines."""
    tame = draw.random() < 0.4
    lines = [csv_line(draw, types, separator, tame) for _ in range(draw.randrange(12))]
    for _ in range(draw.choice((0, 0, 0, 1, 2))):
        lines.insert(draw.randrange(len(lines) + 1), draw.choice(BLANK_LINES))
    if has_header and draw.random() < 0.97:
        lines.insert(0, separator.join(_header_name(draw, name) for name in names).encode())
        if draw.random() < 0.05:
            lines.insert(0, draw.choice(BLANK_LINES))
    mark = b"\xef\xbb\xbf" * draw.choice((1, 1, 2)) if draw.random() < 0.1 else b""
    return mark + join_lines(draw, lines)


def _header_name(draw: Draw, name: str) -> str:
    forms: list[Callable[[str], str]] = [str.upper, lambda text: f'"{text}"', lambda text: f" {text}"]
    return draw.choice(forms)(name) if draw.random() < 0.05 else name


# Json -----------------------------------------------------------------------------------------------------

JSON_BYTES = [
    b'"',
    b"\\",
    b",",
    b":",
    b"{",
    b"}",
    b"[",
    b"]",
    b" ",
    b"\t",
    b"\0",
    b"5",
    b"-",
    b".",
    b"e",
    b"x",
    b"\\u00e9",
    b"\\q",
]
JSON_VALUES = """
    null true false 0 -0 1 -1 1.0 1.10 -0.0 1e5 1E+5 1e400 -1e400 127 128 200 255 256 -129 32768 2147483648 12345678901
    9223372036854775807 9223372036854775808 1.555 999.995 1000 123456789012345678901234567890 01 1. .5 +1 1e tru nul
    "" "1" "x" "true" "1.5" "1,000" "2024-03-01" "2024-03-01T12:00:00Z" "é"
    "\\u00e9" "\\n" "\\/" "\\ud83d\\ude00" "\\u0000"
    [] {} [1,"a"] {"a":1} [[1]] {"a":{"b":[1]}} "NaN" "Infinity" "-INF" "+INF" "INF" 16777217
    1.00000017881393432617187499 0.30000000000000004 4.9e-324
""".split()


def json_value(draw: Draw, type: Type) -> str:
    """A value of a type as JSON writes it, or another one."""
    if draw.random() < 0.12:
        return draw.choice(JSON_VALUES)
    if type == BOOLEAN:
        return draw.choice(("true", "false"))
    if is_integer(type):
        return str(draw.randrange(-150, 150))
    if type in (DATE, TIMESTAMP, STRING):
        text = random_text(draw, type) if draw.random() < 0.5 else _text_of(draw, type)
        return json.dumps(text, ensure_ascii=draw.random() < 0.5)
    if is_decimal(type) and draw.random() < 0.3:
        return json.dumps(draw.choice(DECIMALS))
    return f"{draw.uniform(-1000, 1000):.{draw.randrange(12)}{draw.choice('fe')}}"


def json_line(draw: Draw, columns: Sequence[tuple[str, Type]], tame: bool) -> bytes:
    """A line of JSON: mostly one object; fields may be missing, in any order, there twice, or of other names."""
    fields = [(name, json_value(draw, type)) for name, type in columns if draw.random() < 0.9]
    if draw.random() < 0.3:
        fields.append((draw.choice(("x", columns[0][0].upper(), columns[0][0])), draw.choice(JSON_VALUES)))
    draw.shuffle(fields)
    blank = draw.choice(("", " ", "")) if tame else draw.choice(("", " ", "\t", "  "))
    inside = f",{blank}".join(f'"{name}"{blank}:{blank}{value}' for name, value in fields)
    line = f"{blank}{{{inside}}}{blank}".encode()
    if tame or draw.random() < 0.8:
        return line
    if draw.random() < 0.3:
        return line[: draw.randrange(len(line) + 1)]
    if draw.random() < 0.2:
        return line + draw.choice((b" x", b"}", b"{}", line))
    for _ in range(draw.randrange(1, 3)):
        at = draw.randrange(len(line) + 1)
        line = line[:at] + draw.choice(JSON_BYTES) + line[at + draw.randrange(2) :]
    return line


def json_file(draw: Draw, columns: Sequence[tuple[str, Type]]) -> bytes:
    """A file of few lines of JSON."""
    tame = draw.random() < 0.4
    lines = [json_line(draw, columns, tame) for _ in range(draw.randrange(12))]
    for _ in range(draw.choice((0, 0, 0, 1, 2))):
        lines.insert(draw.randrange(len(lines) + 1), draw.choice((b"", b" ", b"\t", b"x", b"null", b"5", b'"a"')))
    return (b"\xef\xbb\xbf" if draw.random() < 0.05 else b"") + join_lines(draw, lines)


# Parquet --------------------------------------------------------------------------------------------------


def stored_table(draw: Draw, columns: Sequence[tuple[str, Type]]) -> pa.Table:
    """A table of random values of these types, or of narrower ones; some columns may be missing."""
    rows = draw.choice((0, 1, 2, 7, 20))
    order = draw.sample(columns, len(columns))
    kept = [column for column in order if draw.random() < 0.9] or order[:1]
    arrays = {draw.choice((name, name.upper())): stored_values(draw, type, rows) for name, type in kept}
    return pa.table({**arrays, "other": pa.array([[1]] * rows, pa.list_(pa.int64()))})


def stored_values(draw: Draw, type: Type, rows: int) -> pa.Array:
    stored = arrow_type(type)
    if is_integer(type):
        stored = draw.choice([pa.int8(), pa.int16(), pa.int32(), pa.int64()][: stored.bit_width.bit_length() - 3])
    elif type == DOUBLE:
        stored = draw.choice((pa.int8(), pa.int16(), pa.int32(), pa.float32(), pa.float64()))
    elif type == STRING:
        stored = draw.choice((pa.string(), pa.large_string()))
    elif type == TIMESTAMP:
        stored = pa.timestamp(draw.choice(("us", "ms")), tz=draw.choice((None, "UTC", "Europe/Berlin")))
    elif is_decimal(type):
        precision, scale = type.args
        stored = pa.decimal128(draw.randrange(max(scale, 1), precision + 1), scale)
    values = [None if draw.random() < 0.2 else stored_value(draw, stored) for _ in range(rows)]
    found = pa.array(values, stored)
    return found.dictionary_encode() if type == STRING and draw.random() < 0.3 else found


def stored_value(draw: Draw, stored: pa.DataType) -> object:
    if pa.types.is_boolean(stored):
        return draw.random() < 0.5
    if pa.types.is_integer(stored):
        return draw.choice((0, 1, -1, 2 ** (stored.bit_width - 1) - 1, -(2 ** (stored.bit_width - 1))))
    if pa.types.is_floating(stored):
        return draw.choice((0.0, -0.0, 1.5, float("nan"), float("inf"), float("-inf"), draw.uniform(-1e9, 1e9)))
    if pa.types.is_decimal(stored):
        digits = draw.randrange(10 ** draw.randrange(1, stored.precision + 1))
        return Decimal(digits * draw.choice((1, -1))).scaleb(-stored.scale, Context(prec=60))
    if pa.types.is_date(stored):
        return date(draw.choice((1, 1500, 1582, 1969, 2024, 9999)), draw.randrange(1, 13), draw.randrange(1, 29))
    if pa.types.is_timestamp(stored):
        # Numbers of the unit since 1970: also years before the Gregorian calendar.
        return draw.randrange(-(10**10), 10**10) * (10**6 if stored.unit == "us" else 10**3) + draw.randrange(1000)
    return draw.choice(WORDS)
