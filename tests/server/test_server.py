"""Server: what `tailrace serve` refuses before Spark is started, and when it wants a token."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import Result
from typer.testing import CliRunner

from tailrace.cli.main import app
from tailrace.errors import RunError
from tailrace.server import server as serving
from tailrace.server.server import ServerOptions
from tests.patience import PATIENCE
from tests.test_tidy import ROOT


def serve(*arguments: str | Path) -> Result:
    return CliRunner().invoke(app, ["serve", *map(str, arguments)])


def test_a_port_that_is_taken() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        found = serve("--port", str(port))
    assert found.exit_code == 1
    assert found.stderr == f"error: cannot listen at 127.0.0.1:{port}: Address already in use\n"


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    found = serve("--folder", tmp_path / "gone")
    assert found.exit_code == 1
    assert found.stderr == f"error: there is no folder {tmp_path / 'gone'}\n"


def test_a_script_that_is_wrong(tmp_path: Path) -> None:
    script = tmp_path / "wrong.cql"
    script.write_text("CREATE QUERY q AS SELECT a FROM Nowhere;")
    found = serve(script)
    assert found.exit_code == 2
    assert f"{script}:1:33: error: no stream, relation or view Nowhere" in found.stderr


def test_java_that_is_not_there(tmp_path: Path) -> None:
    """It is said in one line, as by `tailrace run`. A process of its own, since Java may run in this one already."""
    command = [sys.executable, "-c", "from tailrace.cli.main import main; main()", "serve", "--no-token"]
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = str(free.getsockname()[1])
    env = {**os.environ, "PYTHONPATH": str(ROOT), "JAVA_HOME": str(tmp_path / "gone")}
    done = subprocess.run([*command, "--port", port], env=env, capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 1
    assert "error: Java did not start: Spark needs Java 17 or newer, and JAVA_HOME to name it" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--tls-key", "key.pem"], "there is a key for TLS and no certificate"),
        (["--tls-cert", "gone.pem"], "gone.pem cannot be used for TLS: No such file or directory"),
        (["--tls-cert", "{script}", "--tls-key", "{script}"], "cannot be used for TLS: "),
    ],
)
def test_certificates_that_cannot_be_used(tmp_path: Path, arguments: list[str], said: str) -> None:
    script = tmp_path / "script.cql"
    script.write_text("SET tick = '1 second';")
    found = serve(*(each.format(script=script) for each in arguments))
    assert found.exit_code == 1
    assert said in found.stderr


@pytest.fixture
def requested_servers(monkeypatch: pytest.MonkeyPatch) -> list[ServerOptions]:
    """What the command would have started a server with; nothing is started."""
    found: list[ServerOptions] = []
    monkeypatch.setattr(serving, "run_server", lambda script, served, *others: found.append(served))
    for name in ("TAILRACE_TOKEN", "TAILRACE_READ_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    return found


def test_tokens_are_made_unless_told_otherwise(requested_servers: list[ServerOptions]) -> None:
    assert [serve().exit_code, serve().exit_code] == [0, 0]
    tokens = [token for served in requested_servers for token in (served.token, served.read_token)]
    assert len({*tokens}) == 4
    assert all(token and len(token) >= 32 for token in tokens)
    assert all(served.address.endswith(f"/#token={served.token}") for served in requested_servers)


def test_tokens_that_are_given(requested_servers: list[ServerOptions]) -> None:
    serve("--token", "mine", "--read-token", "yours")
    serve("--no-token")
    assert [(served.token, served.read_token) for served in requested_servers] == [("mine", "yours"), (None, None)]
    assert not requested_servers[1].tokens.are_needed


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--no-token", "--token", "x"], "--no-token and a token exclude each other"),
        (["--no-token", "--read-token", "x"], "--no-token and a token exclude each other"),
        (["--no-token", "--host", "0.0.0.0"], "--no-token is for this machine only, and 0.0.0.0 can be reached"),
        (["--token", "x", "--read-token", "x"], "the token for reading is that for writing"),
    ],
)
def test_tokens_that_make_no_sense(requested_servers: list[ServerOptions], arguments: list[str], said: str) -> None:
    found = serve(*arguments)
    assert found.exit_code == 1
    assert said in found.stderr
    assert requested_servers == []


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "::1", "127.0.0.2"])
def test_this_machine_needs_no_token(host: str) -> None:
    assert ServerOptions(host).token is None
    assert ServerOptions(host, token="").token is None


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.1", "my.example"])
def test_others_get_one(host: str) -> None:
    made = ServerOptions(host)
    assert made.token is not None
    assert len(made.token) >= 32
    assert made.address.endswith(f"/#token={made.token}")
    assert ServerOptions(host).token != made.token
    assert ServerOptions(host, token="").token
    assert ServerOptions(host, token="mine").token == "mine"


def test_who_may_read_is_told_from_who_may_write() -> None:
    assert ServerOptions(read_token="yours").token


def test_tokens_of_odd_characters() -> None:
    assert ServerOptions(token="a+b&c#d%e").address == "http://127.0.0.1:8765/#token=a%2Bb%26c%23d%25e"
    for wrong in ("\u00e9", "a b", "a\n", "\u20ac"):
        for given in ({"token": wrong}, {"token": "x", "read_token": wrong}):
            with pytest.raises(RunError, match="a token has characters that no request can send"):
                ServerOptions(**given)
