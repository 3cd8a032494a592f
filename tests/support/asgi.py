"""An ASGI application on a real socket of this machine, and bytes sent to it as they are."""

import asyncio
import contextlib
import socket
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager

import uvicorn
from starlette.types import ASGIApp


class _QuietServer(uvicorn.Server):
    """Leaves the signals of the test run alone."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.answers = asyncio.Event()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.answers.set()

    @contextlib.contextmanager
    def capture_signals(self) -> Generator[None]:
        yield


@asynccontextmanager
async def served(app: ASGIApp, *, access_log: bool = False) -> AsyncGenerator[str]:
    """Serve `app` in this event loop and yield its address, `http://127.0.0.1:PORT`."""
    config = uvicorn.Config(
        app, log_config=None, access_log=access_log, lifespan="off", ws="none", timeout_graceful_shutdown=1
    )
    server = _QuietServer(config)
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        serving = asyncio.create_task(server.serve(sockets=[listener]))
        try:
            await server.answers.wait()
            yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        finally:
            server.should_exit = True
            await serving


async def raw(url: str, *pieces: bytes, pause_s: float = 0) -> bytes:
    """Send bytes exactly as they are, with a pause between the pieces, and return all that comes back until the server
    closes (so ask for `Connection: close`)."""
    host, _, port = url.removeprefix("http://").partition(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    answer = asyncio.create_task(_all_of(reader))
    # A server that has answered may close before it was sent everything.
    with contextlib.suppress(ConnectionError):
        for piece in pieces:
            writer.write(piece)
            await writer.drain()
            await asyncio.sleep(pause_s)
    try:
        return await asyncio.wait_for(answer, 10)
    finally:
        writer.close()
        with contextlib.suppress(ConnectionError):
            await writer.wait_closed()


async def _all_of(reader: asyncio.StreamReader) -> bytes:
    received = bytearray()
    with contextlib.suppress(ConnectionError):
        while piece := await reader.read(65536):
            received += piece
    return bytes(received)
