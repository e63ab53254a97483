"""Disk faults: a call to the disk fails, once or from then on; the run ends or goes on, and then the power goes.

The disk is full (ENOSPC, from one call on), read-only (EROFS, likewise), or has an error (EIO, at one call). A sync
that failed has lost what it was to write, and the next sync of that file says nothing of it.
"""

from __future__ import annotations

import errno
import shutil
import time
from pathlib import Path
from random import Random

from tests.torture.crash_points import BATCHES, Recovery, Undisturbed, run_undisturbed
from tests.torture.runs import World
from tests.torture.scripts import draw_script
from tests.torture.simulated_disk import Image, SimulatedDisk, Volume
from tests.torture.tally import Finding, Tally

FAULTS = {"disk error": (errno.EIO, False), "disk full": (errno.ENOSPC, True), "disk read-only": (errno.EROFS, True)}


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
    said = "it went on"
    with SimulatedDisk(root, failing=call, code=code, lasting=lasting).installed() as disk:
        try:
            recovery.world.run(root, 2)
        except Exception as problem:
            said = f"it ended: {type(problem).__name__}"
    if disk.calls <= call:
        return False
    volume = Volume.of(begin)
    for done in disk.trace:
        volume.apply(done)
    failed = disk.trace[call]
    for way, image in ((kind, volume.after_kill()), (f"{kind}, power lost", volume.after_power_loss())):
        recovery.check(image, Finding(way, seed, call, f"{failed.kind} {failed.path}, {said}"))
    return True


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
        for kind in FAULTS:
            calls = list(range(len(expected.trace) // BATCHES * 2))
            for call in chance.sample(calls, min(12, len(calls))):
                if time.monotonic() > end or (most is not None and tried >= most):
                    break
                tried += try_fault(recovery, begin, kind, call, seed)
        shutil.rmtree(place)
        seed += 1
    tally.counts["calls that failed"] += tried
