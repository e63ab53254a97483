"""Literals: the grammar of numbers, texts, dates and intervals, and of the names of Spark SQL's types."""

from __future__ import annotations

import re

from sqlglot import exp
from sqlglot.tokens import TokenType

from tailrace import types
from tailrace.language import nodes
from tailrace.language.cursor import Cursor
from tailrace.language.dialects.type_synonyms import NOT_HERE, OTHER_NAMES, OTHER_TEXTS, ZONES
from tailrace.language.tokens import is_name, is_word
from tailrace.types import Type

SIMPLE = {
    "BOOLEAN": types.BOOLEAN,
    "TINYINT": types.TINYINT,
    "BYTE": types.TINYINT,
    "SMALLINT": types.SMALLINT,
    "SHORT": types.SMALLINT,
    "INT": types.INT,
    "INTEGER": types.INT,
    "BIGINT": types.BIGINT,
    "LONG": types.BIGINT,
    "FLOAT": types.FLOAT,
    "REAL": types.FLOAT,
    "DOUBLE": types.DOUBLE,
    "STRING": types.STRING,
    "TEXT": types.STRING,
    "BINARY": types.BINARY,
    "DATE": types.DATE,
    "TIMESTAMP": types.TIMESTAMP,
    "TIMESTAMP_LTZ": types.TIMESTAMP,
    "TIMESTAMP_NTZ": types.TIMESTAMP_NTZ,
    **OTHER_NAMES,
}
DECIMALS = ("DECIMAL", "DEC", "NUMERIC", "NUMBER")
TEXTS = ("VARCHAR", "CHAR", "CHARACTER", *OTHER_TEXTS)
WITH_PRECISION = ("TIMESTAMP", "TIMESTAMP_LTZ", "TIMESTAMP_NTZ", "DATETIME", "BINARY", "VARBINARY", "TIMESTAMPTZ")
KNOWN = (*SIMPLE, *DECIMALS, *TEXTS, "ARRAY", "MAP", "STRUCT")


class TypeNames(Cursor):
    """Names of types with their parameters, such as DECIMAL(8, 2) or MAP<STRING, INT>."""

    def type_name(self) -> nodes.TypeName:
        start = self._curr
        return self.mark(start, nodes.TypeName(this=self.type()))

    def type(self) -> Type:
        token, word = self._curr, self._curr.text.upper()
        if word in NOT_HERE:
            self.fail(f"there is no type {word}", hint=NOT_HERE[word])
        if word not in KNOWN:
            self.fail_expected("a type", KNOWN)
        self._advance()
        if word in SIMPLE:
            if word == "DOUBLE":
                self.take_word("PRECISION")
            if word in WITH_PRECISION:
                self.skip_precision()
            return SIMPLE[word]
        if word in DECIMALS:
            return self.decimal_parameters(types.decimal(38, 0) if word == "NUMBER" else types.decimal(10, 0))
        if word in TEXTS:
            self.take_word("VARYING")
            self.skip_length("length")
            return types.STRING
        if not self.take(TokenType.LT):
            self.fail_expected(f"< after {token.text.upper()}")
        found = self.parse_nested(lambda: self.element_types(word))
        self.expect(TokenType.GT, f"> at the end of {token.text.upper()}<…")
        return found

    def skip_precision(self) -> None:
        """Skip the digits and the zone of a time, and the length of a binary: all have the same type here."""
        self.skip_length("number of digits")
        for words in ZONES:
            if self.take_word(*words):
                return

    def skip_length(self, what: str) -> None:
        if self.take(TokenType.L_PAREN):
            self.whole_number(f"a {what}")
            self.expect(TokenType.R_PAREN, f") after the {what}")

    def decimal_parameters(self, without: Type) -> Type:
        """The type of a decimal with its precision and scale; `without` these, another."""
        if not self.take(TokenType.L_PAREN):
            return without
        start = self._curr
        precision = self.whole_number("a precision")
        scale = self.whole_number("a scale") if self.take(TokenType.COMMA) else 0
        self.expect(TokenType.R_PAREN, ") after the precision and scale")
        if not 1 <= precision <= types.MAX_PRECISION or scale > precision:
            self.fail("a DECIMAL has 1 to 38 digits, and at most that many after the point", start)
        return types.decimal(precision, scale)

    def element_types(self, word: str) -> Type:
        if word == "ARRAY":
            return types.array(self.type())
        if word == "MAP":
            key = self.type()
            self.expect(TokenType.COMMA, ", between the key's and the value's type")
            return types.map_of(key, self.type())
        return types.struct(*self.several(self.field))

    def field(self) -> tuple[str, Type]:
        name = self.name("a field's name").name
        self.take(TokenType.COLON)
        return name, self.type()

    def whole_number(self, what: str) -> int:
        token = self._curr
        if not self.at(TokenType.NUMBER) or not token.text.isdigit():
            self.fail_expected(what)
        self.refuse_long_number()
        self._advance()
        return int(token.text)


