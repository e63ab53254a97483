"""The files that a task writes: each member's rows apart, within bounds, and none left if the task fails."""

from __future__ import annotations

import errno
from collections import Counter
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tailrace.write import result_files
from tailrace.write.file_writers import TextFile
from tailrace.write.result_files import FileSink, ResultFiles, SinkWriteError, StagedFile
from tailrace.write.write_spec import WriteSpec

SCHEMA = pa.schema([("_ts", pa.int64()), ("v", pa.int32())])
CSV = WriteSpec("csv", (("header", "true"),), SCHEMA, 17)
JSON = WriteSpec("json", (), SCHEMA.set(1, pa.field("w", pa.int32())), 17)


def batch_of(values: list[int], members: list[int] | None = None) -> pa.RecordBatch:
    """Rows whose types are not yet those of the sink."""
    columns = {"_ts": values, "v": values}
    return pa.RecordBatch.from_pydict(columns if members is None else {"_member": members, **columns})


def finish(files: ResultFiles) -> dict[int, list[StagedFile]]:
    return dict(files.finish())


def test_rows_of_a_query_are_one_file(tmp_path: Path) -> None:
    with ResultFiles({3: [FileSink(str(tmp_path), CSV)]}) as files:
        assert files.take(3, batch_of([1, 2])) is None
        assert files.take(3, batch_of([3])) is None
        ((file,),) = finish(files).values()
    assert (file.sink, file.member, file.rows) == (0, None, 3)
    assert (tmp_path / file.name).read_text() == "_ts,v\n1,1\n2,2\n3,3\n"


def test_members_have_files_of_their_own_and_others_go_on(tmp_path: Path) -> None:
    sinks = [FileSink(str(tmp_path), CSV, (1, 2)), FileSink(str(tmp_path), JSON, (5,))]
    with ResultFiles({0: sinks}) as files:
        left = files.take(0, batch_of([10, 20, 11, 50, 70], [1, 2, 1, 5, 7]))
        assert left is not None
        assert left.to_pydict() == {"_member": [7], "_ts": [70], "v": [70]}
        found = {(file.sink, file.member): file for file in finish(files)[0]}
    texts = {key: (tmp_path / file.name).read_text() for key, file in found.items()}
    assert texts == {
        (0, 1): "_ts,v\n10,10\n11,11\n",
        (0, 2): "_ts,v\n20,20\n",
        (1, 5): '{"_ts":50,"w":50}\n',
    }
    assert {key: file.rows for key, file in found.items()} == {(0, 1): 2, (0, 2): 1, (1, 5): 1}


def test_an_output_without_sinks_goes_on(tmp_path: Path) -> None:
    with ResultFiles({}) as files:
        rows = batch_of([1])
        assert files.take(0, rows) is rows
        assert finish(files) == {}


def test_large_outputs_are_added_to_one_open_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(result_files, "LARGE_BYTES", 1)
    spec = WriteSpec("parquet", (), SCHEMA, 17)
    with ResultFiles({0: [FileSink(str(tmp_path), spec)]}) as files:
        for number in range(3):
            files.take(0, batch_of([number]))
            assert not files.waiting
        ((file,),) = finish(files).values()
    stored = pq.ParquetFile(tmp_path / file.name)
    assert (stored.num_row_groups, stored.read()["v"].to_pylist(), file.rows) == (3, [0, 1, 2], 3)


def test_few_files_are_open_and_few_rows_wait(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(result_files, "MOST_BYTES", 200)
    monkeypatch.setattr(result_files, "MOST_OPEN", 2)
    with ResultFiles({number: [FileSink(str(tmp_path), CSV)] for number in range(9)}) as files:
        for number in range(90):
            files.take(number % 9, batch_of([number]))
            assert len(files.open) <= 2
            assert files.size < 200
        found = finish(files)
    for output, written in found.items():
        lines = [line for file in written for line in (tmp_path / file.name).read_text().splitlines()[1:]]
        assert Counter(lines) == Counter(f"{number},{number}" for number in range(output, 90, 9))
        assert sum(file.rows for file in written) == 10


def test_a_task_that_fails_leaves_no_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(result_files, "LARGE_BYTES", 1)
    sinks = {0: [FileSink(str(tmp_path), CSV)], 1: [FileSink(str(tmp_path), CSV, (1,))]}

    def fail() -> None:
        with ResultFiles(sinks) as files:
            files.take(0, batch_of([1]))
            files.take(1, batch_of([1], [1]))
            assert len(list(tmp_path.iterdir())) == 2
            raise OSError("the disk")

    with pytest.raises(OSError, match="the disk"):
        fail()
    assert list(tmp_path.iterdir()) == []


def write_one(sink: FileSink) -> None:
    with ResultFiles({4: [sink]}) as files:
        files.take(4, batch_of([1], sink.members and [1]))
        finish(files)


@pytest.mark.parametrize("members", [None, (1,)])
def test_a_file_that_cannot_be_written(tmp_path: Path, members: tuple[int, ...] | None) -> None:
    """What is raised names the output, with what the disk says."""
    with pytest.raises(SinkWriteError, match=r"^output 4: .*No such file") as failed:
        write_one(FileSink(str(tmp_path / "gone"), CSV, members))
    assert failed.value.errno == errno.ENOENT


def test_a_file_that_cannot_be_closed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(file: TextFile) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(TextFile, "close", fail)
    with pytest.raises(SinkWriteError, match=r"^output 4: .*No space left"):
        write_one(FileSink(str(tmp_path), CSV))


def test_no_two_attempts_write_one_file(tmp_path: Path) -> None:
    names = set()
    for _ in range(2):
        with ResultFiles({0: [FileSink(str(tmp_path), CSV)]}) as files:
            files.take(0, batch_of([1]))
            names |= {file.name for written in finish(files).values() for file in written}
    assert len(names) == len(list(tmp_path.iterdir())) == 2
