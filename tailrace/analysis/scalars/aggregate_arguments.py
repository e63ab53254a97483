"""Aggregate arguments: in which clauses an aggregate may stand, and what its arguments may be."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from sqlglot import exp

from tailrace.analysis.scalars.coercion import cast
from tailrace.analysis.scalars.placeholders import PendingSubquery
from tailrace.errors import AnalysisError, TextSpan
from tailrace.logical.expressions import Expression, walk
from tailrace.types import DOUBLE, STRING, TIMESTAMP, VOID

if TYPE_CHECKING:
    from tailrace.analysis.scalars.resolve import Scalars


OF_NUMBERS = ("sum", "avg", "mean", "median", "stddev", "stddev_pop", "stddev_samp", "variance", "var_pop", "var_samp")


def as_numbers(name: str, arguments: Sequence[Expression]) -> list[Expression]:
    """The arguments of a numeric aggregate: a STRING is cast to DOUBLE, a TIMESTAMP to its seconds."""
    if name not in OF_NUMBERS:
        return list(arguments)
    return [cast(each, DOUBLE) if each.type in (STRING, TIMESTAMP, VOID) else each for each in arguments]


def refuse_misplaced(scalars: Scalars, name: str, place: TextSpan | None) -> None:
    """Refuse an aggregate in a clause without groups, such as WHERE."""
    if not scalars.aggregates:
        hint = "aggregates of a group go into HAVING" if scalars.clause == "WHERE" else None
        raise AnalysisError(f"{name.upper()} is an aggregate and cannot be used in {scalars.clause}", place, hint)


def resolve_aggregate_arguments(
    scalars: Scalars, name: str, given: Sequence[exp.Expr], place: TextSpan | None
) -> list[Expression]:
    """The typed arguments of an aggregate; they may hold neither an aggregate nor a subquery."""
    inside = replace(scalars, clause=f"the argument of {name.upper()}", aggregates=False)
    arguments = [inside.resolve(argument) for argument in given]
    if any(isinstance(part, PendingSubquery) for argument in arguments for part in walk(argument)):
        raise AnalysisError(f"a subquery cannot be used inside {name.upper()}", place)
    return arguments
