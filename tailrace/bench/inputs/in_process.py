"""In process: the operators of a script's queries as Spark's workers run them, for measurements without Spark."""

from __future__ import annotations

from collections.abc import Sequence

from tailrace.engine.pipeline import PlanningSession, plan_operators
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
    return plan_operators(session, single, version, members_of(version.member_ids, profiles))


def alone(session: PlanningSession) -> list[PhysicalPlan]:
    """A plan of its own for each query."""
    return [plan_operators(session, [query], PlanVersion()) for query in session.program.queries.values()]


def one_plan(session: PlanningSession) -> PhysicalPlan:
    """One plan for all queries, each answered alone; equal steps are there once."""
    return plan_operators(session, session.program.queries.values(), PlanVersion())
