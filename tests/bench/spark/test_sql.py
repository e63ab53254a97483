"""The SQL bench: that its queries are understood and run over full states of the size that is said."""

from __future__ import annotations

from pathlib import Path

import pytest

from tailrace.bench.spark import sql, state


def test_every_case_has_a_line() -> None:
    found = sql.lines(200, 1000, 100, 1, lambda text: None)
    assert {line.line for line in found} == {case.line for case in sql.CASES}
    assert [line.beside for line in found if not line.value] == []


@pytest.mark.parametrize("case", sql.CASES, ids=lambda case: case.line)
def test_a_full_state_holds_few_rows_of_a_key(case: sql.SqlCase, tmp_path: Path) -> None:
    standing = sql.FullState(case, 2000, 100, str(tmp_path))
    standing.fill(500)
    assert standing.keys * case.rows_a_key * len(case.streams) <= 2000
    rows, to = standing.next_rows(state.TICKS_A_BATCH)
    assert sum(map(len, rows.values())) == 100
    assert [each["batch"] > 0 for each in standing.time_batches(2)] == [True, True]
    assert to == standing.tick - 2 * state.TICKS_A_BATCH - 1
