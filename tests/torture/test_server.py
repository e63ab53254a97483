"""Servers as processes of their own: what was registered over REST is there after a kill, and answers exactly."""

from __future__ import annotations

import json
import os
import signal
import socket
from collections import Counter
from contextlib import suppress
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import pytest

from tests.patience import PATIENCE
from tests.torture.server_process import ServerProcess, server_process

pytestmark = [pytest.mark.spark, pytest.mark.slow]


def rows_in(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for file in folder.glob("*.json") for line in file.read_text().splitlines()]


def current(changes: list[list[Any]]) -> Counter[tuple[Any, ...]]:
    """What a changelog of lists (_ts, _op, …) leaves."""
    found: Counter[tuple[Any, ...]] = Counter()
    for _, sign, *row in changes:
        found[tuple(row)] += 1 if sign == "+" else -1
    return +found


def register(server: ServerProcess) -> None:
    with server.client() as client:
        texts = ["CREATE VIEW Small AS SELECT k, v FROM S WHERE v < 3", "SET batch.time = '3 seconds'"]
        assert client.post("execute", json={"text": "; ".join(texts)}).status_code == 200
        for name, text, into in (
            ("few", "SELECT k, v FROM Small", "json"),
            ("sums", "SELECT k, SUM(v) AS s, COUNT(*) AS n FROM S [RANGE UNBOUNDED] GROUP BY k", "json"),
            ("seen", "SELECT k, COUNT(*) AS n FROM Small [RANGE UNBOUNDED] GROUP BY k", None),
        ):
            asked = {"name": name, "text": text, "into": into, "options": {"path": f"out/{name}"} if into else {}}
            assert client.post("queries", json=asked).status_code == 201
        assert client.delete("queries/large").status_code == 204


def test_queries_of_the_network_go_on_after_a_kill(tmp_path: Path) -> None:
    with server_process(tmp_path) as server:
        register(server)
        server.write()
        server.wait_for(lambda: rows_in(server.folder / "out/sums"))
        server.kill()
        server.write()
        server.start()
        assert "note: 6 kept statements executed" in server.said
        server.write()
        wanted = Counter((row["k"], row["v"]) for row in server.rows if row["v"] < 3)
        server.wait_for(lambda: len(rows_in(server.folder / "out/few")) >= wanted.total())
        assert Counter((row["k"], row["v"]) for row in rows_in(server.folder / "out/few")) == wanted

        # What happened at the newest instant is not decided yet.
        decided = [row for row in server.rows if row["ts"] < server.rows[-1]["ts"]]
        counts = Counter(row["k"] for row in decided)
        sums = {(key, sum(row["v"] for row in decided if row["k"] == key), counts[key]) for key in counts}

        def standing() -> set[tuple[Any, ...]]:
            rows = rows_in(server.folder / "out/sums")
            return set(current([[row["_ts"], row["_op"], row["k"], row["s"], row["n"]] for row in rows]))

        server.wait_for(lambda: standing() == sums)
        # These were told since the restart, and count on from before it.
        small = Counter(row["k"] for row in decided if row["v"] < 3)
        server.wait_for(lambda: set(current(server.results("seen"))) == set(small.items()))
        with server.client() as client:
            assert [each["name"] for each in client.get("catalog").json()["queries"]] == [
                "counts",
                "few",
                "sums",
                "seen",
            ]
            found = {each["key"]: each["value"] for each in client.get("settings").json()}
            assert found["batch.time"] == "3 seconds"
            assert [each["problem"] for each in client.get("kept").json()] == [None] * 6


def listening(group: int) -> dict[int, bool]:
    """The ports at which processes of a group listen, and whether only this machine can reach them."""
    pids = {int(path.name) for path in Path("/proc").glob("[0-9]*") if group_of(path) == group}
    links = {os.readlink(each) for pid in pids for each in Path(f"/proc/{pid}/fd").glob("*") if each.is_symlink()}
    found = {}
    for table, size in (("tcp", 8), ("tcp6", 32)):
        for line in Path(f"/proc/net/{table}").read_text().splitlines()[1:]:
            _, local, _, state, *_, inode = line.split()[:10]
            if state == "0A" and f"socket:[{inode}]" in links:
                packed = bytes.fromhex(local[:size])
                words = [packed[at : at + 4][::-1] for at in range(0, len(packed), 4)]
                address = ip_address(b"".join(words))
                mapped = getattr(address, "ipv4_mapped", None) or address
                found[int(local[size + 1 :], 16)] = mapped.is_loopback
    return found


def group_of(process: Path) -> int:
    with suppress(OSError):
        return int((process / "stat").read_text().rpartition(")")[2].split()[2])
    return -1


def greet(port: int) -> bytes:
    """What a stranger gets who speaks Py4J's protocol."""
    with socket.create_connection(("127.0.0.1", port), timeout=5) as link, suppress(OSError):
        link.sendall(b"r\nu\norg.apache.spark.api.java\ne\n")
        link.shutdown(socket.SHUT_WR)
        return link.recv(1000)
    return b""


def test_strangers_get_nothing_and_all_processes_may_be_told_to_end(tmp_path: Path) -> None:
    with server_process(tmp_path) as server:
        server.write()
        server.wait_for(lambda: server.results("large"))
        found = listening(server.groups[-1])
        assert server.port in found
        assert all(found.values())
        assert not any(b"!y" in greet(port) for port in found)
        # As systemd does: not only the process that it started is told to end.
        for process in Path("/proc").glob("[0-9]*"):
            if group_of(process) == server.groups[-1] and int(process.name) != server.groups[-1]:
                os.kill(int(process.name), signal.SIGTERM)
        known = len(server.results("large"))
        server.write()
        server.wait_for(lambda: len(server.results("large")) > known)
        os.killpg(server.groups[-1], signal.SIGTERM)
        assert server.process is not None
        assert server.process.wait(PATIENCE) == 0
        assert "Exception" not in server.said
        assert "\tat " not in server.said
        server.wait_for(lambda: not any(group_of(path) == server.groups[-1] for path in Path("/proc").glob("[0-9]*")))
