"""Speeds: a small stream in ticks, the names of its keys, sums over both, and how they change."""

from __future__ import annotations

SPEEDS = [(0, 1, 4), (1, 1, 6), (1, 2, 7), (5, 1, 8)]  # ts, k, v
NAMES = [(1, "one"), (2, "two")]
SUMS = "SELECT name, SUM(v) AS total FROM S [RANGE 2], R WHERE S.k = R.k GROUP BY name"
CHANGES = [
    (0, "+", "one", 4),
    (1, "-", "one", 4),
    (1, "+", "one", 10),
    (1, "+", "two", 7),
    (3, "-", "one", 10),
    (3, "+", "one", 6),
    (4, "-", "one", 6),
    (4, "-", "two", 7),
    (5, "+", "one", 8),
]
