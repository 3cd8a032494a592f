"""How long a connection may take to say what it wants: one that is silent, or drips its headers, keeps its place for a while
only. uvicorn limits the silence after an answer, not the one before a request.
"""

import asyncio

from typing_extensions import override
from uvicorn.protocols.http.h11_impl import H11Protocol

HEAD_S = 20.0
"""Seconds from the first byte of a request, or from the connection, until its headers are here."""


class PatientProtocol(H11Protocol):
    """HTTP/1.1 that waits `head_s` seconds for the headers of each request, however steadily they drip."""

    head_s = HEAD_S
    _waiting: asyncio.TimerHandle | None = None

    @override
    def connection_made(self, transport: asyncio.Transport) -> None:  # pyright: ignore[reportIncompatibleMethodOverride]
        super().connection_made(transport)
        self._wait()

    @override
    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.cycle and not self.cycle.response_complete:
            self._wait_no_more()
        elif self._waiting is None:
            self._wait()

    @override
    def connection_lost(self, exc: Exception | None) -> None:
        self._wait_no_more()
        super().connection_lost(exc)

    def _wait(self) -> None:
        self._waiting = self.loop.call_later(self.head_s, self.timeout_keep_alive_handler)

    def _wait_no_more(self) -> None:
        if self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None
