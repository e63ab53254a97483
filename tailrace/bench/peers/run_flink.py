"""Run Flink: the steps of a task in Flink's local cluster, timed by Flink.

This file is run by the Python of Flink's own environment, in which there is no Tailrace:

    .venv-flink/bin/python -I tailrace/bench/peers/run_flink.py TASK.json

The task lists settings and steps. A step has statements that create tables, INSERT statements that run as one job, and
the least seconds for which they are repeated, or the most for which they run. Every step reports in lines of JSON when
it begins and when it has ended.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
import time
from pathlib import Path
from typing import Any

READY = "ready"  # the line that says that rows may come


def report(**said: object) -> None:
    print(json.dumps(said), flush=True)


def open_session(settings: dict[str, str], tables: list[str]) -> Any:
    """A new session with its tables; all sessions of a process share one JVM."""
    from pyflink.table import EnvironmentSettings, TableEnvironment

    session = TableEnvironment.create(EnvironmentSettings.new_instance().in_streaming_mode().build())
    for name, value in settings.items():
        session.get_config().set(name, value)
    for statement in tables:
        session.execute_sql(statement)
    return session


def submit(session: Any, inserts: list[str]) -> Any:
    """Start the INSERT statements as one job."""
    job = session.create_statement_set()
    for statement in inserts:
        job.add_insert_sql(statement)
    return job.execute()


def run_job(session: Any, inserts: list[str]) -> float:
    """Run a job to its end. Returns the seconds between its start and its end by Flink's clock.

    Not counted are planning, and the start of the local cluster, which Flink starts anew for each job.
    """
    result = submit(session, inserts)
    result.wait()
    found = result.get_job_client().get_job_execution_result().result()
    return float(found.get_net_runtime()) / 1000


def follow(session: Any, inserts: list[str], most: float) -> None:
    """Run a job until standard input is closed, and `most` seconds at most."""
    client = submit(session, inserts).get_job_client()
    print(READY, flush=True)
    wait_for_close(most)
    client.cancel().result()


def read_to_end() -> None:
    """Read standard input until it is closed."""
    # Python cannot end while a thread reads `sys.stdin`, which has a lock.
    while os.read(0, 1 << 16):
        pass


def wait_for_close(most: float) -> None:
    """Wait until standard input is closed, and `most` seconds at most."""
    reader = threading.Thread(target=read_to_end, daemon=True)
    reader.start()
    reader.join(most)


def end_with_parent() -> None:
    """End this process, and all that it started, when the one that started it is gone: standard input ends then."""

    def end() -> None:
        read_to_end()
        os.killpg(os.getpgrp(), signal.SIGKILL)

    threading.Thread(target=end, daemon=True).start()


def run_step(step: dict[str, Any], settings: dict[str, str]) -> None:
    report(step=step["name"], state="begun")
    session = open_session(settings, step["tables"])
    seconds: list[float] = []
    begun = time.monotonic()
    if "most" in step:
        follow(session, step["inserts"], step["most"])
    else:
        while not seconds or time.monotonic() - begun < step["least"]:
            seconds.append(run_job(session, step["inserts"]))
    report(step=step["name"], state="ended", seconds=seconds, wall=time.monotonic() - begun)


def main(file: str) -> None:
    task = json.loads(Path(file).read_text(encoding="utf-8"))
    if not any("most" in step for step in task["steps"]):
        end_with_parent()
    for step in task["steps"]:
        run_step(step, task["settings"])


if __name__ == "__main__":
    main(sys.argv[1])
