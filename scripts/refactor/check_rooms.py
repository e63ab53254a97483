"""Check rooms: rooms.toml maps every module once, folders stay small, and which imports would point up.

Usage: check_rooms.py [--quiet]. It looks at the tree of today, through the map; exit status 1 when the map is wrong.
Imports that point up are printed and counted, and are no fault of the map: later steps take each of them away.
"""

from __future__ import annotations

import ast
import sys
from collections import Counter

from rooms import PACKAGE, ROOT, Rooms, Target, collisions, dotted, edges, imported, modules

MOST = 13


def map_faults(rooms: Rooms) -> list[str]:
    """What is wrong with the map itself."""
    today = modules(ROOT)
    times = Counter(source for target in rooms.targets for source in target.sources)
    places = Counter(new for target in rooms.targets for new in set(target.moves.values()))
    stay = {path for path in today if path.startswith("tests/")} - set(times)
    return [
        *(f"{path} is not mapped" for path in today if path.startswith(f"{PACKAGE}/") and path not in times),
        *(f"{path} is mapped but not there" for path in times if path not in today),
        *(f"{path} is mapped {number} times" for path, number in times.items() if number > 1),
        *(f"{path} comes from {number} entries" for path, number in places.items() if number > 1),
        *(f"{path} is taken by a test that stays" for path in places if path in stay),
        *(f"{target.room} has no place in the order" for target in rooms.targets if rooms.height(target.room) is None),
        *(f"{target.path}: {', '.join(found)} collide" for target in rooms.targets if (found := clashes(target))),
    ]


def clashes(target: Target) -> list[str]:
    """The names that collide in a merge that is to be made now."""
    return [] if target.later or len(target.sources) == 1 else sorted(collisions(target.sources))


def circles(rooms: Rooms) -> list[str]:
    """New modules that need each other to be imported: a merge that has to wait."""
    today = modules(ROOT, PACKAGE)
    known = {dotted(path): path for path in today}
    needs: dict[str, set[str]] = {}
    for path, file in today.items():
        tree = ast.parse(file.read_text(encoding="utf-8"))
        at_top = ast.Module([each for each in tree.body if isinstance(each, ast.Import | ast.ImportFrom)], [])
        found = {rooms.moves.get(target, target) for _, target in imported(at_top, known)}
        needs.setdefault(rooms.moves.get(path, path), set()).update(found)
    return [
        f"{path} needs itself, through {other}"
        for path, direct in needs.items()
        for other in direct - {path}
        if path in modules_reached_from(other, needs)
    ]


def modules_reached_from(start: str, needs: dict[str, set[str]]) -> set[str]:
    """All modules that one needs, directly or not."""
    found, waiting = set(), [start]
    while waiting:
        for other in needs.get(waiting.pop(), set()) - found:
            found.add(other)
            waiting.append(other)
    return found


def folder_faults(rooms: Rooms) -> list[str]:
    """Rooms with too many files, once all merges are made."""
    sizes = Counter(target.room for target in rooms.targets if not target.room.startswith("tests"))
    return [f"{room} has {size} files" for room, size in sizes.items() if size > max(MOST, rooms.larger.get(room, 0))]


def upward(rooms: Rooms) -> dict[tuple[str, str], list[str]]:
    """The imports that point up, by the rooms of both sides."""
    found: dict[tuple[str, str], list[str]] = {}
    for source, line, target in sorted(set(edges(ROOT))):
        if not source.startswith(f"{PACKAGE}/"):
            continue
        mine, other = (rooms.room_of(rooms.moves.get(path, path)) for path in (source, target))
        low, high = rooms.height(mine), rooms.height(other)
        if mine != other and low is not None and high is not None and low <= high and not are_related(mine, other):
            text = f"{rooms.moves[source]} ← {source}.py:{line} imports {rooms.moves[target]}"
            found.setdefault((mine, other), []).append(text)
    return found


def are_related(mine: str, other: str) -> bool:
    """Whether one room is inside the other, or both are of `bench`: these may import each other."""
    if mine.split("/")[0] == other.split("/")[0] == "bench":
        return True
    return f"{mine}/".startswith(f"{other}/") or f"{other}/".startswith(f"{mine}/")


def main(arguments: list[str]) -> int:
    rooms = Rooms()
    faults = map_faults(rooms) or folder_faults(rooms) + circles(rooms)
    for fault in faults:
        print(fault)
    found = upward(rooms)
    for (mine, other), lines in sorted(found.items()):
        print(f"{mine} → {other}: {len(lines)}")
        if "--quiet" not in arguments:
            print("\n".join(f"    {line}" for line in sorted(lines)))
    moved = [target for target in rooms.targets if not target.room.startswith("tests")]
    later = sum(target.later for target in moved)
    print(f"{len(rooms.moves)} modules mapped into {len(moved)} of the package ({later} merges wait) and their tests")
    print(f"{len(faults)} faults of the map, {sum(map(len, found.values()))} imports that point up")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
