"""From items: the grammar of FROM: names, subqueries, aliases and joins."""

from __future__ import annotations

from sqlglot import exp
from sqlglot.tokens import Token, TokenType

from tailrace.errors import did_you_mean
from tailrace.language import nodes
from tailrace.language.scalars.expressions import ExpressionGrammar
from tailrace.language.tokens import SYSTEM, is_word
from tailrace.language.windows import WindowGrammar

# The window tables, and the lengths of time that they take, in order.
LENGTHS = {"TUMBLE": ("size",), "HOP": ("slide", "size"), "CUMULATE": ("slide", "size"), "SESSION": ("size",)}
JOINS = ("INNER", "LEFT", "RIGHT", "FULL", "CROSS")
SEMI = ("SEMI", "ANTI")
CLAUSE_WORDS = ("WHERE", "GROUP BY", "HAVING", "ORDER BY", "LIMIT", "JOIN", "UNION", "EXCEPT", "INTERSECT")
# Words that begin the next clause, and so are never an alias written without AS.
CLAUSES = frozenset(
    ("WINDOW", "QUALIFY", "LATERAL", "PIVOT", "TABLESAMPLE", "FETCH", "SEMI", "ANTI", "FREQUENCY", "EMIT")
)
# The same of several words: the first of them alone is a name like any other.
PHRASES = (("ASOF", "JOIN"), ("ASOF", "LEFT"), ("ASOF", "INNER"), ("FOR", "SYSTEM_TIME"))
MATCH = "MATCH_CONDITION"


