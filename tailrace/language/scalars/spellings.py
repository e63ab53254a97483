"""Spellings: what SQL says in words of its own, read as the plain form that means the same.

SUBSTRING(x FROM 2 FOR 3) is read as SUBSTRING(x, 2, 3), so everything behind the grammar knows one spelling only.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from sqlglot import exp
from sqlglot.tokens import Token, TokenType

if TYPE_CHECKING:
    from tailrace.language.scalars.expressions import ExpressionGrammar

TRIMS = {"BOTH": "TRIM", "LEADING": "LTRIM", "TRAILING": "RTRIM"}


def read_substring(grammar: ExpressionGrammar, name: str) -> exp.Expr:
    """SUBSTRING(text FROM start [FOR length])."""
    arguments = [grammar.scalar()]
    grammar.expect_word("FROM", f"in {name}(text FROM start)")
    arguments.append(grammar.scalar())
    if grammar.take_word("FOR"):
        arguments.append(grammar.scalar())
    return exp.Anonymous(this=name, expressions=arguments)


def read_trim(grammar: ExpressionGrammar, name: str) -> exp.Expr:
    """TRIM([BOTH | LEADING | TRAILING] [characters] FROM text)."""
    side = next((side for side in TRIMS if grammar.take_word(side)), "BOTH")
    characters = [] if grammar.at_word("FROM") else [grammar.scalar()]
    grammar.expect_word("FROM", f"in {name}(… FROM text)")
    return exp.Anonymous(this=TRIMS[side], expressions=[*characters, grammar.scalar()])


def read_position(grammar: ExpressionGrammar, name: str) -> exp.Expr:
    """POSITION(part IN text)."""
    part = grammar.bitwise()
    grammar.expect_word("IN", f"in {name}(part IN text)")
    return exp.Anonymous(this=name, expressions=[part, grammar.scalar()])


def read_overlay(grammar: ExpressionGrammar, name: str) -> exp.Expr:
    """OVERLAY(text PLACING other FROM start [FOR length])."""
    arguments = [grammar.scalar()]
    grammar.expect_word("PLACING", f"in {name}(text PLACING other FROM start)")
    arguments.append(grammar.scalar())
    grammar.expect_word("FROM", f"in {name}(text PLACING other FROM start)")
    arguments.append(grammar.scalar())
    if grammar.take_word("FOR"):
        arguments.append(grammar.scalar())
    return exp.Anonymous(this=name, expressions=arguments)


def read_struct(grammar: ExpressionGrammar, name: str) -> exp.Expr:
    """STRUCT(value [AS field], …)."""

    def read_field() -> exp.Expr:
        value = grammar.scalar()
        if not grammar.take_word("AS"):
            return value
        return grammar.mark(value, exp.Alias(this=value, alias=grammar.name("a field's name")))

    return exp.Anonymous(this=name, expressions=grammar.several(read_field))


# For each function the word inside its parentheses by which the standard's form is known, and what reads that form.
STANDARD_CALLS: dict[str, tuple[str, Callable[[ExpressionGrammar, str], exp.Expr]]] = {
    "SUBSTRING": ("FROM", read_substring),
    "SUBSTR": ("FROM", read_substring),
    "TRIM": ("FROM", read_trim),
    "POSITION": ("IN", read_position),
    "OVERLAY": ("PLACING", read_overlay),
    "STRUCT": ("AS", read_struct),
}


def at_standard_call(grammar: ExpressionGrammar) -> bool:
    """Whether a call in the standard's form begins here: its word stands in its own parentheses."""
    word, _ = STANDARD_CALLS.get(grammar._curr.text.upper(), ("", None))
    depth = 0
    for token in grammar._tokens[grammar._index + 1 :] if word else ():
        depth += (token.token_type == TokenType.L_PAREN) - (token.token_type == TokenType.R_PAREN)
        if depth == 0:
            return False
        if depth == 1 and token.token_type == TokenType.VAR and token.text.upper() == word:
            return True
    return False


def read_standard_call(grammar: ExpressionGrammar) -> exp.Expr:
    """The call in the standard's form that begins here, as a plain call."""
    token = grammar._curr
    grammar._advance(2)
    call = STANDARD_CALLS[token.text.upper()][1](grammar, token.text)
    grammar.expect(TokenType.R_PAREN, f") after the arguments of {token.text}")
    return grammar.mark(token, call)


# Stars and predicates ---------------------------------------------------------------------------------------

QUERY_WORDS = ("(", "SELECT", "WITH", "ISTREAM", "DSTREAM", "RSTREAM")  # what a query in parentheses begins with


def read_star(grammar: ExpressionGrammar, start: Token) -> exp.Expr:
    """What may stand behind a star: EXCEPT (names), also written EXCLUDE, and REPLACE (value AS name, …)."""
    star = exp.Star()
    behind = [token.text.upper() for token in grammar._tokens[grammar._index + 1 : grammar._index + 3]]
    in_parentheses = len(behind) == 2 and behind[0] == "(" and behind[1] not in QUERY_WORDS
    if in_parentheses and (grammar.take_word("EXCEPT") or grammar.take_word("EXCLUDE")):
        star.set("except_", grammar.in_parens(lambda: grammar.names("a column's name"), "around the names"))
    elif grammar.take_word("EXCLUDE"):
        star.set("except_", [grammar.name("a column's name")])
    if grammar.at_word("REPLACE") and grammar._next.token_type == TokenType.L_PAREN:
        grammar._advance()
        replaced = grammar.in_parens(lambda: grammar.several(lambda: read_replacement(grammar)), "around the values")
        star.set("replace", replaced)
    return grammar.mark(start, star)


def read_replacement(grammar: ExpressionGrammar) -> exp.Expr:
    """One `value AS name` of REPLACE."""
    value = grammar.scalar()
    grammar.expect_word("AS", "in REPLACE (value AS column)")
    return grammar.mark(value, exp.Alias(this=value, alias=grammar.name("a column's name")))


def read_any_like(grammar: ExpressionGrammar, left: exp.Expr, negated: bool = False) -> exp.Expr | None:
    """`LIKE ANY | ALL (patterns)` as LIKEs in parentheses, connected by OR or AND; None if anything else is next."""
    words = [token.text.upper() for token in grammar._tokens[grammar._index : grammar._index + 4]]
    kind = {"LIKE": exp.Like, "ILIKE": exp.ILike}.get(words[0])
    if kind is None or words[1:3] not in (["ANY", "("], ["SOME", "("], ["ALL", "("]) or words[3:] == ["SELECT"]:
        return None
    grammar._advance(2)
    patterns = grammar.in_parens(lambda: grammar.several(grammar.bitwise), "around the patterns")
    both = exp.And if words[1] == "ALL" else exp.Or
    found: exp.Expr | None = None
    for pattern in patterns:
        like: exp.Expr = grammar.mark(left, kind(this=left.copy(), expression=pattern))
        like = grammar.mark(left, exp.Not(this=like)) if negated else like
        found = like if found is None else grammar.mark(left, both(this=found, expression=like))
    return grammar.mark(left, exp.Paren(this=found))


def read_symmetric(grammar: ExpressionGrammar, between: exp.Between) -> exp.Expr:
    """`x BETWEEN SYMMETRIC a AND b` as a BETWEEN with its ends in either order, in parentheses."""
    value, low, high = (between.args[key] for key in ("this", "low", "high"))
    one = grammar.mark(value, between)
    other = grammar.mark(value, exp.Between(this=value.copy(), low=high.copy(), high=low.copy()))
    return exp.Paren(this=grammar.mark(value, exp.Or(this=one, expression=other)))
