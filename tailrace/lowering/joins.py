"""Joins: lowers every kind of join to inner joins, duplicate elimination and union with signs.

semi(L, R) = L ⋈ δ(keys of R); anti = L − semi; an outer join adds the tuples of the antijoin, padded with NULLs; a mark
join is the union of the tuples marked TRUE, NULL and FALSE. The join of a scalar subquery checks that no left tuple
finds two rows, unless the plan shows that none can.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from tailrace.catalog.sources import Relation
from tailrace.columnar.evaluate import can_evaluate
from tailrace.logical import nodes
from tailrace.logical.expressions import (
    TRUE,
    Call,
    Column,
    Expression,
    Literal,
    all_of,
    columns_of,
    conjuncts,
    move,
    refer_to,
    shift,
)
from tailrace.logical.plan import Plan
from tailrace.logical.windows import RowWindow
from tailrace.lowering.multi_joins import multi_join
from tailrace.operators.relational.binary_join import BinaryJoin, JoinKey
from tailrace.operators.relational.counts import Distinct, SingleRowCheck
from tailrace.operators.relational.union import Union
from tailrace.schema import Schema
from tailrace.types import BOOLEAN

if TYPE_CHECKING:
    from tailrace.lowering.lower import Lowering


def single(work: Joins, node: nodes.SingleJoin, keys: Collection[Equality], left: int, right: int) -> int:
    """The join of a scalar subquery: the pairs, and the left tuples without a partner, padded with NULLs."""
    plan = work.lowering.plan
    pairs = work.inner(left, right, node.condition)
    own = refer_to(work.left)
    found = work.lowering.project(pairs, own)
    fixed = {key.right.index for key in keys if isinstance(key.right, Column)}
    if at_most_one(node.right, fixed):
        alone = work.minus(left, found)
    else:
        alone = plan.add(SingleRowCheck(plan.types(left)), left, found)
    padding = [Literal(None, field.type) for field in work.right]
    return work.union(pairs, work.lowering.project(alone, [*own, *padding]))


def at_most_one(plan: Plan, fixed: AbstractSet[int]) -> bool:
    """Whether the plan shows that at most one tuple has given values in `fixed`, as after GROUP BY these columns."""
    match plan:
        case nodes.Aggregate():
            return fixed >= set(range(len(plan.keys)))
        case nodes.Distinct():
            return _with_copies(plan.child, fixed) >= set(range(len(plan.schema))) or at_most_one(plan.child, fixed)
        case nodes.TopK():
            return (plan.limit is not None and plan.limit <= 1) or at_most_one(plan.child, fixed)
        case nodes.ApplyWindow(window=RowWindow(size=1) as window):
            return fixed >= set(window.partition)
        case nodes.Scan(source=Relation() as source):
            return _is_keyed(plan, source, fixed)
        case nodes.Select():
            return at_most_one(plan.child, fixed)
        case nodes.Project():
            chosen = [plan.expressions[index] for index in fixed]
            return at_most_one(plan.child, {value.index for value in chosen if isinstance(value, Column)})
        case nodes.SemiJoin() | nodes.MarkJoin() | nodes.SingleJoin():
            return at_most_one(plan.left, {index for index in fixed if index < len(plan.left.schema)})
    return False


def _with_copies(plan: Plan, fixed: AbstractSet[int]) -> AbstractSet[int]:
    """The columns `fixed`, and further columns that a projection computes by equal expressions."""
    if not isinstance(plan, nodes.Project):
        return fixed
    known = {plan.expressions[index] for index in fixed}
    return {index for index, value in enumerate(plan.expressions) if value in known}


def _is_keyed(scan: nodes.Scan, source: Relation, fixed: AbstractSet[int]) -> bool:
    """Whether `fixed` holds all columns of the relation's KEY. A newer row replaces the older row of its key."""
    if not source.key or source.op:
        return False
    columns = range(len(source.schema)) if scan.columns is None else scan.columns
    return {columns[index] for index in fixed} >= {source.schema.find(name)[0] for name in source.key}


@dataclass(frozen=True)
class Equality:
    """`left = right` between an expression of each side; `null_safe` lets NULL equal NULL (<=>)."""

    left: Expression
    right: Expression
    null_safe: bool = False


@dataclass(frozen=True)
class Condition:
    """A join's condition as equalities between the sides, conditions on one side only, and all others (`rest`)."""

    keys: tuple[Equality, ...]
    left: tuple[Expression, ...]
    right: tuple[Expression, ...]  # over the right side's own columns
    rest: tuple[Expression, ...]


