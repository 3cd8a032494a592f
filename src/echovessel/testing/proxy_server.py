"""An HTTP proxy on this machine: passes requests on, opens tunnels, or refuses to.

with ProxyServer() as proxy:
    ... the program under test, with llm.proxy = proxy.url ...
    assert proxy.passed == ["127.0.0.1:40123"]
"""

import base64
import select
import socket
import socketserver
import threading
from types import TracebackType
from typing import Self, cast
from urllib.parse import urlsplit

from typing_extensions import override

_PIECE = 65_536


class ProxyServer:
    """The proxy; a context manager that starts and stops it. With `login` (`user:password`) it lets nobody else through."""

    def __init__(self, *, login: str = "", refuses: str = "") -> None:
        self.passed: list[str] = []
        self.login = login and base64.b64encode(login.encode()).decode()
        self.refuses = refuses
        self._server = _Server(self)
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)

    @property
    def host(self) -> str:
        """Address and port."""
        return f"127.0.0.1:{self._server.server_address[1]}"

    @property
    def url(self) -> str:
        """What to put into `llm.proxy`."""
        return f"http://{self.host}"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


class _Server(socketserver.ThreadingTCPServer):
    daemon_threads = True
    allow_reuse_address = True

    def __init__(self, owner: ProxyServer) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.owner = owner


class _Handler(socketserver.StreamRequestHandler):
    rbufsize = 0  # read no byte of the body: that goes on as it comes

    @override
    def handle(self) -> None:
        owner = cast("_Server", self.server).owner
        line = self.rfile.readline()
        headers = list(iter(self.rfile.readline, b"\r\n"))
        method, target, version = line.decode().split()
        if owner.login and f"Basic {owner.login}".encode() not in b"".join(headers):
            self.wfile.write(b"HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n")
            return
        if owner.refuses:
            self.wfile.write(f"HTTP/1.1 {owner.refuses}\r\nContent-Length: 0\r\n\r\n".encode())
            return
        host = target if method == "CONNECT" else urlsplit(target).netloc
        owner.passed.append(host)
        name, _, port = host.rpartition(":")
        with socket.create_connection((name, int(port))) as there:
            if method == "CONNECT":
                self.wfile.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
            else:
                kept = [header for header in headers if not header.lower().startswith(b"proxy-")]
                path = target.partition(host)[2]
                there.sendall(f"{method} {path} {version}\r\n".encode() + b"".join(kept) + b"\r\n")
            self._pass_on(there)

    def _pass_on(self, there: socket.socket) -> None:
        """Carry bytes both ways until one side goes away."""
        here = cast("socket.socket", self.connection)
        while True:
            readable, _, _ = select.select([here, there], [], [], 5)
            if not readable:
                return
            for side in readable:
                piece = side.recv(_PIECE)
                if not piece:
                    return
                (there if side is here else here).sendall(piece)
