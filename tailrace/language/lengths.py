"""Lengths: the grammar of lengths of time and of numbers of tuples, as windows and sources have them."""

from __future__ import annotations

import re
from typing import NoReturn

from sqlglot.tokens import Token, TokenType

from tailrace.language import nodes
from tailrace.language.cursor import Cursor
from tailrace.language.tokens import is_word

UNITS = ("MILLISECOND", "SECOND", "MINUTE", "HOUR", "DAY", "WEEK", "TUPLE")
CALENDAR_UNITS = ("MONTH", "QUARTER", "YEAR")
SHORT_UNITS = {
    "MS": "MILLISECOND",
    "S": "SECOND",
    "SEC": "SECOND",
    "SECS": "SECOND",
    "M": "MINUTE",
    "MIN": "MINUTE",
    "MINS": "MINUTE",
    "H": "HOUR",
    "HR": "HOUR",
    "HRS": "HOUR",
    "D": "DAY",
}
# Words that may follow a bare number of ticks, and so are not taken for its unit.
AFTER_TICKS = (
    "SLIDE",
    "EVERY",
    "PARTITIONED",
    "USING",
    "OPTIONS",
    "TIMESTAMP",
    "HEARTBEAT",
    "IDLE",
    "OP",
    "KEY",
    "OFFSET",
)
# An interval in quotes: '10', '10 seconds', '1.5h'.
INTERVAL = re.compile(r"\s*(-?)\s*(\d{1,38}(?:\.\d{1,38})?)\s*([A-Za-z]*)\s*")


class LengthGrammar(Cursor):
    """A number with a unit, as in `10 SECONDS`, `INTERVAL '10' SECOND` or `'10 seconds'`; a number of tuples."""

    def duration(self, word: str) -> nodes.Duration:
        """A number with a unit, or an interval; without a unit, a number of ticks."""
        start = self._curr
        if self.take_word("INTERVAL") or self.at(TokenType.STRING):
            return self.interval_length(word, start)
        number = self.size(word)
        unit = None
        if is_word(self._curr) and self._curr.text.upper() not in AFTER_TICKS:
            unit = self.unit()
        return self.mark(start, nodes.Duration(this=number, unit=unit))

    def interval_length(self, word: str, start: Token) -> nodes.Duration:
        """An interval behind INTERVAL or in quotes: '10' SECOND, '10 seconds', 10 SECONDS."""
        if not self.at(TokenType.STRING):
            number, unit = self.size(word), self.unit()
        else:
            found = INTERVAL.fullmatch(self._curr.text)
            if found is None:
                self.fail_interval(start)
            sign, written, name = found.groups()
            if sign:
                self.fail(f"{word} cannot be negative")
            number = plain_number(written)
            quoted = self._curr
            self._advance()
            if name:
                unit = self.unit_called(name, quoted)
            elif is_word(self._curr):
                unit = self.unit()
            else:
                self.fail_interval(start)
        if self.at_word("TO"):
            self.fail("an interval here has one unit", hint="write 90 MINUTES for 1 hour and 30 minutes")
        return self.mark(start, nodes.Duration(this=number, unit=unit))

    def fail_interval(self, start: Token) -> NoReturn:
        self.fail("an interval is a number and a unit", start, hint="write INTERVAL '10' SECOND or 10 SECONDS")

    def unit(self) -> str:
        unit = self.unit_called(self._curr.text, None)
        self._advance()
        return unit

    def unit_called(self, written: str, quoted: Token | None) -> str:
        """The unit that a word names, perhaps a short one; `quoted` is the text in which the word stands."""
        word = written.upper()
        unit = SHORT_UNITS.get(word) or word.removesuffix("S")
        if unit in CALENDAR_UNITS:
            self.fail(f"a {unit.lower()} has no fixed length", quoted, hint="use DAYS")
        if unit not in UNITS:
            if quoted is not None:
                self.fail(f"{written} is no unit of time", quoted, hint="SECONDS, MINUTES, HOURS, DAYS …")
            self.fail_expected("a unit of time or TUPLES", (*UNITS, *(f"{u}S" for u in UNITS)))
        return unit

    def count(self, word: str) -> nodes.Duration:
        """A number of tuples."""
        start = self._curr
        number = self.size(word)
        if not number.isdigit():
            self.fail(f"{word} takes a whole number", start)
        return self.mark(start, nodes.Duration(this=number))

    def size(self, word: str) -> str:
        """A number as written in windows: 50,000 is fifty thousand."""
        if self.at(TokenType.DASH):
            self.fail(f"{word} cannot be negative")
        if not self.at(TokenType.NUMBER):
            self.fail_expected(f"a number after {word}", ["UNBOUNDED"])
        self.refuse_long_number()
        text = self._curr.text
        self._advance()
        while self.thousands_ahead():
            text += self._next.text
            self._advance(2)
        if "e" in text.lower():
            self.fail(f"{word} takes a plain number", self._prev)
        return plain_number(text)

    def thousands_ahead(self) -> bool:
        """Whether a comma and three digits follow the number with no space between."""
        comma, digits = self._curr, self._next
        return (
            comma.token_type == TokenType.COMMA
            and digits.token_type == TokenType.NUMBER
            and len(digits.text) == 3
            and digits.text.isdigit()
            and self._prev.end + 1 == comma.start == digits.start - 1
        )


def plain_number(text: str) -> str:
    """A number without zeros that say nothing.

    >>> plain_number("007"), plain_number("1.50"), plain_number("2.0")
    ('7', '1.5', '2')
    """
    return text.rstrip("0").rstrip(".") if "." in text else str(int(text))
