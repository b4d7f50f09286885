"""A small HTTP server on this machine that misbehaves as told: it stands for the benchmarks'."""

from __future__ import annotations

import threading
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


@dataclass
class Served:
    """One file and the moods of its server.

    `refusals` are answered first, one a request: (status, headers). `cuts` are byte counts after
    which the connection is closed, one a request. `length` is "true", "none", or a wrong number.
    """

    content: bytes
    etag: str | None = '"1"'
    ranges: bool = True
    refusals: list[tuple[int, dict[str, str]]] = field(default_factory=list)
    cuts: list[int] = field(default_factory=list)
    length: str | int = "true"
    headers: dict[str, str] = field(default_factory=dict)


@dataclass
class FileServer:
    """Files by path; `asked` are the requests so far, as (path, Range header)."""

    address: str
    files: dict[str, Served] = field(default_factory=dict)
    asked: list[tuple[str, str | None]] = field(default_factory=list)

    def ranges(self, path: str) -> list[str | None]:
        return [asked for name, asked in self.asked if name == path]


@contextmanager
def file_server() -> Iterator[FileServer]:
    """Serve on a free port of the loopback until the end of the block."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *args: object) -> None:
            pass

        def do_GET(self) -> None:
            answer(self, served)

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    served = FileServer(f"http://127.0.0.1:{server.server_address[1]}")
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield served
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def answer(request: BaseHTTPRequestHandler, server: FileServer) -> None:
    asked = request.headers.get("Range")
    server.asked.append((request.path, asked))
    file = server.files.get(request.path)
    if file is None or file.refusals:
        status, headers = file.refusals.pop(0) if file is not None else (404, {})
        request.send_response(status)
        for name, value in {"Content-Length": "0", **headers}.items():
            request.send_header(name, value)
        request.end_headers()
        return
    start = 0
    same = file.etag is not None and request.headers.get("If-Range") == file.etag
    if asked is not None and file.ranges and same:
        start = int(asked.removeprefix("bytes=").removesuffix("-"))
        if start >= len(file.content):
            request.send_response(416)
            request.send_header("Content-Length", "0")
            request.end_headers()
            return
    body = file.content[start:]
    request.send_response(206 if start else 200)
    if start:
        end, total = len(file.content) - 1, len(file.content)
        request.send_header("Content-Range", f"bytes {start}-{end}/{total}")
    if file.etag is not None:
        request.send_header("ETag", file.etag)
    if file.length != "none":
        length = len(body) if file.length == "true" else file.length
        request.send_header("Content-Length", str(length))
    for name, value in file.headers.items():
        request.send_header(name, value)
    request.send_header("Connection", "close")
    request.end_headers()
    cut = file.cuts.pop(0) if file.cuts else len(body)
    request.wfile.write(body[:cut])
    request.close_connection = True
