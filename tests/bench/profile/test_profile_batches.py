"""The profile's inputs and its runs."""

from __future__ import annotations

from pathlib import Path

import pytest

from tailrace.bench.profile.profile_batches import LINES, PARTS, ProfileSize, drop_first, make_files, measure_lines
from tailrace.bench.report.breakdown import OTHER
from tailrace.errors import RunError


def test_files_follow_each_other_in_time_and_age(tmp_path: Path) -> None:
    make_files(tmp_path, ProfileSize(1000, 3, 0.0, 0.0), ["S", "L"])
    files = sorted((tmp_path / "S").iterdir())
    texts = [file.read_text(encoding="utf-8").splitlines() for file in files]
    assert [len(lines) for lines in texts] == [333, 333, 334]
    moments = [line.split(",")[0] for lines in texts for line in lines]
    assert moments == sorted(moments)
    assert [file.stat().st_mtime for file in files] == sorted({file.stat().st_mtime for file in files})
    assert len(list((tmp_path / "L").iterdir())) == 3


def test_a_run_without_steady_batches_is_refused() -> None:
    with pytest.raises(RunError, match="filter: only 0 batches were seen"):
        drop_first([], "filter")


@pytest.mark.spark
@pytest.mark.slow
@pytest.mark.parametrize("line", ["window-join", "small-batch"])
def test_the_parts_explain_the_batch(line: str) -> None:
    assert set(PARTS) == {*LINES, "small-batch"}
    (found,) = measure_lines([line], True, lambda text: None)
    (other,) = found.groups[OTHER]
    assert abs(other.wall) < 0.1 * found.wall
    assert {"Structured Streaming", "driver", "scan", "operators", "state"} <= found.groups.keys()
