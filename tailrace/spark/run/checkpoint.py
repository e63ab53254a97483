"""Checkpoint: the folder from which a continuous run resumes; a path of this machine, or an address such as hdfs://….

| in the folder | what it is |
|---|---|
| `run.json` | what cannot change: tick, origin, format version and a unique name |
| `offsets/` | Structured Streaming's own logs: how far each source was read |
| `state/` | the state of operators, by stage and shard |
| `batches/` | a record of each batch: its watermarks, the manifests of its state, the next batch's shedding |
| `inputs/` | of batches that left files out: which, and which of those of earlier batches they read |
| `plans/` | plan versions: the queries that run from a batch on |
| `locks/` | the run that uses the checkpoint now |

All of it agrees by the number of the batch. Batch n starts from record n − 1 and the state that this record names, and
writes its own beside them. So a batch that was cut short can be run again from the same start.

All that a batch wrote is durable before its record is written, and the record before the batch is reported.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from tailrace.errors import RunError
from tailrace.spark.io.sources import TICKS
from tailrace.spark.run.checkpoint_lock import CheckpointLock, numbers
from tailrace.spark.run.stream_logs import StreamLogs
from tailrace.staging.plan_version import PlanVersion
from tailrace.state.checksums import damage_of, read_sealed, seal
from tailrace.state.storage import LocalStorage, Storage, store_at
from tailrace.state.sync_files import sync_folder

FORMAT = 9
UNSEALED = 8  # the format before, without checksums: such a checkpoint is upgraded when it is opened
KEPT = 2  # records that are kept: if the last batch is run again, it starts from the record before


@dataclass(frozen=True)
class Checkpoint:
    """An open checkpoint; its unique `name` is part of the names of result files."""

    store: Storage
    name: str
    syncs: bool = False
    logs: StreamLogs | None = field(default=None, compare=False)  # None of an address such as hdfs://

    @staticmethod
    def open(place: str, run: Mapping[str, Any], syncs: bool = False) -> Checkpoint:
        """Open a checkpoint, or create one in an empty folder; refused if what may not change (`run`) differs.

        If it `syncs`, what it says outlives a power loss.
        """
        store = store_at(place, syncs)
        try:
            store.make()
        except (FileExistsError, NotADirectoryError):
            raise RunError(f"the checkpoint {place} is a file, not a folder") from None
        known, is_sealed = read_or_create(store, place, run)
        if known.get("format") == FORMAT and not is_sealed:
            raise damage_of(store, "run.json")
        if known.get("format") not in (FORMAT, UNSEALED):
            raise RunError(
                f"the checkpoint {place} has format {known.get('format')}, not {FORMAT}",
                hint="another version of Tailrace wrote it; name a new folder",
            )
        differs = difference(known["run"], json.loads(json.dumps(run)))
        if differs:
            raise RunError(
                f"the checkpoint {place} does not fit this script: {differs}",
                hint="run the script as it was, or name a new folder to start empty",
            )
        if known["format"] == UNSEALED:
            with CheckpointLock(store.below("locks"), place).hold():
                add_checksums(store, known)
        local = isinstance(store, LocalStorage)
        logs = StreamLogs(Path(store.below("offsets").address)) if local else None
        checkpoint = Checkpoint(store, known["name"], syncs, logs)
        checkpoint.verify_logs()
        return checkpoint

    @property
    def place(self) -> str:
        return self.store.address

    @cached_property
    def lock(self) -> CheckpointLock:
        """The lock that a run holds from its start to its end; what this run writes, it writes only with the lock."""
        return CheckpointLock(store_at(self.place).below("locks"), self.place)

    @property
    def offsets(self) -> str:
        return self.store.below("offsets").for_spark

    @property
    def state(self) -> str:
        return self.store.below("state").address

    def commit(self, batch: int, what: Mapping[str, Any]) -> None:
        """Write the record of a batch: from now on it counts, and the next one starts from it. Removes old records.

        What Structured Streaming has noted of the batch is made durable before. Refused if another run has taken the
        checkpoint over.
        """
        self.lock.check()
        if self.logs is not None:
            if self.syncs:
                self.logs.sync()
            what = {**what, "logs": self.logs.add_checksums()}
        records = self.store.below("batches")
        records.make()
        write_json(records, f"{batch}.json", what)
        for number in numbers(records):
            if number <= batch - KEPT:
                records.remove(f"{number}.json")

    def verify_logs(self) -> None:
        """Compare Structured Streaming's logs with the checksums in the newest record, if it has some."""
        if self.logs is not None:
            self.logs.verify(self.read_newest_record().get("logs", {}))

    def remove_torn_logs(self) -> list[str]:
        """Remove logs of Structured Streaming that a crash left damaged and that no record needs.

        A batch without a plan is planned anew: what an earlier attempt at it has chosen goes too.
        """
        if self.logs is None:
            return []
        if self.logs.checksums:
            self.verify_logs()  # another run may have used the checkpoint since it was opened
        newest, torn = max(numbers(self.store.below("batches")), default=-1), list[str]()
        if newest < 0 or self.logs.checksums:  # of a record without checksums it is not known which logs it needs
            torn = self.logs.remove_torn(newest)
        self.remove_choices(newest)
        return torn

    def remove_choices(self, newest: int) -> None:
        """Remove the choices of files of batches after the `newest` recorded one that have no plan any more."""
        choices, planned = self.store.below("inputs"), set(self.store.below("offsets").below("offsets").names())
        outdated = [number for number in numbers(choices) if number > newest and str(number) not in planned]
        for number in outdated:
            choices.remove(f"{number}.json")
        if outdated and self.syncs:
            sync_folder(choices.address)

    def ticks_name(self, now: int) -> str:
        """The name of Spark's source of ticks in the next stream, if the clock shows `now` in nanoseconds.

        Spark refuses to go on with ticks that are later than the clock, which may have been set back. Then the source
        gets a new name, and its ticks begin anew; so they do if the last batch had none.
        """
        logs = self.store.below("offsets")
        batches = [int(name) for name in logs.below("offsets").names() if name.isdigit()]
        lines = (logs.below("offsets").read(str(max(batches))) or b"").decode().splitlines() if batches else []
        last = json.loads(lines[1])["batchTimestampMs"] if len(lines) > 1 else 0
        names = [line.partition(":")[0] for line in lines[2:] if line.startswith(TICKS)]
        known = sum(name.startswith(TICKS) for name in logs.below("sources").names())
        if names and last * 1_000_000 <= now:
            return names[0]
        return f"{TICKS}_{known + 1}" if known else TICKS

    def write_choice(self, batch: int, choice: Mapping[str, Any]) -> None:
        """Write which files a batch leaves out, before it delivers anything; what is written of older batches goes."""
        self.lock.check()
        choices = self.store.below("inputs")
        choices.make()
        write_json(choices, f"{batch}.json", choice)
        for number in numbers(choices):
            if number < batch - 1:
                choices.remove(f"{number}.json")

    def read_choice(self, batch: int) -> Any:
        """Read which files an earlier attempt at a batch left out; None if it left none out."""
        return read_json(self.store.below("inputs"), f"{batch}.json")

    def write_plan_version(self, batch: int, version: PlanVersion) -> None:
        """Write the plan version from a batch on; older ones go, except those that a repeated batch may need."""
        self.lock.check()
        versions = self.store.below("plans")
        versions.make()
        write_json(versions, f"{batch}.json", version.to_json())
        older = sorted(number for number in numbers(versions) if number < batch - 1)
        for number in older[:-1]:
            versions.remove(f"{number}.json")

    def plan_version_before(self, batch: int) -> PlanVersion:
        """The plan version of the batch before this one; an empty version before batch 0."""
        versions = self.store.below("plans")
        before = [number for number in numbers(versions) if number < batch]
        if not before:
            if batch == 0:
                return PlanVersion()
            raise RunError(
                f"the checkpoint {self.place} does not say which queries ran in batch {batch - 1}",
                hint="something was removed from it; name a new folder to start empty",
            )
        return PlanVersion.from_json(read_json(versions, f"{max(before)}.json"))

    def has_record(self, batch: int) -> bool:
        """Whether a batch counts."""
        return batch in numbers(self.store.below("batches"))

    def read_newest_record(self) -> Any:
        """Read the record of the last batch that counts; empty if none does."""
        newest = max(numbers(self.store.below("batches")), default=None)
        return {} if newest is None else self.read_record(newest)

    def read_record(self, batch: int) -> Any:
        """Read the record of a batch; raises a RunError if it is missing."""
        found = read_json(self.store.below("batches"), f"{batch}.json")
        if found is None:
            raise RunError(
                f"the checkpoint {self.place} has no record of batch {batch}",
                hint="something was removed from it; name a new folder to start empty",
            )
        return found

    def check_kind_of_time(self, in_ticks: bool | None, now_in_ticks: bool | None) -> None:
        """A RunError if timestamps, which were numbers of ticks or TIMESTAMPs, are not now; None: it is not known."""
        told = (in_ticks, now_in_ticks)
        if None not in told and in_ticks != now_in_ticks:
            was, now = (("TIMESTAMPs", "numbers of ticks")[bool(each)] for each in told)
            raise RunError(
                f"the checkpoint {self.place} does not fit this script: timestamps were {was}, and are now {now}",
                hint="run the script as it was, or name a new folder to start empty",
            )


