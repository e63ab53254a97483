"""Pushdown: the selections, projections and time windows below an operator with state that Catalyst can run."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from tailrace.catalog.sources import Relation, Stream
from tailrace.columnar.evaluate import can_evaluate
from tailrace.logical.expressions import Expression, refer_to, uses_python
from tailrace.operators.operator import Operator
from tailrace.operators.plan import Input, PhysicalPlan

if TYPE_CHECKING:
    from tailrace.operators.sequence.frequency import PushedPrefilter


@dataclass(frozen=True)
class Pushdown:
    """Rows of a source, or of the step with this number, that satisfy the predicates; `windows` set their intervals.

    Predicates and columns are expressions over the origin's columns. Windows read instants only, so their order among
    selections and projections does not matter. `first` is the instant before which rows of a source are left out.
    `born` is the batch in which a static source is read.
    """

    origin: Stream | Relation | int
    predicates: tuple[Expression, ...]
    columns: tuple[Expression, ...]
    windows: tuple[Operator, ...] = ()
    first: int = 0
    born: int = 0
    thinned: PushedPrefilter | None = None

    @property
    def of_source(self) -> bool:
        return not isinstance(self.origin, int)

    @property
    def is_of_elements(self) -> bool:
        """Whether the rows are elements of a source, before any window."""
        return self.of_source and not self.windows

    def with_window(self, window: Operator) -> Pushdown:
        return replace(self, windows=(*self.windows, window))


def chains(plan: PhysicalPlan) -> list[Pushdown | None]:
    """For each step the pushdown that computes its rows; None for an operator that runs in a stage.

    Over a source, all steps that Catalyst can run are pushed down; over another step, only those Arrow cannot compute.
    """
    found: list[Pushdown | None] = []
    for step in plan.steps:
        if isinstance(step.work, Input):
            columns = refer_to(step.work.source.schema, step.work.columns)
            found.append(Pushdown(step.work.source, (), columns, born=step.work.read_in_batch))
        else:
            assert isinstance(step.work, Operator)
            chain = pushdown_below(plan, found, step.work, step.inputs)
            found.append(step.work.push_down(chain) if chain else None)
    return found


def pushdown_below(
    plan: PhysicalPlan, known: list[Pushdown | None], work: Operator, inputs: tuple[int, ...]
) -> Pushdown | None:
    """The pushdown of an operator's input, if the operator could become part of it."""
    if len(inputs) != 1 or any(map(uses_python, work.computed_expressions)):
        return None
    chain = known[inputs[0]]
    if chain is None and not all(map(can_evaluate, work.computed_expressions)):
        return Pushdown(inputs[0], (), plan.columns(inputs[0]))
    # Which rows a prefilter keeps depends on all rows below it, so nothing is pushed down past it.
    return None if chain and chain.thinned else chain
