"""Wrong scripts: each gives exactly the messages beside it, with line, column, caret and hint."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tailrace.engine.pipeline import compile_script
from tailrace.errors import ScriptError, Source
from tests.golden.compare import golden

FOLDER = Path(__file__).with_name("errors")
SCRIPTS = sorted(FOLDER.glob("*.cql"))
FEWEST = 60


def messages(script: Path) -> str:
    """What a user of `check` reads on standard error."""
    source = Source(script.read_text(encoding="utf-8"), script.name)
    with pytest.raises(ScriptError) as raised:
        compile_script(source, script.parent)
    return f"{raised.value.message}\n"


def test_there_are_many_of_them() -> None:
    assert len(SCRIPTS) >= FEWEST


def test_every_expected_text_has_its_script() -> None:
    assert {path.stem for path in FOLDER.glob("*.txt")} <= {path.stem for path in SCRIPTS}


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
def test_messages(script: Path) -> None:
    golden(script.with_suffix(".txt"), messages(script))


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
def test_every_message_has_a_place(script: Path) -> None:
    """A line of the message that is not indented names the file, the line and the column."""
    lines = [line for line in messages(script).splitlines() if not line.startswith(("  ", "\t"))]
    place = re.compile(rf"{re.escape(script.name)}:\d+:\d+: error: \S")
    assert lines
    assert [line for line in lines if not place.match(line)] == []
