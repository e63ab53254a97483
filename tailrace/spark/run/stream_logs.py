"""Stream logs: the files in which Structured Streaming notes how far each source was read, in a checkpoint.

Spark writes them by a rename, and syncs nothing. A record of a batch beside a log that a power loss took would lose
rows: they would count as read, while nobody knows which they were. So the driver syncs the logs of a batch before it
writes the record.

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
from dataclasses import dataclass, field
from pathlib import Path

from tailrace.state.sync_files import sync_folders, sync_present

NUMBERED = re.compile(r"\d+(\.compact)?")


@dataclass
class StreamLogs:
    """The logs of a stream below a local folder; `synced` are the files that are durable."""

    folder: Path
    synced: set[str] = field(default_factory=set)

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
        sync_present(path for new in paths for path in (new, new.with_name(f".{new.name}.crc")))
        above = {folder for new in paths for folder in new.parents if folder.is_relative_to(self.folder)}
        sync_folders(sorted(above | ({self.folder.parent} if above else set())))
        self.synced = set(there)


def names_in(folder: Path) -> list[str]:
    """The names in a folder in order; none if it is not there."""
    return sorted(os.listdir(folder)) if folder.is_dir() else []
