"""Retail: made-up sales as in SW §2.3 and §6, and the queries of its Table 1.

An instant is a millisecond. Selectivities are the paper's: a quarter of the tuples pass the predicates of Q1 and Q2,
six of ten tuples find a partner in the other window of Q2, one of ten is a favourite in Q3, Q4 and Q5.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import pyarrow as pa

from tailrace.columnar.delta import Delta, elements

SECOND, WINDOW = 1000, 60_000
ITEMS, STORES, PRICES = 100, 50, 100
SALES = "StoreID INT, ItemID INT, Price INT, Quantity INT"
PARTNERS = 0.6
FAVOURITE = 0.1
STREAMS = tuple(f"SalesStream_{letter}" for letter in "ABCDE")


@dataclass(frozen=True)
class Case:
    """A query, with the streams and the tables that it reads."""

    name: str
    query: str
    streams: tuple[str, ...] = ("SalesStream",)
    tables: tuple[str, ...] = ()
    meets: bool = False  # whether streams are joined by their items, of which then are as many as PARTNERS needs

    def script(self, using: str = "", into: str = "", strategy: str = "auto") -> str:
        """The case as a script; `using` says where the rows of `{name}` are."""
        where = {name: using.format(name=name) for name in (*self.streams, *self.tables)}
        created = [f"CREATE STREAM {name} ({SALES}) {where[name]} TIMESTAMP BY ts;" for name in self.streams]
        keys = {name: TABLES[name] for name in self.tables}
        created += [f"CREATE RELATION {name} ({key} INT) {where[name]} KEY ({key});" for name, key in keys.items()]
        settings = [f"SET tick = '1 millisecond'; SET strategy = '{strategy}';"]
        return "\n".join([*settings, *created, f"CREATE QUERY measured {into} AS {self.query};"])


TABLES = {"FavoriteItems": "ItemID", "FavoriteStores": "StoreID"}


def q1(selectivity: float = 0.25) -> Case:
    """Q1 with a threshold that this part of the items reaches."""
    least = ITEMS - round(selectivity * ITEMS)
    return Case("Q1", f"SELECT SUM(S.Price) FROM SalesStream S [RANGE 1 MINUTE] WHERE S.ItemID >= {least}")


def q2(streams: int = 2) -> Case:
    """Q2 as a join of several streams (§6.2)."""
    names = STREAMS[:streams]
    items = ", ".join(f"{name} [RANGE 1 MINUTE]" for name in names)
    equal = [f"{one}.ItemID = {other}.ItemID" for one, other in pairwise(names)]
    where = " AND ".join([*equal, f"{names[0]}.Price >= {PRICES * 3 // 4}"])
    return Case("Q2", f"SELECT DISTINCT {names[0]}.ItemID FROM {items} WHERE {where}", names, meets=True)


Q3 = Case(
    "Q3",
    "SELECT COUNT(DISTINCT S.StoreID) FROM SalesStream S [RANGE 1 MINUTE], FavoriteItems F WHERE S.ItemID = F.ItemID",
    tables=("FavoriteItems",),
)
Q4 = Case(
    "Q4",
    "SELECT SS.ItemID, SUM(SS.Price) FROM FavoriteItems FI, SalesStream SS [RANGE 1 MINUTE], FavoriteStores FS "
    "WHERE FI.ItemID = SS.ItemID AND SS.StoreID = FS.StoreID GROUP BY SS.ItemID",
    tables=("FavoriteItems", "FavoriteStores"),
)
Q5 = Case(
    "Q5",
    "SELECT S.ItemID, SUM(S.Price) FROM FavoriteItems F, (SELECT ItemID, Price FROM SalesStream_A [RANGE 1 MINUTE] "
    "EXCEPT SELECT ItemID, Price FROM SalesStream_B [RANGE 1 MINUTE]) AS S WHERE F.ItemID = S.ItemID GROUP BY S.ItemID",
    STREAMS[:2],
    ("FavoriteItems",),
)
WORKLOAD = (q1(), q2(), Q3, Q4, Q5)


def items_of(case: Case, rate: float) -> int:
    """How many different items are sold."""
    if not case.meets:
        return ITEMS
    # With this many items, a full window has none of a tuple's item with a probability of 1 - PARTNERS.
    return max(round(rate * WINDOW / SECOND / -math.log(1 - PARTNERS)), 1)


def sales(rate: float, seconds: float, items: int, chance: np.random.Generator) -> Delta:
    """The elements of a stream in order of time: Poisson arrivals of `rate` tuples a second."""
    count = round(rate * seconds)
    instants = np.floor(np.cumsum(chance.exponential(SECOND / rate, count))).astype(np.int64)
    drawn = [chance.integers(0, many, count).astype(np.int32) for many in (STORES, items, PRICES, 10)]
    return elements(instants, [pa.array(column) for column in drawn])


def favourites(case: Case) -> dict[str, Delta]:
    """The tables' rows: of one table a tenth of its values; of two, parts that together leave a tenth of the tuples."""
    part = FAVOURITE ** (1 / max(len(case.tables), 1))
    many = {"FavoriteItems": ITEMS, "FavoriteStores": STORES}
    found = {}
    for name in case.tables:
        values = np.arange(round(part * many[name]), dtype=np.int32)
        found[name] = elements(np.zeros(len(values), np.int64), [pa.array(values)])
    return found


def arrivals(case: Case, rate: float, seconds: float, seed: int = 11) -> Mapping[str, Delta]:
    """The rows of all streams of a case, `rate` a second in each."""
    chance = np.random.default_rng(seed)
    items = items_of(case, rate)
    return {name: sales(rate, seconds, items, chance) for name in case.streams}
