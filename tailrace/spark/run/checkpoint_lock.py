"""Checkpoint lock: one run at a time uses a checkpoint, and one that lost it stops before it writes.

The folder `locks/` of a checkpoint has files for the run that holds it. No file ever changes.

| in the folder | what it is |
|---|---|
| `7.json` | the host and the process of the run, and since when it goes on; 7 grows with each holder |
| `7-1794982240.renewed` | the moment at which the run said last that it goes on, in seconds since 1970 |
| `7.released` | the run has ended |

Who makes the file of the next number, which only one can, is the holder; a run that finds a higher number than its own
was taken over.

A lock is free if its run has ended, if its process is not there any more, or, where this machine cannot see that, if it
was not renewed for STALE seconds. Clocks of two machines may differ: so a lock of another machine that looks old is
watched for WATCHED seconds, and is not free if it is renewed meanwhile.
"""

from __future__ import annotations

import json
import os
import re
import socket
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from tailrace.errors import RunError
from tailrace.state.checksums import seal, unseal
from tailrace.state.storage import Storage

STALE, RENEWING = 60.0, 5.0  # seconds
WATCHED = 3 * RENEWING  # seconds, by a clock that nobody sets
LOOK = 0.5  # seconds between two looks at a lock that is watched
PROC = Path("/proc")
NUMBERED, MOMENT = re.compile(r"\d+"), re.compile(r"(\d+)-(\d+)\.renewed")

# The tokens of the locks that runs of this process hold.
_held: set[str] = set()


@dataclass
class CheckpointLock:
    """The lock of a checkpoint at `place`, as one run sees it; `number` is None while the run does not hold it."""

    store: Storage
    place: str
    number: int | None = None
    token: str = field(default_factory=lambda: uuid.uuid4().hex)
    since: str = ""
    renewed: float = 0.0
    moment: str | None = None  # the file that says when the lock was renewed

    @contextmanager
    def hold(self) -> Iterator[None]:
        """Hold the lock inside the block; a RunError if another run holds it."""
        self.acquire()
        try:
            yield
        finally:
            self.release()

    def acquire(self) -> None:
        """Take the lock if it is free, under the next number; a RunError names the run that holds it."""
        self.store.make()
        newest = self.newest_number()
        holder = self.read_holder(newest)
        if holder is not None and not self.is_released(newest) and self.goes_on(newest, holder):
            raise self.refusal(holder)
        self.since = datetime.now(UTC).isoformat(" ", "seconds")
        number = newest + 1
        _held.add(self.token)
        try:
            if not self.store.create(f"{number}.json", self.content()):
                raise self.refusal(self.read_holder(number))
        except BaseException:
            _held.discard(self.token)
            raise
        self.number, self.renewed = number, time.monotonic()
        with suppress(OSError):  # they say nothing any more
            for name in self.store.names():
                of = NUMBERED.match(name)
                if of and int(of[0]) < number:
                    self.store.remove(name)

    def release(self) -> None:
        """Give the lock back; its file stays, for the next number."""
        number, self.number = self.number, None
        _held.discard(self.token)
        with suppress(OSError):  # the folder may be gone
            if number is not None and self.newest_number() == number:
                self.store.write(f"{number}.released", b"-")

    def check(self) -> None:
        """A RunError if another run has taken the lock over. Nothing if this run does not hold the lock."""
        if self.number is not None and self.newest_number() != self.number:
            holder = self.read_holder(self.newest_number())
            raise RunError(
                f"the checkpoint {self.place} was taken over{name_holder(' by', holder)}: this run has stopped",
                hint="one checkpoint belongs to one run at a time",
            )

    def renew(self) -> None:
        """Say every few seconds that the run goes on."""
        if self.number is not None and time.monotonic() - self.renewed > RENEWING:
            self.renewed = time.monotonic()
            with suppress(OSError):  # the next time may be luckier; `check` says if it matters
                before, self.moment = self.moment, f"{self.number}-{int(time.time())}.renewed"
                self.store.write(self.moment, b"-")
                if before not in (None, self.moment):
                    self.store.remove(before)

    def content(self) -> bytes:
        process = os.getpid()
        what = {"host": socket.gethostname(), "machine": machine_id(), "process": process, "since": self.since}
        what |= {"started": start_of(process), "token": self.token, "renewed": time.time()}
        return seal(json.dumps(what))

    def newest_number(self) -> int:
        return max(numbers(self.store), default=0)

    def is_released(self, number: int) -> bool:
        return f"{number}.released" in self.store.names()

    def last_moment(self, number: int) -> float:
        """When the lock of a number was last renewed, as far as its files say; 0 if they do not."""
        return max((float(name.partition("-")[2].partition(".")[0]) for name in self.moments(number)), default=0.0)

    def goes_on(self, number: int, holder: dict[str, Any]) -> bool:
        """Whether the run that holds a number still goes on. A lock of another machine is watched if it looks old."""
        return is_alive(holder, self.last_moment(number)) or (is_elsewhere(holder) and self.sees_renewal(number))

    def sees_renewal(self, number: int) -> bool:
        """Watch the lock of a number for a while; whether its run goes on. Its clock need not be right for that."""
        before, begun = self.moments(number), time.monotonic()
        while time.monotonic() - begun < WATCHED and not self.is_released(number):
            time.sleep(min(LOOK, WATCHED))
            if self.moments(number) != before:
                return True
        return False

    def moments(self, number: int) -> set[str]:
        """The names of the files that say when the lock of a number was renewed."""
        found = (MOMENT.fullmatch(name) for name in self.store.names())
        return {each[0] for each in found if each and int(each[1]) == number}

    def read_holder(self, number: int) -> dict[str, Any] | None:
        """What the file of a number says; None if it is not there, or was damaged when its machine went down."""
        content = self.store.read(f"{number}.json")
        with suppress(ValueError):
            what, is_sealed = unseal(content or b"")
            return what if is_sealed else None
        return None

    def refusal(self, holder: dict[str, Any] | None) -> RunError:
        return RunError(
            f"the checkpoint {self.place} is in use{name_holder(' by', holder)}",
            hint="stop that run first, or name another folder",
        )


