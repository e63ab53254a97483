r"""Shell input: splits lines into statements and commands, and reads lines from a terminal with history and completion.

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

from tailrace.language.dialects.blocks import closes_block, opens_block

PIECE = re.compile(
    r"""'(?:[^'\\]|\\.)*(?:'|\Z)"""  # a string
    r"""|"(?:[^"\\]|\\.)*(?:"|\Z)"""
    r"|`[^`]*(?:`|\Z)"  # a quoted name
    r"|--[^\n]*|/\*.*?(?:\*/|\Z)"  # a comment
    r"|;|[^;'\"`/-]+|.",
    re.DOTALL,
)
PROMPT, MORE = "tailrace=> ", "tailrace-> "
REMEMBERED = 1000  # entries of the history
NEW_LINE = "\x01"  # replaces line ends within an entry: the history file has one entry per line


@dataclass(frozen=True)
class InputPiece:
    """A statement with its semicolon, or a command. `start` is its offset in all text that was read."""

    text: str
    start: int = 0

    @property
    def is_command(self) -> bool:
        return self.text.startswith("\\")


def ends(text: str) -> list[int]:
    """The offsets at which the statements of a text end, each after its semicolon.

    >>> ends("SELECT ';' FROM S; -- so; far"), ends("SELECT 'a;")
    ([18], [])
    """
    return [match.end() for match in PIECE.finditer(text) if match.group() == ";"]


def piece_ends(text: str) -> list[int]:
    """The offsets at which statements end; one that is inside BEGIN … END ends with the block.

    >>> piece_ends("BEGIN; SHOW VIEWS; END; SHOW QUERIES;"), piece_ends("BEGIN; SHOW VIEWS;")
    ([23, 37], [])
    """
    found, begin, is_open = [], 0, False
    for end in ends(text):
        piece = text[begin:end]
        is_open = (is_open or opens_block(piece)) and not closes_block(piece)
        begin = end
        if not is_open:
            found.append(end)
    return found


def is_blank(text: str) -> bool:
    """Whether a text holds nothing but spaces and comments.

    >>> is_blank(" -- nothing"), is_blank("/* ; */ ;"), is_blank("SHOW")
    (True, False, False)
    """
    return all(match.group().isspace() or match.group().startswith(("--", "/*")) for match in PIECE.finditer(text))


class Reader:
    """Splits lines into statements; keeps the text read so far, whose last statement may not have ended yet."""

    def __init__(self) -> None:
        self.text = ""
        self.taken = 0  # the offset up to which statements were handed out

    @property
    def pending_text(self) -> str:
        return self.text[self.taken :]

    @property
    def within(self) -> bool:
        """Whether a statement has begun and not ended."""
        return not is_blank(self.pending_text)

    def take(self, line: str) -> Iterator[InputPiece]:
        """Read one more line, given without its end. Yields the statements it completes, or the command that it is."""
        start = len(self.text)
        self.text += line + "\n"
        if line.lstrip().startswith("\\") and not self.within_text(start):
            # The command is blanked out, so that a statement begun before it goes on after it.
            command = InputPiece(line.strip(), start + len(line) - len(line.lstrip()))
            self.text = self.text[:start] + " " * len(line) + "\n"
            yield command
            return
        begin = self.taken
        for end in [begin + place for place in piece_ends(self.pending_text)]:
            piece = InputPiece(self.text[self.taken : end], self.taken)
            self.taken = end
            yield piece

    def within_text(self, start: int) -> bool:
        """Whether an offset lies within a string, a quoted name or a block comment."""
        found = [match for match in PIECE.finditer(self.text, self.taken) if match.start() < start < match.end()]
        return any(match.group()[0] in "'\"`" or match.group().startswith("/*") for match in found)

    def forget(self) -> None:
        """Drop all text read so far, also a statement that has begun."""
        self.text, self.taken = "", 0

    def rest(self) -> Iterator[InputPiece]:
        """At the end of the input, yield the last statement if it has no semicolon."""
        if self.within:
            yield InputPiece(self.pending_text, self.taken)
        self.taken = len(self.text)


# The terminal ---------------------------------------------------------------------------------------------


class Terminal:
    """Reads lines from a person through readline, which edits them, keeps a history and completes names."""

    def __init__(self, complete: Callable[[str, str], list[str]]) -> None:
        import readline

        self.readline = readline
        self.complete = complete
        self.before = ""  # the statement's lines before the one that is edited
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
        """Read one more line. Raises EOFError at the end of the input, and KeyboardInterrupt at Ctrl-C."""
        self.before = before
        return input(MORE if before else PROMPT)

    def completion(self, word: str, number: int) -> str | None:
        if number == 0:
            line = self.readline.get_line_buffer()
            start = self.readline.get_begidx()
            self.found = self.complete(self.before + line[:start], word)
        return self.found[number] if number < len(self.found) else None

    def remember(self, entry: str) -> None:
        """Add a statement or command, with all its lines, to the history as one entry."""
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
    """Open a text in the editor of $VISUAL or $EDITOR. Returns what the person made of it."""
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
