"""What `check` and `explain` print for whole scripts: expanded queries, defaults, plans and what changed them."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from tailrace.cli.main import app
from tests.golden.compare import golden

SCRIPTS = sorted(Path(__file__).with_name("plans").glob("*.cql"))


def printed(command: str, script: Path) -> str:
    result = CliRunner().invoke(app, [command, str(script)])
    assert result.stderr == ""
    assert result.exit_code == 0
    return result.stdout


def test_there_are_some() -> None:
    assert len(SCRIPTS) >= 15


@pytest.mark.parametrize("command", ["check", "explain"])
@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
def test_output(script: Path, command: str) -> None:
    golden(script.with_suffix(f".{command}.txt"), printed(command, script))
