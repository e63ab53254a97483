"""Operator: the base of all operators: an immutable specification, and `apply`, which processes one batch.

`apply(inputs, state, span, context)` gets the changes of each input that became known with this batch and the
operator's state, and returns the changes of its output and the new state. Once it returns, its output is final for
every instant up to `span.to`; the output may already hold rows that begin later. An operator knows nothing of Spark,
files, metrics or other operators.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

import pyarrow as pa

from tailrace.columnar.delta import Delta, Span
from tailrace.logical.expressions import Expression
from tailrace.logical.windows import TimeWindow
from tailrace.operators.families.routing.policies import FilterCounts, StatsByFilter, merge_stats
from tailrace.operators.families.routing.statistics import StatsByFamily
from tailrace.operators.names import Names
from tailrace.operators.output_watermark import OutputWatermark
from tailrace.stable_encoding import compared_values
from tailrace.state.resharding import ShardKey, shift_key

if TYPE_CHECKING:
    from tailrace.operators.pushdown import Pushdown
    from tailrace.operators.relational.pre_aggregation import PreAggregation


@dataclass(frozen=True)
class KeyLink:
    """A value by which rows belong together, as a join's key: its column in each input, and its output columns."""

    inputs: tuple[int, ...]
    outputs: tuple[int, ...]


@dataclass(frozen=True)
class TaskContext:
    """Statistics by family, for operators that share work among queries, and what instants stand for."""

    statistics: StatsByFamily = field(default_factory=dict)  # of earlier batches
    recorded: dict[str, StatsByFilter] = field(default_factory=dict)  # by this task, for the driver
    origin: int = 0  # how many whole ticks after 1970 instant 0 is; 0 where timestamps count ticks
    in_ticks: bool | None = None  # whether timestamps count ticks; None: nobody knows, or it does not matter

    @staticmethod
    def empty() -> TaskContext:
        """The context of a task of which no batch came before."""
        return TaskContext()

    def statistics_of(self, family: str) -> StatsByFilter:
        return self.statistics.get(family, {})

    def record(self, family: str, counts: dict[str, FilterCounts]) -> None:
        """Add what filters of a family did with some rows."""
        self.recorded[family] = merge_stats([self.recorded.get(family, {}), counts])


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
    is_join: ClassVar[bool] = False  # its rows are combinations of its inputs' rows, while all of these are there
    keeps_ends: ClassVar[bool] = False  # a row ends when the input rows end that it is made of
    may_drop_rows: ClassVar[bool] = False  # it may leave rows of its input out
    cost_group: ClassVar[str] = ""  # the operators for which a tuple that leaves a window costs the same
    needs_arrival_order: ClassVar[bool] = False  # rows of one instant must come to it in order of arrival
    emits_in_order: ClassVar[bool] = False  # its rows come in order of time
    runs_beside_inputs: ClassVar[bool] = False  # its inputs must run in the same stage
    label: ClassVar[str] = ""  # its name in EXPLAIN, if that is not its kind
    is_listed: ClassVar[bool] = True  # it is named where a stage is told by its operators alone
    added_column: ClassVar[str] = ""  # the name of the column that it adds behind those of its first input, if it does

    def key_links(self, inputs: int) -> tuple[KeyLink, ...]:
        """The key links of an operator with this many inputs; by default only equal rows matter to each other."""
        return tuple(KeyLink((index,) * inputs, (index,)) for index in range(len(self.types)))

    def initial_state(self) -> Any:
        """The state before the first batch; None for an operator without state."""
        return None

    @property
    def has_own_state(self) -> bool:
        """Whether its rows depend on state of earlier batches; one that only keeps rows may start empty at any time."""
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

    @property
    def start(self) -> int:
        """The instant before which it hides rows; 0 for all operators but Since."""
        return 0

    def with_start(self, first: int) -> Operator:
        """The operator as it is in a query that starts at another instant."""
        return self

    def is_ordered_by(self, key: tuple[int, ...]) -> bool:
        """Whether rows with equal values in these columns come from one shard, in order of their positions."""
        return False

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

    # Catalyst's part ----------------------------------------------------------------------------------

    def push_down(self, below: Pushdown) -> Pushdown | None:
        """The pushdown that computes its rows from those of a pushdown; None if it must run in a stage."""
        return None

    def pre_aggregate(self, below: Pushdown) -> PreAggregation | None:
        """What Catalyst can sum for each instant before the shuffle; None if nothing."""
        return None

    @property
    def time_window(self) -> TimeWindow | None:
        """The time window by which it sets the intervals of rows; None for most operators."""
        return None

    @property
    def sets_ends(self) -> bool:
        """Whether it is a time window that rows leave."""
        return self.time_window is not None and self.time_window.size is not None

    @property
    def is_single(self) -> bool:
        """Whether its rows are for evaluations of a sequence query, and each is seen by one of them only."""
        return False

    @property
    def needs_ends(self) -> bool:
        """Whether it must know when rows end before they do, so that no expire operator may stand below it."""
        return False

    # For people ---------------------------------------------------------------------------------------

    def describe(self, inputs: Sequence[Names], output: Names) -> str:
        """Its parameters as text, for EXPLAIN; with the names of the columns of its inputs and of its output."""
        return ""

    def column_origins(self, inputs: int) -> list[list[tuple[int, int]]]:
        """For each output column the (input, column) pairs from which it is copied; none if it is computed."""
        columns = range(len(self.types))
        if self.is_join or self.added_column:
            found = [[self.input_column(column)] for column in columns]
            return [*found[:-1], []] if self.added_column else found
        return [[(place, column) for place in range(inputs - self.broadcast_inputs)] for column in columns]

    def computed_names(self, inputs: Sequence[Names]) -> Mapping[int, str]:
        """Names for columns that it computes, by column, where no query above has one."""
        return {len(self.types) - 1: self.added_column} if self.added_column else {}

    @property
    def computed_expressions(self) -> tuple[Expression, ...]:
        """The expressions that it computes, over the columns of its input or of the joined row."""
        return ()

    def input_column(self, column: int) -> tuple[int, int]:
        """Which input, and which of its columns, column `column` of the joined row is; one input is just that row."""
        return 0, column

    def input_signs(self, inputs: int) -> tuple[int, ...]:
        """For each input 1, or −1 if its rows count negatively."""
        return (1,) * inputs

    def is_passthrough(self, inputs: Sequence[Names]) -> bool:
        """Whether its rows are those of its input, so that EXPLAIN leaves it out."""
        return False

    @property
    def filter_family(self) -> str | None:
        """The family of queries whose grouped filters it runs; None for most operators."""
        return None

    # Work ---------------------------------------------------------------------------------------------

    def apply(self, inputs: Sequence[Delta], state: Any, span: Span, context: TaskContext) -> tuple[Delta, Any]:
        raise AssertionError("each operator does something")
