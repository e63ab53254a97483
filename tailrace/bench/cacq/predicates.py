"""Predicates: queries as CACQ §3.2.8 draws them.

For each of five fields there is a predicate with a chance of one half: one of <, >, <= and >= with a constant of
0 … 99, as are the fields' values.
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
    """So many queries: for each the fields it has a predicate on, with the operator and the constant.

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
    """The same as the least and greatest value of each field."""
    found = dict.fromkeys(FIELDS, (0, VALUES))
    for field, (operator, constant) in query.items():
        edge = constant + {"<": -1, ">": 1}.get(operator, 0)
        found[field] = (0, edge) if "<" in operator else (edge, VALUES)
    return found


def script(queries: Sequence[Query]) -> str:
    """Their counts, over a stream that is stamped at arrival."""
    stream = f"CREATE STREAM S ({SCHEMA}) USING parquet OPTIONS (path 'S', maxFilesPerTrigger '1');"
    created = [
        f"CREATE QUERY q{number} INTO noop AS SELECT COUNT(*) AS n FROM S WHERE {where(query)};"
        for number, query in enumerate(queries)
    ]
    return "\n".join([stream, *created])