def read_or_create(store: Storage, place: str, run: Mapping[str, Any]) -> tuple[dict[str, Any], bool]:
    """Read `run.json`, and whether it has a checksum; an empty folder gets one first, by one of those that open it."""
    found = read_sealed(store, "run.json")
    if found is None:
        # A crash at the start leaves files that begin so.
        if all(name.startswith("run.json.") for name in store.names()):
            known = {"format": FORMAT, "name": uuid.uuid4().hex[:12], "run": run}
            store.create("run.json", seal(json.dumps(known)))
        found = read_sealed(store, "run.json")  # that of another run, if it was first
    if found is None:
        raise RunError(f"{place} is not empty and holds no checkpoint", hint="name an empty folder, or a new one")
    return found


def difference(was: Mapping[str, Any], now: Mapping[str, Any]) -> str | None:
    """Name the first item in which two descriptions of a run differ; None if they are equal.

    >>> difference({"tick": 1, "origin": "None"}, {"tick": 2, "origin": "None"})
    'tick was 1 and is 2'
    """
    differ = (part for part in {**was, **now} if was.get(part) != now.get(part))
    return next((f"{part} was {was.get(part)} and is {now.get(part)}" for part in differ), None)


def write_json(folder: Storage, name: str, what: Mapping[str, Any]) -> None:
    """Write a file of JSON atomically, with a checksum."""
    # Without an indent: Python writes that ten times as fast, and a plan version may have many queries.
    folder.write(name, seal(json.dumps(what)))


def read_json(folder: Storage, name: str) -> Any:
    """Read a file that `write_json` wrote; None if there is no such file, a RunError if it is damaged."""
    found = read_sealed(folder, name)
    if found is None:
        return None
    what, is_sealed = found
    if not is_sealed:
        raise damage_of(folder, name)
    return what


def add_checksums(store: Storage, run: Mapping[str, Any]) -> None:
    """Upgrade a checkpoint without checksums: its records and plan versions get some, and `run.json` the new format.

    That comes last: an upgrade that was cut short begins again.
    """
    for folder in (store.below("batches"), store.below("plans")):
        for number in numbers(folder):
            found = read_sealed(folder, f"{number}.json")
            if found is not None:
                write_json(folder, f"{number}.json", found[0])
    write_json(store, "run.json", {**run, "format": FORMAT})
