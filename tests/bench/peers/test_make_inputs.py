"""Inputs: each file of a stream is in order of time, and all files together are the stream."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.csv as pc
import pyarrow.parquet as pq

from tailrace.bench.inputs import data
from tailrace.bench.peers.make_inputs import make_inputs


def test_files_take_turns_at_the_rows(tmp_path: Path) -> None:
    make_inputs(tmp_path, 3000, ["S", "L"], ["csv", "parquet"])
    files = sorted((tmp_path / "parquet" / "S").iterdir())
    parts = [pq.read_table(file) for file in files]
    assert [len(part) for part in parts] == [1500, 1500]
    for part in parts:
        seconds = part["ts"].to_pandas()
        assert seconds.is_monotonic_increasing
        assert seconds.iloc[-1] - seconds.iloc[0] > 3000 * pa.scalar(1_000_000_000, pa.duration("ns")).as_py()
    whole = data.positions(3000)
    order = [("vehicle", "ascending"), ("ts", "ascending")]
    assert pa.concat_tables(parts).sort_by(order).equals(whole.sort_by(order))
    assert sum(len(pq.read_table(file)) for file in (tmp_path / "parquet" / "L").iterdir()) == 1500


def test_csv_files_have_the_same_rows_and_no_header(tmp_path: Path) -> None:
    make_inputs(tmp_path, 1000, ["S"], ["csv", "parquet"])
    names = pc.ReadOptions(column_names=data.positions(10).column_names)
    for number in range(2):
        csv = pc.read_csv(tmp_path / "csv" / "S" / f"part-{number}.csv", names)
        parquet = pq.read_table(tmp_path / "parquet" / "S" / f"part-{number}.parquet")
        assert csv.cast(pa.schema([field.with_type(parquet[field.name].type) for field in csv.schema])).equals(parquet)
    assert (tmp_path / "csv" / "S" / "part-0.csv").read_text().startswith("2024-01-01 10:00:01,8,51,")
