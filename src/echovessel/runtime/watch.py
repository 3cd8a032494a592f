"""The watch: every two seconds it looks whether the settings file, the database or the clock needs something of us.

settings   edited by hand → read anew, and handed to who holds a copy
database   could not be written → tried until it can, so that we are ready again without a restart
clock      set back → jobs that wait are as far away as before; set forward, or woken from sleep → look at once
"""

import asyncio
import logging
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any, cast

from echovessel.adapters.allocator import give_back
from echovessel.adapters.mapped_files import let_go
from echovessel.core.errors import ConfigError, EchoVesselError, StoreDown, StoreUnusable
from echovessel.flows.deps import Deps
from echovessel.ports.changes import PullJobs
from echovessel.ports.settings import Settings

LOOK_EVERY_S = 2.0
TIDY_EVERY_S = 60.0
"""Between two times that memory which nobody uses is given back."""
JUMP_S = 10.0
"""Seconds between the machine's clock and the steady one from which on it was set; less is drift and correction."""

log = logging.getLogger(__name__)


class Watch:
    """`changed` is told of new settings: for what keeps a copy instead of asking for the current ones."""

    def __init__(self, deps: Deps, changed: Callable[[Settings], None]) -> None:
        self._deps = deps
        self._changed = changed
        self._wanted = asyncio.Event()
        self._settings = deps.settings.current()
        self._problem: ConfigError | None = None
        self._down: EchoVesselError | None = None
        self._ahead = self._clock_ahead()
        self._tidied = deps.clock.monotonic()

    def read_settings(self) -> None:
        """Read the settings file now, whether it looks changed or not."""
        self._wanted.set()

    async def loop(self) -> None:
        """Look again and again."""
        while True:
            await self._asked_or_later()
            await self._look_at_settings()
            await self._look_at_database()
            await self._look_at_clock()
            await self._tidy_up()

    async def _asked_or_later(self) -> None:
        asked = asyncio.ensure_future(self._wanted.wait())
        later = asyncio.ensure_future(self._deps.clock.sleep(LOOK_EVERY_S))
        try:
            await asyncio.wait((asked, later), return_when=asyncio.FIRST_COMPLETED)
        finally:
            asked.cancel()
            later.cancel()
            await asyncio.gather(asked, later, return_exceptions=True)

    async def _look_at_settings(self) -> None:
        source = self._deps.settings
        anyway = self._wanted.is_set()
        self._wanted.clear()
        await source.refresh(anyway=anyway)
        problem = source.problem
        if problem and str(problem) != str(self._problem):
            log.error(
                "the settings file is wrong, and the former settings stay in force: %s",
                problem,
                extra={"do": problem.do},
            )
        self._problem = problem
        settings = source.current()
        if settings != self._settings:
            keys = sorted(_differing(self._settings.model_dump(), settings.model_dump()))
            self._settings = settings
            self._changed(settings)
            log.info("settings changed", extra={"keys": keys, "at_next_start": list(source.at_next_start)})
            self._deps.bells.ring()

    async def _look_at_database(self) -> None:
        store = self._deps.store
        if store.down and not self._down:
            log.error("the database cannot be written", extra={"code": store.down.code})
        self._down = store.down
        if self._down:
            with suppress(StoreDown, StoreUnusable):  # it stays down, and the next look tries again
                await store.try_writing()
                self._down = None
                log.info("the database can be written again")
                self._deps.bells.ring()

    async def _look_at_clock(self) -> None:
        ahead = self._clock_ahead()
        jumped = ahead - self._ahead
        # On PostgreSQL others share the jobs, and their clocks may be right.
        if jumped <= -JUMP_S and not self._settings.database.url:
            await self._deps.store.apply([PullJobs(seconds=-jumped)])
        self._ahead = ahead
        if abs(jumped) >= JUMP_S:
            log.warning("the clock was set, or the machine slept", extra={"seconds": round(jumped)})
            self._deps.bells.ring()

    async def _tidy_up(self) -> None:
        now = self._deps.clock.monotonic()
        if now - self._tidied >= TIDY_EVERY_S:
            self._tidied = now
            await asyncio.to_thread(_give_memory_back)

    def _clock_ahead(self) -> float:
        """Seconds by which the machine's clock is ahead of the steady one; only differences mean anything."""
        return self._deps.clock.now().timestamp() - self._deps.clock.monotonic()


def _give_memory_back() -> None:
    let_go()
    give_back()


def _differing(before: dict[str, Any], after: dict[str, Any], prefix: str = "") -> Iterator[str]:
    """The names of what differs; never what it was or is: some settings are keys."""
    for name in before.keys() | after.keys():
        was, now = before.get(name), after.get(name)
        if isinstance(was, dict) and isinstance(now, dict):
            yield from _differing(cast("dict[str, Any]", was), cast("dict[str, Any]", now), f"{prefix}{name}.")
        elif was != now:
            yield f"{prefix}{name}"
