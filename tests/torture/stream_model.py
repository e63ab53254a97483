"""Stream model: Structured Streaming over files as far as a checkpoint sees it: which logs it writes, and when.

Before a batch, each source with a new file writes a log that names it, and then the batch its own log, how far each
source is read; after the batch comes a log that says it is done. A log is written aside and renamed, its checksums by
Hadoop likewise, after it; nothing is synced. A batch that is not done is handed over again, with the same files. A log
that cannot be read ends the stream.
"""

from __future__ import annotations

import json
import re
import struct
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from zlib import crc32

from tailrace.state import disk

KEPT = 10  # batches whose logs are kept
COMPACT = 4  # each so many logs of a source, one has the files of all before; Spark's own number is 10


class UnreadableLogError(Exception):
    """A log that Spark refuses to start with."""


class NamedFiles:
    """The rows of a batch as Spark hands it over: none, since tasks read all files, from their names."""

    def where(self, condition: str) -> NamedFiles:
        raise ValueError("rows were rejected: they are late, or cannot be read")


@dataclass
class Logs:
    """The logs in one folder, by number."""

    folder: Path

    def numbers(self) -> list[int]:
        found = (re.fullmatch(r"(\d+)(?:\.compact)?", name) for name in disk.list_names(self.folder))
        return sorted(int(each[1]) for each in found if each)

    def path(self, number: int) -> Path:
        compact = self.folder / f"{number}.compact"
        return compact if compact.exists() else self.folder / str(number)

    def write(self, name: str, text: str) -> None:
        disk.make_folders(self.folder)
        content = text.encode()
        for file, what in ((name, content), (f".{name}.crc", crc_of(content))):
            disk.write(self.folder / f".{file}.aside", what)
        disk.rename(self.folder / f".{name}.aside", self.folder / name)
        disk.rename(self.folder / f"..{name}.crc.aside", self.folder / f".{name}.crc")

    def read(self, number: int) -> list[str]:
        """The lines of a log after the first; an error if its checksums do not fit, or Spark could not read it."""
        return read_log(self.path(number))

    def remove_before(self, number: int) -> None:
        for each in self.numbers():
            if each < number:
                path = self.path(each)
                disk.remove(path)
                disk.remove(path.with_name(f".{path.name}.crc"))


def crc_of(content: bytes) -> bytes:
    """The checksums that Hadoop keeps beside a file."""
    sums = (crc32(content[at : at + 512]) for at in range(0, len(content), 512))
    return struct.pack(">4sI", b"crc\0", 512) + b"".join(struct.pack(">I", each) for each in sums)


def read_log(path: Path) -> list[str]:
    content = disk.read(path)
    beside = path.with_name(f".{path.name}.crc")
    if beside.exists() and disk.read(beside) != crc_of(content):
        raise UnreadableLogError(f"{path} has other checksums")
    first, *lines = content.decode(errors="replace").split("\n")
    if not re.fullmatch(r"v\d", first) or not lines:
        raise UnreadableLogError(f"{path} is incomplete")
    for line in lines:
        try:
            json.loads(line[line.index("{") :])
        except ValueError:
            raise UnreadableLogError(f"{path} cannot be parsed: {line!r}") from None
    return lines


