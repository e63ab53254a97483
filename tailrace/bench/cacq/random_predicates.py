"""Random predicates: random queries as CACQ §3.2.8 draws them.

Each of five fields has a predicate with a probability of one half: one of <, >, <= and >= with a constant of 0 … 99.
The fields' values are of 0 … 99 too.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

FIELDS, VALUES = "abcde", 100
SCHEMA = ", ".join(f"{field} INT" for field in FIELDS)
OPERATORS = ("<", ">", "<=", ">=")
Query = dict[str, tuple[str, int]]  # by field the operator and the constant
Bounds = dict[str, tuple[int, int]]  # by field the least and the greatest value


def random_queries(count: int, seed: int = 3) -> list[Query]:
    """Draw queries: for each the fields it has a predicate on, with the operator and the constant.

    >>> random_queries(2)
    [{'a': ('>', 47), 'c': ('<', 77), 'd': ('>=', 33)}, {'a': ('>=', 69), 'c': ('>', 29)}]
    """
    chance = Random(seed)
    return [
        {field: (chance.choice(OPERATORS), chance.randrange(VALUES)) for field in FIELDS if chance.random() < 0.5}
        for _ in range(count)
    ]


def where(query: Query) -> str:
    parts = [f"{field} {operator} {constant}" for field, (operator, constant) in query.items()]
    return " AND ".join(parts) or f"{FIELDS[0]} >= 0"


def bounds(query: Query) -> Bounds:
    """A query as the least and the greatest value of each field."""
    found = dict.fromkeys(FIELDS, (0, VALUES))
    for field, (operator, constant) in query.items():
        edge = constant + {"<": -1, ">": 1}.get(operator, 0)
        found[field] = (0, edge) if "<" in operator else (edge, VALUES)
    return found


def script(queries: Sequence[Query]) -> str:
    """A script in which each query counts its rows, over a stream whose elements get their time when they arrive."""
    stream = f"CREATE STREAM S ({SCHEMA}) USING parquet OPTIONS (path 'S', maxFilesPerTrigger '1');"
    created = [
        f"CREATE QUERY q{number} INTO noop AS SELECT COUNT(*) AS n FROM S WHERE {where(query)};"
        for number, query in enumerate(queries)
    ]
    return "\n".join([stream, *created])
