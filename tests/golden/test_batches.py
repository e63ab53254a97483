"""Three hundred random worlds: each batch emits the rows, and operators remember the rows, that the golden files say.

The digests do not say what is right: `tests/operators` and `tests/testing` do. They say that nothing changed. Where
the digest of a world's inputs has changed too, it is the tests' generator that draws another world.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.golden.compare import WRITES, golden
from tests.golden.worlds import KINDS, draw_lines, line_of

FOLDER = Path(__file__).with_name("batches")
WORLDS = {"plans": 100, "plans_with_python": 30, "joins": 60, "sequences": 60, "families": 30, "stems": 20}
QUICK = {"families": 8, "stems": 5}  # worlds that are not slow: each has many queries


def parts() -> list[object]:
    """Which lines of the golden files a test compares: those of large worlds in two parts, of which one is slow."""
    quick = [pytest.param(kind, 0, QUICK.get(kind, number), id=kind) for kind, number in WORLDS.items()]
    slow = [
        pytest.param(kind, number, WORLDS[kind], id=f"{kind}-others", marks=pytest.mark.slow)
        for kind, number in QUICK.items()
    ]
    return [*quick, *slow]


def test_there_are_three_hundred() -> None:
    assert WORLDS.keys() == KINDS.keys()
    assert sum(len(golden_lines(kind)) for kind in WORLDS) == sum(WORLDS.values()) == 300


@pytest.mark.parametrize(("kind", "first", "end"), parts())
def test_batches(kind: str, first: int, end: int) -> None:
    if WRITES and first == 0:
        golden(golden_file(kind), "\n".join(draw_lines(kind, WORLDS[kind])) + "\n")
    differ = []
    for expected in golden_lines(kind)[first:end]:
        found = line_of(kind, int(expected.split()[1]))
        if found != expected:
            differ.append(f"{found}\nand was\n{expected}")
    assert not differ, f"{len(differ)} of {end - first} worlds differ; the first is\n{differ[0]}"


def golden_file(kind: str) -> Path:
    return FOLDER / f"{kind}.txt"


def golden_lines(kind: str) -> list[str]:
    return golden_file(kind).read_text(encoding="utf-8").splitlines()
