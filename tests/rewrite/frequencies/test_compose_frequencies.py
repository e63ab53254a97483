"""Composing frequencies: samples of samples, and jumping windows that are only sampled."""

from tailrace.logical.nodes import Append, Distinct, JumpWindow
from tailrace.logical.plan import Plan
from tailrace.logical.windows import ONE_TUPLE, Every
from tailrace.rewrite.frequencies.compose_frequencies import compose_frequencies
from tests.rewrite.build import S, aggregate, check, project, sample, select, unchanged


def test_every_third_of_every_tenth() -> None:
    check(
        compose_frequencies,
        sample(sample(S, 10, "tuples", 0), 3, "tuples", 0),
        """
        frequency every 3 TUPLES by k
        └─ frequency every 10 TUPLES by k
           └─ stream S(k INT, v INT)
        """,
        """
        frequency every 30 TUPLES by k
        └─ stream S(k INT, v INT)
        """,
    )


def test_slots_made_up_of_whole_slots() -> None:
    assert compose_frequencies(sample(sample(S, 10, "ticks"), 30, "ticks")) == sample(S, 30, "ticks")
    assert compose_frequencies(sample(sample(S, 30, "ticks"), 10, "ticks")) == sample(S, 30, "ticks")
    three = sample(sample(sample(S, 2, "ticks", 1, 0), 4, "ticks", 0, 1), 8, "ticks", 1, 0)
    assert compose_frequencies(three) == sample(S, 8, "ticks", 1, 0)


def test_every_tuple_is_no_sample() -> None:
    assert compose_frequencies(sample(S, 1, "tuples", 0)) == S


def test_samples_that_do_not_compose() -> None:
    unchanged(
        compose_frequencies,
        sample(sample(S, 10, "ticks"), 15, "ticks"),
        sample(sample(S, 10, "tuples"), 10, "ticks"),
        sample(sample(S, 10, "ticks"), 10, "tuples"),
        sample(sample(S, 10, "tuples"), 2, "tuples", 0),
        sample(sample(S, 10, "tuples", 0), 2, "tuples"),
        sample(select(sample(S, 10, "tuples"), "v > 1"), 2, "tuples"),
        sample(S, 1, "ticks"),
    )


def jump(frequency: Every, *partition: int) -> JumpWindow:
    return JumpWindow(S, Every(60, "ticks"), frequency, partition)


def test_only_what_is_sampled_is_evaluated() -> None:
    check(
        compose_frequencies,
        sample(Append(project(aggregate(jump(Every(2, "tuples")), [], "v"), "sum0 / n")), 10),
        """
        frequency every 10 TUPLES
        └─ append each step's result
           └─ project sum0 / n AS x0
              └─ aggregate COUNT(*), SUM(v)
                 └─ jump-window range 60 TICKS, frequency 2 TUPLES
                    └─ stream S(k INT, v INT)
        """,
        """
        append each step's result
        └─ project sum0 / n AS x0
           └─ aggregate COUNT(*), SUM(v)
              └─ jump-window range 60 TICKS, frequency 20 TUPLES
                 └─ stream S(k INT, v INT)
        """,
    )


def test_steps_that_may_give_several_rows_or_none() -> None:
    def sampled(steps: Plan) -> Plan:
        return sample(Append(steps), 10)

    unchanged(
        compose_frequencies,
        sampled(jump(ONE_TUPLE)),
        sampled(aggregate(jump(ONE_TUPLE), ["k"])),
        sampled(select(aggregate(jump(ONE_TUPLE), []), "n > 1")),
        sampled(Distinct(jump(ONE_TUPLE))),
        sampled(aggregate(jump(ONE_TUPLE, 0), [])),
        sampled(aggregate(jump(Every(5, "ticks")), [])),
        sample(Append(aggregate(jump(ONE_TUPLE), [])), 10, "ticks"),
        sample(Append(aggregate(jump(ONE_TUPLE), [])), 10, "tuples", 0),
    )


def test_every_nth_step_of_each_substream() -> None:
    """CSQL §8's optimisation of Query 3, for a window that has the sample's substreams."""
    steps = project(aggregate(jump(Every(2, "tuples"), 0), ["k"], "v"), "sum0", "k")
    found = compose_frequencies(sample(Append(steps), 5, "tuples", 1))
    assert found == Append(project(aggregate(jump(Every(10, "tuples"), 0), ["k"], "v"), "sum0", "k"))
    unchanged(
        compose_frequencies,
        sample(Append(aggregate(jump(ONE_TUPLE), ["k"])), 10, "tuples", 0),
        sample(Append(aggregate(jump(ONE_TUPLE, 0), ["k", "v"])), 10, "tuples", 0),
        sample(Append(aggregate(jump(ONE_TUPLE, 0), ["k"])), 10, "tuples"),
        sample(Append(aggregate(jump(ONE_TUPLE, 0, 1), ["k"])), 10, "tuples", 0),
        sample(Append(aggregate(jump(ONE_TUPLE, 0), ["k"])), 10, "tuples", 0, 1),
    )
