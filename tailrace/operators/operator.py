"""Operator: the base of all operators: an immutable specification, and `apply`, which processes one batch.

`apply(inputs, state, span)` gets the changes of each input that became known with this batch and the operator's
state, and returns the changes of its output and the new state. Once it returns, its output is final for every
instant up to `span.to`; the output may already hold rows that begin later. An operator knows nothing of Spark,
files, metrics or other operators.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import pyarrow as pa

from tailrace.columnar.delta import Delta, Span
from tailrace.operators.output_watermark import OutputWatermark
from tailrace.stable_encoding import compared_values
from tailrace.state.resharding import ShardKey, shift_key


@dataclass(frozen=True)
class KeyLink:
    """A value by which rows belong together, as a join's key: its column in each input, and its output columns."""

    inputs: tuple[int, ...]
    outputs: tuple[int, ...]


@dataclass(frozen=True)
class Operator:
    """The base of operators. `types` are the Arrow types of the output's columns.

    Rows that differ in the value of some key link never matter to each other, so they may be in different shards. A
    `row_local` operator processes each row by itself: its rows may be in any shard, and its key links only say which
    output column holds the value of which input column.
    """

    types: tuple[pa.DataType, ...]

    kind: ClassVar[str]  # its name in checkpoints, which never changes
    state_version: ClassVar[int] = 1  # raised when the meaning or the layout of its state changes
    keeps_rows: ClassVar[bool] = False  # at every instant its output has the rows that its input has
    forgets: ClassVar[bool] = False  # its state follows from the rows that are in its inputs now
    reacts_to_time: ClassVar[bool] = True  # it may emit rows because time passes, also if no row arrives
    row_local: ClassVar[bool] = False
    needs_whole_key: ClassVar[bool] = False  # rows must be sharded by all of its key links, not by some of them
    broadcast_inputs: ClassVar[int] = 0  # how many inputs, the last ones, are broadcast: every shard has all their rows
    records_statistics: ClassVar[bool] = False  # it records statistics, which the workers get with the next batch
    makes_stream: ClassVar[bool] = False  # its rows are a stream's elements: one instant each, no negative weight
    label: ClassVar[str] = ""  # its name in plans (CQL §12.5, Table 1), if it is not the name of the class

    def key_links(self, inputs: int) -> tuple[KeyLink, ...]:
        """The key links of an operator with this many inputs; by default only equal rows matter to each other."""
        return tuple(KeyLink((index,) * inputs, (index,)) for index in range(len(self.types)))

    def initial_state(self) -> Any:
        """The state before the first batch; None for an operator without state."""
        return None

    @property
    def has_own_state(self) -> bool:
        """Whether its rows depend on state that an earlier batch left.

        An operator that keeps rows may be put into a plan at any time: it starts empty and its rows are right.
        """
        return not self.keeps_rows and self.initial_state() is not None

    def horizon(self, inputs: Sequence[int]) -> int | None:
        """For how many instants a row can matter to its state, given the same of its inputs; None if without end."""
        return max(inputs) + 1 if self.forgets else None

    def shard_columns(self, keys: Sequence[ShardKey]) -> tuple[ShardKey, ...]:
        """For each synopsis of the state, the columns of its rows that hold a shard's key.

        `keys` has the columns by which each input is sharded. By default the state is one synopsis, whose rows are
        those of the first input after a column of its own, such as a weight. An operator without key links is not
        asked, since all its state is in one shard.
        """
        return (shift_key(keys[0], 1),)

    def state_key(self) -> tuple[object, ...]:
        """What the state depends on besides the inputs: by default all fields that take part in equality."""
        return tuple(compared_values(self))

    def is_identity(self, with_starts: bool) -> bool:
        """Whether its rows are those of its input, so that it needs no id of its own.

        `with_starts` says whether the instant counts from which a query sees rows.
        """
        return False

    def may_retract(self, inputs: Sequence[bool]) -> bool:
        """Whether the output may have rows of negative weight; `inputs` says whether each input may."""
        return any(inputs)

    def pace(self, inputs: Sequence[OutputWatermark]) -> OutputWatermark:
        """The output watermark, given those of the inputs. The span that `apply` gets is measured by it."""
        return OutputWatermark.together(inputs)

    def apply(self, inputs: Sequence[Delta], state: Any, span: Span) -> tuple[Delta, Any]:
        raise AssertionError("each operator does something")
