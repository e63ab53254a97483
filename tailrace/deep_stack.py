"""Deep: work on plans that are chained deeper than Python's usual stack allows.

A view may read a view to any depth, and what walks its plan goes as deep.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

STACK = 512 << 20  # bytes of address space; only what is used becomes memory
CALLS = 200_000

_here = threading.local()
# The size of stacks and the depth of calls are the process's: threads change them one at a time, the last one back.
_changing = threading.Lock()
_working: list[int] = []  # the depth that calls had before, once for each thread that works deeply


def on_deep_stack(work: Callable[[], T]) -> T:
    """Do the work on a stack of its own that is deep enough; work that is on one already stays there.

    >>> def count(n): return 0 if n == 0 else 1 + count(n - 1)
    >>> on_deep_stack(lambda: count(20_000))
    20000
    """
    if getattr(_here, "is_deep", False):
        return work()
    result: list[T] = []
    failure: list[BaseException] = []

    def run() -> None:
        _here.is_deep = True
        try:
            result.append(work())
        except BaseException as problem:
            failure.append(problem)

    thread = start(run)
    thread.join()
    with _changing:
        calls = _working.pop()
        if not _working:
            sys.setrecursionlimit(calls)
    if failure:
        raise failure[0]
    return result[0]


def start(run: Callable[[], None]) -> threading.Thread:
    """A thread with a deep stack that has begun."""
    with _changing:
        _working.append(_working[0] if _working else sys.getrecursionlimit())
        sys.setrecursionlimit(max(_working[0], CALLS))
        before = threading.stack_size(STACK)
        try:
            thread = threading.Thread(target=run)
            thread.start()
        finally:
            threading.stack_size(before)
    return thread
