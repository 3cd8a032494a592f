"""How a command reaches the API: through the daemon that owns the home, else by being one for as long as it takes.

Either way the command is a client of the same HTTP surface, so there is one way to do each thing.
"""

import asyncio
import os
import time
from collections.abc import Generator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import closing, contextmanager
from typing import Any

from echovessel.adapters.home import Daemon, Home, HomeInUse, HomeLock, find_home, open_home
from echovessel.adapters.system import SystemClock, SystemIds
from echovessel.core.errors import NotFound
from echovessel.runtime import loading
from echovessel.runtime.client import TIMEOUT_S, Client
from echovessel.runtime.output import note

OWNER_STARTS_WITHIN_S = 15.0
"""How long we wait for the owner of the home to say how it is reached."""


class NoHome(NotFound):
    """There is nothing to look at; looking makes no home."""

    code = "no-home"

    def __init__(self, home: Home) -> None:
        super().__init__(
            f"There is no EchoVessel home at {home.path} yet.",
            do="Make it with `echovessel init`, or start EchoVessel with `echovessel run` (in a clone: `make run`). "
            "`echovessel persona take` shows whom you can talk with.",
        )


def make_home(home: Home) -> str:
    """The token of the home, which is made, and said to be, where there is none."""
    fresh = not home.exists
    token = open_home(home, SystemIds(SystemClock()))
    if fresh:
        note(f"Made the home of EchoVessel: {home.path}")
    return token


@contextmanager
def connected(
    environ: Mapping[str, str] | None = None, *, makes_home: bool = False, timeout_s: float = TIMEOUT_S
) -> Generator[Client]:
    """A client of this home's API. Without a home one is made if the command `makes_home`; else NoHome."""
    home = find_home(os.environ if environ is None else environ)
    if not makes_home and not home.exists:
        raise NoHome(home)
    token = make_home(home)
    lock = HomeLock(home)
    owner = None if lock.acquire() else wait_for_owner(home, lock)
    if owner:
        with Client(owner.url, token, timeout_s) as client:
            yield client
        return
    try:
        with _served_here(home, lock) as url, Client(url, token, timeout_s) as client:
            yield client
    finally:
        lock.release()


def wait_for_owner(home: Home, lock: HomeLock) -> Daemon | None:
    """How the owner is reached; None when it ended meanwhile and the lock is ours."""
    until = time.monotonic() + OWNER_STARTS_WITHIN_S
    while time.monotonic() < until:
        if owner := lock.owner():
            return owner
        time.sleep(0.05)
        if lock.acquire():
            return None
    raise HomeInUse(home, None)


@contextmanager
def _served_here(home: Home, lock: HomeLock) -> Generator[str]:
    """Be the daemon, on a free port, in a thread of its own."""
    loading.begin()
    from echovessel.runtime.logs import logging_to
    from echovessel.runtime.serve import Start, listen, serve, url_of
    from echovessel.runtime.wiring import Overrides, open_settings

    settings = open_settings(home)
    running: Future[tuple[asyncio.AbstractEventLoop, asyncio.Event]] = Future()

    async def be_daemon(start: Start) -> None:
        stopping = asyncio.Event()
        handles = (asyncio.get_running_loop(), stopping)
        await serve(start, stopping, lambda _: running.set_result(handles))

    with (
        logging_to(home.logs, settings.current().log),
        closing(listen("127.0.0.1", 0)) as listener,
        ThreadPoolExecutor(1, "echovessel") as thread,
    ):
        start = Start(home=home, lock=lock, listener=listener, overrides=Overrides(settings=settings))
        ended = thread.submit(lambda: asyncio.run(be_daemon(start)))
        try:
            _wait_for_one(running, ended)
            if running.done():
                yield url_of(listener)
        finally:
            _wait_for_one(running, ended)
            if running.done() and not ended.done():
                loop, stopping = running.result()
                loop.call_soon_threadsafe(stopping.set)
            ended.result()


def _wait_for_one(*futures: Future[Any]) -> None:
    wait(futures, return_when=FIRST_COMPLETED)
