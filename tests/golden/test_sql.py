"""The Spark SQL of every stage input and every output of whole scripts, to the character."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.golden.compare import golden
from tests.golden.statements import statements
from tests.language.scripts import CORPUS, corpus_scripts

FOLDER = Path(__file__).with_name("sql")
PLANS = sorted(Path(__file__).with_name("plans").glob("*.cql"))
OWN = sorted((FOLDER / "scripts").glob("*.cql"))


def golden_file(script: Path) -> Path:
    """Where the statements of a script are."""
    if script.is_relative_to(CORPUS):
        return FOLDER / "corpus" / f"{script.parent.name}_{script.stem}.sql"
    return FOLDER / ("plans" if script in PLANS else "scripts") / f"{script.stem}.sql"


SCRIPTS = {golden_file(script): script for script in (*PLANS, *OWN, *corpus_scripts())}


@pytest.mark.parametrize("file", SCRIPTS, ids=lambda file: f"{file.parent.name}-{file.stem}")
def test_statements(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file.parent.mkdir(exist_ok=True)
    script = SCRIPTS[file]
    text = script.read_text(encoding="utf-8")
    golden(file, statements(text, monkeypatch, continuous=not script.is_relative_to(CORPUS)))


def test_every_golden_file_has_its_script() -> None:
    assert set(FOLDER.rglob("*.sql")) <= set(SCRIPTS)
