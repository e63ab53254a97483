"""Script: a text of statements to syntax trees, with every statement's own problem, and trees back to text."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache

from sqlglot import exp
from sqlglot.errors import TokenError
from sqlglot.tokens import Token

from tailrace.errors import ParseError, Place, Source, TailraceError
from tailrace.language import nodes
from tailrace.language.dialect import Cql
from tailrace.language.statements import StatementGrammar, split
from tailrace.types import Type


@dataclass(frozen=True)
class Script:
    """What a text says: its statements in order, and the problems of those that are not CQL.

    `unread` are the names that statements which are not CQL seem to create.
    """

    source: Source
    statements: tuple[nodes.Statement, ...]
    problems: tuple[TailraceError, ...]
    unread: tuple[str, ...] = ()


@cache
def dialect() -> Cql:
    return Cql()


def parse_script(source: Source) -> Script:
    """Parse each statement by itself, so that one mistake hides no other.

    >>> script = parse_script(Source("SHOW STREAMS; DROP S; SHOW VIEWS"))
    >>> len(script.statements), [problem.message for problem in script.problems]
    (2, ['expected STREAM, RELATION, VIEW or QUERY after DROP, found S'])
    """
    statements: list[nodes.Statement] = []
    problems: list[TailraceError] = []
    unread: list[str] = []
    try:
        tokens = tokenize(source.text)
    except ParseError as problem:
        return Script(source, (), (problem,))
    for part in split(tokens):
        try:
            node = parse_tokens(part, source.text, StatementGrammar.statement)
        except (ParseError, RecursionError) as problem:
            problems.append(problem if isinstance(problem, ParseError) else too_deep(part))
            if len(part) > 2 and part[0].text.upper() == "CREATE":
                unread.append(part[2].text)
        else:
            assert isinstance(node, nodes.Statement)
            statements.append(node)
    return Script(source, tuple(statements), tuple(problems), tuple(unread))


def parse_query(text: str) -> nodes.Query:
    """Parse a text that is one query, with or without a semicolon."""
    parts = split(tokenize(text))
    if len(parts) != 1:
        raise ParseError("expected one query", Place(0, len(text)))
    try:
        node = parse_tokens(parts[0], text, StatementGrammar.query)
    except RecursionError:
        raise too_deep(parts[0]) from None
    assert isinstance(node, nodes.Query)
    return node


def parse_as(source: Source, name: str, format: str | None = None, options: Mapping[str, str] | None = None) -> Script:
    """A text that is one query, as the statement that registers it under a name.

    >>> print(to_text(parse_as(Source("SELECT k FROM S"), "q", "json", {"path": "out"}).statements[0]))
    CREATE QUERY q INTO json OPTIONS (path 'out') AS SELECT k FROM S
    """
    try:
        create = nodes.CreateQuery(this=exp.Identifier(this=name), query=parse_query(source.text))
    except ParseError as problem:
        return Script(source, (), (problem,))
    create.set("format", exp.Identifier(this=format) if format else None)
    create.set("options", [nodes.Option(this=key, value=value) for key, value in (options or {}).items()])
    return Script(source, (create,), ())


def parse_type(text: str) -> Type:
    """Parse a text that is the name of a type.

    >>> parse_type("array<decimal(8,2)>")
    ARRAY<DECIMAL(8,2)>
    """
    tokens = tokenize(text)
    if not tokens:
        raise ParseError("a type is missing", Place(0, 1))
    found = parse_tokens(tokens, text, StatementGrammar.type_name).this
    assert isinstance(found, Type)
    return found


def too_deep(tokens: list[Token]) -> ParseError:
    return ParseError("this is nested too deeply", Place(tokens[0].start, tokens[-1].end + 1))


def parse_tokens(tokens: list[Token], text: str, rule: Callable[[StatementGrammar], exp.Expr]) -> exp.Expr:
    parser = dialect().parser()
    assert isinstance(parser, StatementGrammar)
    return parser.one_of(tokens, text, rule)


def tokenize(text: str) -> list[Token]:
    try:
        return list(dialect().tokenize(text))
    except TokenError as error:
        raise unreadable(text, error) from None


def unreadable(text: str, error: TokenError) -> ParseError:
    """A tokenizer's complaint with its place: a quote or comment that never ends, a number gone wrong."""
    missing = re.match(r"Missing (.+) from \d+:(\d+)", str(error.__cause__ or error))
    if missing:
        quote, start = missing.group(1), int(missing.group(2))
        what = {"'": "text", '"': "text", "`": "name", "*/": "comment"}.get(quote, "part")
        return ParseError(f"a {what} that does not end", Place(start, start + 1), f"{quote} is missing")
    comment = text.rfind("/*")
    if comment >= 0 and "*/" not in text[comment:]:
        return ParseError("a comment that does not end", Place(comment, comment + 2), "*/ is missing")
    place = Place(max(0, getattr(error, "start", 0) or 0), max(1, getattr(error, "end", 1) or 1))
    return ParseError("this cannot be read", place)


def to_text(node: exp.Expr, pretty: bool = False) -> str:
    """Canonical text of a tree; `parse(to_text(tree)) == tree`."""
    return dialect().generator(pretty=pretty, comments=False).generate(node)
