"""Crashes: a continuous run as a process of its own, killed and started again, and the rows in its sinks."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import pyarrow.parquet as pq

from tailrace import fault_injection as faults
from tests.patience import PATIENCE

FILES, ROWS, KEYS = 4, 80, 5
PROGRAM = "import os, sys; os.environ['{group}'] = str(os.getpid()); from tailrace.cli.main import main; main()"
QUERIES = {
    "filtered": "SELECT ISTREAM(k, v) FROM S WHERE v % 3 <> 0",
    "joined": "SELECT ISTREAM(S.k, S.v, R.v AS w) FROM S [RANGE 5], R [RANGE 5] WHERE S.k = R.k",
    "latest": "SELECT k, MAX(v) AS v FROM S [PARTITION BY k ROWS 3] GROUP BY k",
    "jumping": "SELECT k, SUM(v) AS v FROM S [RANGE 9 TUPLES, FREQUENCY 7 TUPLES PARTITIONED BY k] GROUP BY k",
    "sampled": "SELECT AVG(v) AS v [FREQUENCY 3 SECONDS] FROM R [RANGE 20 TUPLES, FREQUENCY 2 TUPLES]",
    "nested": "SELECT MAX(n) AS n FROM (SELECT k, COUNT(*) AS n FROM S [RANGE 7] GROUP BY k) AS counts",
    "ranked": "SELECT k, v FROM S [RANGE 6] QUALIFY ROW_NUMBER() OVER (PARTITION BY k ORDER BY v DESC) <= 2",
    "beside": "SELECT k, v, LEAD(v) OVER (PARTITION BY k ORDER BY v) AS w FROM S [RANGE 6]",
    "running": "SELECT k, SUM(v) OVER w AS v, MAX(v) OVER (w ROWS 3 PRECEDING) AS w FROM S "
    "WINDOW w AS (PARTITION BY k ORDER BY ts)",
}


# How INTO names a sink of files; tasks write all but the last two. Streams have no snapshots.
SINKS = {
    "json": ("json", ""),
    "csv": ("csv", ", header 'true'"),
    "parquet": ("parquet", ""),
    "json by Spark": ("json", ", lineSep '\n'"),
    "snapshot": ("json", ", mode 'snapshot'"),
}


def script(sink: str = "json") -> str:
    format, more = SINKS[sink]
    options = "OPTIONS (path '{name}', maxFilesPerTrigger '1') TIMESTAMP BY ts"
    sources = [f"CREATE STREAM {name} (ts INT, k INT, v INT) USING json {options.format(name=name)};" for name in "SR"]
    queries = []
    for name, text in QUERIES.items():
        has_no_snapshot = sink == "snapshot" and ("ISTREAM" in text or "ORDER BY ts" in text)
        into = f"INTO {format} OPTIONS (path 'out/{name}'{'' if has_no_snapshot else more})"
        queries.append(f"CREATE QUERY {name} {into} AS {text};")
    return "\n".join(["SET late = 'late';", *sources, *queries])


def write_inputs(folder: Path) -> None:
    """Files in order of time, but for their last row, which is late after the first; the same at every call."""
    for salt, name in enumerate("SR"):
        (folder / name).mkdir(parents=True)
        for number in range(FILES):
            rows = [number * ROWS + row for row in range(ROWS)]
            lines = [
                json.dumps({"ts": at // 4, "k": (at * 7 + salt) % KEYS, "v": (at * 13 + salt) % 101}) for at in rows
            ]
            lines[-1] = json.dumps({"ts": number, "k": salt, "v": number})
            file = folder / name / f"{number:03}.json"
            file.write_text("\n".join(lines) + "\n", encoding="utf-8")
            os.utime(file, (1_700_000_000 + number, 1_700_000_000 + number))


@dataclass
class Run:
    """A continuous run in a folder."""

    folder: Path

    def start(self, fault: str | None = None) -> subprocess.Popen[bytes]:
        env = {**os.environ, **({faults.VARIABLE: fault} if fault else {})}
        program = PROGRAM.format(group=faults.GROUP)
        command = [sys.executable, "-c", program, "run", "script.cql", "--checkpoint", "kept", "--master", "local[2]"]
        with (self.folder / "said").open("ab") as said:
            return subprocess.Popen(command, cwd=self.folder, env=env, stdout=said, stderr=said, start_new_session=True)

    def until_done(self, process: subprocess.Popen[bytes]) -> bool:
        """Wait until all rows are taken, then stop the run; False if it ended by itself before."""
        begun = time.monotonic()
        try:
            while process.poll() is None:
                if self.taken() == 2 * FILES * ROWS:
                    process.send_signal(signal.SIGINT)
                    assert process.wait(PATIENCE) == 0, self.said()
                    return True
                assert time.monotonic() - begun < PATIENCE, self.said()
                time.sleep(0.1)
            return False
        finally:
            if process.poll() is None:
                kill(process)

    def taken(self) -> int:
        """The rows of all batches that were noted."""
        notes = sorted((self.folder / "kept" / "batches").glob("*.json"), key=lambda file: int(file.stem))
        return int(json.loads(notes[-1].read_text())["watermark"]["rows"]) if notes else 0

    def answers(self) -> dict[str, Counter[str]]:
        """The rows in the sinks, by query, and those that were late, by source."""
        found = {}
        for place in (*(f"out/{name}" for name in QUERIES), "late/S", "late/R"):
            lines = [line for file in (self.folder / place).glob("part-*") for line in read_lines(file)]
            # A late row names its file.
            found[place] = Counter(line.replace(str(self.folder), "") for line in lines)
        return found

    def said(self) -> str:
        return (self.folder / "said").read_text(errors="replace")[-3000:]


def read_lines(file: Path) -> list[str]:
    """The rows of a file of results as texts, without a header."""
    if file.suffix == ".parquet":
        return [repr(row) for row in pq.read_table(file).to_pylist()]
    return [line for line in file.read_text().splitlines() if not line.startswith("_ts,")]


def kill(process: subprocess.Popen[bytes]) -> None:
    """The whole tree, at once."""
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def made(folder: Path, sink: str = "json") -> Run:
    folder.mkdir(parents=True)
    (folder / "script.cql").write_text(script(sink), encoding="utf-8")
    write_inputs(folder)
    return Run(folder)
