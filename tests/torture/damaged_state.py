"""Damaged state: a file of operators' state is damaged, and a run with several queries goes on from it.

The run ends with an error that names the file, or all rows and all queries are what they would be. To take a query out
of the run would be another answer without a word: its state would be dropped.
"""

from __future__ import annotations

import re
import shutil
import time
from dataclasses import replace
from pathlib import Path
from random import Random

from tests.torture.crash_points import BATCHES, Recovery, run_undisturbed
from tests.torture.damaged_files import damage
from tests.torture.disk_faults import image_before
from tests.torture.runs import World
from tests.torture.scripts import draw_script
from tests.torture.simulated_disk import Image
from tests.torture.tally import Finding, Tally

STATE = re.compile(r"kept/state/.*\.(segment|manifest)")
EACH = 12  # damages of one script's checkpoint


def try_damage(recovery: Recovery, begin: Image, name: str, chance: Random, seed: int) -> None:
    """Damage a file of a checkpoint, run two batches, then put the file back if the run has ended, and go on."""
    tally = recovery.tally
    content, words = damage(begin.files[name], chance)
    what = Finding("damaged state of a run", seed, 0, f"{name}: {words}")
    shutil.rmtree(recovery.root, ignore_errors=True)
    replace(begin, files={**begin.files, name: content}).write(recovery.root)
    path = recovery.root / name
    try:
        recovery.world.run(recovery.root, 2)
    except Exception as problem:
        if str(path) not in str(problem):
            tally.add(what, "unreadable", f"the file is not named: {type(problem).__name__}: {problem}")
        path.write_bytes(begin.files[name])
        tally.counts["damages of state that were named"] += 1
    else:
        tally.counts["damages of state that nobody reads"] += 1
    if recovery.world.quarantined:
        tally.add(what, "silent", f"queries were taken out: {', '.join(sorted(recovery.world.quarantined))}")
        return
    recovery.check(Image.read(recovery.root), what)


def try_damaged_state(first: int, end: float, folder: Path, tally: Tally, most: int | None = None) -> None:
    """Damage state of one script's run after the other, of those with several queries, until the clock says `end`."""
    seed, tried = first, 0
    while time.monotonic() < end and (most is None or tried < most):
        script, chance = draw_script(seed), Random(f"damaged state {seed}")
        if len(script.formats) > 1:
            place = folder / f"state-{seed}"
            place.mkdir(parents=True)
            world = World(script, place, BATCHES)
            expected = run_undisturbed(world, place / "root")
            recovery = Recovery(world, expected, place / "again", tally)
            begin = image_before(expected, chance.randrange(2, BATCHES - 3))
            names = sorted(name for name in begin.files if STATE.fullmatch(name))
            for name in chance.sample(names, min(EACH, len(names))):
                if time.monotonic() > end or (most is not None and tried >= most):
                    break
                try_damage(recovery, begin, name, chance, seed)
                tried += 1
            shutil.rmtree(place)
        seed += 1
