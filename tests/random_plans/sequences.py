"""Random sequences: sequence queries as text, over streams with many elements of one instant and long silences.

Drawn is everything of CSQL §6 and §8: ranges and frequencies in tuples and ticks, mixed, partitioned, behind the select
list and nested.
"""

from __future__ import annotations

from random import Random
from typing import Any

from tailrace.analysis.program import analyse
from tailrace.errors import Source
from tailrace.language.script import parse_script
from tailrace.logical.plan import Plan

DECLARED = """
CREATE STREAM S (k INT, g STRING, v INT) TIMESTAMP BY ts;
CREATE RELATION R (k INT, w INT) USING csv OPTIONS (path 'R.csv');
"""
LAST = 40


class Queries:
    """Draws queries; a subquery has the columns k, g and v as the stream has."""

    def __init__(self, chance: Random) -> None:
        self.chance = chance

    def every(self, most: int) -> str:
        count = self.chance.randint(1, most)
        return f"{count} {self.chance.choice(['TUPLES', 'SECONDS'])}"

    def frequency(self, most: int = 6) -> str:
        by = self.chance.choice(["", "", " PARTITIONED BY k", " PARTITIONED BY g", " PARTITIONED BY g, k"])
        return f"FREQUENCY {self.every(most)}{by}"

    def window(self) -> str:
        match self.chance.randrange(8):
            case 0 | 1:
                return f"[{self.frequency()}]"
            case 2:
                return f"[RANGE {self.every(8)}, FREQUENCY 1 TUPLE]"
        return f"[RANGE {self.every(8)}, {self.frequency()}]"

    def sampled(self) -> str:
        return f" [{self.frequency(4)}]" if not self.chance.randrange(3) else ""

    def source(self, depth: int) -> str:
        return f"({self.rows(depth - 1)}) AS S {self.window()}" if depth > 0 else f"S {self.window()}"

    def rows(self, depth: int) -> str:
        """A query with the columns of the stream."""
        match self.chance.randrange(4):
            case 0:
                where = self.chance.choice(["", " WHERE v > 2", " WHERE g = 'a'"])
                return f"SELECT k, g, v + 1 AS v{self.sampled()} FROM {self.source(depth)}{where}"
            case 1:
                return f"SELECT k, MIN(g) AS g, COUNT(*) AS v{self.sampled()} FROM {self.source(depth)} GROUP BY k"
            case 2:
                return f"SELECT k, g, SUM(v) AS v{self.sampled()} FROM {self.source(depth)} GROUP BY k, g"
        return f"SELECT * {self.sampled()} FROM {self.source(depth)}"

    def query(self) -> str:
        source, sampled = self.source(self.chance.choice([0, 0, 0, 1, 1, 2])), self.sampled()
        by = sampled if "PARTITIONED" not in sampled else sampled.partition(" PARTITIONED")[0] + "]"
        match self.chance.randrange(10):
            case 0:
                return f"SELECT AVG(v) AS a, COUNT(*) AS n{by} FROM {source}"
            case 1:
                return f"SELECT COUNT(*) AS n, MAX(v) AS m{by} FROM {source} WHERE v > 3"
            case 2:
                return f"SELECT DISTINCT g, k, v{sampled} FROM {source}"
            case 3:
                return f"SELECT k, g, COUNT(DISTINCT v) AS v{sampled} FROM {source} GROUP BY k, g HAVING COUNT(*) > 1"
            case 4:
                return f"SELECT k, g, v FROM {source} ORDER BY v DESC, k, g LIMIT 2"
            case 5:
                return f"SELECT S.k, g, v, w FROM {source}, R WHERE S.k = R.k"
            case 6:
                return f"SELECT R.k, SUM(v) AS v FROM {source} RIGHT JOIN R ON S.k = R.k GROUP BY R.k"
        return self.rows(0) if self.chance.randrange(2) else self.rows(1)


Drawn = tuple[str, Plan, dict[str, list[Any]]]  # a query's text, its plan, and what arrives for it


def drawn(seed: int) -> Drawn:
    chance = Random(seed)
    return planned(Queries(chance).query(), chance)


def drawn_slots(seed: int) -> Drawn:
    """One over slots of time of which windows see only a part."""
    chance = Random(seed)
    every = chance.randint(2, 8)
    size = chance.choice(["", f"RANGE {chance.randint(1, every - 1)} SECONDS, "])
    by = chance.choice(["", "", " PARTITIONED BY k", " PARTITIONED BY g, k"])
    window = f"[{size}FREQUENCY {every} SECONDS{by}]"
    what = chance.choice(["SELECT *", "SELECT COUNT(*) AS n, SUM(v) AS v"]) if size else "SELECT *"
    return planned(f"{what} FROM S {window}", chance)


def planned(text: str, chance: Random) -> Drawn:
    program = analyse(parse_script(Source(f"{DECLARED}CREATE QUERY q AS {text};")))
    return text, program.queries["q"].plan, arrivals(chance)


def arrivals(chance: Random) -> dict[str, list[Any]]:
    instants = sorted(
        chance.choice([chance.randint(0, LAST), chance.randint(10, 14)]) for _ in range(chance.randint(0, 60))
    )
    values = [1, 2, 3, 4, 5, None]
    rows = [
        (instant, (chance.choice([1, 2, 3]), chance.choice(["a", "b"]), chance.choice(values))) for instant in instants
    ]
    return {"S": rows, "R": [(None, None, (1, 10)), (None, None, (2, 20))]}
