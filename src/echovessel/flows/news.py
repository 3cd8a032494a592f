"""What all who follow one user wait for together: the feed's newest rows, read once for all of them, and a bell.

A page in every tab, a phone and a terminal may follow the same user. However many they are, a new row costs one look at the
store, and a ring wakes nobody else's followers.
"""

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing, asynccontextmanager
from itertools import islice

from echovessel.core.ids import UserId
from echovessel.flows.bell import Bell
from echovessel.flows.live import LiveReplies
from echovessel.ports.records import ChangeRow
from echovessel.ports.store import Store

LOOK = 50
"""Rows that a follower is handed at once."""
KEPT = 10 * LOOK
"""Rows that are kept for followers who are a little behind; the others read the store."""


class News:
    """The news of every user who is followed in this process."""

    def __init__(self, store: Store, live: LiveReplies) -> None:
        self._store = store
        self._live = live
        self._users: dict[UserId, UserNews] = {}

    @asynccontextmanager
    async def of(self, user_id: UserId) -> AsyncGenerator["UserNews"]:
        """One user's news. They are read while someone follows them."""
        news = self._current(user_id)
        if news is None:
            head = await self._store.head(user_id)
            news = self._current(user_id) or UserNews(self._store, user_id, head, self._live.bell_of(user_id))
            self._users[user_id] = news
        news.followers += 1
        try:
            yield news
        finally:
            news.followers -= 1
            if not news.followers:
                if self._users.get(user_id) is news:
                    del self._users[user_id]
                await news.close()

    def _current(self, user_id: UserId) -> "UserNews | None":
        news = self._users.get(user_id)
        return None if news is None or news.ended else news


class UserNews:
    """One user's feed as far as it was read, and the bell that its rows and their growing replies ring."""

    def __init__(self, store: Store, user_id: UserId, head: int, bell: Bell) -> None:
        self.followers = 0
        self.head = head
        self._bell = bell
        self._store = store
        self._user_id = user_id
        self._rows: deque[ChangeRow] = deque(maxlen=KEPT)
        self._reading = asyncio.create_task(self._read())
        self._reading.add_done_callback(lambda _: bell.ring())

    @property
    def rings(self) -> int:
        """How often the bell was rung; ask before looking, and pass it to `heard`."""
        return self._bell.rings

    @property
    def ended(self) -> bool:
        """Whether the feed could not be read on."""
        return self._reading.done()

    async def since(self, seq: int) -> Sequence[ChangeRow]:
        """The next rows after `seq`, in order; none when the newest is known already.

        They end at a multiple of `LOOK`, so that followers who were apart come together again.
        """
        if seq >= self.head:
            return ()
        wanted = LOOK - seq % LOOK
        if self._rows and self._rows[0].seq <= seq + 1:
            skipped = seq + 1 - self._rows[0].seq
            return tuple(islice(self._rows, skipped, skipped + wanted))
        return await self._store.changes(self._user_id, seq, wanted)

    async def heard(self, after: int) -> None:
        """Return when there was more than `after` rings. Raises what kept the feed from being read."""
        await self._bell.heard(after)
        if self._reading.done():
            self._reading.result()

    async def close(self) -> None:
        """Read no more."""
        self._reading.cancel()
        await asyncio.gather(self._reading, return_exceptions=True)

    async def _read(self) -> None:
        async with aclosing(self._store.follow(self._user_id, self.head, KEPT)) as pages:
            async for rows in pages:
                self._rows.extend(rows)
                self.head = rows[-1].seq
                self._bell.ring()
