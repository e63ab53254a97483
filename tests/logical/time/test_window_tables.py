"""Window tables: when the last window is finished that has begun by the newest instant."""

from __future__ import annotations

import pytest

from tailrace.engine.pipeline import compile_script
from tailrace.errors import Source
from tailrace.logical.time.window_tables import end_of_windows
from tailrace.testing.answers import evaluate_script

DECLARED = "CREATE STREAM S (k INT, ts BIGINT) TIMESTAMP BY ts;"


@pytest.mark.parametrize(
    ("query", "end"),
    [
        ("SELECT COUNT(*) FROM S [TUMBLE 10]", 40),
        ("SELECT COUNT(*) FROM S [TUMBLE 10 OFFSET 3]", 43),
        ("SELECT COUNT(*) FROM S [HOP 30 EVERY 10]", 60),
        ("SELECT COUNT(*) FROM S [HOP 2 EVERY 10]", 37),  # the newest element is in no window
        ("SELECT COUNT(*) FROM S [CUMULATE 20 EVERY 5]", 40),
        ("SELECT COUNT(*) FROM S [PARTITION BY k SESSION 4]", 41),
        ("SELECT COUNT(*) FROM (SELECT k FROM S [TUMBLE 10] GROUP BY k) AS T [TUMBLE 100]", 100),
        ("SELECT k FROM S [RANGE 10]", 37),
        ("SELECT COUNT(*) FROM S [TUMBLE 10] EMIT CHANGES", 37),
    ],
)
def test_the_end_of_a_run(query: str, end: int) -> None:
    program = compile_script(Source(f"{DECLARED} CREATE QUERY q AS {query};")).program
    assert end_of_windows([program.queries["q"].plan], 37, 0) == end


def test_origins_move_instants_and_not_windows() -> None:
    program = compile_script(Source(f"{DECLARED} CREATE QUERY q AS SELECT COUNT(*) FROM S [TUMBLE 10];")).program
    assert end_of_windows([program.queries["q"].plan], 37, 5) == 45


def test_the_last_window_is_answered() -> None:
    script = f"{DECLARED} CREATE QUERY q AS SELECT COUNT(*) AS n FROM S [TUMBLE 10];"
    assert str(evaluate_script(script, {"S": "1 3 @3\n2 9 @9\n1 12 @12"})["q"]) == "2 @10\n1 @20"
