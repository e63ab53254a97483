"""As-of nodes: the join of each tuple with the one partner that is nearest in an order."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal as Word

from tailrace.logical.expressions import Call, Expression
from tailrace.logical.nodes import Binary, require_columns
from tailrace.logical.plan import require
from tailrace.schema import Schema
from tailrace.stable_encoding import stable


@stable("plan/asof-join")
@dataclass(frozen=True, eq=False)
class AsofJoin(Binary):
    """Each left tuple with the nearest of the right tuples for which `condition` and `nearest` are true.

    `condition` holds equalities of both sides. If `within` is not true of the nearest tuple, there is no partner.
    `nearest` compares an expression of the left side with one of the right side: for `>=` and `>` the nearest right
    tuple is the one with the greatest value, for `<=` and `<` the one with the least. Of several with this value it is
    the first by all its columns, in ascending order with NULLs first. A left join pads what finds nobody with NULLs.
    """

    how: Word["inner", "left"]
    condition: Expression
    nearest: Call
    within: Expression

    def check(self) -> None:
        super().check()
        require(self.nearest.name in (">=", ">", "<=", "<"), "a nearest tuple without an order")
        require_columns(self.schema, self.condition, self.nearest, self.within)

    @property
    def takes_greatest(self) -> bool:
        return self.nearest.name[0] == ">"

    @cached_property
    def schema(self) -> Schema:
        return self.left.schema + self.right.schema
