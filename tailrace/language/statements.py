"""Statements: the grammar of a script's statements, and `Cql`, the dialect that sqlglot knows by it."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from sqlglot import exp
from sqlglot.dialects.dialect import Dialect
from sqlglot.tokens import Token, TokenType

from tailrace.language import nodes
from tailrace.language.dialects import foreign_words
from tailrace.language.dialects.statement_texts import CqlGenerator
from tailrace.language.dialects.table_grammar import TableGrammar
from tailrace.language.scalars.expressions import TO_STREAM
from tailrace.language.tokens import Tokenizer as CqlTokenizer
from tailrace.language.tokens import is_word

KINDS = ("STREAM", "RELATION", "VIEW", "QUERY")
PLURALS = {"STREAMS": "STREAM", "RELATIONS": "RELATION", "TABLES": "TABLE", "VIEWS": "VIEW", "QUERIES": "QUERY"}
EPOCH_UNITS = ("SECOND", "MILLISECOND", "MICROSECOND", "NANOSECOND")


class StatementGrammar(TableGrammar):
    """The statements of a script; the grammar's outermost part."""

    def parse(self, raw_tokens: list[Token], sql: str) -> list[exp.Expr | None]:
        """Parse all statements; sqlglot calls this. The first error is raised, unlike in `script.parse_script`."""
        statements: list[exp.Expr | None] = []
        for tokens in split(raw_tokens):
            statements.append(self.one_of(tokens, sql, StatementGrammar.statement_or_query))
        return statements

    def one_of(self, tokens: list[Token], sql: str, rule: Callable[[StatementGrammar], exp.Expr]) -> exp.Expr:
        """Parse tokens by one rule of the grammar; fail if any token is left over."""
        self.reset()
        self.sql = sql
        self.depth = 0
        self._tokens = tokens
        self._tokens_size = len(tokens)
        self._index = -1
        self._advance()
        found = rule(self)
        if not self.at_end():
            if self.begins_statement():
                self.fail(
                    f"expected the end of the statement, found {self.describe_token()}",
                    hint="is a ; missing before it?",
                )
            self.fail_expected("the end of the statement", ("AS", "WHERE", "GROUP", "ORDER", "HAVING", "LIMIT"))
        return found

    def begins_statement(self) -> bool:
        """Whether the next token looks like the first one of another statement, on a line of its own."""
        between = self.sql[self._prev.end + 1 : self._curr.start] if self._prev else ""
        return "\n" in between and is_word(self._curr) and self._curr.text.upper() in self.RULES

    def statement_or_query(self) -> exp.Expr:
        return self.query() if self.at_query() else self.statement()

    def statement(self) -> nodes.Statement:
        start = self._curr
        rule = self.RULES.get(start.text.upper()) if is_word(start) else None
        if rule is None:
            if is_word(start) and start.text.upper() in foreign_words.STATEMENTS:
                word = start.text.upper()
                self.fail(f"{word} is not part of CQL", hint=foreign_words.STATEMENTS[word])
            if self.at_query():
                self.fail("a query in a script needs a name", hint="CREATE QUERY name AS …")
            self.fail_expected(
                "a statement: CREATE, ALTER, DROP, RESUME, INSERT, SHOW, DESCRIBE, EXPLAIN or SET",
                (*self.RULES, *TO_STREAM, "SELECT"),
            )
        self._advance()
        return self.mark(start, rule(self))

    # CREATE -------------------------------------------------------------------------------------------

    def create(self) -> nodes.Statement:
        replace = self.take_word("OR", "REPLACE")
        is_materialized = self.take_word("MATERIALIZED")
        if is_materialized:
            self.expect_word("VIEW", "after MATERIALIZED")
        elif self.at_word("TEMPORARY") or self.at_word("TEMP"):
            self._advance()
        kind = "MATERIALIZED VIEW" if is_materialized else self.kind("CREATE", (*KINDS, "TABLE"))
        if_not_exists = self.take_word("IF", "NOT", "EXISTS")
        create = self.create_named(kind, self.name(f"a name for the {kind.lower()}"))
        if replace and if_not_exists:
            self.fail("OR REPLACE and IF NOT EXISTS in one statement", hint="one of them is enough")
        create.set("replace", replace)
        create.set("if_not_exists", if_not_exists)
        return create

    def create_named(self, kind: str, name: exp.Identifier) -> nodes.Statement:
        if kind in ("STREAM", "RELATION"):
            return self.create_source(kind, name)
        if kind == "TABLE":
            return self.create_table(name)
        if kind == "VIEW":
            columns = None
            if self.at(TokenType.L_PAREN):
                columns = self.in_parens(lambda: self.names("a column's name"), "")
            return nodes.CreateView(this=name, columns=columns, query=self.as_query("VIEW"))
        create = nodes.CreateQuery(this=name, is_materialized_view=kind != "QUERY")
        if kind == "QUERY" and self.take_word("INTO"):
            create.set("format", self.name("a format such as json after INTO"))
            create.set("options", self.options())
        create.set("query", self.as_query("QUERY"))
        return create

    def kind(self, verb: str, kinds: tuple[str, ...] = KINDS) -> str:
        if not is_word(self._curr) or self._curr.text.upper() not in kinds:
            self.refuse_foreign_kind(verb)
            self.fail_expected(f"STREAM, RELATION, VIEW or QUERY after {verb}", kinds)
        kind = self._curr.text.upper()
        self._advance()
        return kind

    def refuse_foreign_kind(self, verb: str) -> None:
        word = self._curr.text.upper() if self._curr else ""
        if word in foreign_words.KINDS:
            self.fail(f"{verb} {word} is not part of CQL", hint=foreign_words.KINDS[word])

    def as_query(self, kind: str) -> nodes.QueryNode:
        self.expect_word("AS", f"before the {kind.lower()}'s query")
        if not self.at_query():
            self.fail_expected("a query", ("SELECT", *TO_STREAM))
        return self.query()

    def create_source(self, kind: str, name: exp.Identifier) -> nodes.CreateSource:
        columns = self.in_parens(lambda: self.several(self.column_type), "before the columns")
        create = nodes.CreateSource(kind=kind, this=name, columns=columns)
        while is_word(self._curr) and (clause := self.CLAUSES.get(self._curr.text.upper())):
            start = self._curr
            self._advance()
            clause(self, create, start)
        if not self.at_end():
            wanted = "USING, OPTIONS, TIMESTAMP BY, HEARTBEAT BY, IDLE AFTER, OP BY or KEY"
            self.fail_expected(wanted, tuple(self.CLAUSES))
        return create

    def once(self, create: nodes.CreateSource, part: str, start: Token) -> None:
        if create.args.get(part):
            self.fail(f"{start.text.upper()} twice in one statement", start)

    def using(self, create: nodes.CreateSource, start: Token) -> None:
        self.once(create, "format", start)
        create.set("format", self.name("a format such as csv after USING"))

    def source_options(self, create: nodes.CreateSource, start: Token) -> None:
        self.once(create, "options", start)
        self._retreat(self._index - 1)
        create.set("options", self.options())

    def timestamp_by(self, create: nodes.CreateSource, start: Token) -> None:
        self.once(create, "timestamp", start)
        self.expect_word("BY", "after TIMESTAMP")
        create.set("timestamp", self.event_time())
        if self.take_word("IN"):
            create.set("unit", self.epoch_unit())
        if self.take_word("DELAY"):
            create.set("delay", self.duration("DELAY"))

    def event_time(self) -> exp.Expr:
        """A column's name or an expression over columns. IN behind it is no operator: it begins the unit."""
        follows = self._next
        is_name = self.at_name() and (not follows or (is_word(follows) and follows.text.upper() != "DIV"))
        if self.at_end() or is_name:
            return self.name("the timestamp's column")
        return self.parse_nested(self.bitwise)

    def epoch_unit(self) -> str:
        """The unit of IN: whole numbers count it from 1970 on."""
        unit = self._curr.text.upper().removesuffix("S") if is_word(self._curr) else ""
        if unit not in EPOCH_UNITS:
            self.fail_expected(
                "SECONDS, MILLISECONDS, MICROSECONDS or NANOSECONDS", [f"{unit}S" for unit in EPOCH_UNITS]
            )
        self._advance()
        return unit

    def heartbeat_by(self, create: nodes.CreateSource, start: Token) -> None:
        self.once(create, "heartbeat", start)
        self.expect_word("BY", "after HEARTBEAT")
        create.set("heartbeat", self.name("the column that is true in heartbeats"))

    def idle_after(self, create: nodes.CreateSource, start: Token) -> None:
        self.once(create, "idle", start)
        self.expect_word("AFTER", "after IDLE")
        create.set("idle", self.duration("IDLE AFTER"))

    def op_by(self, create: nodes.CreateSource, start: Token) -> None:
        self.once(create, "op", start)
        self.expect_word("BY", "after OP")
        create.set("op", self.name("the column that holds + or -"))

    def key(self, create: nodes.CreateSource, start: Token) -> None:
        self.once(create, "key", start)
        create.set("key", self.in_parens(lambda: self.names("a column's name"), "after KEY"))

    CLAUSES: ClassVar[dict[str, Callable[[StatementGrammar, nodes.CreateSource, Token], None]]] = {
        "USING": using,
        "OPTIONS": source_options,
        "TIMESTAMP": timestamp_by,
        "HEARTBEAT": heartbeat_by,
        "IDLE": idle_after,
        "OP": op_by,
        "KEY": key,
    }

    # The others ---------------------------------------------------------------------------------------

    def drop(self) -> nodes.Drop:
        kind = "QUERY" if self.take_word("MATERIALIZED", "VIEW") else self.kind("DROP", (*KINDS, "TABLE"))
        if_exists = self.take_word("IF", "EXISTS")
        return nodes.Drop(kind=kind, this=self.name(f"the {kind.lower()}'s name"), if_exists=if_exists)

    def alter(self) -> nodes.AlterQuery:
        if not self.take_word("QUERY"):
            if is_word(self._curr) and self._curr.text.upper() in (*KINDS, "TABLE", "MATERIALIZED"):
                word = self._curr.text.upper()
                hint = "CREATE OR REPLACE puts another definition in its place"
                self.fail(f"ALTER {word} is not part of CQL", hint=hint)
            self.fail_expected("QUERY after ALTER", ("QUERY",))
        name = self.name("the query's name")
        return nodes.AlterQuery(this=name, query=self.as_query("QUERY"))

    def resume(self) -> nodes.Resume:
        if not self.take_word("QUERY"):
            self.fail_expected("QUERY after RESUME", ("QUERY",))
        return nodes.Resume(this=self.name("the query's name"))

    def show(self) -> nodes.Statement:
        if self.take_word("CREATE"):
            kind = None
            follows = self._next and (is_word(self._next) or self._next.token_type == TokenType.IDENTIFIER)
            if follows and is_word(self._curr):
                kind = self.kind("SHOW CREATE", (*KINDS, "TABLE"))
            return nodes.ShowCreate(kind=kind, this=self.name("a name"))
        word = self._curr.text.upper()
        if word not in PLURALS:
            self.refuse_foreign_kind("SHOW")
            self.fail_expected("STREAMS, RELATIONS, TABLES, VIEWS, QUERIES or CREATE after SHOW", tuple(PLURALS))
        self._advance()
        return nodes.Show(kind=PLURALS[word])

    def describe(self) -> nodes.Describe:
        if self._next and is_word(self._curr) and self._curr.text.upper() in (*KINDS, "TABLE", "EXTENDED", "FORMATTED"):
            self._advance()
        return nodes.Describe(this=self.name("a name"))

    def explain(self) -> nodes.Explain:
        analyze = self.take_word("ANALYZE")
        if self.at_end():
            return nodes.Explain(analyze=analyze)
        return nodes.Explain(this=self.query() if self.at_query() else self.name("a query or a name"), analyze=analyze)

    def set(self) -> nodes.Set:
        key = self.parse_dotted_name("a setting's name")
        self.expect(TokenType.EQ, f"= after SET {key}")
        return nodes.Set(this=key, value=self.value(f"a value for {key}"))

    RULES: ClassVar[dict[str, Callable[[StatementGrammar], nodes.Statement]]] = {
        "CREATE": create,
        "ALTER": alter,
        "DROP": drop,
        "INSERT": TableGrammar.insert,
        "RESUME": resume,
        "SHOW": show,
        "DESCRIBE": describe,
        "DESC": describe,
        "EXPLAIN": explain,
        "SET": set,
    }


def split(tokens: list[Token]) -> list[list[Token]]:
    """The tokens of each statement, without the semicolons; empty statements are left out."""
    statements: list[list[Token]] = [[]]
    for token in tokens:
        if token.token_type == TokenType.SEMICOLON:
            statements.append([])
        else:
            statements[-1].append(token)
    return [statement for statement in statements if statement]


class Cql(Dialect):
    """CQL with Spark SQL's expressions.

    >>> import sqlglot
    >>> sqlglot.parse_one("select istream(a) from S [rows 50,000]", read="cql").sql("cql")
    'SELECT ISTREAM(a) FROM S [ROWS 50000]'
    """

    Tokenizer = CqlTokenizer
    Parser = StatementGrammar
    Generator = CqlGenerator


# sqlglot skips `{# … #}` as a comment in every dialect; in CQL a brace is a mistake that should be reported.
Cql.Tokenizer._COMMENTS.pop("{#", None)
