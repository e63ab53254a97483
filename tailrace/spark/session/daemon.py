"""Daemon: Spark's own Python daemon, which forks workers, with what all tasks need already imported.

Workers then share the memory of these modules, and the first task of a worker does not wait for them. And a worker
prints no traceback when Spark stopped before it. Set as `spark.python.daemon.module` (see `session.SETTINGS`).
"""

from __future__ import annotations

import gc
import sys
import traceback
from contextlib import suppress
from importlib import import_module

from pyspark import daemon

# By name: only the daemon's process needs the module, and not the driver that names the daemon.
NEEDED = "tailrace.spark.batch.message_tasks"


def print_problem() -> None:
    """Write the current exception's traceback, but not of broken pipes, with which every run of Spark ends."""
    if not isinstance(sys.exc_info()[1], BrokenPipeError):
        sys.stderr.write(traceback.format_exc())


def import_needed() -> None:
    """Import what tasks need. A module that is missing is named by the first task that needs it."""
    with suppress(ImportError):
        import_module(NEEDED)
    # A collection in a worker would write to all objects, and so make copies of their memory.
    gc.collect()
    gc.freeze()


if __name__ == "__main__":
    traceback.print_exc = print_problem  # type: ignore[assignment]
    import_needed()
    daemon.manager()
