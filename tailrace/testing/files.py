"""Files: what the declared sources of a script hold, read from csv and json files and put on the clock.

`read_inputs` gives what `evaluate` takes: for each source its rows with their instants, and the last instant.
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

from tailrace.catalog.sources import Declared, EventTime, Relation, Stream
from tailrace.settings import Settings
from tailrace.testing.reference.casts import cast, fraction, read_moment, rescale
from tailrace.types import STRING, Type, is_decimal, is_fraction, is_integer

Record = Mapping[str, Any]
Stamp = int | datetime | None
Dated = tuple[Stamp, str | None, tuple[Any, ...]]
EPOCH = datetime(1970, 1, 1)
NANOSECONDS = {"SECONDS": 10**9, "MILLISECONDS": 10**6, "MICROSECONDS": 10**3, "NANOSECONDS": 1}
INTEGER = re.compile(r"\s*[+-]?\d+\s*")


@dataclass(frozen=True)
class Clock:
    """Instants and the timestamps they stand for; `origin` is None where timestamps are ticks."""

    origin: datetime | None
    tick: timedelta

    def instant(self, stamp: Stamp) -> int:
        if isinstance(stamp, datetime):
            assert self.origin is not None, "moments and ticks in one script"
            return (stamp - self.origin) // self.tick
        assert isinstance(stamp, int), "a row without a timestamp"
        assert self.origin is None, "moments and ticks in one script"
        return stamp

    @property
    def ticks_to_origin(self) -> int:
        """How many whole ticks after 1970 instant 0 is; 0 where timestamps are ticks."""
        return 0 if self.origin is None else (self.origin - EPOCH) // self.tick

    def stamp(self, instant: int) -> int | datetime:
        return instant if self.origin is None else self.origin + instant * self.tick


@dataclass(frozen=True)
class ScriptInputs:
    """All that the sources hold up to the last instant, in the order of arrival."""

    rows: dict[str, list[Any]]
    last_instant: int
    clock: Clock


def read_inputs(
    sources: Iterable[Declared],
    settings: Settings,
    until: int | str | None = None,
    given: Mapping[str, list[Dated]] | None = None,
) -> ScriptInputs:
    """Read what a script's queries read; the run ends at `until`, or with the newest timestamp.

    Sources that are among the `given` rows are not read.
    """
    known = given or {}
    dated = {
        source.name: (source, known[source.name] if source.name in known else read_source(source)) for source in sources
    }
    stamps = [stamp for _, rows in dated.values() for stamp, _, _ in rows if stamp is not None]
    clock = clock_for(stamps, settings)
    if until is None:
        last_instant = max((clock.instant(stamp) for stamp in stamps), default=0)
    else:
        last_instant = clock.instant(until if isinstance(until, int) else read_moment(until))
    rows = {name: put_on_clock(source, found, clock, last_instant) for name, (source, found) in dated.items()}
    return ScriptInputs(rows, last_instant, clock)


def clock_for(stamps: Sequence[int | datetime], settings: Settings) -> Clock:
    """With TIMESTAMPs time begins at the earliest element's tick, unless `SET origin` says when (semantics B.5)."""
    moments = [stamp for stamp in stamps if isinstance(stamp, datetime)]
    tick = timedelta(microseconds=settings.tick)
    if not moments:
        return Clock(None, tick)
    if settings.origin:
        return Clock(settings.origin.replace(tzinfo=None), tick)
    return Clock(EPOCH + (min(moments) - EPOCH) // tick * tick, tick)


def put_on_clock(source: Declared, rows: Sequence[Dated], clock: Clock, last_instant: int) -> list[Any]:
    """The rows on the clock; a source with a DELAY is as good as one that arrived in order."""
    found = [(None if stamp is None else clock.instant(stamp), op, row) for stamp, op, row in rows]
    kept = [change for change in found if change[0] is None or 0 <= change[0] <= last_instant]
    in_order = sorted(kept, key=lambda change: change[0] or 0)
    if isinstance(source, Stream):
        return [(instant, row) for instant, _, row in in_order]
    return in_order


def read_source(source: Declared) -> list[Dated]:
    records = list(read_records(source))
    stamp_of = stamp_reader(source, records)
    op = source.op if isinstance(source, Relation) else None
    return [
        (
            stamp_of(record),
            str(record[op.lower()]).strip() if op else None,
            tuple(read_value(record.get(column.name.lower()), column.type) for column in source.schema),
        )
        for record in records
    ]


def stamp_reader(source: Declared, records: Sequence[Record]) -> Any:
    """A timestamp column of integers counts ticks, any other is a TIMESTAMP (semantics B.3)."""
    if source.timestamp is None:
        assert isinstance(source, Relation), f"{source.name} is stamped by the clock at arrival"
        return lambda record: None
    if source.event_time is not None:
        return stamp_by_expression(source.event_time)
    name = source.timestamp.lower()
    listed = source.schema.find(name)
    if listed:
        in_ticks = is_integer(source.schema[listed[0]].type)
    else:
        in_ticks = all(INTEGER.fullmatch(str(record[name])) for record in records if record.get(name) is not None)
    return lambda record: int(record[name]) if in_ticks else read_moment(str(record[name]))


def stamp_by_expression(time: EventTime) -> Any:
    """A column IN a unit since 1970; other expressions are for Spark to compute."""
    shown, _, unit = time.shown.upper().rpartition(" IN ")
    ((name, _),) = time.reads
    assert shown == name.upper(), f"the reference reads no {time.shown}"
    nanoseconds = NANOSECONDS[unit]
    return lambda record: EPOCH + timedelta(microseconds=int(record[name.lower()]) * nanoseconds // 1000)


def read_records(source: Declared) -> Iterator[Record]:
    """The records of all files in the order of their names, by lower-case column names."""
    options = {key.lower(): value for key, value in source.options}
    path = Path(source.folder or ".", options["path"])
    paths = sorted(path.iterdir(), key=lambda file: file.name) if path.is_dir() else [path]
    for file in paths:
        with file.open(encoding="utf-8", newline="") as lines:
            if source.format == "csv":
                yield from read_csv(lines, source, options)
            else:
                assert source.format == "json", f"the reference reads csv and json, not {source.format}"
                for line in filter(str.strip, lines):
                    yield {key.lower(): value for key, value in json.loads(line, parse_float=Decimal).items()}


def read_csv(lines: Iterable[str], source: Declared, options: Mapping[str, str]) -> Iterator[Record]:
    """Columns go by the header's names; without a header by position. An empty field is NULL."""
    rows = csv.reader(lines, delimiter=options.get("delimiter") or options.get("sep") or ",")
    if options.get("header", "true").lower() == "true":
        names = [name.removeprefix("\ufeff") for name in next(rows, [])]
    else:
        names = list(source.schema.names)
    for row in rows:
        yield {name.strip().lower(): field or None for name, field in zip(names, row, strict=False)}


def read_value(field: Any, type: Type) -> Any:
    """A field of a csv file, which is text, or of a json file, as a value of the declared type."""
    if field is None or isinstance(field, str):
        return field if type == STRING else cast(field, STRING, type)
    if isinstance(field, int | Decimal) and not isinstance(field, bool):
        if is_decimal(type):
            return rescale(Decimal(field), type)
        if is_fraction(type):
            return fraction(float(field), type)
    return str(field) if type == STRING else field
