"""Join families: queries that join the same streams on the same key and are answered by one plan.

Each stream's tuples are stored once in a stem (CACQ's SteM), indexed by the key. Members may differ in their predicates
on one stream, in their windows, and in their predicates on combinations, such as `s.price < a.price`. Everything above
the joins must be the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

from tailrace.catalog.sources import Stream
from tailrace.logical.expressions import (
    Column,
    Expression,
    UserCall,
    all_of,
    columns_of,
    conjuncts,
    inline,
    map_columns,
    move,
    shift,
    transform,
    uses_python,
    walk,
)
from tailrace.logical.family_nodes import Stem, StemJoin
from tailrace.logical.join_trees import Class, Flat, classes, equal_terms, flatten_joins
from tailrace.logical.nodes import ApplyWindow, Join, Project, Scan, Select
from tailrace.logical.plan import Plan
from tailrace.logical.text.expression_text import text_of
from tailrace.logical.windows import RowWindow, Sliding, TimeWindow
from tailrace.rewrite.totality import cannot_fail


@dataclass(frozen=True)
class Side:
    """One input of a join."""

    source: Stream
    columns: tuple[int, ...]  # that are read
    parts: tuple[Expression, ...] = ()  # conjuncts on its tuples, over all columns of the stream
    window: Sliding | None = None

    @property
    def predicate(self) -> Expression:
        return all_of(self.parts)


@dataclass(frozen=True)
class JoinTree:
    """A join of windows on streams by one key: a stem and a side for each stream."""

    stems: tuple[Stem, ...]
    sides: tuple[Side, ...]
    predicate: Expression  # on combinations, of one tuple of each stream
    columns: tuple[int, ...]  # of the combinations, one stream after another, that are read

    @property
    def windows(self) -> tuple[Sliding, ...]:
        return tuple(side.window for side in self.sides if side.window)

    @property
    def width(self) -> int:
        return sum(len(side.source.schema) for side in self.sides)

    @property
    def predicates(self) -> list[Expression]:
        return [self.predicate, *(side.predicate for side in self.sides)]

    def plan_for_members(self, family: str, columns: tuple[int, ...]) -> Plan:
        """The join for all members of the family: each combination that a member wants, with these columns."""
        return StemJoin(self.stems, family, columns)


def join_tree(plan: Plan) -> JoinTree | None:
    """The join that `plan` is, if it joins windows on streams by a key of all, and its conditions may move; or None."""
    kept: list[Expression] = []
    while isinstance(plan, Select) and all(map(may_move, conjuncts(plan.predicate))):
        kept += conjuncts(plan.predicate)
        plan = plan.child
    if not isinstance(plan, (Join, Project)):
        return None
    flat = flatten_joins(plan)
    sides = tuple(each for each in map(side, flat.inputs) if each and each.window)
    if len(sides) < max(2, len(flat.inputs)):
        return None
    parts = [*flat.parts, *(inline(part, flat.columns) for part in kept)]
    equalities = [(part, equal_terms(part, flat.owners)) for part in parts]
    known = classes([each for _, each in equalities if each])
    keys = [each for each in known if each.covers(len(sides)) and not each.null_safe]
    if not keys or not all(map(may_move, flat.parts)):
        return None
    if any(uses_python(part) and len({flat.owners[index] for index in columns_of(part)}) > 1 for part in parts):
        return None
    met = frozenset().union(*(each.terms for each in keys))
    return place_predicates(flat, sides, keys, [part for part, each in equalities if not (each and each.terms <= met)])


def side(plan: Plan) -> Side | None:
    """The input of a join that `plan` is: a time window over a filtered stream, or a row window over a whole stream.

    A row window counts all tuples of its stream, so no predicate may be below it. None for every other plan.
    """
    match plan:
        case Scan(Stream() as source):
            return Side(source, positions(plan))
        case Select():
            below = side(plan.child)
            if below is None or (below.window and not cannot_fail(plan.predicate)):
                return None
            return replace(below, parts=(*below.parts, *predicates_on_stream(below, conjuncts(plan.predicate))))
        case Project(_, expressions):
            below = side(plan.child)
            chosen = [each.index for each in expressions if isinstance(each, Column)]
            if below is None or len(chosen) < len(expressions):
                return None
            return replace(below, columns=tuple(below.columns[index] for index in chosen))
        case ApplyWindow(_, TimeWindow() as window):
            below = side(plan.child)
            return replace(below, window=window) if below else None
        case ApplyWindow(_, RowWindow(slide=1, partition=()) as window):
            below = side(plan.child)
            return replace(below, window=window) if below and not below.parts else None
    return None


def positions(scan: Scan) -> tuple[int, ...]:
    return tuple(range(len(scan.source.schema))) if scan.columns is None else scan.columns


def predicates_on_stream(of: Side, parts: Sequence[Expression]) -> list[Expression]:
    """Predicates on a side as predicates over all columns of its stream, with the stream's names for the columns."""
    schema = of.source.schema

    def to_source_column(column: Column) -> Column:
        index = of.columns[column.index]
        return Column(index, column.of, schema[index].name)

    return [map_columns(part, to_source_column) for part in parts]


def place_predicates(
    flat: Flat, sides: tuple[Side, ...], keys: Sequence[Class], parts: Sequence[Expression]
) -> JoinTree:
    """The join with each predicate in its place: one that reads one stream goes to its side, others to combinations."""
    starts, owners = flat.starts, flat.owners
    offsets = list(accumulate((len(each.source.schema) for each in sides), initial=0))
    where = [offsets[place] + sides[place].columns[index - starts[place]] for index, place in enumerate(owners)]
    rest = []
    own: list[list[Expression]] = [[] for _ in sides]
    for part in parts:
        places = {owners[index] for index in columns_of(part)}
        if len(places) == 1:
            (place,) = places
            own[place] += predicates_on_stream(sides[place], [shift(part, -starts[place])])
        else:
            rest.append(move(part, where.__getitem__))
    sides = tuple(replace(each, parts=(*each.parts, *more)) for each, more in zip(sides, own, strict=True))
    columns = tuple(where[column.index] for column in flat.columns if isinstance(column, Column))
    return JoinTree(stems(sides, starts, keys), sides, all_of(rest), columns)


def stems(sides: Sequence[Side], starts: Sequence[int], keys: Sequence[Class]) -> tuple[Stem, ...]:
    """The stem of each side; key columns are sorted by text, so that joins on the same key have equal stems."""
    values = [
        [
            value
            for place, each in enumerate(sides)
            for value in predicates_on_stream(each, [shift(key.value(place), -starts[place])])
        ]
        for key in keys
    ]
    values.sort(key=lambda part: sorted(map(text_of, part)))
    found: list[Stem] = []
    for each, *mine in zip(sides, *values, strict=True):
        stem = Stem(Scan(each.source), tuple(mine), 0, of_rows(each), any(map(of_rows, sides)))
        while stem in found:
            stem = replace(stem, turn=stem.turn + 1)
        found.append(stem)
    return tuple(found)


def of_rows(each: Side) -> bool:
    return isinstance(each.window, RowWindow)


def may_move(part: Expression) -> bool:
    """Whether a condition may be evaluated for more tuples than the query asks for: only if it cannot fail.

    Functions from Python are allowed, though they can fail: such a function is called once for each arriving tuple of
    its stream, whether or not the tuple finds partners. Their arguments must not fail.
    """
    calls = [each for each in walk(part) if isinstance(each, UserCall)]
    told = transform(part, lambda each: Column(0, each.type) if isinstance(each, UserCall) else each)
    return cannot_fail(told) and all(cannot_fail(argument) for call in calls for argument in call.arguments)
