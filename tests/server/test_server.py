"""Server: what `tailrace serve` refuses before Spark is started, and when it wants a token."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest
from click.testing import Result
from typer.testing import CliRunner

from tailrace.cli.main import app
from tailrace.server.server import ServerOptions


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
