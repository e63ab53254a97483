"""Plan version: which queries run from one batch on, until they change; their starts, their state and its sharding.

A query with the name and the query id it had in the version before keeps its start, its state and its sharding. Every
other query starts empty.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from tailrace.catalog.sources import Relation, Stream
from tailrace.errors import RunError
from tailrace.logical.queries import QueryDefinition
from tailrace.operators.operator import Operator
from tailrace.operators.plan import StartPoint
from tailrace.settings import Settings
from tailrace.spark.run.watching import SystemQueryPlan
from tailrace.staging.sharding import FixedSharding, Pins
from tailrace.staging.stages import StagedPlan

SHARE_FROM = 16  # from so many on, queries of one family, or of one stem, are answered together
LISTED = 100  # up to so many names are listed in full


class QueryFacts(Protocol):
    """What a plan version must know of a query: its id, its sources, its family if any, and what it may share."""

    @property
    def query_id(self) -> str: ...

    @property
    def reads(self) -> tuple[Stream | Relation, ...]: ...

    @property
    def family(self) -> str | None: ...

    @property
    def share_keys(self) -> tuple[str, ...]: ...


@dataclass(frozen=True)
class QuerySet:
    """The queries to run, their settings, the script's folder, and the last instant of a run that ends (`until`).

    `plan(version, past)` makes the stages of a plan version; `past` is the last decided instant. `check(names)` raises
    an error if one of these queries cannot be added while others run.
    """

    plan: Callable[[PlanVersion, int], StagedPlan]
    check: Callable[[Iterable[str]], None]
    queries: list[QueryDefinition]
    facts: Mapping[str, QueryFacts]
    settings: Settings
    folder: str | None = None
    until: str | None = None
    watching: Sequence[SystemQueryPlan] = ()  # queries over system streams, which run in the driver

    @property
    def sources(self) -> list[Stream | Relation]:
        """The sources that the queries read, each once."""
        return list({id(source): source for facts in self.facts.values() for source in facts.reads}.values())

    @property
    def families(self) -> dict[str, str]:
        """The family of each query that has one, by query."""
        return {name: facts.family for name, facts in self.facts.items() if facts.family}


@dataclass(frozen=True)
class PlanVersion:
    """The ids and starts of the queries, the sharding of steps (`pins`), and the names under which state is stored.

    `merged_steps` has the steps, by name, that were merged into a step of an older query, with the start of that.
    `chosen` has the strategies that `auto` chose, by output. Once a version has expire operators (`has_expires`), all
    later ones have them, since these operators may have state.
    """

    query_ids: Mapping[str, str] = field(default_factory=dict)
    begins: Mapping[str, StartPoint] = field(default_factory=dict)
    pins: Pins = field(default_factory=dict)
    names: frozenset[str] = frozenset()
    merged_steps: Mapping[str, int] = field(default_factory=dict)
    next_merge_at: int | None = None  # the next instant from which a step can be merged
    member_ids: Mapping[str, int] = field(
        default_factory=dict
    )  # by query that is answered together with its family: its member number
    last: int = -1  # the largest member number so far; none is given twice
    chosen: Mapping[str, str] = field(default_factory=dict)
    has_expires: bool = False

    def to_json(self) -> dict[str, Any]:
        queries = {
            name: {"query_id": self.query_ids[name], "batch": begin.batch, "instant": begin.instant}
            for name, begin in self.begins.items()
        }
        pins = {name: pin.to_json() for name, pin in self.pins.items()}
        numbers = {"member_ids": dict(self.member_ids), "last_member_id": self.last}
        strategies = {"chosen": dict(self.chosen), "has_expires": self.has_expires}
        names = {"state_names": sorted(self.names), "merged_steps": dict(self.merged_steps)}
        return {"queries": queries, "shardings": pins, **names, **numbers, **strategies}

    @staticmethod
    def from_json(known: Mapping[str, Any]) -> PlanVersion:
        queries = known["queries"].items()
        return PlanVersion(
            {name: each["query_id"] for name, each in queries},
            {name: StartPoint(each["batch"], each["instant"]) for name, each in queries},
            {name: FixedSharding.from_json(pin) for name, pin in known["shardings"].items()},
            frozenset(known["state_names"]),
            known["merged_steps"],
            member_ids=known["member_ids"],
            last=known["last_member_id"],
            chosen=known["chosen"],
            has_expires=known["has_expires"],
        )

    def without(self, names: Collection[str]) -> PlanVersion:
        """The version without these queries, so that they start empty in the next one."""
        if not names:
            return self
        left = {name: begin for name, begin in self.begins.items() if name not in names}
        numbers = {name: number for name, number in self.member_ids.items() if name in left}
        texts = {name: self.query_ids[name] for name in left}
        return replace(self, begins=left, query_ids=texts, member_ids=numbers)

    def with_chosen(self, chosen: Mapping[str, str]) -> PlanVersion:
        """The version with these strategies, by output, in place of those chosen before."""
        return replace(self, chosen={**self.chosen, **chosen})

    def next(
        self, work: QuerySet, batch: int, past: int, beat: int, newest: Mapping[str, int]
    ) -> tuple[PlanVersion, StagedPlan]:
        """The version that runs from `batch` on, and its stages.

        A new query starts at the first instant of which it sees all rows. That instant is later than `past` (decided
        so far), than `beat` (the watermark: rows up to it are late), and than the newest instant that has come from
        any of the query's sources (`newest`, by source). In batch 0 all queries start at instant 0.
        """
        begins = {}
        for query in work.queries:
            if self.query_ids.get(query.name) == work.facts[query.name].query_id:
                begins[query.name] = self.begins[query.name]
            else:
                seen = [newest[source.name] for source in work.facts[query.name].reads if source.name in newest]
                begins[query.name] = StartPoint(batch, max([past, beat, *seen]) + 1) if batch else StartPoint()
        numbers = self.assign_member_ids(work)
        last = max([self.last, *numbers.values()])
        texts = {name: facts.query_id for name, facts in work.facts.items()}
        after = replace(self, query_ids=texts, begins=begins, member_ids=numbers, last=last)
        plan = work.plan(after, past)
        after = replace(
            after,
            pins=plan.fixed_shardings,
            merged_steps=plan.merged_starts,
            next_merge_at=plan.next_merge_at,
            has_expires=plan.has_expires,
        )
        return replace(after, names=frozenset(plan.names)), plan

    def assign_member_ids(self, work: QuerySet) -> dict[str, int]:
        """The member numbers of the queries that are answered together with their family, by query.

        Queries that have a number keep it. A new query gets one if its family, or a stem it reads, already has members
        or has at least SHARE_FROM queries. A query that ran alone stays alone: its state is not kept by member.
        """
        stay = {name for name, facts in work.facts.items() if self.query_ids.get(name) == facts.query_id}
        found = {name: number for name, number in self.member_ids.items() if name in stay}
        sizes = Counter(each for facts in work.facts.values() for each in set(facts.share_keys))
        there = {each for name in found for each in work.facts[name].share_keys}
        new = [
            name
            for name, facts in work.facts.items()
            if name not in stay and any(each in there or sizes[each] >= SHARE_FROM for each in facts.share_keys)
        ]
        return {**found, **{name: self.last + 1 + place for place, name in enumerate(new)}}


def check_kept_state(before: PlanVersion, after: PlanVersion, plan: StagedPlan) -> None:
    """Refuse a plan in which a query that stays would start with empty state, since the version before has none of it.

    The state of a query is found by the ids of its steps. A query stays if its id is the same; then its steps must have
    the ids they had, or its results would be wrong without a word.
    """
    kept = {name for name, id in after.query_ids.items() if before.query_ids.get(name) == id}
    families = {family for family, members in plan.families.items() if kept & set(members.values())}
    for output in sorted((kept & plan.outputs.keys()) | families):
        for stage, number in plan.steps_below(output):
            work, names = stage.plan.steps[number].work, stage.names.get(number, ())
            if isinstance(work, Operator) and work.has_own_state and before.names.isdisjoint(names):
                raise RunError(
                    f"{plan.display_name(output)} is as before, but the checkpoint has no state of its {work.kind}",
                    hint="start it under another name, or from a new checkpoint folder",
                )


@dataclass(frozen=True)
class PlanChange:
    """What a new plan version changed: queries whose state was kept, that started empty, and that were dropped.

    `started` has the instant at which each query started, as text.
    """

    restored: tuple[str, ...]
    started: Mapping[str, str]
    dropped: tuple[str, ...]

    @staticmethod
    def between(before: PlanVersion, after: PlanVersion, told: Callable[[int], str]) -> PlanChange:
        """The change from one version to the next; `told` writes an instant as text."""
        kept = {name: text for name, text in after.query_ids.items() if before.query_ids.get(name) == text}
        begun = {name: told(begin.instant) for name, begin in after.begins.items() if name not in kept}
        return PlanChange(tuple(kept), begun, tuple(name for name in before.begins if name not in after.begins))

    def describe(self) -> list[str]:
        """One line of text for each kind of change.

        >>> PlanChange(("a", "b"), {"c": "17"}, ("d",)).describe()
        ['state restored: a, b', 'started empty: c (from instant 17)', 'dropped with state: d']
        """
        lines = [f"state restored: {list_names(self.restored)}"] if self.restored else []
        if self.started:
            begun = [f"{name} (from instant {instant})" for name, instant in self.started.items()]
            lines.append(f"started empty: {list_names(begun)}")
        if self.dropped:
            lines.append(f"dropped with state: {list_names(self.dropped)}")
        return lines


def list_names(names: Sequence[str]) -> str:
    """The names with commas in between; if there are many, the first ten and the number of others.

    >>> list_names([f"q{number}" for number in range(1000)])
    'q0, q1, q2, q3, q4, q5, q6, q7, q8, q9 and 990 more'
    """
    if len(names) <= LISTED:
        return ", ".join(names)
    return f"{', '.join(names[:10])} and {len(names) - 10:,} more"
