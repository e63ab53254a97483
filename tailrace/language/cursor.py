"""Cursor: walks a statement's tokens, gives nodes their place in the text, and reports what was expected instead."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NoReturn, TypeVar

from sqlglot import exp, parser
from sqlglot.tokens import Token, TokenType

from tailrace.errors import ParseError, TextSpan, did_you_mean
from tailrace.language.dialects.foreign_words import clause_at
from tailrace.language.tokens import RESERVED, is_name, is_word

E = TypeVar("E", bound=exp.Expr)
T = TypeVar("T")

# A deeper tree could not be walked recursively; no sensible script comes near this depth.
MAX_DEPTH = 100
MAX_DIGITS = 38
OFTEN_NAMES = ("ORDER", "GROUP", "OFFSET", "LIMIT", "END", "LEFT", "RIGHT", "FULL")  # reserved words


class Cursor(parser.Parser):
    """The base of all parts of the grammar: look at the next tokens, take them, or fail. sqlglot holds the tokens."""

    depth = 0

    # Looking ------------------------------------------------------------------------------------------

    def at_word(self, *words: str) -> bool:
        """Whether the next tokens are these words."""
        tokens = self._tokens[self._index : self._index + len(words)]
        return [t.text.upper() if is_word(t) else "" for t in tokens] == list(words)

    def at(self, token_type: TokenType) -> bool:
        return bool(self._curr.token_type == token_type)

    def at_name(self) -> bool:
        return is_name(self._curr)

    def at_end(self) -> bool:
        return not self._curr

    # Taking -------------------------------------------------------------------------------------------

    def take_word(self, *words: str) -> bool:
        """Step over these words if they are next, and tell whether they were."""
        if self.at_word(*words):
            self._advance(len(words))
            return True
        return False

    def take(self, token_type: TokenType) -> bool:
        return bool(self._match(token_type))

    def expect_word(self, word: str, context: str) -> None:
        if not self.take_word(word):
            self.fail_expected(f"{word} {context}", [word])

    def expect(self, token_type: TokenType, what: str) -> None:
        if not self.take(token_type):
            self.fail_expected(what)

    def name(self, what: str) -> exp.Identifier:
        """A name, quoted or not."""
        token = self._curr
        if not is_name(token):
            if is_word(token):
                self.fail(
                    f"{token.text.upper()} is a reserved word and cannot be {what}",
                    hint=f"put it in backticks: `{token.text}`",
                )
            self.fail_expected(what)
        if not token.text:
            self.fail("a name cannot be empty")
        self._advance()
        return self.mark(token, exp.Identifier(this=token.text, quoted=token.token_type == TokenType.IDENTIFIER))

    def names(self, what: str) -> list[exp.Identifier]:
        return self.several(lambda: self.name(what))

    def several(self, one: Callable[[], T]) -> list[T]:
        """What `one` parses, once or more often, separated by commas."""
        found = [one()]
        while self.take(TokenType.COMMA):
            found.append(one())
        return found

    def in_parens(self, inside: Callable[[], T], what: str) -> T:
        self.expect(TokenType.L_PAREN, f"( {what}")
        found = inside()
        self.expect(TokenType.R_PAREN, ")")
        return found

    def refuse_long_number(self) -> None:
        """No type holds a number of more than 38 digits."""
        if sum(char.isdigit() for char in self._curr.text) > MAX_DIGITS:
            self.fail(f"a number of more than {MAX_DIGITS} digits")

    # Building -----------------------------------------------------------------------------------------

    def mark(self, start: Token | exp.Expr, node: E) -> E:
        """Give a node its place: from a token, or from where another node begins, to the last token taken."""
        node.meta["start"] = start.start if isinstance(start, Token) else start.meta["start"]
        node.meta["end"] = self._prev.end + 1
        return node

    def parse_nested(self, inside: Callable[[], T]) -> T:
        """Parse one level deeper; fail beyond MAX_DEPTH levels."""
        self.depth += 1
        if self.depth > MAX_DEPTH:
            self.fail(f"nested more than {MAX_DEPTH} deep")
        found = inside()
        self.depth -= 1
        return found

    # Failing ------------------------------------------------------------------------------------------

    def fail(self, message: str, token: Token | None = None, hint: str | None = None) -> NoReturn:
        raise ParseError(message, self.place(token or self._curr), hint)

    def fail_expected(self, what: str, words: Iterable[str] = ()) -> NoReturn:
        """Fail with what was expected here; `words` are the keywords of which a mistyped word gets a hint."""
        self.refuse_foreign_clause(self._index - 1)
        self.refuse_foreign_clause()
        mistyped = is_word(self._curr) and self._curr.text.upper() not in RESERVED
        hint = did_you_mean(self._curr.text, words) if mistyped else None
        if what == "an expression" and is_word(self._curr) and self._curr.text.upper() in OFTEN_NAMES:
            follows = self._next.text.upper() if self._next else ""
            hint = None if follows == "BY" else f"a column of this name is written in backticks: `{self._curr.text}`"
        self.fail(f"expected {what}, found {self.describe_token()}", hint=hint)

    def refuse_foreign_clause(self, first: int | None = None) -> None:
        """Refuse a clause that only other dialects have, and say what to write instead."""
        first = self._index if first is None else first
        found = clause_at([token.text.upper() for token in self._tokens[first : first + 4]]) if first >= 0 else None
        if found and is_word(self._tokens[first]):
            self.fail(f"{found[0]} is not part of CQL", self._tokens[first], hint=found[1])
        if self.at_word("ALL") and self._prev and self._prev.text.upper() == "BY":
            self.fail(
                f"{self._tokens[self._index - 2].text.upper()} BY ALL is not part of CQL", hint="name the columns"
            )

    def describe_token(self) -> str:
        if self.at_end():
            return "the end of the statement"
        text = self.sql[self._curr.start : self._curr.end + 1]
        return text if text.isprintable() else ascii(text)

    def place(self, token: Token) -> TextSpan:
        """A token's place; past the last token, the place just after it."""
        if token:
            return TextSpan(token.start, token.end + 1)
        last = self._tokens[-1].end + 1 if self._tokens else 0
        return TextSpan(last, last + 1)
