"""Documents: the code blocks of the pages for users, and what each of them must give.

Blocks of a page are taken in order, in one folder:

* `csv NAME`: a file of that name.
* `sql declared`: statements that all later `sql` blocks of the page begin with, up to the next block of this kind.
* `sql NAME.cql`: a script of that name; it must be right.
* `sql`: a script, right or wrong as the next block says.
* `result`: what the queries of the script before it answer over the files, as `tailrace run --once` prints it.
* `error`: what `tailrace check` says of the script before it, which is called script.cql.
* `console`: commands after `$ `, and what they print; see `tests/test_examples.py`.
* `usage`: commands with all that they may be given.
* `python`: run with Spark, one after the other; `python NAME.py` is a file too.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from typing import Any

from markdown_it import MarkdownIt

from tailrace.cli.terminal_tables import PrintedResults
from tailrace.engine.pipeline import PlanningSession, compile_script
from tailrace.errors import Source
from tailrace.logical.nodes import Scan
from tailrace.logical.plan import Kind, walk
from tailrace.logical.queries import QueryDefinition
from tailrace.logical.time.window_tables import end_of_windows
from tailrace.testing.files import ScriptInputs, read_inputs
from tailrace.testing.reference.evaluate import changelog, evaluate, stream_rows
from tests.operators.local import answered, differences

LANGUAGES = {"csv", "sql", "result", "error", "console", "usage", "python"}
SCRIPT = "script.cql"


@dataclass(frozen=True)
class Block:
    """A code block: the line it begins in, its language, the words after the language, and its text."""

    line: int
    language: str
    name: str
    text: str


def blocks(text: str) -> list[Block]:
    """The code blocks of a page, those that are only indented too.

    >>> blocks("Text\\n\\n```csv S.csv\\nts\\n```\\n\\n    make\\n")
    [Block(line=3, language='csv', name='S.csv', text='ts\\n'), Block(line=7, language='', name='', text='make\\n')]
    """
    found = []
    for token in MarkdownIt().parse(text):
        if token.type in ("fence", "code_block"):
            language, _, name = token.info.strip().partition(" ")
            found.append(Block((token.map or [0])[0] + 1, language, name.strip(), token.content))
    return found


@dataclass
class Page:
    """A page as far as it was read: the folder with its files, and the script that the next block belongs to."""

    folder: Path
    declared: str = ""
    script: str = ""
    name: str = SCRIPT
    files: list[str] = field(default_factory=list)

    def take(self, block: Block) -> None:
        """A file or a script."""
        if block.language == "csv" or (block.language in ("sql", "python") and "." in block.name):
            path = self.folder / block.name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(block.text, encoding="utf-8")
        if block.language == "sql" and block.name == "declared":
            self.declared = self.script = block.text
        elif block.language == "sql":
            self.script = block.text if block.name else self.declared + block.text
            self.name = block.name or SCRIPT

    def compiled(self) -> PlanningSession:
        return compile_script(Source(self.script, self.name), self.folder)


def scripts(text: str) -> Iterator[tuple[Block, Block | None]]:
    """Blocks, each with the one after it if that tells what it gives."""
    found = blocks(text)
    for block, after in zip(found, [*found[1:], None], strict=False):
        yield block, after if after is not None and after.language in ("result", "error") else None


def printed(compiled: PlanningSession) -> str:
    """What `tailrace run --once` prints: by the definition, once the operators have answered the same."""
    queries = compiled.program.queries
    sources = {node.source for query in queries.values() for node in walk(query.plan) if isinstance(node, Scan)}
    inputs = read_inputs(sources, compiled.program.settings)
    plans = [query.plan for query in queries.values()]
    last = end_of_windows(plans, inputs.last_instant, inputs.clock.ticks_to_origin)
    inputs = replace(inputs, last_instant=last)
    shown = PrintedResults()
    for name, query in queries.items():
        shown.take(query, columns(query), rows(query, compiled, inputs))
        shown.rows[name] = shown.rows_in_order(name)
    return shown.text()


def columns(query: QueryDefinition) -> list[str]:
    if query.is_snapshot:
        return list(query.names)
    return ["_ts", *(["_op"] if query.kind is Kind.RELATION else []), *query.names]


def rows(query: QueryDefinition, compiled: PlanningSession, inputs: ScriptInputs) -> list[tuple[Any, ...]]:
    """The rows of a query; at an instant by their values, but those of a sequence query as they were appended."""
    expected = evaluate(query.plan, inputs.rows, inputs.last_instant, origin=inputs.clock.ticks_to_origin)
    chance = Random(query.name)
    for beats in ([inputs.last_instant], list(range(inputs.last_instant + 1))):
        found = answered(compiled.rewrite(query).plan, inputs.rows, beats, chance, inputs.clock.ticks_to_origin)
        problems = differences(found, expected)
        assert not problems, f"{query.name}: the operators and the definition differ: {problems[:5]}"
    clock = inputs.clock
    if query.is_snapshot:
        return sorted(expected.bags[-1].elements(), key=str)
    if expected.kind is Kind.STREAM:
        is_sequence = any(type(node).__name__ in ("Append", "Sample") for node in walk(query.plan))
        elements = stream_rows(expected)
        in_order = elements if is_sequence else sorted(elements, key=lambda each: (each[0], str(each[1])))
        return [(clock.stamp(instant), *row) for instant, row in in_order]
    changes = sorted(changelog(expected), key=lambda each: (each[0], each[1] == "+", str(each[2])))
    return [(clock.stamp(instant), op, *row) for instant, op, row in changes]
