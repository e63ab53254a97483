"""TPC-H's eight relations: their declarations, and small random rows that come and go.

Values are drawn so that the conditions of all queries hold for some rows: few names, few dates, and sums of the size
that a query asks for.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta
from decimal import Decimal
from random import Random
from typing import Any

LAST_INSTANT = 11
Row = tuple[Any, ...]
Change = tuple[int, str, Row]

MONEY = "DECIMAL(15,2)"
COLUMNS = {
    "region": "r_regionkey INT, r_name STRING, r_comment STRING",
    "nation": "n_nationkey INT, n_name STRING, n_regionkey INT, n_comment STRING",
    "supplier": "s_suppkey INT, s_name STRING, s_address STRING, s_nationkey INT, s_phone STRING, "
    f"s_acctbal {MONEY}, s_comment STRING",
    "part": "p_partkey INT, p_name STRING, p_mfgr STRING, p_brand STRING, p_type STRING, p_size INT, "
    f"p_container STRING, p_retailprice {MONEY}, p_comment STRING",
    "partsupp": f"ps_partkey INT, ps_suppkey INT, ps_availqty INT, ps_supplycost {MONEY}, ps_comment STRING",
    "customer": "c_custkey INT, c_name STRING, c_address STRING, c_nationkey INT, c_phone STRING, "
    f"c_acctbal {MONEY}, c_mktsegment STRING, c_comment STRING",
    "orders": f"o_orderkey INT, o_custkey INT, o_orderstatus STRING, o_totalprice {MONEY}, o_orderdate DATE, "
    "o_orderpriority STRING, o_clerk STRING, o_shippriority INT, o_comment STRING",
    "lineitem": "l_orderkey INT, l_partkey INT, l_suppkey INT, l_linenumber INT, "
    f"l_quantity {MONEY}, l_extendedprice {MONEY}, l_discount {MONEY}, l_tax {MONEY}, l_returnflag STRING, "
    "l_linestatus STRING, l_shipdate DATE, l_commitdate DATE, l_receiptdate DATE, l_shipinstruct STRING, "
    "l_shipmode STRING, l_comment STRING",
}
DECLARED = "\n".join(
    f"CREATE RELATION {name} ({columns}) TIMESTAMP BY ts OP BY op;" for name, columns in COLUMNS.items()
)

NATIONS = ("FRANCE", "GERMANY", "BRAZIL", "CANADA", "SAUDI ARABIA", "CHINA")
REGION_OF = {"FRANCE": 3, "GERMANY": 3, "BRAZIL": 1, "CANADA": 1, "SAUDI ARABIA": 4, "CHINA": 2}
REGIONS = ("AFRICA", "AMERICA", "ASIA", "EUROPE", "MIDDLE EAST")
PARTS = (  # name, brand, type, size, container
    ("forest green", "Brand#23", "ECONOMY ANODIZED STEEL", 15, "MED BOX"),
    ("lemon green", "Brand#12", "LARGE BRUSHED BRASS", 3, "SM BOX"),
    ("forest blush", "Brand#34", "PROMO PLATED BRASS", 9, "LG CASE"),
    ("plum ivory", "Brand#45", "MEDIUM POLISHED TIN", 49, "JUMBO BAG"),
    ("mint green", "Brand#23", "SMALL PLATED BRASS", 15, "MED PACK"),
    ("azure", "Brand#12", "PROMO BURNISHED TIN", 1, "SM PKG"),
)
# Quarters of years in which conditions on dates lie.
MONTHS = ((1993, 8), (1993, 11), (1994, 2), (1994, 6), (1994, 9), (1995, 3), (1995, 9), (1996, 2), (1996, 10))


def money(chance: Random, low: int, high: int) -> Decimal:
    return Decimal(chance.randint(low * 100, high * 100)).scaleb(-2)


def day(chance: Random) -> date:
    year, month = chance.choice(MONTHS)
    return date(year, month, chance.randint(1, 28))


def region(key: int, chance: Random) -> Row:
    return (key, REGIONS[key % 5], "")


def nation(key: int, chance: Random) -> Row:
    name = NATIONS[key % len(NATIONS)]
    return (key, name, REGION_OF[name], "")


def supplier(key: int, chance: Random) -> Row:
    comment = chance.choice(["", "", "the Customer has Complaints"])
    return (key, f"Supplier#{key}", f"at {key}", key % len(NATIONS), f"{key}-1", money(chance, -99, 999), comment)


def part(key: int, chance: Random) -> Row:
    name, brand, type, size, container = PARTS[key % len(PARTS)]
    return (key, name, f"Manufacturer#{key % 3}", brand, type, size, container, money(chance, 900, 999), "")


def partsupp(key: int, chance: Random) -> Row:
    return (key % 6, key // 6 % 6, chance.randint(1, 60), money(chance, 1, 3), "")


def customer(key: int, chance: Random) -> Row:
    phone = f"{chance.choice((13, 31, 23))}-{key}"
    segment = chance.choice(("BUILDING", "MACHINERY"))
    return (
        key,
        f"Customer#{key}",
        f"at {key}",
        chance.choice((0, 1, 2, 3, 5, 5)),
        phone,
        money(chance, -99, 999),
        segment,
        "",
    )


def orders(key: int, chance: Random) -> Row:
    priority = chance.choice(("1-URGENT", "2-HIGH", "3-MEDIUM"))
    comment = chance.choice(("", "special of requests"))
    status = chance.choice("FFO")
    return (key, chance.randint(0, 9), status, money(chance, 9, 99), day(chance), priority, "clerk", 0, comment)


def lineitem(key: int, chance: Random) -> Row:
    commit = day(chance)
    receipt, ship = commit + timedelta(chance.choice((-5, 9))), commit - timedelta(chance.choice((3, 10)))
    quantity = Decimal(chance.choice((2, 5, 12, 22, 25, 160)))
    discount = Decimal(chance.choice((0, 5, 6, 7))).scaleb(-2)
    who = (key // 3, chance.randint(0, 5), chance.randint(0, 5), key % 3 + 1)
    flags = (chance.choice("RAN"), chance.choice("OF"))
    in_person = "DELIVER IN PERSON"
    how = chance.choice(((in_person, "AIR"), (in_person, "AIR REG"), ("NONE", "MAIL"), ("NONE", "SHIP")))
    return (*who, quantity, money(chance, 9, 99), discount, Decimal("0.04"), *flags, ship, commit, receipt, *how, "")


# How many keys there are of each relation, and what makes its rows.
MAKERS: dict[str, tuple[int, Callable[[int, Random], Row]]] = {
    "region": (5, region),
    "nation": (len(NATIONS), nation),
    "supplier": (6, supplier),
    "part": (6, part),
    "partsupp": (36, partsupp),
    "customer": (18, customer),
    "orders": (50, orders),
    "lineitem": (150, lineitem),
}
STEADY = {"region", "nation"}


def make_changes(seed: int) -> dict[str, list[Change]]:
    """For each relation its changes: rows are added, taken away and replaced by others of the same key."""
    chance = Random(seed)
    found = {}
    for name, (count, make) in MAKERS.items():
        changes: list[Change] = []
        for key in range(count):
            at, row = (0 if name in STEADY else chance.randint(0, 4)), make(key, chance)
            changes.append((at, "+", row))
            while name not in STEADY and chance.random() < 0.3 and at < LAST_INSTANT:
                at = chance.randint(at + 1, LAST_INSTANT)
                changes.append((at, "-", row))
                if chance.random() < 0.3:
                    break
                row = make(key, chance)
                changes.append((at, "+", row))
        found[name] = sorted(changes, key=lambda change: change[0])
    return found


def bag_at(changes: list[Change], instant: int) -> list[Row]:
    """The rows of a relation at an instant."""
    held: list[Row] = []
    for at, sign, row in changes:
        if at <= instant:
            held.append(row) if sign == "+" else held.remove(row)
    return held
