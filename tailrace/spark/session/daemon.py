"""Daemon: Spark's own Python daemon, except that a worker prints no traceback when Spark stopped before it.

Set as `spark.python.daemon.module` (see `session.SETTINGS`).
"""

from __future__ import annotations

import sys
import traceback

from pyspark import daemon


def print_problem() -> None:
    """Write the current exception's traceback, but not of broken pipes, with which every run of Spark ends."""
    if not isinstance(sys.exc_info()[1], BrokenPipeError):
        sys.stderr.write(traceback.format_exc())


if __name__ == "__main__":
    traceback.print_exc = print_problem  # type: ignore[assignment]
    daemon.manager()
