"""Expressions: random scalar expressions and predicates in the text of CQL, by the kind of value that is wanted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tailrace.testing.random_scripts.choices import Choices

# Kinds of values: types that take part in the same operations.
INTEGER, FRACTION, EXACT, TEXT, TRUTH, DATE, MOMENT = (
    "integer",
    "fraction",
    "decimal",
    "text",
    "truth",
    "date",
    "moment",
)
KINDS = (INTEGER, TEXT, FRACTION, TRUTH, EXACT, DATE, MOMENT)
LITERALS = {
    INTEGER: ("1", "0", "2", "-1", "3"),
    FRACTION: ("5e-1", "1e0", "0e0", "-225e-2"),
    EXACT: ("1.50", "0.00", "-2.25"),
    TEXT: ("'a'", "'b'", "'ab'", "'1'", "''", "'it''s'"),
    TRUTH: ("TRUE", "FALSE"),
    DATE: ("DATE '2024-03-01'", "DATE '2024-02-29'"),
    MOMENT: ("TIMESTAMP '2024-03-01 10:00:00'", "TIMESTAMP '2024-03-01 10:00:01.5'"),
}
# What gives each kind: {} is an argument of the kind, {kind} one of another.
FORMS = {
    INTEGER: (
        "{} + {}", "{} - {}", "{} * {}", "{} % {}", "{} DIV {}", "{} / {}", "-{}", "ABS({})", "LENGTH({text})",
        "NULLIF({}, {})", "GREATEST({}, {})", "LEAST({}, {})", "PMOD({}, 3)", "YEAR({date})", "MONTH({date})",
        "DATEDIFF({date}, {date})", "CAST({fraction} AS INT)", "CAST({truth} AS INT)", "INSTR({text}, 'b')",
        "HOUR({moment})", "SIGN({integer}) * 1", "CAST({text} AS INT)", "{} & {}", "ASCII({text})",
    ),
    FRACTION: (
        "{} + {}", "{} - {}", "{} * {}", "ABS({})", "CAST({integer} AS DOUBLE)", "{integer} + {}", "{} * {integer}",
        "CAST({decimal} AS DOUBLE)", "GREATEST({}, {})", "FLOOR({}) * 1e0", "NULLIF({}, {})",
    ),
    EXACT: ("{} + {}", "{} - {}", "{} * 2", "ABS({})", "CAST({integer} AS DECIMAL(9,2))", "{} + {integer}"),
    TEXT: (
        "UPPER({})", "LOWER({})", "{} || {}", "CONCAT({}, {})", "SUBSTRING({}, 1, 1)", "SUBSTRING({}, 2)", "TRIM({})",
        "REPLACE({}, 'a', 'c')", "REVERSE({})", "CAST({integer} AS STRING)", "LPAD({}, 3, '-')", "LEFT({}, 1)",
        "CAST({truth} AS STRING)", "CAST({date} AS STRING)", "INITCAP({})", "REPEAT({}, 2)", "NULLIF({}, {})",
        "SUBSTRING({} FROM 2 FOR 1)", "TRIM(LEADING 'a' FROM {})",
    ),
    DATE: (
        "DATE_ADD({}, 1)", "DATE_SUB({}, 2)", "CAST({moment} AS DATE)", "LAST_DAY({})", "ADD_MONTHS({}, 1)",
        "NVL({}, DATE '2024-01-31') + INTERVAL '1 month 2 days'", "NVL({}, DATE '2024-01-31') - INTERVAL 3 WEEKS",
    ),
    MOMENT: (
        "CAST({date} AS TIMESTAMP)", "NULLIF({}, {})", "GREATEST({}, {})",
        "NVL({}, TIMESTAMP '2024-03-01 10:00:00') - INTERVAL '1 02:03:04' DAY TO SECOND",
    ),
    TRUTH: (),
}  # fmt: skip
CHOICES = (
    "COALESCE({}, {})", "CASE WHEN {truth} THEN {} ELSE {} END", "IF({truth}, {}, {})", "CASE WHEN {truth} THEN {} END",
    "NVL({}, {})",
)  # fmt: skip
COMPARISONS = ("=", "<", ">", "<>", "<=", ">=", "<=>")
PATTERNS = ("'a%'", "'%b'", "'_'", "'%'", "'a\\\\_%'")


def kind_of(type: str) -> str | None:
    """The kind of a Spark SQL type; None for types that no form takes."""
    name = type.split("(")[0].split("<")[0].strip().upper()
    if name in ("TINYINT", "SMALLINT", "INT", "BIGINT"):
        return INTEGER
    kinds = {"FLOAT": FRACTION, "DOUBLE": FRACTION, "DECIMAL": EXACT, "STRING": TEXT, "BOOLEAN": TRUTH}
    return (kinds | {"DATE": DATE, "TIMESTAMP": MOMENT}).get(name)


@dataclass(frozen=True)
class ScopeColumn:
    """A column that can be named in an expression."""

    text: str
    kind: str


class Expressions:
    """Draws texts of expressions over the fields of a scope."""

    def __init__(self, choices: Choices) -> None:
        self.choices = choices
        self.pick, self.number, self.one_in = choices.pick, choices.number, choices.one_in

    def leaf(self, kind: str, scope: Sequence[ScopeColumn]) -> str:
        fields = [field.text for field in scope if field.kind == kind]
        if fields and not self.one_in(4):
            return self.pick(fields)
        return self.pick((*LITERALS[kind], "NULL") if self.one_in(8) else LITERALS[kind])

    def value(self, kind: str, scope: Sequence[ScopeColumn], depth: int = 2) -> str:
        """An expression of a kind; most often a column, as in queries that people write."""
        if depth <= 0 or self.number(0, 2) < 2:
            return self.leaf(kind, scope)
        if kind == TRUTH and not self.one_in(6):
            return f"({self.condition(scope, depth - 1)})"
        forms = FORMS[kind] if FORMS[kind] and not self.one_in(4) else CHOICES
        return f"({self.fill_form(self.pick(forms), kind, scope, depth - 1)})"

    def fill_form(self, form: str, kind: str, scope: Sequence[ScopeColumn], depth: int) -> str:
        parts = form.split("{")
        text = parts[0]
        for part in parts[1:]:
            wanted, rest = part.split("}", 1)
            text += self.value(wanted or kind, scope, depth) + rest
        return text

    def condition(self, scope: Sequence[ScopeColumn], depth: int = 2) -> str:
        """A predicate: mostly comparisons, joined by AND, OR and NOT."""
        if depth > 0 and self.one_in(2):
            form = self.pick(("{} AND {}", "{} OR {}", "({} OR {}) AND {}", "NOT ({})", "{} OR {} AND {}"))
            while "{}" in form:
                form = form.replace("{}", self.condition(scope, depth - 1), 1)
            return form
        return self.predicate(scope, max(depth - 1, 0))

    def predicate(self, scope: Sequence[ScopeColumn], depth: int) -> str:
        kind = self.pick([field.kind for field in scope] or [INTEGER])
        left = self.value(kind, scope, depth)
        negated = "NOT " if self.one_in(4) else ""
        match self.pick(("compare", "compare", "compare", "in", "between", "null", "like", "truth", "case")):
            case "in":
                others = ", ".join(self.leaf(kind, scope) for _ in range(self.number(1, 3)))
                return f"{left} {negated}IN ({others})"
            case "between":
                return f"{left} {negated}BETWEEN {self.leaf(kind, scope)} AND {self.leaf(kind, scope)}"
            case "null":
                return f"{left} IS {negated}NULL"
            case "like":
                return f"{self.value(TEXT, scope, depth)} {negated}LIKE {self.pick(PATTERNS)}"
            case "truth":
                return f"{self.value(TRUTH, scope, depth)} IS {negated}{self.pick(('TRUE', 'FALSE'))}"
            case "case":
                first, second = self.leaf(TRUTH, scope), self.leaf(TRUTH, scope)
                return f"CASE WHEN {left} IS NULL THEN {first} ELSE {second} END"
        right = self.value(kind, scope, depth)
        if kind == INTEGER and self.one_in(4):
            right = self.value(FRACTION, scope, depth)  # numbers of two types meet in their common type
        return f"{left} {self.pick(COMPARISONS)} {right}"
