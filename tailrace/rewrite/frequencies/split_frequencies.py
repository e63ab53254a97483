"""Split frequencies: a sample is taken from a finer sample that the plan computes anyway (CSQL §5, §8)."""

from __future__ import annotations

from tailrace.logical.nodes import FrequencySample
from tailrace.logical.plan import Plan, walk
from tailrace.logical.windows import Every
from tailrace.rewrite.traverse import bottom_up


def split_frequencies(plan: Plan) -> Plan:
    """Take a sample from a finer one of the same stream and substreams that the plan has elsewhere.

    Law: that of compose_frequencies, read from right to left: every (m·n)-th element is every m-th of every n-th, and
    the last of a slot of t·k ticks is the last among the last of its slots of t ticks.

    >>> from tailrace.catalog.sources import Stream
    >>> from tailrace.logical.text.explain import tree
    >>> from tailrace.logical.nodes import Scan, Union
    >>> from tailrace.schema import Schema
    >>> scan = Scan(Stream("S", Schema.of()))
    >>> tenth, thirtieth = (FrequencySample(scan, Every(count, "tuples")) for count in (10, 30))
    >>> print(tree(split_frequencies(Union((tenth, thirtieth)))))
    union all  → stream
    ├─ frequency every 10 TUPLES  → stream
    │  └─ stream S()  → stream
    └─ frequency every 3 TUPLES  → stream
       └─ frequency every 10 TUPLES  → stream
          └─ stream S()  → stream
    """
    there = dict.fromkeys(node for node in walk(plan) if isinstance(node, FrequencySample))

    def split(node: Plan) -> Plan:
        finer = [other for other in there if isinstance(node, FrequencySample) and is_finer(other, node)]
        if not finer or not isinstance(node, FrequencySample):
            return node
        inner = max(finer, key=lambda other: other.frequency.count)
        count = node.frequency.count
        rest = count // inner.frequency.count if node.frequency.in_tuples else count
        return FrequencySample(split(inner), Every(rest, node.frequency.unit), node.partition)

    return bottom_up(plan, split)


def is_finer(one: FrequencySample, other: FrequencySample) -> bool:
    """Whether sample `one` has the input and substreams of `other`, and a frequency that divides the other's."""
    alike = one.child == other.child and set(one.partition) == set(other.partition)
    counts = one.frequency.count, other.frequency.count
    same_unit = one.frequency.unit == other.frequency.unit
    return alike and same_unit and 1 < counts[0] < counts[1] and counts[1] % counts[0] == 0
