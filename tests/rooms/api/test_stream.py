"""Frames on the wire, the heartbeat, and the end of a stream whose reader left."""

import asyncio
from collections.abc import AsyncGenerator

import httpx2
from starlette.types import Receive, Scope, Send

from echovessel.api.stream import HEARTBEAT_S, EventStream, Frame
from echovessel.testing.clock import StoppedClock
from tests.support.asgi import served


class Frames:
    """A source of frames that notes when it was closed."""

    def __init__(self, *frames: Frame, ends: bool = False) -> None:
        self.closed = asyncio.Event()
        self._frames = frames
        self._ends = ends

    async def source(self) -> AsyncGenerator[bytes]:
        try:
            for frame in self._frames:
                yield frame.encode()
            if not self._ends:
                await asyncio.Event().wait()
        finally:
            self.closed.set()


def streaming(frames: Frames, clock: StoppedClock):
    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        await EventStream(frames.source(), clock)(scope, receive, send)

    return app


def test_a_frame_is_one_event_whatever_its_text_holds() -> None:
    frame = Frame("message.created", {"text": "你好\nid: 9\n\ndata: x\r\u2028"}, id=7)

    assert frame.encode().decode().splitlines()[:2] == ["event: message.created", "id: 7"]
    assert frame.encode().count(b"\n") == 4
    assert b"\r" not in frame.encode()
    assert frame.encode().endswith(b"\n\n")


def test_a_frame_without_id_has_no_id_line() -> None:
    assert Frame("reply.delta", {"text": "a"}).encode() == b'event: reply.delta\ndata: {"text":"a"}\n\n'


async def test_a_heartbeat_comes_when_the_clock_says_so() -> None:
    clock, frames = StoppedClock(), Frames(Frame("a", {}))
    async with (
        served(streaming(frames, clock)) as url,
        httpx2.AsyncClient(trust_env=False) as client,
        client.stream("GET", url) as answer,
    ):
        lines = answer.aiter_lines()
        first = [await anext(lines) for _ in range(5)]
        clock.advance(HEARTBEAT_S)
        beat = [await asyncio.wait_for(anext(lines), 5) for _ in range(2)]

    assert answer.headers["content-type"].startswith("text/event-stream")
    assert "content-length" not in answer.headers
    assert first == [": still here", "", "event: a", "data: {}", ""]
    assert beat == [": still here", ""]


async def test_the_source_is_closed_as_soon_as_the_reader_leaves() -> None:
    frames = Frames(Frame("a", {}))
    async with served(streaming(frames, StoppedClock())) as url, httpx2.AsyncClient(trust_env=False) as client:
        async with client.stream("GET", url) as answer:
            await anext(answer.aiter_lines())
            assert not frames.closed.is_set()
        await asyncio.wait_for(frames.closed.wait(), 5)


async def test_a_source_that_ends_ends_the_stream() -> None:
    frames = Frames(Frame("a", {}, id=1), ends=True)
    async with served(streaming(frames, StoppedClock())) as url, httpx2.AsyncClient(trust_env=False) as client:
        answer = await asyncio.wait_for(client.get(url), 5)

    assert answer.text == ": still here\n\nevent: a\nid: 1\ndata: {}\n\n"
    assert frames.closed.is_set()
