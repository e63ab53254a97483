"""Expressions: the grammar of scalar expressions, from OR down to literals, with Spark SQL's precedence."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from sqlglot import exp
from sqlglot.tokens import Token, TokenType

from tailrace.language import nodes
from tailrace.language.scalars.literals import LiteralGrammar
from tailrace.language.scalars.over import OverGrammar
from tailrace.language.scalars.spellings import (
    at_standard_call,
    read_any_like,
    read_standard_call,
    read_star,
    read_symmetric,
)
from tailrace.language.tokens import is_name, is_word

COMPARISONS = {
    TokenType.EQ: exp.EQ,
    TokenType.NEQ: exp.NEQ,
    TokenType.LT: exp.LT,
    TokenType.LTE: exp.LTE,
    TokenType.GT: exp.GT,
    TokenType.GTE: exp.GTE,
    TokenType.NULLSAFE_EQ: exp.NullSafeEQ,
}
# Binary operators by precedence, the loosest first.
BINARY: tuple[dict[str, type[exp.Binary]], ...] = (
    {"|": exp.BitwiseOr},
    {"^": exp.BitwiseXor},
    {"&": exp.BitwiseAnd},
    {"+": exp.Add, "-": exp.Sub, "||": exp.DPipe},
    {"*": exp.Mul, "/": exp.Div, "%": exp.Mod, "DIV": exp.IntDiv},
)
TYPED_LITERALS = ("DATE", "TIMESTAMP", "TIMESTAMP_NTZ", "TIMESTAMP_LTZ")
CONSTANTS: dict[str, Callable[[], exp.Expr]] = {"NULL": exp.Null, "TRUE": exp.true, "FALSE": exp.false}
TO_STREAM = ("ISTREAM", "DSTREAM", "RSTREAM")

QUANTIFIERS = ("ANY", "SOME", "ALL")


class ExpressionGrammar(OverGrammar, LiteralGrammar):
    """Scalar expressions; a query inside one is parsed by the query grammar."""

    # Functions that SQL calls without parentheses.
    BARE_FUNCTIONS: ClassVar = frozenset(
        ("CURRENT_DATE", "CURRENT_TIMESTAMP", "CURRENT_TIME", "CURRENT_USER", "LOCALTIMESTAMP")
    )

    def query(self) -> nodes.QueryNode:
        raise AssertionError("the query grammar defines this")

    def at_query(self, in_from: bool = False) -> bool:
        raise AssertionError("the query grammar defines this")

    # Logic --------------------------------------------------------------------------------------------

    def scalar(self) -> exp.Expr:
        """Any scalar expression."""
        return self.parse_nested(self.disjunction)

    def disjunction(self) -> exp.Expr:
        left = self.conjunction()
        while self.take_word("OR"):
            left = self.mark(left, exp.Or(this=left, expression=self.conjunction()))
        return left

    def conjunction(self) -> exp.Expr:
        left = self.negation()
        while self.take_word("AND"):
            left = self.mark(left, exp.And(this=left, expression=self.negation()))
        return left

    def negation(self) -> exp.Expr:
        start = self._curr
        if self.take_word("NOT"):
            return self.mark(start, exp.Not(this=self.parse_nested(self.negation)))
        return self.predicate()

    def predicate(self) -> exp.Expr:
        left = self.bitwise()
        while True:
            comparison = COMPARISONS.get(self._curr.token_type)
            if comparison:
                self._advance()
                left = self.mark(left, comparison(this=left, expression=self.right_of_comparison()))
            elif self.at_word("IS"):
                left = self.is_predicate(left)
            elif self.at_word("NOT") and self._next.text.upper() in self.RANGES:
                self._advance()
                left = read_any_like(self, left, negated=True) or self.negate_range(left)
            elif is_word(self._curr) and self._curr.text.upper() in self.RANGES:
                left = read_any_like(self, left) or self.range_predicate(left)
            else:
                return left

    def negate_range(self, left: exp.Expr) -> exp.Expr:
        """NOT before a range predicate; around one that was read as a condition in parentheses there are others."""
        found = self.range_predicate(left)
        negated = self.mark(left, exp.Not(this=found))
        return self.mark(left, exp.Paren(this=negated)) if isinstance(found, exp.Paren) else negated

    def right_of_comparison(self) -> exp.Expr:
        """The right side of a comparison: an expression, or ANY, SOME or ALL of a query or an array."""
        start = self._curr
        word = start.text.upper()
        if not (is_word(start) and word in QUANTIFIERS and self._next.token_type == TokenType.L_PAREN):
            return self.bitwise()
        if self._prev.token_type == TokenType.NULLSAFE_EQ:
            self.fail(f"<=> does not go with {word}", hint="write =, <>, <, <=, > or >=")
        self._advance(2)
        opened = self._prev
        inside = self.mark(opened, nodes.Nested(this=self.query())) if self.at_query() else self.scalar()
        self.expect(TokenType.R_PAREN, f") after {word} (…")
        return self.mark(start, nodes.Quantified(word="ALL" if word == "ALL" else "ANY", this=inside))

    def is_predicate(self, left: exp.Expr) -> exp.Expr:
        self._advance()
        negated = self.take_word("NOT")
        right: exp.Expr
        if self.take_word("DISTINCT", "FROM"):
            kind = exp.NullSafeEQ if negated else exp.NullSafeNEQ
            return self.mark(left, kind(this=left, expression=self.bitwise()))
        for word, constant in (*CONSTANTS.items(), ("UNKNOWN", exp.Null)):
            if self.take_word(word):
                right = constant()
                break
        else:
            self.fail_expected("NULL, TRUE, FALSE or DISTINCT FROM after IS", ("NULL", "TRUE", "FALSE"))
        found = self.mark(left, exp.Is(this=left, expression=right))
        return self.mark(left, exp.Not(this=found)) if negated else found

    def range_predicate(self, left: exp.Expr) -> exp.Expr:
        word = self._curr.text.upper()
        self._advance()
        return self.mark(left, self.RANGES[word](self, left))

    def between(self, left: exp.Expr) -> exp.Expr:
        symmetric = self.take_word("SYMMETRIC")
        if not symmetric:
            self.take_word("ASYMMETRIC")
        low = self.bitwise()
        self.expect_word("AND", "between the two ends of BETWEEN")
        found = exp.Between(this=left, low=low, high=self.bitwise())
        return read_symmetric(self, found) if symmetric else found

    def membership(self, left: exp.Expr) -> exp.Expr:
        start = self._curr
        self.expect(TokenType.L_PAREN, "( after IN")
        if self.at_query():
            query = self.query()
            self.expect(TokenType.R_PAREN, ") after the subquery of IN")
            return exp.In(this=left, query=self.mark(start, nodes.Nested(this=query)))
        values = self.several(self.scalar)
        self.expect(TokenType.R_PAREN, ") after the list of IN")
        return exp.In(this=left, expressions=values)

    def like(self, left: exp.Expr, kind: Callable[..., exp.Expr] = exp.Like) -> exp.Expr:
        found = kind(this=left, expression=self.bitwise())
        if self.take_word("ESCAPE"):
            if not self.at(TokenType.STRING):
                self.fail_expected("a text of one character after ESCAPE")
            if len(self._curr.text) != 1:
                self.fail("ESCAPE takes a text of one character")
            found = exp.Escape(this=found, expression=self.primary())
        return found

    RANGES: ClassVar[dict[str, Callable[[ExpressionGrammar, exp.Expr], exp.Expr]]] = {
        "BETWEEN": between,
        "IN": membership,
        "LIKE": like,
        "ILIKE": lambda self, left: self.like(left, exp.ILike),
        "RLIKE": lambda self, left: exp.RegexpLike(this=left, expression=self.bitwise()),
        "REGEXP": lambda self, left: exp.RegexpLike(this=left, expression=self.bitwise()),
    }

    # Arithmetic ---------------------------------------------------------------------------------------

    def bitwise(self, level: int = 0) -> exp.Expr:
        """An expression of the operators in `BINARY[level]` and in all levels that bind tighter."""
        if level == len(BINARY):
            return self.unary()
        left = self.bitwise(level + 1)
        while operator := BINARY[level].get(self._curr.text.upper()):
            if self._curr.token_type in (TokenType.STRING, TokenType.IDENTIFIER):
                break
            self._advance()
            left = self.mark(left, operator(this=left, expression=self.bitwise(level + 1)))
        return left

    def unary(self) -> exp.Expr:
        start = self._curr
        if self.take(TokenType.DASH):
            return self.mark(start, exp.Neg(this=self.parse_nested(self.unary)))
        if self.take(TokenType.PLUS):
            return self.parse_nested(self.unary)
        if self.take(TokenType.TILDE):
            return self.mark(start, exp.BitwiseNot(this=self.parse_nested(self.unary)))
        return self.postfix()

    def postfix(self) -> exp.Expr:
        """A primary expression with any number of `::type`, `[index]` and `.field` behind it."""
        found = self.primary()
        while True:
            if self.take(TokenType.DCOLON):
                found = self.mark(found, exp.Cast(this=found, to=self.type_name()))
            elif self.at(TokenType.L_BRACKET) and not self.at_frequency():
                self._advance()
                found = exp.Bracket(this=found, expressions=[self.scalar()]).update_positions(found)
                self.expect(TokenType.R_BRACKET, "] after the index")
                self.mark(found.this, found)
            elif self.at(TokenType.DOT) and not isinstance(found, exp.Literal):
                self._advance()
                found = self.mark(found, exp.Dot(this=found, expression=self.name("a field's name")))
            else:
                return found

    def at_frequency(self) -> bool:
        """Whether the bracket here begins `[FREQUENCY 10`, and not an index."""
        behind = self._tokens[self._index + 2 : self._index + 3]
        return self._next.text.upper() == "FREQUENCY" and any(t.token_type == TokenType.NUMBER for t in behind)

    def primary(self) -> exp.Expr:
        token = self._curr
        if self.at(TokenType.DOT) and self._next.token_type == TokenType.NUMBER:
            self._advance(2)
            return self.mark(token, exp.Literal.number(f"0.{self._prev.text}"))
        if self.at(TokenType.NUMBER):
            return self.number()
        if self.at(TokenType.STRING):
            return self.text()
        if self.take(TokenType.L_PAREN):
            return self.parse_parentheses(token)
        if self.take(TokenType.STAR):
            return read_star(self, token)
        if is_word(token):
            return self.word(token)
        if is_name(token):
            return self.column()
        self.fail_expected("an expression")

    def parse_parentheses(self, start: Token) -> exp.Expr:
        found: exp.Expr
        if self.at_query():
            found = nodes.Nested(this=self.query())
        else:
            inside = self.several(self.scalar)
            if len(inside) > 1:
                found = exp.Tuple(expressions=inside)
            else:
                found = inside[0] if isinstance(inside[0], nodes.Nested) else exp.Paren(this=inside[0])
        self.expect(TokenType.R_PAREN, ")")
        return self.mark(start, found)

    def word(self, token: Token) -> exp.Expr:
        upper = token.text.upper()
        special = self.SPECIAL.get(upper)
        follows = self._next
        if upper in CONSTANTS and follows.token_type != TokenType.DOT:
            self._advance()
            return self.mark(token, CONSTANTS[upper]())
        if upper in TYPED_LITERALS and follows.token_type == TokenType.STRING:
            return self.typed_literal()
        if upper == "INTERVAL" and follows.token_type in (TokenType.STRING, TokenType.NUMBER, TokenType.DASH):
            return self.interval()
        if upper == "INTERVAL":
            self.refuse_computed_interval()
        if special and (upper == "CASE" or follows.token_type == TokenType.L_PAREN):
            self._advance()
            return self.mark(token, special(self))
        if follows.token_type == TokenType.L_PAREN and (is_name(token) or upper in ("LEFT", "RIGHT")):
            return read_standard_call(self) if at_standard_call(self) else self.function()
        if upper in self.BARE_FUNCTIONS:
            self._advance()
            return self.mark(token, exp.Anonymous(this=token.text, expressions=[]))
        if not is_name(token):
            self.fail_expected("an expression")
        return self.column()

    def column(self) -> exp.Expr:
        """`name`, `table.name` or `table.*`."""
        start = self._curr
        first = self.name("a column's name")
        if not self.take(TokenType.DOT):
            return self.mark(start, exp.Column(this=first))
        if self.at(TokenType.STAR):
            star = self._curr
            self._advance()
            return self.mark(start, exp.Column(this=read_star(self, star), table=first))
        last = self._curr
        if self.take_word("END"):  # Spark's window.end; END is reserved because of CASE
            return self.mark(start, exp.Column(this=self.mark(last, exp.Identifier(this=last.text)), table=first))
        return self.mark(start, exp.Column(this=self.name("a column's name"), table=first))

    # Calls --------------------------------------------------------------------------------------------

    def function(self) -> exp.Expr:
        token = self._curr
        self._advance(2)
        if token.text.upper() in TO_STREAM:
            self.fail(
                f"{token.text.upper()} takes the whole select list or a whole query",
                token,
                hint=f"write SELECT {token.text.upper()}(…) FROM … or {token.text.upper()}(SELECT …)",
            )
        arguments: list[exp.Expr] = []
        if self.take_word("DISTINCT"):
            arguments = [self.mark(self._prev, exp.Distinct(expressions=self.several(self.scalar)))]
        elif not self.at(TokenType.R_PAREN):
            self.take_word("ALL")
            arguments = self.several(self.argument)
        ignores = self.null_treatment()
        self.expect(TokenType.R_PAREN, f") after the arguments of {token.text}")
        call: exp.Expr = self.mark(token, exp.Anonymous(this=token.text, expressions=arguments))
        if self.take_word("FILTER"):
            self.expect(TokenType.L_PAREN, "( after FILTER")
            self.expect_word("WHERE", "after FILTER (")
            condition = self.scalar()
            self.expect(TokenType.R_PAREN, ") after the condition of FILTER")
            call = self.mark(token, exp.Filter(this=call, expression=exp.Where(this=condition)))
        return self.over(token, call, ignores)

    def argument(self) -> exp.Expr:
        """An argument: an expression or `x -> expression`."""
        start = self._curr
        if self.at_name() and self._next.token_type == TokenType.ARROW:
            variables = [self.name("a variable")]
        elif self.at(TokenType.L_PAREN) and self.lambda_ahead():
            self._advance()
            variables = self.names("a variable")
            self.expect(TokenType.R_PAREN, ") after the variables")
        else:
            return self.scalar()
        self._advance()
        return self.mark(start, exp.Lambda(this=self.scalar(), expressions=variables))

    def lambda_ahead(self) -> bool:
        """Whether the parenthesis here closes just before an arrow."""
        for i in range(self._index + 1, len(self._tokens) - 1):
            token = self._tokens[i]
            if token.token_type == TokenType.R_PAREN:
                return bool(self._tokens[i + 1].token_type == TokenType.ARROW)
            if not (is_name(token) or token.token_type == TokenType.COMMA):
                return False
        return False

    def case(self) -> exp.Expr:
        operand = None if self.at_word("WHEN") else self.scalar()
        branches = []
        while self.at_word("WHEN"):
            start = self._curr
            self._advance()
            condition = self.scalar()
            self.expect_word("THEN", "after the condition of WHEN")
            branches.append(self.mark(start, exp.If(this=condition, true=self.scalar())))
        if not branches:
            self.fail_expected("WHEN after CASE", ["WHEN"])
        default = self.scalar() if self.take_word("ELSE") else None
        self.expect_word("END", "at the end of CASE")
        return exp.Case(this=operand, ifs=branches, default=default)

    def cast(self, kind: Callable[..., exp.Expr] = exp.Cast) -> exp.Expr:
        self._advance()
        value = self.scalar()
        self.expect_word("AS", "in CAST(value AS type)")
        found = kind(this=value, to=self.type_name())
        self.expect(TokenType.R_PAREN, ") after CAST(value AS type")
        return found

    def extract(self) -> exp.Expr:
        self._advance()
        unit = self.name("a unit such as YEAR")
        self.expect_word("FROM", "in EXTRACT(unit FROM time)")
        found = exp.Extract(this=exp.Var(this=unit.name.upper()), expression=self.scalar())
        self.expect(TokenType.R_PAREN, ") after EXTRACT(unit FROM time")
        return found

    def exists(self) -> exp.Expr:
        self._advance()
        if not self.at_query():
            self._retreat(self._index - 2)
            return self.function()
        query = self.query()
        self.expect(TokenType.R_PAREN, ") after the subquery of EXISTS")
        return nodes.Exists(this=query)

    SPECIAL: ClassVar[dict[str, Callable[[ExpressionGrammar], exp.Expr]]] = {
        "CASE": case,
        "CAST": cast,
        "TRY_CAST": lambda self: self.cast(exp.TryCast),
        "EXTRACT": extract,
        "EXISTS": exists,
    }
