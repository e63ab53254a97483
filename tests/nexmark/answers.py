"""NEXMark's rows, drawn at random, and the answers of its queries, each computed from all rows that came so far.

Times are whole seconds since the origin. `by` is an instant: what is known once all rows up to it came.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from random import Random
from typing import Any, NamedTuple

LAST_ROW, LAST_INSTANT = 44, 70  # all windows are over at the last instant


class Person(NamedTuple):
    id: int
    name: str
    at: int


class Auction(NamedTuple):
    id: int
    item: str
    initial: int
    at: int
    expires: int
    seller: int


class Bid(NamedTuple):
    auction: int
    bidder: int
    price: int
    at: int


class World(NamedTuple):
    people: list[Person]
    auctions: list[Auction]
    bids: list[Bid]


def make_world(seed: int) -> World:
    """A few people, auctions of about 15 seconds, and bids whose prices are all different."""
    chance = Random(seed)
    instants = [chance.randint(0, LAST_ROW) for _ in range(90)]
    prices = chance.sample(range(100, 1000), len(instants))
    people = [Person(id, f"name {id}", chance.randint(0, LAST_ROW)) for id in range(12)]
    auctions = []
    for id in range(8):
        at = chance.randint(0, LAST_ROW - 10)
        auctions.append(Auction(id, f"item {id}", 10, at, at + chance.randint(5, 20), chance.randint(0, 11)))
    bids = [Bid(chance.randint(0, 7), chance.randint(0, 4), *each) for each in zip(prices, instants, strict=True)]
    by_time: Callable[[Any], int] = lambda row: row.at  # noqa: E731
    return World(sorted(people, key=by_time), sorted(auctions, key=by_time), sorted(bids, key=by_time))


def windows_of(at: int, size: int, slide: int) -> list[tuple[int, int]]:
    """All windows [start, end) of this size, each a multiple of the slide from the next, that hold an instant."""
    return [(start, start + size) for start in range(at - size + 1, at + 1) if start % slide == 0]


def hot_items(world: World, by: int) -> Iterable[tuple[Any, ...]]:
    counts: dict[tuple[int, int], Counter[int]] = defaultdict(Counter)
    for bid in world.bids:
        for window in windows_of(bid.at, 10, 2):
            counts[window][bid.auction] += 1
    for (_, end), auctions in counts.items():
        if end <= by:
            yield from ((auction, count) for auction, count in auctions.items() if count == max(auctions.values()))


def highest_bids(world: World, by: int) -> Iterable[tuple[Any, ...]]:
    for start in range(0, by - 9, 10):
        inside = [bid for bid in world.bids if start <= bid.at < start + 10]
        best = max((bid.price for bid in inside), default=None)
        # The text also takes a bid of the same price at the very end of the window; prices differ.
        yield from ((bid.auction, bid.price, bid.bidder, bid.at) for bid in inside if bid.price == best)


def new_sellers(world: World, by: int) -> Iterable[tuple[Any, ...]]:
    for person in world.people:
        start = person.at // 10 * 10
        if start + 10 <= by and any(
            each.seller == person.id and each.at // 10 * 10 == start for each in world.auctions
        ):
            yield (person.id, person.name, start)


def winning_bids(world: World, by: int) -> Iterable[tuple[Any, ...]]:
    for each in world.auctions:
        if each.at <= by:
            bids = [bid for bid in world.bids if bid.auction == each.id and each.at <= bid.at <= min(each.expires, by)]
            yield from ((*each, *best) for best in sorted(bids, key=lambda bid: (-bid.price, bid.at))[:1])


def sessions(world: World, by: int) -> Iterable[tuple[Any, ...]]:
    for bidder in {bid.bidder for bid in world.bids}:
        open_: list[int] = []
        for at in [*(bid.at for bid in world.bids if bid.bidder == bidder), 10**6]:
            if open_ and at - open_[-1] > 10:
                if open_[-1] + 10 <= by:
                    yield (bidder, len(open_), open_[0], open_[-1] + 10)
                open_ = []
            open_.append(at)


def counts_of_bidders(world: World, by: int) -> Iterable[tuple[Any, ...]]:
    counts = Counter((bid.bidder, bid.at // 10 * 10) for bid in world.bids)
    return ((bidder, count, start, start + 10) for (bidder, start), count in counts.items() if start + 10 <= by)


def best_ten(world: World, by: int) -> Iterable[tuple[Any, ...]]:
    for auction in {bid.auction for bid in world.bids}:
        bids = [bid for bid in world.bids if bid.auction == auction and bid.at <= by]
        ranked = enumerate(sorted(bids, key=lambda bid: (-bid.price, bid.at)), start=1)
        yield from ((*bid, rank) for rank, bid in ranked if rank <= 10)


ANSWERS: dict[str, Callable[[World, int], Iterable[tuple[Any, ...]]]] = {
    "q5": hot_items,
    "q7": highest_bids,
    "q8": new_sellers,
    "q9": winning_bids,
    "q11": sessions,
    "q11 of today": sessions,
    "q12": counts_of_bidders,
    "q19": best_ten,
}
