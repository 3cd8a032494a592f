"""Time and chance arrive through here; `adapters/system.py` is the only place that asks the machine."""

from datetime import datetime
from typing import Protocol


class Clock(Protocol):
    """The present, and waiting."""

    def now(self) -> datetime:
        """The present instant, aware, in UTC."""
        ...

    def monotonic(self) -> float:
        """Seconds on a clock that never jumps; only differences mean anything."""
        ...

    async def sleep(self, seconds: float) -> None:
        """Wait this many seconds of this clock."""
        ...


class Ids(Protocol):
    """Where ids and secrets come from."""

    def ulid(self, at: datetime | None = None) -> str:
        """A new ULID; its time part is `at`, else now. Later calls in one millisecond sort later."""
        ...

    def token(self) -> str:
        """An unguessable URL-safe token (≥ 128 bits), for leases and keys."""
        ...
