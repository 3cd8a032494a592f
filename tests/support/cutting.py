"""A line that can be cut: a proxy on loopback between a client and the daemon, which drops what is under way when told to."""

import contextlib
import socket
import threading
from typing import Self


class Line:
    """Listens on a port of its own and passes bytes on to `port`, both ways, while it is up."""

    def __init__(self, port: int) -> None:
        self._to = port
        self._open: set[socket.socket] = set()
        self._lock = threading.Lock()
        self._up = True
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]

    def __enter__(self) -> Self:
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._listener.close()
        self.cut()

    def cut(self) -> None:
        """Drop every connection in the middle of whatever it carries, and refuse new ones."""
        with self._lock:
            self._up = False
            dropped, self._open = self._open, set()
        for one in dropped:
            with contextlib.suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()

    def heal(self) -> None:
        """Pass on again."""
        with self._lock:
            self._up = True

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return  # closed
            with self._lock:
                if not self._up:
                    client.close()
                    continue
            daemon = socket.create_connection(("127.0.0.1", self._to))
            with self._lock:
                self._open |= {client, daemon}
            for source, sink in ((client, daemon), (daemon, client)):
                threading.Thread(target=self._pass_on, args=(source, sink), daemon=True).start()

    def _pass_on(self, source: socket.socket, sink: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while got := source.recv(65536):
                sink.sendall(got)
        for one in (source, sink):
            with contextlib.suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()
        with self._lock:
            self._open -= {source, sink}