@dataclass
class StreamModel:
    """A stream over the files of some sources, by the name that Spark has for each; a batch takes one of each.

    It ends after `batches` batches. `taken` are the files of each batch that it handed over, by its number.
    """

    files: dict[str, list[str]]
    batches: int
    after: Callable[[int], None] = lambda number: None  # called when a batch is done
    taken: dict[int, dict[str, list[str]]] = field(default_factory=dict)
    current: dict[str, list[str]] = field(default_factory=dict)
    now: Callable[[], int] = time.time_ns  # the machine's clock
    let_time_pass: Callable[[], None] = lambda: None  # called before each batch
    batch_time: int = 0  # when the current batch was planned, in microseconds

    def start(
        self,
        services: Any,
        offsets: str,
        take: Callable[[Any, int], None],
        wait: Any,
        ticks_name: str,
        **trigger: Any,
    ) -> None:
        """What Spark does in place of `start_stream`; the stream ends for a restart when the clock was set back."""
        ask_for_restart = take.__self__.reopen.set  # type: ignore[attr-defined]
        folder = Path(offsets.removeprefix("file:"))
        self.write_metadata(folder)
        plans, commits = Logs(folder / "offsets"), Logs(folder / "commits")
        while self.batches > 0:
            self.let_time_pass()
            if services.setup.has_been_set_back():
                ask_for_restart()
                return
            planned, done = plans.numbers(), commits.numbers()
            number = planned[-1] if planned else -1
            if done:
                commits.read(done[-1])
            if number < 0 or (done and done[-1] == number):
                number += 1
                if not self.plan(number, folder, plans):
                    return
            self.current = self.files_between(folder, plans, number)
            self.batch_time = json.loads(plans.read(number)[0])["batchTimestampMs"] * 1000
            self.taken[number] = self.current
            take(NamedFiles(), number)
            commits.write(str(number), 'v1\n{"nextBatchWatermarkMs":0}')
            plans.remove_before(number - KEPT)
            commits.remove_before(number - KEPT)
            self.batches -= 1
            self.after(number)

    def write_metadata(self, folder: Path) -> None:
        disk.make_folders(folder)
        path = folder / "metadata"
        if not path.exists():
            disk.write(folder / ".metadata.aside", b'{"id":"1"}')
            disk.rename(folder / ".metadata.aside", path)
        if disk.read(path) != b'{"id":"1"}':
            raise UnreadableLogError(f"{path} cannot be parsed")

    def sources(self, folder: Path) -> dict[str, Logs]:
        return {name: Logs(folder / "sources" / name) for name in self.files}

    def plan(self, number: int, folder: Path, plans: Logs) -> bool:
        """Write the logs of a new batch; False if there are no new files."""
        before = self.offsets(plans, number - 1)
        ends = {}
        for name, logs in self.sources(folder).items():
            numbers = logs.numbers()
            newest = numbers[-1] if numbers else -1
            seen = self.named_in(logs, newest)
            new = [file for file in self.files[name] if file not in seen][:1]
            if new:
                newest += 1
                is_compact = (newest + 1) % COMPACT == 0
                lines = [json.dumps({"path": file}) for file in ([*seen, *new] if is_compact else new)]
                logs.write(f"{newest}.compact" if is_compact else str(newest), "\n".join(["v1", *lines]))
                if is_compact:
                    logs.remove_before(newest - COMPACT)
            ends[name] = newest
        if all(before.get(name, -1) == end for name, end in ends.items()):
            return False
        lines = [f'{name}:{{"logOffset":{end}}}' for name, end in ends.items() if end >= 0]
        plans.write(str(number), "\n".join(["v2", f'{{"batchTimestampMs":{self.now() // 1_000_000}}}', *lines]))
        return True

    def offsets(self, plans: Logs, number: int) -> dict[str, int]:
        if number < 0:
            return {}
        if number not in plans.numbers():
            raise UnreadableLogError(f"batch {number} does not exist")
        pairs = (line.partition(":") for line in plans.read(number)[1:])
        return {name: int(json.loads(end)["logOffset"]) for name, _, end in pairs}

    def files_between(self, folder: Path, plans: Logs, number: int) -> dict[str, list[str]]:
        """The files of a batch: those of the logs after the offsets of the batch before, up to its own."""
        before, after = self.offsets(plans, number - 1), self.offsets(plans, number)
        found = {}
        for name, logs in self.sources(folder).items():
            begin, end = before.get(name, -1), after.get(name, -1)
            if end > begin:
                if end not in logs.numbers():
                    raise UnreadableLogError(f"{logs.path(end)} does not exist")
                known = self.named_in(logs, begin)
                found[name] = [file for file in self.named_in(logs, end) if file not in known]
        return found

    def named_in(self, logs: Logs, end: int) -> list[str]:
        """The files that the logs up to a number name, in order: those of the last compact one, and after it."""
        numbers = [number for number in logs.numbers() if number <= end]
        found: list[str] = []
        for number in numbers:
            lines = [json.loads(line)["path"] for line in logs.read(number)]
            found = lines if logs.path(number).suffix else [*found, *lines]
        return found
