"""Templates: the text that queries share when they differ only in the constants they compare with.

A template is the text with a mark in place of each such constant, and of each `<`, `<=`, `>` or `>=` before one. A mark
names the constant's kind. A small lexer finds them; the text is not parsed, which would cost a hundred times as much.

>>> tokens = TOKEN.findall("SELECT a FROM S WHERE a >= 3 AND b = 'x'")
>>> lift_constants(tokens), "".join(tokens).replace(MARK, "#")
(['>=', '3', '', "'x'"], 'SELECT a FROM S WHERE a #sign #int AND b = #text')
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from sqlglot import exp

from tailrace.language import nodes

MARK = "\0"
QUOTED = r"[rR]?'[^']*'|--[^\n]*"
STATEMENT = re.compile(rf"(?:[^;'-]+|{QUOTED}|-)*")
TOKEN = re.compile(rf"{QUOTED}|-?\w[\w.]*|\s+|-?[<>=!]+|.", re.ASCII | re.DOTALL)

RANGES = {"<", "<=", ">", ">="}
BETWEEN, AND = {"BETWEEN", "between"}, {"AND", "and"}
BEFORE_CONSTANTS = RANGES | BETWEEN | AND | {"=", "==", "<>", "!="}
COMPARISONS = (exp.EQ, exp.NEQ, exp.LT, exp.LTE, exp.GT, exp.GTE, exp.Between)
# A number of at most nine digits is always an INT.
NUMBER = re.compile(r"-?(?=\d)0*(\d{0,9})(?:\.(\d{1,9}))?", re.ASCII)


def is_plain(text: str) -> bool:
    """Whether the lexer can read a text: all its texts are in single quotes, and all comments begin with `--`."""
    return not any(sign in text for sign in ('"', "`", "\\", "/*", MARK))


def cut_statements(text: str) -> list[slice] | None:
    """Cut a text at its semicolons; None if only the tokenizer can tell where they are.

    >>> cut_statements("SHOW STREAMS; SHOW VIEWS -- all;")
    [slice(0, 12, None), slice(13, 32, None)]
    """
    if not is_plain(text):
        return None
    parts, first = [], 0
    while first < len(text):
        found = STATEMENT.match(text, first)
        assert found is not None
        if found.end() < len(text) and text[found.end()] != ";":
            return None  # a quote does not end
        parts.append(slice(first, found.end()))
        first = found.end() + 1
    return parts


def lift_constants(tokens: list[str]) -> list[str]:
    """Put marks in place of the compared constants among the tokens of a query, and of range signs before them.

    Returns what the marks replaced: for each constant its sign, or an empty text if the template keeps the sign, and
    the constant.
    """
    values: list[str] = []
    in_between = False
    tokens += ("", "", "")
    for at, token in enumerate(tokens):
        if token not in BEFORE_CONSTANTS or (token in AND and not in_between):
            continue
        in_between = token in BETWEEN or (in_between and token not in AND)
        place = at + 2 if tokens[at + 1].isspace() else at + 1
        constant, mark = tokens[place], mark_of(tokens[place])
        if mark is None or tokens[place + 1][:1] == "'":  # 'it''s' is one text
            continue
        tokens[place] = mark
        values += (token if token in RANGES else "", constant)
        if token in RANGES:
            tokens[at] = f"{MARK}sign"
    return values


def mark_of(token: str) -> str | None:
    """The mark for a constant: its kind and, for a decimal, the numbers of digits, on which its type depends."""
    if token[:1] == "'":
        return None if "\n" in token or "'" in token[1:-1] else f"{MARK}text"
    found = NUMBER.fullmatch(token)
    if found is None:
        return None
    whole, fraction = found.groups()
    return f"{MARK}{len(whole)}.{len(fraction)}" if fraction else f"{MARK}int"


def put_parameters(query: nodes.QueryNode, values: Sequence[str]) -> bool:
    """Replace the lifted constants in the tree of a query by parameters; False if the tree shows other constants.

    No text is parsed into a parameter, and it has no text. Inside it is the constant of this query, of which only the
    type counts. A comparison whose sign is lifted is written with `<`.
    """
    places = [node for node in query.find_all(exp.Literal, exp.Neg) if is_compared(node)]
    places.sort(key=lambda node: node.meta["start"])
    if [constant_text(node) for node in places] != list(values[1::2]):
        return False
    for number, (node, sign) in enumerate(zip(places, values[::2], strict=True)):
        above = node.parent
        node.replace(exp.Parameter(this=node.copy(), number=number, has_sign=bool(sign)))
        if sign and above:
            above.replace(exp.LT(this=above.this, expression=above.expression))
    return True


def is_compared(node: exp.Expr) -> bool:
    """Whether a node is a constant that can be lifted, and the right side of a comparison or an end of BETWEEN."""
    beside = isinstance(node.parent, COMPARISONS) and node.arg_key != "this"
    return beside and mark_of(constant_text(node)) is not None


def constant_text(node: exp.Expr) -> str:
    """A constant as it is written in a text; an empty text for any other node."""
    if isinstance(node, exp.Neg):
        return f"-{constant_text(node.this)}"
    quote = "'" if node.args.get("is_string") else ""
    return f"{quote}{node.this}{quote}" if isinstance(node, exp.Literal) else ""
