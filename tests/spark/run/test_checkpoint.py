"""Checkpoint: what its record says is there after a power loss, and a damaged file is named."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tailrace.errors import RunError
from tailrace.spark.run.checkpoint import Checkpoint
from tailrace.staging.plan_version import PlanVersion
from tailrace.state import sync_files
from tailrace.state.checksums import unseal
from tailrace.state.storage import LocalStorage
from tests.state.damage import damage_file
from tests.state.power_loss import VolatileDisk
from tests.torture.stream_model import crc_of

RUN = {"tick": 1, "origin": "None"}


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> VolatileDisk:
    monkeypatch.setattr(sync_files, "_durable", set())
    return VolatileDisk(monkeypatch)


def write_logs(place: Path, batch: int) -> None:
    """Write the logs of a batch as Structured Streaming does, which has committed the batch before."""
    files = {"metadata": '{"id":"x"}', f"offsets/{batch}": f'v1\n{{"logOffset":{batch}}}'}
    files |= {f"sources/{name}/{batch}": f'v1\n{{"path":"{name}{batch}"}}' for name in ("s_1", "t_2")}
    files |= {f"commits/{batch - 1}": 'v1\n{"nextBatchWatermarkMs":0}'} if batch else {}
    for name, text in files.items():
        path = place / "offsets" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        path.with_name(f".{path.name}.crc").write_bytes(crc_of(text.encode()))


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_a_record_is_there_with_the_logs_of_its_batch(disk: VolatileDisk, tmp_path: Path) -> None:
    place = tmp_path / "kept"
    checkpoint = Checkpoint.open(str(place), RUN, True)
    for batch in range(5):
        write_logs(place, batch)
        checkpoint.commit(batch, {"decided_until": batch})
        after = disk.restore(tmp_path, tmp_path.parent / f"{tmp_path.name}-{batch}") / "kept"
        assert contents(place).items() <= contents(after).items()  # what was removed may come back
        assert Checkpoint.open(str(after), RUN).read_record(batch)["decided_until"] == batch


def test_without_durability_nothing_is_synced(disk: VolatileDisk, tmp_path: Path) -> None:
    checkpoint = Checkpoint.open(str(tmp_path / "kept"), RUN)
    write_logs(tmp_path / "kept", 0)
    checkpoint.commit(0, {"decided_until": 0})
    assert not disk.contents
    assert not disk.names


def write_checkpoint(place: Path, batches: int = 3) -> None:
    checkpoint = Checkpoint.open(str(place), RUN)
    for batch in range(batches):
        write_logs(place, batch)
        checkpoint.write_plan_version(batch, PlanVersion())
        checkpoint.commit(batch, {"decided_until": batch})


def resume(place: Path, batch: int) -> int:
    """What a run does that goes on from a batch."""
    checkpoint = Checkpoint.open(str(place), RUN)
    checkpoint.plan_version_before(batch)
    return int(checkpoint.read_record(batch - 1)["decided_until"])


def test_every_damage_of_a_checkpoint_is_noticed(tmp_path: Path) -> None:
    write_checkpoint(tmp_path)
    assert resume(tmp_path, 3) == 2
    logs = [f"sources/{name}/{batch}" for name in ("s_1", "t_2") for batch in range(3)]
    logs += [f"offsets/{batch}" for batch in range(3)]
    count = 0
    for name in ("run.json", "batches/2.json", "plans/2.json", *(f"offsets/{log}" for log in logs)):
        for what in damage_file(tmp_path / name, 3):
            with pytest.raises(RunError, match=re.escape(str(tmp_path / name))):
                pytest.fail(f"{what}: {resume(tmp_path, 3)}")
            count += 1
    assert count > 150
    assert resume(tmp_path, 3) == 2


def test_logs_that_are_gone(tmp_path: Path) -> None:
    """Spark removes logs of old batches, and of sources those that a compact one contains; no others may be gone."""
    write_checkpoint(tmp_path)
    offsets, source = tmp_path / "offsets" / "offsets", tmp_path / "offsets" / "sources" / "s_1"
    (offsets / "0").unlink()
    assert resume(tmp_path, 3) == 2
    (source / "0").unlink()
    with pytest.raises(RunError, match="s_1/0 is not there"):
        resume(tmp_path, 3)
    (source / "3.compact").write_text("v1")
    with pytest.raises(RunError, match="s_1/0 is not there"):  # no record says that this log is whole
        resume(tmp_path, 3)
    (source / "0").write_text('v1\n{"path":"s_10"}')
    checkpoint = Checkpoint.open(str(tmp_path), RUN)
    checkpoint.commit(3, {"decided_until": 3})
    (source / "0").unlink()
    assert resume(tmp_path, 4) == 3
    (offsets / "2").unlink()
    with pytest.raises(RunError, match="offsets/2 is not there"):
        resume(tmp_path, 4)


def test_a_checkpoint_of_the_format_before_is_upgraded(tmp_path: Path) -> None:
    write_checkpoint(tmp_path)
    for name in ("batches/1.json", "batches/2.json", "plans/1.json", "plans/2.json", "run.json"):
        what, _ = unseal((tmp_path / name).read_bytes())
        what.pop("logs", None)
        (tmp_path / name).write_text(json.dumps(what | ({"format": 8} if name == "run.json" else {})))
    before = contents(tmp_path)
    with pytest.raises(RunError, match="tick was 1 and is 2"):
        Checkpoint.open(str(tmp_path), {**RUN, "tick": 2})
    assert contents(tmp_path) == before, "a run that is refused changes nothing"
    assert resume(tmp_path, 3) == 2
    assert all(unseal(path.read_bytes())[1] for path in tmp_path.rglob("*.json"))
    assert json.loads((tmp_path / "run.json").read_text())["format"] == 9
    assert resume(tmp_path, 3) == 2


def test_two_that_open_a_new_folder_at_once_have_one_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One has seen that the folder is empty, and so has the other, which creates its file first."""
    create, others = LocalStorage.create, list[str]()

    def come_between(store: LocalStorage, name: str, content: bytes) -> bool:
        if not others:
            others.append("")
            others[0] = Checkpoint.open(str(tmp_path), RUN, True).name
        return create(store, name, content)

    monkeypatch.setattr(LocalStorage, "create", come_between)
    assert [Checkpoint.open(str(tmp_path), RUN, True).name] == others
    with pytest.raises(RunError, match="tick was 1 and is 2"):
        Checkpoint.open(str(tmp_path), {**RUN, "tick": 2})


