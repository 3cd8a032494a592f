"""The daemon: the application and its loops in one event loop, from the bound socket to a graceful end."""

import asyncio
import contextlib
import logging
import os
import socket
from collections.abc import Awaitable, Callable, Generator, MutableMapping
from dataclasses import dataclass
from typing import Any

import uvicorn
from typing_extensions import override

from echovessel.adapters.home import Daemon, Home, HomeLock
from echovessel.core.errors import ConfigError
from echovessel.runtime import loading
from echovessel.runtime.patience import PatientProtocol
from echovessel.runtime.wiring import Overrides, Vessel, build

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Scope]]
Send = Callable[[Scope], Awaitable[None]]

REPLY_GRACE_S = 4.0
"""How long a reply that is being worded may go on after we were asked to stop; then it waits for the next start."""
REQUEST_GRACE_S = 2
"""How long requests may go on after that."""

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Start:
    """What a daemon starts with. The caller holds `lock`."""

    home: Home
    lock: HomeLock
    listener: socket.socket
    overrides: Overrides


def listen(host: str, port: int) -> socket.socket:
    """A listening socket (port 0: any free one); ConfigError when it cannot be had."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    try:
        if os.name != "nt":
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
        listener.listen(2048)
    except (OSError, ValueError, TypeError) as cause:  # the latter two: no address at all
        listener.close()
        why = cause.strerror or cause if isinstance(cause, OSError) else "this is no address"
        raise ConfigError(
            f"Port {port} of {host!r} cannot be used: {why}.",
            do="Give another one with --port or in [server] of config.toml, or stop what listens there.",
        ) from cause
    listener.set_inheritable(False)
    return listener


def url_of(listener: socket.socket) -> str:
    """The address under which this machine reaches a listener."""
    address: tuple[str, int] = listener.getsockname()[:2]
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(address[0], address[0])
    port = address[1]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


async def serve(start: Start, stopping: asyncio.Event, started: Callable[[Vessel], None]) -> None:
    """Serve until `stopping` is set; `started` is called once everything answers. Set it again to stop without grace."""
    vessel = await build(start.home, start.overrides)
    try:
        hang_up = asyncio.Event()
        server = _Server(_HangUp(vessel.app(), hang_up))
        async with vessel.supervisor.running(vessel.loops()):
            serving = asyncio.create_task(server.serve(sockets=[start.listener]))
            await _first(server.answers.wait(), serving)
            start.lock.publish(Daemon(url=url_of(start.listener), pid=os.getpid()))
            loading.end()
            started(vessel)
            warming = asyncio.create_task(vessel.supervisor.guard(vessel.warm_up(), "warming up"))
            await _first(stopping.wait(), serving)
            warming.cancel()
            log.info("stopping")
            stopping.clear()
            await _let_replies_end(vessel, stopping)
            hang_up.set()
            server.should_exit = True
            await serving
    finally:
        await vessel.close()
        log.info("stopped")


async def _let_replies_end(vessel: Vessel, at_once: asyncio.Event) -> None:
    """Wait a few seconds for replies that are being worded; what is not done then is kept as a draft and taken up again."""
    live = vessel.deps.live

    async def quiet() -> None:
        while live.busy:
            await live.ends.heard(live.ends.rings)

    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(REPLY_GRACE_S):
            await _first(quiet(), asyncio.ensure_future(at_once.wait()))


async def _first(awaited: Awaitable[object], other: "asyncio.Task[Any]") -> None:
    """Wait for either; a failure of the one that ended is raised. `other` goes on when it did not end."""
    waiting = asyncio.ensure_future(awaited)
    try:
        done, _ = await asyncio.wait({waiting, other}, return_when=asyncio.FIRST_COMPLETED)
    finally:
        waiting.cancel()
    for ended in done:
        ended.result()


class _Server(uvicorn.Server):
    """uvicorn without its signal handlers (ours decide), which says when it answers."""

    def __init__(self, app: "_HangUp") -> None:
        super().__init__(
            uvicorn.Config(
                app,
                log_config=None,
                access_log=False,  # it would write query strings, and one of them holds the token
                lifespan="off",
                ws="none",
                http=PatientProtocol,
                proxy_headers=False,
                server_header=False,
                timeout_graceful_shutdown=REQUEST_GRACE_S,
            )
        )
        self.answers = asyncio.Event()

    @override
    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.answers.set()

    @override
    @contextlib.contextmanager
    def capture_signals(self) -> Generator[None]:
        yield


class _HangUp:
    """Tells every open stream that its client has left, once we stop, so that it ends by itself."""

    def __init__(self, app: Callable[[Scope, Receive, Send], Awaitable[None]], stop: asyncio.Event) -> None:
        self._app = app
        self._stop = stop

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def listen_or_leave() -> Scope:
            heard = asyncio.ensure_future(receive())
            stopped = asyncio.ensure_future(self._stop.wait())
            try:
                await asyncio.wait({heard, stopped}, return_when=asyncio.FIRST_COMPLETED)
                return heard.result() if heard.done() else {"type": "http.disconnect"}
            finally:
                heard.cancel()
                stopped.cancel()

        await self._app(scope, listen_or_leave, send)
