"""Stream logs: which logs of Structured Streaming go after a crash, so that Spark can start and loses nothing."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tailrace.spark.run.checkpoint import Checkpoint
from tests.spark.run.test_checkpoint import RUN, contents, write_checkpoint, write_logs
from tests.torture.stream_model import crc_of

OF_BATCH_3 = ["offsets/3", "sources/s_1/3", "sources/t_2/3"]


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    """The logs of a checkpoint with records of three batches, and a plan for a fourth."""
    write_checkpoint(tmp_path)
    write_logs(tmp_path, 3)
    return tmp_path / "offsets"


def remove_torn(logs: Path) -> list[str]:
    return Checkpoint.open(str(logs.parent), RUN).remove_torn_logs()


def crc(path: Path) -> Path:
    return path.with_name(f".{path.name}.crc")


def cut(path: Path) -> None:
    """What a disk has of a file of which it wrote a part."""
    path.write_bytes(path.read_bytes()[:-3])


def cut_with_checksums(path: Path) -> None:
    cut(path)
    crc(path).write_bytes(crc_of(path.read_bytes()))


@pytest.mark.parametrize("log", OF_BATCH_3)
@pytest.mark.parametrize(
    "harm",
    [
        cut,
        cut_with_checksums,
        lambda path: cut(crc(path)),
        lambda path: crc(path).unlink(),
        lambda path: crc(path).write_bytes(b""),
        lambda path: path.write_bytes(bytes(20)),
    ],
)
def test_a_log_that_no_record_needs_goes_if_it_is_not_whole(
    logs: Path, log: str, harm: Callable[[Path], object]
) -> None:
    assert remove_torn(logs) == []
    harm(logs / log)
    assert remove_torn(logs) == OF_BATCH_3
    assert remove_torn(logs) == []


def test_a_plan_of_which_a_log_is_gone(logs: Path) -> None:
    """A power loss may take the name of a log in one folder, and leave that of a later log in another one."""
    plan = logs / "offsets" / "3"
    for lines in (['{"logOffset":3}', '{"logOffset":3}'], ['s_1:{"logOffset":3}', 't_2:{"logOffset":3}']):
        names = ("0", "1") if lines[0].startswith("{") else ("s_1", "t_2")
        for name in names:
            write_log(logs / "sources" / name / "3", '{"path":"x"}')
        write_log(plan, "\n".join(["{}", *lines]))
        assert remove_torn(logs) == []
        for path in (logs / "sources" / names[1] / "3", crc(logs / "sources" / names[1] / "3")):
            path.unlink()
        assert "offsets/3" in remove_torn(logs)
        assert not (logs / "sources" / names[0] / "3").exists()


def write_log(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"v1\n{text}")
    crc(path).write_bytes(crc_of(path.read_bytes()))


def test_the_first_offsets_of_kafka_are_whole(logs: Path) -> None:
    """Spark's Kafka source writes a zero byte before the version of the log that says where the stream began."""
    write_log(logs / "sources" / "kafka" / "0", "")
    path = logs / "sources" / "kafka" / "0"
    path.write_bytes(b'\0v1\n{"topic":{"0":17}}')
    crc(path).write_bytes(crc_of(path.read_bytes()))
    assert remove_torn(logs) == []
    cut_with_checksums(path)
    assert "sources/kafka/0" in remove_torn(logs)


def test_notes_of_spark_go_alone(logs: Path) -> None:
    """The name of the stream, and that a batch is done: without it the batch comes again."""
    for name in ("metadata", "commits/2"):
        before = contents(logs)
        cut(logs / name)
        assert remove_torn(logs) == [name]
        mine = (name, str(crc(Path(name))))
        assert contents(logs) == {path: each for path, each in before.items() if path not in mine}


def test_checksums_of_hadoop_that_are_damaged(logs: Path) -> None:
    """The record has a checksum of its own for this log, by which it is whole."""
    cut(crc(logs / "offsets" / "2"))
    assert remove_torn(logs) == []
    assert not crc(logs / "offsets" / "2").exists()
    assert (logs / "offsets" / "2").exists()


def test_a_checkpoint_whose_first_file_was_cut_short(tmp_path: Path) -> None:
    (tmp_path / "run.json.0123456789abcdef").write_text('{"format": 9, ')
    assert Checkpoint.open(str(tmp_path), RUN).name
