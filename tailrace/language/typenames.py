"""Typenames: the grammar of Spark SQL's types."""

from __future__ import annotations

from sqlglot.tokens import TokenType

from tailrace import types
from tailrace.language import nodes
from tailrace.language.cursor import Cursor
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
}
DECIMALS = ("DECIMAL", "DEC", "NUMERIC")
TEXTS = ("VARCHAR", "CHAR", "CHARACTER")
KNOWN = (*SIMPLE, *DECIMALS, *TEXTS, "ARRAY", "MAP", "STRUCT")


class TypeNames(Cursor):
    """A type's name with its parameters."""

    def type_name(self) -> nodes.TypeName:
        start = self._curr
        return self.mark(start, nodes.TypeName(this=self.type()))

    def type(self) -> Type:
        token, word = self._curr, self._curr.text.upper()
        if word not in KNOWN:
            self.fail_expected("a type", KNOWN)
        self._advance()
        if word in SIMPLE:
            return SIMPLE[word]
        if word in DECIMALS:
            return self.decimal_parameters()
        if word in TEXTS:
            if self.take(TokenType.L_PAREN):
                self.whole_number("a length")
                self.expect(TokenType.R_PAREN, ") after the length")
            return types.STRING
        if not self.take(TokenType.LT):
            self.fail_expected(f"< after {token.text.upper()}")
        found = self.nested(lambda: self.element_types(word))
        self.expect(TokenType.GT, f"> at the end of {token.text.upper()}<…")
        return found

    def decimal_parameters(self) -> Type:
        if not self.take(TokenType.L_PAREN):
            return types.decimal(10, 0)
        start = self._curr
        precision = self.whole_number("a precision")
        scale = self.whole_number("a scale") if self.take(TokenType.COMMA) else 0
        self.expect(TokenType.R_PAREN, ") after the precision and scale")
        if not 1 <= precision <= types.MAX_PRECISION or scale > precision:
            self.fail("a DECIMAL has 1 to 38 digits, and no more of them after the point than in all", start)
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
