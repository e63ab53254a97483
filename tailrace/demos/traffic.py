"""Traffic: an hour of a made-up highway, with a jam that comes and goes."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np

SEGMENTS, MILE = 100, 5280
REPORT_EVERY = 30
JAM_FROM, JAM_TO, JAM_START, JAM_END = 42, 47, 900, 2400


def positions(vehicles: int, seconds: int = 3600, seed: int = 7) -> np.ndarray:
    """Reports (instant, vehicle, speed, position), in order of time: each car reports every 30 seconds."""
    chance = np.random.default_rng(seed)
    phase = chance.integers(0, REPORT_EVERY, vehicles)
    place = chance.uniform(0, SEGMENTS * MILE * 0.8, vehicles)
    wanted = chance.normal(62, 6, vehicles)
    reports = []
    for start in range(0, seconds, REPORT_EVERY):
        instant = start + phase
        segment = (place // MILE).astype(np.int64)
        jammed = (segment >= JAM_FROM) & (segment <= JAM_TO) & (instant >= JAM_START) & (instant < JAM_END)
        speed = np.maximum(np.where(jammed, chance.normal(22, 6, vehicles), wanted + chance.normal(0, 4, vehicles)), 3)
        place = place + speed * MILE / 3600 * REPORT_EVERY
        on_road = (place < SEGMENTS * MILE) & (instant < seconds)
        columns = (instant, np.arange(vehicles), speed.astype(np.int64), place.astype(np.int64))
        reports.append(np.stack(columns, axis=1)[on_road])
    rows = np.concatenate(reports)
    return rows[np.argsort(rows[:, 0], kind="stable")]


def write(file: Path, vehicles: int) -> int:
    """The reports as a csv file; how many there are."""
    rows = positions(vehicles)
    with file.open("w", newline="") as out:
        writer = csv.writer(out)
        writer.writerow(["ts", "vehicleId", "speed", "xPos"])
        writer.writerows(rows.tolist())
    return len(rows)
