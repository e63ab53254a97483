"""Run Tailrace: the steps of a task through the function of `tailrace run --once`, timed.

A process of its own runs this module, as another runs `run_flink.py`, with tasks and reports of the same form. A step
has a script, its folder, and the least seconds for which it is repeated.
"""

from __future__ import annotations

import json
import sys
import threading
import time
from pathlib import Path
from typing import Any

from tailrace.bench.peers.run_flink import READY, end_with_parent, report, wait_for_close
from tailrace.engine.pipeline import compile_script
from tailrace.engine.run_queries import run_once, stand
from tailrace.errors import RunError, Source

AT_ONCE = "0 seconds"  # the trigger that `tailrace run` has by default


def run_script(step: dict[str, Any], master: str) -> float:
    """Run the script over what is there. Returns the seconds from the compiled script to the end."""
    found = compile_script(Source(step["script"], f"{step['name']}.cql"), Path(step["folder"]))
    begun = time.perf_counter()
    summary = run_once(found, step["folder"], None, master, lambda query, names, rows: None)
    seconds = time.perf_counter() - begun
    if summary.rows != step["rows"] or summary.late or summary.unreadable:
        raise RunError(f"{summary.rows:,} rows were read of {step['rows']:,}; rejected: {summary}")
    return seconds


def follow(step: dict[str, Any], master: str) -> None:
    """Run the script continuously and print its rows, until standard input is closed, `most` seconds at most."""
    found = compile_script(Source(step["script"], f"{step['name']}.cql"), Path(step["folder"]))

    def stop_in_time(stop: threading.Event) -> None:
        wait_for_close(step["most"])
        stop.set()

    def prepare_to_stop(stop: threading.Event) -> None:
        threading.Thread(target=stop_in_time, args=(stop,), daemon=True).start()
        print(READY, flush=True)

    def show(query: object, names: list[str], rows: list[tuple[Any, ...]]) -> None:
        columns = [names.index(name) for name in step["columns"]]
        lines = ["+I[{}]\n".format(", ".join(str(row[column]) for column in columns)) for row in rows]
        sys.stdout.write("".join(lines))
        sys.stdout.flush()

    stand(found, step["folder"], None, AT_ONCE, prepare_to_stop, master, show)


def run_step(step: dict[str, Any], master: str) -> None:
    report(step=step["name"], state="begun")
    seconds: list[float] = []
    begun = time.monotonic()
    if "most" in step:
        follow(step, master)
    else:
        while not seconds or time.monotonic() - begun < step["least"]:
            seconds.append(run_script(step, master))
    report(step=step["name"], state="ended", seconds=seconds, wall=time.monotonic() - begun)


def main(file: str) -> None:
    task = json.loads(Path(file).read_text(encoding="utf-8"))
    if not any("most" in step for step in task["steps"]):
        end_with_parent()
    for step in task["steps"]:
        run_step(step, task["master"])


if __name__ == "__main__":
    main(sys.argv[1])
