"""Over: random window functions, named windows and QUALIFY in the text of CQL."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tailrace.testing.random_scripts.choices import Choices
from tailrace.testing.random_scripts.expressions import FRACTION, INTEGER, ScopeColumn
from tailrace.testing.random_scripts.select_parts import SelectParts

RANKS = ("ROW_NUMBER()", "RANK()", "DENSE_RANK()", "NTILE(2)")
NEIGHBOURS = ("LAG({})", "LEAD({})", "LAG({}, 2) IGNORE NULLS", "LEAD({}, 1, {})")
PICKS = ("FIRST_VALUE({})", "LAST_VALUE({})", "NTH_VALUE({}, 2)", "LAST_VALUE({}) IGNORE NULLS", "MIN({})", "MAX({})")
SUMS = ("SUM({})", "COUNT({})")
FIRST = ("UNBOUNDED PRECEDING", "1 PRECEDING", "CURRENT ROW", "2 PRECEDING")
LAST = ("CURRENT ROW", "1 FOLLOWING", "UNBOUNDED FOLLOWING", "1 PRECEDING")


class OverWriter:
    """Adds window functions to SELECTs."""

    def __init__(self, choices: Choices) -> None:
        self.pick, self.number, self.one_in = choices.pick, choices.number, choices.one_in

    def add_over(self, select: SelectParts, scope: Sequence[ScopeColumn]) -> SelectParts:
        """A SELECT with one or two more columns, which are window functions, and perhaps a QUALIFY."""
        items, columns, tail, named = select.items, list(select.columns), select.tail, ""
        partition = f"PARTITION BY {self.pick(scope).text}" if self.number(0, 2) else ""
        for _ in range(self.number(1, 2)):
            call, kind, frame = self.function(scope)
            window = f"{partition} ORDER BY {self.order(scope)} {frame}".strip()
            if self.one_in(4) and not named:
                named, window = f" WINDOW w AS ({window})", "w"
            name = f"c{len(columns)}"
            items += f", {call} OVER {window if window == 'w' else f'({window})'} AS {name}"
            columns.append((name, kind))
        tail += named
        if self.one_in(3):
            rank = self.pick(("ROW_NUMBER", "RANK"))
            order = f"{partition} ORDER BY {self.order(scope)}".strip()
            tail += f" QUALIFY {rank}() OVER ({order}) <= {self.number(1, 3)}"
        return replace(select, items=items, columns=tuple(columns), tail=tail, has_windows=True)

    def order(self, scope: Sequence[ScopeColumn]) -> str:
        return f"{self.pick(scope).text}{self.pick(('', ' DESC', ' NULLS LAST'))}"

    def function(self, scope: Sequence[ScopeColumn]) -> tuple[str, str, str]:
        """A call, the kind of its value, and a frame if it takes one."""
        field = self.pick(scope)
        if self.one_in(3):
            return self.pick(RANKS), INTEGER, ""
        if self.one_in(3):
            return self.pick(NEIGHBOURS).format(field.text, field.text), field.kind, ""
        frame = f"{self.pick(('ROWS', 'GROUPS'))} BETWEEN {self.pick(FIRST)} AND {self.pick(LAST)}"
        frame = (
            "" if self.one_in(3) or "CURRENT ROW AND 1 PRECEDING" in frame or "1 PRECEDING AND 2" in frame else frame
        )
        if field.kind in (INTEGER, FRACTION) and self.one_in(2):
            call = self.pick(SUMS)
            return call.format(field.text), field.kind if call.startswith("SUM") else INTEGER, frame
        return self.pick(PICKS).format(field.text), field.kind, frame
