"""Sharding: chooses the key by which each operator's rows are sharded, and where rows must be shuffled.

Rows that an operator must see together have equal keys and so are in one shard. Preferences go from the queries down:
an operator asks for its inputs to be sharded by some of its links, if possible by links that suit the operators above
it too. Then, from the sources up, each operator takes an input as it is if its sharding fits, and has it shuffled if
not. So rows are shuffled where keys change, and nowhere else.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa

from tailrace.catalog.sources import Relation, Stream
from tailrace.logical.expressions import Expression
from tailrace.operators.operator import KeyLink
from tailrace.operators.plan import PhysicalPlan
from tailrace.operators.pushdown import Pushdown, chains
from tailrace.state.resharding import ShardKey

# By which columns rows are sharded: for each part of the key the columns that hold its value. Without parts all rows
# are in one shard. None: rows are spread over shards, but by no known columns.
Sharding = tuple[frozenset[int], ...] | None


@dataclass(frozen=True)
class Edge:
    """An input of an operator: rows of a pushdown or step, shuffled by `key` if they move, or sent to all shards."""

    chain: Pushdown | None
    step: int
    key: ShardKey = None
    moves: bool = False
    copied: bool = False


@dataclass(frozen=True)
class FixedSharding:
    """How a step's state is sharded since an earlier plan version: for each input the key and whether it moves."""

    edges: tuple[tuple[ShardKey, bool], ...]
    sharding: Sharding

    def to_json(self) -> list[Any]:
        """The sharding as lists and numbers.

        >>> pin = FixedSharding((((1, 2), True), (None, False)), (frozenset([3]),))
        >>> FixedSharding.from_json(pin.to_json()) == pin
        True
        """
        sharding = None if self.sharding is None else [sorted(part) for part in self.sharding]
        return [[[None if key is None else list(key), moves] for key, moves in self.edges], sharding]

    @staticmethod
    def from_json(known: list[Any]) -> FixedSharding:
        edges, sharding = known
        return FixedSharding(
            tuple((None if key is None else tuple(key), moves) for key, moves in edges),
            None if sharding is None else tuple(frozenset(part) for part in sharding),
        )


# By the state ids of steps.
Pins = Mapping[str, FixedSharding]


@dataclass
class Sharded:
    """For each step that runs in a stage its inputs, and how its rows are sharded."""

    chains: list[Pushdown | None]
    edges: dict[int, tuple[Edge, ...]] = field(default_factory=dict)
    sharding: dict[int, Sharding] = field(default_factory=dict)

    def pins(self, names: Sequence[str]) -> dict[str, FixedSharding]:
        """The sharding of each step, by its state id, for the next plan version."""
        return {
            names[number]: FixedSharding(tuple((edge.key, edge.moves) for edge in edges), self.sharding[number])
            for number, edges in self.edges.items()
        }


def shard(plan: PhysicalPlan, names: Sequence[str] = (), pins: Pins | None = None) -> Sharded:
    """The sharding of all steps of a plan. A step that has a fixed sharding in `pins`, by its name, keeps it."""
    found = Sharded(chains(plan))
    wishes = ShardingPreferences(plan, found.chains)
    for number, step in enumerate(plan.steps):
        if found.chains[number] is not None:
            continue
        if pins and names[number] in pins:
            pin = pins[names[number]]
            whole = len(partitioned_inputs(plan, number))
            found.edges[number] = tuple(
                Edge(found.chains[below], below, key, moves, moves and place >= whole)
                for place, (below, (key, moves)) in enumerate(zip(step.inputs, pin.edges, strict=True))
            )
            found.sharding[number] = pin.sharding
        else:
            _place(plan, found, wishes, number)
    return found


def in_one_shard(plan: PhysicalPlan) -> Sharded:
    """The sharding of a plan that keeps all rows in the first shard."""
    found = Sharded(chains(plan))
    for number, step in enumerate(plan.steps):
        if found.chains[number] is None:
            found.edges[number] = tuple(_edge(found, below, (), moves=False) for below in step.inputs)
            found.sharding[number] = ()
    return found


def links_of(plan: PhysicalPlan, number: int) -> tuple[KeyLink, ...]:
    """The key links of a step whose values Spark can hash: those without nested types."""
    types = [plan.types(below) for below in partitioned_inputs(plan, number)]
    return tuple(
        link
        for link in plan.operator(number).key_links(len(types))
        if all(not pa.types.is_nested(of[column]) for of, column in zip(types, link.inputs, strict=True))
    )


def partitioned_inputs(plan: PhysicalPlan, number: int) -> tuple[int, ...]:
    """The inputs of a step without its broadcast inputs."""
    inputs = plan.steps[number].inputs
    return inputs[: len(inputs) - plan.operator(number).broadcast_inputs]


