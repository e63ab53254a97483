"""Files: the rows of random sources as csv, json and parquet files, one after the other by name and by age."""

from __future__ import annotations

import csv
import json
import os
from collections.abc import Sequence
from datetime import date, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from random import Random
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from tailrace.columnar.arrow_types import arrow_type
from tailrace.language.script import parse_type
from tailrace.testing.random_scripts.sources import ORIGIN, RandomSource, Row

EPOCH = 1_700_000_000


def write_files(source: RandomSource, parts: Sequence[Sequence[Row]], folder: Path, in_ticks: bool, first: int) -> None:
    """A file for each part, numbered from `first`; all of them appear at once in the source's folder."""
    place = folder / source.name
    place.mkdir(parents=True, exist_ok=True)
    for number, rows in enumerate(parts, first):
        file = folder / f"{source.name}.{number}"
        WRITERS[source.format](source, rows, file, in_ticks)
        os.utime(file, (EPOCH + number, EPOCH + number))
        file.rename(place / f"{number:04}.{source.format}")


def names_of(source: RandomSource) -> list[str]:
    extra = [] if source.is_static else ["ts"]
    return [*extra, *(["op"] if source.kind == "signed" else []), *(name for name, _ in source.columns)]


def values_of(source: RandomSource, row: Row, in_ticks: bool) -> list[Any]:
    instant, op, values = row
    stamp = instant if in_ticks or instant is None else ORIGIN + timedelta(seconds=instant)
    extra = [] if source.is_static else [stamp]
    return [*extra, *([op] if source.kind == "signed" else []), *values]


def text_of(value: Any) -> Any:
    """A value as csv and json files hold it."""
    if isinstance(value, bool):
        return value
    if isinstance(value, datetime | date):
        return str(value)
    return value


def write_csv(source: RandomSource, rows: Sequence[Row], file: Path, in_ticks: bool) -> None:
    with file.open("w", newline="", encoding="utf-8") as out:
        writer = csv.writer(out, lineterminator="\n")
        order = list(range(len(names_of(source))))
        Random(file.name).shuffle(order)  # each file has its columns in an order of its own
        writer.writerow([names_of(source)[place] for place in order])
        for row in rows:
            values = values_of(source, row, in_ticks)
            texts = [text_of(values[place]) for place in order]
            writer.writerow(["" if text is None else str(text) for text in texts])


def write_json(source: RandomSource, rows: Sequence[Row], file: Path, in_ticks: bool) -> None:
    with file.open("w", encoding="utf-8") as out:
        for row in rows:
            pairs = zip(names_of(source), values_of(source, row, in_ticks), strict=True)
            known = {name: float(v) if isinstance(v, Decimal) else text_of(v) for name, v in pairs if v is not None}
            out.write(json.dumps(known) + "\n")


def write_parquet(source: RandomSource, rows: Sequence[Row], file: Path, in_ticks: bool) -> None:
    pq.write_table(table_of(source, rows, in_ticks), file)


def table_of(source: RandomSource, rows: Sequence[Row], in_ticks: bool) -> pa.Table:
    """Rows as an Arrow table, with the timestamp and the sign of changes."""
    types = [arrow_type(parse_type(type)) for _, type in source.columns]
    extra = [] if source.is_static else [pa.int64() if in_ticks else pa.timestamp("us", "UTC")]
    types = [*extra, *([pa.string()] if source.kind == "signed" else []), *types]
    columns = list(zip(*(values_of(source, row, in_ticks) for row in rows), strict=True)) or [()] * len(types)
    arrays = [pa.array(column, type) for column, type in zip(columns, types, strict=True)]
    return pa.table(dict(zip(names_of(source), arrays, strict=True)))


WRITERS = {"csv": write_csv, "json": write_json, "parquet": write_parquet}
