"""Relation: how a base relation's arriving rows become its history (semantics B.7).

A static or growing relation's row stays for ever; in one kept by + and - rows, the sign is the row's weight.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from tailrace.physical.delta import FOREVER, Delta, Span
from tailrace.physical.operator import Operator


@dataclass(frozen=True)
class Forever(Operator):
    """Rows that stay from their instant on."""

    called: ClassVar[str] = "relation"
    scattered: ClassVar[bool] = True

    def apply(self, inputs: Sequence[Delta], state: Any, span: Span) -> tuple[Delta, Any]:
        (delta,) = inputs
        return Delta(delta.start, np.full(len(delta), FOREVER, np.int64), delta.weight, delta.columns), state


@dataclass(frozen=True)
class Signed(Forever):
    """Rows that insert or delete one copy, as their weight says."""

    def takes_back(self, inputs: Sequence[bool]) -> bool:
        return True
