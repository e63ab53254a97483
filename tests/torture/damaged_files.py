"""Damaged files: flips bits of a checkpoint's files, or cuts them, and looks whether that is noticed when it is opened.

All that a run reads of a checkpoint is read, as a run reads it. Either a RunError names the file, or all that was read
is what it was before, so that no answer can be another one.
"""

from __future__ import annotations

import json
import re
import shutil
import time
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from tailrace.errors import RunError
from tailrace.lowering import lower
from tailrace.spark.batch.stage_task import shard_folder, stage_folder
from tailrace.spark.run.checkpoint import Checkpoint, write_json
from tailrace.spark.run.checkpoint_lock import numbers
from tailrace.state.checksums import unseal
from tailrace.state.state_files import StateFolder
from tests.checkpoints import stored
from tests.golden.digests import digest, plain
from tests.spark.run import crashes
from tests.torture.stand_ins import forget_all
from tests.torture.tally import Finding, Tally

KINDS = {
    r"run\.json": "run.json",
    r"batches/.*": "records",
    r"plans/.*": "plan versions",
    r"locks/.*": "locks",
    r"state/.*\.manifest": "manifests",
    r"state/.*\.segment": "segments",
    r"offsets/.*\.crc": "Hadoop's checksums",
    r"offsets/offsets/.*": "offset logs",
    r"offsets/sources/.*": "source logs",
    r"offsets/.*": "other logs",
}
CUT = 0.2  # the share of files that are cut


def kind_of(path: str) -> str:
    """What a file of a checkpoint is.

    >>> kind_of("state/stage-0/of-2/shard-1/3-ab.segment"), kind_of("offsets/sources/s_1/0")
    ('segments', 'source logs')
    """
    return next((kind for pattern, kind in KINDS.items() if re.fullmatch(pattern, path)), "other files")


@dataclass(frozen=True)
class Reader:
    """Reads a checkpoint as a run does that goes on from it."""

    place: Path

    def read(self, damaged: str | None = None) -> dict[str, Any]:
        """What a run knows from the checkpoint; of the state, only that in the folder of the damaged file."""
        forget_all()
        assert lower.lower, "so the operators are known whose state this is"
        fixed = unseal((self.place / "run.json").read_bytes())[0]["run"] if damaged != "run.json" else self.facts()
        checkpoint = Checkpoint.open(str(self.place), fixed)
        with checkpoint.lock.hold():
            checkpoint.remove_torn_logs()
            newest = max(numbers(checkpoint.store.below("batches")))
            record = checkpoint.read_record(newest)
            found = {"newest": newest, "record": json.dumps({**record, "logs": None}, sort_keys=True)}
            found["plan"] = json.dumps(checkpoint.plan_version_before(newest + 1).to_json(), sort_keys=True)
            found["logs"] = self.logs(checkpoint)
        for stage, shards in record["state"].items():
            for shard, name in shards.items():
                folder = shard_folder(stage_folder(checkpoint.state, int(stage)), record["shards"], int(shard))
                below = str(Path(folder).relative_to(self.place))
                if damaged is None or damaged.startswith(f"{below}/"):
                    known = StateFolder(folder).load(name)
                    if known is None:
                        raise RunError(f"{folder}/{name} is not there")
                    found[below] = digest(sorted(repr((key, plain(each))) for key, each in known.items()))
        return found

    def facts(self) -> dict[str, Any]:
        """What `run.json` should say may not change."""
        return {"tick": 1_000_000, "origin": "None"}

    def logs(self, checkpoint: Checkpoint) -> dict[str, bytes]:
        """The logs that say what was read up to the newest record."""
        assert checkpoint.logs is not None
        known = (checkpoint.logs.folder / name for name in checkpoint.logs.checksums)
        return {path.name: path.read_bytes() for path in known if path.exists()}


