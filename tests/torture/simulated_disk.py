"""Simulated disk: writes down what a run asks of its files, and says what is there after a crash at any of these calls.

A disk may lose what was not synced: the content of a file, wholly or in part, and names in folders, each by itself.
What was synced stays. A rename is whole or not at all. Calls may fail, and they may take long.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import patch

from tailrace.state import disk

ROOT = 0  # the number of the uppermost folder
# What a full disk and a read-only one refuse.
NEEDING = {
    errno.ENOSPC: ("create", "write", "make"),
    errno.EROFS: ("create", "write", "make", "rename", "link", "remove"),
}
CHANGING = ("create", "write", "sync", "rename", "link", "remove", "make")


@dataclass(frozen=True)
class Operation:
    """A call to the disk, with paths below its root; one that `failed` did nothing, but for a write: `content`."""

    kind: str
    path: str
    to: str = ""
    content: bytes = b""
    failed: bool = False


@dataclass
class NameChange:
    """A change of names that is durable as a whole: each entry is a folder, a name, and what it names, None if gone."""

    entries: list[tuple[int, str, int | None]]


@dataclass
class Volume:
    """What is on a disk: files by number, with their content as it is now and as it was synced; folders likewise."""

    content: dict[int, bytes] = field(default_factory=dict)
    synced: dict[int, bytes] = field(default_factory=dict)
    names: dict[int, dict[str, int]] = field(default_factory=lambda: {ROOT: {}})
    durable: dict[int, dict[str, int]] = field(default_factory=lambda: {ROOT: {}})
    waiting: list[NameChange] = field(default_factory=list)
    unlucky: set[int] = field(default_factory=set)  # a sync of them failed: the disk says no more of what it lost
    last: int = ROOT

    @staticmethod
    def of(image: Image) -> Volume:
        """A disk on which all of an image is durable."""
        volume = Volume()
        for path in sorted(image.folders):
            volume.apply(Operation("make", path))
        for path, content in image.files.items():
            volume.apply(Operation("create", path))
            volume.apply(Operation("write", path, content=content))
        volume.synced, volume.waiting = dict(volume.content), []
        volume.durable = {number: dict(names) for number, names in volume.names.items()}
        return volume

    def find(self, path: str) -> int:
        number = ROOT
        for part in Path(path).parts:
            number = self.names[number][part]
        return number

    def place(self, path: str) -> tuple[int, str]:
        """The folder of a path, and its name there."""
        return self.find(os.path.dirname(path)), os.path.basename(path)

    def apply(self, done: Operation) -> None:
        """Do what an operation did."""
        if done.failed and done.kind != "write":
            if done.kind == "sync":
                self.unlucky.add(self.find(done.path))
            return
        match done.kind:
            case "create":
                folder, name = self.place(done.path)
                if name not in self.names[folder]:
                    self.last += 1
                    self.change((folder, name, self.last))
                self.content[self.names[folder][name]] = b""
            case "write":
                self.content[self.find(done.path)] += done.content
            case "make":
                self.last += 1
                self.names[self.last], self.durable[self.last] = {}, {}
                self.change((*self.place(done.path), self.last))
            case "remove":
                self.change((*self.place(done.path), None))
            case "link":
                self.change((*self.place(done.to), self.find(done.path)))
            case "rename":
                number = self.find(done.path)
                self.change((*self.place(done.to), number), (*self.place(done.path), None))
            case "sync":
                self.sync(self.find(done.path))

    def change(self, *entries: tuple[int, str, int | None]) -> None:
        for each in entries:
            set_name(self.names, *each)
        self.waiting.append(NameChange(list(entries)))

    def sync(self, number: int) -> None:
        if number in self.content:
            if number not in self.unlucky:
                self.synced[number] = self.content[number]
            return
        for change in [each for each in self.waiting if any(folder == number for folder, _, _ in each.entries)]:
            self.waiting.remove(change)
            for each in change.entries:
                set_name(self.durable, *each)

    # After a crash ------------------------------------------------------------------------------------

    def after_kill(self) -> Image:
        """What is there if only the process ended: all that was written."""
        return image_of(self.names, self.content)

    def after_power_loss(self) -> Image:
        """What is there if the disk has nothing but what was synced; a file that was not is empty."""
        return image_of(self.durable, {number: self.synced.get(number, b"") for number in self.content})

    def after_luck(self, chance: Random) -> Image:
        """What is there if the disk had written some of what was not synced, by chance."""
        share = chance.choice((0.1, 0.5, 0.9))
        names = {number: dict(each) for number, each in self.durable.items()}
        for change in self.waiting:
            if chance.random() < share:
                for each in change.entries:
                    set_name(names, *each)
        return image_of(names, {number: self.draw_content(number, chance) for number in self.content})

    def draw_content(self, number: int, chance: Random) -> bytes:
        whole, synced = self.content[number], self.synced.get(number, b"")
        if whole == synced:
            return whole
        part = whole[: chance.randrange(len(whole) + 1)]
        zeros = part + bytes(len(whole) - len(part))
        return chance.choice((synced, whole, part, zeros, bytes(len(whole))))


@dataclass(frozen=True)
class Image:
    """Folders and files with their content, by path below a root."""

    folders: frozenset[str]
    files: dict[str, bytes]

    def write(self, root: Path) -> None:
        """Make a folder with all that."""
        root.mkdir(parents=True)
        for path in sorted(self.folders):
            (root / path).mkdir()
        for path, content in self.files.items():
            (root / path).write_bytes(content)

    @staticmethod
    def read(root: Path) -> Image:
        found = sorted(root.rglob("*"))
        folders = frozenset(str(path.relative_to(root)) for path in found if path.is_dir())
        return Image(folders, {str(path.relative_to(root)): path.read_bytes() for path in found if path.is_file()})


def image_of(names: dict[int, dict[str, int]], content: dict[int, bytes]) -> Image:
    folders: set[str] = set()
    files: dict[str, bytes] = {}
    waiting = [(ROOT, "")]
    while waiting:
        folder, path = waiting.pop()
        for name, number in names[folder].items():
            below = f"{path}/{name}" if path else name
            if number in names:
                folders.add(below)
                waiting.append((number, below))
            else:
                files[below] = content[number]
    return Image(frozenset(folders), files)


def set_name(names: dict[int, dict[str, int]], folder: int, name: str, number: int | None) -> None:
    if number is None:
        names[folder].pop(name, None)
    else:
        names[folder][name] = number


# Under a run ------------------------------------------------------------------------------------------


@dataclass
class SimulatedDisk:
    """Does what it is asked below `root`, and writes it down in `trace`.

    With `failing`, the call of that number fails with the error `code`; with `lasting` those after it too, as far as
    they write. Each call waits as long as `wait` says, by a clock of the test.
    """

    root: Path
    trace: list[Operation] = field(default_factory=list)
    failing: int | None = None
    code: int = errno.EIO
    lasting: bool = False
    calls: int = 0
    wait: Callable[[], None] = lambda: None

    @contextmanager
    def install(self) -> Iterator[SimulatedDisk]:
        """Take the place of the disk inside the block."""
        names = ("create", "create_for_arrow", "write", "read", "sync", "rename", "link", "copy", "remove")
        with ExitStack() as stack:
            for name in (*names, "list_names", "make_folders", "clear"):
                stack.enter_context(patch.object(disk, name, getattr(self, name)))
            yield self

    def below(self, path: disk.Place) -> str | None:
        """A path below the root; None of one that is elsewhere."""
        path = os.path.abspath(path)
        return os.path.relpath(path, self.root) if path.startswith(f"{self.root}/") or path == str(self.root) else None

    def note(self, kind: str, path: disk.Place, to: disk.Place = "", content: bytes = b"") -> None:
        """Write a call down; an OSError if it is one that fails."""
        mine = self.below(path)
        if mine is None:
            return
        self.wait()
        mine = "" if mine == "." else mine
        number, self.calls = self.calls, self.calls + 1
        fails = number == self.failing or (
            self.lasting and self.failing is not None and number > self.failing and kind in NEEDING.get(self.code, ())
        )
        if fails and kind == "write":
            content = content[: len(content) // 2]
        self.trace.append(Operation(kind, mine, (self.below(to) or "") if to else "", bytes(content), fails))
        if fails:
            raise OSError(self.code, os.strerror(self.code), str(path))

    def create(self, path: disk.Place) -> Any:
        self.note("create", path)
        Path(path).write_bytes(b"")
        return OpenFile(self, path)

    create_for_arrow = create

    def write(self, path: disk.Place, content: Any) -> None:
        with self.create(path) as file:
            file.write(content)

    def read(self, path: disk.Place) -> bytes:
        self.note("read", path)
        return Path(path).read_bytes()

    def sync(self, path: disk.Place) -> None:
        if not os.path.exists(path):
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(path))
        self.note("sync", path)

    def rename(self, path: disk.Place, to: disk.Place) -> None:
        if not os.path.exists(path):
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(path))
        self.note("rename", path, to)
        os.replace(path, to)

    def link(self, path: disk.Place, to: disk.Place) -> None:
        if os.path.exists(to):
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(to))
        self.note("link", path, to)
        os.link(path, to)

    def copy(self, path: disk.Place, to: disk.Place) -> None:
        self.write(to, self.read(path))

    def remove(self, path: disk.Place) -> None:
        if os.path.lexists(path):
            self.note("remove", path)
            os.unlink(path)

    def list_names(self, folder: disk.Place) -> list[str]:
        if not os.path.isdir(folder):
            return []
        self.note("list", folder)
        return os.listdir(folder)

    def make_folders(self, path: disk.Place) -> None:
        missing = [each for each in (Path(path), *Path(path).parents) if not each.is_dir()]
        for each in reversed(missing):
            if each.exists():
                raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(each))
            self.note("make", each)
            each.mkdir()

    def clear(self, folder: disk.Place) -> None:
        """As `shutil.rmtree` does it, file by file; one that cannot be removed stays."""
        try:
            for place, _, names in os.walk(folder, topdown=False):
                for name in names:
                    self.remove(os.path.join(place, name))
                self.note("remove", place)
                os.rmdir(place)
        except OSError:
            pass


class OpenFile:
    """A file that is being written: what Python and Arrow ask of one. Its content is one call, when it is closed."""

    def __init__(self, disk: SimulatedDisk, path: disk.Place) -> None:
        self.disk, self.path = disk, path
        self.content = bytearray()
        self.closed = False

    def write(self, content: Any) -> int:
        self.content += memoryview(content).cast("B")
        return len(content)

    def tell(self) -> int:
        return len(self.content)

    def flush(self) -> None: ...

    def readable(self) -> bool:
        return False

    def writable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return False

    def close(self) -> None:
        if self.closed:
            return
        self.closed = True
        written = len(self.content)
        try:
            self.disk.note("write", self.path, content=bytes(self.content))
        except OSError:
            written //= 2
            raise
        finally:
            Path(self.path).write_bytes(self.content[:written])

    def __enter__(self) -> OpenFile:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
