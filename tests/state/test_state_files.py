"""State files: what comes back is what was kept, saving writes what changed, and no crash leaves half a state."""

from __future__ import annotations

import json
from decimal import Decimal
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from tailrace.columnar.delta import parse
from tailrace.errors import RunError
from tailrace.lowering.lower import lower
from tailrace.operators.local_run import LocalRun
from tailrace.state import disk, state_files
from tailrace.state.checksums import seal, unseal
from tailrace.state.key_index import KeyTable
from tailrace.state.runs import Run, sorted_run
from tailrace.state.state_files import StateFolder
from tailrace.state.timers import TimerQueue
from tests.operators.local import batches, splits
from tests.operators.test_local_run import can_run
from tests.random_plans.plans import World, seeded_world
from tests.random_plans.sequences import LAST, drawn


def run_of(*order: int, facts: tuple[int, ...] = ()) -> Run:
    return Run(np.array(order, np.int64), (pa.array([str(number) for number in order]),), facts)


def listed(folder: Path, ending: str) -> list[str]:
    return sorted(path.name for path in folder.iterdir() if path.name.endswith(ending))


def written(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.iterdir())


def check(world: World, seed: int, folder: Path) -> None:
    """Batch by batch: from memory, and from files, each batch run twice as after a crash."""
    chance = Random(seed)
    plan = lower({"query": world.plan})
    beats = splits(world.last_instant, chance)
    kept, memory, before = StateFolder(str(folder)), LocalRun(plan), None
    for number, (inputs, to) in enumerate(batches(plan, world.inputs, beats, chance)):
        expected = memory.batch(inputs, to)["query"]
        for _ in range(2):
            past, state = (-1, []) if before is None else kept.load(before)  # type: ignore[misc]
            filed = LocalRun(plan, past, state)
            found = filed.batch(inputs, to)["query"]
            assert str(found) == str(expected), f"seed {seed}, batch {number}"
            assert found.types == expected.types
            name = kept.save(number, (filed.past, filed.state))
        before = name


def test_random_plans_go_on_from_files(tmp_path: Path) -> None:
    ran = 0
    for seed in range(5000, 5250):
        world = seeded_world(seed)
        if can_run(world.plan):
            check(world, seed, tmp_path / str(seed))
            ran += 1
    assert ran > 100


def test_sequence_queries_go_on_from_files(tmp_path: Path) -> None:
    for seed in range(30):
        _, plan, inputs = drawn(seed)
        check(World(plan, inputs, LAST), seed, tmp_path / str(seed))


def test_every_type_comes_back(tmp_path: Path) -> None:
    columns = [
        pa.array(["a", None, "é"]),
        pa.array([Decimal("1.25"), None, Decimal("-3.00")], pa.decimal128(10, 2)),
        pa.array([[1, None], [], None], pa.list_(pa.int32())),
        pa.array([{"x": 1, "y": "b"}, None, {"x": None, "y": None}]),
        pa.nulls(3),
        pa.array([True, None, False]),
        pa.array([b"\0", b"", None]),
        pa.array([1, None, 3], pa.timestamp("us", "UTC")),
        pa.array([[("k", 1)], [], None], pa.map_(pa.string(), pa.int64())),
    ]
    run = Run(np.array([1, 2**63, 2**64 - 1], np.uint64), tuple(columns), (1, -7), np.array([0, 2, 3]))
    delta = parse("+ 1 x @3..7\n-2 2 None @6..", (pa.int32(), pa.string()))
    name = StateFolder(str(tmp_path)).save(0, [None, True, 7, "text", (run, run.slice(1, 3), delta)])
    state = StateFolder(str(tmp_path)).load(name)
    assert state is not None
    *plain, (back, part, rows) = state
    assert plain == [None, True, 7, "text"]
    assert back.order.dtype == np.uint64
    assert back.order.tolist() == run.order.tolist()
    assert back.facts == (1, -7)
    assert back.directory.tolist() == [0, 2, 3]
    assert part.directory is None
    for one, other in zip(back.columns, columns, strict=True):
        assert one.equals(other)
    for one, other in zip(part.columns, columns, strict=True):
        assert one.equals(other.slice(1))
    assert str(rows) == str(delta)


def test_a_slice_is_written_without_the_rest(tmp_path: Path) -> None:
    large = sorted_run(np.arange(100_000), (pa.array(np.arange(100_000)), pa.array(["text"] * 100_000)))
    StateFolder(str(tmp_path)).save(0, large.slice(50_000, 50_010))
    assert written(tmp_path) < 10_000


