"""The command line as a user meets it: what is printed where, and the exit status."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import Result
from typer.testing import CliRunner

from tailrace import __version__
from tailrace.cli.main import app, when_asked
from tests.language.scripts import case_of, case_scripts, corpus_scripts, refused_scripts, shown
from tests.patience import PATIENCE

SCRIPT = """CREATE STREAM S (k INT, v INT) TIMESTAMP BY ts;
CREATE VIEW Big AS SELECT k, v FROM S WHERE v > 9;
CREATE QUERY counted AS SELECT COUNT(*) AS n FROM Big [RANGE 5];
CREATE QUERY all_of_it AS SELECT k FROM S;
"""
WRONG = "CREATE STREAM S (k INT) TIMESTAMP BY ts;\nCREATE QUERY q INTO json OPTIONS (path 'out') AS SELECT kk FROM S;\n"
LIMIT = 1.0  # seconds, for starting Python and checking 60 lines


@pytest.fixture
def script(tmp_path: Path) -> Path:
    path = tmp_path / "some.cql"
    path.write_text(SCRIPT)
    return path


def tailrace(*arguments: str | Path) -> Result:
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


def program(*arguments: str | Path, folder: Path | None = None) -> subprocess.CompletedProcess[str]:
    """The command in a process of its own."""
    command = [sys.executable, "-c", "from tailrace.cli.main import main; main()", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, cwd=folder, timeout=PATIENCE)


def test_version() -> None:
    result = tailrace("--version")
    assert (result.exit_code, result.stdout) == (0, f"tailrace {__version__}\n")


# check ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("accepted", corpus_scripts() + case_scripts(), ids=shown)
def test_check_accepts(accepted: Path) -> None:
    result = tailrace("check", accepted)
    assert (result.exit_code, result.stderr) == (0, "")
    assert "query " in result.stdout


@pytest.mark.parametrize("refused", refused_scripts(), ids=shown)
def test_check_refuses(refused: Path) -> None:
    case = case_of(refused)
    result = tailrace("check", refused)
    assert result.exit_code == case["exit"] == 2
    assert result.stdout == ""
    assert f"script.cql:{case['line']}:" in result.stderr.splitlines()[0]
    mentions = case["mentions"]
    assert isinstance(mentions, list)
    assert [word for word in mentions if word not in result.stderr.lower()] == []


def test_check_prints_each_query_with_its_defaults(script: Path) -> None:
    blocks = tailrace("check", script).stdout.rstrip("\n").split("\n\n")
    assert [block.splitlines()[0] for block in blocks] == [
        "view Big: stream (k INT, v INT)",
        "query counted: relation (n BIGINT)",
        "query all_of_it: stream (k INT)",
    ]
    assert blocks[2].splitlines()[1:] == [
        "  default: S has no window: it gets [RANGE UNBOUNDED]",
        "  default: the result only grows: it gets ISTREAM",
        "  SELECT ISTREAM(k)",
        "  FROM S [RANGE UNBOUNDED]",
    ]


def test_a_wrong_script_goes_to_standard_error_and_writes_nothing(tmp_path: Path) -> None:
    (tmp_path / "wrong.cql").write_text(WRONG)
    for command in ("check", "explain"):
        result = program(command, "wrong.cql", folder=tmp_path)
        assert (result.returncode, result.stdout) == (2, "")
        assert result.stderr.splitlines() == [
            "wrong.cql:2:57: error: no column kk in S",
            "  CREATE QUERY q INTO json OPTIONS (path 'out') AS SELECT kk FROM S;",
            " " * 58 + "^^",
            "  hint: did you mean k?",
        ]
    assert [path.name for path in tmp_path.iterdir()] == ["wrong.cql"]


def test_the_file_is_named_as_the_user_named_it(tmp_path: Path) -> None:
    (tmp_path / "wrong.cql").write_text(WRONG)
    assert tailrace("check", tmp_path / "wrong.cql").stderr.startswith(f"{tmp_path / 'wrong.cql'}:2:57: error: ")


def test_paths_are_relative_to_the_script(tmp_path: Path) -> None:
    (tmp_path / "data.csv").write_text("ts,vehicle\n")
    text = "CREATE STREAM S (car INT) USING csv OPTIONS (path 'data.csv') TIMESTAMP BY ts;"
    (tmp_path / "wrong.cql").write_text(text)
    assert "data.csv has no column car" in tailrace("check", tmp_path / "wrong.cql").stderr


def test_windows_line_ends(tmp_path: Path) -> None:
    path = tmp_path / "windows.cql"
    path.write_bytes(WRONG.replace("\n", "\r\n").encode())
    result = tailrace("check", path)
    assert result.exit_code == 2
    assert "\r" not in result.stderr
    assert f"{path}:2:57: error: no column kk in S" in result.stderr


@pytest.mark.parametrize("text", ["", "-- nothing\n", ";;\n"])
def test_a_script_without_queries_is_fine(tmp_path: Path, text: str) -> None:
    (tmp_path / "empty.cql").write_text(text)
    result = tailrace("check", tmp_path / "empty.cql")
    assert (result.exit_code, result.stdout.strip()) == (0, "")


def test_a_missing_file(tmp_path: Path) -> None:
    result = tailrace("check", tmp_path / "missing.cql")
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == f"error: {tmp_path / 'missing.cql'}: No such file or directory\n"


def test_a_folder(tmp_path: Path) -> None:
    result = tailrace("check", tmp_path)
    assert result.exit_code == 1
    assert "Is a directory" in result.stderr


def test_a_file_that_is_no_text(tmp_path: Path) -> None:
    (tmp_path / "binary.cql").write_bytes(b"\xff\xfe\x00S")
    result = tailrace("check", tmp_path / "binary.cql")
    assert result.exit_code == 2
    assert "this is not a text in UTF-8" in result.stderr


# explain --------------------------------------------------------------------------------------------------


def test_explain_as_text(script: Path) -> None:
    result = tailrace("explain", script)
    assert (result.exit_code, result.stderr) == (0, "")
    assert "query counted: relation (n BIGINT)" in result.stdout
    assert "query all_of_it: stream (k INT)" in result.stdout
    assert result.stdout.count("logical plan\n") == result.stdout.count("final plan\n") == 2
    assert "1. push_selections" in result.stdout
    assert result.stdout.count("On Spark\n  stage 1") == 1


def test_explain_one_query_or_view(script: Path) -> None:
    one = tailrace("explain", script, "ALL_OF_IT").stdout
    assert "counted" not in one
    assert "On Spark" not in one
    assert tailrace("explain", script, "big").stdout.startswith("view Big: stream (k INT, v INT)\n")


def test_explain_as_mermaid(script: Path) -> None:
    lines = tailrace("explain", script, "--format", "mermaid").stdout.splitlines()
    assert lines[0] == "flowchart BT"
    assert sum('[["output ' in line for line in lines) == 2
    assert sum("stream S" in line for line in lines) == 2
    nodes = {line.split("[")[0].split("(")[0].strip() for line in lines[1:] if "-->" not in line}
    ends = {end.strip() for line in lines if "-->" in line for end in line.split("-->")}
    assert ends <= nodes


def test_explain_as_json(script: Path) -> None:
    found = json.loads(tailrace("explain", script, "--format", "json").stdout)
    assert list(found["queries"]) == ["counted", "all_of_it"]
    query = found["queries"]["all_of_it"]
    assert query["kind"] == "stream"
    assert query["columns"] == [{"name": "k", "type": "INT"}]
    assert len(query["defaults"]) == 2
    assert query["expanded"] == "SELECT ISTREAM(k) FROM S [RANGE UNBOUNDED]"
    assert {"rule", "before", "after"} == set(query["rewrites"][0])
    operators = {node["id"]: node for node in found["plan"]["operators"]}
    assert all(below in operators for node in operators.values() for below in node["inputs"])
    assert set(found["plan"]["outputs"]) == {"counted", "all_of_it"}


@pytest.mark.parametrize("path", corpus_scripts()[::7], ids=shown)
def test_explain_in_every_form(path: Path) -> None:
    for form in ("text", "mermaid", "json"):
        result = tailrace("explain", path, "--format", form)
        assert (result.exit_code, result.stderr) == (0, "")
    assert json.loads(result.stdout)["plan"]


def test_explain_an_unknown_name(script: Path) -> None:
    result = tailrace("explain", script, "countd")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == f"error: {script}: no query or view countd\n  hint: did you mean counted?\n"


def test_explain_a_stream_is_refused(script: Path) -> None:
    assert tailrace("explain", script, "S").exit_code == 2


def test_explain_in_an_unknown_form(script: Path) -> None:
    assert tailrace("explain", script, "--format", "yaml").exit_code == 2


# The command ----------------------------------------------------------------------------------------------


def test_help_names_the_commands() -> None:
    result = tailrace("--help")
    assert result.exit_code == 0
    assert all(command in result.stdout for command in ("check", "explain"))


@pytest.fixture
def signals() -> Iterator[None]:
    """Handlers as they were, afterwards."""
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGALRM)}
    yield
    signal.alarm(0)
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_asked_to_stop_in_the_middle_of_a_wait(number: int, signals: None) -> None:
    def give_up(*_: object) -> None:
        raise TimeoutError

    stop = threading.Event()
    when_asked(stop)
    signal.signal(signal.SIGALRM, give_up)
    signal.alarm(5)
    with stop._cond:  # type: ignore[attr-defined]  # as `wait` does, before it waits and after
        signal.raise_signal(number)
    assert stop.wait(5)


def test_an_unknown_command() -> None:
    assert tailrace("chekc").exit_code == 2


def sixty_lines() -> str:
    """A script of 60 lines with joins, aggregates and subqueries."""
    query = (
        "CREATE QUERY q{0} AS\nSELECT a.k, COUNT(*) AS n\nFROM S [RANGE {0} SECONDS] AS a, S [ROWS 10] AS b\n"
        "WHERE a.k = b.k AND a.v IN (SELECT v FROM S [NOW] WHERE v > {0})\nGROUP BY a.k;\n"
    )
    head = "CREATE STREAM S (k INT, v INT) TIMESTAMP BY ts;\n\n\n\n\n"
    return head + "".join(map(query.format, range(1, 12)))


@pytest.mark.slow  # by what it measures, not by how long it takes: on a machine with other work it may fail
def test_check_is_quick(tmp_path: Path) -> None:
    """The best of five counts; on a machine with other work to do, the time that was worked and not waited."""
    path = tmp_path / "sixty.cql"
    path.write_text(sixty_lines())
    assert len(sixty_lines().splitlines()) == 60
    waited, worked = [], []
    for _ in range(5):
        start, before = time.perf_counter(), os.times()
        assert program("check", path).returncode == 0
        after = os.times()
        waited.append(time.perf_counter() - start)
        worked.append(after.children_user - before.children_user + after.children_system - before.children_system)
    assert min(waited) < LIMIT or min(worked) < LIMIT / 2, f"{min(waited):.2f} s, of work {min(worked):.2f} s"


@pytest.mark.parametrize(("command", "allowed"), [("check", set()), ("explain", {"pyarrow", "numpy", "pandas"})])
def test_check_and_explain_load_nothing_heavy(script: Path, command: str, allowed: set[str]) -> None:
    """Operators, which explain shows, are made of Arrow types, and Arrow loads pandas; neither command needs Spark."""
    code = (
        "import sys\nfrom tailrace.cli.main import app\n"
        f"app([{command!r}, {str(script)!r}], standalone_mode=False)\n"
        "heavy = {'pyspark', 'pyarrow', 'pandas', 'numpy', 'duckdb', 'fastapi'}\n"
        f"print(sorted((heavy - {allowed!r}) & set(sys.modules)), file=sys.stderr)"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=PATIENCE)
    assert (result.returncode, result.stderr.strip()) == (0, "[]")
