"""How large a body may be, and how slowly it may come."""

import asyncio
import contextlib
import re
from dataclasses import dataclass

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from echovessel.api.problems import Refused, refusal

MB = 1024 * 1024
DRAINED = 32 * MB
_CLOSE = {"Connection": "close"}


@dataclass(frozen=True, slots=True, kw_only=True)
class BodyLimits:
    """`default` and `by_path` in bytes (the first pattern that fits the whole path). A body may keep us waiting for
    `grace_s` seconds plus the time it takes at `slowest` bytes a second."""

    default: int = MB
    by_path: tuple[tuple[str, int], ...] = (
        (r"/api/v1/personas/import", 20 * MB),
        (r"/api/v1/personas/[^/]+/imports", 200 * MB),
    )
    grace_s: float = 20
    slowest: float = 64 * 1024

    def cap(self, path: str) -> int:
        """How many bytes a body sent to `path` may have."""
        return next((size for pattern, size in self.by_path if re.fullmatch(pattern, path)), self.default)


class BodyGuard:
    """Counts a body as it is read. Too large or too slow raises the refusal inside the route that reads it."""

    def __init__(self, app: ASGIApp, *, limits: BodyLimits) -> None:
        self._app = app
        self._limits = limits

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse a body that says it is too large, or says its length twice; count every other."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        if "content-length" in headers and "transfer-encoding" in headers:
            await refusal(_of_two_lengths())(scope, receive, send)
            return
        cap = self._limits.cap(scope["path"])
        body = _CountedBody(receive, cap, self._limits)
        if _announced(headers) > cap:
            # Slow as well as too large is still too large.
            with contextlib.suppress(Refused):
                await body.drain()
            await refusal(_too_large(cap))(scope, receive, send)
            return
        await self._app(scope, body.receive, send)


class _CountedBody:
    """A body on its way in."""

    def __init__(self, receive: Receive, cap: int, limits: BodyLimits) -> None:
        self._receive = receive
        self._cap = cap
        self._limits = limits
        self._size = 0
        self._waited = 0.0
        self._more = True

    async def receive(self) -> Message:
        """The next piece; afterwards, whatever else the server has to say."""
        if not self._more:
            return await self._receive()
        message = await self._next()
        if self._size > self._cap:
            await self.drain()
            raise _too_large(self._cap)
        return message

    async def drain(self) -> None:
        """Read on and throw away, within reason: a client that is still sending does not look at an answer."""
        while self._more and self._size < self._cap + DRAINED:
            await self._next()

    async def _next(self) -> Message:
        clock = asyncio.get_running_loop().time
        started = clock()
        patience = self._limits.grace_s + self._size / self._limits.slowest - self._waited
        try:
            async with asyncio.timeout(max(0.0, patience)):
                message = await self._receive()
        except TimeoutError:
            self._more = False
            raise _too_slow() from None
        self._waited += clock() - started
        self._size += len(message.get("body", b""))
        self._more = message["type"] == "http.request" and message.get("more_body", False)
        return message


def _announced(headers: Headers) -> int:
    length = headers.get("content-length", "")
    return int(length) if length.isascii() and length.isdigit() and len(length) < 19 else 0


def _of_two_lengths() -> Refused:
    """RFC 9112, section 6.3: a proxy before us may have taken another end of the body for true."""
    return Refused(
        400,
        "two-lengths",
        "The request says in two ways how long its body is.",
        do="Send Content-Length or Transfer-Encoding, not both.",
        headers=_CLOSE,
    )


def _too_large(cap: int) -> Refused:
    size = f"{cap // MB} MB" if cap >= MB else f"{cap} bytes"
    return Refused(
        413, "too-large", f"The body is larger than {size}.", do=f"Send at most {size} at once.", headers=_CLOSE
    )


def _too_slow() -> Refused:
    return Refused(408, "too-slow", "The body did not come in time.", do="Send it again.", headers=_CLOSE)
