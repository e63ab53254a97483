"""Dropping now windows: what Rstream and [NOW] undo, with a KEY Istream too, and what must stay."""

from tailrace.logical.nodes import ApplyWindow, Distinct, Scan, Union
from tailrace.logical.windows import TimeWindow
from tailrace.rewrite.rules.drop_now_windows import drop_now_windows
from tests.rewrite.build import (
    KEYED,
    R,
    S,
    T,
    check,
    dstream,
    istream,
    join,
    last,
    now,
    project,
    rstream,
    select,
    unbounded,
    unchanged,
)


def test_a_filter_needs_no_memory() -> None:
    check(
        drop_now_windows,
        rstream(project(select(now(S), "v > 65"), "k")),
        """
        r-stream
        └─ project k
           └─ select v > 65
              └─ window [NOW]
                 └─ stream S(k INT, v INT)
        """,
        """
        project k
        └─ select v > 65
           └─ stream S(k INT, v INT)
        """,
    )


def test_a_union_of_streams() -> None:
    check(
        drop_now_windows,
        rstream(Union((select(now(S), "v > 1"), now(T)))),
        """
        r-stream
        └─ union all
           ├─ select v > 1
           │  └─ window [NOW]
           │     └─ stream S(k INT, v INT)
           └─ window [NOW]
              └─ stream T(k INT, w INT)
        """,
        """
        union all
        ├─ select v > 1
        │  └─ stream S(k INT, v INT)
        └─ stream T(k INT, w INT)
        """,
    )


def test_windows_on_what_is_left() -> None:
    assert drop_now_windows(unbounded(rstream(select(now(S), "v > 1")))) == unbounded(select(S, "v > 1"))
    assert drop_now_windows(rstream(now(rstream(now(S))))) == S


def test_now_of_all_there_is_now() -> None:
    check(
        drop_now_windows,
        Distinct(now(rstream(last(S)))),
        """
        distinct
        └─ window [NOW]
           └─ r-stream
              └─ window [RANGE 30]
                 └─ stream S(k INT, v INT)
        """,
        """
        distinct
        └─ window [RANGE 30]
           └─ stream S(k INT, v INT)
        """,
    )


def test_istream_of_a_keyed_stream() -> None:
    assert drop_now_windows(istream(now(KEYED))) == KEYED
    assert drop_now_windows(istream(now(select(KEYED, "v > 1")))) == select(KEYED, "v > 1")
    swapped = project(select(now(KEYED), "v > 1"), "v", "id")
    assert drop_now_windows(istream(swapped)) == project(select(KEYED, "v > 1"), "v", "id")
    narrow = Scan(KEYED.source, (0,))
    assert drop_now_windows(istream(now(narrow))) == narrow


def test_istream_of_what_may_come_twice() -> None:
    unchanged(
        drop_now_windows,
        istream(now(S)),
        istream(project(now(KEYED), "v")),
        istream(project(now(KEYED), "id + 1", "v")),
        istream(now(Scan(KEYED.source, (1,)))),
        istream(Union((now(KEYED), now(KEYED)))),
        istream(now(istream(last(KEYED)))),
    )


def test_other_windows_and_operators() -> None:
    unchanged(
        drop_now_windows,
        rstream(last(S)),
        rstream(unbounded(S)),
        rstream(ApplyWindow(S, TimeWindow(0, slide=2))),
        dstream(now(S)),
        istream(unbounded(KEYED)),
        rstream(R),
        rstream(Distinct(now(S))),
        rstream(join(now(S), R, "c0 = c2")),
        rstream(Union((project(now(S), "k"), project(R, "k")))),
        unbounded(rstream(last(S))),
        now(istream(last(S))),
    )
