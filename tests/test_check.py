"""`tailrace check` accepts every printed query and every worked case, is quick, and does not load Spark."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tailrace.analysis.program import analyse
from tailrace.engine.compile import compile_script
from tailrace.errors import ScriptError, Source
from tailrace.serve.report import check_report, explain_report

CORPUS = sorted((Path(__file__).parent / "corpus").glob("*/*.cql"))
CASES = sorted((Path(__file__).resolve().parents[2] / "shared" / "cases").glob("*/script.cql"))
PROGRAM = "import sys; from tailrace.serve.cli import main; main()"
HEAVY = ("pyspark", "pyarrow", "pandas", "numpy", "duckdb", "py4j")


def refusal(script: Path) -> dict[str, object] | None:
    """What a case that must be refused says about it."""
    told = script.with_name("case.json")
    case = json.loads(told.read_text()) if told.exists() else {}
    return case if "exit" in case else None


def test_there_is_a_corpus() -> None:
    assert len(CORPUS) >= 80


@pytest.mark.parametrize("script", CORPUS + CASES, ids=lambda script: f"{script.parent.name}/{script.stem}")
def test_accepted_and_explained(script: Path) -> None:
    source = Source(script.read_text(), script.name)
    case = refusal(script)
    if case is not None:
        with pytest.raises(ScriptError) as caught:
            analyse(source, script.parent)
        message = caught.value.message.lower()
        assert message.startswith(f"script.cql:{case['line']}:")
        assert all(str(word) in message for word in case["mentions"])  # type: ignore[attr-defined]
        return
    compiled = compile_script(source, script.parent)
    assert check_report(compiled)
    for form in ("text", "mermaid", "json"):
        assert explain_report(compiled, compiled.program.queries.values(), form) or not compiled.program.queries


def sixty_lines(folder: Path) -> Path:
    script = folder / "sixty.cql"
    lines = ["CREATE STREAM S (k INT, v INT) TIMESTAMP BY ts;", "CREATE STREAM T (k INT, w INT) TIMESTAMP BY ts;"]
    for number in range(29):
        lines.append(
            f"CREATE VIEW V{number} AS SELECT S.k, SUM(S.v) AS s FROM S [RANGE {number + 1} MINUTES], T [ROWS 9]"
        )
        lines.append(f"  WHERE S.k = T.k AND S.v > {number} GROUP BY S.k HAVING COUNT(*) > (SELECT MIN(w) FROM T);")
    script.write_text("\n".join(lines))
    return script


def test_quick_and_without_spark(tmp_path: Path) -> None:
    script = sixty_lines(tmp_path)
    assert len(script.read_text().splitlines()) == 60
    best = float("inf")
    for _ in range(5):
        begun = time.perf_counter()
        done = subprocess.run([sys.executable, "-c", PROGRAM, "check", str(script)], capture_output=True, text=True)
        best = min(best, time.perf_counter() - begun)
        assert done.returncode == 0, done.stderr
    assert best < 1.0
    loaded = (
        "import sys; from tailrace.engine.compile import compile_script; from tailrace.errors import Source; "
        "import tailrace.serve.cli, pathlib; from tailrace.serve.report import check_report; "
        f"check_report(compile_script(Source(pathlib.Path({str(script)!r}).read_text()))); "
        f"print([name for name in {HEAVY!r} if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", loaded], capture_output=True, text=True)
    assert done.stdout.strip() == "[]", done.stdout + done.stderr


def test_status_of_a_wrong_script(tmp_path: Path) -> None:
    script = tmp_path / "wrong.cql"
    script.write_text("CREATE QUERY q INTO json OPTIONS (path 'out') AS SELECT a FROM Nowhere;")
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, "check", "wrong.cql"], capture_output=True, text=True, cwd=tmp_path
    )
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith("wrong.cql:1:64: error: no stream, relation or view Nowhere")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["wrong.cql"]


def test_status_of_a_missing_script(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, "check", str(tmp_path / "no.cql")], capture_output=True, text=True
    )
    assert done.returncode == 1
    assert "No such file" in done.stderr
