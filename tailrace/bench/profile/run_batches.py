"""Run batches: runs scripts so that their batches can be profiled, and says when each of them was measured.

A process of its own runs this file. With the folder of another checkout in PYTHONPATH it runs that Tailrace: so, unless
it measures parts, it imports nothing but what older ones have too.

The task, a JSON file, has `spark` (settings), `steps`, `parts` (where the driver writes, or null) and `report`, the
file for the moments. A step has a script and its folder; it runs again and again for `warm_up` seconds, and then once
more, which counts. With `seconds` it follows its folder instead, and these seconds count, `warm_up` seconds after the
first answer.
"""

from __future__ import annotations

import json
import sys
import threading
import time
from pathlib import Path
from typing import Any

from tailrace.engine.pipeline import compile_script
from tailrace.engine.run_queries import run_once, stand
from tailrace.errors import Source

MASTER, AT_ONCE = "local[*]", "0 seconds"


def run_step(step: dict[str, Any], spark: dict[str, str]) -> tuple[float, float]:
    """Run a step; returns the moments, in milliseconds, between which its batches count."""
    settings = "".join(f"SET {name} = '{value}';\n" for name, value in spark.items())
    found = compile_script(Source(settings + step["script"], f"{step['name']}.cql"), Path(step["folder"]))
    if "seconds" in step:
        return follow(found, step)
    warm_until = time.time() + step["warm_up"]
    while True:
        begun = time.time()
        run_once(found, step["folder"], None, MASTER, lambda query, names, rows: None)
        if begun >= warm_until:
            return 1000 * begun, 1000 * time.time()


def follow(found: Any, step: dict[str, Any]) -> tuple[float, float]:
    answered, moments = threading.Event(), [0.0, 0.0]

    def stop_in_time(stop: threading.Event) -> None:
        if answered.wait(step["most"]):
            time.sleep(step["warm_up"])
            moments[0] = 1000 * time.time()
            time.sleep(step["seconds"])
            moments[1] = 1000 * time.time()
        stop.set()

    def prepare_to_stop(stop: threading.Event) -> None:
        threading.Thread(target=stop_in_time, args=(stop,), daemon=True).start()

    stand(found, step["folder"], None, AT_ONCE, prepare_to_stop, MASTER, lambda query, names, rows: answered.set())
    return moments[0], moments[1]


def main(file: str) -> None:
    task = json.loads(Path(file).read_text(encoding="utf-8"))
    if task["parts"]:
        from tailrace.bench.profile.timed_driver import wrap_driver

        wrap_driver(Path(task["parts"]))
    moments = {step["name"]: run_step(step, task["spark"]) for step in task["steps"]}
    from pyspark.sql import SparkSession

    SparkSession.builder.getOrCreate().stop()  # so that the event log is whole
    Path(task["report"]).write_text(json.dumps(moments), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1])
