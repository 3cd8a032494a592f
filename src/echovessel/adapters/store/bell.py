"""Wakes whoever waits for a user's change feed to grow."""

import asyncio
import threading
from collections import defaultdict
from collections.abc import Iterable

from echovessel.core.ids import UserId

Ticket = asyncio.Future[None]


class Bell:
    """Waiters stand in event loops; a writer rings from its own thread, after the commit."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._waiting: defaultdict[UserId, set[Ticket]] = defaultdict(set)

    def take_ticket(self, user_id: UserId) -> Ticket:
        """Done at the next ring for this user. Take it before looking at the feed: then no ring is missed."""
        ticket = asyncio.get_running_loop().create_future()
        with self._lock:
            self._waiting[user_id].add(ticket)
        return ticket

    def give_back(self, user_id: UserId, ticket: Ticket) -> None:
        """The waiter is gone."""
        with self._lock:
            self._waiting[user_id].discard(ticket)
            if not self._waiting[user_id]:
                del self._waiting[user_id]

    def ring(self, users: Iterable[UserId]) -> None:
        """Wake everyone who waits for one of these users. Any thread may ring."""
        with self._lock:
            woken = [ticket for user_id in users for ticket in self._waiting.pop(user_id, ())]
        for ticket in woken:
            loop = ticket.get_loop()
            if not loop.is_closed():
                loop.call_soon_threadsafe(_settle, ticket)

    def ring_all(self) -> None:
        """Wake everyone: the store closes."""
        with self._lock:
            users = list(self._waiting)
        self.ring(users)


def _settle(ticket: Ticket) -> None:
    if not ticket.done():
        ticket.set_result(None)
