"""Daemon: Spark's own Python daemon, except that workers end without a word when Spark is gone before them."""

from __future__ import annotations

import sys
import traceback

from pyspark import daemon


def print_problem() -> None:
    """The problem at hand, unless it is that nobody reads any more: so it is at the end of every run."""
    if not isinstance(sys.exc_info()[1], BrokenPipeError):
        sys.stderr.write(traceback.format_exc())


if __name__ == "__main__":
    traceback.print_exc = print_problem  # type: ignore[assignment]
    daemon.manager()
