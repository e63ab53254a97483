"""Errors: one exception class per stage, each with the place in the script that it is about, and how it is printed.

>>> source = Source("SELECT vv FROM S", "a.cql")
>>> print(source.show(AnalysisError("no column vv in S", TextSpan(7, 9), hint="did you mean v?")))
a.cql:1:8: error: no column vv in S
  SELECT vv FROM S
         ^^
  hint: did you mean v?
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches


@dataclass(frozen=True)
class TextSpan:
    """A stretch of a script: offsets of its first character and of the one after its last."""

    start: int
    end: int


def printable(text: str) -> str:
    """The text on one line: line breaks and other unprintable characters are written as Python's escapes."""
    return "".join(char if char.isprintable() else char.encode("unicode_escape").decode() for char in text)


class TailraceError(Exception):
    """The base of every error that Tailrace raises on purpose: something the user can repair."""

    def __init__(self, message: str, place: TextSpan | None = None, hint: str | None = None) -> None:
        message = printable(message)
        super().__init__(message)
        self.message = message
        self.place = place
        self.hint = printable(hint) if hint else None


class ParseError(TailraceError):
    """The text is not CQL."""


class CatalogError(TailraceError):
    """A statement does not fit what is already declared: a name taken, missing or still in use."""


class AnalysisError(TailraceError):
    """A query parses but has no meaning: an unknown column, types that do not fit, a misplaced window."""


class SettingError(TailraceError):
    """A SET names a setting that does not exist, or a value that the setting cannot have."""


class RunError(TailraceError):
    """A correct script failed while it ran: a file does not exist, a Spark master does not answer."""


class StateError(RunError):
    """A file of a checkpoint is damaged, gone or of another version, or cannot be used: no query is to blame for that.

    Workers raise it too. The driver knows it by its name in the text of Spark's exception.
    """


class QueryError(RunError):
    """Queries failed while a run goes on: their names, and a row with which they fail, if one is known.

    It `names_all` if each of them fails by itself too; otherwise some may only share what was computed for another.
    """

    def __init__(
        self,
        message: str,
        queries: Sequence[str],
        hint: str | None = None,
        failing_row: str | None = None,
        names_all: bool = False,
    ) -> None:
        super().__init__(message, hint=hint)
        self.queries = tuple(queries)
        self.failing_row = failing_row
        self.names_all = names_all or len(self.queries) == 1


class EndlessPatternError(QueryError):
    """Regular expressions of queries took too long in Java. To try each query by itself would cost a core for each."""


class UnknownValueError(Exception):
    """The value of a query template's parameter was asked for: queries of this template must be planned one by one."""


class ErrorGroup(TailraceError):
    """Several independent problems of one statement, reported together."""

    def __init__(self, problems: Sequence[TailraceError]) -> None:
        super().__init__("; ".join(problem.message for problem in problems))
        self.problems = tuple(problems)


class ScriptError(TailraceError):
    """All the problems of one script."""

    def __init__(self, problems: Sequence[TailraceError], source: Source) -> None:
        super().__init__("a script that is wrong")
        self.problems = tuple(problems)
        self.source = source
        self.message = "\n".join(source.show(problem) for problem in problems)

    def __str__(self) -> str:
        return self.message


@dataclass(frozen=True)
class Source:
    """A script's text, and the name that messages give it: usually its file's."""

    text: str
    name: str = "<script>"

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column of an offset, both counted from 1."""
        before = self.text[:offset]
        return before.count("\n") + 1, offset - (before.rfind("\n") + 1) + 1

    def show(self, error: TailraceError) -> str:
        """The error as `file:line:column: error: message`, its line, a caret below the place, and the hint."""
        if error.place is None:
            lines = [f"{self.name}: error: {error.message}"]
        else:
            lines = self._point_at(error.message, error.place)
        if error.hint:
            lines.append(f"  hint: {error.hint}")
        return "\n".join(lines)

    def _point_at(self, message: str, place: TextSpan) -> list[str]:
        number, column = self.position(place.start)
        line = self.text.split("\n")[number - 1].rstrip("\r")
        width = max(1, min(place.end - place.start, len(line) - column + 1))
        # A tab stays a tab in the line of the caret: the caret then stands below its character in every editor.
        indent = "".join("\t" if char == "\t" else " " for char in line[: column - 1])
        return [f"{self.name}:{number}:{column}: error: {message}", f"  {line}", f"  {indent}{'^' * width}"]


def did_you_mean(word: str, candidates: Iterable[str]) -> str | None:
    """A hint naming the candidate closest to `word`; None when nothing is close.

    >>> did_you_mean("vehicelId", ["vehicleId", "speed"])
    'did you mean vehicleId?'
    """
    by_lower = {candidate.lower(): candidate for candidate in candidates}
    close = get_close_matches(word.lower(), by_lower, n=1, cutoff=0.6)
    return f"did you mean {by_lower[close[0]]}?" if close else None
