"""The window operators of SW §4 under each strategy: what comes out when a tuple comes, is taken back, or expires."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from tailrace.engine.pipeline import compile_script
from tailrace.errors import Source
from tailrace.lowering.lower import lower
from tailrace.operators.local_run import LocalRun
from tailrace.staging.expiry import insert_expiry
from tests.operators.local import arrived

STREAMS = "CREATE STREAM S (v STRING, n INT) TIMESTAMP BY ts; CREATE STREAM R (v STRING, n INT) TIMESTAMP BY ts;"
STRATEGIES = ("probing", "negative", "hybrid")
Rows = list[tuple[int, tuple[Any, ...]]]

pytestmark = pytest.mark.parametrize("strategy", STRATEGIES)


def log(query: str, strategy: str, last: int, **inputs: Rows) -> list[str]:
    """The changelog, instant by instant, of a query that is decided instant by instant: `8 + a`."""
    compiled = compile_script(Source(f"{STREAMS} CREATE QUERY q AS {query};"))
    plan = insert_expiry(lower({"q": compiled.final_plans["q"]}), {"q": strategy})
    sources: Mapping[str, Any] = {source.name: source for source in plan.sources}
    run, found = LocalRun(plan), []
    for instant in range(last + 1):
        now = {name: [row for row in rows if row[0] == instant] for name, rows in inputs.items()}
        out = run.batch({name: arrived(sources[name], rows) for name, rows in now.items() if rows}, instant)["q"]
        columns = [column.to_pylist() for column in out.columns]
        for place, weight in enumerate(out.weight.tolist()):
            assert out.start[place] == instant
            values = " ".join(str(column[place]) for column in columns)
            found += [f"{instant} {'+' if weight > 0 else '-'} {values}"] * abs(weight)
    return sorted(found, key=lambda line: (int(line.split()[0]), line.split()[1] == "+", line))


def rows(text: str) -> Rows:
    """`2 a 5` is tuple (a, 5) at instant 2."""
    words = [part.split() for part in text.split(",")]
    return [(int(instant), (value, int(number))) for instant, value, number in words]


# Figure 4: which tuples come out, by which came in ---------------------------------------------------------


def test_case_1_a_new_tuple_gives_a_tuple(strategy: str) -> None:
    assert log("SELECT DISTINCT v FROM S [RANGE 5]", strategy, 3, S=rows("2 a 1")) == ["2 + a"]


def test_case_2_a_new_tuple_takes_one_back(strategy: str) -> None:
    """W-MINUS: a tuple that comes on the right makes a reported tuple of the left invalid (Q2 of §2.3)."""
    query = "SELECT v FROM S [RANGE 9] EXCEPT SELECT v FROM R [RANGE 9]"
    assert log(query, strategy, 4, S=rows("1 a 1"), R=rows("3 a 1")) == ["1 + a", "3 - a"]


def test_case_3_a_tuple_that_expires_gives_a_tuple(strategy: str) -> None:
    """W-MINUS: with the last of the right, the left is there again; an aggregate has a new value."""
    query = "SELECT v FROM S [RANGE 9] EXCEPT SELECT v FROM R [RANGE 2]"
    assert log(query, strategy, 5, S=rows("2 a 1"), R=rows("1 a 1")) == ["4 + a"]
    total = log("SELECT SUM(n) FROM S [RANGE 2]", strategy, 4, S=rows("1 a 5, 2 b 7"))
    assert total[-2:] == ["4 - 12", "4 + 7"]


def test_case_4_a_tuple_that_expires_takes_one_back(strategy: str) -> None:
    query = "SELECT S.n, R.n FROM S [RANGE 4], R [RANGE 4] WHERE S.v = R.v"
    assert log(query, strategy, 9, S=rows("1 a 1"), R=rows("3 a 2")) == ["3 + 1 2", "6 - 1 2"]


# W-DISTINCT ------------------------------------------------------------------------------------------------

# Stream S1 of Figures 2(b) and 5: the tuples that the text names, and e.
FIGURE_5 = "2 a 0, 4 d 0, 5 e 0, 6 a 0, 7 d 0, 8 a 0"


def test_figure_5(strategy: str) -> None:
    """A window of six ticks is [RANGE 5]. When ⟨a,2⟩ expires at 8, and ⟨d,4⟩ at 10, another one is there, so that the
    relation does not change; e is over at 11, d with ⟨d,7⟩ at 13, a with ⟨a,8⟩, which lasts longest, at 14."""
    found = log("SELECT DISTINCT v FROM S [RANGE 5]", strategy, 15, S=rows(FIGURE_5))
    assert found == ["2 + a", "4 + d", "5 + e", "11 - e", "13 - d", "14 - a"]


def test_the_count_of_distinct_tuples(strategy: str) -> None:
    """Q3 of §2.3 over the same stream."""
    found = log("SELECT COUNT(*) FROM (SELECT DISTINCT v FROM S [RANGE 5]) AS d", strategy, 15, S=rows(FIGURE_5))
    assert [line for line in found if "+" in line] == ["0 + 0", "2 + 1", "4 + 2", "5 + 3", "11 + 2", "13 + 1", "14 + 0"]


def test_what_was_taken_back_is_replaced(strategy: str) -> None:
    """§4.5: a reported tuple that becomes invalid is replaced by a duplicate; for one not reported nothing is sent."""
    query = "SELECT DISTINCT v FROM (SELECT v, n FROM S [RANGE 9] EXCEPT SELECT v, n FROM R [RANGE 9]) AS d"
    found = log(query, strategy, 6, S=rows("1 a 1, 2 a 2"), R=rows("3 a 1, 5 a 2"))
    assert found == ["1 + a", "5 - a"]


# W-Aggregate and W-Group-By --------------------------------------------------------------------------------


def test_every_change_gives_a_value_and_an_empty_window_null(strategy: str) -> None:
    found = log("SELECT SUM(n), MEDIAN(n) FROM S [RANGE 3]", strategy, 9, S=rows("2 a 4, 4 b 6"))
    told = ["0 + None None", "2 - None None", "2 + 4 4.0", "4 - 4 4.0", "4 + 10 5.0"]
    assert found == [*told, "6 - 10 5.0", "6 + 6 6.0", "8 - 6 6.0", "8 + None None"]


def test_a_group_that_ends_is_no_more(strategy: str) -> None:
    """The paper's NULL for a group whose tuples have all expired is the deletion of its tuple."""
    found = log("SELECT v, SUM(n), MAX(n) FROM S [RANGE 2] GROUP BY v", strategy, 6, S=rows("1 a 5, 2 a 3, 2 b 1"))
    expected = ["1 + a 5 5", "2 - a 5 5", "2 + a 8 5", "2 + b 1 1", "4 - a 8 5", "4 + a 3 3", "5 - a 3 3", "5 - b 1 1"]
    assert found == expected


