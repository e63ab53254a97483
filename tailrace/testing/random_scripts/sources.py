"""Sources: random streams and relations of all types and file formats, with rows that come in any allowed order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Any

from tailrace.testing.random_scripts.choices import Choices

ORIGIN = datetime(2024, 3, 1, 10)
FORMATS = ("parquet", "json", "csv")
# Few values each, so that tuples are often equal and joins find partners.
VALUES: dict[str, tuple[Any, ...]] = {
    "INT": (1, 0, 2, 1, 2, 3, -1, None),
    "BIGINT": (1, 0, 2, 5_000_000_000, None),
    "SMALLINT": (1, 0, 2, -3, None),
    "STRING": ("a", "b", "ab", "B", "a_b", "é", "%", None),
    "BOOLEAN": (True, False, None),
    "DOUBLE": (0.5, 0.0, 1.0, -2.25, 1.0, None),
    "DECIMAL(9,2)": (Decimal("1.50"), Decimal("0.00"), Decimal("-2.25"), Decimal("1.50"), None),
    "DATE": (date(2024, 3, 1), date(2024, 2, 29), date(1999, 12, 31), None),
    "TIMESTAMP": (datetime(2024, 3, 1, 10), datetime(2024, 3, 1, 10, 0, 1, 500_000), None),
}
TYPES = ("INT", "INT", "STRING", "DOUBLE", "BOOLEAN", "BIGINT", "DECIMAL(9,2)", "DATE", "TIMESTAMP", "SMALLINT")

Row = tuple[int | None, str | None, tuple[Any, ...]]  # the instant, the sign of a change, the tuple


@dataclass(frozen=True)
class RandomSource:
    """A source: what it is, its columns with their types, its format, and its rows in the order of arrival.

    `kind` is stream, static, growing, signed or upsert; the last row of the list is the newest to arrive.
    """

    name: str
    kind: str
    columns: tuple[tuple[str, str], ...]
    format: str
    delay: int
    rows: tuple[Row, ...]

    @property
    def is_stream(self) -> bool:
        return self.kind == "stream"

    @property
    def is_static(self) -> bool:
        return self.kind == "static"

    def inputs(self, since: int = 0) -> list[Any]:
        """The rows as the reference takes them, those of a static table or from an instant on."""
        dated = [row for row in self.rows if row[0] is None or row[0] >= since]
        if self.is_static:
            return [(None, None, row) for _, _, row in dated]
        in_order = sorted(dated, key=lambda row: row[0] or 0)
        return [(instant, row) for instant, _, row in in_order] if self.is_stream else in_order

    def dated_rows(self, in_ticks: bool) -> list[tuple[Any, ...]]:
        """The rows as flat tuples: the timestamp, the sign of a change, the values, those that the source has."""

        def stamp(instant: int | None) -> Any:
            return instant if in_ticks or instant is None else ORIGIN + instant * timedelta(seconds=1)

        signs = self.kind == "signed"
        return [
            (*(() if self.is_static else (stamp(instant),)), *((sign,) if signs else ()), *row)
            for instant, sign, row in self.rows
        ]

    def statement(self, path: str, in_ticks: bool, files_a_batch: int | None) -> str:
        """CREATE STREAM or RELATION over files in a folder."""
        columns = ", ".join(f"{name} {type}" for name, type in self.columns)
        options = [f"path '{path}'"]
        if files_a_batch and not self.is_static:
            options.append(f"maxFilesPerTrigger '{files_a_batch}'")
        what = "STREAM" if self.is_stream else "RELATION"
        text = f"CREATE {what} {self.name} ({columns}) USING {self.format} OPTIONS ({', '.join(options)})"
        if not self.is_static:
            unit = "" if in_ticks else " SECONDS"
            # No file is there yet when a script is drawn: one stream says by itself that timestamps count ticks.
            stamp = "(ts + 0)" if self.name == "S0" and in_ticks else "ts"
            text += f" TIMESTAMP BY {stamp}" + (f" DELAY {self.delay}{unit}" if self.delay else "")
        text += " OP BY op" if self.kind == "signed" else ""
        text += f" KEY ({self.columns[0][0]})" if self.kind == "upsert" else ""
        return text + ";"

    def without_row(self, place: int) -> RandomSource:
        return replace(self, rows=self.rows[:place] + self.rows[place + 1 :])


def draw_source(choices: Choices, name: str, kind: str, last: int, phases: Sequence[int]) -> RandomSource:
    """A source whose moving rows end at `last`; rows of a later phase come after all of an earlier one."""
    types = ["INT", *(choices.pick(TYPES) for _ in range(choices.number(1, 3)))]
    columns = tuple(zip("abcd", types, strict=False))
    format = choices.pick(FORMATS)
    delay = 0 if kind == "static" else choices.pick((0, 0, 2, 4))

    def draw_tuple() -> tuple[Any, ...]:
        return tuple(choices.pick(VALUES[type]) for type in types)

    if kind == "static":
        return RandomSource(name, kind, columns, format, 0, tuple((None, None, draw_tuple()) for _ in range(5)))
    rows: list[Row] = []
    there: list[tuple[Any, ...]] = []  # the tuples of a signed relation that can be deleted
    begin = 0
    for end in phases:
        rows += draw_phase(choices, begin, end, delay, draw_tuple)
        begin = end + 1
    if kind == "signed":
        signed: list[Row] = []
        for instant, _, row in sorted(rows, key=lambda row: row[0] or 0):
            gone = bool(there) and choices.one_in(3)
            row = there.pop(choices.number(0, len(there) - 1)) if gone else row
            there += [] if gone else [row]
            signed.append((instant, "-" if gone else "+", row))
        return RandomSource(name, kind, columns, format, 0, tuple(signed))
    return RandomSource(name, kind, columns, format, delay, tuple(rows))


def draw_phase(choices: Choices, begin: int, end: int, delay: int, draw_tuple: Any) -> list[Row]:
    """Rows of the instants from `begin` to `end`, each at most `delay` behind the newest before it; the end has one."""
    count = choices.number(1, 7)
    instants = sorted(choices.number(begin, end) for _ in range(count))
    if choices.one_in(3):
        instants = [instants[0]] * 2 + instants  # equal instants, at the begin
    instants.append(end)
    if delay:
        instants = disorder(choices, instants, delay)
    return [(instant, None, draw_tuple()) for instant in instants]


def disorder(choices: Choices, instants: list[int], delay: int) -> list[int]:
    """Neighbours swapped where the earlier one may still come: less than `delay` behind the newest seen."""
    found = list(instants)
    for place in range(len(found) - 1):
        one, other = found[place], found[place + 1]
        newest = max(found[: place + 2])
        if choices.one_in(2) and newest - one < delay and newest - other < delay:
            found[place], found[place + 1] = other, one
    return found
