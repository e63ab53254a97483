"""The worked cases through Spark: each script, run once, leaves the rows its case expects in its sink.

Each runs alone, as it is, and in one script with all others that do not contradict it.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

from tailrace.engine.pipeline import compile_script
from tailrace.errors import Source
from tailrace.logical.queries import QueryDefinition
from tests.cases.compare import differences, read_stamp
from tests.language.scripts import case_scripts
from tests.spark.run.loops import run_compiled

pytestmark = pytest.mark.spark
ANSWERED = [script.parent for script in case_scripts()]
MOST = 20  # cases of one script
NO_DATA = ("case.json", "script.cql", "expected")


@dataclass
class Together:
    """Cases that fit into one script: their statements, each once, and their files by path."""

    until: Any
    settings: frozenset[str]
    cases: list[Path] = field(default_factory=list)
    statements: dict[str, str] = field(default_factory=dict)  # by what they declare
    files: dict[str, Path] = field(default_factory=dict)

    def takes(self, statements: Mapping[str, str], files: Mapping[str, Path]) -> bool:
        """Whether one more case fits: what has the same name is the same."""
        same = all(self.statements.get(name, text) == text for name, text in statements.items())
        return same and all(
            self.files.get(name, path).read_bytes() == path.read_bytes() for name, path in files.items()
        )

    @property
    def script(self) -> str:
        return "".join(f"{text};\n" for text in (*sorted(self.settings), *self.statements.values()))


def declared_name(statement: str) -> str:
    """What a statement declares: its first three words."""
    return " ".join(statement.replace("(", " ").split()[:3]).lower()


def put_together() -> list[Together]:
    """Cases in as few scripts as there can be; a case that fits no other is left out.

    Where time is TIMESTAMPs, it begins with the first element of all sources, so that cases are not put together.
    """
    found: list[Together] = []
    for case in ANSWERED:
        until = json.loads((case / "case.json").read_text())["until"]
        texts = [text.strip() for text in (case / "script.cql").read_text().split(";") if text.strip()]
        settings = frozenset(text for text in texts if text.lower().startswith("set "))
        statements = {declared_name(text): text for text in texts if text not in settings}
        files = {str(path.relative_to(case)): path for path in case.rglob("*") if path.is_file()}
        files = {name: path for name, path in files.items() if Path(name).parts[0] not in NO_DATA}
        if not isinstance(until, int):
            continue
        fitting = (each for each in found if (each.until, each.settings) == (until, settings))
        group = next((each for each in fitting if len(each.cases) < MOST and each.takes(statements, files)), None)
        if group is None:
            group = Together(until, settings)
            found.append(group)
        group.cases.append(case)
        group.statements.update(statements)
        group.files.update(files)
    return [group for group in found if len(group.cases) > 1]


def run(spark: SparkSession, folder: Path, script: str, until: Any) -> Mapping[str, QueryDefinition]:
    """Run a script once, in the session that all cases share; its queries by name."""
    compiled = compile_script(Source(script, "script.cql"), folder)
    run_compiled(spark, folder, compiled, None if until is None else str(until))
    return compiled.program.queries


def check(case: Path, folder: Path, query: QueryDefinition) -> None:
    """The sink of a case's query, below the folder, holds what the case expects."""
    told = json.loads((case / "case.json").read_text())
    rows = [json.loads(line) for path in (folder / "out" / query.name).glob("*.json") for line in path.open()]
    found = [(read_stamp(row.get("_ts")), row.get("_op"), tuple(row.get(name) for name in query.names)) for row in rows]
    expected = [json.loads(line) for line in (case / "expected" / f"{query.name}.jsonl").open()]
    problems = differences(found, expected, query.names, told.get("exact_names", False))
    listed = "\n".join(problems[:8])
    assert not problems, f"{case.name}: {len(problems)} rows differ from {told['notes']}:\n{listed}"


def alone() -> list[Any]:
    """All cases; those that are answered together with others are slow ones."""
    grouped = {case for group in put_together() for case in group.cases}
    return [pytest.param(each, id=each.name, marks=[pytest.mark.slow] if each in grouped else []) for each in ANSWERED]


@pytest.mark.parametrize("case", alone())
def test_case(spark: SparkSession, case: Path, tmp_path: Path) -> None:
    folder = tmp_path / case.name
    shutil.copytree(case, folder)
    until = json.loads((case / "case.json").read_text())["until"]
    (query,) = run(spark, folder, (case / "script.cql").read_text(), until).values()
    check(case, folder, query)


@pytest.mark.parametrize("group", put_together(), ids=lambda group: f"{group.cases[0].name}-and-{len(group.cases) - 1}")
def test_cases_together(spark: SparkSession, group: Together, tmp_path: Path) -> None:
    for name, path in group.files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(path, tmp_path / name)
    queries = run(spark, tmp_path, group.script, group.until)
    assert len(queries) == len(group.cases)
    for case in group.cases:
        check(case, tmp_path, queries[case.name])
