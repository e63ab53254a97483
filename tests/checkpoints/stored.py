"""Stored: a checkpoint of a run that was stopped, in a form that can be continued in any folder.

`make golden-checkpoint` makes it anew: after a change of the format, or of the names under which state is kept.
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile
import threading
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

from tailrace.engine.pipeline import compile_script
from tailrace.engine.run_queries import stand
from tailrace.errors import Source
from tailrace.logical.queries import QueryDefinition
from tailrace.progress import Progress
from tailrace.state.checksums import seal, unseal

HERE = Path(__file__).parent
SCRIPT = HERE / "script.cql"
CHECKPOINT = HERE / "checkpoint"
STOP = HERE / "stopped.json"
FOLDER = "<folder>"  # stands in stored files for the folder of the run
KEPT = "kept"  # the checkpoint below the folder of a run

STOPPED, LAST = 2, 3  # files of each source before the run was stopped, and in the end
A_FILE = 14  # instants
MOVING = ("S", "T", "U", "V", "Signed", "Latest")
PATIENCE = 300.0  # seconds

Row = tuple[int | None, str]  # the instant, none in a snapshot, and the whole row as a text
Answers = dict[str, Counter[Row]]


def write_inputs(folder: Path, first: int, end: int) -> None:
    """Write these files of each source, the same at every call, and the table that never changes."""
    names = [{"k": k, "name": name} for k, name in enumerate(("zero", "one", "two", "three"))]
    write_rows(folder / "Names" / "all.json", names, 0)
    for source in MOVING:
        for number in range(first, end):
            write_rows(folder / source / f"{number:03}.json", rows_of(source, number), number)


def write_rows(file: Path, rows: list[dict[str, Any]], age: int) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    os.utime(file, (1_700_000_000 + age,) * 2)


def rows_of(source: str, number: int) -> list[dict[str, Any]]:
    """A file's rows: two an instant, with silences; those of S a little out of order."""
    chance = Random(f"{source} {number}")
    instants = [number * A_FILE + at for at in range(A_FILE) for _ in range(2) if at % 5 != 3 or at == A_FILE - 1]
    rows = [{"ts": ts, "k": chance.choice([0, 1, 2, 3, None])} for ts in instants]
    for row in rows:
        match source:
            case "S":
                row |= values(chance)
            case "Signed":
                row |= {"op": "+", "x": chance.randrange(3)}
            case "Latest":
                row |= {"k": chance.randrange(4), "price": chance.randrange(100) / 4}
            case _:
                row |= {"w": chance.choice([None, *range(80)])}
    if source == "S":
        rows[1:-1:4], rows[2:-1:4] = rows[2:-1:4], rows[1:-1:4]
    return with_removals(rows, chance) if source == "Signed" else rows


def values(chance: Random) -> dict[str, Any]:
    found = {
        "g": chance.choice(["a", "b", "longer than twelve letters"]),
        "v": chance.randrange(10),
        "d": chance.choice([0.1, -2.5, 1e300, 3.0]),
        "p": f"{chance.randrange(10_000) / 100:.2f}",
        "b": chance.random() < 0.5,
        "day": f"2024-03-{chance.randrange(1, 29):02}",
        "tags": [chance.choice("xyz") for _ in range(chance.randrange(3))],
    }
    return {name: None if chance.random() < 0.1 else value for name, value in found.items()}


def with_removals(rows: list[dict[str, Any]], chance: Random) -> list[dict[str, Any]]:
    """Rows of a relation with signs: each third row is deleted an instant later."""
    return sorted([*rows, *({**row, "op": "-", "ts": row["ts"] + 1} for row in rows[:-4:3])], key=lambda row: row["ts"])


def count_rows(end: int) -> int:
    return sum(len(rows_of(source, number)) for source in MOVING for number in range(end))


def run(folder: Path, rows: int) -> Answers:
    """Run from the checkpoint in a folder, or from the start, until so many rows were read.

    Returns the queries' answers.
    """
    found: Answers = {}
    stops: list[threading.Event] = []
    seen = 0

    def show(query: QueryDefinition, names: list[str], answers: list[tuple[Any, ...]]) -> None:
        found.setdefault(query.name, Counter()).update((row[0], repr(row)) for row in answers)

    def watch(progress: Progress) -> None:
        nonlocal seen
        seen = progress.rows
        if seen >= rows:
            stops[0].set()

    compiled = compile_script(Source(SCRIPT.read_text(encoding="utf-8"), SCRIPT.name), folder)
    timer = threading.Timer(PATIENCE, lambda: stops[0].set())
    timer.daemon = True
    timer.start()
    stand(compiled, str(folder), str(folder / KEPT), "0 seconds", stops.append, "local[2]", show, watch)
    timer.cancel()
    assert seen == rows, f"{seen} rows were taken of {rows}"
    return found | sinks(folder)


def sinks(folder: Path) -> Answers:
    """The rows of queries that write into files."""
    places = {place.name: list(place.glob("*.json")) for place in (folder / "out").iterdir()}
    lines = {name: [line for file in files for line in file.read_text().splitlines()] for name, files in places.items()}
    return {name: Counter((json.loads(line).get("_ts"), line) for line in each) for name, each in lines.items()}


def store(folder: Path) -> None:
    """Copy a run's checkpoint into this tree: without checksums, and with a placeholder for the folder it was in."""
    shutil.rmtree(CHECKPOINT, ignore_errors=True)
    shutil.copytree(folder / KEPT, CHECKPOINT, ignore=shutil.ignore_patterns("*.crc"))
    for file in texts_with(str(folder), CHECKPOINT):
        file.write_text(file.read_text(encoding="utf-8").replace(str(folder), FOLDER), encoding="utf-8")
    for file in (CHECKPOINT / "batches").iterdir():  # the logs of a restored checkpoint name another folder
        record, _ = unseal(file.read_bytes())
        file.write_bytes(seal(json.dumps({name: each for name, each in record.items() if name != "logs"})))


def stopped_at() -> int:
    """The last instant that was decided before the stored run was stopped."""
    return int(json.loads(STOP.read_text())["instant"])


def restore(folder: Path) -> None:
    """The stored checkpoint as if its run had been in this folder."""
    shutil.copytree(CHECKPOINT, folder / KEPT)
    for file in texts_with(FOLDER, folder / KEPT):
        file.write_text(file.read_text(encoding="utf-8").replace(FOLDER, str(folder)), encoding="utf-8")


def texts_with(text: str, folder: Path) -> Iterator[Path]:
    return (file for file in folder.rglob("*") if file.is_file() and text.encode() in file.read_bytes())


def main() -> None:
    """Run file by file, stop, and store the checkpoint."""
    with tempfile.TemporaryDirectory(prefix="tailrace-checkpoint-") as name:
        folder = Path(name).resolve()
        for number in range(STOPPED):
            write_inputs(folder, number, number + 1)
            run(folder, count_rows(number + 1))
        store(folder)
    note = json.loads((CHECKPOINT / "batches" / f"{STOPPED - 1}.json").read_text())
    STOP.write_text(json.dumps({"instant": note["decided_until"]}) + "\n")


if __name__ == "__main__":
    main()
