"""What a soak expects is what the definition says; and a short one, with a kill every half minute, ends exactly."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.csv as pc
import pyarrow.parquet as pq
import pytest

from tailrace.testing import evaluate_script
from tests.patience import PATIENCE
from tests.test_tidy import ROOT
from tests.torture.soak_answers import QUERIES, Rows, SoakQuery, as_numbers, compare_rows, read_sink, script
from tests.torture.soak_rows import SOURCES, SPARED, Feeder, SoakRows

SECONDS = 15
ROWS = SoakRows(seed=3, rows=40)


@pytest.fixture(scope="module")
def answers() -> dict[str, Rows]:
    """By definition: the rows of each query up to the row after all, which itself is not decided."""
    given = {}
    for source in SOURCES:
        columns = ROWS.all(source, SECONDS)
        given[source] = [
            (at, at, *rest) for at, *rest in zip(*(each.tolist() for each in columns.values()), strict=True)
        ]
        given[source].append((100, 100, -1, -1, -1, -1, -1))
    found = {}
    for name, answer in evaluate_script(script(), given, until=100).items():
        changes = [(at, *([sign] if sign else []), *row) for at, sign, row in answer.changes()]
        columns = [list(column) for column in zip(*changes, strict=True)]
        found[name] = [as_numbers(pa.chunked_array([pa.array(column)])) for column in columns]
    return found


@pytest.mark.parametrize("query", QUERIES, ids=lambda query: query.name)
def test_what_is_expected_is_the_definition(query: SoakQuery, answers: dict[str, Rows]) -> None:
    inputs = {source: ROWS.all(source, SECONDS) for source in SOURCES}
    found = compare_rows(query.expect(inputs), answers[query.name])
    assert found.is_exact, found.examples
    assert found.rows > 0


def write_sink(query: SoakQuery, rows: Rows, folder: Path) -> None:
    """Write rows as a run does, in two files, with signs and fractions as they are in sinks."""
    columns = dict(zip(query.columns, rows, strict=True))
    if "_op" in columns:
        columns["_op"] = ["+" if sign > 0 else "-" for sign in columns["_op"]]
    if "mean" in columns:
        columns["mean"] = columns["mean"].view(float)
    table = pa.table(columns)
    (folder / query.name).mkdir()
    for number, part in enumerate((table.slice(0, 10), table.slice(10))):
        file = folder / query.name / f"part-{number}.{query.format}"
        if query.format == "parquet":
            pq.write_table(part, file)
        elif query.format == "csv":
            pc.write_csv(part, file)
        else:
            file.write_text("".join(f"{json.dumps(row)}\n" for row in part.to_pylist()))


@pytest.mark.parametrize("query", QUERIES[:6], ids=lambda query: query.name)
def test_what_is_in_a_sink_is_compared(query: SoakQuery, answers: dict[str, Rows], tmp_path: Path) -> None:
    rows = answers[query.name]
    write_sink(query, rows, tmp_path)
    assert compare_rows(rows, read_sink(query, tmp_path)).is_exact
    for file in (tmp_path / query.name).iterdir():
        if file.stem == "part-0":
            file.unlink()
    assert compare_rows(rows, read_sink(query, tmp_path)).lost == min(10, len(rows[0]))
    twice = compare_rows(rows, [[*column, *column[:3]] for column in rows])
    assert (twice.lost, twice.doubled, twice.wrong) == (0, 3, 0)
    others = compare_rows(rows, [column + 1_000_000 for column in rows])
    assert (others.lost, others.doubled, others.wrong) == (len(rows[0]), 0, len(rows[0]))


def test_a_feeder_writes_what_is_expected_and_removes_no_more_than_it_may(tmp_path: Path) -> None:
    rows, seconds = SoakRows(seed=5, rows=2600), SPARED + 2
    feeder = Feeder(rows, tmp_path)
    for source in SOURCES:
        (tmp_path / source).mkdir()
    feeder.over.set()  # so that it waits for nothing
    for _ in range(seconds):
        feeder.write_second()
    for source in SOURCES:
        files = sorted((tmp_path / source).iterdir(), key=lambda file: file.stat().st_mtime)
        assert files == sorted(files)
        found = pa.concat_tables([pq.read_table(file) for file in files])
        assert found.equals(pa.table(rows.all(source, seconds)))
        assert len(found) == feeder.counts[source] == seconds * rows.count(source)
    feeder.remove_taken({})
    assert len(feeder.written) == 3 * seconds
    feeder.remove_taken({source: (SPARED + 1) * rows.count(source) for source in SOURCES})
    assert [file.name for _, file, _ in feeder.written[:1]] == ["00000004.parquet"]
    assert not (tmp_path / "S" / "00000003.parquet").exists()


@pytest.mark.spark
@pytest.mark.slow
def test_a_short_soak_ends_exactly(tmp_path: Path) -> None:
    options = ["--minutes", "2", "--rows", "2000", "--kill-every", "30", "--bad-every", "10", "--seed", "2"]
    command = [sys.executable, "-m", "tests.torture.soak", *options, "--json", str(tmp_path / "found.json")]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=3 * PATIENCE)
    assert done.returncode == 0, done.stdout + done.stderr
    found = json.loads((tmp_path / "found.json").read_text())
    assert found["is_good"]
    assert found["counts"]["kills"] > 3
    assert found["counts"]["restores"] == 1
