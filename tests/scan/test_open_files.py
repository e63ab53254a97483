"""Files elsewhere are read as files here are: by the same bytes, in parts, and only what is needed of them."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pyarrow as pa
import pytest
from pyarrow import ipc, parquet

from tailrace.catalog.sources import Stream
from tailrace.scan.open_files import file_size, open_file, remote_place, why_not_reached
from tailrace.scan.scan_spec import Bound, NotScannable, ScanSpec
from tailrace.scan.scan_split import scan
from tailrace.scan.support import why_spark_reads
from tailrace.schema import Field, Schema
from tailrace.spark.io.scan_files import cut_files
from tailrace.state.storage import file_system
from tailrace.types import BIGINT, STRING
from tests.scan.object_store import ObjectStore, serve_objects

NAMES = ("a.csv", "b c%20d#e.csv", "ü;?.csv")
ROWS = 5000


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ObjectStore]:
    with serve_objects(tmp_path) as served:
        for name, value in served.variables.items():
            monkeypatch.setenv(name, value)
        (tmp_path / "bucket").mkdir()
        yield served


def url_of(name: str) -> str:
    return f"s3a://bucket/{quote(name)}"


def write_table(path: Path, table: pa.Table, format: str) -> None:
    if format == "parquet":
        parquet.write_table(table, path, row_group_size=500)
    elif format == "arrow":
        with ipc.new_file(path, table.schema) as file:
            file.write_table(table, 500)
    else:
        rows = table.to_pylist()
        lines = ["ts,v", *(f"{row['ts']},{row['v']}" for row in rows)]
        if format.startswith("json"):
            lines = [f'{{"ts": {row["ts"]}, "v": "{row["v"]}"}}' for row in rows]
        content = ("\r\n".join(lines) + "\n").encode()
        path.write_bytes(gzip.compress(content) if format.endswith(".gz") else content)


@pytest.mark.parametrize("format", ["csv", "csv.gz", "json", "parquet", "arrow"])
@pytest.mark.parametrize("target", [1, 7])
def test_every_format_is_read_in_parts(
    store: ObjectStore, format: str, target: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tailrace.spark.io.scan_files.LEAST_BYTES", 1000)
    table = pa.table({"ts": pa.array(range(ROWS), pa.int64()), "v": [f"wört {n}" for n in range(ROWS)]})
    name = f"some rows.{format}"
    write_table(store.folder / "bucket" / name, table, format)
    kind = format.removesuffix(".gz")
    options = (("header", "true"),) if kind == "csv" else ()
    spec = ScanSpec(kind, options, (("ts", BIGINT), ("v", STRING)), ("ts", "v"))
    splits = cut_files(kind, [url_of(name)], target)
    assert len(splits) == {"csv.gz": 1, "parquet": 10, "arrow": 10}.get(format, target)
    found = pa.Table.from_batches([batch for split in splits for batch in scan(split, spec)], spec.schema)
    assert found.equals(table.cast(spec.schema))
    here = cut_files(kind, [str(store.folder / "bucket" / name)], target)
    assert [(split.start, split.end) for split in splits] == [(split.start, split.end) for split in here]


def test_names_that_spark_escapes(store: ObjectStore) -> None:
    for name in NAMES:
        (store.folder / "bucket" / name).write_text(name)
        with open_file(url_of(name)) as file:
            assert file.read() == name.encode()
        assert file_size(url_of(name)) == len(name.encode())


def test_a_store_is_opened_once(store: ObjectStore) -> None:
    found = {id(remote_place(url_of(name))[0]) for name in NAMES}
    assert len(found) == 1
    assert file_system.cache_info().currsize == 1


def test_row_groups_that_nobody_needs_are_not_fetched(store: ObjectStore) -> None:
    rows = 50_000
    table = pa.table({"ts": pa.array(range(rows), pa.int64()), "v": [f"{n:0200}" for n in range(rows)]})
    place = store.folder / "bucket" / "a.parquet"
    parquet.write_table(table, place, row_group_size=rows // 10, use_dictionary=False, compression="none")
    columns = (("ts", BIGINT), ("v", STRING))
    sent = []
    for bounds in ((), (Bound("ts", "<", 100),)):
        store.sent.clear()
        spec = ScanSpec("parquet", (), columns, ("ts", "v"), None, bounds, ("ts",))
        splits = cut_files("parquet", [url_of("a.parquet")], 1)
        batches = [batch for split in splits for batch in scan(split, spec)]
        assert sum(map(len, batches)) == rows
        sent.append(store.sent["bucket/a.parquet"])
    assert sent[1] < sent[0] / 3


def test_what_cannot_be_reached_is_left_to_spark(store: ObjectStore) -> None:
    for look in (open_file, file_size):
        for path in (url_of("nothing.csv"), "viewfs://names/a.csv"):
            with pytest.raises(NotScannable):
                look(path)
    assert why_not_reached("s3a://bucket/in") is None
    assert "cannot be opened" in (why_not_reached("viewfs://names/in") or "")
    schema = Schema((Field("a", BIGINT),))
    there, here = (Stream("S", schema, "csv", (("path", path),), "ts") for path in ("viewfs://names/in", "in"))
    assert "viewfs://names/ cannot be opened" in (why_spark_reads(there) or "")
    assert why_spark_reads(here) is None
