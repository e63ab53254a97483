"""Checkpoint: the folder from which a standing run goes on, on this machine or where its address says.

It holds what the run is (`run.json`), Structured Streaming's offsets (`offsets/`), what operators remember (`state/`),
a note for each batch of how far time had come (`notes/`), and which queries stood from which batch on (`editions/`).
All of it agrees by the number of the batch: batch n starts from note n − 1 and the state that this note names, so that
a batch that was cut short can be run again.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tailrace.errors import RunError
from tailrace.staging.plan_version import PlanVersion
from tailrace.state.storage import Storage, store_at

FORMAT = 6
KEPT = 2  # notes: the last batch may have to be run again, from the note before


@dataclass(frozen=True)
class Checkpoint:
    """An open checkpoint; `name` is unique, and part of the names of the files of results."""

    store: Storage
    name: str

    @staticmethod
    def open(place: str, run: Mapping[str, Any]) -> Checkpoint:
        """The checkpoint in a folder, made if there is none; refused if it is of another run than this."""
        store = store_at(place)
        try:
            store.make()
        except (FileExistsError, NotADirectoryError):
            raise RunError(f"the checkpoint {place} is a file, and a folder is wanted") from None
        known = read_json(store, "run.json")
        if known is None:
            if store.names():
                raise RunError(
                    f"{place} is not empty and holds no checkpoint", hint="name an empty folder, or a new one"
                )
            known = {"format": FORMAT, "name": uuid.uuid4().hex[:12], "run": run}
            write_json(store, "run.json", known)
            known = json.loads(json.dumps(known))
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
        return Checkpoint(store, known["name"])

    @property
    def place(self) -> str:
        return self.store.address

    @property
    def offsets(self) -> str:
        return self.store.below("offsets").for_spark

    @property
    def state(self) -> str:
        return self.store.below("state").address

    def write_record(self, batch: int, what: Mapping[str, Any]) -> None:
        """Keep what a batch left behind; what only older batches need goes."""
        notes = self.store.below("notes")
        notes.make()
        write_json(notes, f"{batch}.json", what)
        for number in numbers(notes):
            if number <= batch - KEPT:
                notes.remove(f"{number}.json")

    def keep_edition(self, batch: int, edition: PlanVersion) -> None:
        """Keep which queries stand from a batch on; of older ones, what the batch before may still need."""
        editions = self.store.below("editions")
        editions.make()
        write_json(editions, f"{batch}.json", edition.to_json())
        older = sorted(number for number in numbers(editions) if number < batch - 1)
        for number in older[:-1]:
            editions.remove(f"{number}.json")

    def edition_before(self, batch: int) -> PlanVersion:
        """The queries that stood in the batch before this one."""
        editions = self.store.below("editions")
        before = [number for number in numbers(editions) if number < batch]
        if not before:
            if batch == 0:
                return PlanVersion()
            raise RunError(
                f"the checkpoint {self.place} does not say which queries stood in batch {batch - 1}",
                hint="something was removed from it; name a new folder to begin anew",
            )
        return PlanVersion.from_json(read_json(editions, f"{max(before)}.json"))

    def read_record(self, batch: int) -> Any:
        """What a batch left behind."""
        found = read_json(self.store.below("notes"), f"{batch}.json")
        if found is None:
            raise RunError(
                f"the checkpoint {self.place} has no note of batch {batch}",
                hint="something was removed from it; name a new folder to begin anew",
            )
        return found


def difference(was: Mapping[str, Any], now: Mapping[str, Any]) -> str | None:
    """The first thing in which two descriptions differ, for people.

    >>> difference({"tick": 1, "origin": "None"}, {"tick": 2, "origin": "None"})
    'tick was 1 and is 2'
    """
    differ = (part for part in {**was, **now} if was.get(part) != now.get(part))
    return next((f"{part} was {was.get(part)} and is {now.get(part)}" for part in differ), None)


def numbers(folder: Storage) -> list[int]:
    """The numbers of the files in a folder that are called by one."""
    stems = (name.removesuffix(".json") for name in folder.names() if name.endswith(".json"))
    return [int(stem) for stem in stems if stem.isdigit()]


def write_json(folder: Storage, name: str, what: Mapping[str, Any]) -> None:
    """The whole file or none of it."""
    # Without an indent, since there may be many queries in it and Python writes that ten times as fast.
    folder.write(name, json.dumps(what).encode())


def read_json(folder: Storage, name: str) -> Any:
    """What a file says, None if there is none."""
    content = folder.read(name)
    try:
        return None if content is None else json.loads(content)
    except ValueError:
        place = f"{folder.address}/{name}"
        raise RunError(f"{place} is damaged", hint="name a new folder for the checkpoint to begin anew") from None
