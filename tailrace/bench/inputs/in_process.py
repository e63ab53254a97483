"""In process: the operators of a script's queries as Spark's workers run them, for measurements without Spark.

The changelogs of relations are left out, so that a row is counted once and not again when it leaves its window.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tailrace.engine.pipeline import PlanningSession, plan_operators
from tailrace.operators.operator import Operator
from tailrace.operators.plan import PhysicalPlan
from tailrace.sharing.share import members_of
from tailrace.staging.plan_version import PlanVersion


def together(session: PlanningSession, names: Sequence[str] = ()) -> PhysicalPlan:
    """One plan for all queries, or for `names`.

    Queries of one family share their operators and are told apart by member number.
    """
    queries = [query for name, query in session.program.queries.items() if not names or name in names]
    profiles = session.profiles(queries)
    members = [name for name, profile in profiles.items() if profile.family]
    version = PlanVersion(member_ids={name: number for number, name in enumerate(members)})
    single = [query for query in queries if query.name not in version.member_ids]
    return without_changelogs(plan_operators(session, single, version, members_of(version.member_ids, profiles)))


def alone(session: PlanningSession) -> list[PhysicalPlan]:
    """A plan of its own for each query."""
    queries = session.program.queries.values()
    return [without_changelogs(plan_operators(session, [query], PlanVersion())) for query in queries]


def one_plan(session: PlanningSession) -> PhysicalPlan:
    """One plan for all queries, each answered alone; equal steps are there once."""
    return without_changelogs(plan_operators(session, session.program.queries.values(), PlanVersion()))


def without_changelogs(plan: PhysicalPlan) -> PhysicalPlan:
    """The plan whose outputs are relations themselves, and not their changes."""
    made, numbers = PhysicalPlan(), list[int]()
    for step in plan.steps:
        inputs = tuple(numbers[number] for number in step.inputs)
        is_changelog = isinstance(step.work, Operator) and step.work.kind == "changelog"
        numbers.append(inputs[0] if is_changelog else made.append(replace(step, inputs=inputs)))
    made.outputs.update({name: numbers[number] for name, number in plan.outputs.items()})
    made.begins.update(plan.begins)
    return made
