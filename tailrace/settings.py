"""Settings: the settings that SET can change, each with its meaning, its default and the parser of its text.

>>> Settings().change("tick", "10 minutes").tick
600000000
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from fractions import Fraction
from typing import Any

from tailrace.errors import SettingError, TextSpan, did_you_mean

UNITS = {
    "microsecond": 1,
    "millisecond": 1_000,
    "second": 1_000_000,
    "minute": 60_000_000,
    "hour": 3_600_000_000,
    "day": 86_400_000_000,
    "week": 604_800_000_000,
}
LONGEST_TICK = 36_525 * UNITS["day"]
SCANS = ("arrow", "spark")
DURABILITIES = ("none", "full")
ROUTINGS = ("best", "tickets", "random", "fixed")
STRATEGIES = ("auto", "probing", "negative", "hybrid", "input")
OWN_STRATEGIES = ("auto", "probing", "negative", "hybrid")  # strategies that can be set for a single query
SWITCH = {"on": True, "true": True, "off": False, "false": False}
INTERVAL = re.compile(r"\s*(?:(\d{1,20}(?:\.\d{1,20})?)\s+)?([a-z]+?)s?\s*", re.IGNORECASE)


@dataclass(frozen=True)
class Settings:
    """The settings in force. `tick` is in microseconds; `spark` holds the settings that are passed on to Spark."""

    tick: int = UNITS["second"]
    origin: datetime | None = None
    frequency_rewrites: bool = True
    late: str | None = None  # the folder for rows that arrive too late; without one they are only counted
    unreadable: str = "unreadable"  # the folder for rows that cannot be read
    scratch: str | None = None  # the state folder of a run without a checkpoint; by default on this machine
    durability: str = "full"  # whether what a checkpoint says outlives a power loss, which takes time in each batch
    shards: int | None = None  # into how many shards rows are partitioned; by default as many as there are cores
    batch_time: int = 2 * UNITS["second"]  # how long a batch of a continuous run should take, in microseconds
    batch_rows: int | None = None  # the most rows of such a batch; by default only batch_time limits it
    step_time: int = 10 * UNITS["minute"]  # how long an operator may take over the rows that a task hands it at once
    shedding: bool = False  # whether rows are dropped, and counted, when batches fall behind
    scan: str = "arrow"  # whether tasks read files and prepare rows with Arrow, or Spark by its readers and SQL
    routing: str = "best"  # how rows are routed through the filters of many queries
    strategy: str = "auto"  # how operators learn that tuples leave their windows
    spark: tuple[tuple[str, str], ...] = ()

    @property
    def without_live_settings(self) -> Settings:
        """These settings with those in LIVE set to their defaults: the rest cannot change while queries run.

        The strategy `input` is kept too: switching to or from it needs a new run.
        """
        changed = {name.replace(".", "_"): getattr(DEFAULTS, name.replace(".", "_")) for name in LIVE}
        return replace(self, **changed | ({"strategy": "input"} if self.strategy == "input" else {}))

    def change(self, key: str, value: str, place: TextSpan | None = None) -> Settings:
        """The settings after `SET key = value`."""
        name = ALIASES.get(key.lower(), key.lower())
        if name.startswith("spark."):
            return replace(self, spark=(*self.spark, (key, value)))
        reader = READERS.get(name)
        if reader is None:
            hint = did_you_mean(name, READERS) or f"there are {', '.join(READERS)}, and those of Spark"
            raise SettingError(f"no setting {key}", place, hint)
        try:
            changed: dict[str, Any] = {name.replace(".", "_"): reader(value)}
            return replace(self, **changed)
        except ValueError as problem:
            raise SettingError(f"{key} cannot be '{value}': {problem}", place) from None


def read_interval(text: str) -> int:
    """The microseconds in an interval such as '500 milliseconds', '1 second' or 'hour'.

    >>> read_interval("500 milliseconds")
    500000
    """
    match = INTERVAL.fullmatch(text)
    if not match or match.group(2).lower() not in UNITS:
        raise ValueError("expected an interval such as '1 second' or '500 milliseconds'")
    exact = Fraction(match.group(1) or 1) * UNITS[match.group(2).lower()]
    if exact > LONGEST_TICK:
        raise ValueError("it is longer than a century")
    if exact < 1 or exact.denominator != 1:
        raise ValueError("it must be a whole number of microseconds, at least one")
    return int(exact)


def interval_text(microseconds: int) -> str:
    """Microseconds as a text that `read_interval` reads, in the largest unit of which they are a whole number.

    >>> interval_text(1_000_000), interval_text(90_000_000), read_interval(interval_text(1_500_000))
    ('1 second', '90 seconds', 1500000)
    """
    unit = [unit for unit, length in UNITS.items() if microseconds % length == 0][-1]
    count = microseconds // UNITS[unit]
    return f"{count} {unit}{'' if count == 1 else 's'}"


def read_instant(text: str) -> datetime:
    """The moment that a text such as '2024-03-01 10:00:00' names, in UTC unless the text has a time zone."""
    try:
        moment = datetime.fromisoformat(text.strip())
    except ValueError:
        raise ValueError("expected a time such as '2024-03-01 10:00:00'") from None
    return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)


def read_switch(text: str) -> bool:
    if text.lower() not in SWITCH:
        raise ValueError("expected on or off")
    return SWITCH[text.lower()]


def read_folder(text: str) -> str:
    if not text.strip():
        raise ValueError("expected a folder")
    return text


def read_count(text: str) -> int:
    if not text.strip().isdigit() or int(text) < 1:
        raise ValueError("expected a whole number, at least 1")
    return int(text)


def read_routing(text: str) -> str:
    if text.lower() not in ROUTINGS:
        raise ValueError(f"expected one of {', '.join(ROUTINGS)}")
    return text.lower()


def read_scan(text: str) -> str:
    if text.lower() not in SCANS:
        raise ValueError(f"expected one of {', '.join(SCANS)}")
    return text.lower()


def read_durability(text: str) -> str:
    if text.lower() not in DURABILITIES:
        raise ValueError(f"expected one of {', '.join(DURABILITIES)}")
    return text.lower()


def read_strategy(text: str) -> str:
    if text.lower() not in STRATEGIES:
        raise ValueError(f"expected one of {', '.join(STRATEGIES)}")
    return text.lower()


READERS = {
    "tick": read_interval,
    "origin": read_instant,
    "frequency.rewrites": read_switch,
    "late": read_folder,
    "unreadable": read_folder,
    "scratch": read_folder,
    "durability": read_durability,
    "shards": read_count,
    "batch.time": read_interval,
    "batch.rows": read_count,
    "step.time": read_interval,
    "shedding": read_switch,
    "scan": read_scan,
    "routing": read_routing,
    "strategy": read_strategy,
}
ALIASES = {"maxrowsperbatch": "batch.rows"}
LIVE = ("batch.time", "batch.rows", "shedding", "routing", "strategy")  # may change while queries run

DEFAULTS = Settings()
