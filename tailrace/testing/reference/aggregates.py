"""Aggregates: one value for the tuples of a group, by the rules of SQL and Spark. NULLs do not take part.

>>> from tailrace.logical.expressions import Column
>>> from tailrace.types import BIGINT, INT
>>> aggregate(Aggregation("sum", (Column(0, INT),), BIGINT), [(1,), (None,), (2,)])
3
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any

from tailrace.logical.expressions import Aggregation
from tailrace.testing.reference.casts import EXACT, fraction, rescale, wrap_integer
from tailrace.testing.reference.values import Row, is_true, rank, value
from tailrace.types import Type, is_decimal, is_fraction, is_integer


def aggregate(aggregation: Aggregation, rows: Sequence[Row]) -> Any:
    """The aggregate over a group, given as a list in which a tuple stands as often as the group holds it."""
    condition = aggregation.condition
    passed = [row for row in rows if condition is None or is_true(condition, row)]
    given = [tuple(value(argument, row) for argument in aggregation.arguments) for row in passed]
    known = [values for values in given if None not in values]
    if aggregation.distinct:
        known = list(dict.fromkeys(known))
    if aggregation.user:
        fold = aggregation.user.cls()
        for values in known:
            fold.add(*values)
        return fold.result()
    function = aggregation.function
    if function == "count":
        return len(known)
    if function == "count_if":
        return sum(1 for (truth,) in known if truth)
    if function == "percentile":
        shares = [float(values[1]) for values in known]
        return quantile([values[0] for values in known], shares[0]) if known else None
    if function not in FUNCTIONS:
        raise NotImplementedError(f"the reference has no aggregate {function}")
    found = FUNCTIONS[function]([only for (only,) in known])
    return as_result(found, aggregation.of)


def as_result(found: Any, of: Type) -> Any:
    """An exact result as a value of the aggregate's type: decimals round half up, doubles to the nearest."""
    if found is None or not isinstance(found, Fraction | int | float) or isinstance(found, bool):
        return found
    if is_integer(of):
        return wrap_integer(int(found), of)
    if is_decimal(of):
        exact = Fraction(found)
        return rescale(EXACT.divide(Decimal(exact.numerator), Decimal(exact.denominator)), of)
    assert is_fraction(of), f"an aggregate of type {of}"
    return fraction(float(found), of)


def total(numbers: Sequence[Any]) -> Any:
    """The exact sum, so that the order of the tuples cannot matter."""
    if all(isinstance(number, int | float | Decimal) and math.isfinite(number) for number in numbers):
        return sum(map(Fraction, numbers), Fraction(0))
    return sum(numbers[1:], numbers[0])


def sum_of(numbers: Sequence[Any]) -> Any:
    return total(numbers) if numbers else None


def mean(numbers: Sequence[Any]) -> Any:
    return total(numbers) / len(numbers) if numbers else None


def variance(numbers: Sequence[Any], missing: int) -> Any:
    """The squared distances from the mean over the count less `missing`; NULL where that leaves nothing."""
    if len(numbers) <= missing:
        return None
    middle = Fraction(mean(numbers))
    return total([(Fraction(number) - middle) ** 2 for number in numbers]) / (len(numbers) - missing)


def deviation(numbers: Sequence[Any], missing: int) -> float | None:
    found = variance(numbers, missing)
    return None if found is None else math.sqrt(found)


def quantile(numbers: Sequence[Any], share: float) -> float | None:
    """Interpolated between the two neighbours of the place sought.

    >>> quantile([1, 2, 10], 0.5), quantile([4, 1], 0.5)
    (2.0, 2.5)
    """
    if not numbers:
        return None
    ordered = sorted(map(float, numbers))
    place = (len(ordered) - 1) * share
    lower, upper = ordered[math.floor(place)], ordered[math.ceil(place)]
    above = place - math.floor(place)
    return lower if lower == upper or not above else lower + (upper - lower) * above


FUNCTIONS: dict[str, Callable[[Sequence[Any]], Any]] = {
    "sum": sum_of,
    "avg": mean,
    "min": lambda known: min(known, key=rank, default=None),
    "max": lambda known: max(known, key=rank, default=None),
    "stddev": lambda known: deviation(known, 1),
    "stddev_pop": lambda known: deviation(known, 0),
    "variance": lambda known: variance(known, 1),
    "var_pop": lambda known: variance(known, 0),
    "median": lambda known: quantile(known, 0.5),
    "bool_and": lambda known: all(known) if known else None,
    "bool_or": lambda known: any(known) if known else None,
}
OTHER_NAMES = {
    "mean": "avg",
    "stddev_samp": "stddev",
    "std": "stddev",
    "var_samp": "variance",
    "variance_samp": "variance",
    "variance_pop": "var_pop",
    "every": "bool_and",
    "any": "bool_or",
    "some": "bool_or",
    "logical_and": "bool_and",
    "logical_or": "bool_or",
}
FUNCTIONS.update({other: FUNCTIONS[name] for other, name in OTHER_NAMES.items()})
