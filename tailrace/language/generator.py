"""Generator: writes a syntax tree as canonical CQL: keywords in capitals, names as written, no comments."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from sqlglot import exp, generator

from tailrace.errors import UnknownValueError
from tailrace.language import nodes
from tailrace.language.scalars.over import OVER_TEXTS, over_clauses_text
from tailrace.language.tokens import RESERVED, SYSTEM

TAIL = ("order", "limit", "offset")


class Generator(generator.Generator):
    """Text of CQL's own nodes; sqlglot writes the scalar expressions."""

    def clauses(self, parts: Iterable[str]) -> str:
        return self.sep().join(part for part in parts if part)

    def list_sql(self, items: Iterable[exp.Expr] | None) -> str:
        return ", ".join(self.sql(item) for item in items or ())

    def identifier_sql(self, expression: exp.Identifier) -> str:
        name = str(expression.this)
        if expression.args.get("quoted"):
            return "`" + name.replace("`", "``") + "`"
        if name.startswith(f"{SYSTEM}."):
            return f"{SYSTEM}.{self.identifier_sql(exp.Identifier(this=name.removeprefix(f'{SYSTEM}.')))}"
        plain = name.replace("_", "a").isalnum() and name.isascii() and not name[0].isdigit()
        if plain and name.upper() not in RESERVED:
            return name
        return "`" + name.replace("`", "``") + "`"

    def literal_sql(self, expression: exp.Literal) -> str:
        return quote_text(str(expression.this)) if expression.is_string else str(expression.this)

    def parameter_sql(self, expression: exp.Expr) -> str:
        raise UnknownValueError("a parameter has no text")

    def anonymous_sql(self, expression: exp.Anonymous) -> str:
        return f"{expression.this}({self.list_sql(expression.expressions)})"

    def paren_sql(self, expression: exp.Paren) -> str:
        return f"({self.sql(expression, 'this')})"

    def distinct_sql(self, expression: exp.Distinct) -> str:
        return f"DISTINCT {self.list_sql(expression.expressions)}"

    def filter_sql(self, expression: exp.Filter) -> str:
        return f"{self.sql(expression, 'this')} FILTER (WHERE {self.sql(expression.expression.this)})"

    def cast_sql(self, expression: exp.Cast, safe_prefix: str | None = None) -> str:
        return f"{safe_prefix or ''}CAST({self.sql(expression, 'this')} AS {self.sql(expression, 'to')})"

    def trycast_sql(self, expression: exp.TryCast) -> str:
        return self.cast_sql(expression, "TRY_")

    def interval_sql(self, expression: exp.Interval) -> str:
        unit = expression.args.get("unit")
        return f"INTERVAL {quote_text(expression.this.this)}{f' {unit.this}' if unit else ''}"

    def star_sql(self, expression: exp.Star) -> str:
        without, replaced = expression.args.get("except_"), expression.args.get("replace")
        text = f"* EXCEPT ({self.list_sql(without)})" if without else "*"
        return f"{text} REPLACE ({self.list_sql(replaced)})" if replaced else text

    def extract_sql(self, expression: exp.Extract) -> str:
        return f"EXTRACT({expression.this.this} FROM {self.sql(expression, 'expression')})"

    def lambda_sql(self, expression: exp.Lambda, arrow_sep: str = "->", wrap: bool = True) -> str:
        variables = self.list_sql(expression.expressions)
        variables = variables if len(expression.expressions) == 1 else f"({variables})"
        return f"{variables} {arrow_sep} {self.sql(expression, 'this')}"

    def ordered_sql(self, expression: exp.Ordered) -> str:
        descending, nulls_first = bool(expression.args.get("desc")), bool(expression.args.get("nulls_first"))
        usual = nulls_first != descending
        nulls = "" if usual else f" NULLS {'FIRST' if nulls_first else 'LAST'}"
        return f"{self.sql(expression, 'this')}{' DESC' if descending else ''}{nulls}"

    def regexplike_sql(self, expression: exp.RegexpLike) -> str:
        return f"{self.sql(expression, 'this')} RLIKE {self.sql(expression, 'expression')}"

    def intdiv_sql(self, expression: exp.IntDiv) -> str:
        return f"{self.sql(expression, 'this')} DIV {self.sql(expression, 'expression')}"

    def nullsafeneq_sql(self, expression: exp.NullSafeNEQ) -> str:
        return f"{self.sql(expression, 'this')} IS DISTINCT FROM {self.sql(expression, 'expression')}"

    def nullsafeeq_sql(self, expression: exp.NullSafeEQ) -> str:
        return f"{self.sql(expression, 'this')} <=> {self.sql(expression, 'expression')}"

    def in_sql(self, expression: exp.In) -> str:
        query = expression.args.get("query")
        inside = self.sql(query) if query else f"({self.list_sql(expression.expressions)})"
        return f"{self.sql(expression, 'this')} IN {inside}"

    def not_sql(self, expression: exp.Not) -> str:
        """NOT inside a test as SQL writes it (x NOT IN …, x IS NOT NULL), in front of any other expression."""
        inner = expression.this
        test = inner.this if isinstance(inner, exp.Escape) else inner
        word = NEGATED.get(type(test))
        if word is None:
            return f"NOT {self.sql(inner)}"
        left = self.sql(test, "this")
        rest = self.sql(inner)[len(left) :]
        return f"{left}{rest.replace(f' {word}', word_negated(word), 1)}"


