"""Sync files: makes files and the names of files outlive a power loss, by asking the disk to write them now.

A file that was written, and a name that was given by a rename, are in the memory of the machine at first. A file is
durable once both are synced: its content, and the folder that holds its name. So: write, sync the file, rename, sync
the folder.
"""

from __future__ import annotations

import errno
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

from tailrace.state import disk

AT_ONCE = 8  # files that are synced at the same time: a disk writes them together
# What a file system says that cannot sync a folder, or of a folder that this user may not read, such as /home.
CANNOT = (errno.EINVAL, errno.ENOTSUP, errno.EACCES, errno.EPERM)

# Folders whose names this process has synced, up to the root.
_durable: set[Path] = set()


def sync_file(path: str | Path) -> None:
    """Write a file's content to the disk, and wait until that is done."""
    disk.sync(path)


def sync_folder(path: str | Path) -> None:
    """Write the names in a folder to the disk; nothing if its file system knows no such thing."""
    try:
        sync_file(path)
    except OSError as problem:
        if problem.errno not in CANNOT:
            raise


def sync_files(paths: Iterable[str | Path]) -> None:
    """Sync files, several at the same time."""
    _call_for_each(sync_file, list(paths))


def sync_present(paths: Iterable[str | Path]) -> None:
    """Sync those of the files that are there; others may remove them meanwhile."""

    def sync(path: str | Path) -> None:
        with suppress(FileNotFoundError):
            sync_file(path)

    _call_for_each(sync, list(paths))


def sync_folders(paths: Iterable[str | Path]) -> None:
    """Sync the names in folders, each folder once."""
    _call_for_each(sync_folder, list(dict.fromkeys(paths)))


def _call_for_each(sync: Callable[[str | Path], None], paths: list[str | Path]) -> None:
    if len(paths) < 2:
        for path in paths:
            sync(path)
        return
    with ThreadPoolExecutor(min(AT_ONCE, len(paths))) as pool:
        list(pool.map(sync, paths))  # the list raises the first error


def make_folder(path: Path) -> None:
    """Create a folder whose name outlives a power loss, with the folders above it.

    Also of folders that are there already, those above are synced once by each process: the process that created them
    may have ended before it synced them.
    """
    if not path.is_dir():
        _durable.difference_update(each for each in (path, *path.parents) if not each.is_dir())
        disk.make_folders(path)
    if path in _durable:
        return
    for folder in (path, *path.parents[:-1]):
        sync_folder(folder.parent)
        _durable.add(folder)
        if folder.parent in _durable:
            break
