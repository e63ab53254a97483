"""Data: made-up inputs in order of time, the same at every call, as Parquet files that both systems read."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

HOUR = 3600
SEGMENTS, MILE, XWAYS = 100, 5280, 4
REPORT_EVERY = 30
GROUPS = 8
START = 1_704_103_200  # 2024-01-01 10:00:00 UTC
POSITIONS = "ts TIMESTAMP, vehicle INT, speed INT, xway INT, dir INT, seg INT, xpos INT"
PAIRED = "ts TIMESTAMP, k INT, v INT"
TICKED = "ts BIGINT, k INT, v INT"


def positions(rows: int, seconds: int = HOUR, seed: int = 7) -> pa.Table:
    """Position reports, `rows` of them: each car reports about every 30 seconds, and there are as many cars as needed.

    Cars are denser in the middle of the road, slow where it is dense, and jams come and go.

    >>> positions(1200).num_rows
    1200
    """
    chance = np.random.default_rng(seed)
    rounds = max(seconds // REPORT_EVERY, 1)
    vehicles = -(-rows // rounds)
    phase = chance.integers(0, REPORT_EVERY, vehicles)
    length = SEGMENTS * MILE
    place = np.clip(chance.normal(0.5, 0.22, vehicles), 0.0, 0.999) * length
    wanted = chance.normal(62, 8, vehicles)
    jams = chance.integers(0, SEGMENTS, (seconds // 600 + 1, 6))
    instants, speeds, places = [], [], []
    for turn in range(rounds):
        late = chance.integers(-2, 3, vehicles)
        instant = np.clip(turn * REPORT_EVERY + phase + late, 0, seconds - 1)
        segment = (place // MILE).astype(np.int64)
        jammed = (jams[instant // 600] // 2 == segment[:, None] // 2).any(axis=1)
        free = wanted - 12 * np.exp(-(((segment - 50) / 20) ** 2)) + chance.normal(0, 6, vehicles)
        speed = np.clip(np.where(jammed, chance.normal(20, 7, vehicles), free), 1, 100)
        # A car that leaves at the end of the road enters again at its start.
        place = (place + speed * MILE / 3600 * REPORT_EVERY) % length
        instants.append(instant)
        speeds.append(speed)
        places.append(place)
    instant, speed, place = (np.concatenate(parts) for parts in (instants, speeds, places))
    order = np.argsort(instant, kind="stable")[:rows]
    car = np.tile(np.arange(vehicles), rounds)[order]
    xpos = place[order].astype(np.int32)
    columns = [car, speed[order], car % XWAYS, car // XWAYS % 2, xpos // MILE, xpos]
    names = ["vehicle", "speed", "xway", "dir", "seg", "xpos"]
    whole = {name: pa.array(column.astype(np.int32)) for name, column in zip(names, columns, strict=True)}
    return pa.table({"ts": moments(instant[order]), **whole})


def make_joining_stream(rows: int, window: int, side: int, seconds: int = HOUR, seed: int = 11) -> pa.Table:
    """One of two streams: a row finds about one row of the other within `window` seconds before or after it."""
    chance = np.random.default_rng([seed, side])
    keys = max(rows * (2 * window + 1) // seconds, 1)
    instant = np.sort(chance.integers(0, seconds, rows))
    k, v = chance.integers(0, keys, rows), chance.integers(0, 1_000_000, rows)
    return pa.table({"ts": moments(instant), "k": pa.array(k.astype(np.int32)), "v": pa.array(v.astype(np.int32))})


def moments(seconds: np.ndarray) -> pa.Array:
    micros = (START + seconds.astype(np.int64)) * 1_000_000
    return pa.array(micros).cast(pa.timestamp("us", tz="UTC"))


def write(table: pa.Table, folder: Path, files: int) -> str:
    """Write the rows into files in order of time. With one file per trigger, these are as many micro-batches."""
    folder.mkdir(parents=True)
    edges = [table.num_rows * number // files for number in range(files + 1)]
    for number in range(files):
        file = folder / f"part-{number:03}.parquet"
        rows = table.slice(edges[number], edges[number + 1] - edges[number])
        # Row groups are so small that every core gets some of a file.
        pq.write_table(rows, file, row_group_size=max(1, -(-len(rows) // GROUPS)))
        # Spark takes files by age, so their ages are a second apart.
        os.utime(file, (START + number, START + number))
    return str(folder)


def write_ticked(folder: Path, rows: int, a_tick: int, keys: int, values: int, a_file: int) -> None:
    """Files of `a_file` rows, one after the other in time, with `a_tick` rows at each tick."""
    folder.mkdir(parents=True)
    for number, first in enumerate(range(0, rows, a_file)):
        file = folder / f"part-{number:03}.parquet"
        write_ticked_file(file, range(first, min(first + a_file, rows)), a_tick, keys, values, number)
        os.utime(file, (START + number, START + number))


def write_ticked_file(file: Path, rows: range, a_tick: int, keys: int, values: int, seed: int) -> None:
    """Write a file of any length in parts, so that it is never in memory as a whole."""
    chance = np.random.default_rng(seed)
    schema = pa.schema([("ts", pa.int64()), ("k", pa.int32()), ("v", pa.int32())])
    with pq.ParquetWriter(file, schema) as writer:
        for start in range(rows.start, rows.stop, 500_000):
            number = np.arange(start, min(start + 500_000, rows.stop))
            k, v = chance.integers(0, keys, len(number)), chance.integers(0, values, len(number))
            columns = [number // a_tick, k.astype(np.int32), v.astype(np.int32)]
            writer.write_table(pa.table([pa.array(column) for column in columns], schema=schema))


def fields(rows: int, names: str, values: int, seed: int = 11) -> pa.Table:
    """Columns of random whole numbers from 0 to below `values`, each as likely as any other.

    >>> fields(3, "ab", 100).column_names
    ['a', 'b']
    """
    chance = np.random.default_rng(seed)
    return pa.table({name: pa.array(chance.integers(0, values, rows).astype(np.int32)) for name in names})
