"""Scripts: the texts that tests read: the corpus and the worked cases."""

from __future__ import annotations

import json
from pathlib import Path

from tailrace.errors import Source

CORPUS = Path(__file__).resolve().parents[1] / "corpus"
CASES = Path(__file__).resolve().parents[1] / "cases"


def corpus_scripts() -> list[Path]:
    return sorted(CORPUS.rglob("*.cql"))


def case_scripts() -> list[Path]:
    """The worked cases' scripts, without those that must be refused."""
    return [path for path in sorted(CASES.glob("*/script.cql")) if "exit" not in case_of(path)]


def refused_scripts() -> list[Path]:
    """The worked cases' scripts that must be refused."""
    return [path for path in sorted(CASES.glob("*/script.cql")) if "exit" in case_of(path)]


def case_of(script: Path) -> dict[str, object]:
    return json.loads((script.parent / "case.json").read_text(encoding="utf-8"))


def source_of(script: Path) -> Source:
    return Source(script.read_text(encoding="utf-8"), script.name)


def shown(script: Path) -> str:
    """A short name for a parametrised test."""
    return f"{script.parent.name}/{script.stem}" if script.stem != "script" else script.parent.name
