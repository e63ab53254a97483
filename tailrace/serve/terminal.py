"""Terminal: rows of a query without INTO, readable, under the query's name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


def table(name: str, columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    """The rows in columns, numbers to the right.

    >>> print(table("tolls", ["_ts", "car"], [(3, "A1"), (12, None)]))
    tolls
     _ts  car
       3  A1
      12
    """
    texts = [["" if value is None else str(value) for value in row] for row in rows]
    widths = [max([len(name), *(len(row[i]) for row in texts)]) for i, name in enumerate(columns)]
    right = [bool(rows) and all(isinstance(row[i], (int, float)) for row in rows) for i in range(len(columns))]

    def line(cells: Sequence[str]) -> str:
        padded = [
            cell.rjust(width) if to_right else cell.ljust(width)
            for cell, width, to_right in zip(cells, widths, right, strict=True)
        ]
        return (" " + "  ".join(padded)).rstrip()

    return "\n".join([name, line(columns), *(line(row) for row in texts)])
