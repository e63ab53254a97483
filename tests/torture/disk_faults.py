"""Disk faults: a call to the disk fails, once or from then on; the run ends or goes on, and then the power goes.

The disk is full (ENOSPC, from one call on), read-only (EROFS, likewise), or has an error (EIO, at one call). A sync
that failed has lost what it was to write, and the next sync of that file says nothing of it. A slow disk fails at no
call, but each may take up to two minutes. A query whose sink is full or read-only may be quarantined; then only the
other queries are compared.
"""

from __future__ import annotations

import errno
import shutil
import time
from dataclasses import replace
from pathlib import Path
from random import Random

from tests.torture.crash_points import BATCHES, Recovery, Undisturbed, run_undisturbed
from tests.torture.runs import World
from tests.torture.scripts import draw_script
from tests.torture.simulated_disk import Image, SimulatedDisk, Volume
from tests.torture.tally import Finding, Tally

FAULTS = {"disk error": (errno.EIO, False), "disk full": (errno.ENOSPC, True), "disk read-only": (errno.EROFS, True)}
EXCUSED = ("disk full", "disk read-only")
WENT_ON = "it went on"
SLOWEST = 120  # seconds that a call to a slow disk takes at most


def image_before(expected: Undisturbed, batch: int) -> Image:
    """What is on the disk, all of it durable, when a batch begins."""
    volume = Volume()
    for done in expected.trace[: expected.reported.get(batch - 1, 0)]:
        volume.apply(done)
    return volume.after_kill()


def try_fault(recovery: Recovery, begin: Image, kind: str, call: int, seed: int) -> bool:
    """Run two batches, of which a call fails, and go on after that; False if there is no such call."""
    root = recovery.root
    shutil.rmtree(root, ignore_errors=True)
    begin.write(root)
    code, lasting = FAULTS[kind]
    disk = SimulatedDisk(root, failing=call, code=code, lasting=lasting)
    said, after = run_on(recovery, disk)
    if disk.calls <= call:
        return False
    failed = disk.trace[call]
    finding = Finding(kind, seed, call, f"{failed.kind} {failed.path}, {said}")
    check_both(recovery, begin, disk, finding, after, kind in EXCUSED)
    return True


def try_slow_disk(recovery: Recovery, begin: Image, seed: int) -> None:
    """Run two batches on a disk that takes long for each call, and go on after that."""
    root, clock, chance = recovery.root, recovery.world.clock, Random(f"slow {seed}")
    shutil.rmtree(root, ignore_errors=True)
    begin.write(root)

    def wait() -> None:
        clock.waited += chance.choice((0, 0, 0, 1, SLOWEST))

    disk = SimulatedDisk(root, wait=wait)
    said, after = run_on(recovery, disk)
    finding = Finding("disk slow", seed, 0, said)
    if said != WENT_ON:
        recovery.tally.add(finding, "unreadable", said)
    check_both(recovery, begin, disk, finding, after, False)


def run_on(recovery: Recovery, disk: SimulatedDisk) -> tuple[str, int]:
    """Run two batches on a disk; what came of it, in words, and the last batch that was reported."""
    reported = [-1]
    with disk.install():
        try:
            recovery.world.run(recovery.root, 2, lambda state, number: reported.append(number))
        except Exception as problem:
            return f"it ended: {type(problem).__name__}", reported[-1]
    return WENT_ON, reported[-1]


def check_both(recovery: Recovery, begin: Image, disk: SimulatedDisk, what: Finding, after: int, excused: bool) -> None:
    """Go on after the process has ended, and after the power went too."""
    volume = Volume.of(begin)
    for done in disk.trace:
        volume.apply(done)
    images = {what.kind: volume.after_kill(), f"{what.kind}, power lost": volume.after_power_loss()}
    for kind, image in images.items():
        finding = replace(what, kind=kind)
        recovery.check_record(image, finding, after)
        recovery.check(image, finding, excused)


def try_disk_faults(first: int, end: float, folder: Path, tally: Tally, most: int | None = None) -> None:
    """Let calls fail, at random places of one script's run after the other, until the clock says `end`."""
    seed, tried = first, 0
    while time.monotonic() < end and (most is None or tried < most):
        place, chance = folder / f"faults-{seed}", Random(f"faults {seed}")
        place.mkdir(parents=True)
        world = World(draw_script(seed), place, BATCHES)
        expected = run_undisturbed(world, place / "root")
        recovery = Recovery(world, expected, place / "again", tally)
        begin = image_before(expected, chance.randrange(BATCHES - 3))
        if most is None or tried < most:
            try_slow_disk(recovery, begin, seed)
            tried += 1
        for kind in FAULTS:
            calls = list(range(len(expected.trace) // BATCHES * 2))
            for call in chance.sample(calls, min(12, len(calls))):
                if time.monotonic() > end or (most is not None and tried >= most):
                    break
                tried += try_fault(recovery, begin, kind, call, seed)
        shutil.rmtree(place)
        seed += 1
    tally.counts["calls that failed, and slow runs"] += tried
