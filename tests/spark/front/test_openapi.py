"""The OpenAPI description, and requests drawn from it: whatever is asked, the server never fails."""

from __future__ import annotations

import random
import socket
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from pyspark.sql import SparkSession

from tests.conftest import Examples
from tests.patience import PATIENCE
from tests.spark.front.serving import Serving, serving
from tests.torture.server_requests import STATUS, draw_bytes, draw_request

pytestmark = pytest.mark.spark
FEW, MANY = 6, 150  # requests of each kind
QUICK = {"phases": [Phase.explicit, Phase.generate], "suppress_health_check": list(HealthCheck), "deadline": None}


@pytest.fixture(scope="module")
def at_work(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    with serving(spark, tmp_path_factory.mktemp("fuzzed")) as found:
        found.write()
        yield found


def described(at_work: Serving) -> dict[str, Any]:
    with at_work.client() as client:
        found = client.get("openapi.json").json()
    assert isinstance(found, dict)
    return found


def test_everything_is_described(at_work: Serving) -> None:
    paths = described(at_work)["paths"]
    asked = {(method, path) for path, methods in paths.items() for method in methods}
    assert {
        ("get", "/api/catalog"),
        ("post", "/api/check"),
        ("post", "/api/explain"),
        ("post", "/api/execute"),
        ("post", "/api/queries"),
        ("delete", "/api/queries/{name}"),
        ("post", "/api/queries/{name}/pause"),
        ("get", "/api/queries/{name}/results"),
        ("get", "/api/queries/{name}/events"),
        ("put", "/api/settings/{key}"),
    } <= asked
    assert all(method.get("summary") for methods in paths.values() for method in methods.values())


def fuzz(at_work: Serving, most: int) -> int:
    """Ask so many requests of each kind; how many there were."""
    schema = schemathesis.openapi.from_dict(described(at_work))
    asked = 0
    with httpx.Client(base_url=at_work.address, headers=at_work.headers, timeout=PATIENCE) as client:
        for found in schema.get_all_operations():
            operation = found.ok()
            if operation.path.endswith("/events"):
                continue  # it does not end

            @settings(max_examples=most, **QUICK)
            @given(case=operation.as_strategy())
            def ask(case: Any) -> None:
                nonlocal asked
                asked += 1
                sent = case.as_transport_kwargs(base_url=at_work.address)
                sent.pop("cookies", None)
                sent["headers"] = {**dict(sent.get("headers") or {}), **at_work.headers}
                answer = send(client, sent)
                assert answer is None or answer.status_code < 500, (case, answer.text if answer else "")

            ask()
        assert client.get("/api/status").json()["problem"] is None
    return asked


def send(client: httpx.Client, sent: dict[str, Any]) -> httpx.Response | None:
    known = {
        key: sent[key] for key in ("method", "url", "params", "headers", "json", "content") if sent.get(key) is not None
    }
    if sent.get("data") is not None:
        known["content"] = sent["data"]
    try:
        return client.request(**known)
    except (httpx.InvalidURL, httpx.LocalProtocolError, UnicodeEncodeError, ValueError, TypeError):
        return None  # what this client cannot even send


def test_a_few_requests_of_each_kind(at_work: Serving, examples: Examples) -> None:
    examples("requests drawn from the OpenAPI description", fuzz(at_work, FEW))


@pytest.mark.slow
def test_many_requests_of_each_kind(at_work: Serving, examples: Examples) -> None:
    examples("requests drawn from the OpenAPI description", fuzz(at_work, MANY))


TEXTS = [
    "",
    ";",
    "SELECT",
    "SELECT k FROM S WHERE name = '\x00'",
    "CREATE",
    "-- only",
    "'",
    "/*",
    "EXPLAIN large",
    "😀",
]


@pytest.mark.parametrize("text", [*TEXTS, "(" * 5000, "SELECT " + "-" * 3000 + "k FROM S", "x" * 200_001])
def test_texts_that_are_odd(at_work: Serving, text: str) -> None:
    with at_work.client() as client:
        for path, body in (
            ("check", {"text": text}),
            ("explain", {"text": text, "form": "json"}),
            ("queries", {"text": text}),
        ):
            assert client.post(path, json=body).status_code < 500
        lone = client.post("check", content=b'{"text": "\\ud800"}', headers={"Content-Type": "application/json"})
        assert lone.status_code == 422


def test_a_few_hostile_requests(at_work: Serving) -> None:
    """`python -m tests.torture.server` sends thousands."""
    draw, statuses = random.Random(24), set()
    with at_work.client() as client:
        for _ in range(60):
            asked = draw_request(draw)
            body = {} if asked["body"] is None else {"json": asked["body"]}
            answer = send(client, {"method": asked["method"], "url": asked["path"], **body})
            statuses.add(0 if answer is None else answer.status_code)
        assert client.get("status").json()["running"]
    for _ in range(60):
        statuses |= {int(status) for status in STATUS.findall(say(at_work.port, draw_bytes(draw, "none")))}
    assert {200, 400, 404} <= statuses
    assert max(statuses) < 500


def say(port: int, content: bytes) -> bytes:
    """What comes back for some bytes, until the server has nothing more to say."""
    found = b""
    with suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=5) as link:
        link.sendall(content)
        link.shutdown(socket.SHUT_WR)
        while part := link.recv(65_536):
            found += part
    return found
