"""Random queries: texts over a few sources and views, most of which mean something."""

from __future__ import annotations

import random
from dataclasses import dataclass

# Every item has the columns k, m and n, so that any alias can be asked for any of them.
SOURCES = """
CREATE STREAM S (k INT, m INT, n STRING) TIMESTAMP BY ts;
CREATE STREAM T (k BIGINT, m INT, n STRING) TIMESTAMP BY ts KEY (k);
CREATE RELATION R (k INT, m INT, n STRING);
CREATE RELATION L (k INT, m INT, n STRING) TIMESTAMP BY ts KEY (k);
CREATE VIEW V AS SELECT k, m, n FROM S WHERE m > 0;
CREATE VIEW W (k, m, n) AS SELECT k, COUNT(*), MIN(n) FROM S [RANGE 9] GROUP BY k;
"""
STREAMS, RELATIONS = ["S", "T", "V"], ["R", "L", "W"]
WINDOWS = ["", "", "[NOW]", "[RANGE 5]", "[ROWS 3]", "[RANGE 10 SLIDE 5]", "[PARTITION BY k ROWS 2]"]
JOINS = [",", "CROSS JOIN", "JOIN", "LEFT JOIN", "RIGHT JOIN", "FULL JOIN"]
KEEPING_ONE = ["SEMI JOIN", "LEFT ANTI JOIN", "RIGHT SEMI JOIN"]
AGGREGATES = ["COUNT(*)", "MAX(q.k)", "SUM(q.k)", "AVG(q.k)", "MIN(q.k) + 1", "COUNT(DISTINCT q.n)"]


@dataclass(frozen=True)
class Author:
    """Writes queries by the throw of a die."""

    rng: random.Random

    def one_of(self, *forms: str) -> str:
        return self.rng.choice(forms)

    def sometimes(self, text: str, chance: float = 0.5) -> str:
        return text if self.rng.random() < chance else ""

    def item(self) -> str:
        if self.rng.random() < 0.5:
            return self.one_of(*RELATIONS)
        return f"{self.one_of(*STREAMS)} {self.one_of(*WINDOWS)}"

    def number(self, scope: list[str], depth: int) -> str:
        column = f"{self.one_of(*scope)}.{self.one_of('k', 'm')}"
        if depth <= 0 or self.rng.random() < 0.3:
            return self.one_of(column, str(self.rng.randrange(10)))
        forms = [
            lambda: f"({self.number(scope, depth - 1)} {self.one_of(*'+-*/%')} {self.number(scope, depth - 1)})",
            lambda: f"CASE WHEN {self.condition(scope, depth - 1)} THEN {column} ELSE 0 END",
            lambda: f"COALESCE({self.number(scope, depth - 1)}, {column})",
            lambda: f"LENGTH({self.one_of(*scope)}.n)",
            lambda: f"(SELECT {self.one_of(*AGGREGATES)} FROM {self.subquery(scope)})",
            lambda: f"- {self.number(scope, depth - 1)}",
        ]
        return self.rng.choice(forms)()

    def subquery(self, scope: list[str]) -> str:
        """A FROM called q, most often correlated by equality; its own conditions hold no further subquery."""
        where = self.sometimes(f"q.k = {self.one_of(*scope)}.k", 0.7)
        own = self.sometimes(f"q.m > {self.rng.randrange(9)}", 0.3)
        conditions = " AND ".join(part for part in (where, own) if part)
        return f"{self.item()} AS q" + (f" WHERE {conditions}" if conditions else "")

    def condition(self, scope: list[str], depth: int) -> str:
        number = self.number(scope, depth - 1)
        negated = self.sometimes("NOT ", 0.3)
        forms = [
            lambda: f"{number} {self.one_of('=', '<', '>=', '<>', '<=>')} {self.number(scope, depth - 1)}",
            lambda: f"{number} {negated}IN (1, 2, {self.number(scope, 0)})",
            lambda: f"{number} {negated}BETWEEN 1 AND {self.number(scope, depth - 1)}",
            lambda: f"{self.one_of(*scope)}.n IS {negated}NULL",
        ]
        if depth > 0:
            forms += [
                lambda: f"({self.condition(scope, depth - 1)} OR {self.condition(scope, depth - 1)})",
                lambda: f"{self.condition(scope, depth - 1)} AND {self.condition(scope, depth - 1)}",
                lambda: f"NOT ({self.condition(scope, depth - 1)})",
                lambda: f"{self.number(scope, 0)} {negated}IN (SELECT q.k FROM {self.subquery(scope)})",
                lambda: f"{negated}EXISTS (SELECT 1 FROM {self.subquery(scope)})",
            ]
        return self.rng.choice(forms)()

    def from_items(self, depth: int) -> tuple[str, list[str]]:
        """FROM, and the aliases in it."""
        text, scope = f"{self.source(depth)} AS t0", ["t0"]
        for number in range(1, self.rng.choice([1, 1, 2, 3])):
            kind, alias = self.one_of(*JOINS, *KEEPING_ONE), f"t{number}"
            text += f"{kind} {self.source(depth)} AS {alias}" if kind == "," else f" {kind} {self.source(0)} AS {alias}"
            scope.append(alias)
            if kind not in JOINS[:2]:
                text += f" ON {scope[-2]}.k = {alias}.k" + self.sometimes(f" AND {self.condition(scope, -1)}", 0.3)
            if kind in KEEPING_ONE:
                scope = [alias] if kind.startswith("RIGHT") else scope[:-1]
        return text, scope

    def source(self, depth: int) -> str:
        if depth > 0 and self.rng.random() < 0.25:
            return f"({self.query(depth - 1)})"
        return self.item()

    def query(self, depth: int = 2) -> str:
        source, scope = self.from_items(depth)
        operator = self.one_of("", "", "", "ISTREAM", "DSTREAM", "RSTREAM")
        where = self.sometimes(f" WHERE {self.condition(scope, depth)}", 0.7)
        items = f"{scope[0]}.k AS k, {self.number(scope, depth)} AS m, {scope[-1]}.n AS n"
        tail = ""
        if self.rng.random() < 0.3:
            items = f"{scope[0]}.k AS k, SUM({scope[-1]}.m) AS m, MIN({scope[0]}.n) AS n"
            tail = f" GROUP BY {scope[0]}.k" + self.sometimes(" HAVING COUNT(*) > (SELECT COUNT(*) FROM R)", 0.3)
        items = self.sometimes("DISTINCT ", 0.2) + items
        text = f"SELECT {operator}({items})" if operator else f"SELECT {items}"
        text += f" FROM {source}{where}{tail}"
        if not operator:
            text += self.one_of("", "", "", " ORDER BY m, k DESC LIMIT 3", " UNION SELECT k, m, n FROM L")
            text += self.sometimes(" EXCEPT ALL SELECT k, m, n FROM R", 0.1) if "LIMIT" not in text else ""
        return text
