"""Splitting frequencies: a coarser sample is taken from a finer one, and composing leaves that alone."""

from tailrace.logical.nodes import Union
from tailrace.rewrite.frequencies.compose_frequencies import compose_frequencies
from tailrace.rewrite.frequencies.split_frequencies import split_frequencies
from tests.rewrite.build import S, T, sample, unchanged


def test_from_the_next_finer_one() -> None:
    tens, twenties, sixties = (sample(S, count) for count in (10, 20, 60))
    found = split_frequencies(Union((sixties, tens, twenties)))
    assert found == Union((sample(sample(tens, 2), 3), tens, sample(tens, 2)))
    assert compose_frequencies(found) == found
    assert split_frequencies(found) == found


def test_slots() -> None:
    short, long = sample(S, 10, "ticks", 0), sample(S, 30, "ticks", 0)
    found = split_frequencies(Union((short, long)))
    assert found == Union((short, sample(short, 30, "ticks", 0)))
    assert compose_frequencies(found) == found


def test_what_has_nothing_in_common() -> None:
    unchanged(
        split_frequencies,
        Union((sample(S, 10), sample(S, 15))),
        Union((sample(S, 10), sample(T, 20))),
        Union((sample(S, 10, "ticks"), sample(S, 20))),
        Union((sample(S, 10), sample(S, 20, "tuples", 0))),
        Union((sample(S, 10), sample(S, 10))),
    )


def test_of_equal_ones_the_first_is_taken() -> None:
    """Columns of PARTITIONED BY in another order make the same substreams."""
    one, same, coarse = sample(S, 10, "ticks", 0, 1), sample(S, 10, "ticks", 1, 0), sample(S, 30, "ticks", 0, 1)
    for pair in ((one, same), (same, one)):
        assert split_frequencies(Union((*pair, coarse))) == Union((*pair, sample(pair[0], 30, "ticks", 0, 1)))
