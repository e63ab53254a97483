"""SQL: the cost of a batch for window functions, top-n, sessions and joins of SQL, with a small state and a large one.

As `state` does, in this process: loading, running and saving a batch of 10,000 rows. A query that is not understood
gets a line that says why, with the figure 0.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from tailrace.bench.report.lines import BenchLine, Say
from tailrace.bench.spark.state import BATCH, TURNS, Case, FullWindows, measure_cases
from tailrace.columnar.delta import Delta, elements
from tailrace.engine.pipeline import PlanningSession, compile_script
from tailrace.errors import ScriptError, Source

STREAM = "CREATE STREAM {name} (ts BIGINT, k INT, v INT) TIMESTAMP BY ts;"


@dataclass(frozen=True)
class SqlCase(Case):
    """A query over what the last `{ticks}` instants hold; `rows_a_key` are the rows of one key in a full state.

    With so few rows a key, a batch changes about as much with a large state as with a small one.
    """

    rows_a_key: int = 1


JOINED = "SELECT {columns} FROM L [RANGE {{ticks}}] {join} R [RANGE {{ticks}}] ON L.k = R.k"
RANKED = "SELECT k, v, {rank} OVER (PARTITION BY k ORDER BY v DESC, ts) AS n FROM S [RANGE {{ticks}}]"
CASES = [
    SqlCase(
        "over, running",
        "SELECT k, v, SUM(v) OVER (PARTITION BY k ORDER BY ts ROWS 10 PRECEDING) AS total FROM S",
        rows_a_key=11,
    ),
    SqlCase("over, general", RANKED.format(rank="RANK()"), rows_a_key=10),
    SqlCase("top-n", f"SELECT k, v FROM ({RANKED.format(rank='ROW_NUMBER()')}) WHERE n <= 3", rows_a_key=10),
    SqlCase(
        "session",
        "SELECT k, window_start, COUNT(*) AS n FROM SESSION(TABLE S PARTITION BY k, DESCRIPTOR(ts), {ticks}) "
        "GROUP BY k, window_start, window_end",
    ),
    SqlCase("semi-join", JOINED.format(columns="L.k, L.v", join="LEFT SEMI JOIN"), ("L", "R")),
    SqlCase(
        "interval join",
        "SELECT L.k, L.v AS l, R.v AS r FROM L, R WHERE L.k = R.k AND L.ts BETWEEN R.ts - {ticks} AND R.ts + {ticks}",
        ("L", "R"),
    ),
    SqlCase(
        "asof join",
        "SELECT ISTREAM(L.k, L.v AS l, R.v AS r) FROM L [NOW] ASOF JOIN R [RANGE {ticks}] "
        "ON L.k = R.k AND L.ts >= R.ts",
        ("L", "R"),
    ),
]


def compile_case(case: Case, ticks: int) -> PlanningSession:
    """The script of a case; its streams show their timestamp."""
    created = [STREAM.format(name=name) for name in case.streams]
    query = f"CREATE QUERY measured AS {case.query.format(ticks=ticks)};"
    return compile_script(Source("\n".join([*created, query]), f"{case.line}.cql"))


class FullState(FullWindows):
    """A case's plan with a full state, over streams that show their timestamp."""

    def __post_init__(self) -> None:
        super().__post_init__()
        assert isinstance(self.case, SqlCase)
        self.keys = max(self.held // len(self.case.streams) // self.case.rows_a_key, 1)

    def compile_query(self) -> PlanningSession:
        return compile_case(self.case, self.ticks - 1)

    def next_rows(self, ticks: int) -> tuple[dict[str, Delta], int]:
        rows = ticks * self.a_tick
        instants = self.tick + np.arange(rows) // self.a_tick
        self.tick += ticks
        stamps = pa.array(instants.astype(np.int64))
        return {name: elements(instants, [stamps, *self.columns(rows)]) for name in self.case.streams}, self.tick - 1


def refusal(case: Case) -> str | None:
    """Why a case's query is not understood; None if it is."""
    try:
        compile_case(case, 10)
    except ScriptError as problem:
        return problem.problems[0].message
    return None


def measure(quick: bool, say: Say) -> list[BenchLine]:
    """Each case with the small and with the large state."""
    small, large = (10_000, 100_000) if quick else (100_000, 10_000_000)
    return lines(small, large, BATCH, TURNS, say)


def lines(small: int, large: int, batch: int, turns: int, say: Say) -> list[BenchLine]:
    """The lines of all cases, those that are not understood last."""
    refused = {case.line: why for case in CASES if (why := refusal(case))}
    standing = [case for case in CASES if case.line not in refused]
    found = measure_cases(standing, FullState, (small, large), batch, turns, say)
    return [*found, *(BenchLine(name, 0.0, "s", f"refused: {why}", 0.0, 0.0) for name, why in refused.items())]
