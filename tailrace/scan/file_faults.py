"""File faults: finds out why a file cannot be read, or not yet: it is gone, it was cut short, somebody still writes it.

Files that hold their types have a mark at both ends, which a file that is not complete does not have. A text file may
end anywhere; a line without an end tells that somebody may still be writing it.
"""

from __future__ import annotations

import json
import time
import zlib
from collections.abc import Callable, Sequence
from contextlib import closing
from functools import lru_cache
from pathlib import Path

import pyarrow as pa
from pyarrow import ipc, orc, parquet

from tailrace.scan.open_files import local_path, open_file, remote_place
from tailrace.scan.scan_spec import NotScannable
from tailrace.scan.splits import is_compressed
from tailrace.scan.text.file_bytes import BLOCK, open_text
from tailrace.state.storage import is_remote

MARKS = {"parquet": (b"PAR1", b"PARE"), "arrow": (b"ARROW1",)}  # what files of these formats end with
LINES = ("csv", "json", "text")
QUIET = 0.5  # seconds for which a file must not have changed if it looks as if somebody still wrote it
TAIL = 1 << 16  # bytes in which the last line of a text file is looked for
LOOK = 0.05  # seconds between two looks at them
PATIENCE = 10.0  # seconds to wait for such files in a batch
GONE = "it is gone"
REFUSED = "it cannot be opened"  # the system does not let us read it, whatever is in it


def stamp_of(path: str) -> str:
    """The size of a file and when it was changed last: what is rewritten has another stamp. Empty if it is gone."""
    try:
        if is_remote(path):
            system, place = remote_place(path)
            found = system.get_file_info(place)
            return f"{found.size} {found.mtime_ns}" if found.is_file else ""
        there = Path(local_path(path)).stat()
    except (OSError, NotScannable):
        return ""
    return f"{there.st_size} {there.st_mtime_ns}"


def find_fault(path: str, format: str) -> str | None:
    """Why a file cannot be read, by its end; None if it looks whole. This costs a look at the file, not its rows."""
    try:
        with closing(open_file(path)) as opened:
            size = opened.seek(0, 2)
            if format not in MARKS:
                return None
            opened.seek(max(0, size - 6))
            end = bytes(opened.read(6))
    except NotScannable:
        return None  # only Spark reaches it
    except FileNotFoundError:
        return GONE
    except OSError as problem:
        return f"{REFUSED} ({problem.strerror or problem})"
    if end.endswith(MARKS[format]):
        return None
    return f"it is no whole {format} file: its end is missing" if size else f"it is empty, and no {format} file"


def find_deep_fault(path: str, format: str) -> str | None:
    """Why a file cannot be read, by reading all of it; None if it can be, or if only Spark can tell."""
    fault = find_fault(path, format)
    if fault is not None or not (format in DEEP or is_compressed(path)):
        return fault
    try:
        return find_damage(path, format, stamp_of(path))
    except FileNotFoundError:
        return GONE
    except OSError as problem:
        return f"{REFUSED} ({problem.strerror or problem})"


@lru_cache(maxsize=10_000)  # a batch that fails may be tried several times
def find_damage(path: str, format: str, stamp: str) -> str | None:
    """What is wrong with a file as it is with this stamp; None if it can be read to its end.

    Raises an OSError if the system does not let us read it.
    """
    try:
        DEEP.get(format, read_text)(path)
    except (pa.ArrowNotImplementedError, NotScannable):
        return None  # Spark may read it
    except (OSError, EOFError, ValueError, zlib.error, pa.ArrowException) as problem:
        if isinstance(problem, OSError) and problem.errno:
            raise
        return f"it is damaged or was cut short ({' '.join(str(problem).split())[:200]})"
    return None


def read_parquet(path: str) -> None:
    with closing(open_file(path)) as opened:
        for _ in parquet.ParquetFile(opened).iter_batches(use_threads=False):
            pass


def read_arrow(path: str) -> None:
    with closing(open_file(path)) as opened:
        file = ipc.open_file(opened)
        for number in range(file.num_record_batches):
            file.get_batch(number)


def read_orc(path: str) -> None:
    with closing(open_file(path)) as opened:
        file = orc.ORCFile(opened)
        for number in range(file.nstripes):
            file.read_stripe(number)


def read_text(path: str) -> None:
    with closing(open_text(path)) as opened:
        while opened.read(BLOCK):
            pass


DEEP: dict[str, Callable[[str], None]] = {"parquet": read_parquet, "arrow": read_arrow, "orc": read_orc}


# Files that somebody still writes --------------------------------------------------------------------------


def is_unfinished(path: str, format: str, now: float) -> bool:
    """Whether a file looks as if somebody still wrote it: it was changed just now, and its end is missing.

    Files at other places than this machine are not looked at: there, a file appears when it is whole.
    """
    if is_remote(path):
        return False
    try:
        if not 0 <= now - Path(local_path(path)).stat().st_mtime < QUIET:
            return False
        return find_fault(path, format) is not None or (format in LINES and is_torn(path, format))
    except OSError:
        return False


def is_torn(path: str, format: str) -> bool:
    """Whether a text file ends within a line; one that is compressed does not tell.

    Many writers of JSON end a file without the end of a line: so a last line that is JSON is not torn.
    """
    if is_compressed(path):
        return False
    with closing(open_file(path)) as opened:
        size = opened.seek(0, 2)
        opened.seek(max(0, size - TAIL))
        end = bytes(opened.read())
    if not end or end.endswith((b"\n", b"\r")):
        return False
    return format != "json" or not is_json(end.splitlines()[-1])


def is_json(text: bytes) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def await_writers(files: Sequence[tuple[str, str]]) -> list[str]:
    """Wait for files, given with their formats, that somebody still writes; returns those that are still not whole.

    A file that does not change for half a second is not waited for, and no file for more than ten seconds.
    """
    begun, left = time.monotonic(), list(files)
    while left := [(path, format) for path, format in left if is_unfinished(path, format, time.time())]:
        if time.monotonic() - begun > PATIENCE:
            break
        time.sleep(LOOK)
    return [path for path, _ in left]