def numbers(folder: Storage) -> list[int]:
    """The numbers n of the files `n.json` in a folder."""
    stems = (name.removesuffix(".json") for name in folder.names() if name.endswith(".json"))
    return [int(stem) for stem in stems if stem.isdigit()]


def name_holder(by: str, holder: dict[str, Any] | None) -> str:
    """The end of a sentence that names the run that holds a lock; nothing if it is not known."""
    return f"{by} process {holder['process']} on {holder['host']}, since {holder['since']}" if holder else ""


def is_alive(holder: dict[str, Any], renewed: float) -> bool:
    """Whether the run that holds a lock still goes on, as far as this machine can see."""
    if is_elsewhere(holder):
        # A moment that is far ahead says as little as an old one.
        return any(abs(time.time() - moment) < STALE for moment in (holder["renewed"], renewed))
    if (holder["process"], holder["started"]) == (os.getpid(), start_of(os.getpid())):
        return holder["token"] in _held
    return start_of(holder["process"]) in (holder["started"], None)


def is_elsewhere(holder: dict[str, Any]) -> bool:
    """Whether the run that holds a lock is on another machine, so that its process cannot be seen here."""
    return bool(holder["machine"] != machine_id())


def machine_id() -> str:
    """What is equal for two processes only if one can see the other: a host since its start, or a container."""
    with suppress(OSError):
        boot = (PROC / "sys/kernel/random/boot_id").read_text().strip()
        return f"{socket.gethostname()} {boot} {os.readlink(PROC / 'self/ns/pid')}"
    return socket.gethostname()


def start_of(process: int) -> str | None:
    """When a process of this machine was started, in ticks; "" if it is not there, None if that cannot be seen.

    >>> start_of(os.getpid()) != "", start_of(2**22 + 1) in ("", None)
    (True, True)
    """
    if not (PROC / "self/stat").exists():
        return None
    try:
        # The name of the program, in brackets, may contain anything.
        parts = (PROC / str(process) / "stat").read_text().rpartition(")")[2].split()
    except OSError:
        return ""
    return "" if parts[0] in "ZX" else parts[19]
