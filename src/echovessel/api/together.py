"""Work that many ask for at the same moment is done once."""

import asyncio
from collections.abc import Callable, Coroutine, Hashable
from typing import Any


class Together:
    """Whoever asks while the same work is being done waits for it and shares its outcome; later ones have it done anew."""

    def __init__(self) -> None:
        self._doing: dict[Hashable, asyncio.Task[bytes]] = {}

    async def do(self, what: Hashable, work: Callable[[], Coroutine[Any, Any, bytes]]) -> bytes:
        """The outcome of `work`, or its error. It goes on when one who waits for it leaves."""
        task = self._doing.get(what)
        if task is None:
            task = self._doing[what] = asyncio.create_task(work())
            task.add_done_callback(lambda done: self._over(what, done))
        return await asyncio.shield(task)

    def _over(self, what: Hashable, task: asyncio.Task[bytes]) -> None:
        del self._doing[what]
        if not task.cancelled():
            task.exception()  # it is told to those who wait; with nobody left it is no news either
