"""The supervisor keeps the loops running: a failure is logged, and the loop starts again after a while.

It is the only place that catches everything. What a loop was doing is still in the store, so that starting again is safe.
"""

import asyncio
import logging
from collections.abc import AsyncGenerator, Awaitable, Callable, Coroutine, Mapping
from contextlib import asynccontextmanager
from typing import Any

from echovessel.core.errors import FenceLost
from echovessel.ports.clock import Clock

Loop = Callable[[], Awaitable[None]]

FIRST_PAUSE_S = 0.5
LONGEST_PAUSE_S = 30.0
HEALTHY_AFTER_S = 60.0
"""A loop that ran this long before it failed is restarted without a long pause."""

log = logging.getLogger(__name__)


class Supervisor:
    """Runs named loops side by side and starts each again when it fails."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._pausing: set[str] = set()
        self._failing: set[str] = set()
        self._in_a_row: dict[str, tuple[type[Exception], int]] = {}
        self._running = False
        self.failures: dict[str, int] = {}
        """How often each loop or piece of work failed since the start."""
        self.restarts: dict[str, int] = {}
        """How often each loop was started again."""

    @property
    def ready(self) -> bool:
        """Whether every loop runs, none waiting to be started again, and nothing vital failed the last time."""
        return self._running and not self._pausing and not self._failing

    async def guard(self, work: Coroutine[Any, Any, None], name: str, *, vital: bool = False) -> Exception | None:
        """Do `work`; log what it raised, and return it. A lost lease is nobody's failure: its new owner carries on.

        While work that is `vital` fails, we are not ready.
        """
        try:
            await work
        except Exception as failure:
            if isinstance(failure, FenceLost):
                log.info("lease lost", extra={"work": name})
            else:
                in_a_row = self._note(failure, name, vital=vital)
                if in_a_row & (in_a_row - 1) == 0:
                    log.exception("%s failed", name, extra={"in_a_row": in_a_row})
            return failure
        self._failing.discard(name)
        if (before := self._in_a_row.pop(name, None)) and before[1] > 1:
            log.info("%s works again", name, extra={"failed": before[1]})
        return None

    def _note(self, failure: Exception, name: str, *, vital: bool) -> int:
        """Count it; how often the same has failed in a row. The first, second, fourth, eighth … is logged: what fails on and on
        fills no log."""
        self.failures[name] = self.failures.get(name, 0) + 1
        if vital:
            self._failing.add(name)
        kind, times = self._in_a_row.get(name, (type(failure), 0))
        times = times + 1 if kind is type(failure) else 1
        self._in_a_row[name] = type(failure), times
        return times

    @asynccontextmanager
    async def running(self, loops: Mapping[str, Loop]) -> AsyncGenerator[None]:
        """Keep the loops running until the block is left, then cancel them and wait until they have ended."""
        tasks = [asyncio.create_task(self._keep(name, loop), name=name) for name, loop in loops.items()]
        self._running = True
        try:
            yield
        finally:
            self._running = False
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _keep(self, name: str, loop: Loop) -> None:
        pause = FIRST_PAUSE_S
        while True:
            started = self._clock.monotonic()
            await self.guard(_call(loop), name)
            if self._clock.monotonic() - started >= HEALTHY_AFTER_S:
                pause = FIRST_PAUSE_S
            self._pausing.add(name)
            await self._clock.sleep(pause)
            self._pausing.discard(name)
            self.restarts[name] = self.restarts.get(name, 0) + 1
            pause = min(pause * 2, LONGEST_PAUSE_S)


async def _call(loop: Loop) -> None:
    await loop()
