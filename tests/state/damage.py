"""Damage: files with a flipped bit or without their end, one after the other."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path


def damage_file(path: Path, every: int) -> Iterator[str]:
    """Damage a file in many ways, one at a time, and mend it in the end; yields what was done to it."""
    whole = path.read_bytes()
    for at in range(0, len(whole), every):
        flipped = bytearray(whole)
        flipped[at] ^= 1 << at % 8
        path.write_bytes(bytes(flipped))
        yield f"{path.name}: bit {at % 8} of byte {at} is flipped"
    for length in {0, 1, len(whole) // 2, len(whole) - 1}:
        path.write_bytes(whole[:length])
        yield f"{path.name}: only {length} bytes are left"
    path.write_bytes(whole)
