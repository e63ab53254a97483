"""Lower aggregates: keys, arguments and filters computed into columns, then folded."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tailrace.logical import nodes
from tailrace.logical.expressions import Expression
from tailrace.physical.arrow_types import arrow_type
from tailrace.physical.operators.aggregate import Aggregate

if TYPE_CHECKING:
    from tailrace.physical.lower import Lowering


def aggregate(lowering: Lowering, node: nodes.Aggregate) -> int:
    raise AssertionError("written once the fold is there")
