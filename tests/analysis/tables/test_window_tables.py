"""TUMBLE, HOP, CUMULATE and SESSION: what they mean in each spelling, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from tailrace.analysis.program import Program, analyse
from tailrace.errors import ScriptError, Source
from tailrace.language.script import parse_script
from tailrace.logical.plan import Kind, walk
from tailrace.logical.queries import QueryDefinition
from tailrace.logical.time.window_tables import AssignWindows
from tailrace.testing import evaluate_script
from tailrace.types import BIGINT, TIMESTAMP, Type

SOURCES = """
CREATE STREAM Bid (ts BIGINT, auction INT, bidder INT, price INT) TIMESTAMP BY ts;
CREATE STREAM Hit (page INT) TIMESTAMP BY ms IN MILLISECONDS;
CREATE STREAM Loose (k INT) TIMESTAMP BY ts;
CREATE RELATION Names (bidder INT, name STRING);
"""
ROWS = {"Bid": "1 1 1 10 @1\n3 2 1 20 @3\n5 1 2 30 @5\n11 1 1 5 @11\n14 2 2 7 @14\n26 1 1 9 @26"}
LAST = 26  # the newest instant of Bid: windows that are finished later are left out
COUNTED = "1 2 0 10 @10\n2 1 0 10 @10\n1 1 10 20 @20\n2 1 10 20 @20"


def program(text: str, folder: str | None = None) -> Program:
    return analyse(parse_script(Source(SOURCES + text)), folder)


def define_query(query: str) -> QueryDefinition:
    return program(f"CREATE QUERY q AS {query};").queries["q"]


def answer(query: str) -> str:
    return str(evaluate_script(f"{SOURCES}CREATE QUERY q AS {query};", ROWS, until=LAST)["q"])


def problem(query: str) -> tuple[str, str | None]:
    with pytest.raises(ScriptError) as caught:
        define_query(query)
    (found,) = caught.value.problems
    return found.message, found.hint


@pytest.mark.parametrize(
    "source",
    [
        "TUMBLE(TABLE Bid, DESCRIPTOR(ts), INTERVAL '10' SECOND)",
        "TABLE(TUMBLE(TABLE Bid, DESCRIPTOR(ts), INTERVAL '10' SECONDS))",
        "TUMBLE(Bid, ts, INTERVAL '10 seconds')",
        "TUMBLE(DATA => TABLE Bid, TIMECOL => DESCRIPTOR(ts), SIZE => '10 s')",
        "Bid [TUMBLE 10 SECONDS]",
        "HOP(TABLE Bid, DESCRIPTOR(ts), 10, 10)",
        "Bid [HOP 10 SEC EVERY 10]",
        "CUMULATE(TABLE Bid, DESCRIPTOR(ts), 10, 10)",
    ],
)
def test_spellings_of_one_window(source: str) -> None:
    items = "auction, COUNT(*) AS n, window_start, window_end"
    query = f"SELECT {items} FROM {source} GROUP BY auction, window_start, window_end"
    assert answer(query) == COUNTED
    found = define_query(query)
    assert found.kind is Kind.STREAM
    assert define_query(found.expanded_text()).plan == found.plan


@pytest.mark.parametrize(
    "query",
    [
        "SELECT auction, COUNT(*), TUMBLE_START(ts, INTERVAL '10' SECOND), TUMBLE_END(ts, INTERVAL '10' SECOND)"
        " FROM Bid GROUP BY auction, TUMBLE(ts, INTERVAL '10' SECOND)",
        "SELECT auction, COUNT(*) AS n, window.start, window.end FROM Bid GROUP BY window(ts, '10 seconds'), auction",
        "SELECT B.auction, COUNT(*), window.start, window.end FROM Bid B"
        " GROUP BY B.auction, window(B.ts, '10 s', '10 s')",
        "SELECT auction, COUNT(*), window_start, window_end FROM Bid [TUMBLE 10] GROUP BY auction",
        "WITH w AS (SELECT * FROM TUMBLE(Bid, ts, 10))"
        " SELECT auction, COUNT(*), window_start, window_end FROM w GROUP BY 1, 3, 4",
        "SELECT a, COUNT(*), s, e"
        " FROM (SELECT auction AS a, window_start AS s, window_end AS e FROM TUMBLE(Bid, ts, 10)) AS w"
        " GROUP BY a, s, e",
    ],
)
def test_groups_of_finished_windows(query: str) -> None:
    assert answer(query) == COUNTED


def test_sessions_of_each_key() -> None:
    expected = "1 2 1 8 @8\n2 1 5 10 @10\n1 1 11 16 @16\n2 1 14 19 @19"
    for query in (
        "SELECT bidder, COUNT(*), window_start, window_end"
        " FROM SESSION(TABLE Bid PARTITION BY bidder, DESCRIPTOR(ts), 5) GROUP BY bidder, window_start, window_end",
        "SELECT bidder, COUNT(*), window_start, window_end FROM Bid [PARTITION BY bidder SESSION 5] GROUP BY bidder",
        "SELECT bidder, COUNT(*), session_window.start, session_window.end FROM Bid"
        " GROUP BY session_window(ts, '5 seconds'), bidder",
        "SELECT bidder, COUNT(*), SESSION_START(ts, 5), SESSION_END(ts, 5) FROM Bid GROUP BY bidder, SESSION(ts, 5)",
    ):
        assert answer(query) == expected


def test_where_comes_before_sessions() -> None:
    """Without the bid of 20 at 3, those of 1 and 5 are 4 apart, which is more than the gap."""
    query = "SELECT COUNT(*) AS n, session_window.end AS e FROM Bid WHERE price <> 20"
    assert answer(f"{query} GROUP BY session_window(ts, '3 seconds')") == "1 4 @4\n1 8 @8\n2 17 @17"


def test_an_aggregate_in_brackets_is_per_window() -> None:
    assert answer("SELECT COUNT(*) AS n FROM Bid [TUMBLE 10]") == "3 @10\n2 @20"
    found = define_query("SELECT COUNT(*) AS n FROM Bid [TUMBLE 10]")
    assert (
        found.expanded_text() == "SELECT RSTREAM(COUNT(*) AS n) FROM Bid [TUMBLE 10] GROUP BY window_start, window_end"
    )
    assert [note.text for note in found.notes] == [
        "aggregates are per window: window_start and window_end join GROUP BY",
        "each window is there when it is finished: it gets RSTREAM",
    ]


def test_windows_that_nobody_groups_by_are_a_stream() -> None:
    assert answer("SELECT price, window_end FROM TUMBLE(Bid, ts, 10) WHERE price > 9") == "10 10 @1\n20 10 @3\n30 10 @5"
    found = define_query("SELECT COUNT(*) AS n FROM TUMBLE(Bid, ts, 10) GROUP BY auction")
    assert found.kind is Kind.RELATION
    assert [note.text for note in found.notes] == ["TUMBLE is not grouped by its windows: it gets [RANGE UNBOUNDED]"]


@pytest.mark.parametrize(
    "query",
    [
        "SELECT COUNT(*) AS n, window_end FROM TUMBLE(Bid, ts, 10) GROUP BY window_end EMIT CHANGES",
        "SELECT COUNT(*) AS n, window_end FROM TUMBLE(Bid, ts, 10) [RANGE UNBOUNDED] GROUP BY window_end",
        "SELECT COUNT(*) AS n, window_end FROM (SELECT * FROM TUMBLE(Bid, ts, 10) [ROWS UNBOUNDED]) AS w"
        " GROUP BY window_end",
        "SELECT COUNT(*) AS n, window_end FROM Bid [TUMBLE 10] EMIT CHANGES",
    ],
)
def test_changes_before_a_window_ends(query: str) -> None:
    assert answer(query).startswith("+ 1 10 @1\n- 1 10 @3\n+ 2 10 @3\n- 2 10 @5\n+ 3 10 @5\n+ 1 20 @11")


def test_joins_of_windows_and_views_of_them() -> None:
    windows = "(SELECT * FROM TUMBLE(Bid, ts, 10))"
    on = "L.bidder = R.bidder AND L.window_start = R.window_start AND L.window_end = R.window_end"
    query = f"SELECT L.price, R.price FROM {windows} AS L JOIN {windows} AS R ON {on} WHERE L.price < R.price"
    assert answer(query) == "10 20 @10"
    best = "WITH c AS (SELECT auction, COUNT(*) AS n FROM Bid [TUMBLE 10] GROUP BY auction, window_start, window_end)"
    assert answer(f"{best} SELECT n FROM c") == "2 @10\n1 @10\n1 @20\n1 @20"
    most = "WITH c AS (SELECT auction, COUNT(*) AS n, window_end FROM Bid [TUMBLE 10] GROUP BY auction)"
    assert answer(f"{most} SELECT MAX(n), window_end FROM c GROUP BY window_end") == "2 10 @10\n1 20 @20"


def test_windows_of_a_subquery_follow_a_copy_of_its_timestamp() -> None:
    inside = "(SELECT price, ts AS t FROM Bid WHERE price > 5)"
    assert (
        answer(f"SELECT COUNT(*) AS n FROM TUMBLE({inside}, DESCRIPTOR(t), 10) GROUP BY window_end") == "3 @10\n1 @20"
    )


def type_in(text: str, folder: str | None = None) -> Type:
    plan = program(f"{text}; CREATE QUERY q AS SELECT * FROM S [TUMBLE 5];", folder).queries["q"].plan
    return next(node.type for node in walk(plan) if isinstance(node, AssignWindows))


def test_the_type_of_windows_is_that_of_the_timestamps(tmp_path: Path) -> None:
    assert type_in("CREATE STREAM S (ts INT) TIMESTAMP BY ts") == BIGINT
    assert type_in("CREATE STREAM S (at DATE) TIMESTAMP BY at") == TIMESTAMP
    assert type_in("CREATE STREAM S (k INT) TIMESTAMP BY ms IN SECONDS") == TIMESTAMP
    assert type_in("CREATE STREAM S (k INT)") == TIMESTAMP
    assert type_in("SET origin = '2024-03-01'; CREATE STREAM S (k INT) TIMESTAMP BY ts") == TIMESTAMP
    for name, stamp, type in (("a", "17", BIGINT), ("b", "2024-03-01 10:00:00", TIMESTAMP)):
        (tmp_path / name).write_text(f"ts,k\n,0\n{stamp},1\n")
        text = f"CREATE STREAM S (k INT) USING csv OPTIONS (path '{name}') TIMESTAMP BY ts"
        assert type_in(text, str(tmp_path)) == type


@pytest.mark.parametrize(
    ("query", "message", "hint"),
    [
        (
            "SELECT k FROM Loose [TUMBLE 5]",
            "whether the timestamps here count ticks is not known before there are rows",
            "list the timestamp's column in CREATE STREAM, with its type",
        ),
        (
            "SELECT price FROM TUMBLE(Bid, price, 10)",
            "price is not the timestamp of Bid, and windows follow that",
            "DESCRIPTOR(ts)",
        ),
        (
            "SELECT n FROM TUMBLE((SELECT RSTREAM(ts, 1 AS n) FROM Bid [RANGE 5]), ts, 10)",
            "ts is not the timestamp of the subquery, and windows follow that",
            "windows in brackets name no column: the subquery [TUMBLE …]",
        ),
        (
            "SELECT name FROM TUMBLE(Names, bidder, 10)",
            "Names is a relation, and TUMBLE takes a stream",
            "make it a stream first: TUMBLE(TABLE (SELECT ISTREAM(*) FROM …), …)",
        ),
        (
            "SELECT COUNT(*) FROM Bid [SESSION 5] EMIT CHANGES",
            "EMIT CHANGES cannot be used with sessions: an element may still join two of them",
            "leave EMIT CHANGES out: a session is shown when it is finished",
        ),
        (
            "SELECT price FROM SESSION(Bid, ts, 5) [RANGE 5]",
            "SESSION gives finished windows, and takes no other window",
            "leave it out",
        ),
        (
            "SELECT price FROM CUMULATE(Bid, ts, 4, 10)",
            "the length of CUMULATE is not a whole number of steps",
            "the last of its steps ends where the window does",
        ),
        (
            "SELECT price FROM Bid [HOP 1 DAY EVERY 1 SECOND]",
            "an element would be in 86,400 windows, and 10,000 are the most",
            "make the step longer; [RANGE …] moves at every tick",
        ),
        ("SELECT price FROM Bid [TUMBLE 0]", "a window of length 0 would hold nothing", "write a length of time"),
        (
            "SELECT page FROM Hit [TUMBLE 1500 MS]",
            "1500 MILLISECONDS is not a whole number of ticks",
            "a tick is 1 second; SET tick = '…' makes it finer",
        ),
        (
            "SELECT COUNT(*) FROM Bid GROUP BY session_window(ts, '5 s'), bidder + 1",
            "sessions are per key, and the other keys of GROUP BY must be columns",
            "compute it in a subquery in FROM",
        ),
        (
            "SELECT COUNT(*) FROM Bid a, Bid b GROUP BY window(a.ts, '5 s')",
            "window in GROUP BY needs one stream without a window in FROM",
            "write the window in FROM: TUMBLE(TABLE s, DESCRIPTOR(ts), INTERVAL '1' MINUTE)",
        ),
        (
            "SELECT COUNT(*) FROM Bid GROUP BY window(ts, '1 month')",
            "month is no unit of a window's length",
            "use DAYS or a shorter unit",
        ),
        (
            "SELECT price FROM Bid [TUMBLE 5, FREQUENCY 2 TUPLES]",
            "expected ] at the end of the window, found ,",
            None,
        ),
    ],
)
def test_what_is_refused(query: str, message: str, hint: str | None) -> None:
    assert problem(query) == (message, hint)


def test_a_range_that_slides_by_its_size_is_told_to_overlap() -> None:
    (note,) = define_query("SELECT COUNT(*) FROM Bid [RANGE 10 SECONDS SLIDE 10 SECONDS]").notes
    assert note.text.endswith("[TUMBLE 10 SECONDS] has no overlap")


@pytest.mark.parametrize(("type", "start"), [("BIGINT", BIGINT), ("INT", BIGINT), ("TIMESTAMP", TIMESTAMP)])
def test_a_dataframe_says_the_type_of_its_timestamp(type: str, start: Type) -> None:
    frame = f"CREATE STREAM F (k INT) USING dataframe OPTIONS (timestampType '{type}') TIMESTAMP BY ts;"
    found = program(f"{frame} CREATE QUERY q AS SELECT window_start FROM F [TUMBLE 5];").queries["q"]
    assert found.plan.schema.types == (start,)
