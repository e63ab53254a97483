"""Plan version: which queries run from one batch on, until they change; their starts, their state and its sharding.

A query with the name and the query id it had in the version before keeps its start, its state and its sharding. Every
other query starts empty.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

import pyarrow as pa

from tailrace.catalog.sources import Relation, Stream
from tailrace.errors import RunError
from tailrace.logical.queries import QueryDefinition
from tailrace.operators.operator import Operator
from tailrace.operators.plan import PhysicalPlan, StartPoint
from tailrace.settings import Settings
from tailrace.sharing.registry import QueryProfile
from tailrace.staging.sharding import FixedSharding, Pins
from tailrace.staging.stages import StagedPlan

SHARE_FROM = 16  # from so many on, queries of one family, or of one stem, are answered together
LISTED = 100  # up to so many names are listed in full


class PlanVersions(Protocol):
    """Plans the queries of a run, version by version; made by engine/pipeline.py, and the only call upwards."""

    def advance(
        self, before: PlanVersion, batch: int, decided_until: int, watermark: int, newest: Mapping[str, int]
    ) -> tuple[PlanVersion, StagedPlan]:
        """The version that runs from `batch` on, and its stages; `PlanVersion.with_queries` explains the arguments."""

    def preview(self, before: PlanVersion | None, decided_until: int) -> StagedPlan:
        """The stages that the next batch would have, after `before` if that is not None; they tell what to open."""

    def check(self, names: Iterable[str]) -> None:
        """Raise an error if one of these queries cannot be added while others run."""

    def only(self, names: Collection[str], on_trial: bool = False) -> PlanVersions:
        """The same for these queries only; what is planned `on_trial` leaves no trace in later versions."""

    def plan_system_query(self, query: QueryDefinition, instant: int) -> PhysicalPlan:
        """The operators of a query over system streams that starts at an instant; they run without Spark."""


@dataclass(frozen=True)
class SystemQueryPlan:
    """A query over system streams and who plans it."""

    query: QueryDefinition
    versions: PlanVersions
    tick: int  # in microseconds
    take: Callable[[QueryDefinition, pa.Table], None] | None = None  # gets its rows; None: the run delivers them


@dataclass(frozen=True)
class QuerySet:
    """The queries to run, who plans them, their profiles and settings."""

    queries: list[QueryDefinition]
    versions: PlanVersions
    profiles: Mapping[str, QueryProfile]
    settings: Settings
    folder: str | None = None  # the script's
    until: str | None = None  # the last instant of a run that ends
    system_queries: Sequence[SystemQueryPlan] = ()  # run in the driver
    resumed: frozenset[str] = frozenset()  # those that start anew if they are quarantined

    @property
    def sources(self) -> list[Stream | Relation]:
        """The sources that the queries read, each once."""
        return list({id(source): source for profile in self.profiles.values() for source in profile.reads}.values())

    def only(self, names: Collection[str], on_trial: bool = False) -> QuerySet:
        """These queries only; what is planned of them `on_trial` leaves no trace in later plan versions."""
        queries = [query for query in self.queries if query.name in names]
        profiles = {query.name: self.profiles[query.name] for query in queries}
        return replace(self, queries=queries, profiles=profiles, versions=self.versions.only(names, on_trial))

    @property
    def families(self) -> dict[str, str]:
        """The family of each query that has one, by query."""
        return {name: profile.family for name, profile in self.profiles.items() if profile.family}


@dataclass(frozen=True)
class PlanVersion:
    """The queries of a plan from one batch on, and what the next version must keep of it."""

    query_ids: Mapping[str, str] = field(default_factory=dict)
    begins: Mapping[str, StartPoint] = field(default_factory=dict)
    pins: Pins = field(default_factory=dict)  # the sharding of steps
    names: frozenset[str] = frozenset()  # under which state is stored
    merged_steps: Mapping[str, int] = field(default_factory=dict)  # by step merged into an older one: the start of that
    next_merge_at: int | None = None  # the next instant from which a step can be merged
    member_ids: Mapping[str, int] = field(
        default_factory=dict
    )  # by query that is answered together with its family: its member number
    last: int = -1  # the largest member number so far; none is given twice
    chosen: Mapping[str, str] = field(default_factory=dict)  # the strategies that `auto` chose, by output
    has_expires: bool = False  # all later versions have expire operators too: they may have state

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
    def from_json(record: Mapping[str, Any]) -> PlanVersion:
        queries = record["queries"].items()
        return PlanVersion(
            {name: each["query_id"] for name, each in queries},
            {name: StartPoint(each["batch"], each["instant"]) for name, each in queries},
            {name: FixedSharding.from_json(pin) for name, pin in record["shardings"].items()},
            frozenset(record["state_names"]),
            record["merged_steps"],
            member_ids=record["member_ids"],
            last=record["last_member_id"],
            chosen=record["chosen"],
            has_expires=record["has_expires"],
        )

    def without(self, names: Collection[str]) -> PlanVersion:
        """The version without these queries, so that they start empty in the next one."""
        if not names:
            return self
        begins = {name: begin for name, begin in self.begins.items() if name not in names}
        member_ids = {name: number for name, number in self.member_ids.items() if name in begins}
        query_ids = {name: self.query_ids[name] for name in begins}
        return replace(self, begins=begins, query_ids=query_ids, member_ids=member_ids)

    def with_chosen(self, chosen: Mapping[str, str]) -> PlanVersion:
        """The version with these strategies, by output, in place of those chosen before."""
        return replace(self, chosen={**self.chosen, **chosen})

    def with_queries(
        self,
        profiles: Mapping[str, QueryProfile],
        batch: int,
        decided_until: int,
        watermark: int,
        newest: Mapping[str, int],
    ) -> PlanVersion:
        """The version in which these queries run, from `batch` on: with their starts and member numbers.

        A new query starts at the first instant of which it sees all rows. That instant is later than `decided_until`,
        than the watermark (rows up to it are late), and than the newest instant that has come from any of the query's
        sources (`newest`, by source). In batch 0 all queries start at instant 0.
        """
        begins = {}
        for name, profile in profiles.items():
            if self.query_ids.get(name) == profile.query_id:
                begins[name] = self.begins[name]
            else:
                instants = [newest[source.name] for source in profile.reads if source.name in newest]
                start = max([decided_until, watermark, *instants]) + 1
                begins[name] = StartPoint(batch, start) if batch else StartPoint()
        query_ids = {name: profile.query_id for name, profile in profiles.items()}
        member_ids = self.assign_member_ids(profiles)
        last = max([self.last, *member_ids.values()])
        return replace(self, query_ids=query_ids, begins=begins, member_ids=member_ids, last=last)

    def with_plan(self, plan: StagedPlan) -> PlanVersion:
        """The version with what its stages say: how state is named and sharded, and which steps were merged."""
        return replace(
            self,
            pins=plan.fixed_shardings,
            names=frozenset(plan.names),
            merged_steps=plan.merged_starts,
            next_merge_at=plan.next_merge_at,
            has_expires=plan.has_expires,
        )

    def assign_member_ids(self, profiles: Mapping[str, QueryProfile]) -> dict[str, int]:
        """The member numbers of the queries that are answered together with their family, by query.

        Queries that have a number keep it. A new query gets one if its family, or a stem it reads, already has members
        or has at least SHARE_FROM queries. A query that ran alone stays alone: its state is not kept by member.
        """
        stay = {name for name, profile in profiles.items() if self.query_ids.get(name) == profile.query_id}
        member_ids = {name: number for name, number in self.member_ids.items() if name in stay}
        sizes = Counter(key for profile in profiles.values() for key in set(profile.share_keys))
        shared = {key for name in member_ids for key in profiles[name].share_keys}
        new = [
            name
            for name, profile in profiles.items()
            if name not in stay and any(key in shared or sizes[key] >= SHARE_FROM for key in profile.share_keys)
        ]
        return {**member_ids, **{name: self.last + 1 + place for place, name in enumerate(new)}}


def check_kept_state(before: PlanVersion, after: PlanVersion, plan: StagedPlan) -> None:
    """Refuse a plan in which a query that stays would lose its state, as its steps no longer have the ids they had."""
    kept = {name for name, id in after.query_ids.items() if before.query_ids.get(name) == id}
    families = {family for family, members in plan.families.items() if kept & set(members.values())}
    for output in sorted((kept & plan.outputs.keys()) | families):
        for stage, number in plan.steps_below(output):
            operator, names = stage.plan.steps[number].work, stage.names.get(number, ())
            if isinstance(operator, Operator) and operator.has_own_state and before.names.isdisjoint(names):
                raise RunError(
                    f"{plan.display_name(output)} is as before, but the checkpoint has no state of its {operator.kind}",
                    hint="start it under another name, or from a new checkpoint folder",
                )


@dataclass(frozen=True)
class PlanChange:
    """What a new plan version changed: queries whose state was kept, that started empty, and that were dropped."""

    restored: tuple[str, ...]
    started: Mapping[str, str]  # with the instant, as text
    dropped: tuple[str, ...]

    @staticmethod
    def between(before: PlanVersion, after: PlanVersion, format_instant: Callable[[int], str]) -> PlanChange:
        """The change from one version to the next; `format_instant` writes an instant as text."""
        kept = {name: text for name, text in after.query_ids.items() if before.query_ids.get(name) == text}
        started = {name: format_instant(begin.instant) for name, begin in after.begins.items() if name not in kept}
        return PlanChange(tuple(kept), started, tuple(name for name in before.begins if name not in after.begins))

    def describe(self) -> list[str]:
        """One line of text for each kind of change.

        >>> PlanChange(("a", "b"), {"c": "17"}, ("d",)).describe()
        ['state restored: a, b', 'started empty: c (from instant 17)', 'dropped with state: d']
        """
        lines = [f"state restored: {list_names(self.restored)}"] if self.restored else []
        if self.started:
            started = [f"{name} (from instant {instant})" for name, instant in self.started.items()]
            lines.append(f"started empty: {list_names(started)}")
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
