"""The shell as it reads: statements over lines, commands, completion, what a pipe gives; all of it without Spark."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tailrace.catalog.system_streams import SYSTEM_STREAMS
from tailrace.cli.shell import Shell
from tailrace.cli.shell_input import InputPiece, Reader
from tests.patience import PATIENCE

DECLARED = "CREATE STREAM Calls (caller INT, seconds INT)\n  TIMESTAMP BY ts;"


def piped(text: str, capsys: pytest.CaptureFixture[str]) -> tuple[int, str, str]:
    """Status, output and complaints of a pipe that holds a text."""
    status = Shell(None, "local[2]", live=False).read(text.splitlines(keepends=True))
    said = capsys.readouterr()
    return status, said.out, said.err


def pieces(*lines: str) -> list[InputPiece]:
    reader = Reader()
    return [piece for line in lines for piece in reader.take(line)]


# Reading --------------------------------------------------------------------------------------------------


def test_a_statement_ends_at_its_semicolon() -> None:
    found = pieces("SHOW STREAMS; SELECT ';' -- not ; here", "FROM S /* nor ;", "there */ ; DROP")
    assert [piece.text for piece in found] == [
        "SHOW STREAMS;",
        " SELECT ';' -- not ; here\nFROM S /* nor ;\nthere */ ;",
    ]
    assert [piece.start for piece in found] == [0, 13]


def test_a_line_with_a_backslash_is_a_command_and_the_statement_goes_on() -> None:
    assert [piece.text.split() for piece in pieces("SELECT 1", "\\d S", "FROM S;")] == [
        ["\\d", "S"],
        ["SELECT", "1", "FROM", "S;"],
    ]
    assert [piece.is_command for piece in pieces("SELECT 'a", "\\d'", ";")] == [False]


def test_what_waits_at_the_end_is_a_statement() -> None:
    reader = Reader()
    assert list(reader.take("SHOW VIEWS")) == []
    assert [piece.text.strip() for piece in reader.rest()] == ["SHOW VIEWS"]
    assert list(reader.rest()) == []


# Pipes ----------------------------------------------------------------------------------------------------


def test_a_pipe_gets_what_was_asked_for_and_nothing_else(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = piped(f"{DECLARED}\n\nSHOW STREAMS;\n\\ds\n\\q\nSHOW VIEWS;\n", capsys)
    assert (status, err) == (0, "")
    assert out.splitlines() == [
        "streams",
        "  Calls(caller INT, seconds INT), timestamp by ts",
        " name   kind    columns",
        " Calls  stream  caller INT, seconds INT",
    ]


def test_a_block_is_taken_whole_or_not_at_all(capsys: pytest.CaptureFixture[str]) -> None:
    block = "BEGIN;\nCREATE VIEW V AS SELECT caller FROM Calls;\nCREATE VIEW W AS SELECT {} FROM Calls;\nEND;\n"
    status, out, err = piped(f"{DECLARED}\n{block.format('seconds')}SHOW VIEWS;\nDESC V;\n", capsys)
    assert (status, err) == (0, "")
    assert out.splitlines() == [
        "views",
        "  V: stream (caller INT)",
        "  W: stream (seconds INT)",
        "view V, a stream",
        "  caller  INT",
    ]
    status, _, err = piped(f"{DECLARED}\n{block.format('caler')}", capsys)
    assert (status, err.splitlines()[0]) == (2, "<stdin>:5:25: error: no column caler in Calls")


def test_a_wrong_statement_ends_a_pipe_with_its_place(capsys: pytest.CaptureFixture[str]) -> None:
    text = f"{DECLARED}\nSHOW VIEWS; CREATE VIEW V AS SELECT caler FROM Calls;\nSHOW STREAMS;\n"
    status, out, err = piped(text, capsys)
    assert status == 2
    assert out.splitlines() == ["views", "  none"]
    assert err.splitlines() == [
        "<stdin>:3:37: error: no column caler in Calls",
        "  SHOW VIEWS; CREATE VIEW V AS SELECT caler FROM Calls;",
        " " * 38 + "^^^^^",
        "  hint: did you mean caller?",
    ]


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("\\pln V", "no command \\pln\n  hint: did you mean \\plan?"),
        ("\\plan", "\\plan needs a name\n  hint: \\plan NAME"),
        ("\\d Cals", "there is nothing called Cals\n  hint: did you mean Calls?"),
        ("\\plan Calls", "Calls is a stream, and only views and queries have a plan"),
        ("\\watch Calls", "Calls is a stream, not a query\n  hint: \\dq lists those"),
    ],
)
def test_a_wrong_command(command: str, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert piped(f"{DECLARED}\n{command}\n", capsys) == (2, "", f"error: {said}\n")


def test_a_file_that_is_not_there(capsys: pytest.CaptureFixture[str]) -> None:
    assert piped("\\i gone.cql\n", capsys) == (1, "", "error: gone.cql: No such file or directory\n")


def test_a_file_is_taken_whole_or_not_at_all(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good, bad = tmp_path / "good.cql", tmp_path / "bad.cql"
    good.write_text(DECLARED)
    bad.write_text("CREATE VIEW V AS SELECT caller FROM Calls;\nCREATE VIEW W AS SELECT x FROM Calls;\n")
    status, out, err = piped(f"\\i {good}\n\\dv\n\\i {bad}\n", capsys)
    assert (status, out) == (2, "there is nothing yet\n")
    assert err.startswith(f"{bad}:2:25: error: no column x in Calls\n")


def test_a_view_is_described_with_its_defaults_and_its_plan(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = piped(
        f"{DECLARED}\nCREATE VIEW V AS SELECT caller FROM Calls;\n\\d V\n\\plan v\n\\d Calls", capsys
    )
    assert status == 0
    assert out.startswith("view V\n column  type\n caller  INT\n  view V: stream (caller INT)\n")
    assert "default: the result only grows: it gets ISTREAM" in out
    assert "final plan" in out
    assert out.endswith("stream Calls\n column   type\n caller   INT\n seconds  INT\n  timestamp by ts\n")


def test_the_command_in_a_process_of_its_own() -> None:
    command = [sys.executable, "-c", "from tailrace.cli.main import main; main()", "shell"]
    found = subprocess.run(command, input=f"{DECLARED} SHOW STREAM;", capture_output=True, text=True, timeout=PATIENCE)
    assert (found.returncode, found.stdout) == (2, "")
    assert found.stderr.splitlines()[0].startswith("<stdin>:2:25: error: expected STREAMS, RELATIONS, TABLES, VIEWS")


# Completion -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "word", "expected"),
    [
        ("", "\\wa", ["\\watch"]),
        ("\\d ", "c", ["Calls"]),
        ("SELECT caller FROM ", "", ["Calls", "Long", *sorted(SYSTEM_STREAMS)]),
        ("SELECT caller FROM Calls [NOW], ", "l", ["Long"]),
        ("SELECT ", "caller", ["caller"]),
        ("SELECT C.caller FROM Calls [RANGE 5] C WHERE ", "C.", ["C.caller", "C.seconds"]),
        ("SELECT * FROM Calls WHERE ", "secon", ["second", "seconds"]),
        ("DROP VIEW ", "", ["Long"]),
        ("EXPLAIN ", "L", ["Long"]),
        ("", "creat", ["create"]),
        ("SELECT MAX(seconds) FROM Calls ", "GROU", ["GROUP", "GROUPING", "GROUPING_ID"]),
    ],
)
def test_completion(before: str, word: str, expected: list[str]) -> None:
    shell = Shell(None, "local[2]", live=False)
    shell.engine.execute(f"{DECLARED} CREATE VIEW Long AS SELECT * FROM Calls WHERE seconds > 60;")
    assert shell.complete(before, word) == expected
