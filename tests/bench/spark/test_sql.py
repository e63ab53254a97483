"""The SQL bench: which of its queries are understood, and that they run over full states of the size that is said."""

from __future__ import annotations

from pathlib import Path

import pytest

from tailrace.bench.spark import sql, state

# Cases whose query is refused. The test fails if one starts to work: then it leaves this list.
REFUSED = {"over, running", "over, general", "top-n", "session", "semi-join", "asof join"}
ACCEPTED = [case for case in sql.CASES if case.line not in REFUSED]


def test_which_queries_are_refused() -> None:
    assert {case.line for case in sql.CASES if sql.refusal(case)} == REFUSED


def test_every_case_has_a_line() -> None:
    found = sql.lines(200, 1000, 100, 1, lambda text: None)
    assert {line.line for line in found} == {case.line for case in sql.CASES}
    assert {line.line for line in found if not line.value} == REFUSED
    assert all(line.beside.startswith("refused: ") for line in found if line.line in REFUSED)


@pytest.mark.parametrize("case", ACCEPTED, ids=lambda case: case.line)
def test_a_full_state_holds_few_rows_of_a_key(case: sql.SqlCase, tmp_path: Path) -> None:
    standing = sql.FullState(case, 2000, 100, str(tmp_path))
    standing.fill(500)
    assert standing.keys * case.rows_a_key * len(case.streams) <= 2000
    rows, to = standing.next_rows(state.TICKS_A_BATCH)
    assert sum(map(len, rows.values())) == 100
    assert [each["batch"] > 0 for each in standing.time_batches(2)] == [True, True]
    assert to == standing.tick - 2 * state.TICKS_A_BATCH - 1
