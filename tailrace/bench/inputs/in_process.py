"""In process: the queries of a script in the plans that Spark's workers run, for measurements without Spark.

The plans give the tuples of a query that is a relation, with their intervals, and not yet its changes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tailrace.engine.pipeline import Compiled
from tailrace.errors import RunError
from tailrace.logical.plan import Plan
from tailrace.lowering.lower import Lowering
from tailrace.operators.families.member_sets import MemberSet
from tailrace.operators.plan import PhysicalPlan
from tailrace.sharing.registry import QueryRegistry, families_of


def together(compiled: Compiled, names: Sequence[str] = ()) -> PhysicalPlan:
    """One plan for all queries, or some; those that are alike are answered together, by number."""
    book = QueryRegistry()
    settings = compiled.program.settings
    queries = [query for name, query in compiled.program.queries.items() if not names or name in names]
    facts = book.facts(queries, settings, compiled.final)
    for name, each in facts.items():
        if each.family is None:
            raise RunError(f"{name} does not fit into a flow")
    families = families_of({name: number for number, name in enumerate(facts)}, facts)
    flows = book.flows(families, {}, -1, settings.routing)
    return lower_with_members({family: book.kin[family].plan for family in families}, flows)


def alone(compiled: Compiled) -> list[PhysicalPlan]:
    """A plan for each query."""
    return [lower_with_members({name: rewritten.plan}, {}) for name, rewritten in compiled.rewritten.items()]


def lower_with_members(plans: Mapping[str, Plan], flows: Mapping[str, MemberSet]) -> PhysicalPlan:
    lowering = Lowering(flows=flows)
    for name, plan in plans.items():
        lowering.plan.outputs[name] = lowering.step(plan)
    return lowering.plan
