"""Literals: the grammar of numbers, dates and intervals."""

from __future__ import annotations

import re

from sqlglot import exp
from sqlglot.tokens import TokenType

from tailrace import types
from tailrace.language import nodes
from tailrace.language.tokens import is_name, is_word
from tailrace.language.typenames import TypeNames

NUMBER_SUFFIXES = {
    "L": types.BIGINT,
    "S": types.SMALLINT,
    "Y": types.TINYINT,
    "D": types.DOUBLE,
    "F": types.FLOAT,
}
NUMBER = re.compile(r"(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?")
AMOUNT = re.compile(r"-?\d{1,18}(\.\d{1,9})?")


class LiteralGrammar(TypeNames):
    """Constants that are more than one token, or need a look at their text."""

    def text(self) -> exp.Expr:
        token = self._curr
        self.expect(TokenType.STRING, "a text")
        return self.mark(token, exp.Literal.string(token.text))

    def number(self) -> exp.Expr:
        token = self._curr
        if not NUMBER.fullmatch(token.text):
            self.fail(f"{token.text} is not a number")
        self.refuse_long_number()
        self._advance()
        literal: exp.Expr = self.mark(token, exp.Literal.number(token.text))
        suffix = self._curr
        if is_word(suffix) and suffix.start == token.end + 1:
            type = NUMBER_SUFFIXES.get(suffix.text.upper())
            if type is None:
                self.fail(f"a number followed by {suffix.text}")
            self._advance()
            literal = self.mark(token, exp.Cast(this=literal, to=nodes.TypeName(this=type)))
        return literal

    def typed_literal(self) -> exp.Expr:
        """DATE '2024-02-29'."""
        token = self._curr
        self._advance()
        type = types.Type(token.text.upper().replace("TIMESTAMP_LTZ", "TIMESTAMP"))
        return self.mark(token, exp.Cast(this=self.text(), to=nodes.TypeName(this=type)))

    def interval(self) -> exp.Expr:
        """INTERVAL '3' DAY, INTERVAL 3 DAYS."""
        token = self._curr
        self._advance()
        negative = self.take(TokenType.DASH)
        amount = self._curr.text.strip()
        with_unit = self.at(TokenType.STRING) and " " in amount
        self._advance()
        if is_word(self._curr) and is_name(self._curr) and not with_unit:
            unit = self._curr.text.upper()
            self._advance()
        else:
            amount, _, unit = amount.rpartition(" ")
        if not AMOUNT.fullmatch(amount) or not unit.isalpha():
            self.fail("an interval is a number and a unit", token, hint="write INTERVAL 3 DAYS")
        value = exp.Literal.string(f"-{amount}" if negative else amount)
        return self.mark(token, exp.Interval(this=value, unit=exp.Var(this=unit.upper().rstrip("S"))))
