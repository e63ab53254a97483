"""Kept statements: those that came over the network and changed something, kept in the checkpoint for the next start.

A start executes its script first and then the kept statements, in the order in which they came, as if they were sent
now. One that is wrong now, since the script or the allowed folders have changed, is said and left out. It stays kept,
and the next start tries it again.

A statement that a later one undoes is not kept: a CREATE that was dropped, a SET with another value since.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

from sqlglot import exp

from tailrace.deep_stack import on_deep_stack
from tailrace.errors import RunError, ScriptError, Source, TailraceError
from tailrace.language import nodes as ast
from tailrace.language.script import Script, TemplateMatch, parse_script, to_text
from tailrace.settings import ALIASES
from tailrace.state.checksums import damage_of, read_sealed, seal
from tailrace.state.storage import Storage, is_remote, store_at

FILE = "statements.json"
FORMAT = 1

Execute = Callable[[str], object]


@dataclass(frozen=True)
class KeptStatement:
    """A statement that creates, drops or sets what has this name; `problem` is why this start has left it out."""

    action: str  # create, replace, ensure (IF NOT EXISTS), alter, drop or set
    name: str  # in lower case; of a table with `table` before it
    text: str
    problem: str | None = None

    def is_undone_by(self, other: KeptStatement) -> bool:
        """Whether a later statement leaves nothing of this one."""
        if self.name != other.name or self.action == "drop":
            return False
        if other.action == "drop":
            return self.action in MAKES and self.problem is None
        if other.action == "replace":
            return self.action in MAKES
        # While a CREATE counts there is no other of its name: this one was left out, and the other takes its place.
        return self.action == other.action != "ensure"


MAKES = ("create", "replace", "ensure", "alter")


def statements_of(script: Script) -> list[KeptStatement]:
    """The statements of a script that change something.

    >>> found = statements_of(parse_script(Source("SHOW VIEWS; DROP VIEW v; SET maxRowsPerBatch = '7'")))
    >>> [(each.action, each.name, each.text) for each in found]
    [('drop', 'v', 'DROP VIEW v'), ('set', 'batch.rows', "SET maxRowsPerBatch = '7'")]
    """
    return on_deep_stack(lambda: [found for each in script.statements if (found := statement_of(each))])


def statement_of(statement: ast.Statement | TemplateMatch) -> KeptStatement | None:
    """A statement as it is kept; None if it changes nothing."""
    tree = statement.read() if isinstance(statement, TemplateMatch) else statement
    name = tree.this.name.lower() if isinstance(tree.args.get("this"), exp.Identifier) else ""
    match tree:
        case ast.CreateSource() | ast.CreateView() | ast.CreateQuery() | ast.CreateTable():
            action = "replace" if tree.args.get("replace") else "ensure" if tree.args.get("if_not_exists") else "create"
            return KeptStatement(action, f"table {name}" if isinstance(tree, ast.CreateTable) else name, to_text(tree))
        case ast.AlterQuery():
            return KeptStatement("alter", name, to_text(tree))
        case ast.Insert():
            return KeptStatement("create", tree.meta.get("query_name", name).lower(), to_text(tree))
        case ast.Drop():
            return KeptStatement("drop", f"table {name}" if tree.args["kind"] == "TABLE" else name, to_text(tree))
        case ast.Set():
            key = tree.this.lower()
            return KeptStatement("set", ALIASES.get(key, key), to_text(tree))
    return None


def drop_if_exists(dropped: KeptStatement) -> KeptStatement:
    """A DROP as it is kept where what it drops was also made by a script: that script makes it again at each start."""
    (tree,) = parse_script(Source(dropped.text)).statements
    assert isinstance(tree, ast.Drop)
    tree.set("if_exists", True)
    return replace(dropped, text=to_text(tree))


@dataclass(frozen=True)
class KeptStatements:
    """The statements that are kept in a checkpoint's folder, in order; without a folder none are."""

    folder: Storage | None = None
    statements: tuple[KeptStatement, ...] = ()
    read: bytes | None = field(default=None, compare=False)  # the file as it was opened

    @staticmethod
    def open(place: str | None) -> KeptStatements:
        """Read what the checkpoint at a place keeps; a RunError if the file is damaged."""
        if place is None:
            return KeptStatements()
        folder = store_at(place)
        found = read_sealed(folder, FILE)
        if found is None:
            return KeptStatements(folder)
        what, is_sealed = found
        if not is_sealed:
            raise damage_of(folder, FILE)
        if what["format"] != FORMAT:
            raise RunError(
                f"{folder.address}/{FILE} has format {what['format']}, not {FORMAT}",
                hint="another version of Tailrace wrote it; name a new folder",
            )
        return KeptStatements(folder, tuple(KeptStatement(**each) for each in what["statements"]), folder.read(FILE))

    def after(self, executed: Iterable[KeptStatement]) -> KeptStatements:
        """What is kept once these statements were executed too."""
        kept = list(self.statements)
        for each in executed:
            undone = [at for at, before in enumerate(kept) if before.is_undone_by(each)]
            if undone and each.action in ("set", "replace"):
                # In the same place: what comes after it was read with it.
                first = kept[undone[0]]
                kept[undone[0]] = replace(each, action=first.action if each.action == "replace" else "set")
                undone = undone[1:]
                kept = [before for at, before in enumerate(kept) if at not in undone]
                continue
            is_made_here = any(kept[at].action == "create" for at in undone)
            kept = [before for at, before in enumerate(kept) if at not in undone]
            if each.action == "drop" and undone and not is_made_here:
                kept.append(drop_if_exists(each))
            elif each.action != "drop" or not undone:
                kept.append(each)
        return replace(self, statements=tuple(kept))

    def without(self, name: str) -> KeptStatements:
        """What is kept once those of a name that were left out are forgotten."""
        names = (name.lower(), f"table {name.lower()}")
        kept = (each for each in self.statements if not each.problem or each.name not in names)
        return replace(self, statements=tuple(kept))

    @property
    def left_out(self) -> list[KeptStatement]:
        return [each for each in self.statements if each.problem is not None]

    def write(self, syncs: bool) -> None:
        """Replace the file in the folder, as a whole; if it `syncs`, the file outlives a power loss."""
        if self.folder is None:
            return
        listed = [
            {name: value for name, value in asdict(each).items() if name != "problem"} for each in self.statements
        ]
        store_at(self.folder.address, syncs).write(FILE, seal(json.dumps({"format": FORMAT, "statements": listed})))
        if not is_remote(self.folder.address):
            (Path(self.folder.address) / FILE).chmod(0o600)  # options of sources and sinks may hold secrets

    def refuse_changed(self) -> None:
        """A RunError if another server has changed the file since it was read: it had the checkpoint until now."""
        if self.folder is not None and self.folder.read(FILE) != self.read:
            raise RunError(
                f"another server changed {self.folder.address}/{FILE} while this one started", hint="start it again"
            )

    def execute(self, execute: Execute, script: str | None) -> KeptStatements:
        """Execute all statements, or as many as are right, after the script that has this text.

        A statement that is wrong only because the script has the same one, word for word, is forgotten. One that needs
        what a later one creates is tried again behind that one, and stays there.
        """
        try:
            execute(";\n".join(each.text for each in self.statements))
        except TailraceError:
            tried = [replace(each, problem=problem_of(each.text, execute)) for each in self.statements]
            tried = retry(tried, execute)
            known = {each.text for each in statements_of(parse_script(Source(script or "")))}
            kept = tuple(each for each in tried if each.problem is None or each.text not in known)
            return replace(self, statements=kept)
        return self

    def leave_out(self, why: str) -> KeptStatements:
        """The statements with none of them executed."""
        return replace(self, statements=tuple(replace(each, problem=why) for each in self.statements))

    def describe(self) -> Iterator[str]:
        """What a start says of the statements, in lines."""
        count = len(self.statements) - len(self.left_out)
        if count:
            yield f"{count:,} kept statement{'s' if count > 1 else ''} executed"
        for each in self.left_out:
            yield f"kept statement left out: {each.text} ({each.problem})"


def retry(statements: list[KeptStatement], execute: Execute) -> list[KeptStatement]:
    """Execute again what could not be created, until nothing more of it is right; what is right moves to the end."""
    while True:
        wrong = [each for each in statements if each.problem is not None and each.action in MAKES]
        mended = [each for each in wrong if problem_of(each.text, execute) is None]
        if not mended:
            return statements
        others = [each for each in statements if each not in mended]
        statements = [*others, *(replace(each, problem=None) for each in mended)]


def problem_of(text: str, execute: Execute) -> str | None:
    """Execute a statement; what is wrong with it, if something is."""
    try:
        execute(text)
    except ScriptError as problem:
        return problem.problems[0].message
    except TailraceError as problem:
        return problem.message
    return None
