"""Windows: the grammar of windows and frequencies in brackets, and of SAMPLE behind a stream's name."""

from __future__ import annotations

from sqlglot import exp
from sqlglot.tokens import TokenType

from tailrace.language import nodes
from tailrace.language.lengths import LengthGrammar
from tailrace.language.tokens import is_word

KINDS = ("NOW", "RANGE", "ROWS", "PARTITION", "FREQUENCY", "SAMPLE", "TUMBLE", "HOP", "CUMULATE", "SESSION")
PANES = ("TUMBLE", "HOP", "CUMULATE")
MOST_SEED = 2**63 - 1


class WindowGrammar(LengthGrammar):
    """Sliding, partitioned and jumping windows, windows with a start and an end, frequencies and samples."""

    def window(self) -> nodes.Window:
        start = self._curr
        self._advance()
        window = nodes.Window()
        if self.take_word("NOW"):
            window.set("kind", "NOW")
        elif self.at_word("PARTITION") or self.at_word("ROWS"):
            self.row_window(window)
        elif self.at_word("RANGE") or self.at_word("FREQUENCY"):
            self.range_window(window)
        elif self.take_word("SAMPLE"):
            self.reservoir(window)
        elif is_word(self._curr) and self._curr.text.upper() in (*PANES, "SESSION"):
            self.pane_window(window)
        else:
            self.fail_expected("a window: NOW, RANGE, ROWS, PARTITION BY, TUMBLE, HOP, SESSION or another", KINDS)
        self.expect(TokenType.R_BRACKET, "] at the end of the window")
        return self.mark(start, window)

    def row_window(self, window: nodes.Window) -> None:
        """[PARTITION BY a, b] ROWS n [SLIDE m], or SESSION behind PARTITION BY."""
        if self.take_word("PARTITION"):
            self.expect_word("BY", "after PARTITION")
            window.set("partition", self.window_columns())
            if self.at_word("SESSION"):
                self.pane_window(window)
                return
        self.expect_word("ROWS", "after the columns of PARTITION BY")
        window.set("kind", "ROWS")
        if self.take_word("UNBOUNDED"):
            return
        window.set("size", self.count("ROWS"))
        if self.take_word("SLIDE"):
            window.set("slide", self.count("SLIDE"))

    def pane_window(self, window: nodes.Window) -> None:
        """TUMBLE t, HOP t EVERY l, CUMULATE t EVERY l or SESSION gap, each with OFFSET o."""
        word = self._curr.text.upper()
        self._advance()
        window.set("kind", word)
        window.set("size", self.duration(word))
        if word in ("HOP", "CUMULATE"):
            self.expect_word("EVERY", f"after the length of {word}")
            window.set("slide", self.duration("EVERY"))
        if word != "SESSION" and self.take_word("OFFSET"):
            window.set("offset", self.duration("OFFSET"))

    def range_window(self, window: nodes.Window) -> None:
        """RANGE t [SLIDE l], FREQUENCY f, or both with a comma, in either order."""
        while True:
            if self.at_word("RANGE") and not window.args.get("kind"):
                self.range(window)
            elif self.at_word("FREQUENCY") and not window.args.get("frequency"):
                window.set("frequency", self.frequency())
            else:
                self.fail_expected("RANGE or FREQUENCY, each once", ("RANGE", "FREQUENCY"))
            if not self.take(TokenType.COMMA):
                return

    def range(self, window: nodes.Window) -> None:
        self._advance()
        window.set("kind", "RANGE")
        if self.take_word("UNBOUNDED"):
            return
        window.set("size", self.duration("RANGE"))
        if self.take_word("SLIDE"):
            window.set("slide", self.duration("SLIDE"))

    def reservoir(self, window: nodes.Window) -> None:
        """SAMPLE n ROWS [SEED s]."""
        window.set("kind", "SAMPLE")
        window.set("size", self.count("SAMPLE"))
        if self.at_word("PERCENT"):
            self.fail(
                "a SAMPLE in brackets takes a number of ROWS",
                hint="a percentage goes before the window: S SAMPLE 10 PERCENT [RANGE …]",
            )
        self.expect_word("ROWS", "after the number of SAMPLE")
        window.set("seed", self.seed())

    def sample(self) -> nodes.Sample:
        """SAMPLE p PERCENT [SEED s] behind a stream's name."""
        start = self._curr
        self._advance()
        percent = self.size("SAMPLE")
        if self.at_word("ROWS"):
            self.fail("a SAMPLE of a number of ROWS goes in brackets", hint=f"write [SAMPLE {percent} ROWS]")
        self.expect_word("PERCENT", "after the number of SAMPLE")
        return self.mark(start, nodes.Sample(this=percent, seed=self.seed()))

    def seed(self) -> str | None:
        """SEED s or, as in SQL's TABLESAMPLE, REPEATABLE (s)."""
        if self.take_word("SEED"):
            return self.seed_number()
        if self.take_word("REPEATABLE"):
            return self.in_parens(self.seed_number, "after REPEATABLE")
        return None

    def seed_number(self) -> str:
        token = self._curr
        number = self.size("SEED")
        if not number.isdigit():
            self.fail("SEED takes a whole number", token)
        if int(number) > MOST_SEED:
            self.fail(f"a SEED is at most {MOST_SEED}", token)
        return number

    def frequency_brackets(self) -> nodes.Frequency:
        """The [FREQUENCY …] behind a select list."""
        self._advance()
        if not self.at_word("FREQUENCY"):
            self.fail_expected("FREQUENCY in the brackets after a select list", ["FREQUENCY"])
        found = self.frequency()
        self.expect(TokenType.R_BRACKET, "] at the end of the frequency")
        return found

    def frequency(self) -> nodes.Frequency:
        start = self._curr
        self._advance()
        found = nodes.Frequency(this=self.duration("FREQUENCY"))
        if not found.this.args.get("unit"):
            self.fail("a FREQUENCY needs a unit", start, hint="FREQUENCY 100 TUPLES or FREQUENCY 10 SECONDS")
        if self.take_word("PARTITIONED"):
            self.expect_word("BY", "after PARTITIONED")
            found.set("partition", self.window_columns())
        return self.mark(start, found)

    def window_columns(self) -> list[exp.Column]:
        """Columns after PARTITION BY, up to a comma that is followed by RANGE, FREQUENCY or another keyword."""
        found = [self.window_column()]
        while self.at(TokenType.COMMA) and not (is_word(self._next) and self._next.text.upper() in KINDS):
            self._advance()
            found.append(self.window_column())
        return found

    def window_column(self) -> exp.Column:
        start = self._curr
        name = self.name("a column's name")
        table = None
        if self.take(TokenType.DOT):
            table, name = name, self.name("a column's name")
        return self.mark(start, exp.Column(this=name, table=table))
