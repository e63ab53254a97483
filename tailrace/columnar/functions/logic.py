"""Logic: comparisons, IN, the connectives of three-valued logic, and CASE, COALESCE and other choices of an argument.

NaN is equal to itself and larger than every number, as Spark has it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from tailrace.columnar.functions.kernel import (
    Kernel,
    Table,
    Values,
    constant,
    fixed_types,
    null,
    own_types,
    result_types,
    where,
)
from tailrace.logical.expressions import Call, Literal
from tailrace.types import BOOLEAN, VOID, Type, common_type_of, comparison_type, is_atomic, is_fraction

MANY = 4  # from this many literals on, IN is faster with a hash table than with comparisons


def compared_types(call: Call) -> Sequence[Type]:
    """The types to which arguments are cast: for all of them the one type in which they are compared."""
    types = own_types(call)
    met = common_type_of(*types) if call.name == "in" else comparison_type(call.name, *types)
    return types if met is None else [met] * len(types)


def comparable(call: Call) -> bool:
    """Whether all arguments are of one type that Arrow orders as Spark does."""
    first, *others = own_types(call)
    return is_atomic(first) and first != VOID and all(other == first for other in others)


def equal(left: Values, right: Values) -> Values:
    same = pc.equal(left, right)
    if pa.types.is_floating(left.type):
        return pc.or_(same, pc.and_(pc.is_nan(left), pc.is_nan(right)))
    return same


def less(left: Values, right: Values) -> Values:
    smaller = pc.less(left, right)
    if pa.types.is_floating(left.type):
        return pc.or_(smaller, pc.and_(pc.invert(pc.is_nan(left)), pc.is_nan(right)))
    return smaller


def same(left: Values, right: Values) -> Values:
    """`<=>`: NULL is the same as NULL."""
    both_null = pc.and_(pc.is_null(left), pc.is_null(right))
    return pc.or_(pc.coalesce(equal(left, right), pa.scalar(False)), both_null)


COMPARISONS: dict[str, Callable[[Values, Values], Values]] = {
    "=": equal,
    "<>": lambda left, right: pc.invert(equal(left, right)),
    "<": less,
    ">": lambda left, right: less(right, left),
    "<=": lambda left, right: pc.invert(less(right, left)),
    ">=": lambda left, right: pc.invert(less(left, right)),
    "<=>": same,
}


def comparison(name: str) -> Kernel:
    compare = COMPARISONS[name]
    return Kernel(lambda call, given: compare(given[0], given[1]), compared_types, comparable)


def is_in(call: Call, given: Sequence[Values]) -> Values:
    """IN: NULL where the value is NULL, or where no item equals it and an item is NULL."""
    value, *items = given
    literals = [each for each in call.arguments[1:] if isinstance(each, Literal)]
    if len(literals) < max(len(items), MANY) or is_fraction(call.arguments[0].type):
        return reduce(pc.or_kleene, (equal(value, item) for item in items))
    known = [scalar for each in literals if (scalar := constant(each)) is not None and scalar.is_valid]
    found = pc.is_in(value, value_set=pa.array([scalar.as_py() for scalar in known], value.type))
    if len(known) < len(items):
        found = pc.if_else(found, found, pa.scalar(None, pa.bool_()))
    return pc.if_else(pc.is_valid(value), found, pa.scalar(None, pa.bool_()))


def test(truth: Callable[[Values], Values], *wanted: Type) -> Kernel:
    return Kernel(lambda call, given: truth(given[0]), fixed_types(*wanted) if wanted else own_types)


def _fill_null_with(with_value: bool) -> Callable[[Values], Values]:
    return lambda values: pc.coalesce(values, pa.scalar(with_value))


def _connective(combine: Callable[[Any, Any], Any]) -> Kernel:
    return Kernel(lambda call, given: reduce(combine, given), fixed_types(BOOLEAN, repeat=True))


def _case_types(call: Call) -> Sequence[Type]:
    """The types of CASE's arguments: conditions and values by turns, and perhaps the ELSE value at the end."""
    count = len(call.arguments)
    return [BOOLEAN if at % 2 == 0 and at + 1 < count else call.of for at in range(count)]


def case(call: Call, given: Sequence[Values]) -> Values:
    """CASE and IF. Branches are applied from the last to the first, so that the first true one wins."""
    pairs = list(zip(given[0::2], given[1::2], strict=False))
    found = given[-1] if len(given) % 2 else null(call.of)
    for condition, values in reversed(pairs):
        found = where(condition, values, found)
    return found


def coalesce(call: Call, given: Sequence[Values]) -> Values:
    return pc.coalesce(*given)


def if_known(call: Call, given: Sequence[Values]) -> Values:
    """NVL2: the second argument where the first is not NULL, else the third."""
    return pc.if_else(pc.is_valid(given[0]), given[1], given[2])


def greatest(call: Call, given: Sequence[Values]) -> Values:
    """GREATEST: the largest value that is not NULL; of equal values the first."""
    found = given[0]
    for values in given[1:]:
        found = where(less(found, values), values, pc.coalesce(found, values))
    return found


def least(call: Call, given: Sequence[Values]) -> Values:
    found = given[0]
    for values in given[1:]:
        found = where(less(values, found), values, pc.coalesce(found, values))
    return found


def _has_values(call: Call) -> bool:
    """Whether the result has a type; a choice among NULL literals has none."""
    return call.of != VOID


TABLE: Table = {
    **{name: comparison(name) for name in COMPARISONS},
    "in": Kernel(is_in, compared_types, comparable),
    "and": _connective(pc.and_kleene),
    "or": _connective(pc.or_kleene),
    "not": test(pc.invert, BOOLEAN),
    "is null": test(pc.is_null),
    "is not null": test(pc.is_valid),
    "is true": test(_fill_null_with(False), BOOLEAN),
    "is not false": test(_fill_null_with(True), BOOLEAN),
    "is false": test(lambda values: _fill_null_with(False)(pc.invert(values)), BOOLEAN),
    "is not true": test(lambda values: _fill_null_with(True)(pc.invert(values)), BOOLEAN),
    "case": Kernel(case, _case_types, _has_values),
    "if": Kernel(case, _case_types, _has_values),
    "coalesce": Kernel(coalesce, result_types, _has_values),
    "nvl": Kernel(coalesce, result_types, _has_values),
    "ifnull": Kernel(coalesce, result_types, _has_values),
    "nvl2": Kernel(if_known, lambda call: [call.arguments[0].type, call.of, call.of], _has_values),
    "greatest": Kernel(greatest, result_types, comparable),
    "least": Kernel(least, result_types, comparable),
}
