"""Stream logs: the files in which Structured Streaming notes how far each source was read, in a checkpoint.

Spark writes them by a rename, and syncs nothing. A record of a batch beside a log that a power loss took would lose
rows: they would count as read, while nobody knows which they were. So the driver syncs the logs of a batch before it
writes the record. A damaged log would lose or double rows, so the record has the checksums of the logs.

| below `offsets/` | what it is |
|---|---|
| `metadata` | the name of the stream |
| `offsets/n` | how far batch n reads each source |
| `commits/n` | written after batch n |
| `sources/NAME/n` | the files of batch n; `n.compact` has those of the batches before too |
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from zlib import crc32

from pyspark.sql.streaming.query import StreamingQuery

from tailrace.errors import RunError
from tailrace.state import disk
from tailrace.state.sync_files import sync_folders, sync_present

CHECKED = ("offsets/", "sources/")
ANEW = "put back a copy of the whole checkpoint, or name a new folder to start empty; check the disk"
COMMITTING = 5.0  # seconds to wait until Spark has committed a batch
HADOOP = b"crc\0"  # how a file with Hadoop's checksums begins
LOG_OFFSET = re.compile(r'"logOffset":(\d+)')
NUMBERED = re.compile(r"\d+(\.compact)?")
VERSION = re.compile(rb"\A\0?v\d+\n")  # the first line of a log; Kafka's first offsets have a zero byte before it


@dataclass
class StreamLogs:
    """The logs of a stream below a local folder.

    `synced` are the files that are durable, and `checksums` those of the files that decide what was read.
    """

    folder: Path
    synced: set[str] = field(default_factory=set)
    checksums: dict[str, int] = field(default_factory=dict)

    def names(self) -> list[str]:
        """The log files that are there, as paths below the folder."""
        folders = ["offsets", "commits", *(f"sources/{name}" for name in names_in(self.folder / "sources"))]
        found = [f"{folder}/{name}" for folder in folders for name in names_in(self.folder / folder)]
        return [*(name for name in found if NUMBERED.fullmatch(name.rpartition("/")[2])), *self.metadata()]

    def metadata(self) -> list[str]:
        return ["metadata"] if (self.folder / "metadata").is_file() else []

    def sync(self) -> None:
        """Make all logs durable that are there, with the checksums that Hadoop keeps beside them."""
        there = self.names()
        paths = [self.folder / name for name in there if name not in self.synced]
        sync_present(path for new in paths for path in (new, checksum_file(new)))
        above = {folder for new in paths for folder in new.parents if folder.is_relative_to(self.folder)}
        sync_folders(sorted(above | ({self.folder.parent} if above else set())))
        self.synced = set(there)

    def add_checksums(self) -> dict[str, int]:
        """The checksums of the logs that are there; a file that is known is not read again, for it never changes."""
        known, self.checksums = self.checksums, {}
        for name in self.names():
            if name.startswith(CHECKED):
                with suppress(FileNotFoundError):  # Spark removes old logs meanwhile
                    self.checksums[name] = known[name] if name in known else crc32(disk.read(self.folder / name))
        return self.checksums

    def verify(self, checksums: Mapping[str, int]) -> None:
        """Compare the logs with the checksums of the last record; a RunError if one is damaged or gone."""
        self.checksums = dict(checksums)
        there = set(self.names())
        for name, checksum in checksums.items():
            if name not in there:
                if not self.may_be_removed(name):
                    raise RunError(f"{self.folder / name} is not there", hint=ANEW)
            elif crc32(disk.read(self.folder / name)) != checksum:
                raise RunError(f"{self.folder / name} is damaged", hint=ANEW)

    def remove_torn(self, newest: int) -> list[str]:
        """Remove logs that a crash left damaged, of batches after the `newest` recorded one; returns their names.

        Spark refuses to start with such a log. Without logs it plans the batch anew, from the files that other logs do
        not name. So if a log that decides what is read is damaged, or gone, all such logs of later batches go too. Of
        the other logs a damaged checksum of Hadoop's goes alone: the record's own checksum says that they are whole.
        """
        there = self.names()
        later = [name for name in there if name.startswith(CHECKED) and name not in self.checksums]
        torn = [name for name in there if not name.startswith(CHECKED) and self.is_torn(name)]
        if any(self.is_torn(name) for name in later) or self.misses_log(there, newest):
            torn += later
        for name in there:
            if name not in torn and name in self.checksums and not has_fitting_checksums(self.folder / name):
                disk.remove(checksum_file(self.folder / name))
        for name in torn:
            disk.remove(checksum_file(self.folder / name))
            disk.remove(self.folder / name)
        return torn

    def is_torn(self, name: str) -> bool:
        """Whether a log is not what Spark wrote; one that decides what is read must have Hadoop's checksums too."""
        path = self.folder / name
        if name.startswith(CHECKED) and not checksum_file(path).is_file():
            return True
        return not has_fitting_checksums(path) or not is_json(VERSION.sub(b"", disk.read(path)))

    def misses_log(self, there: Sequence[str], newest: int) -> bool:
        """Whether the plan of a batch after the `newest` recorded one names a log of a source that is not there."""
        plans = (name for name in there if name.startswith("offsets/") and name not in self.checksums)
        for plan in plans:
            for place, line in enumerate(disk.read(self.folder / plan).decode(errors="replace").splitlines()[2:]):
                name, _, offset = line.partition(":{")
                number = LOG_OFFSET.search(offset or line)
                log = f"sources/{name if offset else place}/{number[1]}" if number else None
                if log is not None and not {log, f"{log}.compact"} & {*there}:
                    return True
        return False

    def may_be_removed(self, name: str) -> bool:
        """Whether Spark removes a log when later ones are there: of many batches, or one with the same files."""
        folder, _, number = name.rpartition("/")
        there = [each for each in names_in(self.folder / folder) if NUMBERED.fullmatch(each)]
        newer = [each for each in there if int(each.partition(".")[0]) > int(number.partition(".")[0])]
        return any(
            folder == "offsets" or (each.endswith(".compact") and f"{folder}/{each}" in self.checksums)
            for each in newer
        )


