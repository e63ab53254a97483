"""Deep stack: run a function on a thread whose stack is deep enough for very deep plans.

A view may read a view that reads a view, to any depth. Functions that walk plans recurse as deep, which is more than
Python's usual stack allows.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

STACK = 512 << 20  # bytes of address space; only the pages that are touched cost memory
CALLS = 200_000  # the recursion limit while work runs on a deep stack

_here = threading.local()
# Stack size and recursion limit belong to the whole process. So threads change them one at a time, and the last deep
# thread to finish restores the recursion limit.
_changing = threading.Lock()
_working: list[int] = []  # the recursion limit of before, one entry for each deep thread


def on_deep_stack(work: Callable[[], T]) -> T:
    """Call `work` on a thread with a deep stack, wait for it and return its result or raise its exception.

    A caller that is on a deep stack already calls `work` directly. Otherwise the call costs one thread.

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
    """Start a thread with a deep stack, and raise the recursion limit of the process."""
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
