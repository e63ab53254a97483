"""Package: builds an archive of Python, Tailrace and its dependencies, so that executors need nothing installed.

Spark unpacks the archive on every machine (`spark.archives`). The archive holds the interpreter that runs this process,
its standard library and the packages that Tailrace declares, except Spark, which a cluster has. The machines need the
same operating system and processor type as this one, and nothing else.
"""

from __future__ import annotations

import hashlib
import io
import os
import re
import sys
import sysconfig
import tarfile
import uuid
from collections.abc import Iterator
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

FOLDER = "tailrace"  # the folder, below their working directory, into which executors unpack the archive
PYTHON = f"./{FOLDER}/bin/python"
OURS = "tailrace"
# Left out: packages that Spark brings itself, and folders that only tests, builds or desktop programs need.
OF_SPARK = {"pyspark", "py4j"}
LEFT_OUT = {"tests", "test", "include", "__pycache__", "idlelib", "tkinter", "turtledemo", "ensurepip", "lib2to3"}
LEFT_OUT |= {"site-packages", "dist-packages"}  # inside the standard library's folder
REQUIRED = re.compile(r"[\w.-]+")
# bin/python of the archive: sets the variables by which Python finds its library wherever the archive was unpacked.
LAUNCH = """#!/bin/sh
root="$(cd "$(dirname "$0")/.." && pwd)"
export PYTHONHOME="$root"
export LD_LIBRARY_PATH="$root/lib${{LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}}"
export PYTHONPATH="${{PYTHONPATH:+$PYTHONPATH:}}$root/lib/{version}/site-packages"
exec "$root/bin/{version}" "$@"
"""


def make_package() -> Path:
    """The path of this installation's archive in the user's cache; if it is missing, it is built and older ones go."""
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "tailrace"
    target = cache / f"package-{fingerprint()}.tar.gz"
    if not target.exists():
        cache.mkdir(parents=True, exist_ok=True)
        for older in cache.glob("package-*.tar.gz"):
            older.unlink(missing_ok=True)
        package(target)
    return target


def package(target: Path) -> Path:
    """Write the archive to `target` atomically: under a temporary name first, then renamed."""
    aside = target.with_name(f".{uuid.uuid4().hex}")
    try:
        # Higher compression levels gain little and take three times as long.
        with tarfile.open(aside, "w:gz", compresslevel=1, dereference=True) as archive:
            content = LAUNCH.format(version=version()).encode()
            launch = tarfile.TarInfo("bin/python")
            launch.size, launch.mode = len(content), 0o755
            archive.addfile(launch, io.BytesIO(content))
            for name, file in contents():
                archive.add(file, name, recursive=False)
        aside.replace(target)
    finally:
        aside.unlink(missing_ok=True)
    return target


def version() -> str:
    return f"python{sys.version_info.major}.{sys.version_info.minor}"


def contents() -> Iterator[tuple[str, Path]]:
    """All files of the archive, as pairs of the name in the archive and the file on this machine."""
    interpreter = Path(getattr(sys, "_base_executable", sys.executable)).resolve()
    yield f"bin/{version()}", interpreter
    library = sysconfig.get_config_var("INSTSONAME")
    if sysconfig.get_config_var("Py_ENABLE_SHARED") and library:
        yield f"lib/{library}", Path(sysconfig.get_config_var("LIBDIR")) / library
    yield from below(Path(sysconfig.get_path("stdlib")), f"lib/{version()}")
    packages = f"lib/{version()}/site-packages"
    yield from below(Path(__file__).parents[2], f"{packages}/{OURS}")
    for each in find_dependencies():
        for name, file in files_of(each):
            yield f"{packages}/{name}", file


def below(folder: Path, name: str) -> Iterator[tuple[str, Path]]:
    """The files below `folder` that belong in the archive, with their names in it below `name`."""
    for file in sorted(folder.rglob("*")):
        relative = file.relative_to(folder)
        if file.is_file() and not LEFT_OUT.intersection(relative.parts) and not relative.parts[0].startswith("config-"):
            yield f"{name}/{relative.as_posix()}", file


def files_of(each: Distribution) -> Iterator[tuple[str, Path]]:
    """The files that a distribution installed in site-packages, with their names there; no scripts, no tests."""
    for file in each.files or ():
        path = Path(str(file.locate()))
        if not LEFT_OUT.intersection(file.parts) and ".." not in file.parts and path.is_file():
            yield file.as_posix(), path


def find_dependencies() -> list[Distribution]:
    """The distributions that Tailrace depends on, directly or not, except those that Spark brings itself."""
    found: dict[str, Distribution] = {}
    waiting = [OURS]
    while waiting:
        name = waiting.pop()
        if name in found or name in OF_SPARK:
            continue
        try:
            found[name] = distribution(name)
        except PackageNotFoundError:
            continue  # required on other operating systems only
        # Requirements that only an extra has are skipped.
        plain = (each for each in found[name].requires or () if "extra ==" not in each)
        waiting += [match[0].lower().replace("_", "-") for each in plain if (match := REQUIRED.match(each))]
    found.pop(OURS, None)
    return list(found.values())


def fingerprint() -> str:
    """A hash that changes with Python, with a dependency's version and with Tailrace's own files (size and time)."""
    texts = [sys.version, *sorted(f"{each.name} {each.version}" for each in find_dependencies())]
    for name, file in below(Path(__file__).parents[2], OURS):
        told = file.stat()
        texts.append(f"{name} {told.st_size} {told.st_mtime_ns}")
    return hashlib.sha256("\n".join(texts).encode()).hexdigest()[:16]
