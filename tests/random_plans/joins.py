"""Random joins: trees of inner joins of three or four inputs on one key, as written and as rules leave them."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from random import Random

from tailrace.logical import nodes
from tailrace.logical.expressions import TRUE, Call, Column, Expression, all_of, shift
from tailrace.logical.plan import Plan
from tailrace.types import BIGINT, BOOLEAN, INT, STRING, Type
from tests.random_plans.expressions import Seeded
from tests.random_plans.plans import LAST_INSTANT, Plans, World


def seeded_joins(seed: int) -> World:
    """The same joins and inputs each time."""
    drawing = Joins(Seeded(Random(seed)))
    plan = drawing.over(drawing.joins())
    inputs = {name: drawing.arrivals(source) for name, source in drawing.sources.items()}
    return World(plan, inputs, LAST_INSTANT)


@dataclass(frozen=True)
class Part:
    """A plan and its columns that hold the key: those of a group are equal already."""

    plan: Plan
    groups: tuple[tuple[int, ...], ...]


class Joins(Plans):
    def over(self, joins: Plan) -> Plan:
        """The joins, or something that reads them."""
        shapes = (self.select, self.project, self.aggregate, self.distinct, self.union)
        if not self.number(0, 3):
            return self.pick(shapes)(0, lambda _: joins)
        return nodes.ToStream(joins, "rstream") if not self.number(0, 3) else joins

    def joins(self) -> Plan:
        of = self.pick((INT, INT, INT, STRING))
        parts = [self.input(of) for _ in range(self.pick((3, 3, 4)))]
        while len(parts) > 1:
            at = self.number(0, len(parts) - 2)
            parts[at : at + 2] = [self.joined(parts[at], parts[at + 1], last=len(parts) == 2)]
        return parts[0].plan

    def input(self, of: Type) -> Part:
        """A relation with a key; a whole number may be a wider one here than elsewhere."""
        plan = self.relation(self.pick((0, 0, 0, 1)))
        places = [place for place, field in enumerate(plan.schema) if field.type == of]
        if not places:
            plan, places = self.conformed(plan, (of, of)), [0]
        place = self.pick(places)
        if of == INT and not self.number(0, 4):
            wide = Call("cast", (Column(place, INT),), BIGINT)
            columns = [Column(index, field.type, field.name) for index, field in enumerate(plan.schema)]
            names = tuple(f"w{index}" for index in range(len(columns) + 1))
            plan, place = nodes.Project(plan, (*columns, wide), names), len(columns)
        return Part(plan, ((place,),))

    def joined(self, left: Part, right: Part, last: bool) -> Part:
        """Two parts by the equality of their keys; or without a condition, which the joins above make up for."""
        width = len(left.plan.schema)
        schema = left.plan.schema + right.plan.schema
        groups = (*left.groups, *(tuple(column + width for column in group) for group in right.groups))
        conditions: list[Expression] = []
        if last or self.number(0, 5):
            for one, other in pairwise(groups):
                conditions.append(self.equal(schema.types, self.pick(one), self.pick(other)))
            groups = (tuple(column for group in groups for column in group),)
        if not self.number(0, 2):
            conditions.append(self.more(left.plan, right.plan))
        plan: Plan = nodes.Join(left.plan, right.plan, "inner", all_of(conditions) if conditions else TRUE)
        return Part(plan, groups) if last or self.number(0, 2) else self.narrowed(Part(plan, groups))

    def equal(self, types: tuple[Type, ...], one: int, other: int) -> Expression:
        wide = BIGINT if BIGINT in (types[one], types[other]) else types[one]
        columns = [Column(place, types[place]) for place in self.shuffled([one, other])]
        sides = [column if column.of == wide else Call("cast", (column,), wide) for column in columns]
        return Call(self.pick(("=", "=", "=", "<=>")), tuple(sides), BOOLEAN)

    def more(self, left: Plan, right: Plan) -> Expression:
        """What a join asks besides: of both sides, of one, or something that may fail."""
        match self.number(0, 3):
            case 0:
                return self.condition(left.schema + right.schema, 1)
            case 1:
                return shift(self.condition(right.schema, 0), len(left.schema))
        return self.link(left.schema, right.schema) if not self.number(0, 5) else self.compared(left, right)

    def compared(self, left: Plan, right: Plan) -> Expression:
        pairs = [
            (Column(one, mine.type), Column(len(left.schema) + two, other.type))
            for one, mine in enumerate(left.schema)
            for two, other in enumerate(right.schema)
            if mine.type == other.type
        ]
        return Call(self.pick(("<", "<=", "<>")), self.pick(pairs), BOOLEAN) if pairs else TRUE

    def narrowed(self, part: Part) -> Part:
        """Some of the columns, of each group at least one."""
        kept = {self.pick(group) for group in part.groups}
        kept |= {place for place in range(len(part.plan.schema)) if self.number(0, 1)}
        places = self.shuffled(sorted(kept))
        fields = part.plan.schema.fields
        columns = tuple(Column(place, fields[place].type, fields[place].name) for place in places)
        names = tuple(f"n{index}" for index in range(len(columns)))
        groups = tuple(tuple(places.index(column) for column in group if column in kept) for group in part.groups)
        return Part(nodes.Project(part.plan, columns, names), groups)
