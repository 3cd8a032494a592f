"""The only place that looks at the machine's clock and throws its dice."""

import asyncio
import secrets
import threading
import time
from collections import OrderedDict
from datetime import UTC, datetime

from echovessel.core.ids import ulid
from echovessel.core.time import milliseconds
from echovessel.ports.clock import Clock

_ENTROPY_BITS = 79  # one below the 80 of a ULID, so that counting up within a millisecond never overflows
_REMEMBERED = 4096


class SystemClock:
    """The machine's clock."""

    def now(self) -> datetime:
        """The present instant in UTC."""
        return datetime.now(UTC)

    def monotonic(self) -> float:
        """Seconds on a clock that never jumps."""
        return time.monotonic()

    async def sleep(self, seconds: float) -> None:
        """Wait this many seconds."""
        await asyncio.sleep(seconds)


class SystemIds:
    """ULIDs and secrets from the operating system's randomness. Threads may share one.

    Within a millisecond the entropy counts up, so that a later id sorts later; the last 4,096 milliseconds that were asked
    for are remembered, since imported messages bring their own times in any order.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._last: OrderedDict[int, int] = OrderedDict()

    def ulid(self, at: datetime | None = None) -> str:
        """A new ULID; its time part is `at`, else now."""
        moment = milliseconds(at or self._clock.now())
        with self._lock:
            before = self._last.pop(moment, None)
            entropy = secrets.randbits(_ENTROPY_BITS) if before is None else before + 1
            self._last[moment] = entropy
            if len(self._last) > _REMEMBERED:
                self._last.popitem(last=False)
        return ulid(moment, entropy.to_bytes(10, "big"))

    def token(self) -> str:
        """192 unguessable bits, URL-safe."""
        return secrets.token_urlsafe(24)
