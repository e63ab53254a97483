"""The daemon imports what tasks need before it forks, and says nothing of what is missing: a task says that."""

from __future__ import annotations

import gc
import os
import subprocess
import sys

import pytest

from tailrace.spark.session import daemon


def test_forked_workers_have_what_tasks_need() -> None:
    """No thread runs by then: a worker would not have it, but locks that it held. Only jemalloc's knows how to fork."""
    program = (
        "import sys; from pathlib import Path; from tailrace.spark.session import daemon; daemon.import_needed();"
        "threads = [path.read_text().strip() for path in Path('/proc/self/task').glob('*/comm')];"
        "print(daemon.NEEDED in sys.modules, 'pyarrow' in sys.modules, len(threads) - ('jemalloc_bg_thd' in threads))"
    )
    env = {**os.environ, "OMP_NUM_THREADS": "1"}  # as Spark starts it
    done = subprocess.run([sys.executable, "-c", program], env=env, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["True", "True", "1"]


def test_a_module_that_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(daemon, "NEEDED", "tailrace.no_such_module")
    try:
        daemon.import_needed()
    finally:
        gc.unfreeze()
