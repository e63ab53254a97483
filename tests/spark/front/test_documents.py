"""What the pages for users do with Spark: their Python, their pipes, and the tutorial's traffic."""

from __future__ import annotations

import io
import shlex
import time
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from tailrace import Engine
from tailrace.cli.shell import Shell
from tailrace.errors import Source
from tests.documents import Page, blocks
from tests.test_examples import PAGES, commands, shown

pytestmark = [pytest.mark.spark, pytest.mark.slow]


def with_language(language: str, pages: list[Path] = PAGES) -> list[Path]:
    return [path for path in pages if any(b.language == language and not b.name for b in blocks(path.read_text()))]


@pytest.mark.parametrize("path", with_language("python"), ids=shown)
def test_python(path: Path, spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {"__name__": "page"}
    for block in blocks(path.read_text(encoding="utf-8")):
        if block.language == "python" and not block.name:
            exec(compile("\n" * block.line + block.text, path.name, "exec"), names)


@pytest.mark.parametrize("path", with_language("console"), ids=shown)
def test_pipes(
    path: Path, spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    page = Page(tmp_path)
    for block in blocks(path.read_text(encoding="utf-8")):
        page.take(block)
        for command, expected in commands(block) if block.language == "console" else ():
            words = shlex.split(command)
            if words[0] != "echo":
                continue
            _, text, _, tailrace, name, script = words
            assert (tailrace, name) == ("tailrace", "shell")
            shell = Shell(str(tmp_path), "local[2]", live=False)
            shell.has_spark = True  # the session that all tests share
            shell.begin(Source(Path(script).read_text(encoding="utf-8"), script))
            assert shell.read(io.StringIO(text)) == 0
            assert capsys.readouterr().out == expected


def test_the_tutorial_finds_the_jam(spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    page = Page(tmp_path)
    for block in blocks((PAGES[0].parent / "docs" / "tutorial" / "first-queries.md").read_text(encoding="utf-8")):
        page.take(block)
    with monkeypatch.context() as hurried:
        hurried.setattr(time, "sleep", lambda seconds: None)
        exec(compile((tmp_path / "feed.py").read_text(), "feed.py", "exec"), {"__name__": "__main__"})
    assert len(list((tmp_path / "road").iterdir())) == 120
    engine = Engine(spark, tmp_path)
    engine.execute((tmp_path / "tolls.cql").read_text())
    engine.run(once=True)
    congested = {row.segNo for row in engine.queries["TollMap"].rows()}
    assert congested & set(range(42, 48))
    assert congested <= set(range(40, 50))
    assert len(engine.queries["TollStr"].rows()) > 100
