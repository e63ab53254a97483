"""Dropping single steps: windows of one tuple become the stream, or a sample of it."""

from tailrace.logical.nodes import Append, Distinct, JumpWindow
from tailrace.logical.windows import ONE_TUPLE, Every
from tailrace.rewrite.rules.drop_single_steps import drop_single_steps
from tests.rewrite.build import R, S, aggregate, check, join, project, sample, select, unchanged


def test_each_tuple_is_the_stream() -> None:
    check(
        drop_single_steps,
        Append(project(select(Distinct(JumpWindow(S, ONE_TUPLE, ONE_TUPLE)), "v > 1"), "v")),
        """
        append each step's result
        └─ project v
           └─ select v > 1
              └─ distinct
                 └─ jump-window range 1 TUPLES, frequency 1 TUPLES
                    └─ stream S(k INT, v INT)
        """,
        """
        project v
        └─ select v > 1
           └─ stream S(k INT, v INT)
        """,
    )


def test_each_fifth_is_a_sample() -> None:
    steps = JumpWindow(S, ONE_TUPLE, Every(5, "tuples"), (0,))
    assert drop_single_steps(Append(steps)) == sample(S, 5, "tuples", 0)


def test_what_is_more_than_a_stream() -> None:
    one = JumpWindow(S, ONE_TUPLE, ONE_TUPLE)
    unchanged(
        drop_single_steps,
        Append(JumpWindow(S, ONE_TUPLE, Every(5, "ticks"))),
        Append(JumpWindow(S, Every(2, "tuples"), ONE_TUPLE)),
        Append(aggregate(one, ["k"])),
        Append(join(one, R, "c0 = c2")),
    )
