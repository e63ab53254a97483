"""Channel: the newest results of one query, for any number of readers.

Rows are numbered from one. A reader holds nothing but the number of the last row it has. If rows after that number are
no longer kept, the reader gets a Gap. So a reader costs one number, however slow it is, and can go on where another
reader left off. Rows are kept as JSON.

>>> import pyarrow as pa
>>> rows_json(pa.table({"_ts": [1, 2], "v": [0.5, float("nan")], "b": [b"\\x01", None]}))
['[1,0.5,"01"]', '[2,"NaN",null]']
"""

from __future__ import annotations

import asyncio
import json
import math
import secrets
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from itertools import takewhile
from typing import TYPE_CHECKING, Any

from tailrace.columnar.row_values import row_values

if TYPE_CHECKING:
    import pyarrow as pa


def rows_json(table: pa.Table) -> list[str]:
    """Each row as a JSON array."""
    columns = [row_values(column) for column in table.columns]
    return [row_json(row) for row in zip(*columns, strict=True)]


def row_json(row: tuple[Any, ...]) -> str:
    try:
        return json.dumps(row, ensure_ascii=False, separators=(",", ":"), default=text_of, allow_nan=False)
    except (ValueError, TypeError):
        return json.dumps(plain(row), ensure_ascii=False, separators=(",", ":"))


def text_of(value: Any) -> str:
    """A value for which JSON has no type, as text like in the terminal. Timestamps are in UTC."""
    if isinstance(value, datetime):
        return str(value.replace(tzinfo=None))
    return value.hex() if isinstance(value, bytes) else str(value)


def plain(value: Any) -> Any:
    """A value of JSON's own types throughout: map keys, NaN, infinities and all other types become strings."""
    if isinstance(value, dict):
        return {key if isinstance(key, str) else text_of(key): plain(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(each) for each in value]
    if isinstance(value, float):
        return value if math.isfinite(value) else {"nan": "NaN", "inf": "Infinity", "-inf": "-Infinity"}[str(value)]
    return value if value is None or isinstance(value, (bool, int, str)) else text_of(value)


KEEP = 4 << 20  # characters of results that a channel keeps
CHUNK = 500  # rows in one event at most
ALWAYS = 1e12

Soon = Callable[[Callable[[], None]], None]  # runs a function in the event loop's thread, in order


@dataclass(frozen=True)
class Chunk:
    """Consecutive rows, each as JSON; `first` is the number of the first."""

    epoch: str
    first: int
    rows: Sequence[str]

    @property
    def last(self) -> int:
        return self.first + len(self.rows) - 1

    @cached_property
    def size(self) -> int:
        return sum(map(len, self.rows))

    @cached_property
    def event(self) -> bytes:
        """The rows as a server-sent event, encoded once for all readers."""
        data = f'{{"first":{self.first},"rows":[{",".join(self.rows)}]}}'
        return event("rows", data, f"{self.epoch}-{self.last}")

    def after(self, number: int) -> Chunk:
        """The rows after a number."""
        gone = max(0, number - self.first + 1)
        return Chunk(self.epoch, self.first + gone, self.rows[gone:]) if gone else self


@dataclass(frozen=True)
class Gap:
    """The numbers of the first and the last of some rows that are no longer kept."""

    epoch: str
    first: int
    last: int

    @property
    def event(self) -> bytes:
        data = f'{{"first":{self.first},"last":{self.last},"rows":{self.last - self.first + 1}}}'
        return event("gap", data, f"{self.epoch}-{self.last}")


def event(name: str, data: str, number: str = "") -> bytes:
    """The bytes of a server-sent event.

    >>> event("end", "{}", "a-1")
    b'event: end\\nid: a-1\\ndata: {}\\n\\n'
    """
    line = f"id: {number}\n" if number else ""
    return f"event: {name}\n{line}data: {data}\n\n".encode()


@dataclass(eq=False)
class Channel:
    """The newest results of one query, in chunks.

    The engine's thread calls `take`. Everything else runs in the event loop's thread, in which `soon` runs a function.
    While the channel is paused, rows are kept as usual but not handed out; after that readers get all that are still
    kept.
    """

    soon: Soon
    keep: int = KEEP
    epoch: str = field(default_factory=lambda: secrets.token_hex(4))  # another one for each registration
    chunks: deque[Chunk] = field(default_factory=deque)
    size: int = 0
    last: int = 0
    paused_at: int | None = None
    over: bool = False
    readers: int = 0
    changed: asyncio.Event = field(default_factory=asyncio.Event)

    def take(self, table: pa.Table) -> None:
        rows = rows_json(table)
        parts = [rows[begin : begin + CHUNK] for begin in range(0, len(rows), CHUNK)]
        self.soon(lambda: self.add(parts))

    def add(self, parts: Sequence[Sequence[str]]) -> None:
        for rows in parts:
            self.chunks.append(Chunk(self.epoch, self.last + 1, rows))
            self.last += len(rows)
            self.size += self.chunks[-1].size
        while self.size > self.keep and len(self.chunks) > 1:
            self.size -= self.chunks.popleft().size
        self.wake()

    def wake(self) -> None:
        changed, self.changed = self.changed, asyncio.Event()
        changed.set()

    def pause(self) -> None:
        self.paused_at = self.last if self.paused_at is None else self.paused_at

    def resume(self) -> None:
        self.paused_at = None
        self.wake()

    def close(self) -> None:
        """The query was dropped: readers get the rows that are still kept, and then the end."""
        self.over = True
        self.paused_at = None
        self.wake()

    @property
    def last_handed_out(self) -> int:
        """The number of the last row that readers may get; while paused, the last row before the pause."""
        return self.last if self.paused_at is None else self.paused_at

    def number_of(self, told: str | None) -> int:
        """The number in the id of the last row a reader has; 0 without an id, or for an id of other results.

        >>> channel = Channel(lambda work: work(), epoch="ab")
        >>> channel.number_of("ab-7"), channel.number_of("cd-7"), channel.number_of(None)
        (7, 0, 0)
        """
        epoch, _, number = (told or "").partition("-")
        return int(number) if epoch == self.epoch and number.isascii() and number.isdigit() else 0

    def since(self, number: int, most: float = ALWAYS) -> Iterator[Chunk | Gap]:
        """At most `most` rows after `number` that readers may get; a Gap comes first if some are no longer kept."""
        kept = self.chunks[0].first if self.chunks else self.last + 1
        shown = self.last_handed_out
        if number < min(kept - 1, shown):
            yield Gap(self.epoch, number + 1, min(kept - 1, shown))
            number = min(kept - 1, shown)
        for chunk in self.newer(number):
            if chunk.first > shown or most <= 0:
                return
            found = chunk.after(number)
            wanted = int(min(most, shown - found.first + 1, len(found.rows)))
            if wanted < len(found.rows):
                found = Chunk(self.epoch, found.first, found.rows[:wanted])
            yield found
            most -= len(found.rows)

    def newer(self, number: int) -> list[Chunk]:
        """The chunks with rows after a number. Searched from the newest on, since most readers lack only that one."""
        found = list(takewhile(lambda chunk: chunk.last > number, reversed(self.chunks)))
        return found[::-1]
