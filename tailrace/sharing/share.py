"""Share: the families of a plan version, each with its plan and its members."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tailrace.logical.plan import Plan
from tailrace.operators.families.member_sets import MemberFilter, MemberSet, Membership, Windows, reach_of
from tailrace.operators.plan import StartPoint
from tailrace.sharing.registry import Family, QueryProfile, StemInput

Members = Mapping[str, Mapping[int, tuple[str, QueryProfile]]]  # by family: its queries, by their member numbers
Memberships = dict[str, Membership]  # the members of each family and stem, kept from one batch to the next


@dataclass(frozen=True)
class SharedPlans:
    """The plans of families, which of them are snapshots, and the members of families and of the stems they read."""

    plans: Mapping[str, Plan]
    snapshots: frozenset[str]
    members: Mapping[str, MemberSet]


def members_of(member_ids: Mapping[str, int], profiles: Mapping[str, QueryProfile]) -> Members:
    """The queries that have member numbers, by family and number."""
    members: dict[str, dict[int, tuple[str, QueryProfile]]] = {}
    for name, number in member_ids.items():
        members.setdefault(profiles[name].family or "", {})[number] = name, profiles[name]
    return members


def share(
    members: Members,
    families: Mapping[str, Family],
    memberships: Memberships,
    starts: Mapping[str, StartPoint],
    decided_until: int,
    routing: str,
) -> SharedPlans:
    """The plans of the families that have members, and their members.

    `starts` has the start of each query. All rows of the batch are of instants after `decided_until`, so a member that
    started earlier needs no check of instants. `routing` is the policy by which eddies route rows.
    """
    sets: dict[str, MemberSet] = {}
    stems: dict[str, dict[int, tuple[StemInput, int]]] = {}
    for family, queries in members.items():
        profiles = {number: profile for number, (_, profile) in queries.items()}
        since = {number: starts.get(name, StartPoint()).instant for number, (name, _) in queries.items()}
        width = families[family].width
        filters = {number: MemberFilter(each.predicate, width, since[number]) for number, each in profiles.items()}
        member_set = memberships.setdefault(family, Membership()).flow(filters, decided_until, routing)
        windows = {number: [part.window for part in each.parts] for number, each in profiles.items() if each.parts}
        sets[family] = member_set.for_stem_join(Windows.of(windows)) if windows else member_set
        for number, profile in profiles.items():
            for part in profile.parts:
                stems.setdefault(part.stem, {})[number] = part, since[number]
    for stem, readers in stems.items():
        filters = {number: MemberFilter(part.wanted, part.width, start) for number, (part, start) in readers.items()}
        parts = [part for part, _ in readers.values()]
        reach = max(reach_of(part.window) for part in parts)
        needs = frozenset[int]().union(*{part.needs for part in parts})
        member_set = memberships.setdefault(stem, Membership()).flow(filters, decided_until, routing)
        sets[stem] = member_set.for_stem(reach, needs)
    snapshots = frozenset(family for family in members if families[family].is_snapshot)
    return SharedPlans({family: families[family].plan for family in members}, snapshots, sets)
