"""Evaluate: the definition of a plan made executable. At every instant, the whole relation by formula.

Nothing is incremental and nothing is clever; the one shortcut is that an operator is not applied again to the
very relations of the instant before.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from tailrace.catalog.sources import Relation
from tailrace.logical import nodes
from tailrace.logical.plan import Kind, Plan
from tailrace.logical.text.explain import label
from tailrace.logical.time.window_tables import AssignWindows
from tailrace.logical.windows import Reservoir
from tailrace.testing.reference import over  # noqa: F401  registers the definition of its nodes
from tailrace.testing.reference.casts import fits
from tailrace.testing.reference.relational import Bag, apply, surplus
from tailrace.testing.reference.sampling_hash import sampling_hash
from tailrace.testing.reference.sequences import Element, SequenceStep, jump, sample, window_at
from tailrace.testing.reference.values import Row
from tailrace.testing.reference.window_tables import rows_finished_at, with_windows
from tailrace.types import BIGINT

T = TypeVar("T")
Change = tuple[int | None, str | None, Row]
Inputs = Mapping[str, Sequence[Any]]


@dataclass(frozen=True)
class Answer:
    """What a plan means: a relation's bag, or a stream's new elements, at each instant."""

    kind: Kind
    bags: tuple[Counter[Row], ...]
    elements: tuple[Element, ...] = field(default=(), compare=False)


def evaluate(plan: Plan, inputs: Inputs, last_instant: int, first_instant: int = 0, origin: int = 0) -> Answer:
    """The plan's answer for the instants 0 to `last_instant`; before the first one no relation holds anything.

    `inputs` has for a stream (instant, tuple), for a relation (instant or None, '+', '-' or None, tuple), in
    the order of arrival; tuples have all declared columns. Later than `last_instant` plays no part. `origin` is how
    many whole ticks after 1970 the instant 0 is.
    """
    work = Evaluation(inputs, last_instant, first_instant, origin)
    if plan.kind is Kind.STREAM:
        elements = tuple(work.stream(plan))
        return Answer(plan.kind, tuple(bags_of(elements, last_instant)), elements)
    assert plan.kind is Kind.RELATION, "steps are a part of a plan, never its result"
    return Answer(plan.kind, tuple(Counter(rows) for rows in work.relation(plan)))


def bags_of(elements: Iterable[Element], last_instant: int) -> list[Counter[Row]]:
    bags: list[Counter[Row]] = [Counter() for _ in range(last_instant + 1)]
    for instant, row in elements:
        bags[instant][row] += 1
    return bags


def changelog(answer: Answer) -> list[tuple[int, str, Row]]:
    """A relation as its sink receives it: the net difference at each instant, deletions first."""
    changes: list[tuple[int, str, Row]] = []
    before: Counter[Row] = Counter()
    for instant, bag in enumerate(answer.bags):
        changes += [(instant, "-", row) for row in (before - bag).elements()]
        changes += [(instant, "+", row) for row in (bag - before).elements()]
        before = bag
    return changes


def stream_rows(answer: Answer) -> list[Element]:
    return list(answer.elements)


class Evaluation:
    """One run: the inputs, the instants, and what the nodes met so far are worth."""

    def __init__(self, inputs: Inputs, last_instant: int, first_instant: int = 0, origin: int = 0) -> None:
        self.inputs = inputs
        self.origin = origin
        self.first_instant = first_instant
        self.instants = range(last_instant + 1)
        self.known: dict[Plan, Any] = {}

    def once(self, node: Plan, compute: Callable[[Plan], list[T]]) -> list[T]:
        if node not in self.known:
            self.known[node] = compute(node)
        result: list[T] = self.known[node]
        return result

    def stream(self, node: Plan) -> list[Element]:
        assert node.kind is Kind.STREAM, f"{label(node)} is no stream"
        return self.once(node, self._stream)

    def relation(self, node: Plan) -> list[Bag]:
        assert node.kind is Kind.RELATION, f"{label(node)} is no relation"
        return self.once(node, self._relation)

    def steps(self, node: Plan) -> list[SequenceStep]:
        assert node.kind is Kind.STEPS, f"{label(node)} has no steps"
        return self.once(node, self._steps)

    def _stream(self, node: Plan) -> list[Element]:
        match node:
            case nodes.Scan():
                arrived = [(instant, pick_columns(node, row)) for instant, row in self.inputs[node.source.name]]
                return order_by_instant(arrived, self.instants)
            case nodes.Select() | nodes.Project():
                return [(instant, new) for instant, row in self.stream(node.child) for new in apply(node, [row])]
            case nodes.Union():
                return order_by_instant(
                    [element for child in node.inputs for element in self.stream(child)], self.instants
                )
            case nodes.ToStream():
                return self._to_stream(node)
            case nodes.Append():
                return [(step.instant, row) for step in self.steps(node.child) for row in step.rows]
            case nodes.FrequencySample():
                return sample(self.stream(node.child), node.frequency, node.partition, self.instants[-1])
            case AssignWindows():
                pairs = with_windows(node, self.stream(node.child), self.origin)
                return order_by_instant([element for element, _ in pairs], self.instants)
            case nodes.HashSample():
                return [element for element in self.stream(node.child) if is_drawn(node, element)]
        raise NotImplementedError(f"the reference has no stream for {label(node)}")

    def _to_stream(self, node: nodes.ToStream) -> list[Element]:
        """CQL §6.3, with R(−1) = ∅."""
        elements: list[Element] = []
        before: Bag = []
        for instant, rows in enumerate(self.relation(node.child)):
            if instant < self.first_instant:
                continue
            match node.operator:
                case "istream":
                    sent = surplus(rows, before)
                case "dstream":
                    sent = surplus(before, rows)
                case "rstream":
                    sent = list(rows)
            elements += [(instant, row) for row in sent]
            before = rows
        return elements

    def _relation(self, node: Plan) -> list[Bag]:
        match node:
            case nodes.Scan():
                assert isinstance(node.source, Relation)
                changes = self.inputs[node.source.name]
                whole = (relation_at(node.source, changes, now) for now in self.instants)
                return [[pick_columns(node, row) for row in rows] for rows in whole]
            case nodes.ApplyWindow(window=Reservoir()):
                stream = self.stream(node.child)
                return [reservoir_at(node, stream, now) for now in self.instants]
            case AssignWindows():
                pairs = with_windows(node, self.stream(node.child), self.origin)
                return [rows_finished_at(pairs, now) for now in self.instants]
            case nodes.ApplyWindow():
                stream = self.stream(node.child)
                return [window_at(node.window, stream, now) for now in self.instants]
        inputs = [self.relation(child) for child in node.children]
        results: list[Bag] = []
        before: list[Bag] = []
        for instant in self.instants:
            now = [rows[instant] for rows in inputs]
            results.append(results[-1] if results and now == before else check_types(node, apply(node, *now)))
            before = now
        return results

    def _steps(self, node: Plan) -> list[SequenceStep]:
        match node:
            case nodes.JumpWindow():
                return jump(self.stream(node.child), node.range, node.frequency, node.partition)
        sides = {child: self.steps(child) for child in node.children if child.kind is Kind.STEPS}
        times, *others = ([step[:2] for step in steps] for steps in sides.values())
        # Two jumping windows in one query have a meaning only where they jump together.
        assert all(other == times for other in others), f"{label(node)} of windows that jump apart"

        def result(number: int, instant: int) -> Bag:
            inputs = [
                sides[child][number].rows if child in sides else self.relation(child)[instant]
                for child in node.children
            ]
            return check_types(node, apply(node, *inputs))

        numbered = enumerate(next(iter(sides.values())))
        return [SequenceStep(step.place, step.instant, result(number, step.instant)) for number, step in numbered]


def reservoir_at(node: nodes.ApplyWindow, stream: Sequence[Element], now: int) -> list[Row]:
    """The elements up to now with the lowest sampling hashes; equal elements have numbers, which are hashed too."""
    assert isinstance(node.window, Reservoir)
    types = (*node.schema.types, BIGINT)
    met: Counter[Element] = Counter()
    drawn = []
    for instant, row in stream:
        if instant <= now:
            drawn.append((sampling_hash(node.window.seed, instant, (*row, met[instant, row]), types), row))
            met[instant, row] += 1
    return [row for _, row in sorted(drawn, key=lambda pair: pair[0])[: node.window.size]]


def is_drawn(node: nodes.HashSample, element: Element) -> bool:
    """Whether an element's sampling hash is among the lowest p percent of all possible hashes."""
    instant, row = element
    values = [row[column] for column in node.columns]
    types = [node.schema[column].type for column in node.columns]
    return (sampling_hash(node.rate.seed, instant, values, types) + 2**63) * 100 < node.rate.percent * 2**64


