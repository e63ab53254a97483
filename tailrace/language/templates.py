"""Templates: the text that queries share when they differ only in the constants they compare with.

A template is the text with a mark in place of each such constant, and of each `<`, `<=`, `>` or `>=` before one. A mark
names the constant's kind. A small lexer finds them; the text is not parsed, which would cost a hundred times as much.

>>> tokens = TOKEN.findall("SELECT a FROM S WHERE a >= 3 AND b = 'x'")
>>> lift_constants(tokens), "".join(tokens).replace(MARK, "#")
(['>=', '3', '', "'x'"], 'SELECT a FROM S WHERE a #sign #int AND b = #text')
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from sqlglot import exp

from tailrace.errors import Source
from tailrace.language import nodes

MARK = "\0"
QUOTED = r"'[^']*'|--[^\n]*"
STATEMENT = re.compile(rf"(?:[^;'-]+|{QUOTED}|-)*")
TOKEN = re.compile(rf"{QUOTED}|-?\w[\w.]*|\s+|-?[<>=!]+|.", re.ASCII | re.DOTALL)

RANGES = {"<", "<=", ">", ">="}
RANGE_NODES = (exp.LT, exp.LTE, exp.GT, exp.GTE)
BETWEEN, AND = {"BETWEEN", "between"}, {"AND", "and"}
BEFORE_CONSTANTS = RANGES | BETWEEN | AND | {"=", "<>", "!="}
DIGITS = 9  # a number of at most nine digits is always an INT
DECIMAL = re.compile(rf"-?0*(\d{{0,{DIGITS}}})\.(\d{{1,{DIGITS}}})", re.ASCII)


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
        if token in BEFORE_CONSTANTS:
            if token in AND:
                if not in_between:
                    continue
                in_between = False
            elif token in BETWEEN:
                in_between = True
            place = at + 2 if tokens[at + 1].isspace() else at + 1
            constant = tokens[place]
            mark = mark_of(constant)
            if mark is None or tokens[place + 1][:1] == "'":
                continue
            tokens[place] = mark
            if token in RANGES:
                tokens[at] = f"{MARK}sign"
                values += (token, constant)
            else:
                values += ("", constant)
    return values


def mark_of(token: str) -> str | None:
    """The mark for a constant: its kind and, for a decimal, the numbers of digits, on which its type depends."""
    if token.isdigit():
        return f"{MARK}int" if len(token) <= DIGITS else None
    if token[:1] == "'":
        return None if "\n" in token else f"{MARK}text"
    if token[:1] == "-" and token[1:].isdigit():
        return f"{MARK}-int" if len(token) <= DIGITS + 1 else None
    found = DECIMAL.fullmatch(token)
    return f"{MARK}{token[0] == '-'}{len(found[1])}.{len(found[2])}" if found else None


def put_parameters(query: nodes.QueryNode, source: Source, part: slice) -> int:
    """Replace the lifted constants in the tree of a query, which is this part of a source, by parameters.

    Returns how many were lifted. Comparisons whose sign is lifted are written with `<`. A constant that is not the
    whole right side, as in `k > 3 + j`, stays as it is.
    """
    places = dict(constant_places(source.text[part], part.start))
    for node in list(query.find_all(exp.Literal, exp.Neg)):
        number, has_sign = places.get(span_of(node), (None, False))
        above = node.parent
        if number is None or above is None or (has_sign and not isinstance(above, RANGE_NODES)):
            continue
        node.replace(nodes.Parameter(this=node.copy(), number=number, has_sign=has_sign))
        if has_sign:
            above.replace(exp.LT(this=above.this, expression=above.expression))
    return len(places)


def span_of(node: exp.Expr) -> tuple[int, int]:
    return node.meta.get("start", -1), node.meta.get("end", -1)


def constant_places(text: str, start: int) -> Iterator[tuple[tuple[int, int], tuple[int, bool]]]:
    """From where to where each lifted constant of a text is, with its number and whether its sign is lifted too."""
    written = TOKEN.findall(text)
    marked = list(written)
    values = lift_constants(marked)
    number = 0
    for old, new in zip(written, marked, strict=False):
        if old is not new and old not in RANGES:
            yield (start, start + len(old)), (number, bool(values[2 * number]))
            number += 1
        start += len(old)
