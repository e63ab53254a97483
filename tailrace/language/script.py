"""Script: parses a text into syntax trees, one per statement, each with its own problem, and writes trees as text.

Queries that differ from an earlier one only in the constants they compare with need not be parsed: see templates.py.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeGuard

from sqlglot import exp
from sqlglot.errors import TokenError
from sqlglot.tokens import Token, TokenType

from tailrace.errors import ParseError, Source, TailraceError, TextSpan
from tailrace.language import nodes
from tailrace.language.dialects.blocks import BlockReader
from tailrace.language.statements import Cql, StatementGrammar, split
from tailrace.language.templates import TOKEN, cut_statements, is_plain, lift_constants
from tailrace.language.tokens import RESERVED, read_text
from tailrace.types import Type


@dataclass(frozen=True, slots=True)
class TemplateMatch:
    """A CREATE QUERY that was not parsed, because a query of the same template was; `read` parses it after all.

    `key` is the template and `values` is what its marks stand for (templates.py).
    """

    name: str
    format: str | None
    options: tuple[tuple[str, str], ...]
    key: str
    values: tuple[str, ...]
    read: Callable[[], nodes.CreateQuery]


@dataclass(frozen=True)
class Script:
    """A parsed script: its statements in order, and the problems of those that could not be parsed.

    `unread` are the names that the failed CREATE statements were about to create, as far as their tokens show.
    """

    source: Source
    statements: tuple[nodes.Statement | TemplateMatch, ...]
    problems: tuple[TailraceError, ...]
    unread: tuple[str, ...] = ()


@cache
def dialect() -> Cql:
    return Cql()


def parse_script(source: Source, templates: TemplateCache | None = None) -> Script:
    """Parse each statement by itself, so that one mistake hides no other.

    A query whose template is in `templates` is not parsed: it becomes a TemplateMatch. Templates that are met for the
    first time are added to `templates`.

    >>> script = parse_script(Source("SHOW STREAMS; DROP S; SHOW VIEWS"))
    >>> len(script.statements), [problem.message for problem in script.problems]
    (2, ['expected STREAM, RELATION, VIEW or QUERY after DROP, found S'])
    """
    statements: list[nodes.Statement | TemplateMatch] = []
    problems: list[TailraceError] = []
    unread: list[str] = []
    blocks = BlockReader()
    try:
        parts = parts_of(source)
    except ParseError as problem:
        return Script(source, (), (problem,))
    for part in parts:
        match = match_template(source, part) if templates is not None and isinstance(part, slice) else None
        if has_template(match, templates):
            statements.append(match)
            continue
        tokens = tokens_of(source, part) if isinstance(part, slice) else part
        try:
            tokens = blocks.take(tokens)
            if not tokens:
                continue
            statements.append(statement_of(tokens, source))
        except ParseError as problem:
            problems.append(problem)
            unread += created_names(tokens)
        else:
            remember_template(templates, match)
    problems += filter(None, [blocks.problem_at_end()])
    return Script(source, tuple(statements), tuple(problems), tuple(unread))


NO_NAMES = {"CREATE", "OR", "REPLACE", "TEMPORARY", "TEMP", "MATERIALIZED", "IF", "NOT", "EXISTS"}


def created_names(tokens: list[Token]) -> list[str]:
    """The name that a CREATE statement was about to create, as far as its tokens show: behind the kind."""
    if tokens[0].text.upper() != "CREATE":
        return []
    return [token.text for token in tokens[1:] if token.text.upper() not in NO_NAMES][1:2]


def statement_of(tokens: list[Token], source: Source) -> nodes.Statement:
    try:
        node = parse_tokens(tokens, source.text, StatementGrammar.statement)
    except RecursionError:
        raise too_deep(tokens) from None
    assert isinstance(node, nodes.Statement)
    return node


def parse_query(text: str) -> nodes.QueryNode:
    """Parse a text that is one query, with or without a semicolon."""
    parts = split(tokenize(text))
    if len(parts) != 1:
        raise ParseError("expected one query", TextSpan(0, len(text)))
    try:
        node = parse_tokens(parts[0], text, StatementGrammar.query)
    except RecursionError:
        raise too_deep(parts[0]) from None
    assert isinstance(node, nodes.QueryNode)
    return node


def parse_as(
    source: Source,
    name: str,
    format: str | None = None,
    options: Mapping[str, str] | None = None,
    templates: TemplateCache | None = None,
) -> Script:
    """Parse a text that is one query, as the CREATE QUERY statement that registers it under a name.

    >>> print(to_text(parse_as(Source("SELECT k FROM S"), "q", "json", {"path": "out"}).statements[0]))
    CREATE QUERY q INTO json OPTIONS (path 'out') AS SELECT k FROM S
    """
    given = tuple((options or {}).items())

    def read() -> nodes.CreateQuery:
        return create_query_node(name, format, given, parse_query(source.text))

    match = None
    if templates is not None and is_plain(source.text):
        tokens = TOKEN.findall(source.text)
        values = tuple(lift_constants(tokens))
        match = TemplateMatch(name, format, given, "".join(tokens).strip(), values, read) if values else None
    if has_template(match, templates):
        return Script(source, (match,), ())
    try:
        create = read()
    except ParseError as problem:
        return Script(source, (), (problem,))
    remember_template(templates, match)
    return Script(source, (create,), ())


def create_query_node(
    name: str, format: str | None, options: Iterable[tuple[str, str]], query: nodes.QueryNode | None = None
) -> nodes.CreateQuery:
    """The syntax tree of a CREATE QUERY statement."""
    create = nodes.CreateQuery(this=exp.Identifier(this=name), query=query)
    create.set("format", exp.Identifier(this=format) if format else None)
    create.set("options", [nodes.Option(this=key, value=value) for key, value in options])
    return create


# Statements of one template ---------------------------------------------------------------------------------

# What is known of each template, by key. True: a query of it was parsed. False: its queries must be parsed one by one.
# Analysis replaces True by a QueryTemplate (analysis/query_templates.py) or by False.
TemplateCache = dict[str, Any]
MOST_TEMPLATES = 20_000


def parts_of(source: Source) -> Sequence[slice | list[Token]]:
    """Cut a text into statements: slices of the text or, where quotes and comments make that unsafe, lists of tokens.

    Slices are much cheaper: a statement of a known template is then never tokenized.
    """
    slices = cut_statements(source.text)
    return split(tokenize(source.text)) if slices is None else slices


def match_template(source: Source, part: slice) -> TemplateMatch | None:
    """A part of a text as a CREATE QUERY of a template, found by its tokens; None if it is anything else."""
    tokens = TOKEN.findall(source.text, part.start, part.stop)
    end = next((at for at, token in enumerate(tokens) if token in ("AS", "as")), 0)
    head = read_head([token for token in tokens[:end] if not token.isspace() and token[:2] != "--"])
    query = tokens[end + 1 :]
    values = lift_constants(query) if head else []
    if head is None or not values:
        return None

    def read() -> nodes.CreateQuery:
        found = statement_of(tokens_of(source, part), source)
        assert isinstance(found, nodes.CreateQuery)
        return found

    return TemplateMatch(*head, "".join(query).strip(), tuple(values), read)


def read_head(tokens: list[str]) -> tuple[str, str | None, tuple[tuple[str, str], ...]] | None:
    """The name, format and options of a CREATE QUERY, given its tokens before AS; None if they are anything else.

    >>> read_head("CREATE QUERY q INTO json OPTIONS ( path 'out' )".split())
    ('q', 'json', (('path', 'out'),))
    """
    words, names, options = [*tokens[:2], *tokens[3:4], *tokens[5:6]], tokens[2:5:2], tokens[6:]
    keys, values = options[1::3], options[2::3]
    is_head = " ".join(words).upper() in ("CREATE QUERY", "CREATE QUERY INTO", "CREATE QUERY INTO OPTIONS")
    if not is_head or len(tokens) in (2, 4, 6) or (options and options[::3] != ["(", *[","] * (len(keys) - 1), ")"]):
        return None
    if not all(name.isidentifier() and name.upper() not in RESERVED for name in (*names, *keys)):
        return None
    if not all(value[0] == "'" for value in values):
        return None
    return names[0], names[1] if names[1:] else None, tuple((k, v[1:-1]) for k, v in zip(keys, values, strict=True))


def tokens_of(source: Source, part: slice) -> list[Token]:
    """The tokens of a part of a text, with their places in the whole text."""
    found = tokenize(source.text[part])
    for token in found:
        token.start += part.start
        token.end += part.start
    return found


def has_template(match: TemplateMatch | None, templates: TemplateCache | None) -> TypeGuard[TemplateMatch]:
    """Whether a query need not be parsed, since its template is known."""
    return match is not None and templates is not None and bool(templates.get(match.key))


def remember_template(templates: TemplateCache | None, match: TemplateMatch | None) -> None:
    """Remember that a query of this template was parsed, so that the next ones need not be."""
    if match is not None and templates is not None and match.key not in templates:
        if len(templates) >= MOST_TEMPLATES:
            templates.clear()
        templates[match.key] = True


def parse_type(text: str) -> Type:
    """Parse a text that is the name of a type.

    >>> parse_type("array<decimal(8,2)>")
    ARRAY<DECIMAL(8,2)>
    """
    tokens = tokenize(text)
    if not tokens:
        raise ParseError("a type is missing", TextSpan(0, 1))
    found = parse_tokens(tokens, text, StatementGrammar.type_name).this
    assert isinstance(found, Type)
    return found


def too_deep(tokens: list[Token]) -> ParseError:
    return ParseError("this is nested too deeply", TextSpan(tokens[0].start, tokens[-1].end + 1))


def parse_tokens(tokens: list[Token], text: str, rule: Callable[[StatementGrammar], exp.Expr]) -> exp.Expr:
    parser = dialect().parser()
    assert isinstance(parser, StatementGrammar)
    return parser.one_of(tokens, text, rule)


def tokenize(text: str) -> list[Token]:
    try:
        found = list(dialect().tokenize(text))
    except TokenError as error:
        raise unreadable(text, error) from None
    for token in found:
        if token.token_type in (TokenType.STRING, TokenType.RAW_STRING):
            token.token_type, token.text = TokenType.STRING, read_text(text[token.start : token.end + 1])
    return found


def unreadable(text: str, error: TokenError) -> ParseError:
    """The tokenizer's error as a ParseError with its place: a quote or comment that never ends, a malformed number."""
    missing = re.match(r"Missing (.+) from \d+:(\d+)", str(error.__cause__ or error))
    if missing:
        quote, start = missing.group(1), int(missing.group(2))
        what = {"'": "text", '"': "text", "`": "name", "*/": "comment"}.get(quote, "part")
        return ParseError(f"a {what} that does not end", TextSpan(start, start + 1), f"{quote} is missing")
    comment = text.rfind("/*")
    if comment >= 0 and "*/" not in text[comment:]:
        return ParseError("a comment that does not end", TextSpan(comment, comment + 2), "*/ is missing")
    place = TextSpan(max(0, getattr(error, "start", 0) or 0), max(1, getattr(error, "end", 1) or 1))
    return ParseError("this cannot be read", place)


def to_text(node: exp.Expr, pretty: bool = False) -> str:
    """Canonical text of a tree; `parse(to_text(tree)) == tree`."""
    return dialect().generator(pretty=pretty, comments=False).generate(node)
