"""Private folder: a folder in a place that others write to as well, such as /tmp, which only this user may enter."""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from pathlib import Path

from tailrace.errors import RunError

PRIVATE = 0o700


def make_private_folder(path: Path) -> Path:
    """Make a folder that only this user may enter, and return it. One that is there already becomes private.

    Somebody who knows the name could have made the folder first, or a link to a folder of ours, to read or change what
    is written there. So a RunError is raised if it is not a folder of this user.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with suppress(FileExistsError):
        path.mkdir(mode=PRIVATE)
    found = path.lstat()
    if not stat.S_ISDIR(found.st_mode):
        raise RunError(f"{path} is not a folder", hint="remove it, or let TMPDIR or SPARK_LOCAL_DIRS name your own")
    if found.st_uid != os.geteuid():
        raise RunError(
            f"{path} belongs to another user", hint="remove it, or let TMPDIR or SPARK_LOCAL_DIRS name your own"
        )
    if stat.S_IMODE(found.st_mode) != PRIVATE:
        path.chmod(PRIVATE)
    return path
