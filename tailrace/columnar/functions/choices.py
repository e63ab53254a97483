"""Choices: CASE, COALESCE and similar functions, whose result is one of their arguments."""

from __future__ import annotations

from collections.abc import Sequence

import pyarrow.compute as pc

from tailrace.columnar.functions.kernel import (
    Kernel,
    Table,
    Values,
    null,
    result_types,
    where,
)
from tailrace.columnar.functions.logic import comparable, less
from tailrace.logical.expressions import Call
from tailrace.types import BOOLEAN, VOID, Type


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
    "case": Kernel(case, _case_types, _has_values),
    "if": Kernel(case, _case_types, _has_values),
    "coalesce": Kernel(coalesce, result_types, _has_values),
    "nvl": Kernel(coalesce, result_types, _has_values),
    "ifnull": Kernel(coalesce, result_types, _has_values),
    "nvl2": Kernel(if_known, lambda call: [call.arguments[0].type, call.of, call.of], _has_values),
    "greatest": Kernel(greatest, result_types, comparable),
    "least": Kernel(least, result_types, comparable),
}
