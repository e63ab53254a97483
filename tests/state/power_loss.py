"""Power loss: what a disk holds after the power went, as far as files and folders were synced."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest


class VolatileDisk:
    """Notes what is synced: the contents of files, and the names in folders; all else is lost with the power."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.contents: dict[int, bytes] = {}  # by inode
        self.names: dict[int, dict[str, int]] = {}
        monkeypatch.setattr(os, "fsync", self.sync)

    def sync(self, number: int) -> None:
        found, path = os.fstat(number), Path(os.readlink(f"/proc/self/fd/{number}"))
        if stat.S_ISDIR(found.st_mode):
            self.names[found.st_ino] = {each.name: each.inode() for each in os.scandir(path)}
        else:
            self.contents[found.st_ino] = path.read_bytes()

    def restore(self, folder: Path, to: Path) -> Path:
        """Make the folder `to` as `folder` is after a power loss: files that were not synced are empty or not there."""
        self.fill(folder.stat().st_ino, to)
        return to

    def fill(self, inode: int, to: Path) -> None:
        to.mkdir(parents=True)
        for name, each in self.names.get(inode, {}).items():
            if each in self.names:
                self.fill(each, to / name)
            else:
                (to / name).write_bytes(self.contents.get(each, b""))
