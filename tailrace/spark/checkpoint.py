"""Checkpoint: the folder from which a standing run goes on.

It holds what the run is (`run.json`), Structured Streaming's offsets (`offsets/`), what operators remember (`state/`),
a note for each batch of how far time had come (`notes/`), and which queries stood from which batch on (`editions/`).
All of it agrees by the number of the batch: batch n starts from note n − 1 and state n − 1, so that a batch that was
cut short can be run again.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tailrace.errors import RunError
from tailrace.spark.edition import Edition

FORMAT = 4
KEPT = 2  # notes: the last batch may have to be run again, from the note before


@dataclass(frozen=True)
class Checkpoint:
    """An open checkpoint; `name` is unique, and part of the names of the files of results."""

    folder: Path
    name: str
    shards: int

    @staticmethod
    def open(place: str, run: Mapping[str, Any], shards: int) -> Checkpoint:
        """The checkpoint in a folder, made if there is none; refused if it is of another run than this.

        The number of shards stays what it was when the checkpoint was made, whatever the machine has now.
        """
        if "://" in place:
            raise RunError(f"a checkpoint is kept in a folder, and {place} is none")
        folder = Path(place).absolute()
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except (FileExistsError, NotADirectoryError):
            raise RunError(f"the checkpoint {place} is a file, and a folder is wanted") from None
        described = folder / "run.json"
        if not described.exists():
            if any(folder.iterdir()):
                raise RunError(
                    f"{place} is not empty and holds no checkpoint", hint="name an empty folder, or a new one"
                )
            known = {"format": FORMAT, "name": uuid.uuid4().hex[:12], "shards": shards, "run": run}
            write_json(described, known)
        known = read_json(described)
        if known.get("format") != FORMAT:
            raise RunError(
                f"the checkpoint {place} has format {known.get('format')}, not {FORMAT}",
                hint="another version of Tailrace wrote it; name a new folder",
            )
        differs = difference(known["run"], json.loads(json.dumps(run)))
        if differs:
            raise RunError(
                f"the checkpoint {place} does not fit this script: {differs}",
                hint="run the script as it was, or name a new folder to begin anew",
            )
        return Checkpoint(folder, known["name"], known["shards"])

    @property
    def offsets(self) -> str:
        return str(self.folder / "offsets")

    @property
    def state(self) -> str:
        return str(self.folder / "state")

    def note(self, batch: int, what: Mapping[str, Any]) -> None:
        """Keep what a batch left behind; what only older batches need goes."""
        notes = self.folder / "notes"
        notes.mkdir(exist_ok=True)
        write_json(notes / f"{batch}.json", what)
        for file in notes.glob("*.json"):
            if file.stem.isdigit() and int(file.stem) <= batch - KEPT:
                file.unlink(missing_ok=True)

    def keep_edition(self, batch: int, edition: Edition) -> None:
        """Keep which queries stand from a batch on; of older ones, what the batch before may still need."""
        editions = self.folder / "editions"
        editions.mkdir(exist_ok=True)
        write_json(editions / f"{batch}.json", edition.to_json())
        older = sorted(int(file.stem) for file in editions.glob("*.json") if int(file.stem) < batch - 1)
        for number in older[:-1]:
            (editions / f"{number}.json").unlink(missing_ok=True)

    def edition_before(self, batch: int) -> Edition:
        """The queries that stood in the batch before this one."""
        files = {int(file.stem): file for file in (self.folder / "editions").glob("*.json")}
        before = [number for number in files if number < batch]
        if not before:
            if batch == 0:
                return Edition()
            raise RunError(
                f"the checkpoint {self.folder} does not say which queries stood in batch {batch - 1}",
                hint="something was removed from it; name a new folder to begin anew",
            )
        return Edition.from_json(read_json(files[max(before)]))

    def noted(self, batch: int) -> Any:
        """What a batch left behind."""
        file = self.folder / "notes" / f"{batch}.json"
        if not file.exists():
            raise RunError(
                f"the checkpoint {self.folder} has no note of batch {batch}",
                hint="something was removed from it; name a new folder to begin anew",
            )
        return read_json(file)


def difference(was: Mapping[str, Any], now: Mapping[str, Any]) -> str | None:
    """The first thing in which two descriptions differ, for people.

    >>> difference({"tick": 1, "origin": "None"}, {"tick": 2, "origin": "None"})
    'tick was 1 and is 2'
    """
    differ = (part for part in {**was, **now} if was.get(part) != now.get(part))
    return next((f"{part} was {was.get(part)} and is {now.get(part)}" for part in differ), None)


def write_json(file: Path, what: Mapping[str, Any]) -> None:
    """The whole file or none of it."""
    aside = file.with_suffix(f".{uuid.uuid4().hex}")
    # Without an indent, since there may be many queries in it and Python writes that ten times as fast.
    aside.write_text(json.dumps(what), encoding="utf-8")
    aside.replace(file)


def read_json(file: Path) -> Any:
    try:
        return json.loads(file.read_text(encoding="utf-8"))
    except ValueError:
        raise RunError(f"{file} is damaged", hint="name a new folder for the checkpoint to begin anew") from None
