"""A store that dies at a chosen moment, as if the process had been killed there."""

import asyncio
from collections.abc import Sequence
from typing import Any

from echovessel.ports.changes import Applied, Change, Fence
from echovessel.ports.store import Store


class Killed(BaseException):
    """The process is dead: no handler of ours may see this and carry on."""


class DyingStore:
    """Passes everything on to a real store, until point `dies_at`: points 0, 2, 4, … lie before the first, second, third …
    write, points 1, 3, 5, … after it. From then on every write dies."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.dies_at: int | None = None
        self.points = 0
        self.died = asyncio.Event()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    async def apply(self, changes: Sequence[Change], fence: Fence | None = None) -> Applied:
        """Write, unless the process is dead."""
        self._reach()
        applied = await self._store.apply(changes, fence)
        self._reach()
        return applied

    def _reach(self) -> None:
        if self.died.is_set() or self.points == self.dies_at:
            self.died.set()
            raise Killed
        self.points += 1
