"""Blocks: BEGIN … END around the statements of one change.

The statements of a text take effect together or not at all, with or without a block. In the shell, where each
statement is a text of its own, a block makes one text of several.

>>> texts = ["BEGIN", "BEGIN STATEMENT SET", "begin create view v as", "EXECUTE STATEMENT SET BEGIN", "END", "COMMIT"]
>>> [(opens_block(text), closes_block(text)) for text in texts]
[(True, False), (True, False), (True, False), (True, False), (False, True), (False, True)]
"""

from __future__ import annotations

import re

from sqlglot.tokens import Token

from tailrace.errors import ParseError, TextSpan

BEFORE = r"(?:\s|--[^\n]*\n|/\*.*?\*/)*"
OPENS = re.compile(rf"{BEFORE}(?:EXECUTE\s+STATEMENT\s+SET\s+)?BEGIN\b", re.IGNORECASE | re.DOTALL)
CLOSES = re.compile(rf"{BEFORE}(?:END|COMMIT)\b", re.IGNORECASE | re.DOTALL)
BEGINS = (
    ("EXECUTE", "STATEMENT", "SET", "BEGIN"),
    ("BEGIN", "STATEMENT", "SET"),
    ("BEGIN", "TRANSACTION"),
    ("BEGIN", "WORK"),
    ("BEGIN",),
)
ENDS = (("END",), ("COMMIT",), ("END", "TRANSACTION"), ("COMMIT", "TRANSACTION"), ("COMMIT", "WORK"))


def opens_block(text: str) -> bool:
    """Whether a statement's text opens a block."""
    return OPENS.match(text) is not None


def closes_block(text: str) -> bool:
    """Whether a statement's text closes a block."""
    return CLOSES.match(text) is not None


class BlockReader:
    """Takes BEGIN and END out of a script, and finds those without each other."""

    def __init__(self) -> None:
        self.opened: Token | None = None

    def take(self, tokens: list[Token]) -> list[Token]:
        """The tokens of a statement without the BEGIN before it; none if it is BEGIN or END alone."""
        words = tuple(token.text.upper() for token in tokens[:4])
        if words in ENDS:
            if self.opened is None:
                raise block_error(f"{words[0]} without a BEGIN", tokens[0])
            self.opened = None
            return []
        found = next((each for each in BEGINS if words[: len(each)] == each), None)
        if found is None:
            return tokens
        if self.opened is not None:
            raise block_error("BEGIN inside a BEGIN", tokens[0])
        self.opened = tokens[0]
        return tokens[len(found) :]

    def problem_at_end(self) -> ParseError | None:
        """The problem of a block that does not end."""
        return (
            block_error("BEGIN without an END", self.opened, "END; behind the last statement") if self.opened else None
        )


def block_error(message: str, token: Token, hint: str | None = None) -> ParseError:
    return ParseError(message, TextSpan(token.start, token.end + 1), hint)
