"""A real HTTP server on this machine that does with each request what it was told to: the base of the model servers."""

import json
import select
import socket
import ssl
import sys
import threading
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Protocol, Self, cast

from typing_extensions import override

_POLL_S = 0.02


class HungUp(Exception):
    """The client closed the connection, or the server is closing, while an answer was on its way."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """One request as it arrived; `headers` have lower-case names."""

    path: str
    headers: Mapping[str, str]
    body: Mapping[str, object]

    @property
    def messages(self) -> Sequence[Mapping[str, str]]:
        """The chat messages of the request."""
        return cast("Sequence[Mapping[str, str]]", self.body.get("messages", []))


class Script(Protocol):
    """What to do with one request."""

    def __call__(self, exchange: "Exchange") -> None: ...


class Exchange:
    """One request and the means to answer it, down to single bytes."""

    def __init__(self, handler: BaseHTTPRequestHandler, asked: Asked, closing: threading.Event) -> None:
        self.asked = asked
        self._handler = handler
        self._closing = closing

    @property
    def model(self) -> str:
        """The model's name in the request."""
        return str(self.asked.body.get("model", ""))

    def whole(
        self,
        status: int,
        body: bytes,
        *,
        content_type: str = "application/json",
        headers: Mapping[str, str] | None = None,
    ) -> None:
        """Answer at once and completely."""
        self.begin(status, content_type, {"Content-Length": str(len(body)), **(headers or {})})
        self.send(body)

    def json(self, status: int, value: object, headers: Mapping[str, str] | None = None) -> None:
        """Answer with a JSON value."""
        self.whole(status, json.dumps(value, ensure_ascii=False).encode(), headers=headers)

    def begin(
        self, status: int = 200, content_type: str = "text/event-stream", headers: Mapping[str, str] | None = None
    ) -> None:
        """Send the head of an answer; without a Content-Length its end is the end of the connection."""
        self._handler.send_response(status)
        self._handler.send_header("Content-Type", content_type)
        self._handler.send_header("Connection", "close")
        for name, value in (headers or {}).items():
            self._handler.send_header(name, value)
        self._handler.end_headers()
        self._handler.close_connection = True

    def send(self, data: bytes) -> None:
        """Send bytes as they are."""
        try:
            self._handler.wfile.write(data)
            self._handler.wfile.flush()
        except (BrokenPipeError, ConnectionResetError) as cause:
            raise HungUp from cause

    def event(self, value: object, name: str = "") -> None:
        """Send one event of the stream, under a name where the protocol has one."""
        named = f"event: {name}\n" if name else ""
        self.send(f"{named}data: {json.dumps(value, ensure_ascii=False)}\n\n".encode())

    def wait(self, seconds: float) -> None:
        """Say nothing for this long; HungUp as soon as the other side goes away."""
        for _ in range(max(1, round(seconds / _POLL_S))):
            if self._closing.is_set() or self._gone():
                raise HungUp
            self._closing.wait(min(seconds, _POLL_S))

    def hang_up(self) -> None:
        """Close the connection as it is."""
        self._handler.close_connection = True

    def _gone(self) -> bool:
        connection = cast("socket.socket", self._handler.connection)
        readable, _, _ = select.select([connection], [], [], 0)
        try:
            return bool(readable) and not connection.recv(1, socket.MSG_PEEK)
        except ConnectionResetError:
            return True


class ScriptedServer(ABC):
    """The server; a context manager that starts and stops it. A subclass says which path does what."""

    def __init__(self, *, idle: Script | None = None, tls: ssl.SSLContext | None = None) -> None:
        self.lists: Script | None = None
        self.asked: list[Asked] = []
        self._arrived = threading.Semaphore(0)
        self._hung_up = threading.Semaphore(0)
        self._idle = idle
        self._scripts: deque[Script] = deque()
        self._closing = threading.Event()
        self._broken: list[BaseException] = []
        self._http = _Server(self)
        self._scheme = "http"
        if tls is not None:
            self._http.socket = tls.wrap_socket(self._http.socket, server_side=True)
            self._scheme = "https"
        self._thread = threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": _POLL_S}, daemon=True)

    @property
    def address(self) -> str:
        """Scheme, host and port."""
        return f"{self._scheme}://{self.host}"

    @property
    def host(self) -> str:
        """Address and port, as error sentences name it."""
        return f"127.0.0.1:{self._http.server_address[1]}"

    @property
    def chats(self) -> Sequence[Asked]:
        """The requests that asked the model something, and not which models there are or what they hold."""
        return [asked for asked in self.asked if asked.messages]

    def will(self, *scripts: Script) -> None:
        """Answer the next questions with these."""
        self._scripts.extend(scripts)

    def waits_for_request(self, seconds: float = 5) -> bool:
        """Whether a request arrives within this time; each counts once."""
        return self._arrived.acquire(timeout=seconds)

    def waits_for_hang_up(self, seconds: float = 5) -> bool:
        """Whether a client goes away in the middle of an answer within this time; each time counts once."""
        return self._hung_up.acquire(timeout=seconds)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._closing.set()
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()
        if self._broken and error is None:
            raise self._broken[0]

    def broke(self, error: BaseException) -> None:
        """Keep what went wrong in a thread, to raise it where the server is closed."""
        self._broken.append(error)

    def answer(self, handler: BaseHTTPRequestHandler, body: bytes) -> None:
        """Serve one request; called by the server's threads."""
        asked = Asked(
            path=handler.path,
            headers={name.lower(): value for name, value in handler.headers.items()},
            body=cast("Mapping[str, object]", json.loads(body)) if body else {},
        )
        self.asked.append(asked)
        self._arrived.release()
        exchange = Exchange(handler, asked, self._closing)
        try:
            self.route(exchange)
        except HungUp:
            handler.close_connection = True
            if not self._closing.is_set():
                self._hung_up.release()

    @abstractmethod
    def route(self, exchange: Exchange) -> None:
        """Do what the path asks for."""

    def next_script(self) -> Script | None:
        """What was told to be next, else what to do when idle, else None."""
        return self._scripts.popleft() if self._scripts else self._idle


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    @override
    def log_message(self, format: str, *args: object) -> None:
        """Say nothing: `asked` tells what came."""

    def do_GET(self) -> None:
        self._serve(b"")

    def do_POST(self) -> None:
        self._serve(self.rfile.read(int(self.headers.get("Content-Length", 0))))

    def _serve(self, body: bytes) -> None:
        cast("_Server", self.server).owner.answer(self, body)


class _Server(ThreadingHTTPServer):
    daemon_threads = False
    request_queue_size = 64

    def __init__(self, owner: ScriptedServer) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.owner = owner

    @override
    def handle_error(self, request: object, client_address: object) -> None:
        error = sys.exception()
        if error is not None and not isinstance(error, ConnectionError):
            self.owner.broke(error)
