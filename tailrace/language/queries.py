"""Queries: the grammar of SELECT, set operations and relation-to-stream operators."""

from __future__ import annotations

from collections.abc import Callable

from sqlglot import exp
from sqlglot.tokens import TokenType

from tailrace.language import nodes
from tailrace.language.from_items import FromGrammar
from tailrace.language.scalars.expressions import TO_STREAM
from tailrace.language.tokens import is_word

MOST_ROWS = 2**62
UNIONS = ("UNION", "EXCEPT", "MINUS")
AFTER_SELECT = ("FROM", "WHERE", "GROUP BY", "HAVING", "QUALIFY", "ORDER BY", "LIMIT")


class QueryGrammar(FromGrammar):
    """Queries: SELECT, set operations, WITH, and to-stream operators around a query."""

    def at_query(self, in_from: bool = False) -> bool:
        """Whether a query begins here, perhaps in parentheses; in FROM anything may follow its last parenthesis."""
        return self.query_ahead() and not self.is_operand(in_from)

    def is_operand(self, in_from: bool) -> bool:
        """Whether the query in these parentheses is an operand of an expression, as in `((SELECT 1) > a)`."""
        opened: list[bool] = []
        leading = True
        for index in range(self._index, len(self._tokens)):
            kind = self._tokens[index].token_type
            leading = leading and kind == TokenType.L_PAREN
            if kind == TokenType.L_PAREN:
                opened.append(leading)
            elif kind == TokenType.R_PAREN and opened:
                around = opened.pop()
                must_end = around and (opened or not in_from)
                if must_end and not self.ends_query(index + 1):
                    return True
            if not opened:
                break
        return False

    def ends_query(self, index: int) -> bool:
        """Whether the token at an index can follow a query in parentheses."""
        if index >= len(self._tokens):
            return True
        token = self._tokens[index]
        words = (*UNIONS, "INTERSECT", "ORDER", "LIMIT", "OFFSET", "EMIT")
        return token.token_type == TokenType.R_PAREN or (is_word(token) and token.text.upper() in words)

    def query_ahead(self) -> bool:
        index = self._index
        while index < len(self._tokens) and self._tokens[index].token_type == TokenType.L_PAREN:
            index += 1
        if index == len(self._tokens) or not is_word(self._tokens[index]):
            return False
        word = self._tokens[index].text.upper()
        if word in ("SELECT", "WITH"):
            return True
        follows = self._tokens[index + 1].token_type if index + 1 < len(self._tokens) else None
        return word in TO_STREAM and follows == TokenType.L_PAREN

    def query(self) -> nodes.QueryNode:
        return self.parse_nested(self.with_query)

    def with_query(self) -> nodes.QueryNode:
        start = self._curr
        if not self.take_word("WITH"):
            return self.set_operations()
        if self.at_word("RECURSIVE"):
            self.fail("a recursive WITH is not part of CQL")
        named = self.several(self.parse_with_item)
        return self.mark(start, nodes.With(expressions=named, this=self.set_operations()))

    def parse_with_item(self) -> nodes.Named:
        start = self._curr
        name = self.name("a name for the subquery of WITH")
        columns = self.in_parens(lambda: self.names("a column's name"), "") if self.at(TokenType.L_PAREN) else None
        self.expect_word("AS", "after the name in WITH")
        query = self.in_parens(self.query, "around the subquery of WITH")
        return self.mark(start, nodes.Named(this=name, columns=columns, query=query))

    # Set operations -----------------------------------------------------------------------------------

    def set_operations(self) -> nodes.QueryNode:
        start = self._curr
        left = self.set_operation(UNIONS, lambda: self.set_operation(("INTERSECT",), self.one))
        if self.at_word("ORDER", "BY") or self.at_word("LIMIT"):
            if isinstance(left, nodes.ToStream):
                self.fail(
                    f"{self.describe_token().upper()} cannot be used after {left.args['kind']}(…)",
                    hint="a stream has no order; put it inside the parentheses",
                )
            self.order_and_limit(left)
            self.mark(start, left)
        if self.at_word("EMIT"):
            self.emit(left)
            self.mark(start, left)
        self.clause_in_place()
        return left

    def set_operation(self, words: tuple[str, ...], operand: Callable[[], nodes.QueryNode]) -> nodes.QueryNode:
        start = self._curr
        left = operand()
        while is_word(self._curr) and (word := self._curr.text.upper()) in words:
            self._advance()
            every = self.take_word("ALL")
            if not every:
                self.take_word("DISTINCT")
            kind = "EXCEPT" if word == "MINUS" else word
            by_name = self.take_word("BY", "NAME")
            if by_name and kind != "UNION":
                self.fail(f"{kind} BY NAME is not part of CQL", start, hint="BY NAME goes with UNION")
            operation = nodes.SetOperation(kind=kind, all=every or None, by_name=by_name or None, left=left)
            operation.set("right", operand())
            left = self.mark(start, operation)
        return left

    def one(self) -> nodes.QueryNode:
        """A SELECT, a query in parentheses, or a to-stream operator around one."""
        start = self._curr
        if self.at_word("SELECT"):
            return self.select()
        if self.take(TokenType.L_PAREN):
            inside = self.query()
            self.expect(TokenType.R_PAREN, ") at the end of the query")
            return inside
        if is_word(start) and start.text.upper() in TO_STREAM and self._next.token_type == TokenType.L_PAREN:
            self._advance(2)
            if not self.at_query():
                self.fail_expected(f"a query inside {start.text.upper()}(…)", ["SELECT"])
            inside = self.query()
            self.expect(TokenType.R_PAREN, f") at the end of {start.text.upper()}(…")
            return self.mark(start, nodes.ToStream(kind=start.text.upper(), this=inside))
        self.fail_expected("a query", ("SELECT", *TO_STREAM))

    def order_and_limit(self, query: nodes.QueryNode) -> None:
        """ORDER BY … LIMIT … OFFSET … behind a query."""
        if query.args.get("order") or query.args.get("limit"):
            self.fail(f"a second {self.describe_token().upper()} on one query")
        if self.take_word("ORDER", "BY"):
            query.set("order", [self.order_key()] if self.at_word("ALL") else self.several(self.order_key))
        if self.take_word("LIMIT"):
            query.set("limit", self.row_count("LIMIT"))
        if self.take_word("OFFSET"):
            query.set("offset", self.row_count("OFFSET"))
        if is_word(self._curr) and self._curr.text.upper() in (*UNIONS, "INTERSECT"):
            self.fail(
                f"{self.describe_token().upper()} after ORDER BY or LIMIT", hint="put the limited query in parentheses"
            )

    def emit(self, query: nodes.QueryNode) -> None:
        """EMIT CHANGES behind a SELECT; EMIT FINAL and EMIT ON WINDOW CLOSE say what is so without them."""
        start = self._curr
        self._advance()
        if self.take_word("FINAL") or self.take_word("ON", "WINDOW", "CLOSE"):
            return
        self.expect_word("CHANGES", "after EMIT")
        if not isinstance(query, nodes.Select):
            self.fail("EMIT CHANGES goes behind a SELECT", start, hint="put it into the SELECT that has the windows")
        query.set("emit", "CHANGES")

    def row_count(self, word: str) -> exp.Expr:
        token = self._curr
        count = self.whole_number(f"a whole number of rows after {word}")
        if count > MOST_ROWS:
            self.fail(f"{word} {count} is too large", token)
        return self.mark(token, exp.Literal.number(count))

    def order_key(self) -> exp.Expr:
        start = self._curr
        value = self.all_items() if self.at_word("ALL") else self.scalar()
        descending = self.take_word("DESC")
        if not descending:
            self.take_word("ASC")
        # Spark's default: nulls come first when ascending, last when descending.
        nulls_first = not descending
        if self.take_word("NULLS"):
            nulls_first = self.take_word("FIRST")
            if not nulls_first:
                self.expect_word("LAST", "or FIRST after NULLS")
        return self.mark(start, exp.Ordered(this=value, desc=descending, nulls_first=nulls_first))

    def all_items(self) -> exp.Expr:
        """The ALL of GROUP BY ALL and ORDER BY ALL."""
        start = self._curr
        self._advance()
        return self.mark(start, exp.Var(this="ALL"))

    # SELECT -------------------------------------------------------------------------------------------

    def select(self) -> nodes.Select:
        start = self._curr
        self._advance()
        select = nodes.Select()
        distinct = self.take_word("DISTINCT")
        if not distinct:
            self.take_word("ALL")
        self.select_list(select, distinct)
        if self.take_word("FROM"):
            select.set("from_", self.from_items())
        if self.take_word("WHERE"):
            select.set("where", self.scalar())
        if self.take_word("GROUP"):
            self.expect_word("BY", "after GROUP")
            select.set("group", [self.all_items()] if self.at_word("ALL") else self.several(self.scalar))
        if self.take_word("HAVING"):
            select.set("having", self.scalar())
        self.over_clauses(select)
        return self.mark(start, select)

    def clause_in_place(self) -> None:
        """Fail if a clause begins here that must stand earlier in the query, such as WHERE behind GROUP BY."""
        for words in AFTER_SELECT:
            if self.at_word(*words.split()):
                self.fail(
                    f"{words} is out of order or repeated",
                    hint="the order is SELECT, FROM, WHERE, GROUP BY, HAVING, QUALIFY, ORDER BY, LIMIT",
                )

    def select_list(self, select: nodes.Select, distinct: bool) -> None:
        start = self._curr
        word = start.text.upper()
        if is_word(start) and word in TO_STREAM and self._next.token_type == TokenType.L_PAREN:
            if distinct:
                self.fail(f"DISTINCT goes inside {word}", hint=f"write SELECT {word}(DISTINCT …)")
            self._advance(2)
            select.set("to_stream", word)
            distinct = self.take_word("DISTINCT")
            select.set("expressions", self.several(lambda: self.select_item(select)))
            self.expect(TokenType.R_PAREN, f") at the end of {word}(…")
            if self.at(TokenType.COMMA):
                self.fail(f"{word} takes the whole select list", start, hint=f"write SELECT {word}(a, b, …)")
        else:
            select.set("expressions", self.several(lambda: self.select_item(select)))
        select.set("distinct", distinct or None)

    def select_item(self, select: nodes.Select) -> exp.Expr:
        """An expression with an alias; a FREQUENCY may stand before or behind the last one's alias."""
        start = self._curr
        value = self.scalar()
        self.select_frequency(select)
        alias = self.alias("a column's name")
        self.select_frequency(select)
        if select.args.get("frequency") and self.at(TokenType.COMMA):
            self.fail("FREQUENCY goes after the last item of the select list")
        if alias is None:
            return value
        return self.mark(start, exp.Alias(this=value, alias=alias))

    def select_frequency(self, select: nodes.Select) -> None:
        if self.at(TokenType.L_BRACKET):
            if select.args.get("frequency"):
                self.fail("FREQUENCY twice on one select list")
            select.set("frequency", self.frequency_brackets())
