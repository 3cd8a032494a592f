"""A connection that does not say what it wants is closed, whether it is silent or drips; one that does is left alone."""

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
import uvicorn
from starlette.responses import PlainTextResponse
from starlette.types import Receive, Scope, Send
from uvicorn.server import ServerState

from echovessel.runtime.patience import PatientProtocol

HEAD = b"GET / HTTP/1.1\r\nHost: localhost\r\n"


class Hurried(PatientProtocol):
    head_s = 0.4


async def answer(scope: Scope, receive: Receive, send: Send) -> None:
    await asyncio.sleep(float(scope["query_string"] or b"0"))
    await PlainTextResponse("here")(scope, receive, send)


@asynccontextmanager
async def served() -> AsyncIterator[int]:
    config = uvicorn.Config(answer, log_config=None, http=Hurried, lifespan="off", ws="none", timeout_keep_alive=5)
    config.load()
    state = ServerState()
    server = await asyncio.get_running_loop().create_server(lambda: Hurried(config, state, {}), "127.0.0.1", 0)
    async with server:
        yield server.sockets[0].getsockname()[1]


async def told(port: int, *pieces: bytes, pause_s: float) -> tuple[bytes, float]:
    """All that comes back until the server closes, and after how many seconds it did."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    started = time.monotonic()
    closed = asyncio.create_task(reader.read(-1))
    for piece in pieces:
        if closed.done():
            break
        writer.write(piece)
        await asyncio.sleep(pause_s)
    try:
        return await asyncio.wait_for(closed, 3), time.monotonic() - started
    finally:
        writer.close()
        with contextlib.suppress(ConnectionError):
            await writer.wait_closed()


@pytest.mark.parametrize("pieces", [(), (HEAD,), tuple(bytes([byte]) for byte in HEAD)])
async def test_headers_that_do_not_come_in_time_end_the_connection(pieces: tuple[bytes, ...]) -> None:
    async with served() as port:
        answered, took = await told(port, *pieces, pause_s=0.05)

    assert answered == b""
    assert took < 2


async def test_a_second_request_has_its_own_time() -> None:
    async with served() as port:
        answered, _ = await told(port, HEAD + b"\r\n", HEAD, b"X: y\r\n", pause_s=0.2)

    assert answered.count(b"HTTP/1.1 200 OK") == 1


async def test_an_answer_may_take_longer_and_a_connection_may_be_used_again() -> None:
    async with served() as port:
        slow = HEAD.replace(b"/", b"/?0.8", 1) + b"\r\n"
        last = HEAD + b"Connection: close\r\n\r\n"
        answered, _ = await told(port, slow, last, pause_s=1.0)

    assert answered.count(b"HTTP/1.1 200 OK") == 2