def damage(content: bytes, chance: Random) -> tuple[bytes, str]:
    """A content with a flipped bit, or without its end."""
    if not content or chance.random() < CUT:
        length = chance.randrange(max(len(content), 1))
        return content[:length], f"only {length} bytes are left"
    at, bit = chance.randrange(len(content)), chance.randrange(8)
    flipped = bytearray(content)
    flipped[at] ^= 1 << bit
    return bytes(flipped), f"bit {bit} of byte {at} is flipped"


class DamagedFiles:
    """Damages one file after the other of a checkpoint, which is copied to `folder` anew each time."""

    def __init__(self, place: Path, folder: Path, tally: Tally) -> None:
        self.place, self.copy, self.tally = place, folder / "damaged", tally
        self.files: dict[str, list[str]] = {}
        for path in sorted(place.rglob("*")):
            if path.is_file():
                name = str(path.relative_to(place))
                self.files.setdefault(kind_of(name), []).append(name)
        self.take_copy()
        self.whole = Reader(self.copy).read()

    def take_copy(self) -> None:
        shutil.rmtree(self.copy, ignore_errors=True)
        shutil.copytree(self.place, self.copy)

    def try_one(self, seed: int) -> None:
        """Damage a file that is drawn by the seed, and read the checkpoint."""
        chance = Random(f"damage {seed}")
        kind = chance.choice(sorted(self.files))
        name = chance.choice(self.files[kind])
        self.take_copy()
        content, words = damage((self.place / name).read_bytes(), chance)
        (self.copy / name).write_bytes(content)
        what = Finding(f"damaged {kind}", seed, 0, f"{name}: {words}")
        self.tally.count(what.kind)
        try:
            found = Reader(self.copy).read(name)
        except RunError as problem:
            if str(self.copy / name) not in str(problem):
                self.tally.add(what, "unreadable", f"the file is not named: {problem}")
            self.tally.counts["damages that were named"] += 1
        except Exception as problem:
            self.tally.add(what, "unreadable", f"{type(problem).__name__}: {problem}")
        else:
            self.tally.counts["damages that changed nothing"] += 1
            for part, known in found.items():
                if known != self.whole[part]:
                    self.tally.add(what, "silent", f"{part} is another one")


def real_checkpoints(folder: Path) -> list[Path]:
    """Checkpoints of real runs: the stored one, one that was stopped, and one that was killed within a batch."""
    killed, stopped = crashes.made(folder / "killed"), crashes.made(folder / "stopped")
    killed.until_done(killed.start("moved:9"))
    stopped.until_done(stopped.start())
    return [stored_checkpoint(folder), stopped.folder / "kept", killed.folder / "kept"]


def stored_checkpoint(folder: Path) -> Path:
    """The stored checkpoint, which has state of every operator, with checksums, which its format did not have yet.

    It has no logs: its records have none of their checksums.
    """
    place = folder / "stored" / stored.KEPT
    stored.restore(folder / "stored")
    shutil.rmtree(place / "offsets")
    checkpoint = Checkpoint.open(str(place), unseal((place / "run.json").read_bytes())[0]["run"])
    records = checkpoint.store.below("batches")
    for batch in numbers(records):
        record = checkpoint.read_record(batch)
        for stage, shards in record["state"].items():
            for shard, name in shards.items():
                kept = StateFolder(
                    shard_folder(stage_folder(checkpoint.state, int(stage)), record["shards"], int(shard))
                )
                shards[shard] = kept.save(batch, kept.load(name))
                kept.store.remove(name)
        write_json(records, f"{batch}.json", record)
    return place


def try_damages(first: int, end: float, folder: Path, tally: Tally) -> None:
    """Damage files of real checkpoints until the clock says `end`."""
    tries = [
        DamagedFiles(place, folder / f"copy-{number}", tally) for number, place in enumerate(real_checkpoints(folder))
    ]
    seed = first
    while time.monotonic() < end:
        tries[seed % len(tries)].try_one(seed)
        seed += 1