def checksum_file(path: Path) -> Path:
    """The file that Hadoop keeps beside a file, with its checksums."""
    return path.with_name(f".{path.name}.crc")


def has_fitting_checksums(path: Path) -> bool:
    """Whether Hadoop's checksums beside a file are those of its content; so it is if there are none.

    They are CRC-32s of 512 bytes each, after a header of eight bytes, which ends with that number.
    """
    beside = checksum_file(path)
    if not beside.is_file():
        return True
    found, content = disk.read(beside), disk.read(path)
    size = int.from_bytes(found[4:8], "big") or 1
    sums = (crc32(content[at : at + size]).to_bytes(4, "big") for at in range(0, len(content), size))
    return found == HADOOP + found[4:8] + b"".join(sums)


def is_json(content: bytes) -> bool:
    """Whether content is lines of JSON, each perhaps after a name; `-` stands for a source without an offset.

    >>> is_json(b'{"id":"x"}'), is_json(b'{}\\n-\\ns:{"logOffset":3}\\nrate:5'), is_json(b'{"id"'), is_json(b"")
    (True, True, False, False)
    """
    lines = content.decode(errors="replace").splitlines()
    try:
        for line in lines:
            json.loads("0" if line == "-" else re.sub(r"^\w+:", "", line))
    except ValueError:
        return False
    return bool(lines)


def names_in(folder: Path) -> list[str]:
    """The names in a folder in order; none if it is not there."""
    return sorted(disk.list_names(folder))


def wait_for_commit(query: StreamingQuery, batch: int) -> None:
    """Wait until Spark has committed a batch: otherwise it would come again at the next start."""
    begun = time.monotonic()
    while query.isActive and batch >= 0 and time.monotonic() - begun < COMMITTING:
        progress = query.lastProgress
        if progress is not None and progress["batchId"] >= batch:
            return
        time.sleep(0.02)
