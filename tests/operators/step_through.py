"""Step through: feeds an operator batch after batch, where the rows that go in and come out are texts.

>>> import pyarrow as pa
>>> from tailrace.operators.windows.expire import Expire
>>> steps = StepThrough(Expire((pa.string(),)))
>>> steps.batch(3, "+ a @1..5")
['+ a @1..']
>>> steps.batch(8)
['- a @5..']
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import pyarrow as pa

from tailrace.columnar.delta import Delta, parse
from tailrace.operators.operator import Operator, TaskContext
from tailrace.operators.output_watermark import BITS, OutputWatermark

NUMBER, TEXT = pa.int64(), pa.string()


class StepThrough:
    """An operator that is being run, its state and the instant up to which it has decided.

    `types` are the column types of each input; an operator for which none are given has one input with the types of
    its output.
    """

    def __init__(self, operator: Operator, *types: Sequence[pa.DataType]) -> None:
        self.operator, self.types = operator, types or (operator.types,)
        self.state: Any = operator.initial_state()
        self.after = -1

    def batch(self, to: int, *inputs: str) -> list[str]:
        """Decide the instants up to `to`, given a text for each input, and return the rows that come out.

        The rows are in order of their starts, then of their text. Without texts nothing arrives, and only time goes on.
        """
        texts = inputs or ("",) * len(self.types)
        return show_rows(self.apply(to, [read_rows(*each) for each in zip(texts, self.types, strict=True)]))

    def apply(self, to: int, inputs: Sequence[Delta]) -> Delta:
        span = self.operator.pace([OutputWatermark()] * len(inputs)).span(self.after, to)
        out, self.state = self.operator.apply(inputs, self.state, span, TaskContext.empty())
        self.after = to
        return out


def read_rows(text: str, types: Sequence[pa.DataType]) -> Delta:
    """Read rows from a text, in which 5:2 is the position of rank 2 in instant 5."""
    return parse(re.sub(r"(\d+):(\d+)", lambda found: str((int(found[1]) << BITS) + int(found[2])), text), types)


def show_rows(rows: Delta) -> list[str]:
    """The rows as lines, in order of their starts; a number too large for a test's value is shown as a position."""
    lines = [re.sub(r"\d{7,}", lambda found: name_position(int(found[0])), line) for line in str(rows).splitlines()]
    return [line for _, line in sorted(zip(rows.start.tolist(), lines, strict=True))]


def name_position(position: int) -> str:
    """
    >>> name_position((5 << BITS) + 2)
    '5:2'
    """
    return f"{position >> BITS}:{position % (1 << BITS)}"
