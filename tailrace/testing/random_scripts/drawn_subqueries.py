"""Drawn subqueries: random subqueries that read the queries around them: conditions, values and FROM items.

Their texts mean the same in CQL and in other dialects, so that another engine can be asked as well.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tailrace.testing.random_scripts.choices import Choices
from tailrace.testing.random_scripts.expressions import INTEGER, ScopeColumn

# Draws a FROM item under an alias: its text, and the columns that it brings.
Source = Callable[[str], tuple[str, list[ScopeColumn]]]
SIGNS = ("=", "=", "<", ">=", "<>", ">", "IS NOT DISTINCT FROM")
COMPARED = ("=", "<", ">=", "<>", ">", "<=")


class DrawnSubqueries:
    """Draws subqueries over the FROM items that `source` gives."""

    def __init__(self, choices: Choices, source: Source) -> None:
        self.source = source
        self.pick, self.number, self.one_in = choices.pick, choices.number, choices.one_in
        self.count = 0

    def item(self) -> tuple[str, list[ScopeColumn]]:
        self.count += 1
        return self.source(f"q{self.count}")

    def predicate(self, scope: Sequence[ScopeColumn], depth: int = 1) -> str:
        """A condition with a subquery; `scope` are the columns that it may read outside of itself."""
        asked = self.pick(scope)
        negated = self.pick(("", "NOT "))
        match self.pick(("exists", "in", "scalar", "quantified", "row", "mixed")):
            case "exists":
                return f"{negated}EXISTS ({self.query(None, scope, depth)})"
            case "in":
                return f"{asked.text} {negated}IN ({self.query(asked.kind, scope, depth)})"
            case "quantified":
                word = self.pick(("ANY", "ALL", "SOME"))
                return f"{asked.text} {self.pick(COMPARED)} {word} ({self.query(asked.kind, scope, depth)})"
            case "row":
                source, own = self.item()
                pairs = [(one, other) for one in scope for other in own if one.kind == other.kind]
                if pairs:
                    (one, mine), (other, theirs) = self.pick(pairs), self.pick(pairs)
                    columns = f"SELECT {mine.text} AS x, {theirs.text} AS y FROM {source}"
                    return f"({one.text}, {other.text}) {negated}IN ({columns}{self.where(own, scope, depth)})"
            case "scalar":
                integers = [each.text for each in scope if each.kind == INTEGER] or ["1"]
                return f"{self.pick(integers)} {self.pick(COMPARED)} {self.value(scope, depth)}"
        number, least = self.value(scope, 0), self.pick(("2", "0", "1"))
        return f"({number} > {least} {self.pick(('OR', 'AND'))} EXISTS ({self.query(None, scope, 0)}))"

    def value(self, scope: Sequence[ScopeColumn], depth: int = 1) -> str:
        """A whole number with a scalar subquery in it, which has one row."""
        source, own = self.item()
        integers = [each.text for each in own if each.kind == INTEGER]
        around = [each.text for each in scope if each.kind == INTEGER]
        forms = ["COUNT(*)", f"COUNT({own[0].text})", f"COUNT(DISTINCT {own[0].text})"]
        if integers:
            one = self.pick(integers)
            forms += [f"MAX({one})", f"MIN({one})", f"SUM({one})"]
            if around:
                other = self.pick(around)
                forms += [f"SUM({one} + {other})", f"MAX({one}) + {other}", f"COUNT(*) - {other}"]
        text = f"SELECT {self.pick(forms)} FROM {source}{self.where(own, scope, depth)}"
        if self.one_in(6):
            text += f" HAVING COUNT(*) > {self.pick((*around, '1'))}"
        form = self.pick(("({})", "({})", "COALESCE(({}), 0)", "CASE WHEN ({}) > 1 THEN 1 ELSE 0 END"))
        return form.format(text)

    def query(self, kind: str | None, scope: Sequence[ScopeColumn], depth: int) -> str:
        """A subquery with one column of a kind, or of any kind."""
        source, own = self.item()
        fitting = [each.text for each in own if kind in (None, each.kind)] or ["NULL"]
        column = self.pick(fitting)
        shape = self.pick(("plain", "plain", "distinct", "grouped", "set"))
        where = self.where(own, scope, depth)
        if shape == "grouped" and column != "NULL":
            around = [each.text for each in scope if each.kind == INTEGER] or ["1"]
            having = f" HAVING COUNT(*) < {self.pick((*around, '2'))}" if self.one_in(2) else ""
            return f"SELECT MAX({column}) AS x FROM {source}{where} GROUP BY {self.pick(own).text}{having}"
        text = f"SELECT {'DISTINCT ' if shape == 'distinct' else ''}{column} AS x FROM {source}{where}"
        if shape == "set" and depth > 0:
            operator = self.pick(("UNION", "UNION ALL", "EXCEPT", "INTERSECT"))
            return f"{text} {operator} {self.query(kind, scope, 0)}" if kind else text
        return text

    def where(self, own: Sequence[ScopeColumn], scope: Sequence[ScopeColumn], depth: int) -> str:
        """A WHERE that most often compares a column of the subquery's own with one around it."""
        parts = []
        for _ in range(self.pick((1, 1, 2, 0))):
            pairs = [(one, other) for one in own for other in scope if one.kind == other.kind]
            if pairs:
                one, other = self.pick(pairs)
                parts.append(f"{one.text} {self.pick(SIGNS)} {other.text}")
        if depth > 0 and self.one_in(3):
            parts.append(self.predicate([*own, *scope], depth - 1))
        if len(parts) > 1 and self.one_in(4):
            return f" WHERE {' OR '.join(parts)}"
        return f" WHERE {' AND '.join(parts)}" if parts else ""

    def lateral(self, alias: str, scope: Sequence[ScopeColumn]) -> tuple[str, list[ScopeColumn]]:
        """A LATERAL subquery in FROM, and its column."""
        if self.one_in(2):
            source, own = self.item()
            text = f"SELECT COUNT(*) AS x FROM {source}{self.where(own, scope, 1)}"
            return f"LATERAL ({text}) AS {alias}", [ScopeColumn(f"{alias}.x", INTEGER)]
        kind = self.pick(scope).kind
        return f"LATERAL ({self.query(kind, scope, 1)}) AS {alias}", [ScopeColumn(f"{alias}.x", kind)]