def sort_out(condition: Expression, width: int) -> Condition:
    keys: list[Equality] = []
    left: list[Expression] = []
    right: list[Expression] = []
    rest: list[Expression] = []
    for part in conjuncts(condition):
        used = columns_of(part)
        key = equality(part, width)
        if part == TRUE:
            continue
        if key:
            keys.append(key)
        elif (used and max(used) < width) or not used:
            left.append(part)
        elif min(used) >= width:
            right.append(shift(part, -width))
        else:
            rest.append(part)
    return Condition(tuple(keys), tuple(left), tuple(right), tuple(rest))


def equality(part: Expression, width: int) -> Equality | None:
    """`part` as `left = right` between an expression of each side; None if it is anything else."""
    if not isinstance(part, Call) or part.name not in ("=", "<=>"):
        return None
    for one, other in (part.arguments, part.arguments[::-1]):
        mine, theirs = columns_of(one), columns_of(other)
        if mine and theirs and max(mine) < width <= min(theirs):
            return Equality(one, shift(other, -width), part.name == "<=>")
    return None


def join(lowering: Lowering, node: nodes.Binary) -> int:
    if isinstance(node, nodes.Join) and node.how == "inner":
        found = multi_join(lowering, node)
        if found is not None:
            return found
    left, right = lowering.step(node.left), lowering.step(node.right)
    work = Joins(lowering, node.left.schema, node.right.schema)
    match node:
        case nodes.Join(how="inner"):
            return work.inner(left, right, node.condition)
        case nodes.Join():
            return work.outer(left, right, node.how, node.condition)
        case nodes.SemiJoin():
            found = work.not_in(left, right, node.condition) if node.anti else None
            return found if found is not None else work.semi(left, right, node.condition, node.anti)
        case nodes.MarkJoin():
            return work.mark(left, right, node.condition)
        case nodes.SingleJoin():
            return single(work, node, sort_out(node.condition, work.width).keys, left, right)
    raise AssertionError(f"no join {type(node).__name__}")


