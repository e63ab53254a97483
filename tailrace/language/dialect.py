"""Dialect: registers `cql` with sqlglot: its tokenizer, grammar and generator."""

from __future__ import annotations

from sqlglot.dialects.dialect import Dialect

from tailrace.language import generator, statements, tokens


class Cql(Dialect):
    """CQL with Spark SQL's expressions.

    >>> import sqlglot
    >>> sqlglot.parse_one("select istream(a) from S [rows 50,000]", read="cql").sql("cql")
    'SELECT ISTREAM(a) FROM S [ROWS 50000]'
    """

    Tokenizer = tokens.Tokenizer
    Parser = statements.StatementGrammar
    Generator = generator.CqlGenerator


# sqlglot skips `{# … #}` as a comment in every dialect; in CQL a brace is a mistake that should be reported.
Cql.Tokenizer._COMMENTS.pop("{#", None)
