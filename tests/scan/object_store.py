"""Object store: answers the requests by which S3 is read, over HTTP, from the files below a folder of this machine."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import unquote, urlsplit

from tailrace.state.storage import file_system


@dataclass
class ObjectStore:
    """A server on this machine: `/bucket/key` is the file `bucket/key` below the folder. Whoever asks may read."""

    folder: Path
    sent: dict[str, int] = field(default_factory=dict)  # the bytes that were read of each key
    url: str = ""

    @property
    def variables(self) -> dict[str, str]:
        """Environment variables by which clients of S3 find this server."""
        return {
            "AWS_ENDPOINT_URL": self.url,
            "AWS_ACCESS_KEY_ID": "any",
            "AWS_SECRET_ACCESS_KEY": "any",
            "AWS_EC2_METADATA_DISABLED": "true",
        }


@contextmanager
def serve_objects(folder: Path) -> Iterator[ObjectStore]:
    """Serve a folder inside the block. File systems that were opened before are forgotten."""
    store = ObjectStore(folder)
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler_of(store))
    store.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    file_system.cache_clear()
    try:
        yield store
    finally:
        file_system.cache_clear()
        server.shutdown()
        server.server_close()


def handler_of(store: ObjectStore) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_HEAD(self) -> None:
            self.answer()

        def do_GET(self) -> None:
            self.answer()

        def answer(self) -> None:
            key = unquote(urlsplit(self.path).path).lstrip("/")
            path = store.folder / key
            if not path.is_file():
                self.send_response(404)
                self.send_header("Content-Length", "0")
                self.end_headers()
                return
            content, size, code = path.read_bytes(), path.stat().st_size, 200
            if wanted := self.headers.get("Range"):
                first, last = wanted.removeprefix("bytes=").split("-")
                content, code = content[int(first) : int(last) + 1], 206
            self.send_response(code)
            if code == 206:
                self.send_header("Content-Range", f"bytes {first}-{int(first) + len(content) - 1}/{size}")
            self.send_header("Content-Length", str(len(content)))
            self.send_header("Last-Modified", "Mon, 01 Jan 2024 00:00:00 GMT")
            self.end_headers()
            if self.command == "GET":
                store.sent[key] = store.sent.get(key, 0) + len(content)
                self.wfile.write(content)

        def log_message(self, format: str, *args: object) -> None:
            """Nothing is printed."""

    return Handler
