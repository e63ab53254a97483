"""Operator: what every operator is: an immutable specification, and one step over a batch.

`apply(inputs, state, span)` gets the changes of each input that became known with this batch and what it
remembered, and returns the changes of its output and what to remember. Once it returns, its output is final
for every instant up to `span.to`; rows that begin later may already be among it. An operator knows nothing of
Spark, files, metrics or other operators.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from tailrace.physical.delta import Delta, Span


@dataclass(frozen=True)
class Operator:
    """The base of operators. `types` are the Arrow types of the output's columns."""

    types: tuple[pa.DataType, ...]

    def start(self) -> Any:
        """What it remembers before the first batch; None for an operator without memory."""
        return None

    def takes_back(self, inputs: Sequence[bool]) -> bool:
        """Whether rows of negative weight may come out, given whether they may come in by each input."""
        return any(inputs)

    def apply(self, inputs: Sequence[Delta], state: Any, span: Span) -> tuple[Delta, Any]:
        raise AssertionError("each operator does something")
