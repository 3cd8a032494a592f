"""Server-sent events: frames, a heartbeat, and an end as soon as the reader is gone.

Format: https://html.spec.whatwg.org/multipage/server-sent-events.html
"""

import asyncio
import json
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any

from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from echovessel.ports.clock import Clock

HEARTBEAT_S = 15.0
_HEARTBEAT = b": still here\n\n"


@dataclass(frozen=True, slots=True)
class Frame:
    """One event; without `id` a reader that comes back is not given it again."""

    event: str
    data: dict[str, Any]
    id: int | None = None

    def encode(self) -> bytes:
        """The frame on the wire. JSON has no line break, so one `data:` line holds it."""
        data = json.dumps(self.data, ensure_ascii=False, separators=(",", ":"))
        number = "" if self.id is None else f"id: {self.id}\n"
        return f"event: {self.event}\n{number}data: {data}\n\n".encode()


class EventStream(Response):
    """Sends encoded frames as they come, and a comment each 15 s so that proxies and readers know that we live."""

    media_type = "text/event-stream"

    def __init__(self, frames: AsyncGenerator[bytes], clock: Clock) -> None:
        super().__init__(headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"})
        del self.headers["content-length"]
        self._frames = frames
        self._clock = clock

    async def __call__(self, _scope: Scope, receive: Receive, send: Send) -> None:
        """Stream until the reader leaves or the frames end."""
        await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
        await send({"type": "http.response.body", "body": _HEARTBEAT, "more_body": True})
        tasks = [asyncio.ensure_future(work) for work in (self._pump(send), self._beat(send), _until_gone(receive))]
        try:
            ended, _waiting = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        for task in ended:
            task.result()
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _pump(self, send: Send) -> None:
        async with aclosing(self._frames) as frames:
            async for encoded in frames:
                await send({"type": "http.response.body", "body": encoded, "more_body": True})

    async def _beat(self, send: Send) -> None:
        while True:
            await self._clock.sleep(HEARTBEAT_S)
            await send({"type": "http.response.body", "body": _HEARTBEAT, "more_body": True})


async def _until_gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
