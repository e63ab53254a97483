"""Operator: what every operator is: an immutable specification, and one step over a batch.

`apply(inputs, state, span)` gets the changes of each input that became known with this batch and what it
remembered, and returns the changes of its output and what to remember. Once it returns, its output is final
for every instant up to `span.to`; rows that begin later may already be among it. An operator knows nothing of
Spark, files, metrics or other operators.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import pyarrow as pa

from tailrace.columnar.delta import Delta, Span
from tailrace.operators.output_watermark import OutputWatermark


@dataclass(frozen=True)
class KeyLink:
    """A value that rows have in common: a column of each input, and the columns of the output that hold it."""

    inputs: tuple[int, ...]
    outputs: tuple[int, ...]


@dataclass(frozen=True)
class Operator:
    """The base of operators. `types` are the Arrow types of the output's columns.

    Rows that differ in the value of some link never matter to each other, so they may be worked on in different
    shards. A `scattered` operator takes row by row: its rows may be anywhere, its links only say where values go.
    """

    types: tuple[pa.DataType, ...]

    row_local: ClassVar[bool] = False
    needs_whole_key: ClassVar[bool] = False  # rows are sharded by all of its links, not by some
    broadcast_inputs: ClassVar[int] = 0  # of so many inputs, the last ones, every shard has all rows
    records_statistics: ClassVar[bool] = False  # what it learns of its rows is told to the workers of the next batch
    makes_stream: ClassVar[bool] = False  # its rows are a stream's elements: of one instant and no negative weight
    label: ClassVar[str] = ""  # its name in plans (CQL §12.5, Table 1), where that is not the class's own

    def key_links(self, inputs: int) -> tuple[KeyLink, ...]:
        """The links of an operator with so many inputs; by default rows that matter to each other are equal."""
        return tuple(KeyLink((index,) * inputs, (index,)) for index in range(len(self.types)))

    def initial_state(self) -> Any:
        """What it remembers before the first batch; None for an operator without memory."""
        return None

    def may_retract(self, inputs: Sequence[bool]) -> bool:
        """Whether rows of negative weight may come out, given whether they may come in by each input."""
        return any(inputs)

    def pace(self, inputs: Sequence[OutputWatermark]) -> OutputWatermark:
        """How far its rows are decided, given how far those of each input are; spans are in this pace."""
        return OutputWatermark.together(inputs)

    def apply(self, inputs: Sequence[Delta], state: Any, span: Span) -> tuple[Delta, Any]:
        raise AssertionError("each operator does something")
