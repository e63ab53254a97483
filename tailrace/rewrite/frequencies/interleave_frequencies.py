"""Interleave frequencies: substreams that a selection excludes are dropped before they are counted (CSQL §5)."""

from __future__ import annotations

from dataclasses import replace

from tailrace.logical.nodes import Aggregate, Append, Distinct, FrequencySample, Join, JumpWindow, Project, Select, TopK
from tailrace.logical.plan import Kind, Plan
from tailrace.rewrite.rules.push_selections import on_columns, parts_of, sort_out, surely, with_selection
from tailrace.rewrite.traverse import bottom_up


def interleave_frequencies(plan: Plan) -> Plan:
    """Move a selection that reads only the columns of PARTITIONED BY below the frequency.

    Law: such a selection keeps or drops whole substreams, and each substream is counted, slotted and evaluated by
    itself. Above a jumping window, an excluded substream had empty steps; below it, it has none. That is the same where
    an empty step gives no tuples: for all operators but an aggregate without keys and some outer joins. Any other
    selection would change which element is the n-th. A predicate that can fail is not moved, since it would meet
    elements that were not sampled.

    >>> from tailrace.catalog.sources import Stream
    >>> from tailrace.logical.text.explain import tree
    >>> from tailrace.logical.expressions import Call, Column, Literal
    >>> from tailrace.logical.nodes import Scan
    >>> from tailrace.logical.windows import Every
    >>> from tailrace.schema import Schema
    >>> from tailrace.types import BOOLEAN, INT
    >>> sample = FrequencySample(Scan(Stream("S", Schema.of(("k", INT)))), Every(5, "tuples"), (0,))
    >>> print(tree(interleave_frequencies(Select(sample, Call("=", (Column(0, INT), Literal(7, INT)), BOOLEAN)))))
    frequency every 5 TUPLES by k  → stream
    └─ select k = 7  → stream
       └─ stream S(k INT)  → stream
    """
    return bottom_up(plan, interleave)


def interleave(plan: Plan) -> Plan:
    match plan:
        case Select(FrequencySample()):
            return below(plan)
        case Append(child):
            found = within(child)
            return plan if found is child else Append(found)
    return plan


def below(select: Select) -> Plan:
    """The selection's parts on the partition columns, moved below the sample or window; the other parts stay."""
    counted = select.child
    assert isinstance(counted, FrequencySample | JumpWindow)
    moved, stay = sort_out(parts_of(select.predicate), surely(on_columns(counted.partition)))
    if not moved or not counted.partition:
        return select
    return with_selection(replace(counted, child=interleave(with_selection(counted.child, moved))), stay)


def within(steps: Plan) -> Plan:
    """Steps with the selection on their jumping window moved below it, if operators above it keep empty steps empty."""
    match steps:
        case Select(JumpWindow()):
            return below(steps)
        case Select(child) | Project(child) | Distinct(child) | TopK(child):
            found = within(child)
            return steps if found is child else steps.with_children(found)
        case Aggregate(child, keys) if keys:
            found = within(child)
            return steps if found is child else steps.with_children(found)
        case Join(left, right, how) if left.kind is Kind.STEPS and how in ("inner", "left"):
            found = within(left)
            return steps if found is left else steps.with_children(found, right)
    return steps
