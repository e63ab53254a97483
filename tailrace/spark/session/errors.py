"""Errors: turns what Spark raises into a RunError with one line that a user can act on.

If the environment variable TAILRACE_TRACE is set, the full message with the stack traces of Java and Python goes to
standard error. In Python, Spark's exception is also the `__cause__` of the RunError.
"""

from __future__ import annotations

import errno
import os
import re
import socket
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager

from py4j.protocol import Py4JError
from pyspark.errors import PySparkException

from tailrace.errors import RunError, StateError

OURS = re.compile(r"tailrace\.errors\.\w+: (.*)")
# A message ends where a stack trace, another cause or a section of Spark's own ("== SQL ==") begins.
REST = r"(?=\n\s*at |\n\s*\.\.\. \d|\n\s*\n|\nCaused by|\nDriver stacktrace|\n== |\nTraceback|\Z)"
CAUSE = re.compile(rf"^(?:Caused by)?: [\w.$]+: (.+?){REST}", re.MULTILINE | re.DOTALL)
# The exception of a Python traceback: its first line that is not indented, with the lines after it.
RAISED = re.compile(rf"^Traceback \(most [^\n]*\n(?:[ \t][^\n]*\n)+(?:\w+\.)*(\S.*?){REST}", re.MULTILINE | re.DOTALL)
NO_FOLDER = re.compile(r"Mkdirs failed to create (?:file:)?(.+?)(?:/_temporary|\n| \(exists)")
NO_MODULE = re.compile(r"ModuleNotFoundError: No module named '([^']+)'")
KNOWN = {
    "No space left on device": "the disk is full: what this run had not finished was not written",
    "JAVA_GATEWAY_EXITED": "Java did not start: Spark needs Java 17 or newer, and JAVA_HOME to name it",
    "Permission denied": "a file or folder may not be written or read",
    "Input/output error": "a disk failed: what this run had not finished does not count",
}
FILE_EXCEPTIONS = "IOException|FileNotFoundException|FileSystemException|AccessDeniedException|AccessControlException"
# A sign of KNOWN says something only as the message of an exception about files: users' texts may have these words.
FILE_FAILURE = re.compile(
    rf"(?:^|: )(?:[\w.$]*(?:{FILE_EXCEPTIONS}|OSError|PermissionError): |\[[Ee]rrno \d+\] )[^\n]*?"
    rf"({'|'.join(sign for sign in KNOWN if not sign.isupper())})",
    re.MULTILINE,
)
STATE_ERROR = re.compile(r"^tailrace\.errors\.StateError: ", re.MULTILINE)  # in the traceback of a worker
MASTERS = re.compile(r"local(\[.*\])?|yarn|k8s://.+|spark://.+")
PATIENCE = 5.0  # seconds to wait for a connection to the master
SPARK_SAYS = "Spark: "
TRACE = "TAILRACE_TRACE"  # the environment variable that asks for full stack traces
TRACE_HINT = f"{TRACE}=1 in the environment shows all that Spark said"


@contextmanager
def translate_spark_errors() -> Iterator[None]:
    """Turn exceptions of Spark, Py4J and the operating system inside the block into a RunError with one line."""
    try:
        yield
    except RunError as problem:
        show_trace(problem.__cause__)
        raise
    except (PySparkException, Py4JError, OSError) as problem:
        show_trace(problem)
        said = error_line(str(problem))
        raise RunError(said, hint=TRACE_HINT if said.startswith(SPARK_SAYS) else None) from problem


def show_trace(problem: BaseException | None) -> None:
    """Print an exception with its Python and Java stack traces to standard error, if TAILRACE_TRACE is set."""
    if problem is not None and os.environ.get(TRACE):
        lines = traceback.format_exception(problem)
        print("".join([*lines, getattr(problem, "_stackTrace", None) or ""]), file=sys.stderr)


def is_cancelled(problem: Exception) -> bool:
    """Whether Spark says that it cancelled a job."""
    return "JOB_CANCELLED" in str(problem)


def is_known(text: str) -> bool:
    """Whether Spark's message is about files, modules or machines, and so not about what a query computes.

    >>> is_known("java.io.IOException: No space left on device"), is_known("[USER_RAISED_EXCEPTION] Permission denied")
    (True, False)
    """
    return find_sign(text) is not None or any(found.search(text) for found in (NO_MODULE, NO_FOLDER, STATE_ERROR))


def find_sign(text: str) -> str | None:
    """The sign of KNOWN that a message shows; None if it shows none."""
    found = FILE_FAILURE.search(text)
    return found[1] if found else next((sign for sign in KNOWN if sign.isupper() and sign in text), None)


def is_state_error(problem: Exception) -> bool:
    """Whether a file of a checkpoint could not be used, as a worker says or this process."""
    return isinstance(problem, StateError) or STATE_ERROR.search(str(problem)) is not None


def is_disk_error(problem: BaseException) -> bool:
    """Whether a disk failed (EIO), as the operating system, Java or a worker says: nobody knows what was written."""
    if isinstance(problem, OSError) and problem.errno == errno.EIO:
        return True
    return find_sign(str(problem)) == "Input/output error"


def error_line(text: str) -> str:
    """Reduce Spark's message to one line that says what is wrong.

    Our own errors, raised in workers, are returned as they are; anything else begins with "Spark: " unless its cause is
    known.

    >>> error_line("PythonException: … Traceback …\\ntailrace.errors.RunError: f(x) failed: no\\n\\tat org…")
    'f(x) failed: no'
    >>> error_line("[PATH_NOT_FOUND] Path does not exist: file:/a. SQLSTATE: 42K03\\n== SQL ==")
    'Spark: Path does not exist: file:/a.'
    >>> error_line("[PYTHON_EXCEPTION] … …\\nModuleNotFoundError: No module named 'pyarrow'\\n SQLSTATE: 38000")
    "the Python of Spark's workers has no module pyarrow: send it there (tailrace package)"
    >>> error_line("An error occurred while calling o1.\\n: a.B: failed\\n\\tat a.b\\nCaused by: c.D: no such thing")
    'Spark: no such thing'
    """
    ours = OURS.findall(text)
    if ours:
        return str(ours[-1])
    module = NO_MODULE.search(text)
    if module:
        return f"the Python of Spark's workers has no module {module[1]}: send it there (tailrace package)"
    sign = find_sign(text)
    if sign is not None:
        return f"{KNOWN[sign]} ({sign})" if sign.isupper() else KNOWN[sign]
    folder = NO_FOLDER.search(text)
    if folder:
        return f"{folder[1]} cannot be written: it may not be, or its disk is full"
    raised = RAISED.findall(text)
    if raised:
        text = raised[-1]
    elif text.startswith("An error occurred while calling"):
        text = next(reversed(CAUSE.findall(text)), text)
    text = re.split(REST, text.strip(), maxsplit=1)[0]
    said = " ".join(re.sub(r"^\[[\w.]+\] | ?SQLSTATE: \w+", "", text).split())
    return SPARK_SAYS + (said or "it did not say why")


def check_master(master: str) -> None:
    """Refuse a master URL that Spark cannot parse or that nobody answers: Spark itself would retry for minutes."""
    if not MASTERS.fullmatch(master):
        raise RunError(
            f"there is no Spark master {master}", hint="expected local[*], spark://host:port, yarn or k8s://…"
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
