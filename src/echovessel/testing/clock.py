"""A clock that stands until a test moves it, and ids that are the same in every run."""

import asyncio
import hashlib
from datetime import UTC, datetime, timedelta

from echovessel.core.ids import ulid
from echovessel.core.time import milliseconds

START = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
"""A Monday."""
BLINK_S = 0.05


class StoppedClock:
    """Implements `ports.clock.Clock`. `advance` moves it and wakes the sleepers whose time has come."""

    def __init__(self, at: datetime = START) -> None:
        self._now = at
        self._steady = at.timestamp()
        self._moved = asyncio.Event()

    def now(self) -> datetime:
        """Where the hands stand."""
        return self._now

    def monotonic(self) -> float:
        """Seconds that have passed; setting the hands does not count."""
        return self._steady

    def set(self, seconds: float) -> None:
        """Someone sets the hands forward, or back when negative: no time passes."""
        self._now += timedelta(seconds=seconds)

    def advance(self, seconds: float) -> None:
        """Let time pass: the hands move forward."""
        self._now += timedelta(seconds=seconds)
        self._steady += seconds
        self._moved.set()
        self._moved = asyncio.Event()

    async def sleep(self, seconds: float) -> None:
        """Wait until so much time has passed. A blink passes without it: it is a pause between two looks."""
        until = self._steady + seconds
        if seconds <= BLINK_S:
            await asyncio.sleep(seconds)
            return
        await asyncio.sleep(0)
        while self._steady < until:
            await self._moved.wait()


class CountedIds:
    """Implements `ports.clock.Ids`: every run of a test gives the same ids, and later ones sort later."""

    def __init__(self, clock: StoppedClock) -> None:
        self._clock = clock
        self._count = 0

    def ulid(self, at: datetime | None = None) -> str:
        """A ULID whose entropy is a counter."""
        self._count += 1
        return ulid(milliseconds(at or self._clock.now()), self._count.to_bytes(10, "big"))

    def token(self) -> str:
        """A token that only looks unguessable."""
        self._count += 1
        return hashlib.sha256(str(self._count).encode()).hexdigest()
