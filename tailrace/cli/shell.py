r"""Shell: `tailrace shell`, which runs statements that a person types, or that come from a pipe, and shows results.

At a terminal, a SELECT runs in an engine of its own, from the first row that its sources have, and ends when it is
stopped. A query of CREATE QUERY runs in the shell's engine and goes on in the background. From a pipe, every query runs
once over the rows that are there now: a SELECT at once, the others at the end of the input.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path

import tailrace
from tailrace.cli import shell_commands as look
from tailrace.cli.shell_input import InputPiece, Reader, Terminal, edit_text, is_blank
from tailrace.cli.shell_results import LiveResults, LiveTable, interruptible, rows_of
from tailrace.deep_stack import on_deep_stack
from tailrace.engine.completion import complete_word, completions, is_query
from tailrace.engine.engine import Engine, Query
from tailrace.engine.explain import derived_text
from tailrace.engine.internals import fork_without_queries, on_each_query, script_of
from tailrace.errors import RunError, ScriptError, Source, TailraceError, TextSpan, did_you_mean
from tailrace.logical.queries import Definition

DONE, FAILED, WRONG = 0, 1, 2
WITH_NAME = {"\\plan": "NAME", "\\watch": "NAME", "\\now": "NAME", "\\i": "FILE"}
LISTS = {f"\\d{letter}": letter for letter in ("", *look.KINDS)}


class Shell:
    """An engine and the text typed so far. `live`: a person sits at a terminal and can stop a result."""

    def __init__(self, folder: str | None, master: str, live: bool) -> None:
        self.engine = Engine(None, folder)
        self.master = master
        self.live = live
        self.reader = Reader()
        self.name = "<shell>" if live else "<stdin>"
        self.timing = False
        self.over = False
        self.last = ""  # the last statement that was run
        self.has_spark = False
        self.commands: dict[str, Callable[[str], None]] = {
            "\\?": lambda _: print(look.HELP),
            "\\q": self.quit,
            "\\d": lambda name: print(look.description(self.engine, name)),
            "\\plan": lambda name: print(look.plan(self.engine, name)),
            "\\watch": self.watch_again,
            "\\now": lambda name: print(look.now(look.find_query(self.engine, name))),
            "\\i": self.include,
            "\\e": self.edit,
            "\\p": lambda _: print(self.reader.pending_text.strip() or self.last),
            "\\r": lambda _: self.reader.forget(),
            "\\timing": self.toggle,
        }

    # Input --------------------------------------------------------------------------------------------

    def interact(self) -> int:
        """Run what a person types until they leave. Returns the exit status."""
        terminal = Terminal(self.complete)
        print(f"Tailrace {tailrace.__version__}; \\? for help, \\q to leave")
        while not self.over:
            try:
                line = terminal.line(self.reader.pending_text if self.reader.within else "")
            except EOFError:
                print()
                break
            except KeyboardInterrupt:
                print()
                self.reader.forget()
                continue
            for piece in self.reader.take(line):
                terminal.remember(piece.text)
                self.take(piece)
            if not self.reader.within:
                self.reader.forget()
        terminal.save()
        return self.leave()

    def read(self, lines: Iterable[str]) -> int:
        """Run what comes through a pipe; the first error ends it. Returns the exit status."""
        for line in lines:
            for piece in self.reader.take(line.rstrip("\n")):
                status = self.take(piece)
                if status or self.over:
                    return status
        for piece in self.reader.rest():
            if status := self.take(piece):
                return status
        return self.run_reporting(self.answer_all, InputPiece(""))

    def take(self, piece: InputPiece) -> int:
        """Run one statement or command. Prints what is wrong with it, and returns an exit status."""
        if is_blank(piece.text.strip().rstrip(";")):
            return DONE
        begun = time.perf_counter()
        if piece.is_command:
            return self.run_reporting(lambda: self.command(piece.text), piece)
        self.last = piece.text.strip()
        status = self.run_reporting(lambda: self.statement(piece.text), piece)
        if self.timing:
            print(f"Time: {(time.perf_counter() - begun) * 1000:,.1f} ms")
        return status

    def run_reporting(self, work: Callable[[], object], piece: InputPiece) -> int:
        try:
            work()
        except ScriptError as wrong:
            source = Source(self.reader.text or piece.text, self.name)
            told = wrong.source.name == "<python>"  # in what was typed; an error in a file has places in that file
            for problem in wrong.problems if told else ():
                if problem.place is not None:
                    problem.place = TextSpan(problem.place.start + piece.start, problem.place.end + piece.start)
            print("\n".join(map(source.show, wrong.problems)) if told else wrong.message, file=sys.stderr)
            return WRONG
        except TailraceError as problem:
            hint = f"\n  hint: {problem.hint}" if problem.hint else ""
            print(f"error: {problem.message}{hint}", file=sys.stderr)
            return FAILED if isinstance(problem, RunError) else WRONG
        except KeyboardInterrupt:
            if not self.live:
                raise
            print("stopped", file=sys.stderr)
        return DONE

    def complete(self, before: str, word: str) -> list[str]:
        """The completions of `word`, given the text before it."""
        program = script_of(self.engine).program
        if before.lstrip().startswith("\\"):
            return complete_word(word, [entry.name for entry in program.catalog.entries.values()])
        if word.startswith("\\"):
            return [name for name in sorted({*self.commands, *LISTS}) if name.startswith(word)]
        return completions(before, word, program)

    # Statements ---------------------------------------------------------------------------------------

    def statement(self, text: str) -> None:
        if is_query(text):
            self.select(text)
            return
        self.mend()
        before, watched = dict(self.engine.queries), LiveResults()
        on_each_query(self.engine, watched.follow)
        said = self.engine.execute(text)
        if said is not None:
            print(said)
        elif self.live:
            self.confirm()
        if self.live and self.engine.queries:
            self.start([query for name, query in self.engine.queries.items() if before.get(name) is not query])
            if watched.following:
                self.watch(watched)

    def confirm(self) -> None:
        """Print that a statement was accepted and, of a view or query, what it means."""
        made = [each for each in script_of(self.engine).program.outcomes if isinstance(each, Definition)]
        print(on_deep_stack(lambda: "\n".join(map(derived_text, made))) or "done")

    def select(self, text: str) -> None:
        """Run a query that has no name and show its rows: until Ctrl-C or, from a pipe, once."""
        engine, watched = fork_without_queries(self.engine), LiveResults()
        on_each_query(engine, watched.follow)
        query = engine.query(text.strip().rstrip(";"))
        if not self.live:
            self.spark()
            engine.run(once=True)
            show(query, titled=False)
            return
        for note in query.definition.notes:
            print(f"{'default' if note.is_default else 'note'}: {note.text}")
        self.spark()
        with interruptible() as stop:
            engine.start()
            self.footer(*watched.show(engine, stop, titled=False))
            engine.stop()

    def answer_all(self) -> None:
        """Run the registered queries once over the rows that are there now, and show their results."""
        if self.engine.queries:
            self.spark()
            self.engine.run(once=True)
            for query in self.engine.queries.values():
                show(query, titled=True)

    # Results ------------------------------------------------------------------------------------------

    def spark(self) -> None:
        """Start Spark when it is first needed."""
        if self.has_spark:
            return
        if self.live:
            print("starting Spark …", file=sys.stderr)
        from tailrace.spark.session.session import start

        with interruptible():
            start(self.master)
        self.has_spark = True

    def start(self, new: Iterable[Query] = ()) -> None:
        """Start the engine if it is not running. If it cannot start, drop the queries `new` and raise the error."""
        if self.engine.running:
            return
        self.spark()
        try:
            with interruptible():
                self.engine.start()
        except TailraceError:
            for query in new:
                query.drop()
            raise

    def watch(self, watched: LiveResults) -> None:
        with interruptible() as stop:
            try:
                self.footer(*watched.show(self.engine, stop, titled=True))
            finally:
                watched.leave()
        self.mend()
        names = ", ".join(query.name for query, _ in watched.following)
        print(f"{names} keeps running: \\watch shows its rows again, DROP QUERY ends it")

    def footer(self, rows: int, first: float | None) -> None:
        after = f", the first after {first:.1f} s" if first is not None and self.timing else ""
        print(f"({rows:,} row{'' if rows == 1 else 's'}{after})")

    def mend(self) -> None:
        """Stop an engine whose run has failed, which raises the run's error; then another run may start."""
        if self.engine.problem is not None and not self.engine.running:
            self.engine.stop()

    # Commands -----------------------------------------------------------------------------------------

    def command(self, text: str) -> None:
        name, _, argument = text.partition(" ")
        argument = argument.strip().rstrip(";")
        if name in LISTS and not argument:
            print(look.listing(self.engine, LISTS[name]))
            return
        if name not in self.commands:
            known = [*self.commands, *LISTS]
            raise TailraceError(f"no command {name}", hint=did_you_mean(name, known) or "\\? lists them")
        if name in WITH_NAME and not argument:
            raise TailraceError(f"{name} needs a name", hint=f"{name} {WITH_NAME[name]}")
        self.commands[name](argument)

    def quit(self, _: str) -> None:
        self.over = True

    def toggle(self, _: str) -> None:
        self.timing = not self.timing
        print(f"timing is {'on' if self.timing else 'off'}")

    def watch_again(self, name: str) -> None:
        query = look.find_query(self.engine, name)
        if not self.live:
            raise RunError("\\watch is for a terminal: no query keeps running while a pipe is read")
        if query.definition.format:
            raise RunError(f"the rows of {query.name} go into {query.definition.format}")
        watched = LiveResults()
        watched.follow(query)
        self.start()
        self.watch(watched)

    def include(self, name: str) -> None:
        """Execute the statements of a file: all of them or, if one is wrong, none."""
        try:
            text = Path(name).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as problem:
            raise RunError(f"{name}: {getattr(problem, 'strerror', None) or 'this is not a text in UTF-8'}") from None
        self.begin(Source(text, name))

    def begin(self, source: Source) -> None:
        """Execute a script. At a terminal its queries start now, in the background."""
        self.mend()
        before = dict(self.engine.queries)
        on_each_query(self.engine, lambda query: None)
        try:
            said = self.engine.execute(source.text)
        except ScriptError as wrong:
            raise ScriptError(wrong.problems, source) from None
        if said is not None:
            print(said)
        if self.live and self.engine.queries:
            self.start([query for name, query in self.engine.queries.items() if before.get(name) is not query])

    def edit(self, _: str) -> None:
        if not self.live:
            raise RunError("\\e is for a terminal")
        text = edit_text(self.reader.pending_text.strip() or self.last)
        self.reader.forget()
        print(text.rstrip())
        for piece in self.reader.take(text.rstrip()):
            self.take(piece)

    def leave(self) -> int:
        with suppress(KeyboardInterrupt):
            return self.run_reporting(self.engine.stop, InputPiece(""))
        return DONE


def show(query: Query, titled: bool) -> None:
    """Print the results of a query after a run that has ended, unless they went into a sink."""
    rows = query.answers.table
    if rows is not None and not query.definition.format:
        LiveTable(query.name if titled else "", sys.stdout).show(rows.column_names, rows_of(rows))


def run_shell(script: Path | None, master: str) -> int:
    """Run the shell, beginning with a script if there is one. Returns the exit status."""
    live = sys.stdin.isatty()
    shell = Shell(str(script.parent) if script else None, master, live)
    if script is not None:
        text = script.read_text(encoding="utf-8")
        status = shell.run_reporting(lambda: shell.begin(Source(text, str(script))), InputPiece(text))
        if status:
            return status
    return shell.interact() if live else shell.read(sys.stdin)
