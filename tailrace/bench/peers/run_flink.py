"""Run Flink: the steps of a task in Flink's local cluster, timed by Flink.

This file is run by the Python of Flink's own environment, in which there is no Tailrace:

    .venv-flink/bin/python -I tailrace/bench/peers/run_flink.py TASK.json

The task lists settings and steps. A step has statements that create tables, INSERT statements that run as one job or a
query whose changes are written to a file, and the least seconds for which it is repeated. Every step reports in lines
of JSON when it begins and when it has ended.
"""

from __future__ import annotations

import json
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


def write_changes(session: Any, query: str, file: str) -> None:
    """Write each change of a query's answer as a line of JSON: its sign, and the values."""
    with Path(file).open("w", encoding="utf-8") as target, session.execute_sql(query).collect() as rows:
        for row in rows:
            # The second letter of +I, -U, +U and -D says why.
            target.write(json.dumps([str(row.get_row_kind())[0], *list(row)]) + "\n")


def follow(session: Any, inserts: list[str], most: float) -> None:
    """Run a job until standard input is closed, and `most` seconds at most."""
    closed = threading.Event()

    def wait_for_end() -> None:
        sys.stdin.read()
        closed.set()

    threading.Thread(target=wait_for_end, daemon=True).start()
    client = submit(session, inserts).get_job_client()
    print(READY, flush=True)
    closed.wait(most)
    client.cancel().result()


def run_step(step: dict[str, Any], settings: dict[str, str]) -> None:
    report(step=step["name"], state="begun")
    session = open_session(settings, step["tables"])
    seconds: list[float] = []
    begun = time.monotonic()
    if "most" in step:
        follow(session, step["inserts"], step["most"])
    elif "changes" in step:
        write_changes(session, step["query"], step["changes"])
    else:
        while not seconds or time.monotonic() - begun < step["least"]:
            seconds.append(run_job(session, step["inserts"]))
    report(step=step["name"], state="ended", seconds=seconds, wall=time.monotonic() - begun)


def main(file: str) -> None:
    task = json.loads(Path(file).read_text(encoding="utf-8"))
    for step in task["steps"]:
        run_step(step, task["settings"])


if __name__ == "__main__":
    main(sys.argv[1])
