"""Flink environment: a Python environment of its own with Flink in it, and the jars that its Parquet format needs."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tailrace.bench.peers import run_flink
from tailrace.errors import RunError

FLINK = "2.3.0"
HADOOP = "3.4.1"
# Versions of Python that this Flink runs on, the newest first.
PYTHONS = ("python3.12", "python3.11", "python3.10", "python3.9", "python3")
SUPPORTED = ((3, 9), (3, 12))
# Flink's Parquet format reads its settings through Hadoop's classes, which Flink does not bring.
JARS = (
    f"org.apache.flink:flink-sql-parquet:{FLINK}",
    f"org.apache.hadoop:hadoop-client-api:{HADOOP}",
    f"org.apache.hadoop:hadoop-client-runtime:{HADOOP}",
)
MAVEN_SECONDS, PIP_SECONDS = 600, 3600


@dataclass(frozen=True)
class FlinkEnvironment:
    """A folder with an installed Flink."""

    folder: Path

    @property
    def python(self) -> Path:
        return self.folder / "bin" / "python"

    @property
    def jars(self) -> list[Path]:
        return sorted((self.folder / "jars").glob("*.jar"))

    def is_complete(self) -> bool:
        return self.python.exists() and any(self.folder.glob("lib/python*/site-packages/pyflink"))

    def reads_parquet(self) -> bool:
        return len(self.jars) == len(JARS)

    def command(self) -> list[str]:
        """Runs a task. Isolated, so that nothing of this environment's packages is found there."""
        return [str(self.python), "-I", str(Path(run_flink.__file__).resolve())]

    def variables(self) -> dict[str, str]:
        """Environment variables for the command: Flink adds Hadoop's class path to that of its JVM."""
        return {"HADOOP_CLASSPATH": os.pathsep.join(map(str, self.jars))}


def set_up(folder: Path, parquet: bool, say: Callable[[str], None]) -> FlinkEnvironment:
    """The environment in this folder, made if it is not there; with the jars for Parquet if they can be had."""
    found = FlinkEnvironment(folder.absolute())
    if not found.is_complete():
        say(f"installing Flink {FLINK} into {folder}")
        subprocess.run([find_python(), "-m", "venv", str(found.folder)], check=True)
        install = [str(found.python), "-m", "pip", "install", "--quiet", f"apache-flink=={FLINK}"]
        if subprocess.run(install, check=False, timeout=PIP_SECONDS).returncode:
            raise RunError(f"pip could not install apache-flink {FLINK} into {folder}")
    if parquet and not found.reads_parquet():
        fetch_jars(found.folder / "jars", say)
    return found


def find_python() -> str:
    """A Python that this Flink runs on."""
    for name in PYTHONS:
        asked = f"import sys; sys.exit(not {SUPPORTED[0]} <= sys.version_info[:2] <= {SUPPORTED[1]})"
        if (found := shutil.which(name)) and not subprocess.run(
            [found, "-c", asked], check=False, stderr=subprocess.DEVNULL
        ).returncode:
            return found
    raise RunError(f"Flink {FLINK} needs Python 3.9 to 3.12, and none is there", hint="install one beside your own")


def fetch_jars(folder: Path, say: Callable[[str], None]) -> None:
    """Have Maven fetch the jars. Without them Flink reads csv files alone."""
    if not (maven := shutil.which("mvn")):
        say("there is no Maven (mvn) to fetch Flink's Parquet format with: Flink reads csv files alone")
        return
    folder.mkdir(exist_ok=True)
    for artifact in JARS:
        say(f"fetching {artifact}")
        copy = [maven, "-q", "-B", "dependency:copy", f"-Dartifact={artifact}", f"-DoutputDirectory={folder}"]
        if subprocess.run(copy, cwd=folder, check=False, timeout=MAVEN_SECONDS).returncode:
            say(f"Maven could not fetch {artifact}: Flink reads csv files alone")
            return
