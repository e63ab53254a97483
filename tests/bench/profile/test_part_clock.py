"""The clock counts a part's own seconds, in functions and in generators, and nothing while it stands still."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest

from tailrace.bench.profile import part_clock
from tailrace.bench.profile.part_clock import CLOCK, measure_calls, wrap_method


class Worker:
    """Sleeps; its methods are wrapped by the tests."""

    def rest(self) -> None:
        time.sleep(0.02)

    def items(self) -> Iterator[int]:
        self.rest()
        yield 1
        self.rest()
        yield 2

    @staticmethod
    def pack(value: int) -> int:
        return value + 1


@pytest.fixture
def moment(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """A clock that only sleep moves."""
    now = [0.0]
    monkeypatch.setattr(part_clock, "perf_counter", lambda: now[0])
    monkeypatch.setattr(time, "sleep", lambda seconds: now.__setitem__(0, now[0] + seconds))
    return now


def test_time_between_two_items_is_not_the_generators(moment: list[float]) -> None:
    items = measure_calls(Worker.items, "items")
    CLOCK.start("whole")
    for _ in items(Worker()):
        time.sleep(0.5)
    assert CLOCK.stop() == pytest.approx({"whole": 1.0, "items": 0.04})


def test_a_generator_that_is_left_early_is_closed(moment: list[float]) -> None:
    closed = []

    def generate() -> Iterator[int]:
        try:
            yield 1
            yield 2
        finally:
            closed.append(True)

    items = measure_calls(generate, "items")()
    CLOCK.start("whole")
    assert next(items) == 1
    items.close()
    CLOCK.stop()
    assert closed == [True]


def test_an_error_ends_its_part(moment: list[float]) -> None:
    def fail() -> None:
        time.sleep(1.0)
        raise LookupError

    CLOCK.start("whole")
    with pytest.raises(LookupError):
        measure_calls(fail, "fail")()
    time.sleep(2.0)
    assert CLOCK.stop() == {"whole": 2.0, "fail": 1.0}


def test_the_outermost_part_gets_another_name_and_seconds_move(moment: list[float]) -> None:
    CLOCK.start("open")
    time.sleep(1.0)
    CLOCK.rename_outermost("send")
    with CLOCK.measure("operators"):
        time.sleep(3.0)
        CLOCK.move("one operator", 2.0)
    time.sleep(0.5)
    assert CLOCK.stop() == {"open": 1.0, "send": 0.5, "operators": 1.0, "one operator": 2.0}


def test_static_methods_stay_static_and_a_clock_that_stands_measures_nothing(moment: list[float]) -> None:
    class Own(Worker):
        pack = staticmethod(Worker.pack)

    wrap_method(Own, "pack", "pack")
    CLOCK.start("whole")
    CLOCK.stop()
    assert Own.pack(1) == Own().pack(1) == 2
    assert CLOCK.seconds == {"whole": 0.0}
