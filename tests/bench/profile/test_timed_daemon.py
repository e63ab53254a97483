"""What the profile wraps is there: its functions are named by text and would be missed only in a worker."""

from __future__ import annotations

import inspect
import subprocess
import sys
from pathlib import Path

from tailrace.bench.profile import timed_daemon, timed_driver

PROGRAM = """
from pathlib import Path
from tailrace.bench.profile import timed_daemon, timed_driver
timed_daemon.wrap_functions()
timed_driver.wrap_driver(Path("driver"))
from tailrace.exchange.payloads import Payload, Target, Arrival
from tailrace.bench.profile.part_clock import CLOCK
import pyarrow as pa
CLOCK.start("task")
Payload.of(Target(0, 0), 0, Arrival("", 0, 0), [pa.RecordBatch.from_pydict({"a": [1]})]).open()
print(sorted(CLOCK.stop()))
"""


def test_everything_that_is_wrapped_is_there() -> None:
    """In a process of its own, since nothing unwraps it."""
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "['open messages', 'pack and compress', 'task']\n"), done.stderr


def test_nothing_of_the_product_knows_of_the_profile() -> None:
    package = Path(inspect.getfile(timed_daemon)).parents[2]
    others = [path for path in package.rglob("*.py") if "bench" not in path.parts]
    names = (timed_daemon.FOLDER, "bench.profile", timed_driver.__name__)
    assert [path for path in others if any(name in path.read_text(encoding="utf-8") for name in names)] == []