def word_negated(word: str) -> str:
    return " IS NOT" if word == "IS" else f" NOT {word}"


def quote_text(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "''") + "'"


NEGATED: dict[type, str] = {
    exp.In: "IN",
    exp.Between: "BETWEEN",
    exp.Like: "LIKE",
    exp.ILike: "ILIKE",
    exp.RegexpLike: "RLIKE",
    exp.Is: "IS",
}


def duration(gen: Generator, node: nodes.Duration) -> str:
    unit = node.args.get("unit")
    if unit is None:
        return str(node.this)
    return f"{node.this} {unit}{'' if node.this == '1' else 'S'}"


def window(gen: Generator, node: nodes.Window) -> str:
    kind, size, slide, partition, frequency = (
        node.args.get(key) for key in ("kind", "size", "slide", "partition", "frequency")
    )
    text = f"PARTITION BY {gen.list_sql(partition)} " if partition else ""
    if kind == "NOW":
        text += "NOW"
    elif kind in ("HOP", "CUMULATE"):
        return f"[{kind} {gen.sql(size)} EVERY {gen.sql(slide)}{clause(gen, node, 'offset', ' OFFSET')}]"
    elif kind == "TUMBLE":
        text += f"TUMBLE {gen.sql(size)}{clause(gen, node, 'offset', ' OFFSET')}"
    elif kind == "SAMPLE":
        text += f"SAMPLE {gen.sql(size)} ROWS{seed(node)}"
    elif kind:
        text += f"{kind} {gen.sql(size) if size else 'UNBOUNDED'}"
    if slide:
        text += f" SLIDE {gen.sql(slide)}"
    if frequency:
        text += (", " if kind else "") + gen.sql(frequency)
    return f"[{text}]"


def window_table(gen: Generator, node: nodes.WindowTable) -> str:
    partition = node.args.get("partition")
    keys = f" PARTITION BY {gen.list_sql(partition)}" if partition else ""
    lengths = (gen.sql(node, part) for part in ("slide", "size", "offset") if node.args.get(part))
    start = f"{node.args['kind']}(TABLE {gen.sql(node.this)}{keys}, DESCRIPTOR({gen.sql(node.args['column'])})"
    return f"{', '.join((start, *lengths))})"


def seed(node: exp.Expr) -> str:
    given = node.args.get("seed")
    return f" SEED {given}" if given is not None else ""


def frequency(gen: Generator, node: nodes.Frequency) -> str:
    partition = node.args.get("partition")
    return f"FREQUENCY {gen.sql(node.this)}" + (f" PARTITIONED BY {gen.list_sql(partition)}" if partition else "")


def select(gen: Generator, node: nodes.Select) -> str:
    kind = node.args.get("to_stream")
    items = ("DISTINCT " if node.args.get("distinct") else "") + gen.list_sql(node.expressions)
    often = node.args.get("frequency")
    group = node.args.get("group")
    return gen.clauses(
        (
            f"SELECT {kind}({items})" if kind else f"SELECT {items}",
            f"[{gen.sql(often)}]" if often else "",
            clause(gen, node, "from_", "FROM"),
            clause(gen, node, "where", "WHERE"),
            f"GROUP BY {gen.list_sql(group)}" if group else "",
            clause(gen, node, "having", "HAVING"),
            over_clauses_text(gen, node),
            tail(gen, node),
            f"EMIT {node.args['emit']}" if node.args.get("emit") else "",
        )
    )


def clause(gen: Generator, node: exp.Expr, key: str, word: str) -> str:
    text = gen.sql(node, key)
    return f"{word} {text}" if text else ""


def tail(gen: Generator, node: exp.Expr) -> str:
    order = node.args.get("order")
    return gen.clauses(
        (
            f"ORDER BY {gen.list_sql(order)}" if order else "",
            clause(gen, node, "limit", "LIMIT"),
            clause(gen, node, "offset", "OFFSET"),
        )
    )


def set_operation(gen: Generator, node: nodes.SetOperation) -> str:
    word = node.args["kind"] + (" ALL" if node.args.get("all") else "") + (" BY NAME" * bool(node.args.get("by_name")))
    left, right = (operand(gen, node, side) for side in ("left", "right"))
    return gen.clauses((left, word, right, tail(gen, node)))