def test_what_did_not_change_is_not_written_again(tmp_path: Path) -> None:
    large = sorted_run(np.arange(100_000), (pa.array(np.arange(100_000)),))
    name = StateFolder(str(tmp_path)).save(0, TimerQueue((large,)))
    (first,) = listed(tmp_path, ".segment")
    for batch in range(1, 6):
        folder = StateFolder(str(tmp_path))
        state = folder.load(name)
        assert isinstance(state, TimerQueue)
        name = folder.save(batch, TimerQueue((state.runs[0], run_of(batch))))
        assert first in listed(tmp_path, ".segment")
        assert written(tmp_path) < 1_700_000
    assert batches_of(listed(tmp_path, ".manifest")) == ["4", "5"]
    assert len(listed(tmp_path, ".segment")) == 3
    # Nor when the state stays in memory from batch to batch.
    StateFolder(str(tmp_path / "other")).save(0, large)
    StateFolder(str(tmp_path / "other")).save(1, [large])
    assert len(listed(tmp_path / "other", ".segment")) == 1


def test_what_nobody_refers_to_goes(tmp_path: Path) -> None:
    names = [StateFolder(str(tmp_path)).save(batch, KeyTable((run_of(batch),))) for batch in range(6)]
    assert batches_of(listed(tmp_path, ".manifest")) == ["4", "5"]
    assert batches_of(listed(tmp_path, ".segment")) == ["4", "5"]
    assert StateFolder(str(tmp_path)).load(names[3]) is None


def test_a_save_that_died_is_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = StateFolder(str(tmp_path))
    folder.save(0, [run_of(1)])

    def die(path: Path, target: Path, is_segment: bool) -> None:
        if (path.suffix == ".aside") == is_segment:
            raise KeyboardInterrupt
        path.replace(target)

    for is_segment in (True, False):
        with monkeypatch.context() as broken:
            broken.setattr(disk, "rename", partial(die, is_segment=is_segment))
            with pytest.raises(KeyboardInterrupt):
                folder.save(1, [run_of(2)])
        assert batches_of(listed(tmp_path, ".manifest")) == ["0"]
    assert loaded(StateFolder(str(tmp_path)), folder.save(1, [run_of(3)])) == [3]
    folder.save(2, [run_of(4)])
    folder.save(3, [run_of(5)])
    assert batches_of(listed(tmp_path, "")) == ["2", "2", "3", "3"], "what died is swept with its time"


def loaded(folder: StateFolder, name: str) -> list[int]:
    state: Any = folder.load(name)
    return [number for run in state for number in run.order.tolist()]


def batches_of(names: list[str]) -> list[str]:
    return [name.partition("-")[0] for name in names]


def test_two_attempts_at_a_batch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One attempt finishes, sweeping included, while the other has written its segment and not its manifest."""
    first = StateFolder(str(tmp_path)).save(0, [run_of(1)])
    folders = [StateFolder(str(tmp_path)) for _ in range(2)]
    one, other = (folder.load(first) for folder in folders)
    assert one is not None
    assert other is not None
    rename, names = disk.rename, []

    def late(path: disk.Place, to: disk.Place) -> None:
        monkeypatch.setattr(disk, "rename", rename)
        names.append(folders[1].save(1, [*other, run_of(3)]))
        rename(path, to)

    monkeypatch.setattr(disk, "rename", late)
    names.append(folders[0].save(1, [*one, run_of(2)]))
    again = StateFolder(str(tmp_path))
    assert [loaded(again, name) for name in names] == [[1, 3], [1, 2]]


def test_an_attempt_that_wakes_up_late_harms_nobody(tmp_path: Path) -> None:
    """Batches go on from one attempt while another at an earlier one sleeps, and then saves and sweeps."""
    folder = StateFolder(str(tmp_path))
    name = folder.save(0, [run_of(0)])
    sleeper = StateFolder(str(tmp_path))
    slept = sleeper.load(name)
    assert slept is not None
    for batch in range(1, 5):
        state = folder.load(name)
        assert state is not None
        name = folder.save(batch, [*state, run_of(batch)])
    sleeper.save(1, [*slept, run_of(99)])
    assert loaded(StateFolder(str(tmp_path)), name) == [0, 1, 2, 3, 4]


def test_a_run_whose_file_is_gone_is_written_again(tmp_path: Path) -> None:
    folder = StateFolder(str(tmp_path))
    run = run_of(1)
    folder.save(0, [run])
    for path in tmp_path.iterdir():
        path.unlink()
    assert loaded(folder, folder.save(1, [run])) == [1]


def test_what_another_version_wrote_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = StateFolder(str(tmp_path))
    name = folder.save(0, KeyTable())
    with monkeypatch.context() as other:
        other.setattr(state_files, "find_class", lambda name: None)
        with pytest.raises(RunError, match=r"a key-table\.1 that this version does not know"):
            folder.load(name)
    manifest = tmp_path / name
    manifest.write_bytes(seal(json.dumps(unseal(manifest.read_bytes())[0] | {"format": 99})))
    with pytest.raises(RunError, match="has format 99"):
        folder.load(name)
    with pytest.raises(RunError, match="has a World"):
        folder.save(1, seeded_world(1))
