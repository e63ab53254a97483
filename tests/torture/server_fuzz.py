"""Server fuzz: thousands of requests, with each token and none; nothing outside the folders changes."""

from __future__ import annotations

import json
import random
import socket
import time
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

import httpx
import schemathesis
from hypothesis import HealthCheck, Phase, given, seed, settings

from tests.spark.front.test_openapi import send
from tests.torture.server_process import ServerProcess
from tests.torture.server_requests import CANARY, STATUS, draw_bytes, draw_request, paths_without_token

SECRET = "s3cr3t-of-the-outside"
MOST = 8  # queries that requests made and that are left for a while
READING = {("POST", "/api/check"), ("POST", "/api/explain")}
QUICK = {"phases": [Phase.generate], "suppress_health_check": list(HealthCheck), "deadline": None, "database": None}


@dataclass
class Fuzz:
    """Requests to a server, what came of them, and what should not have."""

    server: ServerProcess
    draw: random.Random
    counts: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)
    made: list[str] = field(default_factory=list)

    def note(self, what: object, status: int, text: str, allowed: bool = True) -> None:
        """Count an answer; it is a fault if it is a 5xx, tells a secret, or was given to somebody who has no right."""
        self.counts[f"{status // 100}xx"] += 1
        self.counts["requests"] += 1
        if status >= 500 or SECRET in text or "Traceback" in text:
            self.blame(f"{status} for {what!r:.600}: {text:.200}")
        if not allowed and status not in (400, 401, 403, 404, 405, 421):
            self.blame(f"{status} without a right for {what!r:.300}: {text:.100}")

    def blame(self, fault: str) -> None:
        print(f"fault: {fault}", flush=True)
        self.faults.append(fault)

    def ask(self, client: httpx.Client, what: dict[str, Any], role: str | None) -> httpx.Response | None:
        """Send a request in a role: write, read, or None, which has no token or a wrong one."""
        wrong = self.draw.choice(["", "Bearer", "Bearer x", f"Basic {self.server.tokens['write']}", "Bearer None"])
        token = f"Bearer {self.server.tokens[role]}" if role else wrong
        headers = {**dict(what.get("headers") or {}), "X-Tailrace": "1", "Authorization": token}
        answer = send(client, {**what, "headers": headers})
        if answer is None:
            self.counts["could not be sent"] += 1
            return None
        path, method = answer.request.url.path, answer.request.method
        may = role == "write" or (role == "read" and (method in ("GET", "HEAD") or (method, path) in READING))
        self.note((role, what), answer.status_code, answer.text, may)
        return answer

    def role(self) -> str | None:
        return self.draw.choices(["write", "read", None], [6, 2, 2])[0]

    # Kinds of requests --------------------------------------------------------------------------------

    def ask_as_described(self, wanted: int) -> None:
        """Requests drawn from the OpenAPI description, as many of each kind."""
        with self.server.client() as client:
            described = schemathesis.openapi.from_dict(client.get("openapi.json").json())
        found = [each.ok() for each in described.get_all_operations()]
        operations = [each for each in found if not each.path.endswith(("/events", "/start"))]
        with httpx.Client(base_url=f"http://127.0.0.1:{self.server.port}", timeout=90) as client:
            for operation in operations:
                self.ask_operation(client, operation, -(-wanted // len(operations)))

    def ask_operation(self, client: httpx.Client, operation: Any, most: int) -> None:
        @seed(self.draw.randrange(1 << 30))
        @settings(max_examples=most, **QUICK)
        @given(case=operation.as_strategy())
        def ask(case: Any) -> None:
            sent = case.as_transport_kwargs(base_url=str(client.base_url))
            sent.pop("cookies", None)
            answer = self.ask(client, sent, self.role())
            if answer is not None and answer.status_code == 201:
                self.made.append(answer.json()["name"])
                self.tidy(client)

        ask()

    def ask_hostile(self, wanted: int) -> None:
        """Requests with hostile names, paths and statements."""
        base = f"http://127.0.0.1:{self.server.port}/api/"
        with httpx.Client(timeout=90) as client:
            for _ in range(wanted):
                drawn = draw_request(self.draw)
                what = {"method": drawn["method"], "url": base + drawn["path"]}
                if drawn["body"] is not None:
                    what["content"] = json.dumps(drawn["body"])
                    what["headers"] = {"Content-Type": "application/json"}
                answer = self.ask(client, what, self.role())
                if answer is not None and answer.status_code in (200, 201) and drawn["body"]:
                    self.tidy(client)

    def tidy(self, client: httpx.Client) -> None:
        """Drop what requests have made, if it is much: a server with thousands of queries is another test."""
        mine = {"X-Tailrace": "1", "Authorization": f"Bearer {self.server.tokens['write']}"}
        base = f"http://127.0.0.1:{self.server.port}/api/"
        kept = client.get(f"{base}kept", headers=mine).json()
        created = [each for each in kept if each["action"] == "create"]
        if len(created) <= MOST:
            return
        for each in reversed(created):
            word = each["text"].split()[1]
            name = each["name"].replace("`", "``")
            text = json.dumps({"text": f"DROP {word} `{name}`"})
            answer = client.post(f"{base}execute", content=text, headers={**mine, "Content-Type": "application/json"})
            self.note(text, answer.status_code, answer.text)
            self.counts["made and dropped"] += 1

    def ask_past_the_token(self) -> None:
        """Every route without a token, with a wrong one and with that for reading; and paths that try to get past."""
        with self.server.client() as client:
            paths = client.get("openapi.json").json()["paths"]
        with httpx.Client(base_url=f"http://127.0.0.1:{self.server.port}", timeout=90) as client:
            for path, methods in paths.items():
                for method in methods:
                    url = path.replace("{name}", "counts").replace("{key}", "trigger")
                    for role in (None, None, None, "read"):
                        if role is None or (method != "get" and (method.upper(), url) not in READING):
                            self.ask(client, {"method": method.upper(), "url": url}, role)
        for path in paths_without_token():
            self.say(f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode(), False)

    def say(self, content: bytes, allowed: bool = True, slowly: bool = False) -> None:
        """Send bytes on a connection of their own, and note all answers."""
        found = b""
        with suppress(OSError), socket.create_connection(("127.0.0.1", self.server.port), timeout=3) as link:
            for part in [content[at : at + 9] for at in range(0, min(len(content), 90), 9)] if slowly else [content]:
                link.sendall(part)
                time.sleep(0.1 if slowly else 0)
            link.shutdown(socket.SHUT_WR)
            while part := link.recv(65_536):
                found += part
        for status in STATUS.findall(found) or [b"0"]:
            leaks = not allowed and b'"watermark"' in found
            self.note(content[:300], int(status), found.decode("latin-1"), not leaks or status != b"200")

    def say_badly(self, wanted: int) -> None:
        """Bytes that are no good HTTP."""
        for number in range(wanted):
            self.say(draw_bytes(self.draw, self.server.tokens["write"]), slowly=number % 25 == 0)


# Files ------------------------------------------------------------------------------------------------------


def files_of(folder: Path, but: set[str]) -> dict[str, str]:
    """All files below a folder, by name, with what is in them; but not those below some names."""
    found = {}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if not any(name == each or name.startswith(f"{each}/") for each in but):
            kept = path.is_file() and not path.is_symlink()
            found[name] = sha256(path.read_bytes()).hexdigest() if kept else f"link or folder {path.is_symlink()}"
    return found


def canaries(roots: list[Path], allowed: Path) -> list[str]:
    """Files outside the allowed folder that have a name which requests had."""
    found = []
    for root in roots:
        for path in root.rglob(f"*{CANARY}*"):
            if allowed not in path.parents:
                found.append(str(path))
    return found


def run_fuzz(server: ServerProcess, wanted: int, number: int) -> list[str]:
    """Ask so many requests; lines to print. An AssertionError for every kind of fault."""
    fuzz = Fuzz(server, random.Random(number))
    # The server's own: `inside` is its folder, beside it are its checkpoint, tokens and what it says.
    box, own = server.folder.parent, {"inside", "kept", "kept.audit.jsonl", "scratch", "said.txt"}
    (box / "outside").mkdir()
    (box / "outside" / "secret.csv").write_text(f"a,ts\n{SECRET},1\n")
    (server.folder / "link").symlink_to(box / "outside")
    before = files_of(box, own)
    memory = server.memory
    fuzz.ask_past_the_token()
    fuzz.say_badly(wanted // 10)
    fuzz.ask_as_described(wanted * 4 // 10)
    fuzz.ask_hostile(max(0, wanted - fuzz.counts["requests"]))
    assert not fuzz.faults, f"{len(fuzz.faults)} faults"
    assert files_of(box, own) == before
    assert canaries([box, Path.home(), Path.cwd()], server.folder) == []
    with server.client() as client:
        status = client.get("status").json()
    assert status["running"], status["problem"]
    counts = ", ".join(f"{each} {fuzz.counts[each]:,}" for each in sorted(fuzz.counts))
    return [f"{counts}; memory {memory:,.0f} MB before, {server.memory:,.0f} MB after"]
