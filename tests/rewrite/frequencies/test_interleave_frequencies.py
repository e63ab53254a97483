"""Interleaving frequencies: selections of whole substreams, and of nothing else."""

from tailrace.logical.nodes import Append, JumpWindow
from tailrace.logical.windows import Every
from tailrace.rewrite.frequencies.interleave_frequencies import interleave_frequencies
from tests.rewrite.build import S, aggregate, check, project, sample, select, unchanged


def jump(*partition: int) -> JumpWindow:
    return JumpWindow(S, Every(5, "tuples"), Every(2, "ticks"), partition)


def test_below_a_sample() -> None:
    check(
        interleave_frequencies,
        select(sample(S, 10, "ticks", 0), "k = 1 and v > 2"),
        """
        select k = 1 AND v > 2
        └─ frequency every 10 TICKS by k
           └─ stream S(k INT, v INT)
        """,
        """
        select v > 2
        └─ frequency every 10 TICKS by k
           └─ select k = 1
              └─ stream S(k INT, v INT)
        """,
    )


def test_below_a_jumping_window() -> None:
    found = interleave_frequencies(Append(project(aggregate(select(jump(0), "k = 1"), ["k"]), "n")))
    below = JumpWindow(select(S, "k = 1"), Every(5, "tuples"), Every(2, "ticks"), (0,))
    assert found == Append(project(aggregate(below, ["k"]), "n"))


def test_where_an_empty_step_or_another_element_would_tell() -> None:
    unchanged(
        interleave_frequencies,
        select(sample(S, 10, "tuples"), "k = 1"),
        select(sample(S, 10, "tuples", 0), "v = 1"),
        Append(select(jump(), "k = 1")),
        Append(aggregate(select(jump(0), "k = 1"), [])),
    )


def test_below_samples_of_samples_at_once() -> None:
    plan = select(sample(sample(S, 2, "ticks", 0), 3, "tuples", 0), "k = 7")
    assert interleave_frequencies(plan) == sample(sample(select(S, "k = 7"), 2, "ticks", 0), 3, "tuples", 0)
