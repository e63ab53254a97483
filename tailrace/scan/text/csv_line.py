r"""Csv line: splits a line with quoted values as Spark's csv parser does, with all its oddities.

A value is quoted if it begins with a quote. Inside, a backslash escapes a quote or a backslash. Blanks between the
closing quote and the separator are dropped. If anything else follows a closing quote, the value is taken as it stands,
quotes included, up to the next separator. Lines without a value that begins with a quote need no such care: they are
split at every separator.

>>> split_line('1,"a, b" ,"c"d,', ",")
['1', 'a, b', '"c"d', None]
>>> split_line('"say \\"yes\\"",""', ",")
['say "yes"', '']
"""

from __future__ import annotations

from tailrace.scan.scan_spec import NotScannable

QUOTE, ESCAPE, NOTHING = '"', "\\", "\0"
BLANK = " "  # it and all control characters before it are blanks
MOST_COLUMNS = 20_480  # of a line; Spark fails where there are more


def split_line(line: str, separator: str) -> list[str | None]:
    """The values of a line; None where there is nothing between separators, an empty text where quotes are empty."""
    values = QuotedLine(line, separator).split()
    if len(values) > MOST_COLUMNS:
        raise NotScannable(f"a line has more than {MOST_COLUMNS} columns")
    return values


class LineEnd(Exception):
    """The line ended while a value was read."""


class QuotedLine:
    """A state machine over the characters of a line: the current one, the one before it, and the value so far.

    After an escaped character the one before counts as NOTHING. The line's end may come in any state.
    """

    def __init__(self, line: str, separator: str) -> None:
        self.line, self.separator = line, separator
        self.place = 0
        self.current = self.before = NOTHING
        self.after_quote = False  # an unescaped quote was met inside the value
        self.value: list[str] = []
        self.values: list[str | None] = []

    def split(self) -> list[str | None]:
        try:
            self.advance()
            while True:
                self.read_value()
                self.advance()
        except LineEnd:
            self.end_line()
        return self.values

    def advance(self) -> None:
        if self.place == len(self.line):
            raise LineEnd
        self.current = self.line[self.place]
        self.place += 1

    def end_value(self) -> None:
        self.values.append("".join(self.value))
        self.value = []

    def end_line(self) -> None:
        """Add what the line's end cut off."""
        is_closed = False
        if self.current == QUOTE:
            is_closed = self.before == QUOTE
            if not is_closed and not self.after_quote:
                self.value.append(QUOTE)
        if is_closed or (self.before != NOTHING and self.current != self.separator) or self.value:
            self.end_value()
        else:
            self.values.append(None)

    def read_value(self) -> None:
        """Read a value; the current character is its first one, and then the separator behind it."""
        if self.current == self.separator:
            self.values.append(None)
            return
        self.after_quote, self.before = False, NOTHING
        if self.current == QUOTE:
            self.read_quoted()
        else:
            self.take_until(self.separator)
        self.end_value()

    def take_until(self, *stops: str) -> None:
        """Add the current character and those behind it to the value, up to one of these."""
        found = [place for stop in stops if (place := self.line.find(stop, self.place - 1)) >= 0]
        end = min(found, default=len(self.line))
        self.value.append(self.line[self.place - 1 : end])
        self.place = end
        self.advance()

    def take_rest(self) -> None:
        """Take the value as it stands, with its opening quote, up to the separator."""
        self.value.insert(0, QUOTE)
        self.advance()
        if self.current != self.separator:
            self.take_until(self.separator)

    def read_quoted(self) -> None:
        self.advance()
        while not (self.before == QUOTE and (self.current <= BLANK or self.current == self.separator)):
            if self.current not in (QUOTE, ESCAPE):
                if self.before == QUOTE:
                    self.after_quote = True
                    self.value += (QUOTE, self.current)
                    self.before = self.current
                    self.take_rest()
                    return
                if self.before == ESCAPE:
                    self.value.append(ESCAPE)
                self.take_until(QUOTE, ESCAPE)
                self.before = self.current
                self.advance()
            else:
                self.read_special()
                self.before = self.current
                self.advance()
                if self.after_quote and self.current == self.separator:
                    return
        if self.current != self.separator:
            self.read_blanks()

    def read_blanks(self) -> None:
        """Skip blanks behind a closing quote; if more follows, they and the quotes belong to the value."""
        begin = self.place - 1
        while self.current <= BLANK and self.current != self.separator:
            self.advance()
        if self.current != self.separator:
            self.value += (QUOTE, self.line[begin : self.place - 1], self.current)
            self.before = self.current
            self.take_rest()

    def read_special(self) -> None:
        """Read a quote or an escape inside a value."""
        if self.before == ESCAPE:
            # The current character is escaped: it is a quote or an escape.
            self.value.append(self.current)
            self.current = NOTHING
        elif self.before == QUOTE and self.current == QUOTE:
            self.value.append(QUOTE)
        elif self.before == QUOTE:
            # An escape follows a closing quote: the value goes on as if it were not quoted.
            self.value.append(QUOTE)
            self.before = self.current
            self.read_unquoted()

    def read_unquoted(self) -> None:
        """Read on behind an unescaped quote, up to the separator."""
        while self.current != self.separator:
            if self.current not in (QUOTE, ESCAPE):
                if self.before == QUOTE:
                    self.value.append(QUOTE)
                    self.before = self.current
                    continue
                self.value.append(self.current)
            else:
                self.read_special()
            self.before = self.current
            self.advance()