def pick_columns(scan: nodes.Scan, row: Row) -> Row:
    return row if scan.columns is None else tuple(row[column] for column in scan.columns)


def order_by_instant(elements: Iterable[Element], instants: range) -> list[Element]:
    """In the order of instants, equal instants as they came; what lies outside the run is left out."""
    return sorted((element for element in elements if element[0] in instants), key=lambda element: element[0])


def check_types(node: Plan, rows: Bag) -> Bag:
    """The rows, once it is seen that they are of the types the plan promises."""
    for row in rows:
        for field_, value in zip(node.schema, row, strict=True):
            assert fits(value, field_.type), f"{label(node)}: {value!r} in a column {field_}"
    return rows


def relation_at(source: Relation, changes: Sequence[Change], now: int) -> list[Row]:
    """A static table always holds; others grow, keep a row per key, or follow + and − (semantics B.7)."""
    dated = sorted(((instant or 0, op, row) for instant, op, row in changes), key=lambda change: change[0])
    past = [(op, row) for instant, op, row in dated if 0 <= instant <= now]
    if source.op is not None:
        weights: Counter[Row] = Counter()
        for op, row in past:
            weights[row] += 1 if op == "+" else -1
        return list(weights.elements())
    if source.key:
        columns = [source.schema.find(name)[0] for name in source.key]
        newest = {tuple(row[column] for column in columns): row for _, row in past}
        return list(newest.values())
    return [row for _, row in past]