def operand(gen: Generator, node: nodes.SetOperation, side: str) -> str:
    """One side of a set operation, in parentheses where parsing the text would otherwise give another tree."""
    query = node.args[side]
    text = gen.sql(query)
    limited = any(query.args.get(key) for key in (*TAIL, "emit"))
    tighter = isinstance(query, nodes.SetOperation) and (
        (side == "left" and (query.args["kind"] == "INTERSECT" or node.args["kind"] != "INTERSECT"))
        or (side == "right" and query.args["kind"] == "INTERSECT" and node.args["kind"] != "INTERSECT")
    )
    if isinstance(query, (nodes.Select, nodes.ToStream)) or tighter:
        return f"({text})" if limited else text
    return f"({text})"


def on_one_line(gen: Generator, query: exp.Expr) -> str:
    """A query inside another, on one line: a line per clause would make the outer query hard to read."""
    pretty, gen.pretty = gen.pretty, False
    text = gen.sql(query)
    gen.pretty = pretty
    return text


def quantified_text(gen: Generator, node: nodes.Quantified) -> str:
    inside = gen.sql(node.this)
    return f"{node.args['word']} {inside if isinstance(node.this, nodes.Nested) else f'({inside})'}"


def item(gen: Generator, node: nodes.Item) -> str:
    this = on_one_line(gen, node.this)
    window_text, alias, columns = (node.args.get(key) for key in ("window", "alias", "columns"))
    text = f"({this})" if isinstance(node.this, nodes.QueryNode) else this
    if node.args.get("lateral"):
        text = f"LATERAL {text}"
    if node.args.get("sample"):
        text += f" {gen.sql(node.args['sample'])}"
    if window_text:
        text += f" {gen.sql(window_text)}"
    if node.args.get("as_of"):
        text += f" FOR SYSTEM_TIME AS OF {gen.sql(node.args['as_of'])}"
    if alias:
        text += f" AS {gen.sql(alias)}"
    return text + (f" ({gen.list_sql(columns)})" if columns else "")


def join(gen: Generator, node: nodes.Join) -> str:
    kind, on, using = (node.args.get(key) for key in ("kind", "on", "using"))
    left, right = (gen.sql(node.args[side]) for side in ("left", "right"))
    if isinstance(node.args["right"], nodes.Join):
        right = f"({right})"
    if isinstance(node.args["left"], nodes.Join) and node.args["left"].args["kind"] == "COMMA" and kind != "COMMA":
        left = f"({left})"
    if kind == "COMMA":
        return f"{left}, {right}"
    match = f" MATCH_CONDITION ({gen.sql(node.args['match'])})" if node.args.get("match") else ""
    condition = f" ON {gen.sql(on)}" if on else f" USING ({gen.list_sql(using)})" if using else ""
    natural = "NATURAL " if node.args.get("natural") else ""
    return f"{left} {natural}{'' if kind == 'INNER' else f'{kind} '}JOIN {right}{match}{condition}"


def named_columns(gen: Generator, node: exp.Expr) -> str:
    columns = node.args.get("columns")
    return gen.sql(node.this) + (f" ({gen.list_sql(columns)})" if columns else "")


def with_query(gen: Generator, node: nodes.With) -> str:
    body = gen.sql(node.this)
    if isinstance(node.this, nodes.With):
        body = f"({body})"
    return gen.clauses((f"WITH {gen.list_sql(node.expressions)}", body))


TEXTS: dict[type[exp.Expr], Callable[..., str]] = {
    nodes.Duration: duration,
    nodes.Window: window,
    nodes.Frequency: frequency,
    nodes.Select: select,
    nodes.SetOperation: set_operation,
    nodes.ToStream: lambda gen, node: f"{node.args['kind']}({gen.sql(node.this)})",
    nodes.With: with_query,
    nodes.Named: lambda gen, node: f"{named_columns(gen, node)} AS ({on_one_line(gen, node.args['query'])})",
    nodes.Nested: lambda gen, node: f"({on_one_line(gen, node.this)})",
    nodes.Exists: lambda gen, node: f"EXISTS ({on_one_line(gen, node.this)})",
    nodes.Quantified: quantified_text,
    nodes.Item: item,
    nodes.WindowTable: window_table,
    nodes.Sample: lambda gen, node: f"SAMPLE {node.this} PERCENT{seed(node)}",
    nodes.Join: join,
    nodes.ColumnType: lambda gen, node: f"{gen.sql(node.this)} {gen.sql(node.args['type'])}",
    nodes.TypeName: lambda gen, node: str(node.this),
    **OVER_TEXTS,
}
