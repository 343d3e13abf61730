"""A bucket on a server of this machine, with a proxy before it that fails when asked to."""

from __future__ import annotations

import http.client
import os
import threading
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Optional

KEYS = {"AWS_ACCESS_KEY_ID": "test", "AWS_SECRET_ACCESS_KEY": "test", "AWS_REGION": "us-east-1", "AWS_ALLOW_HTTP": "true"}


@dataclass
class Bucket:
    """A bucket, by its own server or by the proxy."""

    client: Any
    name: str
    server: str
    refused: int = 0
    _fault: Optional[tuple[int, bool]] = None
    _asked: set[tuple[str, ...]] = field(default_factory=set)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def url(self) -> str:
        return f"s3://{self.name}"

    def files(self, prefix: str) -> dict[str, bytes]:
        """Content of all objects below a folder, by their paths in it."""
        pages = self.client.get_paginator("list_objects_v2").paginate(Bucket=self.name, Prefix=prefix)
        keys = [found["Key"] for page in pages for found in page.get("Contents", [])]
        read = {key: self.client.get_object(Bucket=self.name, Key=key)["Body"].read() for key in keys}
        return {key[len(prefix) :]: content for key, content in read.items()}

    def answer_with(self, status: int, *, once: bool = False) -> None:
        """From now on, requests of this process go through the proxy, and get only this status, always or the first time."""
        self._fault, self._asked, self.refused = (status, once), set(), 0
        os.environ["AWS_ENDPOINT"] = self._proxy()

    def watch(self) -> None:
        """From now on, requests of this process go through the proxy, and `asked` has them."""
        self._fault, self._asked = None, set()
        os.environ["AWS_ENDPOINT"] = self._proxy()

    @property
    def asked(self) -> set[tuple[str, ...]]:
        """Methods, paths and ranges of the requests since then."""
        with self._lock:
            return set(self._asked)

    def answer(self) -> None:
        """Ends that."""
        os.environ["AWS_ENDPOINT"] = self.server

    def _proxy(self) -> str:
        bucket = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def forward(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                status = bucket._status((self.command, self.path, self.headers.get("Range") or ""))
                if status is not None:
                    self.send_response(status)
                    self.send_header("Content-Length", "0")
                    self.end_headers()
                    return
                to = http.client.HTTPConnection(bucket.server.removeprefix("http://"))
                to.request(self.command, self.path, body, dict(self.headers))
                answer = to.getresponse()
                content = answer.read()
                self.send_response(answer.status)
                for name, value in answer.getheaders():
                    if name.lower() not in ("content-length", "transfer-encoding", "connection", "date", "server"):
                        self.send_header(name, value)
                length = answer.getheader("Content-Length") if self.command == "HEAD" else str(len(content))
                self.send_header("Content-Length", length or "0")
                self.end_headers()
                self.wfile.write(content)
                to.close()

            do_GET = do_HEAD = do_PUT = do_POST = do_DELETE = forward

            def log_message(self, *_: Any) -> None:
                pass

        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        return f"http://127.0.0.1:{server.server_address[1]}"

    def _status(self, asked: tuple[str, ...]) -> Optional[int]:
        with self._lock:
            again = asked in self._asked
            self._asked.add(asked)
            if self._fault is None or (self._fault[1] and again):
                return None
            self.refused += 1
            return self._fault[0]
