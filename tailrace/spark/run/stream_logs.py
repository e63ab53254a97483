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

import os
import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from zlib import crc32

from tailrace.errors import RunError
from tailrace.state.sync_files import sync_folders, sync_present

CHECKED = ("offsets/", "sources/")
ANEW = "put back a copy of the whole checkpoint, or name a new folder to start empty; check the disk"
NUMBERED = re.compile(r"\d+(\.compact)?")


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
                    self.checksums[name] = known[name] if name in known else crc32((self.folder / name).read_bytes())
        return self.checksums

    def verify(self, checksums: Mapping[str, int]) -> None:
        """Compare the logs with the checksums of the last record; a RunError if one is damaged or gone."""
        self.checksums = dict(checksums)
        there = set(self.names())
        for name, checksum in checksums.items():
            if name not in there:
                if not self.may_be_removed(name):
                    raise RunError(f"{self.folder / name} is not there", hint=ANEW)
            elif crc32((self.folder / name).read_bytes()) != checksum:
                raise RunError(f"{self.folder / name} is damaged", hint=ANEW)

    def remove_torn(self, newest: int) -> list[str]:
        """Remove logs that a power loss left empty, of batches after the `newest` recorded one; returns their names.

        Spark refuses to start with an empty log. Without a log it plans the batch anew, from the files that other logs
        do not name. So if a log that decides what is read was empty, the plans of later batches go too.
        """
        torn = [name for name in self.names() if name not in self.checksums and is_torn(self.folder / name)]
        if any(name.startswith(CHECKED) for name in torn):
            plans = (name for name in self.names() if name.startswith("offsets/"))
            torn += [name for name in plans if name not in torn and int(name.rpartition("/")[2]) > newest]
        beside = (checksum_file(self.folder / name) for name in self.names() if name not in self.checksums)
        for path in (*filter(is_torn, beside), *(checksum_file(self.folder / name) for name in torn)):
            path.unlink(missing_ok=True)
        for name in torn:
            (self.folder / name).unlink(missing_ok=True)
        return torn

    def may_be_removed(self, name: str) -> bool:
        """Whether Spark removes a log when later ones are there: of many batches, or one with the same files."""
        folder, _, number = name.rpartition("/")
        there = [each for each in names_in(self.folder / folder) if NUMBERED.fullmatch(each)]
        newer = [each for each in there if int(each.partition(".")[0]) > int(number.partition(".")[0])]
        return any(folder == "offsets" or each.endswith(".compact") for each in newer)


def checksum_file(path: Path) -> Path:
    """The file that Hadoop keeps beside a file, with its checksums."""
    return path.with_name(f".{path.name}.crc")


def is_torn(path: Path) -> bool:
    """Whether a file is as files are that were not synced when the power went: empty, or nothing but zeros."""
    return path.is_file() and not path.read_bytes().strip(b"\0")


def names_in(folder: Path) -> list[str]:
    """The names in a folder in order; none if it is not there."""
    return sorted(os.listdir(folder)) if folder.is_dir() else []
