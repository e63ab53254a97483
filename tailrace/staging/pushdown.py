"""Pushdown: finds the selections, projections and time windows below an operator with state that Catalyst can run.

Selections and projections read columns, time windows read instants, so their order does not matter. A pushdown has
predicates and columns as expressions over the origin's columns, and the windows apart from them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from tailrace.catalog.sources import Relation, Stream
from tailrace.columnar.evaluate import can_evaluate
from tailrace.logical.expressions import Column, Expression, conjuncts, inline, uses_python
from tailrace.operators.operator import Operator
from tailrace.operators.plan import Input, PhysicalPlan
from tailrace.operators.relational.project import Project
from tailrace.operators.relational.select import Select
from tailrace.operators.sequence.frequency import Prefilter
from tailrace.operators.streams.tables import InsertOnlyTable
from tailrace.operators.windows.expire import Expire
from tailrace.operators.windows.sampling import HashSample
from tailrace.operators.windows.since import Since
from tailrace.operators.windows.time_window import TimeWindowOp


@dataclass(frozen=True)
class PushedPrefilter:
    """A prefilter that Catalyst runs over a source's rows; `key` tells the substreams of a sequence query apart."""

    by: Prefilter
    key: tuple[Expression, ...]


@dataclass(frozen=True)
class Pushdown:
    """Rows of a source, or of the step with this number, that satisfy the predicates; `windows` set their intervals.

    `first` is the instant before which rows of a source are left out. `born` is the batch in which a static source is
    read.
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


def chains(plan: PhysicalPlan) -> list[Pushdown | None]:
    """For each step the pushdown that computes its rows; None for an operator that runs in a stage.

    Over a source, all steps that Catalyst can run are pushed down; over another step, only those Arrow cannot compute.
    """
    found: list[Pushdown | None] = []
    for step in plan.steps:
        if isinstance(step.work, Input):
            schema = step.work.source.schema
            columns = tuple(Column(index, schema[index].type, schema[index].name) for index in step.work.columns)
            found.append(Pushdown(step.work.source, (), columns, born=step.work.read_in_batch))
        else:
            assert isinstance(step.work, Operator)
            found.append(_longer(plan, found, step.work, step.inputs))
    return found


def _longer(
    plan: PhysicalPlan, known: list[Pushdown | None], work: Operator, inputs: tuple[int, ...]
) -> Pushdown | None:
    if not isinstance(work, (Select, HashSample, Project, TimeWindowOp, Expire, InsertOnlyTable, Since, Prefilter)):
        return None
    (below,) = inputs
    chain = known[below]
    if chain is not None and chain.thinned:
        return None  # which rows a prefilter keeps depends on all rows below it, so nothing is pushed down past it
    of_elements = chain is not None and chain.of_source and not chain.windows
    if isinstance(work, Since):
        return replace(chain, first=work.first) if chain and of_elements else None
    if isinstance(work, Prefilter):
        return replace(chain, thinned=push_prefilter(work, chain)) if chain and of_elements else None
    if isinstance(work, HashSample):
        # Before a stage sampling costs Catalyst little; between operators it is not worth one more stage.
        drawn = inline(work.predicate, chain.columns) if chain else None
        return replace(chain, predicates=(*chain.predicates, drawn)) if chain and drawn else None
    if isinstance(work, (Select, Project)) and any(map(uses_python, expressions_of(work))):
        return None
    if isinstance(work, (TimeWindowOp, Expire, InsertOnlyTable)):
        return replace(chain, windows=(*chain.windows, work)) if chain else None
    expressions = expressions_of(work)
    if chain is None:
        if all(map(can_evaluate, expressions)):
            return None
        chain = Pushdown(below, (), plan.columns(below))
    values = [inline(expression, chain.columns) for expression in expressions]
    if isinstance(work, Select):
        return replace(chain, predicates=chain.predicates + conjuncts(values[0]))
    return replace(chain, columns=tuple(values))


def push_prefilter(work: Prefilter, chain: Pushdown) -> PushedPrefilter:
    return PushedPrefilter(work, tuple(chain.columns[index] for index in work.key))


def expressions_of(work: Select | Project) -> tuple[Expression, ...]:
    return (work.predicate,) if isinstance(work, Select) else work.expressions
