"""Identity: by which id the state of each step of a plan is stored and found again.

An id says what a step computes: the operator's kind and version, what its state depends on (`Operator.state_key`), and
the ids of the steps below it. It stays the same from run to run, whatever classes, fields and columns are called and
whatever other queries are in the plan. Steps of equal ids give equal rows and have equal state.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tailrace.catalog.sources import Relation, Stream
from tailrace.logical.family_nodes import Stem
from tailrace.logical.nodes import Scan
from tailrace.operators.operator import Operator
from tailrace.operators.plan import Input, PhysicalPlan, Step
from tailrace.stable_encoding import digest


@dataclass(frozen=True)
class StateId:
    """The identity of a step's state. As text it is the name under which the state is stored.

    >>> str(StateId("distinct", 1, "5f0c"))
    'distinct.1-5f0c'
    """

    kind: str
    version: int
    digest: str

    def __str__(self) -> str:
        return f"{self.kind}.{self.version}-{self.digest}"


def state_names(plan: PhysicalPlan, with_starts: bool = True) -> list[str]:
    """The state id of each step, as text. Without starts an id does not depend on the instant a query started at."""
    found: list[str] = []
    rows: list[str] = []  # the id of a step's rows, which the steps above use
    for step in plan.steps:
        below = [rows[number] for number in step.inputs]
        work = step.work
        if isinstance(work, Operator) and work.is_identity(with_starts):
            found.append(below[0])
        else:
            found.append(str(state_id(step, below)))
        rows.append(below[0] if isinstance(work, Operator) and work.keeps_rows else found[-1])
    return found


def state_id(step: Step, below: Sequence[str]) -> StateId:
    """The id of a step whose inputs have the ids `below`."""
    work = step.work
    if isinstance(work, Input):
        return StateId("input", 1, digest((source_id(work.source), work.columns, work.read_in_batch)))
    assert isinstance(work, Operator), "input ports are made after states have their ids"
    return StateId(work.kind, work.state_version, digest((*work.state_key(), tuple(below))))


def stem_name(stem: Stem) -> str:
    """A name for a stem's state: the same for the same stream and key, whichever queries read the stem."""
    assert isinstance(stem.child, Scan)
    return f"stem-{digest((source_id(stem.child.source), stem.keys, stem.turn, stem.rows, stem.beside), 8)}"


def source_id(source: Stream | Relation) -> str:
    """The identity of a source as it was declared; the folder of its script does not matter."""
    return digest(source)