def test_aggregates_of_invalid_tuples(strategy: str) -> None:
    """Q2 of §2.3: the greatest of what is left when W-MINUS takes tuples back and gives them again."""
    query = """SELECT v, MAX(n) FROM (SELECT v, n FROM S [RANGE 9] EXCEPT ALL SELECT v, n FROM R [RANGE 2]) AS d
               GROUP BY v"""
    found = log(query, strategy, 8, S=rows("1 a 5, 2 a 9"), R=rows("3 a 9"))
    assert found == ["1 + a 5", "2 - a 5", "2 + a 9", "3 - a 9", "3 + a 5", "6 - a 5", "6 + a 9"]


# Set operations and joins ----------------------------------------------------------------------------------


def test_minus_with_duplicates(strategy: str) -> None:
    query = "SELECT v FROM S [RANGE 5] EXCEPT ALL SELECT v FROM R [RANGE 2]"
    found = log(query, strategy, 9, S=rows("1 a 0, 2 a 0, 3 a 0"), R=rows("2 a 0, 4 a 0"))
    # At 7 both sides lose one, so that nothing changes.
    assert found == ["1 + a", "3 + a", "4 - a", "5 + a", "8 - a", "9 - a"]


def test_intersect(strategy: str) -> None:
    query = "SELECT v FROM S [RANGE 3] INTERSECT SELECT v FROM R [RANGE 3]"
    assert log(query, strategy, 9, S=rows("1 a 0, 3 a 0"), R=rows("2 a 0")) == ["2 + a", "6 - a"]
    again = log(query, strategy, 9, S=rows("1 a 0"), R=rows("4 a 0, 5 b 0"))
    assert again == ["4 + a", "5 - a"]


def test_union(strategy: str) -> None:
    query = "SELECT v FROM S [RANGE 3] UNION SELECT v FROM R [RANGE 1]"
    assert log(query, strategy, 9, S=rows("1 a 0"), R=rows("4 a 0, 7 b 0")) == ["1 + a", "6 - a", "7 + b", "9 - b"]


def test_join_of_five_ticks(strategy: str) -> None:
    """Figure 6: a window of five clock ticks. A pair is there from its later tuple until its earlier one expires."""
    query = "SELECT S.v, S.n, R.n FROM S [RANGE 4], R [RANGE 4] WHERE S.v = R.v"
    found = log(query, strategy, 14, S=rows("1 a 1, 4 b 4, 8 a 8"), R=rows("2 b 2, 3 a 3, 6 a 6"))
    assert found == ["3 + a 1 3", "4 + b 4 2", "6 - a 1 3", "7 - b 4 2", "8 + a 8 6", "11 - a 8 6"]


def test_joins_of_invalid_tuples(strategy: str) -> None:
    """§4.5: an invalid tuple makes invalid what it was joined to."""
    query = """SELECT R.v, R.n FROM (SELECT v FROM S [RANGE 9] EXCEPT SELECT v FROM S [RANGE 9] WHERE n = 0) AS d,
               R [RANGE 9] WHERE d.v = R.v"""
    assert log(query, strategy, 6, S=rows("1 a 1, 4 a 0"), R=rows("2 a 7")) == ["2 + a 7", "4 - a 7"]
