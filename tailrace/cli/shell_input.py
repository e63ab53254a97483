r"""Shell input: lines to statements and commands, on a terminal with history and completion, or from a pipe.

A statement ends at its semicolon, over as many lines as it takes. A line that begins with a backslash is a command.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

PIECE = re.compile(
    r"""'(?:[^'\\]|\\.)*(?:'|\Z)"""  # a text
    r"""|"(?:[^"\\]|\\.)*(?:"|\Z)"""
    r"|`[^`]*(?:`|\Z)"  # a name
    r"|--[^\n]*|/\*.*?(?:\*/|\Z)"  # a comment
    r"|;|[^;'\"`/-]+|.",
    re.DOTALL,
)
PROMPT, MORE = "tailrace=> ", "tailrace-> "
REMEMBERED = 1000  # entries of the history
NEW_LINE = "\x01"  # stands for the end of a line in the history's file, which has an entry a line


@dataclass(frozen=True)
class InputPiece:
    """A statement with its semicolon, or a command; `start` tells where it stands in all that was read."""

    text: str
    start: int = 0

    @property
    def is_command(self) -> bool:
        return self.text.startswith("\\")


def ends(text: str) -> list[int]:
    """Where the statements of a text end, each after its semicolon.

    >>> ends("SELECT ';' FROM S; -- so; far"), ends("SELECT 'a;")
    ([18], [])
    """
    return [match.end() for match in PIECE.finditer(text) if match.group() == ";"]


def is_blank(text: str) -> bool:
    """Whether a text holds no more than comments.

    >>> is_blank(" -- nothing"), is_blank("/* ; */ ;"), is_blank("SHOW")
    (True, False, False)
    """
    return all(match.group().isspace() or match.group().startswith(("--", "/*")) for match in PIECE.finditer(text))


class Reader:
    """All that was read so far, and what of it waits for its semicolon."""

    def __init__(self) -> None:
        self.text = ""
        self.taken = 0  # up to here it was handed out

    @property
    def pending_text(self) -> str:
        return self.text[self.taken :]

    @property
    def within(self) -> bool:
        """Whether a statement has begun that has not ended."""
        return not is_blank(self.pending_text)

    def take(self, line: str) -> Iterator[InputPiece]:
        """One more line, without its end: the statements that it completes, or the command that it is."""
        start = len(self.text)
        self.text += line + "\n"
        if line.lstrip().startswith("\\") and not self.within_text(start):
            # What waits goes on after the command.
            command = InputPiece(line.strip(), start + len(line) - len(line.lstrip()))
            self.text = self.text[:start] + " " * len(line) + "\n"
            yield command
            return
        begin = self.taken
        for end in [begin + place for place in ends(self.pending_text)]:
            piece = InputPiece(self.text[self.taken : end], self.taken)
            self.taken = end
            yield piece

    def within_text(self, start: int) -> bool:
        """Whether a place lies within a text, a quoted name or a comment."""
        found = [match for match in PIECE.finditer(self.text, self.taken) if match.start() < start < match.end()]
        return any(match.group()[0] in "'\"`" or match.group().startswith("/*") for match in found)

    def forget(self) -> None:
        """What waits is not wanted any more."""
        self.text, self.taken = "", 0

    def rest(self) -> Iterator[InputPiece]:
        """What is left at the end of the input: a statement whose semicolon nobody wrote."""
        if self.within:
            yield InputPiece(self.pending_text, self.taken)
        self.taken = len(self.text)


# The terminal ---------------------------------------------------------------------------------------------


class Terminal:
    """Lines from a person, edited with readline, which keeps a history and completes names."""

    def __init__(self, complete: Callable[[str, str], list[str]]) -> None:
        import readline

        self.readline = readline
        self.complete = complete
        self.before = ""  # the lines before the one that is edited
        self.found: list[str] = []
        self.file = Path(os.environ.get("TAILRACE_HISTORY") or Path.home() / ".tailrace_history")
        readline.set_completer(self.completion)
        readline.set_completer_delims(" \t\n()[],;=<>+*/|'\"`")
        is_editline = "libedit" in (readline.__doc__ or "")
        readline.parse_and_bind("bind ^I rl_complete" if is_editline else "tab: complete")
        readline.set_auto_history(False)
        with suppress(OSError):
            for line in self.file.read_text(encoding="utf-8").splitlines():
                readline.add_history(line.replace(NEW_LINE, "\n"))

    def line(self, before: str) -> str:
        """One more line; EOFError at the end, KeyboardInterrupt when it is not wanted any more."""
        self.before = before
        return input(MORE if before else PROMPT)

    def completion(self, word: str, number: int) -> str | None:
        if number == 0:
            line = self.readline.get_line_buffer()
            start = self.readline.get_begidx()
            self.found = self.complete(self.before + line[:start], word)
        return self.found[number] if number < len(self.found) else None

    def remember(self, entry: str) -> None:
        """Keep a statement or command, with all its lines, as one entry."""
        entry = entry.strip()
        last = self.readline.get_current_history_length()
        if entry and self.readline.get_history_item(last) != entry:
            self.readline.add_history(entry)

    def save(self) -> None:
        count = self.readline.get_current_history_length()
        items = [self.readline.get_history_item(number) for number in range(1, count + 1)][-REMEMBERED:]
        with suppress(OSError):
            self.file.touch(mode=0o600)
            self.file.write_text("".join(item.replace("\n", NEW_LINE) + "\n" for item in items), encoding="utf-8")


def edit_text(text: str) -> str:
    """A text after somebody changed it in the editor of $VISUAL or $EDITOR."""
    import shlex
    import subprocess
    import tempfile

    editor = os.environ.get("VISUAL") or os.environ.get("EDITOR") or "vi"
    with tempfile.NamedTemporaryFile("w+", suffix=".cql", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        try:
            subprocess.run([*shlex.split(editor), file.name], check=False)
        except OSError as problem:
            print(f"error: {editor}: {problem.strerror}", file=sys.stderr)
        return Path(file.name).read_text(encoding="utf-8")
