"""Present: the numbers of a flow's members as a relation: each is in it from the instant on at which it began."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import pyarrow as pa

from tailrace.physical.delta import FOREVER, Delta, Span, concat, empty
from tailrace.physical.flows.flow import Flow
from tailrace.physical.operator import Operator

if TYPE_CHECKING:
    from tailrace.physical.delta import Instants


@dataclass(frozen=True)
class Present(Operator):
    """Remembers the members that it has told of; who they are may change with each batch."""

    family: str
    flow: Flow = field(compare=False, repr=False)
    called: ClassVar[str] = "members"

    def start(self) -> Any:
        return empty(self.types)

    def takes_back(self, inputs: Sequence[bool]) -> bool:
        return True

    def apply(self, inputs: Sequence[Delta], state: Any, span: Span) -> tuple[Delta, Any]:
        """Who is new, and who is gone.

        >>> present = Present((pa.int64(),), "", Flow((), {3: 0, 7: 12}))
        >>> told = lasting(np.array([3, 5]), np.array([0, 0]), 1)
        >>> print(present.apply([], told, Span(9, 20))[0])
        + 7 @12..
        - 5 @10..
        """
        told = state.columns[0].to_numpy()
        numbers = np.fromiter(self.flow.begins, np.int64, len(self.flow.begins))
        new, gone = np.setdiff1d(numbers, told), np.setdiff1d(told, numbers)
        if not len(new) and not len(gone):
            return empty(self.types), state
        begins = np.array([self.flow.begins[number] for number in new.tolist()], np.int64)
        begun = lasting(new, np.maximum(begins, span.after + 1), 1)
        ended = lasting(gone, np.full(len(gone), span.after + 1), -1)
        return concat([begun, ended], self.types), lasting(numbers, np.zeros(len(numbers), np.int64), 1)


def lasting(numbers: Instants, start: Instants, weight: int) -> Delta:
    """Members from an instant on."""
    return Delta(start, np.full(len(start), FOREVER), np.full(len(start), weight), (pa.array(numbers, pa.int64()),))
