"""Multi join: combinations of a row of each input that agree on one key, for as long as all of them are there (mjoin).

Δ(A ⋈ B ⋈ C) = ΔA ⋈ B ⋈ C ∪ A' ⋈ ΔB ⋈ C ∪ A' ⋈ B' ⋈ ΔC, where A' is A with ΔA. The new rows of all inputs are joined
together: they probe input after input, each new row all inputs but its own, so that a synopsis is searched once a
batch. No intermediate result is remembered.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tailrace.columnar.delta import Delta, Span, concat
from tailrace.columnar.evaluate import evaluate
from tailrace.columnar.keys import same
from tailrace.logical.expressions import Expression, columns_of, move
from tailrace.operators.names import Names, disambiguate, text_with
from tailrace.operators.operator import KeyLink, Operator, TaskContext
from tailrace.stable_encoding import stable
from tailrace.state.key_index import TIMES, IntervalIndex, index_rows, meet
from tailrace.state.resharding import ShardKey, shift_key
from tailrace.state.runs import Run

if TYPE_CHECKING:
    from tailrace.columnar.delta import Indexes, Instants, Mask

# Combinations are made in portions, so that memory follows the result and not the product.
PORTION = 1 << 20


@stable("shared-key")
@dataclass(frozen=True)
class SharedKey:
    """A value that all inputs have in common: a column of each; `null_safe` lets NULL equal NULL (<=>)."""

    columns: tuple[int, ...]
    null_safe: bool = False


@dataclass(frozen=True)
class Met:
    """Matches of combinations with rows of one more input: each with its interval and the product of the weights."""

    probe: Indexes  # the number of the combination
    rows: Delta


@dataclass(frozen=True)
class JoinedRows:
    """Combinations of rows of some inputs; columns are put together in the end, for those that find all partners."""

    first: Indexes  # the number of the new row with which a combination began
    start: Instants
    until: Instants
    weight: Instants
    columns: Mapping[int, tuple[pa.Array, ...]] = field(default_factory=dict)
    at: Mapping[int, Indexes] = field(default_factory=dict)  # by input: the index of its row in the columns

    def __len__(self) -> int:
        return len(self.first)

    def where(self, mask: Mask) -> JoinedRows:
        if mask.all():
            return self
        at = {place: rows[mask] for place, rows in self.at.items()}
        return JoinedRows(self.first[mask], self.start[mask], self.until[mask], self.weight[mask], self.columns, at)

    def with_rows(self, place: int, met: Met) -> JoinedRows:
        """The combinations that have matches in one more input, each with the row it matched."""
        rows = met.rows
        at = {known: of[met.probe] for known, of in self.at.items()} | {place: np.arange(len(rows))}
        columns = {**self.columns, place: rows.columns}
        return JoinedRows(self.first[met.probe], rows.start, rows.until, rows.weight, columns, at)


@dataclass(frozen=True)
class MultiJoin(Operator):
    kind: ClassVar[str] = "multi-join"
    forgets: ClassVar[bool] = True
    is_join: ClassVar[bool] = True
    keeps_ends: ClassVar[bool] = True
    keys: tuple[SharedKey, ...]
    widths: tuple[int, ...]  # how many columns each input has
    residuals: tuple[Expression, ...]

    @property
    def places(self) -> list[tuple[int, int]]:
        """For each column of the output its input, and which column it is there."""
        return [(place, index) for place, width in enumerate(self.widths) for index in range(width)]

    def key_links(self, inputs: int) -> tuple[KeyLink, ...]:
        places = self.places
        return tuple(KeyLink(key.columns, tuple(map(places.index, enumerate(key.columns)))) for key in self.keys)

    def initial_state(self) -> tuple[IntervalIndex, ...]:
        return (IntervalIndex(),) * len(self.widths)

    def shard_columns(self, keys: Sequence[ShardKey]) -> tuple[ShardKey, ...]:
        return tuple(shift_key(key, TIMES) for key in keys)

    def input_column(self, column: int) -> tuple[int, int]:
        return self.places[column]

    @property
    def computed_expressions(self) -> tuple[Expression, ...]:
        return self.residuals

    def describe(self, inputs: Sequence[Names], output: Names) -> str:
        apart = disambiguate(output)
        keys = [
            (" <=> " if key.null_safe else " = ").join(apart[column] for column in link.outputs)
            for key, link in zip(self.keys, self.key_links(len(self.widths)), strict=True)
        ]
        return f"on {' AND '.join([*keys, *(text_with(output, residual) for residual in self.residuals)])}"

    def apply(
        self, inputs: Sequence[Delta], state: tuple[IntervalIndex, ...], span: Span, context: TaskContext
    ) -> tuple[Delta, Any]:
        new = [self.run_of_input(place, delta) for place, delta in enumerate(inputs)]
        found = list(MultiJoinBatch(self, new, state).new_rows())
        after = tuple(index.forget(span.to).add(run) for index, run in zip(state, new, strict=True))
        return concat(found, self.types), after

    def run_of_input(self, place: int, delta: Delta) -> Run:
        """An input's rows as a run: until, start, weight, columns; rows that match nothing (NULL) are left out."""
        keys = [(delta.columns[key.columns[place]], key.null_safe) for key in self.keys]
        return index_rows(delta, keys, delta.columns)


