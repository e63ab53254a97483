"""Server requests: hostile names, statements and bytes, drawn at random, for a server that must survive them."""

from __future__ import annotations

import random
import re
import string
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

STATUS = re.compile(rb"HTTP/1\.1 (\d\d\d)")
CANARY = "tr4il"  # is in each name that is drawn, so that files of these names can be found
# Statements that are refused, each for another reason.
REFUSED = (
    "CREATE STREAM X (a INT) USING kafka OPTIONS (path 'x') TIMESTAMP BY ts",
    "CREATE STREAM X (a INT) USING csv OPTIONS (path '/etc/passwd') TIMESTAMP BY ts",
    "CREATE STREAM X (a INT) USING csv OPTIONS (path 'S', cleanSource 'archive', sourceArchiveDir '/tmp') "
    "TIMESTAMP BY ts",
    "SET spark.jars = '/tmp/x.jar'",
    "SET unreadable = '../../x'",
    "SET scratch = '/tmp'",
    "SET tick = '1 day'",
    "SET shards = '1000000'",
    "DROP STREAM S",
    "DROP QUERY counts2",
    "CREATE QUERY q AS SELECT reflect('java.lang.System', 'exit', 1) AS r FROM S",
    "CREATE QUERY q AS SELECT java_method('java.lang.Runtime', 'getRuntime') AS r FROM S",
    "CREATE QUERY q AS SELECT input_file_name() AS f FROM S",
    "CREATE QUERY q AS SELECT k FROM S GROUP BY v",
    "CREATE QUERY q AS SELECT nothing FROM S",
    "CREATE QUERY counts AS SELECT k FROM S",
    "CREATE VIEW v AS SELECT k FROM v",
    "CREATE QUERY q AS SELECT " + "(" * 3000 + "k" + ")" * 3000 + " FROM S",
    "CREATE QUERY q AS SELECT k FROM S [RANGE 99999999999999999999 SECONDS]",
    "CREATE QUERY q AS SELECT COUNT(*) FROM S [ROWS 0]",
)
ODD = ("..", ".", "~", "$HOME", "%2e%2e", "con", "\u202e", "e\u0301", "\u00e9", "\ufb01", "\U0001f4a3", "*", "?", "[a]")
ODD += ("{a,b}", "\\", "\n", "\t", "'", '"', "`", ";", "--", "/*", "\x7f", " ", "_tailrace", ".crc", "\x00", "\ud800")


def draw_name(draw: random.Random) -> str:
    """A name that tries to be a path, or to break one."""
    parts = [CANARY]
    for _ in range(draw.randint(0, 4)):
        parts.insert(draw.randint(0, len(parts)), draw.choice(ODD))
    name = draw.choice(["", "/", "../", "../../", "./", "//", "file:/", "hdfs://h/"]) + draw.choice("/_").join(parts)
    return name + draw.choice(string.ascii_letters) * draw.choice([0, 0, 0, 0, 250, 5000])


def quote_id(name: str, quote: str = "`") -> str:
    return f"{quote}{name.replace(quote, quote * 2)}{quote}"


def draw_statement(draw: random.Random) -> str:
    """A statement with a hostile name or path, or one that is refused."""
    # A sink that cannot be written must not end a run either, but that is another proof: paths are short.
    name, path = draw_name(draw), quote_id(draw_name(draw)[:100], "'")
    format = draw.choice(["json", "csv", "parquet", "orc", "noop", "rate", draw_name(draw)])
    return draw.choice(
        [
            f"CREATE QUERY {quote_id(name)} AS SELECT k, v FROM S WHERE v > {draw.randint(0, 9)}",
            f"CREATE QUERY {quote_id(name)} INTO json OPTIONS (path 'out') AS SELECT k FROM S",
            f"CREATE QUERY {quote_id(name)} INTO {quote_id(format)} OPTIONS (path {path}) AS SELECT k FROM S",
            f"CREATE STREAM {quote_id(name)} (ts BIGINT, a INT) USING json OPTIONS (path 'S') TIMESTAMP BY ts",
            f"CREATE STREAM {quote_id(name)} (a INT) USING {quote_id(format)} OPTIONS (path {path}) TIMESTAMP BY ts",
            f"CREATE VIEW {quote_id(name)} AS SELECT k AS {quote_id(draw_name(draw))} FROM S",
            f"DROP QUERY {quote_id(name)}",
            f"SET {draw.choice(['unreadable', 'late', 'scratch'])} = {path}",
            f"EXPLAIN {quote_id(name)}",
            draw.choice(REFUSED),
        ]
    )


