"""Templates: the text that queries share when they differ only in the constants they compare with.

A template is the text with a mark in place of each such constant, and of each `<`, `<=`, `>` or `>=` before
one. A mark names the constant's kind. One regular expression finds them: the text is not parsed.

>>> text = split_template("SELECT a FROM S WHERE a >= 3 AND b = 'x'")
>>> text.values, text.key.replace(MARK, "#")
(('>=', '3', "'x'"), 'SELECT a FROM S WHERE a #sign# #int# AND b = #text#')
>>> fill_template(text.key, ("<", "5", "'y'"))
"SELECT a FROM S WHERE a < 5 AND b = 'y'"
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

MARK = "\0"
RANGES = ("<", "<=", ">", ">=")
DIGITS = 9  # a number of at most nine digits is always an INT
LITERAL = rf"'[^'\"\\\0\n]*'|-?\d{{1,{DIGITS}}}(?:\.\d{{1,{DIGITS}}})?(?![\w.])"
LIFTED = re.compile(
    rf"(?<![<>=!|:&^~-])(?P<sign><=|>=|<>|!=|<|>|=)(?P<gap>\s*)(?P<right>{LITERAL})(?!')"
    rf"|(?P<between>\bBETWEEN\s+)(?P<low>{LITERAL})(?P<and>\s+AND\s+)(?P<high>{LITERAL})(?!')",
    re.IGNORECASE,
)
MARKED = re.compile(f"{MARK}([^{MARK}]*){MARK}")

Values = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TemplateText:
    """A query's text, split: `key` is the template, `values` are the constants and signs in place of its marks."""

    key: str
    values: Values


def split_template(text: str) -> TemplateText | None:
    """Split a query's text into its template and its values; None if it compares nothing with a constant."""
    values: list[str] = []

    def lift(found: re.Match[str]) -> str:
        sign, gap, right, between, low, word, high = found.groups()
        if between:
            values.extend((low, high))
            return f"{between}{mark(low)}{word}{mark(high)}"
        if sign not in RANGES:
            values.append(right)
            return f"{sign}{gap}{mark(right)}"
        values.extend((sign, right))
        return f"{SIGN} {mark(right)}"

    key = LIFTED.sub(lift, text)
    return TemplateText(key, tuple(values)) if values and key.count(MARK) == 2 * len(values) else None


def mark(literal: str) -> str:
    """The mark for a constant: its kind and, for a decimal, the numbers of digits, on which its type depends."""
    if literal.isdigit():
        return INT
    if literal[0] == "'":
        return TEXT
    whole, _, fraction = literal.lstrip("-").partition(".")
    return f"{MARK}{len(whole.lstrip('0'))}.{len(fraction)}{MARK}" if fraction else INT


SIGN, INT, TEXT = f"{MARK}sign{MARK}", f"{MARK}int{MARK}", f"{MARK}text{MARK}"


def fill_template(key: str, values: Sequence[str]) -> str:
    """The text of a query: a template with these values in place of its marks."""
    rest = iter(values)
    return MARKED.sub(lambda _: next(rest), key)


def sample_values(key: str) -> tuple[Values, Values] | None:
    """Two lists of sample values for a template, as different from each other as possible.

    None if a decimal of the template has too few digits for two values that nothing else in the template equals.

    >>> sample_values(split_template("a < 1 AND b = 2.5").key)
    (('<', '987654320', '9.6'), ('>=', '-2', '-1.3'))
    """
    one, other = [], []
    for place, kind in enumerate(MARKED.findall(key), 1):
        if kind == "sign":
            pair = "<", ">="
        elif kind == "int":
            pair = str(987654322 - place), str(-place)
        elif kind == "text":
            pair = f"'the sample {place}'", f"'{place}'"
        else:
            whole, fraction = map(int, kind.split("."))
            most, least = 10 ** (whole + fraction), 10 ** (whole + fraction - 1) if whole else 0
            if most - least <= 2 * place:
                return None
            pair = decimal_text(most - 1 - place, fraction), f"-{decimal_text(least + place, fraction)}"
        one.append(pair[0])
        other.append(pair[1])
    return tuple(one), tuple(other)


def decimal_text(digits: int, fraction: int) -> str:
    whole, rest = divmod(digits, 10**fraction)
    return f"{whole}.{rest:0{fraction}}"