def test_an_upgrade_waits_for_nobody_and_disturbs_nobody(tmp_path: Path) -> None:
    """A run that has the lock may be writing records: nobody else writes them anew."""
    write_checkpoint(tmp_path)
    running = Checkpoint.open(str(tmp_path), RUN)
    with running.lock.hold():
        what, _ = unseal((tmp_path / "run.json").read_bytes())
        (tmp_path / "run.json").write_text(json.dumps({**what, "format": 8}))
        before = contents(tmp_path)
        with pytest.raises(RunError, match="is in use by process"):
            Checkpoint.open(str(tmp_path), RUN)
        assert contents(tmp_path) == before
    assert resume(tmp_path, 3) == 2
    assert json.loads((tmp_path / "run.json").read_text())["format"] == 9


def test_a_batch_that_is_planned_anew_chooses_its_files_anew(disk: VolatileDisk, tmp_path: Path) -> None:
    """Of batch 3, which had left a file out, a power loss tore the plan; of batch 4 there is none."""
    place = tmp_path / "kept"
    write_checkpoint(place)
    write_logs(place, 3)
    checkpoint = Checkpoint.open(str(place), RUN, True)
    checkpoint.write_choice(3, {"left_out": 1})
    assert Checkpoint.open(str(place), RUN, True).remove_torn_logs() == []
    assert checkpoint.read_choice(3) == {"left_out": 1}
    (place / "offsets" / "offsets" / "3").write_bytes(b"")
    again = Checkpoint.open(str(place), RUN, True)
    assert "offsets/3" in again.remove_torn_logs()
    assert again.read_choice(3) is None
    assert "3.json" not in disk.names[(place / "inputs").stat().st_ino], "nor after another power loss"


def test_a_choice_without_a_plan_goes_also_where_nothing_is_known_of_logs(tmp_path: Path) -> None:
    write_checkpoint(tmp_path)
    checkpoint = Checkpoint.open(str(tmp_path), RUN)
    assert checkpoint.logs is not None
    checkpoint.logs.checksums = {}
    checkpoint.write_choice(2, {"of": 2})
    checkpoint.write_choice(3, {"of": 3})
    assert checkpoint.remove_torn_logs() == []
    assert (checkpoint.read_choice(2), checkpoint.read_choice(3)) == ({"of": 2}, None)


def test_logs_that_a_power_loss_left_empty(tmp_path: Path) -> None:
    """Batch 2 is recorded; of batch 3 there are logs. Spark's note that batch 2 is done is empty, then a log of 3."""
    write_checkpoint(tmp_path)
    before = contents(tmp_path)
    write_logs(tmp_path, 3)
    logs = tmp_path / "offsets"
    (logs / "commits" / "2").write_bytes(b"")
    assert Checkpoint.open(str(tmp_path), RUN).remove_torn_logs() == ["commits/2"]
    assert (logs / "offsets" / "3").exists(), "the plan of batch 3 is whole"
    (logs / "sources" / "s_1" / "3").write_bytes(bytes(10))
    assert Checkpoint.open(str(tmp_path), RUN).remove_torn_logs() == ["offsets/3", "sources/s_1/3", "sources/t_2/3"]
    assert contents(tmp_path) == before


def test_a_record_without_checksums_does_not_say_which_logs_it_needs(tmp_path: Path) -> None:
    write_checkpoint(tmp_path)
    checkpoint = Checkpoint.open(str(tmp_path), RUN)
    assert checkpoint.logs is not None
    checkpoint.logs.checksums = {}
    (tmp_path / "offsets" / "sources" / "s_1" / "2").write_bytes(b"")
    assert checkpoint.remove_torn_logs() == []
