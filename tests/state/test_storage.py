"""Storage: folders by their addresses; a remote file is fetched once, and again if the cache does not have it."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import Any

import pytest

from tailrace.errors import RunError
from tailrace.state import disk, state_files
from tailrace.state import storage as store
from tailrace.state.state_files import StateFolder
from tailrace.state.storage import LocalStorage, RemoteStorage, Storage, is_remote, store_at
from tests.random_plans.plans import seeded_world
from tests.state.power_loss import VolatileDisk
from tests.state.test_state_files import check, loaded, run_of


@pytest.fixture
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> RemoteStorage:
    """A folder that is reached by pyarrow only, as one of another machine is; its cache is in `cached`."""
    monkeypatch.setenv("SPARK_LOCAL_DIRS", str(tmp_path / "cached"))
    (tmp_path / "there").mkdir()
    return RemoteStorage(f"file://{tmp_path}/there")


def cached(tmp_path: Path) -> set[str]:
    return {path.name for path in (tmp_path / "cached").rglob("*") if path.is_file()}


def both(tmp_path: Path, elsewhere: RemoteStorage) -> list[Storage]:
    return [LocalStorage(tmp_path / "here"), elsewhere]


def test_addresses() -> None:
    assert store_at("/a/b") == store_at("file:///a/b") == store_at("file://localhost/a/b") == LocalStorage(Path("/a/b"))
    assert store_at("kept") == LocalStorage(Path("kept").absolute())
    assert [is_remote(address) for address in ("kept", "file:///a", "hdfs://n/a", "s3a://bucket/a")] == [0, 0, 1, 1]
    assert store_at("s3a://bucket/kept/").below("state").address == "s3a://bucket/kept/state"
    assert store_at("/a").for_spark == "file:/a"
    with pytest.raises(RunError, match="names a machine"):
        store_at("file://other/a")
    with pytest.raises(RunError, match="nowhere://a cannot be opened"):
        store_at("nowhere://a").make()


def test_files_are_there_whole_or_not(tmp_path: Path, elsewhere: RemoteStorage) -> None:
    for each in both(tmp_path, elsewhere):
        folder = each.below("notes")
        assert folder.names() == []
        assert folder.read("1.json") is None
        folder.make()
        for content in (b"one", b"two"):
            folder.write("1.json", content)
            assert folder.read("1.json") == content
        folder.staging_path("run").write_bytes(b"rows")
        assert "run" not in folder.names()
        folder.publish("run")
        assert sorted(folder.names()) == ["1.json", "run"]
        assert folder.local("run").read_bytes() == b"rows"
        folder.remove("run")
        folder.remove("run")
        assert not folder.has("run")
        assert folder.names() == ["1.json"]
        folder.clear()
        assert each.names() == []


def test_a_file_is_created_by_one_caller(
    tmp_path: Path, elsewhere: RemoteStorage, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: Path, to: Path) -> None:
        raise PermissionError("a file system without links")

    for each in both(tmp_path, elsewhere):
        each.make()
        assert each.create("1.json", b"one")
        assert not each.create("1.json", b"two")
        with monkeypatch.context() as without:
            without.setattr(os, "link", refuse)
            assert not each.create("1.json", b"three")
            assert each.create("2.json", b"four")
        assert (each.read("1.json"), each.read("2.json")) == (b"one", b"four")
        assert sorted(each.names()) == ["1.json", "2.json"]


@pytest.mark.parametrize("broken", ["write", "rename", "link"])
def test_a_write_that_fails_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, broken: str) -> None:
    def write_half(path: Path, content: Any) -> None:
        Path(path).write_bytes(b"ha")
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    def refuse(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(disk, broken, write_half if broken == "write" else refuse)
    folder = LocalStorage(tmp_path, True)
    for method in {"write": (folder.write, folder.create), "rename": (folder.write,), "link": (folder.create,)}[broken]:
        with pytest.raises(OSError, match="No space"):
            method("1.json", b"half")
    assert folder.names() == []


def test_a_created_file_outlives_a_power_loss(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lost = VolatileDisk(monkeypatch)
    assert LocalStorage(tmp_path, True).create("1.json", b"one")
    after = lost.restore(tmp_path, tmp_path.parent / f"{tmp_path.name}-after")
    assert (after / "1.json").read_bytes() == b"one"


def test_what_is_elsewhere_is_fetched_once(
    tmp_path: Path, elsewhere: RemoteStorage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(state_files, "store_at", lambda address, syncs: elsewhere.below(address))
    folder = StateFolder("shard-0")
    name = folder.save(0, [run_of(1)])
    kept = cached(tmp_path)
    assert [each.partition(".")[2] for each in kept] == ["segment"], "who writes a run has it"
    state_files._mapped.clear()
    for path in (tmp_path / "cached").rglob("*.segment"):
        path.unlink()
    other = StateFolder("shard-0")
    assert loaded(other, name) == [1]
    assert cached(tmp_path) == kept
    state_files._mapped.clear()
    for path in (tmp_path / "there").rglob("*.segment"):
        path.write_bytes(b"nobody reads this any more")
    assert loaded(StateFolder("shard-0"), name) == [1]


def test_a_cache_does_not_grow(tmp_path: Path, elsewhere: RemoteStorage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(state_files, "store_at", lambda address, syncs: elsewhere.below(address))
    name = StateFolder("shard-0").save(0, [run_of(0)])
    for batch in range(1, 6):
        folder = StateFolder("shard-0")
        assert folder.load(name) is not None
        name = folder.save(batch, [run_of(batch)])
        assert len(cached(tmp_path)) <= 2
    StateFolder("shard-1").save(0, [run_of(0)])
    monkeypatch.setattr(store, "UNUSED", -1.0)
    StateFolder("shard-2").save(0, [run_of(0)])
    assert len(cached(tmp_path)) == 1, "what nobody looks at goes"
    assert loaded(StateFolder("shard-0"), name) == [5]


def test_random_plans_go_on_from_elsewhere(elsewhere: RemoteStorage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(state_files, "store_at", lambda address, syncs: elsewhere.below(Path(address).name))
    for seed in (5001, 5003, 5005, 5008, 5013):
        check(seeded_world(seed), seed, Path(str(seed)))
