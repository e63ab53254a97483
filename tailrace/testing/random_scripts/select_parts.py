"""Select parts: a random SELECT in parts, so that others can put more around it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from tailrace.testing.random_scripts.expressions import ScopeColumn


@dataclass(frozen=True)
class SelectParts:
    """A SELECT that was drawn, in parts, so that checks can put other parts around it."""

    items: str
    source: str
    where: str | None
    tail: str
    columns: tuple[tuple[str, str], ...]
    operator: str = ""
    scope: tuple[ScopeColumn, ...] = ()  # what its WHERE can name
    is_grouped: bool = False
    has_windows: bool = False

    @property
    def text(self) -> str:
        items = f"{self.operator}({self.items})" if self.operator else self.items
        where = f" WHERE {self.where}" if self.where else ""
        return f"SELECT {items} FROM {self.source}{where}{self.tail}"

    @property
    def is_plain(self) -> bool:
        """Whether its rows are those of its FROM that pass its WHERE, one for one."""
        return not (self.operator or self.is_grouped or self.has_windows or self.items.startswith("DISTINCT"))

    def with_condition(self, condition: str) -> str:
        """The query with one more condition."""
        both = f"({self.where}) AND ({condition})" if self.where else condition
        return replace(self, where=both).text
