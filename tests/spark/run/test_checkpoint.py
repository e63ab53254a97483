"""Checkpoint: what its record says is there after a power loss."""

from __future__ import annotations

from pathlib import Path

import pytest

from tailrace.spark.run.checkpoint import Checkpoint
from tailrace.state import sync_files
from tests.state.power_loss import VolatileDisk

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
        path.with_name(f".{path.name}.crc").write_text("crc")


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
