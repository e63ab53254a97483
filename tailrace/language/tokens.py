"""Tokens: CQL's tokenizer, and the words that cannot be names.

Only operators are keywords of the tokenizer: a word is a word, and the grammar decides by its place what it
means. So `Open`, `User` or `Timestamp` can name streams and columns, as the papers' examples do.
"""

from __future__ import annotations

import re
import sys
from typing import ClassVar

from sqlglot import tokens
from sqlglot.tokens import Token, TokenType

OPERATORS = {
    "||": TokenType.DPIPE,
    ">=": TokenType.GTE,
    "<=": TokenType.LTE,
    "<>": TokenType.NEQ,
    "!=": TokenType.NEQ,
    "==": TokenType.EQ,
    "<=>": TokenType.NULLSAFE_EQ,
    "->": TokenType.ARROW,
    "::": TokenType.DCOLON,
}

SYSTEM = "tailrace"  # the prefix of system streams, as in tailrace.batches
RESERVED = frozenset(
    """
    ALL AND AS BETWEEN BY CASE CREATE CROSS DISTINCT DROP ELSE END EXCEPT EXISTS FROM FULL GROUP HAVING IN INNER
    INTERSECT INTO IS JOIN LEFT LIKE LIMIT MINUS NATURAL NOT NULL OFFSET ON OR ORDER OUTER RIGHT SELECT THEN UNION
    USING WHEN WHERE WITH
    """.split()
)


class Tokenizer(tokens.Tokenizer):
    """Spark's quoting: backticks around names, ' or \" around texts. A doubled quote stands for a quote in a text."""

    QUOTES: ClassVar = ["'", '"']
    RAW_STRINGS: ClassVar = [(prefix + quote, quote) for prefix in "rR" for quote in "'\""]
    STRING_ESCAPES_ALLOWED_IN_RAW_STRINGS = False
    IDENTIFIERS: ClassVar = ["`"]
    STRING_ESCAPES: ClassVar = ["'", '"', "\\"]
    COMMENTS: ClassVar = ["--", ("/*", "*/")]
    KEYWORDS: ClassVar = OPERATORS
    COMMANDS: ClassVar = set()
    VAR_SINGLE_TOKENS: ClassVar = set()


ESCAPED = re.compile(r"\\(?:u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([01][0-7]{2})|(.))|(['\"])\5", re.DOTALL)
ESCAPES = {"0": "\0", "b": "\b", "n": "\n", "r": "\r", "t": "\t", "Z": "\x1a", "%": "\\%", "_": "\\_"}


def read_text(written: str) -> str:
    r"""The text that a literal denotes, by Spark's escapes; `''` inside quotes is one quote, r'…' has no escapes.

    >>> read_text(r"'\101\tit''s \u0026 50\%'"), read_text(r"r'\d'")
    ("A\tit's & 50\\%", '\\d')
    """
    if written[0] in "rR":
        return written[2:-1]
    quote, inside = written[0], written[1:-1]

    def read(found: re.Match[str]) -> str:
        short, long, octal, sign, doubled = found.groups()
        if doubled:
            return doubled if doubled == quote else found.group()
        if sign:
            return ESCAPES.get(sign, sign)
        return _character(int(octal, 8) if octal else int(short or long, 16))

    # Two surrogates that were escaped one by one become the one character they stand for.
    return ESCAPED.sub(read, inside).encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _character(code: int) -> str:
    return chr(code) if code <= sys.maxunicode else "\ufffd"


def is_word(token: Token) -> bool:
    return token.token_type == TokenType.VAR


def is_name(token: Token) -> bool:
    """Whether a token can name something: a quoted identifier, or a word that is not reserved."""
    if token.token_type == TokenType.IDENTIFIER:
        return True
    return is_word(token) and token.text.upper() not in RESERVED
