"""Chains: what is computed tuple by tuple between an origin and an operator that remembers; Catalyst's part of a plan.

Selections and projections look at columns, windows on time at instants, so they change places freely: a chain has
its predicates and its columns in terms of the origin's columns, and apart from them the windows.
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
from tailrace.operators.sequence.frequency import Thin
from tailrace.operators.streams.tables import Forever
from tailrace.operators.windows.expire import Expire
from tailrace.operators.windows.sampling import Draw
from tailrace.operators.windows.since import From
from tailrace.operators.windows.time_window import SeqWindow


@dataclass(frozen=True)
class Thinned:
    """What may be dropped of a source's rows, whose substreams have these keys."""

    by: Thin
    key: tuple[Expression, ...]


@dataclass(frozen=True)
class Chain:
    """Rows of a source, or of the step of this number, that meet the predicates; `windows` set their times.

    `first` is the instant before which rows of a source are not seen, `born` the batch in which a static one is.
    """

    origin: Stream | Relation | int
    predicates: tuple[Expression, ...]
    columns: tuple[Expression, ...]
    windows: tuple[Operator, ...] = ()
    first: int = 0
    born: int = 0
    thinned: Thinned | None = None

    @property
    def of_source(self) -> bool:
        return not isinstance(self.origin, int)


def chains(plan: PhysicalPlan) -> list[Chain | None]:
    """For each step the chain that ends in it; None for an operator that is run in a stage.

    Over a source, everything that can be is in the chain; over another step, only what Arrow cannot compute.
    """
    found: list[Chain | None] = []
    for step in plan.steps:
        if isinstance(step.work, Input):
            schema = step.work.source.schema
            columns = tuple(Column(index, schema[index].type, schema[index].name) for index in step.work.columns)
            found.append(Chain(step.work.source, (), columns, born=step.work.born))
        else:
            assert isinstance(step.work, Operator)
            found.append(_longer(plan, found, step.work, step.inputs))
    return found


def _longer(plan: PhysicalPlan, known: list[Chain | None], work: Operator, inputs: tuple[int, ...]) -> Chain | None:
    if not isinstance(work, (Select, Draw, Project, SeqWindow, Expire, Forever, From, Thin)):
        return None
    (below,) = inputs
    chain = known[below]
    if chain is not None and chain.thinned:
        return None  # what is left depends on all that came before
    of_elements = chain is not None and chain.of_source and not chain.windows
    if isinstance(work, From):
        return replace(chain, first=work.first) if chain and of_elements else None
    if isinstance(work, Thin):
        return replace(chain, thinned=thinned(work, chain)) if chain and of_elements else None
    if isinstance(work, Draw):
        # In front of a stage it costs Catalyst little; between stages it is not worth one more.
        drawn = inline(work.predicate, chain.columns) if chain else None
        return replace(chain, predicates=(*chain.predicates, drawn)) if chain and drawn else None
    if isinstance(work, (Select, Project)) and any(map(uses_python, expressions_of(work))):
        return None
    if isinstance(work, (SeqWindow, Expire, Forever)):
        return replace(chain, windows=(*chain.windows, work)) if chain else None
    expressions = expressions_of(work)
    if chain is None:
        if all(map(can_evaluate, expressions)):
            return None
        chain = Chain(below, (), plan.columns(below))
    values = [inline(expression, chain.columns) for expression in expressions]
    if isinstance(work, Select):
        return replace(chain, predicates=chain.predicates + conjuncts(values[0]))
    return replace(chain, columns=tuple(values))


def thinned(work: Thin, chain: Chain) -> Thinned:
    return Thinned(work, tuple(chain.columns[index] for index in work.key))


def expressions_of(work: Select | Project) -> tuple[Expression, ...]:
    return (work.predicate,) if isinstance(work, Select) else work.expressions
