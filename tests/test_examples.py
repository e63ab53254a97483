"""Every code block of the pages for users is run or checked; with Spark in tests/spark/front/test_documents.py.

`TAILRACE_GOLDEN=write` puts what the code gives now into `result`, `error` and `console` blocks.
"""

from __future__ import annotations

import os
import re
import shlex
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from tailrace.cli.main import app
from tailrace.errors import ScriptError
from tests.documents import LANGUAGES, Block, Page, blocks, printed, scripts
from tests.test_tidy import ROOT

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
WRITE = os.environ.get("TAILRACE_GOLDEN") == "write"
PLAIN = {"cd", "mkdir", "source", "echo", "export", "python", "spark-submit", "start-master.sh", "start-worker.sh"}
COMMANDS = typer.main.get_command(app).commands  # type: ignore[attr-defined]


def shown(path: Path) -> str:
    return path.name


# Scripts --------------------------------------------------------------------------------------------------


def outcome(page: Page, after: Block | None) -> str | None:
    """What the block after a script must say; without one the script must be right."""
    if after is None:
        page.compiled()
        return None
    if after.language == "error":
        with pytest.raises(ScriptError) as wrong:
            page.compiled()
        return f"{wrong.value.message}\n"
    return f"{printed(page.compiled())}\n"


@pytest.mark.parametrize("path", PAGES, ids=shown)
def test_scripts(path: Path, tmp_path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    page, changed = Page(tmp_path), text
    for block, after in scripts(text):
        page.take(block)
        if block.language != "sql" or block.name == "declared":
            continue
        found = outcome(page, after)
        if after is not None and found is not None and found != after.text:
            assert WRITE, f"{path.name}:{after.line}: another result\n{found}"
            between = f"{block.text}```\n\n```{after.language}\n"
            changed = changed.replace(between + after.text, between + found)
    if changed != text:
        path.write_text(changed, encoding="utf-8")


@pytest.mark.parametrize("path", PAGES, ids=shown)
def test_every_block_has_a_language_that_is_checked(path: Path) -> None:
    found = blocks(path.read_text(encoding="utf-8"))
    assert [f"{block.line}: {block.text[:40]}" for block in found if block.language not in LANGUAGES] == []


# Commands -------------------------------------------------------------------------------------------------


def commands(block: Block) -> list[tuple[str, str]]:
    """The commands of a block, with what they print."""
    if block.language == "usage":
        joined = re.sub(r"\n\s+", " ", block.text)
        return [(line, "") for line in joined.splitlines()]
    found: list[tuple[str, str]] = []
    for line in block.text.splitlines(keepends=True):
        if line.startswith("$ "):
            found.append((line[2:].strip(), ""))
        elif found and found[-1][0].endswith("\\"):
            found[-1] = (found[-1][0].rstrip("\\") + line.strip(), "")
        elif found:
            found[-1] = (found[-1][0], found[-1][1] + line)
    return found


def problem(command: str) -> str | None:
    """What is wrong with a command, as far as it can be told without running it."""
    words = shlex.split(command.replace("[", " ").replace("]", " ").replace("…", " "), comments=True)
    if "|" in words[1:] and words[0] in PLAIN:
        words = words[words.index("|") + 1 :]
    if words[0] == "make":
        targets = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE)
        return None if set(words[1:]) <= set(targets) else f"no target among {words[1:]}"
    if words[0] == "curl":
        return unknown_path(next(word for word in words if "/api/" in word))
    if words[0] == "tailrace":
        return unknown_option(words[1:])
    return None if words[0] in PLAIN else f"no command {words[0]}"


def unknown_option(words: list[str]) -> str | None:
    known = COMMANDS.get(words[0])
    if known is None:
        return f"no command tailrace {words[0]}"
    options = {name for parameter in known.params for name in parameter.opts}
    unknown = [word for word in words if word.startswith("--") and word.partition("=")[0] not in options]
    return f"no option {unknown}" if unknown else None


def unknown_path(address: str) -> str | None:
    from tailrace import Engine
    from tailrace.server.application import application
    from tailrace.server.statement_guard import guard

    described = application(Engine(keep=0), guard([ROOT], ROOT)).openapi()["paths"]
    path = "/api/" + address.partition("/api/")[2].partition("?")[0]
    patterns = [re.sub(r"\{\w+\}", "[^/]+", each) for each in described]
    return None if any(re.fullmatch(pattern, path) for pattern in patterns) else f"no path {path}"


@pytest.mark.parametrize("path", PAGES, ids=shown)
def test_commands(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = Page(tmp_path)
    monkeypatch.chdir(tmp_path)
    text = path.read_text(encoding="utf-8")
    changed = text
    for block in blocks(text):
        page.take(block)
        for command, expected in commands(block) if block.language in ("console", "usage") else ():
            assert problem(command) is None, f"{path.name}:{block.line}: {command}: {problem(command)}"
            found = said(command, page) if expected and command.startswith("tailrace ") else expected
            if found != expected:
                assert WRITE, f"{path.name}:{block.line}: {command} says\n{found}"
                changed = changed.replace(f"$ {command}\n{expected}", f"$ {command}\n{found}")
    if changed != text:
        path.write_text(changed, encoding="utf-8")


def said(command: str, page: Page) -> str:
    """What a command prints that has its script on the page."""
    name, script, *_ = shlex.split(command)[1:]
    if name == "run":
        page.script, page.name = Path(script).read_text(encoding="utf-8"), script
        return f"{printed(page.compiled())}\n"
    assert name in ("check", "explain"), f"{command}: its output is not checked"
    result = CliRunner().invoke(app, shlex.split(command)[1:])
    return result.output


class TestTheCheckersThemselves:
    """Each of them finds a made-up fault."""

    def test_commands(self) -> None:
        good = ["make demo", "tailrace run a.cql --once", "tailrace serve [SCRIPT] [--port 1]", "curl -N h/api/status"]
        assert [problem(command) for command in good] == [None] * 4
        bad = ["make dem", "tailrace run a.cql --onc", "tailrace srv", "curl h/api/stat", "rm -r x"]
        assert all(problem(command) for command in bad)

    def test_results(self, tmp_path: Path) -> None:
        script = "CREATE STREAM S (k INT) USING csv OPTIONS (path 'S.csv') TIMESTAMP BY ts;\n"
        script += "CREATE QUERY q AS SELECT k FROM S;"
        table = "q\n _ts  k\n   1  2"
        text = f"```csv S.csv\nts,k\n1,2\n```\n```sql\n{script}\n```\n```result\n{table}\n```\n"
        page = Page(tmp_path)
        said = []
        for block, after in scripts(text):
            page.take(block)
            said += [(outcome(page, after), after.text)] if after else []
        assert said == [("q\n _ts  k\n   1  2\n",) * 2]
        (tmp_path / "S.csv").write_text("ts,k\n1,3\n")
        assert outcome(page, Block(1, "result", "", "")) == "q\n _ts  k\n   1  3\n"
        page.script = "CREATE QUERY q AS SELECT x FROM S;"
        assert outcome(page, Block(1, "error", "", "")) == (
            "script.cql:1:33: error: no stream, relation or view S\n"
            "  CREATE QUERY q AS SELECT x FROM S;\n                                  ^\n"
        )
