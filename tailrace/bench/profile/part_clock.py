"""Part clock: adds up the seconds of the parts of some work, by wrapping functions from outside.

A part's seconds are its own: while a wrapped function runs inside another one, only the inner one's part counts. What
is measured knows nothing of it, and pays nothing in a process that wraps nothing.

>>> class Cook:
...     def chop(self): ...
...     def cook(self): self.chop()
>>> wrap_method(Cook, "chop", "chop")
>>> wrap_method(Cook, "cook", "rest")
>>> CLOCK.start("kitchen")
>>> Cook().cook()
>>> sorted(CLOCK.stop())
['chop', 'kitchen', 'rest']
"""

from __future__ import annotations

import inspect
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from time import perf_counter
from typing import Any


class PartClock(threading.local):
    """The seconds of each part, and the parts that are running, the innermost last; each thread has its own."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self.running: list[str] = []
        self.subject: int | None = None  # what is measured, once somebody says it
        self.since = 0.0

    def start(self, part: str) -> None:
        """Begin anew: `part` is what counts while no wrapped function runs."""
        self.seconds, self.running, self.subject, self.since = {}, [part], None, perf_counter()

    def stop(self) -> dict[str, float]:
        """The seconds of each part since the start. From now on nothing is measured."""
        self.charge()
        self.running = []
        return self.seconds

    def charge(self) -> None:
        now = perf_counter()
        if self.running:
            part = self.running[-1]
            self.seconds[part] = self.seconds.get(part, 0.0) + now - self.since
        self.since = now

    def rename_outermost(self, part: str) -> None:
        """From now on `part` is what counts while no wrapped function runs."""
        self.charge()
        self.running[:1] = [part] if self.running else []

    def move(self, part: str, seconds: float) -> None:
        """Count some of the innermost part's seconds for another part."""
        if self.running:
            inner = self.running[-1]
            self.seconds[inner] = self.seconds.get(inner, 0.0) - seconds
            self.seconds[part] = self.seconds.get(part, 0.0) + seconds

    @contextmanager
    def measure(self, part: str) -> Iterator[None]:
        """Count what is done inside the block for a part, unless the clock stands still."""
        self.charge()
        depth = len(self.running)
        if depth:
            self.running.append(part)
        try:
            yield
        finally:
            self.charge()
            del self.running[depth:]


CLOCK = PartClock()


def measure_iterator(items: Iterator[Any], part: str) -> Iterator[Any]:
    """Pass on the items; the time to make them counts for a part."""
    end = object()
    try:
        while True:
            with CLOCK.measure(part):
                item = next(items, end)
            if item is end:
                return
            yield item
    finally:
        if hasattr(items, "close"):
            items.close()


def measure_calls(function: Callable[..., Any], part: str) -> Callable[..., Any]:
    """A function that does the same; its time counts for a part, and that of a generator's items."""

    @wraps(function)
    def call(*given: Any, **named: Any) -> Any:
        with CLOCK.measure(part):
            return function(*given, **named)

    @wraps(function)
    def generate(*given: Any, **named: Any) -> Iterator[Any]:
        return measure_iterator(function(*given, **named), part)

    return generate if inspect.isgeneratorfunction(function) else call


def wrap_method(owner: Any, name: str, part: str) -> None:
    """Measure a method of a class, or a function of a module, from now on."""
    plain = inspect.getattr_static(owner, name)
    if isinstance(plain, staticmethod):
        setattr(owner, name, staticmethod(measure_calls(plain.__func__, part)))
    else:
        setattr(owner, name, measure_calls(plain, part))
