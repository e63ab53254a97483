"""A step that takes too long is ended, whatever it waits for in Python; others are left alone."""

from __future__ import annotations

import itertools
import re
import signal
import time
from collections import deque
from collections.abc import Iterator

import pytest

from tailrace.time_limit import TimeLimitError, each_within, time_limit


def test_what_never_ends_is_ended() -> None:
    with pytest.raises(TimeLimitError, match=r"longer than 0\.2 seconds"), time_limit(0.2):
        deque((number for number in itertools.count()), maxlen=0)


def test_a_regular_expression_that_never_ends() -> None:
    with pytest.raises(TimeLimitError), time_limit(0.2):
        re.fullmatch(r"(a+)+b", "a" * 60)


def test_one_that_swallows_exceptions_is_ended_the_next_time() -> None:
    def stubborn() -> None:
        for _ in range(2):
            try:
                time.sleep(60)
            except TimeLimitError:
                continue
        time.sleep(60)

    with pytest.raises(TimeLimitError), time_limit(0.1):
        stubborn()


def test_what_is_quick_goes_on() -> None:
    with time_limit(600):
        pass
    assert signal.getitimer(signal.ITIMER_REAL) == (0, 0)
    with time_limit(None):
        time.sleep(0.01)


def test_each_value_has_its_own_time() -> None:
    def slow(seconds: float) -> Iterator[int]:
        for number in range(3):
            time.sleep(seconds)
            yield number

    assert list(each_within(600, slow(0))) == [0, 1, 2]
    with pytest.raises(TimeLimitError):
        list(each_within(0.05, slow(600)))
