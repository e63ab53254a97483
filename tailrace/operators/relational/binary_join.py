"""Binary join: pairs that agree on the keys and the rest of the condition, for as long as both are there.

Δ(L ⋈ R) = ΔL ⋈ R ∪ L ⋈ ΔR ∪ ΔL ⋈ ΔR; a pair's interval is the intersection of its two, its weight their product.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import pyarrow.compute as pc

from tailrace.columnar.delta import Delta, Span, concat
from tailrace.columnar.evaluate import evaluate
from tailrace.columnar.keys import same
from tailrace.logical.expressions import Expression
from tailrace.operators.names import Names, disambiguate, text_with
from tailrace.operators.operator import KeyLink, Operator, TaskContext
from tailrace.stable_encoding import stable
from tailrace.state.key_index import TIMES, IntervalIndex, Pairs, index_rows, meet
from tailrace.state.resharding import ShardKey, shift_key
from tailrace.state.runs import Run, concat_runs

# Pairs are made in portions, so that memory follows the result and not the product.
PORTION = 1 << 20


@stable("join-key")
@dataclass(frozen=True)
class JoinKey:
    """One equality of a join: a column of each side; `null_safe` lets NULL equal NULL (<=>)."""

    left: int
    right: int
    null_safe: bool = False


@dataclass(frozen=True)
class BinaryJoin(Operator):
    kind: ClassVar[str] = "join"
    forgets: ClassVar[bool] = True
    is_join: ClassVar[bool] = True
    keeps_ends: ClassVar[bool] = True
    keys: tuple[JoinKey, ...]
    width: int  # how many columns the left side has
    residual: Expression | None

    def key_links(self, inputs: int) -> tuple[KeyLink, ...]:
        return tuple(KeyLink((key.left, key.right), (key.left, self.width + key.right)) for key in self.keys)

    def initial_state(self) -> tuple[IntervalIndex, IntervalIndex]:
        return IntervalIndex(), IntervalIndex()

    def shard_columns(self, keys: Sequence[ShardKey]) -> tuple[ShardKey, ...]:
        return tuple(shift_key(key, TIMES + len(self.keys)) for key in keys)

    def input_column(self, column: int) -> tuple[int, int]:
        return (0, column) if column < self.width else (1, column - self.width)

    @property
    def computed_expressions(self) -> tuple[Expression, ...]:
        return (self.residual,) if self.residual else ()

    def describe(self, inputs: Sequence[Names], output: Names) -> str:
        apart = disambiguate(output)
        pairs = [(apart[key.left], "<=>" if key.null_safe else "=", apart[self.width + key.right]) for key in self.keys]
        parts = [" ".join(pair) for pair in pairs] + [text_with(output, each) for each in self.computed_expressions]
        return f"on {' AND '.join(parts) or 'TRUE'}"

    def apply(
        self, inputs: Sequence[Delta], state: tuple[IntervalIndex, IntervalIndex], span: Span, context: TaskContext
    ) -> tuple[Delta, Any]:
        left, right = (self.run_of_side(delta, side) for side, delta in enumerate(inputs))
        before_left, before_right = state
        found = [
            *self.pairs(left, (*before_right.runs, right), flipped=False),
            *self.pairs(right, before_left.runs, flipped=True),
        ]
        after = (
            before_left.forget(span.to).add(left),
            before_right.forget(span.to).add(right),
        )
        return concat(found, self.types), after

    def run_of_side(self, delta: Delta, side: int) -> Run:
        """A side's rows as a run: until, start, weight, keys, columns; rows that match nothing (NULL) are left out."""
        values = [delta.columns[key.right if side else key.left] for key in self.keys]
        safe = [key.null_safe for key in self.keys]
        return index_rows(delta, list(zip(values, safe, strict=True)), (*values, *delta.columns))

    def pairs(self, probes: Run, runs: Sequence[Run], flipped: bool) -> Iterator[Delta]:
        """The joined rows of the probes with the rows of runs; `flipped` if the probes are the right side."""
        if not len(probes):
            return
        until, start = probes.columns[0].to_numpy(), probes.columns[1].to_numpy()
        met = [(run, meet(probes.order, start, until, run)) for run in runs if len(run)]
        for portion in portions(met):
            joined = self.join_pairs(probes, portion, flipped)
            if len(joined):
                yield joined

    def join_pairs(self, probes: Run, met: list[tuple[Run, Pairs]], flipped: bool) -> Delta:
        one = probes.take(np.concatenate([pairs.probe for _, pairs in met]))
        other = concat_runs([run.take(pairs.row) for run, pairs in met])
        until = np.minimum(one.columns[0].to_numpy(), other.columns[0].to_numpy())
        start = np.maximum(one.columns[1].to_numpy(), other.columns[1].to_numpy())
        weight = one.columns[2].to_numpy() * other.columns[2].to_numpy()
        width = 3 + len(self.keys)
        fits = start < until
        if self.keys:
            fits &= same(one.columns[3:width], other.columns[3:width])
        left, right = (other, one) if flipped else (one, other)
        delta = Delta(start, until, weight, left.columns[width:] + right.columns[width:]).where(fits)
        if self.residual is None or not len(delta):
            return delta
        truth = evaluate(self.residual, delta.columns, len(delta))
        return delta.where(pc.fill_null(truth, False).to_numpy(zero_copy_only=False))


def portions(met: Sequence[tuple[Run, Pairs]]) -> Iterator[list[tuple[Run, Pairs]]]:
    """The pairs found in several runs, cut and put together into portions of at most PORTION pairs."""
    portion: list[tuple[Run, Pairs]] = []
    room = PORTION
    for run, pairs in met:
        at = 0
        while at < len(pairs.row):
            part = Pairs(pairs.probe[at : at + room], pairs.row[at : at + room])
            portion.append((run, part))
            at += len(part.row)
            room -= len(part.row)
            if not room:
                yield portion
                portion, room = [], PORTION
    if portion:
        yield portion
