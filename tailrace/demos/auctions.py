"""Auctions: a day of a made-up auction house; people come, move and leave, auctions open, are bid on and close."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

TICKS_AN_HOUR = 6
DAY = 24 * TICKS_AN_HOUR
PEOPLE, ITEMS = 400, 3000
COLUMNS = {
    "Register": ["ts", "user_id", "name", "state"],
    "Deregister": ["ts", "user_id"],
    "Open": ["ts", "item_id", "seller_id", "start_price"],
    "Close": ["ts", "item_id"],
    "Bid": ["ts", "item_id", "bidder_id", "bid_price"],
}
FIRST_NAMES = ["Ada", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gita", "Hugo", "Ida", "Jon", "Kim", "Leo", "Mia", "Ned"]
LAST_NAMES = ["Alder", "Birch", "Cedar", "Elm", "Fir", "Hazel", "Larch", "Maple", "Oak", "Pine", "Rowan", "Willow"]
STATES = {"CA": 6, "TX": 4, "NY": 3, "FL": 3, "WA": 2, "OR": 2, "NV": 1, "AZ": 1}
Row = tuple[int | str, ...]
Streams = dict[str, list[Row]]


@dataclass(frozen=True)
class Person:
    """Somebody registered from the tick `comes` to the tick `leaves`."""

    number: int
    comes: int
    leaves: int


@dataclass(frozen=True)
class Auction:
    """An auction of one item; it may close only after the day has ended."""

    item: int
    opens: int
    closes: int
    start_price: int


def events(people: int = PEOPLE, items: int = ITEMS, ticks: int = DAY, seed: int = 7) -> Streams:
    """The rows of each stream, the tick first, in order of time; an item has at most one price a tick.

    Without two prices at one tick there is no doubt which one is the latest (query 6.7).
    """
    chance = Random(seed)
    streams: Streams = {name: [] for name in COLUMNS}
    persons = [register(number, ticks, chance, streams) for number in range(1, people + 1)]
    present = [[each.number for each in persons if each.comes <= tick < each.leaves] for tick in range(ticks)]
    opening = sorted(int(chance.triangular(1, ticks, ticks * 0.6)) for _ in range(items))
    for item, opens in enumerate(opening, 1):
        closes = opens + int(chance.triangular(3, 10 * TICKS_AN_HOUR, 4 * TICKS_AN_HOUR))
        auction = Auction(item, opens, closes, 1 + int(chance.lognormvariate(4, 0.8)))
        hold(auction, present, chance, streams)
    for rows in streams.values():
        rows.sort(key=lambda row: row[0])
    return streams


def register(number: int, ticks: int, chance: Random, streams: Streams) -> Person:
    """Let a person come: most in the night, the rest over the day. Some move to another state, some leave."""
    comes = 0 if number <= 20 else int(chance.triangular(0, ticks - 1, 0))
    name = f"{chance.choice(FIRST_NAMES)} {chance.choice(LAST_NAMES)}"
    homes = chance.choices(list(STATES), list(STATES.values()), k=2)
    streams["Register"].append((comes, number, name, homes[0]))
    moves = chance.randrange(comes + 1, ticks + 1)
    if chance.random() < 0.2 and moves < ticks and homes[0] != homes[1]:
        streams["Register"].append((moves, number, name, homes[1]))
    if chance.random() < 0.1 and moves + 1 < ticks:
        leaves = chance.randrange(moves + 1, ticks)
        streams["Deregister"].append((leaves, number))
        return Person(number, comes, leaves)
    return Person(number, comes, ticks)


def hold(auction: Auction, present: list[list[int]], chance: Random, streams: Streams) -> None:
    """Open an auction, let others than its seller bid more and more, and close it if the day is long enough."""
    seller = chance.choice(present[auction.opens])
    streams["Open"].append((auction.opens, auction.item, seller, auction.start_price))
    price = auction.start_price
    for tick in bidding(auction, len(present), chance):
        bidder = chance.choice([each for each in present[tick] if each != seller])
        price += 1 + int(price * chance.uniform(0.01, 0.15))
        streams["Bid"].append((tick, auction.item, bidder, price))
    if auction.closes < len(present):
        streams["Close"].append((auction.closes, auction.item))


def bidding(auction: Auction, ticks: int, chance: Random) -> Iterator[int]:
    """The ticks at which somebody bids: after the opening and before the closing, some items often, some never."""
    possible = range(auction.opens + 1, min(auction.closes, ticks))
    wanted = int(chance.expovariate(1 / 7))
    yield from sorted(chance.sample(possible, min(wanted, len(possible))))


def write(folder: Path) -> dict[str, int]:
    """The streams as csv files; how many rows each has."""
    streams = events()
    for name, rows in streams.items():
        with (folder / f"{name}.csv").open("w", newline="") as out:
            writer = csv.writer(out)
            writer.writerow(COLUMNS[name])
            writer.writerows(rows)
    return {name: len(rows) for name, rows in streams.items()}