class FromGrammar(WindowGrammar, ExpressionGrammar):
    """FROM items with their windows and aliases, and joins; a query inside one is parsed by the query grammar."""

    def one(self) -> nodes.QueryNode:
        raise AssertionError("the query grammar defines this")

    def from_items(self) -> exp.Expr:
        """Items and joins, separated by commas, as one tree."""
        start = self._curr
        left = self.joins()
        while self.take(TokenType.COMMA):
            left = self.mark(start, nodes.Join(kind="COMMA", left=left, right=self.joins()))
        return left

    def joins(self) -> exp.Expr:
        start = self._curr
        left = self.item()
        while kind := self.join_kind():
            right = self.item()
            natural = kind.startswith("NATURAL ")
            join = nodes.Join(kind=kind.removeprefix("NATURAL "), natural=natural, left=left, right=right)
            lateral = right.args.get("lateral") and not (self.at_word("ON") or self.at_word("USING"))
            if kind != "CROSS" and not natural and not lateral:
                self.join_condition(join)
            left = self.mark(start, join)
        return left

    def join_kind(self) -> str | None:
        """The words of a join up to JOIN, taken, in their usual order and without those that add nothing."""
        if self.take_word("NATURAL"):
            if self.at_word("CROSS") or self.at_word("ASOF"):
                self.fail(f"NATURAL {self.describe_token().upper()} JOIN has no meaning", hint="leave NATURAL out")
            kind = self.join_kind()
            if kind is None:
                self.fail_expected("JOIN after NATURAL", ("JOIN",))
            return f"NATURAL {kind}"
        if self.at_asof():
            return self.asof_kind()
        for kind in (*JOINS, *SEMI):
            if self.take_word(kind):
                outer = kind in ("LEFT", "RIGHT", "FULL") and self.take_word("OUTER")
                if kind in SEMI:
                    kind = f"LEFT {kind}"
                elif not outer and kind in ("LEFT", "RIGHT"):
                    kind += next((f" {word}" for word in SEMI if self.take_word(word)), "")
                self.expect_word("JOIN", f"after {kind}{' OUTER' if outer else ''}")
                return kind
        return "INNER" if self.take_word("JOIN") else None

    def at_asof(self) -> bool:
        return (self.at_phrase() and self.at_word("ASOF")) or self.at_word("LEFT", "ASOF")

    def asof_kind(self) -> str:
        """ASOF [INNER | LEFT [OUTER]] JOIN, or LEFT ASOF JOIN."""
        left = self.take_word("LEFT")
        self.expect_word("ASOF", "after LEFT")
        if not left and self.take_word("LEFT"):
            left = True
            self.take_word("OUTER")
        elif not left:
            self.take_word("INNER")
        self.expect_word("JOIN", "after ASOF")
        return "ASOF LEFT" if left else "ASOF"

    def join_condition(self, join: nodes.Join) -> None:
        kind = join.args["kind"]
        if kind.startswith("ASOF") and self.take_word(MATCH):
            join.set("match", self.in_parens(self.scalar, f"after {MATCH}"))
        if self.take_word("ON"):
            join.set("on", self.scalar())
        elif self.take_word("USING"):
            join.set("using", self.in_parens(lambda: self.names("a column's name"), "after USING"))
        elif not join.args.get("match"):
            self.fail_expected(f"ON or USING after {kind} JOIN", ("ON", "USING"))

    def item(self) -> exp.Expr:
        """A stream, relation, view or subquery with its window and alias, in either order."""
        start = self._curr
        this: exp.Expr
        if self.take_word("LATERAL"):
            if not (self.at(TokenType.L_PAREN) and self.at_query(in_from=True)):
                self.fail("LATERAL goes before a subquery in parentheses", hint="write LATERAL (SELECT …) AS name")
            return self.item_suffix(start, nodes.Item(this=self.one(), lateral=True))
        if self.at_query(in_from=True):
            bare = not self.at(TokenType.L_PAREN)
            this = self.one()
            if bare and isinstance(this, nodes.Select):
                self.fail("a subquery in FROM goes in parentheses", start)
        elif self.at(TokenType.L_PAREN):
            return self.in_parens(self.from_items, "around a join")
        elif self.at_word("TABLE") and self._next.token_type == TokenType.L_PAREN:
            self._advance()  # Flink writes TABLE( … ) around a window table
            this = self.in_parens(self.window_table, "after TABLE")
        elif self.at_window_table():
            this = self.window_table()
        else:
            this = self.item_name()
        return self.item_suffix(start, nodes.Item(this=this))

    # Window functions ---------------------------------------------------------------------------------

    def at_window_table(self) -> bool:
        return any(map(self.at_word, LENGTHS)) and self._next.token_type == TokenType.L_PAREN

    def window_table(self) -> nodes.WindowTable:
        """TUMBLE(TABLE s, DESCRIPTOR(ts), 10 SECONDS) and its kin; RisingWave writes TUMBLE(s, ts, …)."""
        start = self._curr
        if not self.at_window_table():
            self.fail_expected("TUMBLE, HOP, CUMULATE or SESSION", tuple(LENGTHS))
        kind = start.text.upper()
        found = nodes.WindowTable(kind=kind)
        self._advance()
        self.in_parens(lambda: self.window_arguments(found), f"after {kind}")
        return self.mark(start, found)

    def window_arguments(self, found: nodes.WindowTable) -> None:
        kind = found.args["kind"]
        self.argument_name("DATA")
        self.take_word("TABLE")
        begin = self._curr
        this = self.in_parens(self.query, "") if self.at(TokenType.L_PAREN) else self.item_name()
        found.set("this", self.mark(begin, nodes.Item(this=this)))
        if kind == "SESSION" and self.take_word("PARTITION"):
            self.expect_word("BY", "after PARTITION")
            found.set("partition", self.session_columns())
        self.expect(TokenType.COMMA, f", and the timestamp's column after the stream of {kind}")
        self.argument_name("TIMECOL")
        if self.take_word("DESCRIPTOR"):
            found.set("column", self.in_parens(self.window_column, "after DESCRIPTOR"))
        else:
            found.set("column", self.window_column())
        for part in LENGTHS[kind]:
            self.expect(TokenType.COMMA, f", and the {part} of {kind}")
            self.argument_name(part.upper())
            found.set(part, self.duration(kind))
        if kind != "SESSION" and self.take(TokenType.COMMA):
            self.argument_name("OFFSET")
            found.set("offset", self.duration(kind))

    def argument_name(self, word: str) -> None:
        """Step over a name before an argument, as in `SIZE => INTERVAL '10' MINUTE`, which must be the usual one."""
        if self._next.token_type == TokenType.EQ and self.at_arrow():
            if not self.at_word(word):
                self.fail_expected(f"{word} => …", [word])
            self._advance(3)

    def at_arrow(self) -> bool:
        """Whether the next token but one is the `>` of `=>`."""
        follows = self._tokens[self._index + 2] if self._index + 2 < len(self._tokens) else None
        return follows is not None and follows.token_type == TokenType.GT and follows.start == self._next.end + 1

    def session_columns(self) -> list[exp.Column]:
        """Columns after PARTITION BY, up to the comma before the timestamp's column; RisingWave has them in parens."""
        if self.at(TokenType.L_PAREN):
            return self.in_parens(lambda: self.several(self.window_column), "")
        found = [self.window_column()]
        while self.at(TokenType.COMMA) and self._next.text.upper() not in ("DESCRIPTOR", "TIMECOL"):
            self._advance()
            found.append(self.window_column())
        return found

    def item_name(self) -> exp.Identifier:
        """The name of a stream, relation or view; or of a system stream, such as tailrace.batches."""
        start = self._curr
        name = self.name("a stream, relation, view or ( subquery ) in FROM")
        if name.args.get("quoted") or name.name.lower() != SYSTEM or not self.take(TokenType.DOT):
            return name
        inner = self.name(f"the name of a stream after {SYSTEM}.")
        return self.mark(start, exp.Identifier(this=f"{SYSTEM}.{inner.name.lower()}", quoted=False))

    def item_suffix(self, start: Token, item: nodes.Item) -> nodes.Item:
        while True:
            if self.at(TokenType.L_BRACKET):
                if item.args.get("window"):
                    self.fail("a second window on one FROM item", hint="put both in one pair of brackets")
                item.set("window", self.window())
            elif self.at_word("TABLESAMPLE"):
                self.fail("TABLESAMPLE is not part of CQL", hint="write SAMPLE 10 PERCENT after a stream's name")
            elif self.at_word("SAMPLE") and self._next.token_type in (TokenType.NUMBER, TokenType.DASH):
                # Without a number behind it, SAMPLE is an alias.
                if item.args.get("window"):
                    self.fail("SAMPLE goes before the window", hint="the stream is sampled first, then windowed")
                if item.args.get("sample"):
                    self.fail("a second SAMPLE on one FROM item")
                item.set("sample", self.sample())
            elif self.take_word("FOR", "SYSTEM_TIME"):
                if item.args.get("as_of"):
                    self.fail("a second FOR SYSTEM_TIME on one FROM item")
                self.expect_word("AS", "OF after FOR SYSTEM_TIME")
                self.expect_word("OF", "after FOR SYSTEM_TIME AS")
                item.set("as_of", self.scalar())
            elif alias := self.alias("a name for the FROM item"):
                # CSQL's Query 4 gives a subquery two names, AS PulseRate PR: the last one is its alias.
                first = item.args.get("alias")
                if first and not isinstance(item.this, nodes.QueryNode):
                    self.fail(
                        f"{item.this.name} already has the alias {first.name}",
                        self._prev,
                        did_you_mean(first.name, CLAUSE_WORDS),
                    )
                item.set("alias", alias)
                if self.at(TokenType.L_PAREN):
                    item.set("columns", self.in_parens(lambda: self.names("a column's name"), ""))
            else:
                return self.mark(start, item)

    def alias(self, what: str) -> exp.Identifier | None:
        if self.take_word("AS"):
            return self.name(f"{what} after AS")
        words = is_word(self._curr) and (self._curr.text.upper() in CLAUSES or self.at_phrase())
        if not self.at_name() or words:
            return None
        self.refuse_foreign_clause()
        return self.name(what)

    def at_phrase(self) -> bool:
        """Whether the next words begin a join or a part of a FROM item, so that the first of them is no alias."""
        is_match = self.at_word(MATCH) and self._next and self._next.token_type == TokenType.L_PAREN
        return bool(is_match) or any(self.at_word(*words) for words in PHRASES)
