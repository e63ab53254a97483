"""Time limit: ends a step in a worker that takes too long, such as a function from Python that never returns.

A signal interrupts Python's code, and what it calls once that returns. Code of Arrow or Java is not interrupted.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import TypeVar

from tailrace.errors import RunError

T = TypeVar("T")


class TimeLimitError(RunError):
    """A step took longer than it may."""


@contextmanager
def time_limit(seconds: float | None) -> Iterator[None]:
    """Raise a TimeLimitError in the block once it has taken so long; None: no limit. Blocks may not be nested."""
    if seconds is None or threading.current_thread() is not threading.main_thread():
        yield
        return

    def end(number: int, frame: FrameType | None) -> None:
        raise TimeLimitError(
            f"it took longer than {seconds:g} seconds", hint="SET step.time = '…' allows more for the rows of a step"
        )

    before = signal.signal(signal.SIGALRM, end)
    # Again each second: code of others may swallow an exception.
    signal.setitimer(signal.ITIMER_REAL, seconds, 1.0)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def each_within(seconds: float | None, values: Iterator[T]) -> Iterator[T]:
    """The values of an iterator, each of which may take so long."""
    nothing = object()
    while True:
        with time_limit(seconds):
            found = next(values, nothing)
        if found is nothing:
            return
        yield found  # type: ignore[misc]