class MultiJoinBatch:
    """One batch of a MultiJoin: the new rows, numbered through all inputs, and the state of each input."""

    def __init__(self, join: MultiJoin, new: Sequence[Run], state: Sequence[IntervalIndex]) -> None:
        self.join, self.new, self.state = join, new, state
        self.hashes = np.concatenate([run.order for run in new])
        self.origin = np.repeat(np.arange(len(new)), [len(run) for run in new])
        self.keys = [
            pa.concat_arrays([run.columns[TIMES + key.columns[place]] for place, run in enumerate(new)])
            for key in join.keys
        ]
        self.starts = np.cumsum([0, *map(len, new)])

    def new_rows(self) -> Iterator[Delta]:
        """The rows that this batch adds. The input with the fewest rows is probed first: it most likely lacks a key."""
        until, start, weight = (
            np.concatenate([run.columns[number].to_numpy() for run in self.new]) for number in range(TIMES)
        )
        inputs = range(len(self.new))
        hopeful = np.array([self.can_meet(place) for place in inputs])[self.origin]
        rows = JoinedRows(np.arange(len(start)), start, until, weight).where(hopeful)
        if len(rows):
            order = sorted(inputs, key=lambda place: len(self.state[place]) + len(self.new[place]))
            yield from self.extend(rows, order)

    def can_meet(self, place: int) -> bool:
        """Whether all other inputs have rows with which new rows of this input can be joined."""
        others = [other for other in range(len(self.new)) if other != place]
        return all(len(self.state[other]) or (other < place and len(self.new[other])) for other in others)

    def extend(self, rows: JoinedRows, order: Sequence[int]) -> Iterator[Delta]:
        """Extend combinations by rows of the inputs in `order`, one input after the other; yields the complete ones."""
        if not order:
            everything = np.arange(len(rows))
            columns = tuple(self.column(rows, *place, everything) for place in self.join.places)
            yield Delta(rows.start, rows.until, rows.weight, columns)
            return
        for met in bundle_small_parts(self.meetings(rows, order[0])):
            more = self.filter_combinations(rows.with_rows(order[0], met), order[0])
            if len(more):
                yield from self.extend(more, order[1:])

    def meetings(self, rows: JoinedRows, place: int) -> Iterator[Met]:
        """The matches of combinations with rows of one more input that have the same hash.

        A combination that began with a new row of this input matches that row.
        """
        origin, new = self.origin[rows.first], self.new[place]
        own = np.flatnonzero(origin == place)
        if len(own):
            mine = rows.first[own] - self.starts[place]
            columns = tuple(column.take(pa.array(mine)) for column in new.columns[TIMES:])
            yield Met(own, Delta(rows.start[own], rows.until[own], rows.weight[own], columns))
        others = np.flatnonzero(origin != place)
        # In order of hash, so that a hash is searched once for all combinations that have it.
        others = others[np.argsort(self.hashes[rows.first[others]], kind="stable")]
        for run in self.state[place].runs:
            yield from self.probe_run(rows, others, run)
        yield from self.probe_run(rows, others[origin[others] > place], new)

    def probe_run(self, rows: JoinedRows, probes: Indexes, run: Run) -> Iterator[Met]:
        """The matches of some combinations with the rows of a run that have the same hash and share an instant."""
        if not len(probes) or not len(run):
            return
        until, start, weight = (column.to_numpy() for column in run.columns[:TIMES])
        met = meet(self.hashes[rows.first[probes]], rows.start[probes], rows.until[probes], run)
        for at in range(0, len(met.probe), PORTION):
            probe, row = probes[met.probe[at : at + PORTION]], met.row[at : at + PORTION]
            both = np.maximum(rows.start[probe], start[row]), np.minimum(rows.until[probe], until[row])
            share = both[0] < both[1]
            if not share.all():
                probe, row, both = probe[share], row[share], (both[0][share], both[1][share])
            if len(probe):
                columns = tuple(column.take(pa.array(row)) for column in run.columns[TIMES:])
                yield Met(probe, Delta(*both, rows.weight[probe] * weight[row], columns))

    def filter_combinations(self, rows: JoinedRows, place: int) -> JoinedRows:
        """The combinations whose keys are equal and that meet the conditions that can be judged with this input."""
        mine = [rows.columns[place][key.columns[place]] for key in self.join.keys]
        rows = rows.where(same(mine, [column.take(pa.array(rows.first)) for column in self.keys]))
        for residual in self.join.residuals:
            needed = {self.join.places[column][0] for column in columns_of(residual)}
            missing = needed - rows.at.keys()
            if place in needed and len(missing) < 2:
                # The row with which a combination began is known before its input is probed: so a condition that
                # lacks only that input is judged now, and not again when the input is probed.
                origin = self.origin[rows.first]
                judged = np.flatnonzero(origin == missing.pop() if missing else origin != place)
                rows = rows.where(self.truth(residual, rows, judged))
        return rows

    def truth(self, residual: Expression, rows: JoinedRows, judged: Indexes) -> Mask:
        """For which combinations a condition is true; those that are not `judged` count as true."""
        used = sorted(columns_of(residual))
        columns = [self.column(rows, *self.join.places[column], judged) for column in used]
        found = np.ones(len(rows), bool)
        truth = evaluate(move(residual, used.index), columns, len(judged))
        found[judged] = pc.fill_null(truth, False).to_numpy(zero_copy_only=False)
        return found

    def column(self, rows: JoinedRows, place: int, index: int, chosen: Indexes) -> pa.Array:
        """A column of an input for the `chosen` combinations, which have a row of that input or began with one."""
        if place in rows.at:
            return rows.columns[place][index].take(pa.array(rows.at[place][chosen]))
        return self.new[place].columns[TIMES + index].take(pa.array(rows.first[chosen] - self.starts[place]))


def bundle_small_parts(parts: Iterable[Met]) -> Iterator[Met]:
    """Merge small parts, so that the next input is searched once and not once for each run of this input."""
    waiting: list[Met] = []
    for part in parts:
        waiting.append(part)
        if sum(len(each.rows) for each in waiting) >= PORTION:
            yield together(waiting)
            waiting = []
    if waiting:
        yield together(waiting)


def together(parts: Sequence[Met]) -> Met:
    if len(parts) == 1:
        return parts[0]
    rows = [part.rows for part in parts]
    return Met(np.concatenate([part.probe for part in parts]), concat(rows, rows[0].types))
