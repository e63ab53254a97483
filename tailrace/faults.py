"""Faults: points at which a test may have the process killed, to see that nothing is lost or doubled. Off by default.

`TAILRACE_FAULT=point:n` kills the process group TAILRACE_FAULT_GROUP, or else its own, when a process comes to a point
for the nth time. Workers are in groups of their own: they end when Spark does.
"""

from __future__ import annotations

import os
import signal
from collections import Counter

VARIABLE, GROUP = "TAILRACE_FAULT", "TAILRACE_FAULT_GROUP"
# In the order in which a batch comes by.
POINTS = ("taken", "state", "manifest", "written", "moved", "delivered", "noted")

_seen: Counter[str] = Counter()


def fault(point: str) -> None:
    """End here, without any cleaning up, if this is where it was asked for."""
    wanted = os.environ.get(VARIABLE)
    if wanted is None:
        return
    name, _, number = wanted.partition(":")
    if name == point:
        _seen[point] += 1
        if _seen[point] == int(number or 1):
            os.killpg(int(os.environ.get(GROUP) or os.getpgrp()), signal.SIGKILL)
