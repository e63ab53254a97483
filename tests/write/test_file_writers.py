"""Files of text and of parquet, from rows of any size."""

from __future__ import annotations

import resource
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tailrace.write import file_writers
from tailrace.write.file_writers import write_file, write_parts
from tailrace.write.write_spec import WriteSpec

ROWS = pa.table({"_ts": list(range(20)), "name": [f"n{number}" for number in range(20)]})


@pytest.mark.parametrize("size", [1, 50, 1 << 20])
@pytest.mark.parametrize("format", ["csv", "json", "parquet"])
def test_parts_are_what_whole_files_are(
    format: str, size: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(file_writers, "SLICE_BYTES", size)
    spec, ends = WriteSpec(format, (), ROWS.schema, 17), [1, 7, 20]
    paths = [str(tmp_path / f"{end}") for end in ends]
    write_parts(paths, spec, ROWS, ends)
    for path, start, end in zip(paths, [0, 1, 7], ends, strict=True):
        write_file(str(tmp_path / "whole"), spec, ROWS.slice(start, end - start))
        assert Path(path).read_bytes() == (tmp_path / "whole").read_bytes()


def test_a_parquet_file_without_rows_has_its_columns(tmp_path: Path) -> None:
    spec = WriteSpec("parquet", (("compression", "none"),), ROWS.schema, 17, (("who", "us"),))
    write_file(str(tmp_path / "empty"), spec, ROWS.schema.empty_table())
    found = pq.ParquetFile(tmp_path / "empty")
    assert (found.metadata.num_rows, found.schema_arrow.names) == (0, ["_ts", "name"])
    assert found.metadata.metadata[b"who"] == b"us"


@pytest.mark.parametrize("format", ["csv", "json", "parquet"])
def test_a_disk_that_takes_a_part_of_a_file(tmp_path: Path, format: str) -> None:
    """The system then says how much it has written, and an error only of the next call."""
    paths, many = [str(tmp_path / f"{number}") for number in range(2)], pa.concat_tables([ROWS] * 200)
    spec = WriteSpec(format, (("compression", "none"),), many.schema, 17)
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, before[1]))
    try:
        with pytest.raises(OSError, match="File too large"):
            write_parts(paths, spec, many, [len(many) // 2, len(many)])
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
