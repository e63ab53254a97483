"""The made-up auction day: always the same, in order, as AS §4.1 says, and with something for every query."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from tailrace.demos.auction import COLUMNS, DAY, TICKS_AN_HOUR, Streams, events, write


@pytest.fixture(scope="module")
def day() -> Streams:
    return events()


def test_the_same_each_time(day: Streams) -> None:
    assert events() == day
    assert events(seed=8) != day


@pytest.mark.parametrize("name", COLUMNS)
def test_in_order_of_time(day: Streams, name: str) -> None:
    ticks = [row[0] for row in day[name]]
    assert ticks == sorted(ticks)
    assert set(ticks) <= set(range(DAY))


@pytest.mark.parametrize("name", ["Deregister", "Open", "Close"])
def test_keys(day: Streams, name: str) -> None:
    keys = [row[1] for row in day[name]]
    assert len(keys) == len(set(keys))


def test_bids_rise_while_their_auction_is_open(day: Streams) -> None:
    opened = {item: tick for tick, item, *_ in day["Open"]}
    closed = {item: tick for tick, item in day["Close"]}
    sellers = {item: seller for _, item, seller, _ in day["Open"]}
    latest = {item: (opened[item], price) for _, item, _, price in day["Open"]}
    for tick, item, bidder, price in day["Bid"]:
        assert latest[item][0] < tick < closed.get(item, DAY)
        assert latest[item][1] < price
        assert bidder != sellers[item]
        latest[item] = (tick, price)


def test_who_acts_is_registered(day: Streams) -> None:
    comes = {user: tick for tick, user, *_ in reversed(day["Register"])}
    leaves = {user: tick for tick, user in day["Deregister"]}
    acts = [(tick, user) for name in ("Open", "Bid") for tick, _, user, _ in day[name]]
    assert all(comes[user] <= tick < leaves.get(user, DAY) for tick, user in acts)
    assert all(tick < leaves.get(user, DAY) for tick, user, *_ in day["Register"])


def test_every_query_has_something_to_find(day: Streams) -> None:
    opened = {item: tick for tick, item, *_ in day["Open"]}
    lengths = [tick - opened[item] for tick, item in day["Close"]]
    assert any(price > 100 for *_, price in day["Open"])
    assert any(100 <= item <= 200 for _, item, *_ in day["Bid"])
    assert 0 < len(day["Close"]) < len(day["Open"])
    assert len(day["Register"]) > len({user for _, user, *_ in day["Register"]}) > len(day["Deregister"]) > 0
    assert "CA" in {state for *_, state in day["Register"]}
    assert min(lengths) < 5 * TICKS_AN_HOUR < max(lengths)


def test_files_hold_the_rows(day: Streams, tmp_path: Path) -> None:
    counts = write(tmp_path)
    for name, columns in COLUMNS.items():
        with (tmp_path / f"{name}.csv").open(newline="") as file:
            head, *rows = csv.reader(file)
        assert head == columns
        assert len(rows) == counts[name]
        assert rows == [[str(value) for value in row] for row in day[name]]
