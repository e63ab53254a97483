"""Auction: the answers of the auction demo on the screen, a part for each of the queries 6.1 to 6.7."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import accumulate

from tailrace.demos.auctions import DAY, TICKS_AN_HOUR, write
from tailrace.serve.demo import Rows, answered

LAST = 3
HEIGHT, TICKS_A_SIGN = 4, 2
EIGHTHS = " ▁▂▃▄▅▆▇█"


def auction() -> str:
    """The seven queries of AS §6.3 over a day: of each how much it answered, and the last of it or a picture."""
    written, answers, took = answered("auction.cql", write)
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
    """How many elements a stream has, and the last of them."""
    lines = [f"  {clock(at)}  {form.format(*values)}" for at, *values in sorted(rows)[-LAST:]]
    return "\n".join([f"{query}: {len(rows):,} {what}; the last of them", *lines])


def bids(changes: Rows) -> str:
    """The count of query 6.2 over the day."""
    counts = {at: count for at, op, count in sorted(changes) if op == "+"}
    levels = list(accumulate(range(DAY), lambda level, tick: counts.get(tick, level), initial=0))[1:]
    head = f"6.2 bids_last_hour: {len(changes):,} changes; bids of the last hour on items 100 to 200, over the day"
    return "\n".join([head, *curve(levels)])


def open_auctions(changes: Rows, form: str) -> str:
    """How many auctions were open over the day, and the last of those that stay open."""
    steps: Counter[int] = Counter()
    for at, op, *_ in changes:
        steps[at] += 1 if op == "+" else -1
    standing = sorted(now(changes))
    head = f"6.3 open_auctions: {len(changes):,} changes, {len(standing):,} open in the end; how many over the day"
    lines = [f"  {form.format(*values)}" for values in standing[-LAST:]]
    return "\n".join([head, *curve(list(accumulate(steps[tick] for tick in range(DAY)))), *lines])


def users(changes: Rows) -> str:
    """The users there are in the end, by state: a sign for every four."""
    standing = now(changes)
    states = Counter(state for _, _, state in standing)
    lines = [f"  {state}  {count:>4}  {'█' * (count // 4)}" for state, count in states.most_common()]
    head = f"6.4 users: {len(changes):,} changes, {len(standing):,} users in the end; by state"
    return "\n".join([head, *lines])


def now(changes: Rows) -> Rows:
    """The rows that a relation's changes leave.

    >>> now([(1, "+", "a"), (2, "+", "b"), (3, "-", "a")])
    [('b',)]
    """
    held: Counter[tuple[object, ...]] = Counter()
    for _, op, *values in changes:
        held[tuple(values)] += 1 if op == "+" else -1
    return list(held.elements())


def curve(levels: Sequence[int]) -> list[str]:
    """A number for each tick as a curve; a sign shows the most of its ticks.

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
