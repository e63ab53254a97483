"""Statement guard: checks what the statements of a script from the network read and write.

They may use files below some folders, and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from sqlglot import exp

from tailrace.catalog.catalog import Catalog
from tailrace.catalog.sources import Options, beside_script
from tailrace.errors import AnalysisError, TailraceError
from tailrace.language import nodes as ast
from tailrace.language.dialects.connectors import read_options
from tailrace.language.nodes import place_of
from tailrace.language.script import Script, TemplateMatch
from tailrace.logical.queries import QueryDefinition
from tailrace.settings import LIVE

# Formats of which all options are known. Others may take a host, a class or a path by options of any name.
FORMATS = {"csv", "json", "parquet", "orc", "text", "rate", "noop"}
PATHS = {"path", "sourcearchivedir"}
FOLDERS = {"late", "unreadable"}  # settings that name a folder
SETTINGS = FOLDERS | {"tick", "origin", "frequency.rewrites", "maxrowsperbatch", *LIVE}
# Hadoop reads these as parts of a pattern, and alternatives in braces may lead out of a folder.
PATTERNS = "{}\\"


@dataclass(frozen=True)
class Guard:
    """Refuses statements that reach beyond `folders`. Relative paths are relative to `home`, as in the engine."""

    folders: tuple[Path, ...]
    home: str

    def __call__(self, script: Script) -> Script:
        """The script without the statements that are refused. These become problems, and are not analysed."""
        return self.without_refused(script, self.problems)

    def keep_sinks(self, script: Script, catalog: Catalog) -> Script:
        """The script without statements by which other rows would go to sinks that are not for the network.

        Only the script at the start may have such sinks, and only what it says may go there.
        """

        def problems(statement: ast.Statement | TemplateMatch) -> Iterator[TailraceError]:
            if isinstance(statement, TemplateMatch):
                return
            for name, format, options in changed_sinks(statement, catalog):
                if any(self.problems_of_sink(format, options, statement)):
                    message = f"the rows of {name} go where the network may not write"
                    yield AnalysisError(message, place_of(statement), "the script at the start says what goes there")

        return self.without_refused(script, problems)

    def without_refused(
        self, script: Script, problems_of: Callable[[ast.Statement | TemplateMatch], Iterator[TailraceError]]
    ) -> Script:
        found = [(statement, list(problems_of(whole(statement)))) for statement in script.statements]
        refused = [whole(statement) for statement, problems in found if problems]
        creates = (ast.CreateSource, ast.CreateQuery, ast.CreateTable)
        names = [statement.this.name for statement in refused if isinstance(statement, creates)]
        return Script(
            script.source,
            tuple(statement for statement, problems in found if not problems),
            (*script.problems, *(problem for _, problems in found for problem in problems)),
            (*script.unread, *names),
        )

    def problems(self, statement: ast.Statement | TemplateMatch) -> Iterator[TailraceError]:
        if isinstance(statement, ast.Set):
            key = statement.this.lower()
            if key not in SETTINGS:
                yield AnalysisError(f"SET {statement.this} is not for the network", place_of(statement))
            elif key in FOLDERS:
                yield from self.outside(statement.args["value"], statement)
        if isinstance(statement, ast.CreateTable):
            yield from self.problems_of_table(statement)
        if not isinstance(statement, (ast.CreateSource, ast.CreateQuery)) or not statement.args.get("format"):
            return
        format = statement.args["format"]
        if format.name.lower() not in FORMATS:
            yield not_for_the_network(format.name, format)
            return
        for option in statement.args.get("options") or []:
            if option.this.lower() in PATHS:
                yield from self.outside(option.args["value"], option)

    def problems_of_table(self, table: ast.CreateTable) -> Iterator[TailraceError]:
        """Yield what a table's format and options reach beyond the folders; what is wrong with them analysis says."""
        with suppress(AnalysisError):
            found = read_options(table)
            yield from self.problems_of_sink(found.format, found.options, table.this)

    def problems_of_sink(self, format: str | None, options: Options, node: exp.Expr) -> Iterator[TailraceError]:
        """Yield what a format and its options reach beyond the folders."""
        if format and format.lower() not in FORMATS:
            yield not_for_the_network(format, node)
        for name, value in options:
            if name.lower() in PATHS:
                yield from self.outside(value, node)

    def outside(self, path: str, node: exp.Expr) -> Iterator[TailraceError]:
        """Yield a problem if a path leads out of the folders."""
        if not is_plain(path) or not self.is_below(beside_script(path, self.home) or ""):
            hint = f"only what is below {' or '.join(map(str, self.folders))} can be read or written"
            yield AnalysisError(f"the path {path} is not for the network", place_of(node), hint)

    def is_below(self, path: str) -> bool:
        try:
            place = resolve_path(path)
        except (OSError, ValueError, RuntimeError):
            return False
        return any(place == folder or folder in place.parents for folder in self.folders)


def changed_sinks(statement: ast.Statement, catalog: Catalog) -> Iterator[tuple[str, str | None, Options]]:
    """The sinks to which other rows go by a statement: what they belong to, their formats and their options."""
    if isinstance(statement, ast.Insert) and (table := catalog.tables.get(statement.this.name.lower())):
        yield table.name, table.format, table.options
    is_altered, changed = isinstance(statement, ast.AlterQuery), set[str]()
    pending = [statement.this.name.lower()] if is_altered or statement.args.get("replace") else []
    while pending:
        name = pending.pop()
        if name in catalog.entries and name not in changed:
            changed.add(name)
            pending += [reader.name.lower() for reader in catalog.readers(name)]
            entry = catalog.entries[name]
            if isinstance(entry, QueryDefinition) and (is_altered or name != statement.this.name.lower()):
                yield entry.name, entry.format, entry.options


def not_for_the_network(format: str, node: exp.Expr) -> TailraceError:
    hint = f"over the network there are {', '.join(sorted(FORMATS))}; the script at the start may have any"
    return AnalysisError(f"the format {format} is not for the network", place_of(node), hint)


def whole(statement: ast.Statement | TemplateMatch) -> ast.Statement | TemplateMatch:
    """A statement in full: one that only matched a template is parsed now if it names a format."""
    return statement.read() if isinstance(statement, TemplateMatch) and statement.format else statement


def is_plain(path: str) -> bool:
    """Whether a path is on this machine's disks, and has no `..`, no alternatives in braces and no odd characters.

    >>> [is_plain(path) for path in ("in/*.csv", "/in/S.csv", "hdfs://in", "a/../../b", "in/{a,/etc}", "file:/etc")]
    [True, True, False, False, False, False]
    """
    first = path.split("/")[0]
    climbs = ".." in path.split("/")
    return not (climbs or ":" in first or any(char in path for char in PATTERNS) or not path.isprintable())


def resolve_path(path: str) -> Path:
    """Where a path leads once links are followed, up to its first part that is a pattern."""
    parts = Path(path).absolute().parts
    plain = next((number for number, part in enumerate(parts) if any(char in part for char in "*?[")), len(parts))
    return Path(*parts[:plain]).resolve()


def guard(folders: Sequence[Path], home: Path) -> Guard:
    """Make a guard; links in the folders' paths are followed first."""
    return Guard(tuple(folder.resolve() for folder in folders), str(home))
