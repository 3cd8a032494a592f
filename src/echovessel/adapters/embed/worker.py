"""One thread that does the embedding, the most urgent piece first."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from heapq import heappop, heappush
from itertools import count
from typing import TypeVar

T = TypeVar("T")


class Worker:
    """Called from one event loop. A piece is handed to the thread only when it is next, so that what waits can be overtaken."""

    def __init__(self, name: str) -> None:
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix=name)
        self._busy = False
        self._places = count()
        self._waiting: list[tuple[int, int, asyncio.Future[None]]] = []

    async def run(self, work: Callable[[], T], *, urgency: int) -> T:
        """What `work` returns or raises. A lower `urgency` goes first; equal ones in the order they came."""
        await self._my_turn(urgency)
        try:
            return await asyncio.get_running_loop().run_in_executor(self._thread, work)
        finally:
            self._next()

    async def _my_turn(self, urgency: int) -> None:
        if not self._busy:
            self._busy = True
            return
        turn = asyncio.get_running_loop().create_future()
        heappush(self._waiting, (urgency, next(self._places), turn))
        try:
            await turn
        except asyncio.CancelledError:
            if not turn.cancelled():  # called just before it was cancelled: the turn is passed on
                self._next()
            raise

    def _next(self) -> None:
        while self._waiting:
            _, _, turn = heappop(self._waiting)
            if not turn.done():
                turn.set_result(None)
                return
        self._busy = False
