"""The shell with Spark: from a pipe, and driven in tmux as a person would, key by key."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from tailrace.cli.shell import Shell
from tests.patience import PATIENCE

DECLARED = "CREATE STREAM Calls (caller INT, seconds INT) USING csv OPTIONS (path 'calls') TIMESTAMP BY ts;"

pytestmark = pytest.mark.spark


def write(folder: Path, name: str, *rows: str) -> None:
    """One more file of calls, which appears at once."""
    (folder / "calls").mkdir(exist_ok=True)
    aside = folder / f".{name}"
    aside.write_text("\n".join(["ts,caller,seconds", *rows]) + "\n")
    aside.rename(folder / "calls" / f"{name}.csv")


def test_a_pipe_answers_over_what_is_there(
    spark: SparkSession, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tmp_path, "one", "0,1,10", "1,2,20", "2,1,30")
    shell = Shell(str(tmp_path), "local[2]", live=False)
    shell.has_spark = True  # the session that all tests share
    text = f"""{DECLARED}
    CREATE QUERY total AS SELECT caller, SUM(seconds) AS s FROM Calls [RANGE UNBOUNDED] GROUP BY caller;
    SELECT caller, seconds
    FROM Calls WHERE seconds > 15;
    CREATE QUERY long INTO json OPTIONS (path 'out') AS SELECT seconds FROM Calls WHERE seconds > 25"""
    assert shell.read(text.splitlines()) == 0
    said = capsys.readouterr()
    assert said.out.splitlines() == [
        " _ts  caller  seconds",
        "   1       2       20",
        "   2       1       30",
        "total",
        " _ts  _op  caller   s",
        "   0  +         1  10",
        "   1  +         2  20",
        "   2  -         1  10",
        "   2  +         1  40",
    ]
    written = "".join(path.read_text() for path in (tmp_path / "out").glob("*.json"))
    assert written.strip() == '{"_ts":2,"seconds":30}'


def test_what_fails_while_running_ends_a_pipe(
    spark: SparkSession, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shell = Shell(str(tmp_path), "local[2]", live=False)
    shell.has_spark = True
    assert shell.read([DECLARED, "SELECT caller FROM Calls;", "SHOW STREAMS;"]) == 1
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith("error: ")


# In a terminal --------------------------------------------------------------------------------------------


class Tmux:
    """A terminal in which a shell runs, in a server of its own."""

    def __init__(self, folder: Path) -> None:
        self.base = ["tmux", "-S", str(folder / "tmux"), "-f", os.devnull]
        command = shlex.join([sys.executable, "-c", "from tailrace.cli.main import main; main()", "shell"])
        settings = {"PYTHONPATH": os.getcwd(), "TAILRACE_HISTORY": str(folder / "history"), "TERM": "screen"}
        given = " ".join(f"{name}={shlex.quote(value)}" for name, value in settings.items())
        line = f"env {given} {command} --master 'local[2]'; echo left with $?; sleep 600"
        self.run("new-session", "-d", "-x", "150", "-y", "50", "-c", str(folder), line)

    def run(self, *words: str) -> str:
        return subprocess.run([*self.base, *words], check=True, capture_output=True, text=True, timeout=PATIENCE).stdout

    def type(self, text: str, *keys: str) -> None:
        """A text as it is, then keys such as Enter or C-c."""
        if text:
            # tmux takes a semicolon at the end for itself.
            self.run("send-keys", "-l", f"{text[:-1]}\\;" if text.endswith(";") else text)
        if keys:
            self.run("send-keys", *keys)

    def screen(self) -> str:
        return self.run("capture-pane", "-p", "-J")

    def wait(self, text: str, times: int = 1) -> str:
        """The screen, once a text is on it so often."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            found = self.screen()
            if found.count(text) >= times:
                return found
            time.sleep(0.2)
        raise AssertionError(f"no {text!r} on\n{self.screen()}")

    def clear(self) -> None:
        """An empty screen with a prompt."""
        self.type("", "C-l")
        time.sleep(0.3)


@pytest.fixture
def tmux(tmp_path: Path) -> Iterator[Tmux]:
    if shutil.which("tmux") is None:
        pytest.skip("tmux is not installed")
    found = Tmux(tmp_path)
    yield found
    found.run("kill-server")


@pytest.mark.slow
def test_a_session(tmux: Tmux, tmp_path: Path) -> None:
    write(tmp_path, "one", "0,1,10", "1,2,20")
    tmux.wait("tailrace=>")
    declares(tmux)
    makes_mistakes(tmux)
    watches_a_result(tmux, tmp_path)
    has_a_query_stand(tmux, tmp_path)
    # The history has statements whole; Ctrl-D leaves.
    tmux.clear()
    tmux.type("", "Up", "Up", "Up", "Enter")
    tmux.wait("there is already a query longest")
    tmux.type("", "C-d")
    tmux.wait("left with 0")
    assert "TIMESTAMP BY ts;" in (tmp_path / "history").read_text()


def declares(tmux: Tmux) -> None:
    """A statement over two lines; completion of a keyword and of a name."""
    tmux.type("CREATE STREAM Calls (caller INT, seconds INT)", "Enter")
    tmux.wait("tailrace->")
    tmux.type("USING csv OPTIONS (path 'calls') TIMEST", "Tab")
    tmux.type(" BY ts;", "Enter")
    tmux.wait("done")
    tmux.type("\\d Cal", "Tab")
    tmux.type("", "Enter")
    assert "timestamp by ts" in tmux.wait("using csv")


def makes_mistakes(tmux: Tmux) -> None:
    """A mistake has its place and a hint, and the shell goes on; Ctrl-C forgets half a statement."""
    tmux.type("SELECT caler FROM Calls;", "Enter")
    screen = tmux.wait("did you mean caller?")
    assert "<shell>:1:8: error: no column caler in Calls" in screen
    assert "         ^^^^^\n" in screen
    tmux.type("SELECT nonsense", "Enter")
    tmux.wait("tailrace->", 2)
    tmux.type("", "C-c")
    tmux.clear()


def watches_a_result(tmux: Tmux, folder: Path) -> None:
    """A result lives, and Ctrl-C stops it and not the shell."""
    tmux.type("SELECT caller, seconds FROM Cal", "Tab")
    tmux.type(" WHERE seconds > 5;", "Enter")
    screen = tmux.wait("   1       2       20")
    assert "starting Spark" in screen
    assert "default: the result only grows: it gets ISTREAM" in screen
    write(folder, "two", "2,3,30", "3,4,40")
    tmux.wait("   3       4       40")
    tmux.type("", "C-c")
    tmux.wait("(4 rows)")
    tmux.wait("tailrace=>")
    tmux.clear()


def has_a_query_stand(tmux: Tmux, folder: Path) -> None:
    """A query goes on after Ctrl-C, and can be looked at and watched again."""
    tmux.type("CREATE QUERY longest AS SELECT MAX(seconds) AS most FROM Calls;", "Enter")
    tmux.wait("   2  +      30")  # more of instant 3 may follow
    tmux.type("", "C-c")
    tmux.wait("longest keeps running")
    tmux.clear()
    tmux.type("\\now longest", "Enter")
    assert " most\n   30\n(1 row)" in tmux.wait("(1 row)")
    tmux.type("\\watch longest", "Enter")
    time.sleep(2)
    write(folder, "three", "4,5,50")
    tmux.wait("   3  +      40")
    tmux.type("", "C-c")
    tmux.wait("keeps running")
