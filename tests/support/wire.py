"""Bytes as they are: what no HTTP library would send, and what comes back."""

import json
import socket
from dataclasses import dataclass
from typing import Any

PATIENCE_S = 20.0


@dataclass(frozen=True)
class Answers:
    """Everything that came back on one connection until the server closed it or was silent for `quiet_s`."""

    raw: bytes

    @property
    def statuses(self) -> list[int]:
        """The status of each answer, in order."""
        return [int(line[9:12]) for line in self.raw.split(b"\r\n") if line.startswith(b"HTTP/1.1 ")]

    @property
    def problem(self) -> Any:
        """The body of the first answer, as JSON."""
        return json.loads(self.raw.split(b"\r\n\r\n", 1)[1])


def say(port: int, *pieces: bytes, quiet_s: float = PATIENCE_S) -> Answers:
    """Send these bytes to 127.0.0.1 and read what comes back. Ask for `Connection: close` where an end is expected."""
    received = bytearray()
    with socket.create_connection(("127.0.0.1", port), timeout=quiet_s) as line:
        try:
            for piece in pieces:
                line.sendall(piece)
            while got := line.recv(65536):
                received += got
        except (TimeoutError, ConnectionError):
            pass  # silence, or a server that has said enough: what was said until then counts
    return Answers(bytes(received))
