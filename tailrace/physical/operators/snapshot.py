"""Snapshot: a relation as it stands at the end of each batch. At span.to it is R(span.to), all rows of that instant."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tailrace.physical.delta import Delta, Span
from tailrace.physical.operators.r_stream import RStream


@dataclass(frozen=True)
class Snapshot(RStream):
    def apply(self, inputs: Sequence[Delta], state: Delta, span: Span) -> tuple[Delta, Any]:
        return super().apply(inputs, state, Span(span.to - 1, span.to))
