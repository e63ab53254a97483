"""Which files a batch reads, leaves out and looks at again, also when it is repeated; no Spark needed."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyarrow import parquet

from tailrace.catalog.sources import Stream
from tailrace.errors import RunError
from tailrace.scan import file_faults
from tailrace.schema import Schema
from tailrace.spark.io.input_faults import BatchFiles, FileChoice, InputFaultError, ListedFiles, read_choice
from tailrace.spark.io.read_files import FileSource
from tailrace.spark.io.sinks import BatchId
from tailrace.types import INT


class Log:
    """The choices of batches, as texts."""

    def __init__(self) -> None:
        self.written: dict[int, str] = {}

    def read_choice(self, batch: int) -> Any:
        return json.loads(self.written[batch]) if batch in self.written else None

    def write_choice(self, batch: int, choice: Mapping[str, Any]) -> None:
        self.written[batch] = json.dumps(choice)


class Folder:
    """A folder of files as the source S, and a run over it: what it left out, and what its batches read."""

    def __init__(self, path: Path, format: str = "parquet", **options: str) -> None:
        self.path, self.log = path, Log()
        stream = Stream("S", Schema.of(), format, (("path", str(path)), *options.items()), timestamp="ts")
        self.source = FileSource(None, stream)  # type: ignore[arg-type]
        self.left_out: Any = {}
        self.number = 0

    def write(self, name: str, missing: int = 0) -> str:
        """Write a file without its last bytes."""
        file = self.path / name
        parquet.write_table(pa.table({"ts": [1]}), file)
        file.write_bytes(file.read_bytes()[: file.stat().st_size - missing])
        return file.as_uri()

    def files(self, *listed: str, gone: tuple[str, ...] = ()) -> BatchFiles:
        there = {"s": ListedFiles(listed, gone)} if listed or gone else {}
        return BatchFiles({"s": self.source}, there, self.left_out)

    def batch(self, *listed: str, gone: tuple[str, ...] = (), again: bool = False, counts: bool = True) -> list[str]:
        """Run a batch: returns the names of the files that it reads. One that does not count is cut short."""
        batch, files = BatchId(self.number, "run", again), self.files(*listed, gone=gone)
        choice = files.choose(read_choice(self.log, batch))
        files.write_down(choice, self.log, batch)
        if counts:
            self.left_out, self.number = json.loads(json.dumps(files.add_up_left_out(choice))), self.number + 1
        return [Path(file).name for file in choice.files_of("s", listed)]


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    return Folder(tmp_path)


def test_whole_files_leave_no_trace(folder: Folder) -> None:
    assert folder.batch(folder.write("a"), folder.write("b")) == ["a", "b"]
    assert (folder.log.written, folder.left_out) == ({}, {})


def test_a_file_is_read_once_when_it_is_whole(folder: Folder) -> None:
    assert folder.batch(folder.write("a"), folder.write("b", 4)) == ["a"]
    assert folder.batch(folder.write("c")) == ["c"], "it has not changed"
    folder.write("b", 3)
    assert folder.batch() == []
    before = folder.left_out
    assert folder.batch() == []
    assert folder.left_out == before
    folder.write("b")
    assert folder.batch(folder.write("d")) == ["d", "b"]
    assert folder.batch(folder.write("e")) == ["e"]
    assert folder.left_out == {}


def test_a_file_that_is_back_is_read(folder: Folder) -> None:
    b = folder.write("b")
    Path(folder.path / "b").unlink()
    assert folder.batch(folder.write("a"), gone=(b,)) == ["a"]
    assert folder.batch() == []
    folder.write("b")
    assert folder.batch() == ["b"]
    assert folder.batch() == []


def test_a_file_that_may_not_be_opened_is_read_when_it_may_be(folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    """It need not change for that."""
    a = folder.write("a")

    def refuse(path: str) -> None:
        raise PermissionError(13, "Permission denied")

    with monkeypatch.context() as refused:
        refused.setattr(file_faults, "open_file", refuse)
        assert folder.batch(a) == []
        assert folder.batch() == []
    assert folder.batch() == ["a"]
    assert folder.batch() == []


def test_a_repetition_leaves_out_what_the_first_attempt_left_out(folder: Folder) -> None:
    a, b = folder.write("a"), folder.write("b", 4)
    assert folder.batch(a, b, counts=False) == ["a"]
    folder.write("b")
    assert folder.batch(a, b, again=True) == ["a"]
    assert folder.batch() == ["b"]


def test_a_repetition_reads_what_the_first_attempt_read(folder: Folder) -> None:
    """Of the files that were left out before: one that is whole only now waits for the next batch."""
    folder.batch(folder.write("a", 4), folder.write("b", 4), folder.write("c", 4))
    folder.write("a")
    assert folder.batch(counts=False) == ["a"]
    folder.write("b")
    assert folder.batch(again=True) == ["a"]
    assert folder.batch(counts=False) == ["b"]
    assert folder.batch(again=True) == ["b"]
    assert list(folder.left_out["s"]) == [(folder.path / "c").as_uri()]


def test_a_repetition_leaves_out_what_is_gone_besides(folder: Folder) -> None:
    a, b, c = folder.write("a"), folder.write("b", 4), folder.write("c")
    assert folder.batch(a, b, c, counts=False) == ["a", "c"]
    Path(folder.path / "a").unlink()
    assert folder.batch(b, c, gone=(a,), again=True) == ["c"]
    assert set(folder.left_out["s"]) == {a, b}


def test_a_batch_that_failed_leaves_out_what_cannot_be_read(folder: Folder) -> None:
    """Its end is there, so that only a reader finds the damage."""
    a, b = folder.write("a"), folder.write("b")
    content = (folder.path / "b").read_bytes()
    (folder.path / "b").write_bytes(content[:4] + bytes(30) + content[34:])
    files = folder.files(a, b)
    choice = files.choose(None)
    assert choice == FileChoice()
    with pytest.raises(InputFaultError) as found:
        files.check(choice, RuntimeError())
    after = found.value.choice
    assert after.files_of("s", [a, b]) == [a]
    assert files.choose_again(choice, ValueError()) == after
    files.check(after, RuntimeError())
    with pytest.raises(ValueError, match="another"):
        files.choose_again(after, ValueError("another"))


class Location:
    """What Spark tells of a batch's files: those that it found, and all that it was to read, in Spark's two forms."""

    def __init__(self, found: list[str], wanted: list[str]) -> None:
        self.found, self.wanted = found, [file.replace("file:///", "file:/") for file in wanted]

    def inputFiles(self) -> list[str]:
        return self.found

    def location(self) -> Location:
        return self

    def rootPaths(self) -> Location:
        return self

    def size(self) -> int:
        return len(self.wanted)

    def apply(self, place: int) -> Location:
        return Location([], self.wanted[place : place + 1])

    def toUri(self) -> Location:
        return self

    def toString(self) -> str:
        return self.wanted[0]


def test_a_file_that_is_back_in_the_repetition_is_read_once(folder: Folder) -> None:
    """Spark says where a file is in one form if it finds it, and in another if it does not."""
    a, b = folder.write("a"), folder.write("b")
    found = ListedFiles.of(Location([a], [a, b]))
    assert folder.batch(*found.files, gone=tuple(found.gone), counts=False) == ["a"]
    found = ListedFiles.of(Location([a, b], [a, b]))
    assert folder.batch(*found.files, gone=tuple(found.gone), again=True) == ["a"]
    assert folder.batch() == ["b"]
    assert folder.batch() == []


def test_a_file_that_spark_lists_again_is_read_once(folder: Folder) -> None:
    a = folder.write("a", 4)
    assert folder.batch(a) == []
    folder.write("a")
    assert folder.batch(a) == ["a"]
    assert folder.batch() == []


def test_an_empty_text_file_is_read_when_it_has_rows(tmp_path: Path) -> None:
    """Whoever writes it has opened it, and nothing is in it yet."""
    folder = Folder(tmp_path, "json")
    (tmp_path / "a").touch()
    a = (tmp_path / "a").as_uri()
    assert folder.batch(a) == []
    assert folder.batch() == []
    (tmp_path / "a").write_text('{"ts": 1}\n')
    assert folder.batch() == ["a"]
    assert (folder.batch(), folder.left_out) == ([], {})


def test_an_empty_text_file_of_long_ago_is_nobodys(tmp_path: Path) -> None:
    folder = Folder(tmp_path, "json")
    (tmp_path / "a").touch()
    os.utime(tmp_path / "a", (time.time() - 7200,) * 2)
    assert folder.batch((tmp_path / "a").as_uri()) == ["a"]
    assert folder.left_out == {}


def test_a_text_file_that_is_being_copied_back(tmp_path: Path) -> None:
    folder = Folder(tmp_path, "json")
    file = tmp_path / "a"
    assert folder.batch(gone=(file.as_uri(),)) == []
    file.touch()
    assert folder.batch() == []
    file.write_text('{"ts": 1}\n{"ts"')
    assert folder.batch() == [], "its last line is torn, and it was changed just now"
    file.write_text('{"ts": 1}\n{"ts": 2}\n')
    assert folder.batch() == ["a"]


def test_one_damaged_file_does_not_cost_every_batch_a_write(folder: Folder) -> None:
    folder.batch(folder.write("a", 4))
    written = dict(folder.log.written)
    for name in "bcd":
        folder.batch(folder.write(name))
    assert folder.log.written == written


def test_a_file_that_spark_would_remove(tmp_path: Path) -> None:
    folder = Folder(tmp_path, cleanSource="delete")
    assert folder.batch(folder.write("a")) == ["a"]
    with pytest.raises(RunError, match="cleanSource would remove it"):
        folder.batch(folder.write("b", 4))
    assert folder.batch(gone=((tmp_path / "c").as_uri(),)) == []


def test_a_store_that_only_spark_reaches(tmp_path: Path) -> None:
    """No file is blamed for what Spark says of a value, or of a file of another name."""
    folder, file = Folder(tmp_path), "viewfs://names/in/a"
    assert folder.batch(file) == ["a"]
    files = folder.files(file)
    with pytest.raises(ValueError, match="DIVIDE"):
        files.choose_again(FileChoice(), ValueError("[DIVIDE_BY_ZERO] no SQLSTATE: 22012"))
    said = f"[FAILED_READ_FILE.NO_HINT] Encountered error while reading file {file}.  SQLSTATE: KD001"
    choice = files.choose_again(FileChoice(), ValueError(said))
    assert choice.files_of("s", [file]) == []


def test_no_file_is_read_for_what_a_value_causes(folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    files = folder.files(folder.write("a"))
    monkeypatch.setattr(BatchFiles, "add_faults", None)
    files.check(FileChoice(), ValueError("[INVALID_ARRAY_INDEX] no SQLSTATE: 22003"))


def test_what_spark_says_of_a_file(folder: Folder) -> None:
    """Files of formats that only Spark reads: it names them, in an exception or in the cause of one."""
    a, b = folder.write("a"), folder.write("b c")
    files, said = (
        folder.files(a, b),
        "org.apache.spark.SparkException: [FAILED_READ_FILE.{}] {} file {}.  SQLSTATE: KD001\n\tat",
    )
    known = said.format("NO_HINT", "Encountered error while reading", b)
    assert files.choose_again(FileChoice(), ValueError(known)).files_of("s", [a, b]) == [a]
    wrapped = ValueError("query q: failed")
    wrapped.__cause__ = ValueError(known)
    assert files.choose_again(FileChoice(), wrapped).files_of("s", [a, b]) == [a]
    for other in (
        said.format("PARQUET_COLUMN_DATA_TYPE_MISMATCH", "Encountered error while reading", b),
        said.format("NO_HINT", "Encountered error while reading", "file:///elsewhere"),
    ):
        with pytest.raises(ValueError, match="FAILED_READ_FILE"):
            files.choose_again(FileChoice(), ValueError(other))


def test_a_run_remembers_so_many_files(folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tailrace.spark.io.input_faults.MOST_LEFT_OUT", 2)
    files = [folder.write(name, 4) for name in "abc"]
    folder.batch(*files)
    assert list(folder.left_out["s"]) == files[1:]


@pytest.mark.parametrize(("header", "is_read"), [("x,y", False), ("x,V", True), ("v", True)])
@pytest.mark.parametrize("timestamp", [None, "ts"])
def test_a_header_that_names_no_column(tmp_path: Path, header: str, is_read: bool, timestamp: str | None) -> None:
    """With a timestamp, each row of the file is one that cannot be read anyway."""
    (tmp_path / "a.csv").write_text(f"{header}\n1,2\n")
    stream = Stream("S", Schema.of(("v", INT)), "csv", (("path", str(tmp_path)),), timestamp=timestamp)
    file = (tmp_path / "a.csv").as_uri()
    files = BatchFiles({"s": FileSource(None, stream)}, {"s": ListedFiles([file])}, {})  # type: ignore[arg-type]
    choice = files.choose(None)
    assert bool(choice.files_of("s", [file])) == (is_read or timestamp is not None)
