"""A small sample of torture, always the same, and that it sees what it looks for."""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tailrace.deep_stack import on_deep_stack
from tailrace.spark.run import checkpoint
from tailrace.spark.time.watermark import WatermarkTracker
from tailrace.state import storage, sync_files
from tailrace.state.checksums import seal
from tailrace.state.storage import LocalStorage
from tests.torture import crash_points
from tests.torture.crash_points import CrashPoints
from tests.torture.damaged_files import DamagedFiles, stored_checkpoint
from tests.torture.damaged_state import try_damaged_state
from tests.torture.disk_faults import try_disk_faults
from tests.torture.moved_clock import try_moved_clock
from tests.torture.runs import KEPT, World, rows_in_sinks
from tests.torture.scripts import draw_script
from tests.torture.tally import Tally


@pytest.fixture(autouse=True)
def quiet() -> Iterator[None]:
    logger = logging.getLogger("tailrace")
    before, _ = logger.level, logger.setLevel(logging.CRITICAL)
    yield
    logger.setLevel(before)


def crash(seed: int, folder: Path, every: int) -> Tally:
    tally = Tally()
    points = CrashPoints(seed, folder, tally, every)
    on_deep_stack(points.run)
    return tally


@pytest.mark.parametrize(("seed", "every"), [(1, 40), (4, 61)])
def test_crash_points(seed: int, every: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crash_points, "BATCHES", 3)
    tally = crash(seed, tmp_path, every)
    assert not tally.has_faults, "\n".join(tally.shown)
    assert sum(tally.tried.values()) > 8


def test_disk_faults(tmp_path: Path) -> None:
    tally = Tally()
    on_deep_stack(lambda: try_disk_faults(1, time.monotonic() + 600, tmp_path, tally, most=6))
    assert not tally.has_faults, "\n".join(tally.shown)
    assert sum(tally.tried.values()) == 12


def test_damaged_files(tmp_path: Path) -> None:
    """A flipped bit in a checkpoint is noticed, or changes nothing of what a run reads there."""
    tally = Tally()
    tries = DamagedFiles(stored_checkpoint(tmp_path), tmp_path, tally)
    for seed in range(40):
        tries.try_one(seed)
    assert not tally.has_faults, "\n".join(tally.shown)
    assert tally.counts["damages that were named"] > 10


def no_sync(*given: Any) -> None: ...


@pytest.mark.parametrize("broken", ["sync_file", "sync_folder"])
def test_it_sees_what_it_looks_for(broken: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Files that are not synced, and names that are not."""
    monkeypatch.setattr(crash_points, "BATCHES", 3)
    for module in (sync_files, storage):
        monkeypatch.setattr(module, broken, no_sync)
    assert crash(1, tmp_path, 13).has_faults


def test_it_sees_a_record_that_is_synced_late(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the next batch, after its own was reported."""
    late: list[Path] = []

    def write(folder: LocalStorage, name: str, what: Any) -> None:
        is_record = folder.path.name == "batches"
        while late and is_record:
            sync_files.sync_file(late.pop())
        LocalStorage(folder.path, folder.syncs and not is_record).write(name, seal(json.dumps(what)))
        late.extend((folder.path / name, folder.path) if is_record else ())

    monkeypatch.setattr(crash_points, "BATCHES", 3)
    monkeypatch.setattr(checkpoint, "write_json", write)
    tally = crash(1, tmp_path, 13)
    assert any("the record of batch 1, which was reported" in said for said in tally.shown)


def test_a_batch_that_counts_is_not_run_again(tmp_path: Path) -> None:
    """A power loss took Spark's note that batch 2 is done; tasks of batch 3 have removed the state of batch 1."""
    world, root = World(draw_script(1), tmp_path, 5), tmp_path / "root"
    root.mkdir()
    world.run(root, 3)
    expected = rows_in_sinks(root, world.script)
    for path in [*root.glob(f"{KEPT}/offsets/commits/*2*"), *root.glob(f"{KEPT}/state/*/*/*/1-*")]:
        if path.suffix != ".segment":
            path.unlink()
    assert list(world.run(root, 1).taken) == [2]
    assert rows_in_sinks(root, world.script) == expected
    assert list(world.run(root, 9).taken) == [3, 4]


def test_damaged_state(tmp_path: Path) -> None:
    """Of a run with several queries: the run ends and names the file, and no query is taken out."""
    tally = Tally()
    on_deep_stack(lambda: try_damaged_state(1, time.monotonic() + 600, tmp_path, tally, most=8))
    assert not tally.has_faults, "\n".join(tally.shown)
    assert tally.counts["damages of state that were named"] > 2


def test_a_moved_clock(tmp_path: Path) -> None:
    tally = Tally()
    on_deep_stack(lambda: try_moved_clock(1, time.monotonic() + 600, tmp_path, tally, most=4))
    assert not tally.has_faults, "\n".join(tally.shown)
    assert sum(tally.tried.values()) > 4


def test_it_sees_instants_that_go_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the floor below which no row arrives."""
    monkeypatch.setattr(WatermarkTracker, "arrival_floors", lambda *_: {})
    tally = Tally()
    on_deep_stack(lambda: try_moved_clock(1, time.monotonic() + 600, tmp_path, tally, most=4))
    assert tally.has_faults
