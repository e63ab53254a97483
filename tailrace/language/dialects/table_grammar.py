"""Table grammar: columns and options of statements, and Flink's CREATE TABLE … WITH and INSERT INTO."""

from __future__ import annotations

from sqlglot import exp
from sqlglot.tokens import TokenType

from tailrace.language import nodes
from tailrace.language.queries import QueryGrammar
from tailrace.language.tokens import is_word

WITHOUT_WITH = "CREATE STREAM or CREATE RELATION declares a source: USING csv OPTIONS (path '…')"


class TableGrammar(QueryGrammar):
    """Columns and options, which CREATE STREAM, CREATE QUERY and CREATE TABLE share, and tables as Flink has them."""

    # CREATE TABLE -------------------------------------------------------------------------------------

    def create_table(self, name: exp.Identifier) -> nodes.CreateTable:
        table = nodes.CreateTable(this=name, columns=[])
        if not self.at(TokenType.L_PAREN) and self.at_word("AS"):
            self.fail("CREATE TABLE … AS is not part of CQL", hint="CREATE QUERY name AS … is kept up to date")
        if self.at_word("LIKE"):
            self.fail("CREATE TABLE … LIKE is not part of CQL", hint="SHOW CREATE name shows what to copy")
        self.in_parens(lambda: self.several(lambda: self.table_element(table)), "before the columns")
        if not self.take_word("WITH"):
            if self.at_end():
                self.fail("a CREATE TABLE needs WITH ('connector' = …)", hint=WITHOUT_WITH)
            self.refuse_table_clause()
            self.fail_expected("WITH ('connector' = …) after the columns", ("WITH",))
        table.set("options", self.in_parens(lambda: self.several(self.option), "after WITH"))
        return table

    def refuse_table_clause(self) -> None:
        """Refuse what may stand between the columns and WITH elsewhere, and say what is written instead."""
        if self.at_word("PARTITIONED"):
            self.fail("PARTITIONED BY is not part of CREATE TABLE here", hint="folders such as day=1 are columns")
        if self.at_word("COMMENT"):
            self.fail("COMMENT is not part of CREATE TABLE here", hint="write it as -- a comment")
        if self.at_word("USING"):
            self.fail("CREATE TABLE … USING is not part of CQL", hint="write CREATE RELATION in place of CREATE TABLE")

    def table_element(self, table: nodes.CreateTable) -> None:
        """A column, a computed column, a WATERMARK or a PRIMARY KEY."""
        if self.at_word("WATERMARK", "FOR"):
            if table.args.get("watermark"):
                self.fail("WATERMARK twice in one statement")
            table.set("watermark", self.watermark())
        elif self.at_word("PRIMARY", "KEY"):
            if table.args.get("primary_key"):
                self.fail("PRIMARY KEY twice in one statement")
            self._advance(2)
            table.set("primary_key", self.in_parens(lambda: self.names("a column's name"), "after PRIMARY KEY"))
            if self.take_word("NOT"):
                self.expect_word("ENFORCED", "after NOT")
        else:
            self.table_column(table)

    def table_column(self, table: nodes.CreateTable) -> None:
        start = self._curr
        name = self.name("a column's name")
        if self.take_word("AS"):
            table.append("proctimes", self.proctime(name))
            return
        column = self.mark(start, nodes.ColumnType(this=name, type=self.type_name()))
        table.append("columns", column)
        if self.at_word("METADATA"):
            self.fail("METADATA columns are not part of CQL", hint="list the source's own column: timestamp TIMESTAMP")
        if self.take_word("NOT"):
            self.expect_word("NULL", "after NOT")
        if self.take_word("PRIMARY"):
            self.expect_word("KEY", "after PRIMARY")
            table.set("primary_key", [name.copy()])
            if self.take_word("NOT"):
                self.expect_word("ENFORCED", "after NOT")

    def proctime(self, name: exp.Identifier) -> exp.Identifier:
        """PROCTIME(), the one computed column that there is."""
        if not self.at_word("PROCTIME"):
            self.fail(
                f"{name.name} is computed, and a table has only PROCTIME() for that",
                hint=f"compute it in a view: CREATE VIEW … AS SELECT …, … AS {name.name} FROM …",
            )
        self._advance()
        self.expect(TokenType.L_PAREN, "( after PROCTIME")
        self.expect(TokenType.R_PAREN, ")")
        return name

    def watermark(self) -> nodes.WatermarkClause:
        """WATERMARK FOR ts AS ts [- INTERVAL '5' SECOND]."""
        start = self._curr
        self._advance(2)
        column = self.name("the timestamp's column")
        self.expect_word("AS", f"after WATERMARK FOR {column.name}")
        again, token = self.name("the same column"), self._prev
        if again.name.lower() != column.name.lower():
            self.fail(f"the watermark of {column.name} is {column.name} less an interval", token)
        watermark = nodes.WatermarkClause(this=column)
        if self.take(TokenType.DASH):
            watermark.set("delay", self.duration("the delay of a watermark"))
        return self.mark(start, watermark)

    # INSERT INTO --------------------------------------------------------------------------------------

    def insert(self) -> nodes.Insert:
        if self.at_word("OVERWRITE"):
            self.fail("INSERT OVERWRITE is not part of CQL", hint="the option mode 'snapshot' replaces the rows")
        self.expect_word("INTO", "after INSERT")
        self.take_word("TABLE")
        name = self.name("the table's name")
        if self.at(TokenType.L_PAREN) and not self.query_ahead():
            self.fail(
                "a list of columns is not part of INSERT INTO here",
                hint="select all columns of the table, in its order; NULL for those that have no value",
            )
        if self.at_word("VALUES"):
            self.fail("INSERT INTO … VALUES is not part of CQL", hint="rows come from sources: write them to a file")
        if not self.at_query():
            self.fail_expected("a query", ("SELECT",))
        return nodes.Insert(this=name, query=self.query())

    # Columns and options ------------------------------------------------------------------------------

    def column_type(self) -> nodes.ColumnType:
        start = self._curr
        name = self.name("a column's name")
        return self.mark(start, nodes.ColumnType(this=name, type=self.type_name()))

    def options(self) -> list[nodes.Option] | None:
        if not self.take_word("OPTIONS"):
            return None
        return self.in_parens(lambda: self.several(self.option), "after OPTIONS")

    def option(self) -> nodes.Option:
        start = self._curr
        key = self.parse_dotted_name("an option's name")
        self.take(TokenType.EQ)
        return self.mark(start, nodes.Option(this=key, value=self.value(f"a value for the option {key}")))

    def parse_dotted_name(self, what: str) -> str:
        """A name such as a.b.c, or the same in quotes."""
        if self.take(TokenType.STRING):
            return str(self._prev.text)
        parts = [self.name(what).name]
        while self.take(TokenType.DOT):
            parts.append(self.name(what).name)
        return ".".join(parts)

    def value(self, what: str) -> str:
        """A text, number or word."""
        sign = "-" if self.take(TokenType.DASH) else ""
        if not (self.at(TokenType.STRING) or self.at(TokenType.NUMBER) or is_word(self._curr)):
            self.fail_expected(what)
        self._advance()
        return sign + str(self._prev.text)
