"""Fault injection: points at which a test can kill the process, to prove that no result is lost or doubled.

Off by default. `TAILRACE_FAULT=point:n` kills a process group when this process reaches the point for the nth time:
the group in TAILRACE_FAULT_GROUP, otherwise its own. Spark's Python workers are in groups of their own: they end when
Spark does.

`TAILRACE_STUMBLE=n` makes one in n worker tasks fail, before or after the task saved its state, and one in 5n stall.
"""

from __future__ import annotations

import os
import random
import signal
import sys
import time
from collections import Counter

VARIABLE, GROUP = "TAILRACE_FAULT", "TAILRACE_FAULT_GROUP"
# In the order in which a batch reaches them.
POINTS = ("taken", "state", "manifest", "staged", "written", "moved", "delivered", "noted")

STUMBLE, STALL = "TAILRACE_STUMBLE", 3.0  # seconds
# The points that tasks of workers reach; the driver reaches the others.
OF_TASKS = ("state", "manifest", "staged")

_seen: Counter[str] = Counter()


def fault(point: str) -> None:
    """Kill the process group here, without any cleaning up, if TAILRACE_FAULT names this point."""
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
    """Fail or stall at random; a task calls this at each point in OF_TASKS, so a task fails once in `one_in` times."""
    drawn = random.random() * one_in * len(OF_TASKS)
    if drawn < 1:
        raise OSError("this task was made to fail")
    if drawn < 1.2:
        print("this task was made to stall", file=sys.stderr)
        time.sleep(STALL)
