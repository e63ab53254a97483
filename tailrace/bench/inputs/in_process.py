"""In process: the physical plans of a script's queries as Spark's workers run them, for measurements without Spark.

Of a query that is a relation, the plans give the tuples with their intervals, and not its changes.
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
    """One plan for all queries, or for `names`.

    Queries of one family share their operators and are told apart by member number. Every query must have a family.
    """
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
    """A plan of its own for each query."""
    return [lower_with_members({name: rewritten.plan}, {}) for name, rewritten in compiled.rewritten.items()]


def lower_with_members(plans: Mapping[str, Plan], flows: Mapping[str, MemberSet]) -> PhysicalPlan:
    lowering = Lowering(flows=flows)
    for name, plan in plans.items():
        lowering.plan.outputs[name] = lowering.step(plan)
    return lowering.plan