class ShardingPreferences:
    """The columns by which operators would like their inputs sharded: by step, and for rows of sources by source."""

    def __init__(self, plan: PhysicalPlan, chains: list[Pushdown | None]) -> None:
        self.plan = plan
        self.chains = chains
        self.of_source: dict[Stream | Relation, list[frozenset[Expression]]] = defaultdict(list)
        self.chosen: dict[int, tuple[KeyLink, ...]] = {}
        self._of_step: dict[int, list[frozenset[int]]] = defaultdict(list)
        for number in reversed(range(len(plan.steps))):
            if chains[number] is None:
                self._wish(number)

    def _wish(self, number: int) -> None:
        work = self.plan.operator(number)
        links = links_of(self.plan, number)
        above = common(self._of_step[number])
        chosen = tuple(link for link in links if above & set(link.outputs))
        if work.needs_whole_key or (not chosen and not work.row_local):
            chosen = links
        self.chosen[number] = chosen
        for place, below in enumerate(partitioned_inputs(self.plan, number)):
            wish = frozenset(link.inputs[place] for link in chosen)
            chain = self.chains[below]
            if not wish:
                continue
            if chain is None:
                self._of_step[below].append(wish)
            elif not isinstance(chain.origin, int):
                _agree(self.of_source[chain.origin], frozenset(chain.columns[column] for column in wish))

    def agreed_columns(self, chain: Pushdown, columns: Sequence[int]) -> list[int]:
        """Those of a pushdown's columns on which all readers of its source agree, so that it moves once; else all."""
        if isinstance(chain.origin, int):
            return list(columns)
        wanted = frozenset(chain.columns[column] for column in columns)
        group = next((group for group in self.of_source[chain.origin] if group & wanted), frozenset())
        return [column for column in columns if chain.columns[column] in group] or list(columns)


def common(wishes: Sequence[frozenset[int]]) -> frozenset[int]:
    """The columns that all preferences have in common; one that has nothing in common with those before is ignored."""
    found = wishes[0] if wishes else frozenset()
    for wish in wishes[1:]:
        found = found & wish or found
    return found


def _agree(groups: list[frozenset[Expression]], wish: frozenset[Expression]) -> None:
    for place, group in enumerate(groups):
        if group & wish:
            groups[place] = group & wish
            return
    groups.append(wish)


def _place(plan: PhysicalPlan, found: Sharded, wishes: ShardingPreferences, number: int) -> None:
    """Decide which inputs of a step are shuffled, by which key, and how its output is sharded."""
    work, inputs = plan.operator(number), partitioned_inputs(plan, number)
    chosen = wishes.chosen[number]
    for place, below in enumerate(inputs):
        chain = found.chains[below]
        if chain is not None and not work.needs_whole_key:
            kept = wishes.agreed_columns(chain, [link.inputs[place] for link in chosen])
            chosen = tuple(link for link in chosen if link.inputs[place] in kept)
    links = links_of(plan, number)
    if work.row_local:
        edges = tuple(_edge(found, below, tuple(link.inputs[place] for link in chosen) or None, moves=False)
                      for place, below in enumerate(inputs))  # fmt: skip
        ways = [_through(links, place, _arrives(found, edge)) for place, edge in enumerate(edges)]
    else:
        target = links if work.needs_whole_key else _best(found, inputs, links, chosen)
        edges = tuple(
            _edge(found, below, tuple(link.inputs[place] for link in target), not _fits(found, below, place, target))
            for place, below in enumerate(inputs)
        )
        ways = [tuple(frozenset(link.outputs) for link in target)]
    whole = plan.steps[number].inputs[len(inputs) :]
    copies = tuple(Edge(found.chains[below], below, None, moves=True, copied=True) for below in whole)
    found.edges[number] = edges + copies
    found.sharding[number] = _together(ways)


def _edge(found: Sharded, below: int, key: ShardKey, moves: bool) -> Edge:
    chain = found.chains[below]
    return Edge(chain, below, key, moves or chain is not None)


def _arrives(found: Sharded, edge: Edge) -> Sharding:
    """How the rows of an edge are sharded when they arrive."""
    if not edge.moves:
        return found.sharding[edge.step]
    return None if edge.key is None else tuple(frozenset([column]) for column in edge.key)


def _best(
    found: Sharded, inputs: Sequence[int], links: Sequence[KeyLink], chosen: Sequence[KeyLink]
) -> tuple[KeyLink, ...]:
    """The links to shard a step by, chosen so that the fewest inputs are shuffled."""
    if not links or all(found.chains[below] is None and found.sharding[below] == () for below in inputs):
        return ()
    ways = [tuple(chosen)]
    for place, below in enumerate(inputs):
        if found.chains[below] is None:
            ways.append(_links_of_sharding(links, place, found.sharding[below]))
    ways = [way for way in ways if way]
    return min(ways, key=lambda way: sum(not _fits(found, below, place, way) for place, below in enumerate(inputs)))


def _links_of_sharding(links: Sequence[KeyLink], place: int, sharding: Sharding) -> tuple[KeyLink, ...]:
    """For each part of an input's sharding a link that holds it; no links at all if one part has none."""
    found = [next((link for link in links if link.inputs[place] in part), None) for part in sharding or ()]
    return () if None in found else tuple(link for link in found if link)


def _fits(found: Sharded, below: int, place: int, target: Sequence[KeyLink]) -> bool:
    """Whether an input needs no shuffle of its own. Rows of a pushdown are always shuffled, so any key fits."""
    if found.chains[below] is not None:
        return True
    sharding = found.sharding[below]
    if sharding is None or len(sharding) != len(target):
        return False
    return all(link.inputs[place] in part for link, part in zip(target, sharding, strict=True))


def _through(links: Sequence[KeyLink], place: int, sharding: Sharding) -> Sharding:
    """The sharding of an input as columns of the output; None if a part of the key is in no output column."""
    if sharding is None:
        return None
    parts = [frozenset(out for link in links if link.inputs[place] in part for out in link.outputs)
             for part in sharding]  # fmt: skip
    return tuple(parts) if all(parts) else None


def _together(ways: Sequence[Sharding]) -> Sharding:
    """The sharding of rows from several inputs: the columns that hold the key in all of them; None without such."""
    first = ways[0]
    if first is None or any(way is None or len(way) != len(first) for way in ways):
        return None
    parts = [frozenset.intersection(*(way[place] for way in ways if way is not None)) for place in range(len(first))]
    return tuple(parts) if all(parts) else None