def draw_request(draw: random.Random) -> dict[str, Any]:
    """The arguments of a request below /api that has hostile content."""
    name, statement = draw_name(draw), draw_statement(draw)
    in_path = quote(name.encode("utf-8", "surrogatepass"), safe=draw.choice(["", "/", "/.~"]))
    options = {"path": draw.choice([name[:100], "out"])}
    made = {"text": "SELECT k, v FROM S", "name": name, "into": draw.choice([None, "json"]), "options": options}
    method, path, body = draw.choice(
        [
            ("POST", "execute", {"text": statement}),
            ("POST", "execute", {"text": f"{statement}; {draw_statement(draw)}"}),
            ("POST", "check", {"text": statement, "name": name}),
            ("POST", "explain", {"text": statement, "form": "json"}),
            ("POST", "queries", made if draw.random() < 0.7 else {**made, "options": {}, "into": None}),
            ("DELETE", f"queries/{in_path}", None),
            ("GET", f"queries/{in_path}", None),
            ("GET", f"queries/{in_path}/results?after={in_path[:50]}&limit={draw.randint(-1, 20_000)}", None),
            ("POST", f"queries/{in_path}/pause", None),
            ("GET", f"queries/{in_path}/explain?form={in_path[:9]}", None),
            ("PUT", f"settings/{in_path}", {"value": name}),
            ("PUT", f"settings/{draw.choice(['batch.time', 'routing', 'shedding', 'trigger'])}", {"value": name}),
            ("DELETE", f"kept/{in_path}", None),
            ("GET", f"../{in_path}", None),
        ]
    )
    return {"method": method, "path": path, "body": body}


def paths_without_token() -> Iterator[str]:
    """Paths that try to reach the interface, or files, past the check of tokens."""
    for path in ("status", "catalog", "openapi.json", "kept", "settings"):
        yield from (f"/api/{path}", f"//api/{path}", f"/./api/{path}", f"/x/../api/{path}", f"/%61pi/{path}")
        yield from (
            f"/api%2f{path}",
            f"/API/{path}",
            f"/api//{path}",
            f"/api/{path}/",
            f"/api;/{path}",
            f"/api/{path}%00",
        )
        yield from (f"http://127.0.0.1/api/{path}", f"/\\api/{path}", f"/api/./{path}", f"/%2e/api/{path}")
    for path in ("server.py", "access.py", "../../etc/passwd", "tokens.json", "said.txt", "%00", "a" * 5000, "%ff%fe"):
        yield from (f"/{path}", f"/../{path}", f"/..%2f{path}", f"/%2e%2e/{path}", f"/....//{path}", f"/..\\{path}")
        yield from (f"/%252e%252e/{path}", f"//{path}", f"/index.html/{path}", f"/page/../../{path}")


def draw_bytes(draw: random.Random, token: str) -> bytes:
    """What somebody sends who does not speak HTTP well, or means ill."""
    head = f"Host: localhost\r\nX-Tailrace: 1\r\nAuthorization: Bearer {token}\r\n".encode()
    post = b"POST /api/check HTTP/1.1\r\n" + head
    get = b"GET /api/status HTTP/1.1\r\n" + head
    body = b'{"text": "SELECT k FROM S"}'
    return draw.choice(
        [
            draw.randbytes(draw.randint(1, 5000)),
            b"GET /" + draw.randbytes(20) + b" HTTP/1.1\r\n" + head + b"\r\n",
            get + b"X: " + b"y" * draw.choice([100, 70_000, 2_000_000]) + b"\r\n\r\n",
            get + b"".join(b"X%d: y\r\n" % number for number in range(draw.choice([100, 5000]))) + b"\r\n",
            post + b"Content-Length: -5\r\n\r\n" + body,
            post + b"Content-Length: 99999999999999999999\r\n\r\n" + body,
            post + b"Content-Length: 27\r\nContent-Length: 5\r\n\r\n" + body,
            post + b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + get + b"\r\n",
            post + b"Transfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n" + body,
            post + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n" + body,
            post + b"Transfer-Encoding: gzip, chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
            post + b"Content-Length: 3000000\r\n\r\n" + b"x" * 3_000_000,
            post + b"Expect: 100-continue\r\nContent-Length: 27\r\n\r\n" + body,
            post + b"Content-Type: application/json\r\nContent-Length: 9\r\n\r\n" + draw.randbytes(9),
            post + b"Content-Type: application/json\r\nContent-Length: 100000\r\n\r\n" + b"[" * 100_000,
            post
            + b'Content-Type: application/json\r\nContent-Length: 40\r\n\r\n{"text": "SELECT 1e999", "name": 1e999}}',
            b"GET /api/status HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer \x00\xff\r\n\r\n",
            b"GET /api/status HTTP/1.1\nHost: localhost\n\n",
            b"GET /api/status HTTP/9.9\r\n" + head + b"\r\n",
            b"GET /api/status\r\n\r\n",
            b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
            b"CONNECT 127.0.0.1:22 HTTP/1.1\r\n" + head + b"\r\n",
            b"\x16\x03\x01\x02\x00\x01\x00" + draw.randbytes(200),
            get + b"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: eA==\r\n\r\n",
            get + b" folded\r\n\r\n",
            (get + b"\r\n") * draw.choice([2, 200]),
            get + b"Range: bytes=0-18446744073709551615\r\nIf-None-Match: " + b"a" * 9000 + b"\r\n\r\n",
            b"GET /index.html HTTP/1.1\r\nHost: x\r\nRange: bytes=5-2,-9,9-,0-0,0-0\r\nIf-Range: x\r\n\r\n",
            post[: draw.randint(1, len(post))],
        ]
    )
