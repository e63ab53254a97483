"""Group windows: GROUP BY TUMBLE(ts, …), as older Flink writes it, and GROUP BY window(ts, …), as Spark does.

They mean the window table in FROM, so the syntax tree is rewritten into that: the stream of FROM gets the window
function, and TUMBLE_START(…) or window.start become window_start.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sqlglot import exp

from tailrace.errors import AnalysisError
from tailrace.language import nodes as ast
from tailrace.language.lengths import INTERVAL, SHORT_UNITS, UNITS, plain_number
from tailrace.language.nodes import place_of

# The window table that a call in GROUP BY means, and what its arguments after the column are.
MEANINGS = {
    "TUMBLE": ("TUMBLE", ("size", "offset")),
    "HOP": ("HOP", ("slide", "size", "offset")),
    "SESSION": ("SESSION", ("size",)),
    "WINDOW": ("HOP", ("size", "slide", "offset")),
    "SESSION_WINDOW": ("SESSION", ("size",)),
}
FLINK, SPARK = ("TUMBLE", "HOP", "SESSION"), ("WINDOW", "SESSION_WINDOW")
START, END = "window_start", "window_end"
ENDS = {"START": START, "END": END}


def move_group_window(node: ast.Select) -> None:
    """Rewrite a SELECT that groups by a window: its stream in FROM gets the window table instead."""
    group = node.args.get("group") or []
    calls = [part for part in group if is_group_window(part)]
    if not calls:
        return
    call = calls[0]
    if len(calls) > 1:
        raise AnalysisError("a query groups by one window", place_of(calls[1]), "use TUMBLE(TABLE …) in FROM for two")
    item = node.args.get("from_")
    if not isinstance(item, ast.Item) or item.args.get("window"):
        raise AnalysisError(
            f"{call.name} in GROUP BY needs one stream without a window in FROM",
            place_of(call),
            "write the window in FROM: TUMBLE(TABLE s, DESCRIPTOR(ts), INTERVAL '1' MINUTE)",
        )
    others = [part for part in group if part is not call]
    table = window_table(call, others)
    inner = ast.Item(this=item.this, sample=item.args.get("sample"))
    inner.meta.update(item.meta)
    if table.args["kind"] == "SESSION" and node.args.get("where"):
        # WHERE comes before the windows: rows that it drops are part of no session.
        inner.set("alias", alias_of(item))
        chosen = ast.Select(expressions=[exp.Star()], from_=inner, where=node.args["where"])
        inner = ast.Item(this=chosen)
        node.set("where", None)
        item.set("alias", alias_of(item))
    table.set("this", inner)
    item.set("this", table)
    item.set("sample", None)
    node.set("group", [*others, column(START), column(END)])
    replace_in_place(node, lambda part: meaning_of(part, call.name.upper()))


def is_group_window(part: exp.Expr) -> bool:
    return isinstance(part, exp.Anonymous) and part.name.upper() in MEANINGS and len(part.expressions) > 1


def alias_of(item: ast.Item) -> exp.Identifier | None:
    """A FROM item's alias or name, by which columns are qualified."""
    alias = item.args.get("alias") or (item.this if isinstance(item.this, exp.Identifier) else None)
    return alias.copy() if alias is not None else None


def window_table(call: exp.Expr, others: Sequence[exp.Expr]) -> ast.WindowTable:
    """The window table that a call in GROUP BY means, without its stream; `others` are the other keys."""
    kind, parts = MEANINGS[call.name.upper()]
    stamp, *lengths = call.expressions
    if not isinstance(stamp, exp.Column):
        raise AnalysisError(f"{call.name} takes the timestamp's column first", place_of(stamp) or place_of(call))
    if len(lengths) > len(parts):
        raise AnalysisError(f"{call.name} takes at most {len(parts) + 1} arguments", place_of(call))
    table = ast.WindowTable(kind=kind, column=exp.Column(this=stamp.this.copy()))
    table.args["column"].meta.update(stamp.meta)
    table.meta.update(call.meta)
    for part, length in zip(parts, lengths, strict=False):
        table.set(part, length_of(length, call))
    if kind == "HOP" and table.args.get("slide") is None:
        table.set("kind", "TUMBLE")  # Spark's window() without a slide
    if table.args.get("size") is None:
        raise AnalysisError(f"{call.name} needs a length", place_of(call))
    if kind == "SESSION":
        for other in others:
            if not isinstance(other, exp.Column):
                raise AnalysisError(
                    "sessions are per key, and the other keys of GROUP BY must be columns",
                    place_of(other) or place_of(call),
                    "compute it in a subquery in FROM",
                )
        table.set("partition", [exp.Column(this=other.this.copy()) for other in others] or None)
    return table


def length_of(node: exp.Expr, call: exp.Expr) -> ast.Duration:
    """A length of time that is written as an expression: an interval, a text such as '1 minute', or ticks."""
    place = place_of(node) or place_of(call)
    amount: str | None = None
    unit: str | None = None
    if isinstance(node, exp.Interval):
        amount, unit = str(node.this.this), str(node.args["unit"].this)
    elif isinstance(node, exp.Literal) and node.is_string:
        found = INTERVAL.fullmatch(str(node.this))
        amount, unit = (f"{found[1]}{found[2]}", found[3]) if found else (None, None)
    elif isinstance(node, exp.Literal):
        amount = str(node.this)
    if amount is None or not amount.replace(".", "", 1).isdigit():
        raise AnalysisError(f"{call.name} takes lengths of time", place, "write INTERVAL '1' MINUTE or '1 minute'")
    if unit is not None:
        unit = SHORT_UNITS.get(unit.upper()) or unit.upper().removesuffix("S")
        if unit not in UNITS:
            raise AnalysisError(f"{unit.lower()} is no unit of a window's length", place, "use DAYS or a shorter unit")
    made = ast.Duration(this=plain_number(amount), unit=unit)
    made.meta.update(node.meta or call.meta)
    return made


# References -----------------------------------------------------------------------------------------------


def replace_in_place(node: ast.Select, meaning: Callable[[exp.Expr], exp.Expr | None]) -> None:
    """Replace what stands for a window's start or end in a SELECT, but not in its subqueries."""
    found = [
        (part, new)
        for part in node.find_all(exp.Anonymous, exp.Column)
        if part.find_ancestor(ast.Select) is node and (new := meaning(part)) is not None
    ]
    for part, new in found:
        new.meta.update(part.meta)
        is_item = part.parent is node and part.arg_key == "expressions"
        if is_item and isinstance(part, exp.Column):
            new = exp.Alias(this=new, alias=exp.to_identifier(part.name))
            new.meta.update(part.meta)
        part.replace(new)


def meaning_of(part: exp.Expr, called: str) -> exp.Expr | None:
    """What an expression means beside GROUP BY window(…) or TUMBLE(…); None if it is no part of a window."""
    name = part.name.upper()
    if isinstance(part, exp.Anonymous):
        word, _, end = name.rpartition("_")
        return column(ENDS[end]) if called in FLINK and word == called and end in ENDS else None
    if isinstance(part, exp.Column) and called in SPARK and part.table.upper() == called and name in ENDS:
        return column(ENDS[name])
    return None


def column(name: str) -> exp.Column:
    return exp.Column(this=exp.to_identifier(name))
