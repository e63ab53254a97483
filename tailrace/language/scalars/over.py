"""Over: the grammar and the text of OVER: window functions, their frames, and the WINDOW and QUALIFY clauses."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from sqlglot import exp
from sqlglot.tokens import Token, TokenType

from tailrace.language import nodes
from tailrace.language.cursor import Cursor
from tailrace.language.tokens import is_name

if TYPE_CHECKING:
    from tailrace.language.generator import Generator

FRAME_UNITS = ("ROWS", "RANGE", "GROUPS")


class OverGrammar(Cursor):
    """`call OVER (PARTITION BY … ORDER BY … ROWS …)`, `WINDOW name AS (…)` and `QUALIFY condition`."""

    def scalar(self) -> exp.Expr:
        raise AssertionError("the grammar of expressions defines this")

    def bitwise(self, level: int = 0) -> exp.Expr:
        raise AssertionError("the grammar of expressions defines this")

    def order_key(self) -> exp.Expr:
        raise AssertionError("the query grammar defines this")

    def over(self, token: Token, call: exp.Expr, ignores: bool) -> exp.Expr:
        """A call with the IGNORE NULLS and OVER behind it; the call itself if neither follows."""
        ignores = self.null_treatment() or ignores
        behind = self._next
        if not self.at_word("OVER") or not (behind.token_type == TokenType.L_PAREN or is_name(behind)):
            if ignores:
                self.fail_expected("OVER after IGNORE NULLS", ["OVER"])
            return call
        self._advance()
        window = self.window_definition() if self.at(TokenType.L_PAREN) else self.name("a window's name")
        return self.mark(token, nodes.Over(this=call, window=window, ignore_nulls=ignores or None))

    def null_treatment(self) -> bool:
        """Step over IGNORE NULLS or RESPECT NULLS; whether NULLs are ignored."""
        return self.take_word("IGNORE", "NULLS") or (self.take_word("RESPECT", "NULLS") and False)

    def window_definition(self) -> nodes.WindowDefinition:
        """`([name] [PARTITION BY …] [ORDER BY …] [frame])`."""
        start = self._curr
        self.expect(TokenType.L_PAREN, "( before the window's definition")
        partition = order = frame = base = None
        opening = self.at_word("PARTITION", "BY") or self.at_word("ORDER", "BY") or self.at_frame()
        if not opening and self.at_name():
            base = self.name("a window's name")
        if self.take_word("PARTITION", "BY"):
            partition = self.several(self.scalar)
        if self.take_word("ORDER", "BY"):
            order = self.several(self.order_key)
        if self.at_frame():
            frame = self.frame()
        if not self.take(TokenType.R_PAREN):
            self.fail_expected(
                "PARTITION BY, ORDER BY, ROWS, RANGE, GROUPS or ) in OVER", ["PARTITION", "ORDER", *FRAME_UNITS]
            )
        definition = nodes.WindowDefinition(base=base, partition=partition, order=order, frame=frame)
        return self.mark(start, definition)

    def at_frame(self) -> bool:
        return any(self.at_word(unit) for unit in FRAME_UNITS) and self._next.token_type != TokenType.R_PAREN

    def frame(self) -> nodes.FrameClause:
        start = self._curr
        self._advance()
        if self.take_word("BETWEEN"):
            first = self.frame_end()
            self.expect_word("AND", "between the two ends of the frame")
            last = self.frame_end()
        else:
            first = self.frame_end()
            last = self.mark(start, nodes.FrameEnd(kind="CURRENT ROW"))
        if self.at_word("EXCLUDE"):
            self.fail("EXCLUDE is not part of a frame here", hint="leave it out, or subtract the row's own value")
        return self.mark(start, nodes.FrameClause(unit=start.text.upper(), first=first, last=last))

    def frame_end(self) -> nodes.FrameEnd:
        start = self._curr
        for kind in ("UNBOUNDED PRECEDING", "UNBOUNDED FOLLOWING", "CURRENT ROW"):
            if self.take_word(*kind.split()):
                return self.mark(start, nodes.FrameEnd(kind=kind))
        distance = self.bitwise()
        for kind in ("PRECEDING", "FOLLOWING"):
            if self.take_word(kind):
                return self.mark(start, nodes.FrameEnd(kind=kind, this=distance))
        self.fail_expected("PRECEDING or FOLLOWING", ("PRECEDING", "FOLLOWING"))

    def over_clauses(self, select: nodes.Select) -> None:
        """WINDOW and QUALIFY behind HAVING, in either order."""
        while self.at_word("WINDOW") or self.at_word("QUALIFY"):
            word = self._curr.text.upper()
            key = "windows" if word == "WINDOW" else "qualify"
            if select.args.get(key):
                self.fail(f"a second {word} on one query")
            self._advance()
            select.set(key, self.several(self.named_window) if key == "windows" else self.scalar())

    def named_window(self) -> nodes.NamedWindow:
        start = self._curr
        name = self.name("a window's name")
        self.expect_word("AS", "after the name in WINDOW")
        return self.mark(start, nodes.NamedWindow(this=name, window=self.window_definition()))


def over_text(gen: Generator, node: nodes.Over) -> str:
    ignores = " IGNORE NULLS" if node.args.get("ignore_nulls") else ""
    return f"{gen.sql(node.this)}{ignores} OVER {gen.sql(node, 'window')}"


def definition_text(gen: Generator, node: nodes.WindowDefinition) -> str:
    base, partition, order, frame = (node.args.get(key) for key in ("base", "partition", "order", "frame"))
    parts = (
        gen.sql(base) if base else "",
        f"PARTITION BY {gen.list_sql(partition)}" if partition else "",
        f"ORDER BY {gen.list_sql(order)}" if order else "",
        gen.sql(frame) if frame else "",
    )
    return f"({' '.join(part for part in parts if part)})"


def frame_text(gen: Generator, node: nodes.FrameClause) -> str:
    return f"{node.args['unit']} BETWEEN {gen.sql(node, 'first')} AND {gen.sql(node, 'last')}"


def frame_end_text(gen: Generator, node: nodes.FrameEnd) -> str:
    return f"{gen.sql(node, 'this')} {node.args['kind']}".lstrip()


def over_clauses_text(gen: Generator, node: nodes.Select) -> str:
    """The WINDOW and QUALIFY clauses of a SELECT."""
    windows, qualify = node.args.get("windows"), gen.sql(node, "qualify")
    return gen.clauses((f"WINDOW {gen.list_sql(windows)}" if windows else "", f"QUALIFY {qualify}" if qualify else ""))


OVER_TEXTS: dict[type[exp.Expr], Callable[..., str]] = {
    nodes.Over: over_text,
    nodes.WindowDefinition: definition_text,
    nodes.FrameClause: frame_text,
    nodes.FrameEnd: frame_end_text,
    nodes.NamedWindow: lambda gen, node: f"{gen.sql(node.this)} AS {gen.sql(node, 'window')}",
}