NUMBER_SUFFIXES = {
    "L": types.BIGINT,
    "S": types.SMALLINT,
    "Y": types.TINYINT,
    "D": types.DOUBLE,
    "F": types.FLOAT,
}
NUMBER = re.compile(r"(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?")
AMOUNT = re.compile(r"[+-]?\d{1,18}(\.\d{1,9})?")
AMOUNT_OF_FIELDS = re.compile(r"[+-]?[\d:. -]{1,40}")  # such as 1-2 of YEAR TO MONTH; analysis reads its fields
PART = re.compile(r"[+-]?[\d.]+\s+[a-zA-Z]+")
PARTS = re.compile(r"([+-]?[\d.]+\s+[a-zA-Z]+\s*)+")


class LiteralGrammar(TypeNames):
    """Constants of more than one token, such as DATE '2024-02-29', and those whose text must be checked."""

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
        """INTERVAL '3' DAY, INTERVAL 1 DAY 2 HOURS, INTERVAL '1 month 2 days', INTERVAL '1-2' YEAR TO MONTH.

        An interval of one unit has its amount as `this` and its unit as `unit`. One of several has all of them in
        `this`, as in '1 MONTH 2 DAY', and no unit. One with TO keeps its text, and its unit is, say, 'YEAR TO MONTH'.
        """
        token = self._curr
        self._advance()
        negative = self.take(TokenType.DASH)
        amount = self._curr.text.strip()
        self._advance()
        if any(char.isalpha() for char in amount):
            parts = [tuple(part.split()) for part in PART.findall(amount)] if PARTS.fullmatch(amount) else []
        elif is_word(self._curr) and is_name(self._curr):
            parts = [(amount, self.interval_unit())]
        else:
            parts = []
        while len(parts) == 1 and not negative and self.at_next_part():
            self._advance()
            parts.append((self._prev.text.strip(), self.interval_unit()))
        parts = [(count.removeprefix("+"), unit.upper().rstrip("S")) for count, unit in parts]
        amounts = AMOUNT if len(parts) != 1 or " TO " not in parts[0][1] else AMOUNT_OF_FIELDS
        if not parts or (negative and len(parts) > 1) or not all(amounts.fullmatch(count) for count, _ in parts):
            self.fail("an interval is a number and a unit", token, hint="write INTERVAL 3 DAYS")
        if len(parts) > 1:
            return self.mark(token, exp.Interval(this=exp.Literal.string(" ".join(map(" ".join, parts)))))
        (count, unit), *_ = parts
        count = (count[1:] if count.startswith("-") else f"-{count}") if negative else count
        return self.mark(token, exp.Interval(this=exp.Literal.string(count), unit=exp.Var(this=unit)))

    def refuse_computed_interval(self) -> None:
        """Fail at INTERVAL x DAYS with a column x; INTERVAL may also be a column's name."""
        amount, unit = self._next, next(iter(self._tokens[self._index + 2 : self._index + 3]), None)
        if unit and is_name(amount) and unit.text.upper().rstrip("S") in (*types.MICROSECONDS, *types.MONTHS_OF):
            hint = f"write {amount.text} * INTERVAL '1' {unit.text.upper().rstrip('S')}"
            self.fail("the number of an interval is a constant", amount, hint)

    def interval_unit(self) -> str:
        """DAY, DAYS, DAY (3) or DAY TO SECOND; the number of digits that the standard allows for says nothing here."""
        unit = self._curr.text.upper()
        self._advance()
        if self.take(TokenType.L_PAREN):
            self.whole_number("a number of digits")
            self.expect(TokenType.R_PAREN, ") after the number of digits")
        if self.take_word("TO"):
            unit = f"{unit.rstrip('S')} TO {self._curr.text.upper()}"
            self._advance()
        return unit

    def at_next_part(self) -> bool:
        """Whether a further amount of an interval with its unit is next, as in INTERVAL 1 DAY 2 HOURS."""
        is_unit = is_word(self._next) and self._next.text.upper().rstrip("S") in (*types.MICROSECONDS, *types.MONTHS_OF)
        return is_unit and (self.at(TokenType.NUMBER) or self.at(TokenType.STRING))
