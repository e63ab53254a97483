"""Tokens: CQL's tokenizer, and the words that cannot be names.

Only operators are keywords of the tokenizer: a word is a word, and the grammar decides by its place what it
means. So `Open`, `User` or `Timestamp` can name streams and columns, as the papers' examples do.
"""

from __future__ import annotations

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

SYSTEM = "tailrace"  # what the names of the system's own streams begin with
RESERVED = frozenset(
    """
    ALL AND AS BETWEEN BY CASE CREATE CROSS DISTINCT DROP ELSE END EXCEPT EXISTS FROM FULL GROUP HAVING IN INNER
    INTERSECT INTO IS JOIN LEFT LIKE LIMIT MINUS NATURAL NOT NULL OFFSET ON OR ORDER OUTER RIGHT SELECT THEN UNION
    USING WHEN WHERE WITH
    """.split()
)


class Tokenizer(tokens.Tokenizer):
    """Spark's quoting (backticks around names, ' or \" around text), with '' for a quote inside a text as well."""

    QUOTES: ClassVar = ["'", '"']
    IDENTIFIERS: ClassVar = ["`"]
    STRING_ESCAPES: ClassVar = ["'", '"', "\\"]
    COMMENTS: ClassVar = ["--", ("/*", "*/")]
    KEYWORDS: ClassVar = OPERATORS
    COMMANDS: ClassVar = set()
    VAR_SINGLE_TOKENS: ClassVar = set()


def is_word(token: Token) -> bool:
    return token.token_type == TokenType.VAR


def is_name(token: Token) -> bool:
    """Whether a token can name something: a quoted identifier, or a word that is not reserved."""
    if token.token_type == TokenType.IDENTIFIER:
        return True
    return is_word(token) and token.text.upper() not in RESERVED
