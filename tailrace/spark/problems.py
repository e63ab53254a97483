"""Problems: what Spark says when something fails, in one line that a user can act on."""

from __future__ import annotations

import re
import socket
from collections.abc import Iterator
from contextlib import contextmanager

from py4j.protocol import Py4JError
from pyspark.errors import PySparkException

from tailrace.errors import RunError

OURS = re.compile(r"tailrace\.errors\.\w+: (.*)")
CAUSE = re.compile(r"^(?:Caused by)?: [\w.$]+: (.+)", re.MULTILINE)
NO_FOLDER = re.compile(r"Mkdirs failed to create (?:file:)?(.+?)(?:/_temporary|\n| \(exists)")
NO_MODULE = re.compile(r"ModuleNotFoundError: No module named '([^']+)'")
KNOWN = {
    "No space left on device": "the disk is full: what this run had not finished was not written",
    "JAVA_GATEWAY_EXITED": "Java did not start: Spark needs Java 17 or newer, and JAVA_HOME to name it",
    "Permission denied": "a file or folder may not be written or read",
}
MASTERS = re.compile(r"local(\[.*\])?|yarn|k8s://.+|spark://.+")
PATIENCE = 5.0


@contextmanager
def in_plain_words() -> Iterator[None]:
    """Whatever Spark raises inside becomes a RunError with one line."""
    try:
        yield
    except (PySparkException, Py4JError, OSError) as problem:
        raise RunError(plain(str(problem))) from problem


def plain(text: str) -> str:
    """The one line of Spark's message that says what is wrong.

    >>> plain("PythonException: … Traceback …\\ntailrace.errors.RunError: f(x) failed: no\\n\\tat org…")
    'f(x) failed: no'
    >>> plain("[PATH_NOT_FOUND] Path does not exist: file:/a. SQLSTATE: 42K03\\n== SQL ==")
    'Spark: Path does not exist: file:/a.'
    >>> plain("[PYTHON_EXCEPTION] … Traceback …\\nModuleNotFoundError: No module named 'pyarrow'\\n SQLSTATE: 38000")
    "the Python of Spark's workers has no module pyarrow: send it there (tailrace package)"
    >>> plain("An error occurred while calling o1.save.\\n: a.B: failed\\n\\tat a.b\\nCaused by: c.D: no such thing")
    'Spark: no such thing'
    """
    ours = OURS.findall(text)
    if ours:
        return str(ours[-1])
    module = NO_MODULE.search(text)
    if module:
        return f"the Python of Spark's workers has no module {module[1]}: send it there (tailrace package)"
    for sign, meaning in KNOWN.items():
        if sign in text:
            return f"{meaning} ({sign})" if sign.isupper() else meaning
    folder = NO_FOLDER.search(text)
    if folder:
        return f"{folder[1]} cannot be written: it may not be, or its disk is full"
    if text.startswith("An error occurred while calling"):
        text = next(reversed(CAUSE.findall(text)), text)
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    first = next((line for line in lines if not line.startswith(("Traceback", "at ", "File "))), "it did not say why")
    return "Spark: " + re.sub(r"^\[[\w.]+\] | ?SQLSTATE: \w+", "", first)


def check_master(master: str) -> None:
    """Refuse a master that Spark does not know, or that nobody answers for: Spark itself would try for minutes."""
    if not MASTERS.fullmatch(master):
        raise RunError(
            f"there is no Spark master {master}", hint="local[*], spark://host:port, yarn or k8s://… is wanted"
        )
    if not master.startswith("spark://"):
        return
    problems = []
    for place in master.removeprefix("spark://").split(","):
        host, _, port = place.rpartition(":")
        try:
            socket.create_connection((host, int(port)), PATIENCE).close()
            return
        except ValueError:
            problems.append(f"{place} has no port")
        except OSError as problem:
            problems.append(f"{place}: {problem.strerror or problem}")
    raise RunError(f"no Spark master answers at {master} ({'; '.join(problems)})")
