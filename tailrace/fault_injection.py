"""Faults: points at which a test may have the process killed, to see that nothing is lost or doubled. Off by default.

`TAILRACE_FAULT=point:n` kills the process group TAILRACE_FAULT_GROUP, or else its own, when a process comes to a point
for the nth time. Workers are in groups of their own: they end when Spark does.

`TAILRACE_STUMBLE=n` has one in n tasks of workers fail, before or after it has kept its state, and one in 5n stall.
"""

from __future__ import annotations

import os
import random
import signal
import sys
import time
from collections import Counter

VARIABLE, GROUP = "TAILRACE_FAULT", "TAILRACE_FAULT_GROUP"
# In the order in which a batch comes by.
POINTS = ("taken", "state", "manifest", "written", "moved", "delivered", "noted")

STUMBLE, STALL = "TAILRACE_STUMBLE", 3.0  # seconds
# Those that a task comes by.
OF_TASKS = ("state", "manifest")

_seen: Counter[str] = Counter()


def fault(point: str) -> None:
    """End here, without any cleaning up, if this is where it was asked for."""
    if point in OF_TASKS and STUMBLE in os.environ:
        stumble(int(os.environ[STUMBLE]))
    wanted = os.environ.get(VARIABLE)
    if wanted is None:
        return
    name, _, number = wanted.partition(":")
    if name == point:
        _seen[point] += 1
        if _seen[point] == int(number or 1):
            os.killpg(int(os.environ.get(GROUP) or os.getpgrp()), signal.SIGKILL)


def stumble(one_in: int) -> None:
    """By chance fail or stall."""
    drawn = random.random() * one_in * len(OF_TASKS)
    if drawn < 1:
        raise OSError("this task was made to fail")
    if drawn < 1.2:
        print("this task was made to stall", file=sys.stderr)
        time.sleep(STALL)
