"""Agreement: answers that are equal agree, and a wrong value, a missing row and a row too many are seen."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tailrace.bench.inputs.data import moments
from tailrace.bench.peers.agreement import compare
from tailrace.bench.peers.questions import QUESTIONS

SECOND = "2024-01-01 10:{:02}:{:02}"


def write_tailrace(folder: Path, columns: list[str], rows: list[tuple[object, ...]]) -> Path:
    """Write rows as Tailrace does; the first value of each is its second, the second its sign if it has one."""
    names = ["_ts", "_op", *columns] if len(rows[0]) > len(columns) + 1 else ["_ts", *columns]
    values = dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))
    table = pa.table({**values, "_ts": moments(pa.array(values["_ts"]).to_numpy())})
    (folder / "0").mkdir(parents=True)
    pq.write_table(table, folder / "0" / "part-0.parquet")
    return folder


def write_flink(folder: Path, lines: list[str]) -> Path:
    """Write csv files as Flink does: names without an ending, one of them empty."""
    (folder / "0").mkdir(parents=True)
    (folder / "0" / "part-a-0").write_text("".join(f"{line}\n" for line in lines))
    (folder / "0" / "part-b-0").touch()
    return folder


@pytest.mark.parametrize(
    ("theirs", "said"),
    [
        (["1,20,30", "1,20,30", "2,21,31"], "3 rows agree"),
        (["1,20,30", "2,21,31"], "1 of 3 rows DIFFER, such as (1, 20, 30)"),
        (["1,20,30", "1,20,30", "2,21,31", "3,22,32"], "1 of 4 rows DIFFER, such as (3, 22, 32)"),
    ],
)
def test_streams_are_multisets(theirs: list[str], said: str, tmp_path: Path) -> None:
    rows: list[tuple[object, ...]] = [(5, 1, 20, 30), (6, 2, 21, 31), (7, 1, 20, 30)]
    mine = write_tailrace(tmp_path / "mine", ["k", "l", "r"], rows)
    assert compare(QUESTIONS["window-join"], mine, write_flink(tmp_path / "theirs", theirs)).describe() == said


def test_timestamps_of_a_stream_are_compared_in_utc(tmp_path: Path) -> None:
    names = QUESTIONS["standing-filters"].columns
    table = pa.table({"_ts": moments(pa.array([61]).to_numpy()), "ts": moments(pa.array([61]).to_numpy())})
    table = table.append_column(names[1], pa.array([7])).append_column(names[2], pa.array([99]))
    (tmp_path / "mine" / "0").mkdir(parents=True)
    pq.write_table(table, tmp_path / "mine" / "0" / "part.parquet")
    theirs = write_flink(tmp_path / "theirs", [f'"{SECOND.format(1, 1)}",7,99'])
    assert compare(QUESTIONS["standing-filters"], tmp_path / "mine", theirs).describe() == "1 rows agree"


# At second 60 segments 1 and 2 have rows, at 120 segment 1 has others, and segment 2 the same as before.
TUMBLING: list[tuple[object, ...]] = [
    (60, "+", 1, 2, 50.0),
    (60, "+", 2, 1, 30.0),
    (120, "-", 1, 2, 50.0),
    (120, "+", 1, 3, 40.0),
    (180, "-", 1, 3, 40.0),
]


def tumbling_rows(third: str = "1,30.0") -> list[str]:
    ends = {minute: SECOND.format(minute, 0) for minute in range(5)}
    first = [f"1,{ends[0]},1,9.0"]  # ends with the first instant
    second = [f"1,{ends[1]},2,50.0", f"2,{ends[1]},1,30.0", f"1,{ends[2]},3,40.0", f"2,{ends[2]},{third}"]
    # The window after the last slot was not answered by Tailrace.
    return [*first, *second, f"2,{ends[3]},1,30.0", f"2,{ends[4]},1,30.0"]


def test_windows_are_compared_at_their_ends_for_all_segments(tmp_path: Path) -> None:
    mine = write_tailrace(tmp_path / "mine", ["seg", "n", "speed"], TUMBLING)
    found = compare(QUESTIONS["tumbling"], mine, write_flink(tmp_path / "theirs", tumbling_rows()))
    assert (found.rows, found.differing) == (6, 0)
    wrong = compare(QUESTIONS["tumbling"], mine, write_flink(tmp_path / "wrong", tumbling_rows("1,31.0")))
    assert (wrong.rows, wrong.differing) == (6, 1)
    assert "31.0" in wrong.example
    lines = [line for line in tumbling_rows() if line != f"2,{SECOND.format(3, 0)},1,30.0"]
    lines.append(f"1,{SECOND.format(3, 0)},3,40.0")
    lost = compare(QUESTIONS["tumbling"], mine, write_flink(tmp_path / "lost", lines))
    assert lost.differing == 2  # one is missing, one should have left


def test_arrivals_are_compared_with_the_relation_at_their_moment(tmp_path: Path) -> None:
    changes: list[tuple[object, ...]] = [
        (1, "+", 7, 50.0),
        (3, "-", 7, 50.0),
        (3, "+", 7, 40.0),
        (5, "-", 7, 40.0),
        (9, "+", 7, 60.0),
    ]
    mine = write_tailrace(tmp_path / "mine", ["seg", "speed"], changes)
    # Flink gives a row for each arrival: two at second 3.
    rows = [(1, 50.0), (2, 50.0), (3, 40.0), (3, 40.0), (9, 60.0)]
    theirs = write_flink(tmp_path / "theirs", [f"7,{SECOND.format(0, at)},{speed}" for at, speed in rows])
    found = compare(QUESTIONS["sliding-average"], mine, theirs)
    assert (found.rows, found.differing) == (4, 0)
    wrong = write_flink(tmp_path / "wrong", [f"7,{SECOND.format(0, at)},50.0" for at in (2, 3, 6)])
    assert compare(QUESTIONS["sliding-average"], mine, wrong).differing == 2


def test_relations_are_compared_at_the_end(tmp_path: Path) -> None:
    changes: list[tuple[object, ...]] = [(1, "+", 7, 1), (2, "-", 7, 1), (2, "+", 7, 2), (2, "+", 8, 1)]
    mine = write_tailrace(tmp_path / "mine", ["seg", "n"], changes)
    theirs = tmp_path / "theirs"
    theirs.write_text("1> +I[8, 1]\n2> +I[7, 5]\nWARN [] - slow\n2> -U[7, 5]\n2> +U[7, 2]\n")
    assert compare(QUESTIONS["latest-per-vehicle"], mine, theirs).describe() == "2 rows agree"
    theirs.write_text("1> +I[8, 1]\n2> +I[7, 3]\n")
    assert compare(QUESTIONS["latest-per-vehicle"], mine, theirs).differing == 2
