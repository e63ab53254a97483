"""Queries: random SELECTs in the text of CQL, over sources and views that are there; most of them mean something.

What analysis refuses (a window on a relation, an ambiguous default) is drawn again by whoever asks.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from tailrace.testing.random_scripts.choices import Choices
from tailrace.testing.random_scripts.drawn_subqueries import DrawnSubqueries
from tailrace.testing.random_scripts.expressions import FRACTION, INTEGER, KINDS, TRUTH, Expressions, ScopeColumn
from tailrace.testing.random_scripts.over import OverWriter
from tailrace.testing.random_scripts.select_parts import SelectParts

TIME_WINDOWS = (
    "[RANGE 3]", "[NOW]", "[RANGE 1]", "[RANGE UNBOUNDED]", "[RANGE 5]", "[RANGE 4 SLIDE 2]", "[RANGE 2 SLIDE 3]", "",
)  # fmt: skip
TIMED = "S0"  # a stream of which it is known whether its timestamps count ticks, before it has a file
PANE_WINDOWS = (
    "[TUMBLE 3]", "[TUMBLE 2 OFFSET 1]", "[HOP 4 EVERY 2]", "[HOP 2 EVERY 3]", "[CUMULATE 4 EVERY 2]", "[SESSION 2]",
)  # fmt: skip
# Window functions, over the name of a stream and its timestamp's column.
FUNCTIONS = (
    "TUMBLE(TABLE {}, DESCRIPTOR(ts), 3)", "HOP({}, ts, 2, 4)", "TABLE(CUMULATE(TABLE {}, DESCRIPTOR(ts), 2, 4))",
    "SESSION(TABLE {} PARTITION BY {key}, DESCRIPTOR(ts), 2)",
)  # fmt: skip
ROW_WINDOWS = ("[ROWS 2]", "[ROWS 1]", "[ROWS 4]", "[ROWS 3 SLIDE 2]", "[ROWS UNBOUNDED]", "[SAMPLE 3 ROWS]")
SEQUENCES = (
    "[RANGE 3 TUPLES]", "[RANGE 3 TUPLES, FREQUENCY 2 TUPLES]", "[FREQUENCY 2 TUPLES]", "[RANGE 2 SECONDS]",
    "[FREQUENCY 2 SECONDS, RANGE 3 SECONDS]", "[FREQUENCY 3 SECONDS]",
)  # fmt: skip
JOINS = (",", "JOIN", "LEFT JOIN", "RIGHT JOIN", "FULL JOIN", "CROSS JOIN")
ONE_SIDED = ("LEFT SEMI JOIN", "ANTI JOIN", "RIGHT SEMI JOIN", "RIGHT ANTI JOIN")
ASOF = ("ASOF JOIN", "ASOF LEFT JOIN")
OPERATORS = ("ISTREAM", "DSTREAM", "RSTREAM")


@dataclass(frozen=True)
class FromItem:
    """Something a FROM can name: its text, its columns by name and kind, and what it is."""

    text: str
    columns: tuple[tuple[str, str], ...]
    is_stream: bool
    is_base: bool = False  # a declared stream, whose elements of one instant have an order


def kept_scope(join: str, left: list[ScopeColumn], right: list[ScopeColumn]) -> list[ScopeColumn]:
    """What can be named behind a join: of a SEMI or ANTI JOIN one side only."""
    if "SEMI" in join or "ANTI" in join:
        return right if join.startswith("RIGHT") else left
    return [*left, *right]


class QueryWriter:
    """Draws queries over items."""

    def __init__(self, choices: Choices, items: Sequence[FromItem]) -> None:
        self.items = list(items)
        self.expressions = Expressions(choices)
        self.overs = OverWriter(choices)
        self.pick, self.number, self.one_in = choices.pick, choices.number, choices.one_in
        self.subqueries = DrawnSubqueries(choices, lambda alias: self.item(alias, 0, sessions=False))

    # FROM ---------------------------------------------------------------------------------------------

    def with_window(self, item: FromItem, sessions: bool = True) -> str:
        """An item with a window, where it takes one; several `sessions` may end at one instant, a row each."""
        if not item.is_stream:
            return item.text
        if self.one_in(3 if item.text == TIMED else 12):
            key = self.pick(item.columns)[0]
            window = self.pick((*PANE_WINDOWS, f"[PARTITION BY {key} SESSION 2]"))
            return f"{item.text} {window if sessions or 'SESSION' not in window else '[TUMBLE 3]'}"
        if not item.is_base or self.number(0, 3):
            sample = " SAMPLE 50 PERCENT SEED 1" if item.is_base and self.one_in(12) else ""
            return f"{item.text}{sample} {self.pick(TIME_WINDOWS)}"
        if self.one_in(3):
            key = self.pick(item.columns)[0]
            return f"{item.text} [PARTITION BY {key} ROWS {self.number(1, 3)}]"
        return f"{item.text} {self.pick(ROW_WINDOWS)}"

    def item(self, alias: str, depth: int, sessions: bool = True) -> tuple[str, list[ScopeColumn]]:
        if depth > 0 and self.one_in(5):
            inner = self.select(depth - 1, simple=True)
            window = f" {self.pick(TIME_WINDOWS)}" if inner.operator else ""
            fields = [ScopeColumn(f"{alias}.{name}", kind) for name, kind in inner.columns]
            return f"({inner.text}){window} AS {alias}", fields
        item = self.pick(self.items)
        return f"{self.with_window(item, sessions)} AS {alias}", [
            ScopeColumn(f"{alias}.{name}", kind) for name, kind in item.columns
        ]

    def temporal_join(self) -> tuple[str, list[ScopeColumn]] | None:
        """A declared stream joined with a relation as of its elements' instants; None if there are not both."""
        streams = [item for item in self.items if item.is_base]
        relations = [item for item in self.items if not item.is_stream]
        if not streams or not relations:
            return None
        left, right = self.pick(streams), self.pick(relations)
        mine, theirs = ([ScopeColumn(f"t{n}.{name}", kind) for name, kind in item.columns]
                        for n, item in enumerate((left, right)))  # fmt: skip
        join = self.pick(("JOIN", "LEFT JOIN"))
        text = f"{left.text} AS t0 {join} {right.text} FOR SYSTEM_TIME AS OF t0.ts AS t1 ON {self.link(mine, theirs)}"
        return text, [*mine, *theirs]

    def nearest(self, left: Sequence[ScopeColumn], right: Sequence[ScopeColumn]) -> str | None:
        """The condition of an ASOF JOIN: a key, an inequality, and sometimes a bound; None without columns for it."""
        pairs = [(one, other) for one in left for other in right if one.kind == other.kind != TRUTH]
        if not pairs:
            return None
        one, other = self.pick(pairs)
        sign = self.pick((">=", ">", "<=", "<"))
        bound = f" AND {one.text} - {other.text} {'<= 1' if sign[0] == '>' else '>= -1'}"
        key = f"{self.link(left, right)} AND " if self.number(0, 3) else ""
        return f"{key}{one.text} {sign} {other.text}{bound if one.kind == INTEGER and self.one_in(3) else ''}"

    def from_clause(self, depth: int) -> tuple[str, list[ScopeColumn]]:
        text, scope = self.item("t0", depth)
        if self.one_in(12) and (found := self.temporal_join()):
            text, scope = found
        for number in range(1, self.pick((1, 1, 1, 2, 2, 3))):
            join, alias = self.pick(ONE_SIDED if self.one_in(8) else JOINS), f"t{number}"
            other, fields = self.item(alias, 0)
            condition = self.nearest(scope, fields) if self.one_in(10) else None
            if condition:
                text, scope = f"{text} {self.pick(ASOF)} {other} ON {condition}", [*scope, *fields]
                continue
            if self.one_in(12) and join != "," and "CROSS" not in join:
                text, scope = f"{text} NATURAL {join} {other}", kept_scope(join, scope, fields)
                continue
            text += f"{join} {other}" if join == "," else f" {join} {other}"
            if join not in (",", "CROSS JOIN"):
                text += f" ON {self.link(scope, fields)}"
                text += f" AND {self.link(scope, fields)}" if self.one_in(3) else ""  # a key of two columns
                if self.one_in(3):
                    text += f" AND {self.expressions.predicate([*scope, *fields], 0)}"
                if depth > 0 and self.one_in(12) and not join.endswith(("SEMI JOIN", "ANTI JOIN")):
                    text += f" AND {self.subqueries.predicate(self.pick(([*scope, *fields], fields)), 0)}"
            scope = kept_scope(join, scope, fields)
        if depth > 0 and self.one_in(20):
            other, fields = self.subqueries.lateral("l", scope)
            text, scope = f"{text} {self.pick(('CROSS JOIN', 'LEFT JOIN'))} {other}", [*scope, *fields]
            text += " ON TRUE" if "LEFT JOIN LATERAL" in text else ""
        return text, scope

    def link(self, left: Sequence[ScopeColumn], right: Sequence[ScopeColumn]) -> str:
        """The equality of two columns of one kind."""
        pairs = [(one, other) for one in left for other in right if one.kind == other.kind]
        if not pairs:
            return "TRUE"
        one, other = self.pick(pairs)
        return f"{one.text} = {other.text}"

    # SELECT -------------------------------------------------------------------------------------------

    def select(self, depth: int = 1, simple: bool = False) -> SelectParts:
        """A SELECT; a simple one is read by another query, and has no digits that depend on how they are computed."""
        source, scope = self.from_clause(depth)
        where = self.condition(scope, depth) if self.number(0, 9) < 7 else None
        if where is None and len({each.text.partition(".")[0] for each in scope}) > 1 and "ON" not in source:
            where = self.link(scope[:1], scope[1:])
        if self.one_in(3):
            found = self.select_groups(source, scope, where, simple)
        else:
            kinds = [self.pick(scope).kind for _ in range(self.number(1, 3))]
            texts = [self.expressions.value(kind, scope, 1) for kind in kinds]
            if depth > 0 and self.one_in(12):
                texts[0], kinds[0] = self.subqueries.value(scope, 1), INTEGER
            columns = tuple((f"c{place}", kind) for place, kind in enumerate(kinds))
            items = ", ".join(f"{text} AS {name}" for text, (name, _) in zip(texts, columns, strict=True))
            found = SelectParts(f"DISTINCT {items}" if self.one_in(8) else items, source, where, "", columns)
            if self.one_in(5):
                found = self.overs.add_over(found, scope)
        return replace(found, operator=self.pick(("", "", "", "", *OPERATORS)), scope=tuple(scope))

    def select_groups(self, source: str, scope: Sequence[ScopeColumn], where: str | None, simple: bool) -> SelectParts:
        keys = [self.pick(scope) for _ in range(self.number(0, 2))]
        keys = list({key.text: key for key in keys}.values())
        aggregates = [self.aggregate(scope, simple) for _ in range(self.number(1, 2))]
        columns = tuple(
            (f"c{place}", kind) for place, kind in enumerate([k.kind for k in keys] + [k for _, k in aggregates])
        )
        texts = [key.text for key in keys] + [text for text, _ in aggregates]
        items = ", ".join(f"{text} AS {name}" for text, (name, _) in zip(texts, columns, strict=True))
        tail = f" GROUP BY {', '.join(key.text for key in keys)}" if keys else ""
        if self.one_in(4):
            tail += f" HAVING {self.pick(('COUNT(*) > 1', 'COUNT(*) < 3', f'MAX({scope[0].text}) IS NOT NULL'))}"
            if keys and not simple and self.one_in(4):
                tail += f" AND {self.subqueries.predicate(keys, 0)}"
        return SelectParts(items, source, where, tail, columns, is_grouped=True)

    def aggregate(self, scope: Sequence[ScopeColumn], simple: bool) -> tuple[str, str]:
        """An aggregate, and its kind."""
        field = self.pick(scope)
        numbers = [each for each in scope if each.kind in (INTEGER, FRACTION)]
        forms = ["COUNT(*)", "COUNT({})", "MIN({})", "MAX({})", "COUNT(DISTINCT {})"]
        if numbers:
            field = self.pick(numbers) if self.one_in(2) else field
        if field.kind in (INTEGER, FRACTION):
            forms += ["SUM({})", "SUM({})", "SUM(DISTINCT {})"]
            forms += [] if simple else ["AVG({})", "MEDIAN({})", "STDDEV({})", "VARIANCE({})"]
        form = self.pick(forms)
        text = form.format(field.text)
        if form.startswith(("COUNT(*", "SUM({", "MIN")) and self.one_in(5):
            text += f" FILTER (WHERE {self.expressions.predicate(scope, 0)})"
        kind = field.kind if form.startswith(("MIN", "MAX", "SUM")) else INTEGER
        return text, FRACTION if form.startswith(("AVG", "MED", "STD", "VAR")) else kind

    def condition(self, scope: Sequence[ScopeColumn], depth: int) -> str:
        """A WHERE: a predicate, sometimes with a subquery in it."""
        text = self.expressions.condition(scope, 2)
        if depth <= 0 or not self.one_in(6):
            return text
        item = self.pick(self.items)
        inner = [ScopeColumn(f"q.{name}", kind) for name, kind in item.columns]
        outer, own = self.pick(scope), self.pick(inner)
        source = f"{self.with_window(item)} AS q"
        own = next((field for field in inner if field.kind == outer.kind), own)
        negated = self.pick(("", "NOT "))
        if self.one_in(2):
            more = self.subqueries.predicate(scope, 1)
            return f"({text}) {self.pick(('AND', 'OR'))} {more}" if self.one_in(2) else more
        match self.pick(("in", "exists", "scalar")):
            case "in" if own.kind == outer.kind:
                more = f"{outer.text} {negated}IN (SELECT {own.text} FROM {source})"
            case "scalar":
                more = f"(SELECT COUNT(*) FROM {source} WHERE {self.link([outer], inner)}) >= 1"
            case _:
                more = f"{negated}EXISTS (SELECT 1 FROM {source} WHERE {self.link([outer], inner)})"
        return f"({text}) {self.pick(('AND', 'OR'))} {more}" if self.one_in(2) else more

    # Whole queries ------------------------------------------------------------------------------------

    def query(self) -> str:
        """A query of any form."""
        match self.pick(("select",) * 7 + ("top", "union", "set", "sequence", "around", "windows")):
            case "top":
                found = replace(self.select(1, simple=True), operator="")
                order = ", ".join(f"{name}{self.pick(('', ' DESC'))}" for name, _ in found.columns)
                return f"{found.text} ORDER BY {order} LIMIT {self.number(1, 3)}"
            case "union":
                return self.combine_selects("UNION ALL")
            case "set":
                return self.combine_selects(self.pick(("UNION", "EXCEPT", "INTERSECT", "EXCEPT ALL", "INTERSECT ALL")))
            case "sequence":
                return self.sequence()
            case "windows":
                return self.per_window()
            case "around":
                return f"{self.pick(OPERATORS)}({replace(self.select(1, simple=True), operator='').text})"
        return self.select(1).text

    def combine_selects(self, operator: str) -> str:
        """Two SELECTs of columns of the same kinds."""
        kinds = [self.pick(KINDS) for _ in range(self.number(1, 2))]
        sides = []
        for _ in range(2):
            source, scope = self.from_clause(0)
            items = ", ".join(f"{self.expressions.value(kind, scope, 1)} AS c{n}" for n, kind in enumerate(kinds))
            where = f" WHERE {self.condition(scope, 0)}" if self.one_in(2) else ""
            sides.append(f"SELECT {items} FROM {source}{where}")
        return f" {operator} ".join(sides)

    def per_window(self) -> str:
        """What is counted in each window of a window function; sometimes a join of two such counts."""

        def write_counts() -> str:
            item = next(each for each in self.items if each.text == TIMED)
            key = self.pick(item.columns)[0]
            source = self.pick(FUNCTIONS).format(item.text, key=key)
            scope = [ScopeColumn(f"w.{name}", kind) for name, kind in item.columns]
            where = f" WHERE {self.expressions.condition(scope, 1)}" if self.one_in(3) else ""
            items = f"w.{key} AS k, COUNT(*) AS n, window_start, window_end"
            return f"SELECT {items} FROM {source} AS w{where} GROUP BY w.{key}, window_start, window_end"

        if not self.one_in(3):
            return write_counts() + (" EMIT CHANGES" if self.one_in(6) else "")
        join = self.pick(("JOIN", "LEFT JOIN", "FULL JOIN"))
        equal = "a.window_start = b.window_start AND a.window_end = b.window_end"
        items = "a.n AS c0, b.n AS c1, a.window_end AS c2"
        return f"SELECT {items} FROM ({write_counts()}) AS a {join} ({write_counts()}) AS b ON {equal}"

    def sequence(self) -> str:
        """A sequence query (CSQL) over a declared stream."""
        streams = [item for item in self.items if item.is_base]
        item = self.pick(streams)
        scope = [ScopeColumn(f"t0.{name}", kind) for name, kind in item.columns]
        window = self.pick(SEQUENCES)
        if self.one_in(3):
            window = window[:-1] + f" PARTITIONED BY {self.pick(item.columns)[0]}]"
        key = self.pick(scope)
        where = f" WHERE {self.expressions.condition(scope, 1)}" if self.one_in(2) else ""
        source = f"{item.text} {window} AS t0{where}"
        if self.one_in(2):
            return f"SELECT {key.text} AS c0, COUNT(*) AS c1 FROM {source} GROUP BY {key.text}"
        return f"SELECT {key.text} AS c0, {self.expressions.value(INTEGER, scope, 1)} AS c1 FROM {source}"

    def alike(self, count: int) -> list[str]:
        """Queries that differ in their constants only, which are answered together where they are many."""
        items = [each for each in self.items if each.is_stream and any(kind != TRUTH for _, kind in each.columns)]
        if not items:
            return []
        item = self.pick(items)
        scope = [ScopeColumn(f"t0.{name}", kind) for name, kind in item.columns if kind != TRUTH]
        filters = [self.pick(scope) for _ in range(self.number(1, 2))]
        signs = [self.pick(("=", "<", ">", ">=", "<>")) for _ in filters]
        window = self.pick((*TIME_WINDOWS, "[TUMBLE 3]"))
        form = self.pick(("SELECT ISTREAM({k} AS c0)", "SELECT {k} AS c0, COUNT(*) AS c1", "SELECT COUNT(*) AS c0"))
        key = self.pick(scope).text
        tail = f" GROUP BY {key}" if ", COUNT" in form else ""
        texts = []
        for _ in range(count):
            tests = [
                f"{field.text} {sign} {self.expressions.leaf(field.kind, [])}"
                for field, sign in zip(filters, signs, strict=True)
            ]
            where = " AND ".join(tests)
            texts.append(f"{form.format(k=key)} FROM {item.text} {window} AS t0 WHERE {where}{tail}")
        return texts
