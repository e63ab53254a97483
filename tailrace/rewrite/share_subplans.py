"""Share subplans: equal sub-plans, of several queries or of one, are computed once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from tailrace.logical.nodes import Scan, Shared
from tailrace.logical.plan import Plan
from tailrace.rewrite.traverse import bottom_up, with_inputs


def share(plans: Mapping[str, Plan]) -> dict[str, Plan]:
    """Put a `Shared` node over equal sub-plans, the same object wherever it is read.

    Law: equal plans over the same sources have the same value at every instant (CQL §12.2). The largest equal
    sub-plans are shared; a part of one is shared only if something else reads that part too. A bare scan is never
    shared. Sub-plans are numbered in the order in which they are first met, outermost first.

    >>> from tailrace.catalog.sources import Stream
    >>> from tailrace.logical.explain import tree
    >>> from tailrace.logical.nodes import Distinct, ApplyWindow
    >>> from tailrace.logical.windows import TimeWindow
    >>> from tailrace.schema import Schema
    >>> last = ApplyWindow(Scan(Stream("S", Schema.of())), TimeWindow(30))
    >>> shared = share({"all": last, "some": Distinct(last)})
    >>> print(tree(shared["some"]))
    duplicate-eliminate  → relation
    └─ shared-rel-op #1  → relation
       └─ seq-window [RANGE 30]  → relation
          └─ stream-shepherd S()  → stream
    >>> shared["all"] is shared["some"].children[0]
    True
    """
    bare = {name: remove_sharing(plan) for name, plan in plans.items()}
    numbers = number_shared_parts(bare.values())
    built: dict[Plan, Plan] = {}

    def build(plan: Plan) -> Plan:
        if plan not in built:
            whole = with_inputs(plan, tuple(build(child) for child in plan.children))
            built[plan] = Shared(whole, numbers[plan]) if plan in numbers else whole
        return built[plan]

    return {name: build(plan) for name, plan in bare.items()}


def remove_sharing(plan: Plan) -> Plan:
    """The plan without its `Shared` nodes."""
    return bottom_up(plan, lambda node: node.child if isinstance(node, Shared) else node)


def number_shared_parts(plans: Iterable[Plan]) -> dict[Plan, int]:
    """A number for each sub-plan that is read in several places; inside equal sub-plans, parts are counted once."""
    readers: Counter[Plan] = Counter()

    def meet(plan: Plan) -> None:
        readers[plan] += 1
        if readers[plan] == 1:
            for child in plan.children:
                meet(child)

    for plan in plans:
        meet(plan)
    shared = [plan for plan, count in readers.items() if count > 1 and not isinstance(plan, Scan)]
    return {plan: number for number, plan in enumerate(shared, 1)}
