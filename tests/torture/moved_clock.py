"""Moved clock: rows are stamped at arrival, while somebody sets the machine's clock forward and back and crashes come.

When rows arrive is another thing in each run. So what is asked is what holds by any clock: each row is answered once,
and no instant is before one of an earlier batch: what was decided stays decided.
"""

from __future__ import annotations

import json
import shutil
import time
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from tests.torture.crash_points import WAYS, image_after
from tests.torture.runs import NAME, OUT, World
from tests.torture.scripts import Script
from tests.torture.simulated_disk import CHANGING, Image, SimulatedDisk, Volume
from tests.torture.stand_ins import DAY
from tests.torture.tally import Finding, Tally

BATCHES = 6
EACH = 12  # crashes of one run
TEXT = """
SET shards = {shards};
CREATE STREAM S (k INT, v INT) USING json OPTIONS (path 'inputs/S', maxFilesPerTrigger '1');
CREATE STREAM R (k INT, v INT) USING json OPTIONS (path 'inputs/R', maxFilesPerTrigger '1');
CREATE QUERY rows INTO json OPTIONS (path 'out/rows') AS SELECT ISTREAM(k, v) FROM S WHERE v % 3 <> 0;
CREATE QUERY counts INTO json OPTIONS (path 'out/counts')
AS SELECT k, COUNT(*) AS n FROM R [RANGE UNBOUNDED] GROUP BY k;
"""
LAST = 99  # the key of the rows of the last files
LATER = 400 * DAY  # to where the clock is set in the end: all that has arrived is decided then


def arriving(seed: int) -> Script:
    """A script whose rows bear the moment at which they arrive."""
    chance = Random(f"clock {seed}")
    text = TEXT.format(shards=chance.choice((1, 2)))
    return Script(seed, text, {"rows": "json", "counts": "json"}, chance.random() < 0.5)


@dataclass
class ClockWorld(World):
    """A world whose last file comes when all others are decided; its own rows are not looked at."""

    closes: bool = field(default=False, kw_only=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in "SR":
            last = max((self.folder / "inputs" / name).iterdir())
            last.write_text(json.dumps({"k": LAST, "v": 1}) + "\n")

    def files(self) -> dict[str, list[str]]:
        return {name: files if self.closes else files[:-1] for name, files in super().files().items()}

    def finish(self, root: Path) -> None:
        """Take all files, then set the clock far ahead, and take the last one."""
        self.run(root, self.batches)
        self.closes, self.clock.moves, self.clock.offset = True, False, LATER
        try:
            self.run(root, self.batches)
        finally:
            self.closes, self.clock.moves, self.clock.offset = False, True, 0

    def expected_answers(self) -> dict[str, Counter[Any]]:
        """The rows that were taken, and the counts of keys, by definition."""
        files = {name: sorted((self.folder / "inputs" / name).iterdir())[:-1] for name in "SR"}
        rows = {
            name: [json.loads(line) for path in paths for line in path.read_text().splitlines()]
            for name, paths in files.items()
        }
        wanted = Counter((row["k"], row["v"]) for row in rows["S"] if row["v"] % 3)
        return {"rows": wanted, "counts": Counter(Counter(row["k"] for row in rows["R"]).items())}


def answers(root: Path, name: str) -> list[tuple[int, dict[str, Any]]]:
    """The rows of a query in the order of their batches, each with its batch."""
    found = []
    for path in sorted((root / OUT / name).glob("part-*")):
        named = NAME.fullmatch(path.name)
        assert named, path
        found += [(int(named[1]), json.loads(line)) for line in path.read_text().splitlines()]
    return sorted(found, key=lambda each: each[0])


def current(changes: list[dict[str, Any]]) -> Counter[Any]:
    """What a changelog of counts by key leaves."""
    found: Counter[Any] = Counter()
    for row in changes:
        found[row.get("k"), row["n"]] += 1 if row["_op"] == "+" else -1
    return +found


def check(world: ClockWorld, root: Path, what: Finding, tally: Tally) -> None:
    """Finish a run, and compare what is in its sinks."""
    tally.count(what.kind)
    try:
        world.finish(root)
        found = {name: answers(root, name) for name in ("rows", "counts")}
    except Exception as problem:
        tally.add(what, "unreadable", f"{type(problem).__name__}: {problem}")
        return
    for name, rows in found.items():
        newest = {}
        for batch, row in rows:
            newest[batch] = max(newest.get(batch, ""), row["_ts"])
        for batch, row in rows:
            before = max((stamp for number, stamp in newest.items() if number < batch), default="")
            if row["_ts"] < before:
                tally.add(what, "silent", f"{name}: {row} of batch {batch} is before {before}")
                break
    expected = world.expected_answers()
    taken = Counter((row.get("k"), row["v"]) for _, row in found["rows"] if row.get("k") != LAST)
    changes = [row for _, row in found["counts"] if row.get("k") != LAST]
    for name, rows, wanted in (("rows", taken, expected["rows"]), ("counts", current(changes), expected["counts"])):
        for kind, others in (("lost", wanted - rows), ("doubled", rows - wanted)):
            if others:
                tally.add(what, kind, f"{name}: {others.total()}, such as {next(iter(others))}")


def try_moved_clock(first: int, end: float, folder: Path, tally: Tally, most: int | None = None) -> None:
    """Crash runs whose rows are stamped at arrival, until the clock of this machine says `end`."""
    seed, tried = first, 0
    while time.monotonic() < end and (most is None or tried < most):
        place, chance = folder / f"clock-{seed}", Random(f"moved clock {seed}")
        place.mkdir(parents=True)
        world = ClockWorld(arriving(seed), place, BATCHES)
        (place / "root").mkdir()
        with SimulatedDisk(place / "root").install() as disk, suppress(Exception):  # it fails again below
            world.run(place / "root", BATCHES)
        check(world, place / "root", Finding("clock moved", seed, 0, "no crash"), tally)
        changing = [at for at, done in enumerate(disk.trace) if done.kind in CHANGING]
        for at in chance.sample(changing, min(EACH, len(changing))):
            if time.monotonic() > end or (most is not None and tried >= most):
                break
            volume = Volume()
            for done in disk.trace[:at]:
                volume.apply(done)
            way = chance.choice(WAYS)
            image: Image = image_after(volume, way, chance)
            shutil.rmtree(place / "again", ignore_errors=True)
            image.write(place / "again")
            done = disk.trace[at]
            check(world, place / "again", Finding(f"clock moved, {way}", seed, at, f"{done.kind} {done.path}"), tally)
            tried += 1
        shutil.rmtree(place)
        seed += 1
