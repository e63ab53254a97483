"""What is synced: a state that was saved, and a file that was written, are there after a power loss."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from tailrace.state import sync_files
from tailrace.state.state_files import StateFolder
from tailrace.state.storage import LocalStorage, store_at
from tailrace.state.sync_files import make_folder, sync_folder, sync_present
from tests.state.power_loss import VolatileDisk
from tests.state.test_state_files import loaded, run_of


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> VolatileDisk:
    monkeypatch.setattr(sync_files, "_durable", set())
    return VolatileDisk(monkeypatch)


def test_every_state_that_was_saved_is_there(disk: VolatileDisk, tmp_path: Path) -> None:
    place = tmp_path / "state" / "stage-0" / "of-2" / "shard-0"
    name = StateFolder(str(place), True).save(0, [run_of(0)])
    for batch in range(1, 6):
        folder = StateFolder(str(place), True)
        name = folder.save(batch, [*folder.load(name), run_of(batch)])  # type: ignore[misc]
        after = disk.restore(tmp_path, tmp_path.parent / f"{tmp_path.name}-{batch}")
        again = StateFolder(str(after / place.relative_to(tmp_path)))
        assert loaded(again, name) == list(range(batch + 1))


def test_a_folder_is_synced_once_for_a_segment_and_its_manifest(disk: VolatileDisk, tmp_path: Path) -> None:
    folder = StateFolder(str(tmp_path / "shard-0"), True)
    folder.save(0, [run_of(0)])
    disk.contents.clear()
    disk.names.clear()
    folder.save(1, [run_of(1)])
    assert (len(disk.contents), len(disk.names)) == (2, 1)


def test_what_is_not_kept_is_not_synced(disk: VolatileDisk, tmp_path: Path) -> None:
    StateFolder(str(tmp_path / "shard-0")).save(0, [run_of(0)])
    store_at(str(tmp_path / "more")).make()
    store_at(str(tmp_path / "more")).write("a", b"a")
    assert not disk.contents
    assert not disk.names


def test_a_folder_that_was_removed_is_synced_again(disk: VolatileDisk, tmp_path: Path) -> None:
    store = LocalStorage(tmp_path / "a" / "b" / "c", True)
    for number in range(2):
        store.make()
        store.write("x", b"content")
        after = disk.restore(tmp_path, tmp_path.parent / f"{tmp_path.name}-{number}")
        assert (after / "a" / "b" / "c" / "x").read_bytes() == b"content"
        LocalStorage(tmp_path / "a").clear()
        disk.names = {}


def test_folders_that_cannot_be_synced(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def refuse(number: int) -> None:
        raise OSError(refused, os.strerror(refused))

    monkeypatch.setattr(os, "fsync", refuse)
    refused = errno.EINVAL
    sync_folder(tmp_path)
    make_folder(tmp_path / "a")
    refused = errno.EIO
    with pytest.raises(OSError, match=os.strerror(errno.EIO)):
        sync_folder(tmp_path)


def test_files_that_others_removed_need_no_syncing(tmp_path: Path) -> None:
    sync_present([tmp_path / "gone", tmp_path / "also gone"])
