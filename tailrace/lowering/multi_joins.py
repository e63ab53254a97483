"""Multi joins: lowers a tree of inner joins of three or more inputs on one key to one multi join (mjoin, CQL §12.5)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import TYPE_CHECKING

from tailrace.columnar.evaluate import can_evaluate
from tailrace.logical import nodes
from tailrace.logical.expressions import Column, Expression, all_of, columns_of, shift
from tailrace.logical.expressions import move as moved
from tailrace.logical.join_trees import Class, Flat, equal_terms, flatten_joins, shared_classes
from tailrace.operators.relational.multi_join import MultiJoin, SharedKey
from tailrace.rewrite.totality import cannot_fail

if TYPE_CHECKING:
    from tailrace.lowering.lower import Lowering


def multi_join(lowering: Lowering, node: nodes.Join) -> int | None:
    """The multi join of inner joins on one key; None for other trees, and if a condition can fail."""
    flat = flatten_joins(node)
    if len(flat.inputs) < 3 or not all(map(cannot_fail, flat.parts)):
        return None
    owners = flat.owners
    equalities = [(part, equal_terms(part, owners)) for part in flat.parts]
    classes = shared_classes([each for _, each in equalities if each], len(flat.inputs))
    if not classes:
        return None
    return add_multi_join(lowering, flat, classes, [part for part, each in equalities if not each])


def add_multi_join(lowering: Lowering, flat: Flat, classes: Sequence[Class], parts: Sequence[Expression]) -> int:
    """Add the multi join of a flattened join: `classes` are the equalities of the key, `parts` all other conditions.

    Conditions on one input filter it before the join, and each input gets the key among its columns. Conditions that
    only Catalyst can evaluate are a selection above the join.
    """
    plan, starts, owners = lowering.plan, flat.starts, flat.owners
    used = [{owners[column] for column in columns_of(part)} or {0} for part in parts]
    inputs, keys = [], []
    for place, each in enumerate(flat.inputs):
        number = lowering.step(each)
        alone = [shift(part, -starts[place]) for part, of in zip(parts, used, strict=True) if of == {place}]
        number = lowering.select(number, all_of(alone)) if alone else number
        values = [shift(each.value(place), -starts[place]) for each in classes]
        number, columns = lowering.with_columns(number, values)
        inputs.append(number)
        keys.append(columns)
    widths = [len(plan.types(number)) for number in inputs]
    wider = list(accumulate(widths, initial=0))
    where = [wider[place] + column - starts[place] for column, place in enumerate(owners)]
    rest = [moved(part, where.__getitem__) for part, of in zip(parts, used, strict=True) if len(of) > 1]
    shared = tuple(
        SharedKey(columns, each.null_safe) for columns, each in zip(zip(*keys, strict=True), classes, strict=True)
    )
    types = tuple(type for number in inputs for type in plan.types(number))
    number = plan.add(MultiJoin(types, shared, tuple(widths), tuple(filter(can_evaluate, rest))), *inputs)
    late = [part for part in rest if not can_evaluate(part)]
    number = lowering.select(number, all_of(late)) if late else number
    return lowering.keep(number, [where[index] for index in indexes(flat.columns)])


def indexes(columns: Sequence[Expression]) -> Iterator[int]:
    for column in columns:
        assert isinstance(column, Column)
        yield column.index