@dataclass(frozen=True)
class Joins:
    """Builds joins of two inputs that have the columns `left` and `right`."""

    lowering: Lowering
    left: Schema
    right: Schema

    @property
    def width(self) -> int:
        return len(self.left)

    def select(self, number: int, parts: Sequence[Expression]) -> int:
        if not parts:
            return number
        return self.lowering.select(number, all_of(parts))

    def distinct(self, number: int) -> int:
        plan = self.lowering.plan
        return plan.add(Distinct(plan.types(number)), number)

    def minus(self, whole: int, part: int) -> int:
        plan = self.lowering.plan
        return plan.add(Union(plan.types(whole), (1, -1)), whole, part)

    def union(self, *numbers: int) -> int:
        plan = self.lowering.plan
        return plan.add(Union(plan.types(numbers[0]), (1,) * len(numbers)), *numbers)

    def add_inner_join(self, left: int, right: int, on: Sequence[Equality], rest: Sequence[Expression]) -> int:
        """Add a join on equal keys, made columns first; conditions that Arrow cannot evaluate are a selection above."""
        plan = self.lowering.plan
        width, other = len(plan.types(left)), len(plan.types(right))
        left, mine = self.lowering.with_columns(left, [key.left for key in on])
        right, theirs = self.lowering.with_columns(right, [key.right for key in on])
        grown = len(plan.types(left)) - width
        rest = [move(part, lambda index: index + grown if index >= width else index) for part in rest]
        now = [part for part in rest if can_evaluate(part)]
        types = plan.types(left) + plan.types(right)
        keys = tuple(JoinKey(one, two, key.null_safe) for one, two, key in zip(mine, theirs, on, strict=True))
        number = plan.add(BinaryJoin(types, keys, width + grown, all_of(now) if now else None), left, right)
        number = self.select(number, [part for part in rest if not can_evaluate(part)])
        return self.lowering.keep(number, [*range(width), *range(width + grown, width + grown + other)])

    def inner(self, left: int, right: int, condition: Expression) -> int:
        parts = sort_out(condition, self.width)
        return self.add_inner_join(
            self.select(left, parts.left), self.select(right, parts.right), parts.keys, parts.rest
        )

    def semi(self, left: int, right: int, condition: Expression, anti: bool = False) -> int:
        """The left tuples that find a partner, or those that find none."""
        parts = sort_out(condition, self.width)
        right = self.select(right, parts.right)
        candidates = self.select(left, parts.left)
        if parts.rest:
            found = self.semi_by_pairs(candidates, right, parts)
        else:
            there = self.distinct(self.lowering.project(right, [key.right for key in parts.keys]))
            on = [replace(key, right=Column(index, key.right.type)) for index, key in enumerate(parts.keys)]
            pairs = self.add_inner_join(candidates, there, on, ())
            found = self.lowering.project(pairs, refer_to(self.left))
        return self.minus(left, found) if anti else found

    def semi_by_pairs(self, left: int, right: int, parts: Condition) -> int:
        """The left tuples that find a partner by a condition that is no equality, such as `l.a < r.b`.

        The distinct values of the left columns that the condition reads are joined with the right tuples. The left
        tuples whose values found a partner stay.
        """
        read = {index for index in columns_of(*parts.rest) if index < self.width}
        used = sorted(read | columns_of(*(key.left for key in parts.keys)))
        place = {index: position for position, index in enumerate(used)}
        own = refer_to(self.left, used)
        small = self.distinct(self.lowering.project(left, own))
        moved = lambda index: place[index] if index < self.width else index - self.width + len(used)  # noqa: E731
        keys = [replace(key, left=move(key.left, lambda index: place[index])) for key in parts.keys]
        pairs = self.add_inner_join(small, right, keys, [move(part, moved) for part in parts.rest])
        fits = self.distinct(self.lowering.project(pairs, [replace_index(c, i) for i, c in enumerate(own)]))
        on = [Equality(column, replace_index(column, i), null_safe=True) for i, column in enumerate(own)]
        return self.lowering.project(self.add_inner_join(left, fits, on, ()), refer_to(self.left))

    def not_in(self, left: int, right: int, condition: Expression) -> int | None:
        """NOT IN by three antijoins: on equal values, on a NULL on either side; None if this is no NOT IN."""
        unknown, others = None, []
        for part in conjuncts(condition):
            inner = part.arguments[0] if isinstance(part, Call) and part.name == "is not false" else None
            if unknown is None and inner is not None and equality(inner, self.width):
                unknown = inner
            else:
                others.append(part)
        if unknown is None:
            return None
        key = equality(unknown, self.width)
        assert key is not None
        theirs = shift(key.right, self.width)
        for test in (
            unknown,
            Call("is null", (theirs,), BOOLEAN),
            Call("is null", (key.left,), BOOLEAN),
        ):
            left = self.semi(left, right, all_of([test, *others]), anti=True)
        return left

    def outer(self, left: int, right: int, how: str, condition: Expression) -> int:
        found = [self.inner(left, right, condition)]
        if how in ("left", "full"):
            alone = self.semi(left, right, condition, anti=True)
            nothing = [Literal(None, field.type) for field in self.right]
            found.append(self.lowering.project(alone, [*refer_to(self.left), *nothing]))
        if how in ("right", "full"):
            width = len(self.right)
            turned = move(condition, lambda i: i + width if i < self.width else i - self.width)
            alone = Joins(self.lowering, self.right, self.left).semi(right, left, turned, anti=True)
            padding: list[Expression] = [Literal(None, field.type) for field in self.left]
            found.append(self.lowering.project(alone, [*padding, *refer_to(self.right)]))
        return self.union(*found)

    def mark(self, left: int, right: int, condition: Expression) -> int:
        """Each left tuple with a mark: the condition's OR over all right tuples, in SQL's three-valued logic.

        TRUE if the condition is true for some right tuple, else NULL if it is unknown for some, else FALSE.
        """
        own = refer_to(self.left)
        marked = []
        certain, open_ended = split_certain(condition)
        found = self.semi(left, right, all_of([*certain, *open_ended]))
        marked.append(self.lowering.project(found, [*own, Literal(True, BOOLEAN)]))
        rest = self.minus(left, found)
        if open_ended:
            # Where one part is false, the whole is false: it is unknown where the certain parts are true.
            test = Call("is null", (all_of(open_ended),), BOOLEAN)
            unknown = self.semi(rest, right, all_of([*certain, test]))
            marked.append(self.lowering.project(unknown, [*own, Literal(None, BOOLEAN)]))
            rest = self.minus(rest, unknown)
        marked.append(self.lowering.project(rest, [*own, Literal(False, BOOLEAN)]))
        return self.union(*marked)


def split_certain(condition: Expression) -> tuple[list[Expression], list[Expression]]:
    """The parts of a condition that are never NULL, as conditions that must be true, and the others."""
    certain: list[Expression] = []
    others: list[Expression] = []
    for part in conjuncts(condition):
        if isinstance(part, Call) and part.name == "is true":
            certain += conjuncts(part.arguments[0])
        elif part == TRUE or (isinstance(part, Call) and (part.name == "<=>" or part.name.startswith("is "))):
            certain.append(part)
        else:
            others.append(part)
    return certain, others


def replace_index(column: Expression, index: int) -> Column:
    assert isinstance(column, Column)
    return Column(index, column.of, column.name)
