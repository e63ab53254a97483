"""Auction: the auction demo: a made-up day of an auction house, and the answers to queries 6.1 to 6.7 as text.

In the day people come, move and leave; auctions open, are bid on and close.
"""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from random import Random

from tailrace.demos.linear_road import Rows, run_demo

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
    """The rows of each stream, the tick first, in order of time; an item has at most one price a tick (query 6.7)."""
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
    """Add a person: most come in the night, the rest over the day. Some move to another state, some leave."""
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
    """Open an auction, let people other than its seller bid more and more, and close it if the day is long enough."""
    seller = chance.choice(present[auction.opens])
    streams["Open"].append((auction.opens, auction.item, seller, auction.start_price))
    price = auction.start_price
    for tick in bid_ticks(auction, len(present), chance):
        bidder = chance.choice([each for each in present[tick] if each != seller])
        price += 1 + int(price * chance.uniform(0.01, 0.15))
        streams["Bid"].append((tick, auction.item, bidder, price))
    if auction.closes < len(present):
        streams["Close"].append((auction.closes, auction.item))


def bid_ticks(auction: Auction, ticks: int, chance: Random) -> Iterator[int]:
    """The ticks at which somebody bids: after the opening and before the closing, some items often, some never."""
    possible = range(auction.opens + 1, min(auction.closes, ticks))
    wanted = int(chance.expovariate(1 / 7))
    yield from sorted(chance.sample(possible, min(wanted, len(possible))))


def write(folder: Path) -> dict[str, int]:
    """Write the streams as csv files. Returns the number of rows of each."""
    streams = events()
    for name, rows in streams.items():
        with (folder / f"{name}.csv").open("w", newline="") as out:
            writer = csv.writer(out)
            writer.writerow(COLUMNS[name])
            writer.writerows(rows)
    return {name: len(rows) for name, rows in streams.items()}


LAST = 3
HEIGHT, TICKS_A_SIGN = 4, 2
EIGHTHS = " ▁▂▃▄▅▆▇█"


def auction() -> str:
    """Run the seven queries of AS §6.3 over a day. Of each, show how many rows it has, and the last ones or a curve."""
    written, answers, took = run_demo("auction.cql", write)
    head = (
        f"{written['Open']:,} auctions opened, {written['Close']:,} closed and {written['Bid']:,} bids in one day; "
        f"answered in {took:.1f} s, Spark's start included"
    )
    opened, sold = "item {0:>4}  by user {1:>3}  from {2:>5,}", "item {0:>4}  for {1:>6,}"
    parts = [
        latest("6.1 expensive", "auctions start above 100", answers["expensive"], opened),
        bids(answers["bids_last_hour"]),
        open_auctions(answers["open_auctions"], opened),
        users(answers["users"]),
        latest("6.5 californian", "auctions by Californians", answers["californian"], opened),
        latest("6.6 short_auctions", "auctions closed within five hours", answers["short_auctions"], "item {0:>4}"),
        latest("6.7 closing_price", "auctions closed", answers["closing_price"], sold),
    ]
    return "\n\n".join([head, *parts])


def latest(query: str, what: str, rows: Rows, form: str) -> str:
    """The number of elements of a stream, and the last ones."""
    lines = [f"  {clock(at)}  {form.format(*values)}" for at, *values in sorted(rows)[-LAST:]]
    return "\n".join([f"{query}: {len(rows):,} {what}; the last of them", *lines])


def bids(changes: Rows) -> str:
    """The count of query 6.2 over the day, as a curve."""
    counts = {at: count for at, op, count in sorted(changes) if op == "+"}
    levels = list(accumulate(range(DAY), lambda level, tick: counts.get(tick, level), initial=0))[1:]
    head = f"6.2 bids_last_hour: {len(changes):,} changes; bids of the last hour on items 100 to 200, over the day"
    return "\n".join([head, *curve(levels)])


def open_auctions(changes: Rows, form: str) -> str:
    """The number of open auctions over the day, and the last of those that are open in the end."""
    steps: Counter[int] = Counter()
    for at, op, *_ in changes:
        steps[at] += 1 if op == "+" else -1
    standing = sorted(now(changes))
    head = f"6.3 open_auctions: {len(changes):,} changes, {len(standing):,} open in the end; how many over the day"
    lines = [f"  {form.format(*values)}" for values in standing[-LAST:]]
    return "\n".join([head, *curve(list(accumulate(steps[tick] for tick in range(DAY)))), *lines])


def users(changes: Rows) -> str:
    """The users in the end by state, as bars: one block for four users."""
    standing = now(changes)
    states = Counter(state for _, _, state in standing)
    lines = [f"  {state}  {count:>4}  {'█' * (count // 4)}" for state, count in states.most_common()]
    head = f"6.4 users: {len(changes):,} changes, {len(standing):,} users in the end; by state"
    return "\n".join([head, *lines])


def now(changes: Rows) -> Rows:
    """The rows that a relation has after all its changes.

    >>> now([(1, "+", "a"), (2, "+", "b"), (3, "-", "a")])
    [('b',)]
    """
    held: Counter[tuple[object, ...]] = Counter()
    for _, op, *values in changes:
        held[tuple(values)] += 1 if op == "+" else -1
    return list(held.elements())


def curve(levels: Sequence[int]) -> list[str]:
    """Draw a number for each tick as a curve; a character shows the largest number of its ticks.

    >>> print(*curve([0, 1, 2, 2, 3, 4, 4, 4, 1, 0, 1, 1])[:4], sep="\\n")
          4 |  ██
            |  ██
            | ███
            |██████
    """
    most = max(max(levels), 1)
    signs = [max(levels[at : at + TICKS_A_SIGN]) for at in range(0, len(levels), TICKS_A_SIGN)]
    eighths = [-(-level * HEIGHT * 8 // most) for level in signs]
    lines = []
    for below in range((HEIGHT - 1) * 8, -1, -8):
        scale = f"{most:,}" if below == (HEIGHT - 1) * 8 else ""
        bars = "".join(EIGHTHS[min(8, max(0, each - below))] for each in eighths)
        lines.append(f"  {scale:>5} |{bars}".rstrip())
    every = 4 * TICKS_AN_HOUR
    hours = range(every, len(levels) + 1, every)
    axis = "".join(f"{tick // TICKS_AN_HOUR:>{every // TICKS_A_SIGN}}" for tick in hours)
    return [*lines, f"       0{axis}"]


def clock(tick: int) -> str:
    """The time of day.

    >>> clock(8)
    '01:20'
    """
    return f"{tick // TICKS_AN_HOUR:02}:{tick % TICKS_AN_HOUR}0"
