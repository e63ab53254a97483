"""Edition: which queries stand, since when, and where their state is, from one batch on until they change.

What a query is, is told by a text. A query of the same name and text as before stays: its begin, its state and how
that is spread over shards are those of the edition before. Every other one begins with the edition.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from tailrace.analysis.program import QueryDefinition
from tailrace.catalog.sources import Relation, Stream
from tailrace.operators.plan import StartPoint
from tailrace.settings import Settings
from tailrace.spark.run.watching import SystemQueryPlan
from tailrace.staging.sharding import FixedSharding, Pins
from tailrace.staging.stages import StagedPlan

SHARE_FROM = 16  # queries that are alike, or join the same stream by the same key, are answered together
LISTED = 100  # names that are all told


class QueryFacts(Protocol):
    """What a query is, as a text; what it reads; its family, if it is like others, and what it shares with many."""

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
    """What to answer: the queries, the settings, the script's folder, and until when.

    `plan` gives their stages, given an edition and what is past; `check` refuses queries that cannot join others.
    """

    plan: Callable[[PlanVersion, int], StagedPlan]
    check: Callable[[Iterable[str]], None]
    queries: list[QueryDefinition]
    facts: Mapping[str, QueryFacts]
    settings: Settings
    folder: str | None = None
    until: str | None = None
    watching: Sequence[SystemQueryPlan] = ()  # queries over the system's streams, which are answered beside

    @property
    def sources(self) -> list[Stream | Relation]:
        """All that is read."""
        return list({id(source): source for facts in self.facts.values() for source in facts.reads}.values())

    @property
    def families(self) -> dict[str, str]:
        """Of the queries that are like others, to which family each belongs."""
        return {name: facts.family for name, facts in self.facts.items() if facts.family}


@dataclass(frozen=True)
class PlanVersion:
    """The queries' texts and begins, how steps are spread over shards, and the names under which state is kept.

    `joined` has the steps, by name, that gave way to those of an earlier query, and when that began. `chosen` are the
    strategies that were chosen for outputs; once there were W-expires, they stay, since they may remember something.
    """

    query_ids: Mapping[str, str] = field(default_factory=dict)
    begins: Mapping[str, StartPoint] = field(default_factory=dict)
    pins: Pins = field(default_factory=dict)
    names: frozenset[str] = frozenset()
    merged_steps: Mapping[str, int] = field(default_factory=dict)
    next_merge_at: int | None = None  # the next instant from which on a step can give way
    member_ids: Mapping[str, int] = field(
        default_factory=dict
    )  # of queries that are answered together with their family
    last: int = -1  # the last number that was given
    chosen: Mapping[str, str] = field(default_factory=dict)
    has_expires: bool = False

    def to_json(self) -> dict[str, Any]:
        queries = {
            name: {"is": self.query_ids[name], "batch": begin.batch, "instant": begin.instant}
            for name, begin in self.begins.items()
        }
        pins = {name: pin.to_json() for name, pin in self.pins.items()}
        numbers = {"numbers": dict(self.member_ids), "last": self.last}
        strategies = {"chosen": dict(self.chosen), "has expires": self.has_expires}
        names = {"names": sorted(self.names), "joined": dict(self.merged_steps)}
        return {"queries": queries, "pins": pins, **names, **numbers, **strategies}

    @staticmethod
    def from_json(known: Mapping[str, Any]) -> PlanVersion:
        queries = known["queries"].items()
        return PlanVersion(
            {name: each["is"] for name, each in queries},
            {name: StartPoint(each["batch"], each["instant"]) for name, each in queries},
            {name: FixedSharding.from_json(pin) for name, pin in known["pins"].items()},
            frozenset(known["names"]),
            known["joined"],
            member_ids=known["numbers"],
            last=known["last"],
            chosen=known.get("chosen", {}),
            has_expires=known.get("has expires", False),
        )

    def without(self, names: Collection[str]) -> PlanVersion:
        """The edition as if these queries had not been in it."""
        if not names:
            return self
        left = {name: begin for name, begin in self.begins.items() if name not in names}
        numbers = {name: number for name, number in self.member_ids.items() if name in left}
        texts = {name: self.query_ids[name] for name in left}
        return replace(self, begins=left, query_ids=texts, member_ids=numbers)

    def with_chosen(self, chosen: Mapping[str, str]) -> PlanVersion:
        """With other strategies for some outputs."""
        return replace(self, chosen={**self.chosen, **chosen})

    def next(
        self, work: QuerySet, batch: int, past: int, beat: int, newest: Mapping[str, int]
    ) -> tuple[PlanVersion, StagedPlan]:
        """The edition from a batch on, and its stages; `newest` is by source the newest instant that has come.

        A query sees what comes after all that has come from its sources, from the first instant that is still whole;
        up to `beat` whatever comes is late.
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
        """The queries that are answered together, with their numbers: those that were, and new ones that are many.

        A query that was answered alone stays so: what it remembers is not by member.
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


@dataclass(frozen=True)
class PlanChange:
    """What an edition changed: queries whose state was kept, that begin now, with the instant, and that are gone."""

    restored: tuple[str, ...]
    started: Mapping[str, str]
    dropped: tuple[str, ...]

    @staticmethod
    def between(before: PlanVersion, after: PlanVersion, told: Callable[[int], str]) -> PlanChange:
        """For people, `told` writes an instant."""
        kept = {name: text for name, text in after.query_ids.items() if before.query_ids.get(name) == text}
        begun = {name: told(begin.instant) for name, begin in after.begins.items() if name not in kept}
        return PlanChange(tuple(kept), begun, tuple(name for name in before.begins if name not in after.begins))

    def describe(self) -> list[str]:
        """A line for each kind of change.

        >>> PlanChange(("a", "b"), {"c": "17"}, ("d",)).describe()
        ['state kept: a, b', 'begun anew: c (from instant 17)', 'dropped, with its state: d']
        """
        lines = [f"state kept: {list_names(self.restored)}"] if self.restored else []
        if self.started:
            begun = [f"{name} (from instant {instant})" for name, instant in self.started.items()]
            lines.append(f"begun anew: {list_names(begun)}")
        if self.dropped:
            lines.append(
                f"dropped, with {'its' if len(self.dropped) == 1 else 'their'} state: {list_names(self.dropped)}"
            )
        return lines


def list_names(names: Sequence[str]) -> str:
    """The names, or the first of many.

    >>> list_names([f"q{number}" for number in range(1000)])
    'q0, q1, q2, q3, q4, q5, q6, q7, q8, q9 and 990 more'
    """
    if len(names) <= LISTED:
        return ", ".join(names)
    return f"{', '.join(names[:10])} and {len(names) - 10:,} more"
