"""Stem join: a member has a combination for as long as all its tuples are in that member's windows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tailrace.logical.expressions import TRUE, Call, Column, Expression
from tailrace.logical.windows import RowWindow, Sliding, TimeWindow
from tailrace.operators.families.member_sets import MemberFilter, Membership, Windows
from tailrace.operators.families.stem import RowStem, Stem
from tailrace.operators.families.stem_join import StemJoin
from tailrace.types import BOOLEAN, STRING
from tests.operators.step_through import NUMBER, TEXT, StepThrough, read_rows, show_rows

STREAM = (NUMBER, TEXT)
PLACES = ((0, 0), (0, 1), (1, 0), (1, 1))  # the columns of both stems


class JoinOfTwo:
    """Two stems of streams (k, v) by k, and the join that reads them; its rows are a member's number and both v."""

    def __init__(self, windows: Mapping[int, Sequence[Sliding]], wanted: Mapping[int, Expression]) -> None:
        readers = Membership().flow({number: MemberFilter(TRUE, 2, 0) for number in windows}, past=-1)
        joined = Membership().flow({number: MemberFilter(wanted[number], 4, 0) for number in windows}, past=-1)
        every = Windows.of(windows)
        self.rows = [isinstance(each, RowWindow) for each in next(iter(windows.values()))]
        self.stems = []
        for place, is_rows in enumerate(self.rows):
            flow = readers.for_stem(int(every.reach[place]), frozenset({0, 1, 2}))
            numbered = RowStem((*STREAM, NUMBER), f"stem {place}", 2, (0,), flow)
            self.stems.append(StepThrough(numbered if is_rows else Stem(STREAM, f"stem {place}", 2, (0,), flow)))
        moments = tuple(2 if is_rows else None for is_rows in self.rows)
        columns = ((0, 1), (1, 1))
        work = StemJoin(
            (NUMBER, TEXT, TEXT), "family", ((0,), (0,)), moments, columns, PLACES, joined.for_stem_join(every)
        )
        self.join = StepThrough(work)

    def batch(self, to: int, *texts: str) -> list[str]:
        """Each stem gets a text; a tuple for row windows has its number in the stream as a third column."""
        held = []
        for stem, is_rows, text in zip(self.stems, self.rows, texts or ("", ""), strict=True):
            rows = read_rows(text, stem.operator.types)
            held.append(stem.apply(to, [rows, rows.with_columns(rows.columns[2:])] if is_rows else [rows]))
        return show_rows(self.join.apply(to, held))


def test_each_member_has_its_own_windows() -> None:
    """Member 1 has [RANGE 5] on both streams; member 2 has [RANGE 1] on the left, so it has no a when x comes."""
    windows = {1: [TimeWindow(5), TimeWindow(5)], 2: [TimeWindow(1), TimeWindow(9)]}
    steps = JoinOfTwo(windows, {1: TRUE, 2: TRUE})
    assert steps.batch(2, "+ 7 a @1..2\n+ 8 b @2..3", "") == []
    assert steps.batch(3, "", "+ 7 x @3..4\n+ None y @3..4") == ["+ 1 a x @3..7"]
    assert steps.batch(4, "+ 7 c @4..5", "") == ["+ 1 c x @4..9", "+ 2 c x @4..6"]
    assert steps.batch(9) == []


def test_members_want_combinations_of_their_own() -> None:
    """Both members have the same windows; member 2 wants only combinations whose left v is less than the right one."""
    windows = {1: [TimeWindow(None), TimeWindow(0)], 2: [TimeWindow(None), TimeWindow(0)]}
    rising = Call("<", (Column(1, STRING), Column(3, STRING)), BOOLEAN)
    steps = JoinOfTwo(windows, {1: TRUE, 2: rising})
    assert steps.batch(3, "+ 7 b @1..2", "+ 7 a @3..4") == ["+ 1 b a @3..4"]
    assert steps.batch(5, "", "+ 7 c @5..6") == ["+ 1 b c @5..6", "+ 2 b c @5..6"]


def test_a_combination_goes_when_a_tuple_leaves_a_row_window() -> None:
    """Left windows are [ROWS 1] and [ROWS 2]: a leaves the first with tuple 2, the second with tuple 3."""
    windows = {1: [RowWindow(1), TimeWindow(None)], 2: [RowWindow(2), TimeWindow(None)]}
    steps = JoinOfTwo(windows, {1: TRUE, 2: TRUE})
    assert steps.batch(2, "+ 7 a 1 @1..2", "+ 7 x @2..3") == ["+ 1 a x @2..", "+ 2 a x @2.."]
    assert steps.batch(4, "+ 8 b 2 @4..5", "") == ["- 1 a x @4.."]
    assert steps.batch(6, "+ 7 c 3 @6..7", "") == ["+ 1 c x @6..", "+ 2 c x @6..", "- 2 a x @6.."]
