"""Crash points: a run ends at each of its calls to the disk, and another one goes on from what is there.

Each point is tried three times: the process was killed (all that was written is there), the power went (only what was
synced is there), and the power went while the disk had written something of the rest. What a later run then leaves must
be what an undisturbed run leaves: rows in sinks, and the state of operators.
"""

from __future__ import annotations

import logging
import shutil
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from tailrace.spark.batch.run_state import RunState
from tests.torture.runs import KEPT, Rows, World, rows_in_sinks, state_digests
from tests.torture.scripts import draw_script
from tests.torture.simulated_disk import CHANGING, Image, Operation, SimulatedDisk, Volume
from tests.torture.tally import Finding, Tally

BATCHES = 8  # of a run
WAYS = ("killed", "power lost", "power lost, by luck")


@dataclass
class Undisturbed:
    """What a run does that nothing disturbs: its calls to the disk, and what it leaves after each batch."""

    trace: list[Operation]
    taken: dict[int, dict[str, list[str]]]
    digests: dict[int, str]
    rows: dict[int, Rows]
    reported: dict[int, int]  # how many calls there were when a batch was reported


def run_undisturbed(world: World, root: Path) -> Undisturbed:
    root.mkdir()
    digests: dict[int, str] = {}
    reported: dict[int, int] = {}
    with SimulatedDisk(root).install() as disk:

        def after(state: RunState, number: int) -> None:
            digests[number], reported[number] = state_digests(state, root), len(disk.trace)

        model = world.run(root, world.batches, after)
    rows = {number: rows_in_sinks(root, world.script, number) for number in digests}
    return Undisturbed(disk.trace, model.taken, digests, rows, reported)


@dataclass
class Recovery:
    """Goes on from what is on a disk after a crash, and compares what that leaves with the undisturbed run."""

    world: World
    expected: Undisturbed
    root: Path
    tally: Tally

    def check_record(self, image: Image, what: Finding, after: int) -> None:
        """Each batch that was reported, up to the last one, `after`, must have its record."""
        if after >= 0 and f"{KEPT}/batches/{after}.json" not in image.files:
            self.tally.add(what, "lost", f"the record of batch {after}, which was reported")

    def check(self, image: Image, what: Finding, excused: bool = False) -> None:
        """Go on from an image; queries that are quarantined by then may have no rows only if they are `excused`."""
        shutil.rmtree(self.root, ignore_errors=True)
        image.write(self.root)
        digests: dict[int, str] = {}

        def remember(state: RunState, number: int) -> None:
            digests[number] = state_digests(state, self.root)

        self.tally.count(what.kind)
        try:
            taken = self.world.run(self.root, 2, remember).taken
            if any(self.expected.taken.get(number) != files for number, files in taken.items()):
                self.world.run(self.root, self.world.batches)
                digests = {}
            last = max(digests, default=max(self.expected.rows))
            rows = rows_in_sinks(self.root, self.world.script)
        except Exception as problem:
            self.tally.add(what, "unreadable", f"{type(problem).__name__}: {problem}")
            return
        out = self.world.quarantined if excused else frozenset()
        if out:
            self.tally.counts["runs with a query that was quarantined"] += 1
        self.compare(rows, {name: of for name, of in self.expected.rows[last].items() if name not in out}, what)
        for number, found in digests.items() if not out else ():
            if found != self.expected.digests[number]:
                self.tally.add(what, "other state", f"of batch {number}")

    def compare(self, found: Rows, expected: Rows, what: Finding) -> None:
        for name, rows in expected.items():
            lost, doubled = rows - found[name], found[name] - rows
            for kind, others in (("lost", lost), ("doubled", doubled)):
                if others:
                    self.tally.add(what, kind, f"{name}: {others.total()} rows, such as {next(iter(others))}")


@dataclass
class CrashPoints:
    """Tries all crash points of one script's run, or one in `every` of them."""

    seed: int
    folder: Path
    tally: Tally
    every: int = 1
    end: float = float("inf")  # of the clock that `time.monotonic` reads
    seen: set[int] = field(default_factory=set)

    def run(self) -> None:
        world = World(draw_script(self.seed), self.folder, BATCHES)
        expected = run_undisturbed(world, self.folder / "root")
        recovery = Recovery(world, expected, self.folder / "again", self.tally)
        self.tally.counts["batches"] += len(expected.rows)
        self.tally.counts["calls that change the disk"] += sum(done.kind in CHANGING for done in expected.trace)
        for place, (what, image) in enumerate(self.images(expected)):
            if time.monotonic() > self.end:
                return
            if place % self.every:
                continue
            after = max((n for n, calls in expected.reported.items() if calls <= what.place), default=-1)
            recovery.check_record(image, what, after)
            known = hash((image.folders, frozenset(image.files.items())))
            if known in self.seen:
                self.tally.counts["disks that had been seen"] += 1
                continue
            self.seen.add(known)
            self.tally.counts["crash points"] += 1
            recovery.check(image, what)

    def images(self, expected: Undisturbed) -> Iterator[tuple[Finding, Image]]:
        """What is on the disk after a crash before each call that changes it."""
        volume = Volume()
        for place, done in enumerate(expected.trace):
            if done.kind in CHANGING:
                for way in WAYS:
                    image = image_after(volume, way, Random(f"{self.seed} {place}"))
                    yield Finding(way, self.seed, place, f"{done.kind} {done.path}"), image
                volume.apply(done)


def image_after(volume: Volume, way: str, chance: Random) -> Image:
    match way:
        case "killed":
            return volume.after_kill()
        case "power lost":
            return volume.after_power_loss()
    return volume.after_luck(chance)


def try_crash_points(first: int, end: float, folder: Path, tally: Tally) -> None:
    """All crash points of one script after the other, from a seed on, until the clock says `end`."""
    logging.getLogger("tailrace").setLevel(logging.ERROR)
    seed = first
    while time.monotonic() < end:
        place = folder / f"crashes-{seed}"
        place.mkdir(parents=True)
        CrashPoints(seed, place, tally, end=end).run()
        shutil.rmtree(place)
        seed += 1
    tally.counts["scripts"] += seed - first
