"""However many follow a user, each row is read once, and everyone sees each row once and in order."""

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from echovessel.core.errors import PortDown
from echovessel.core.ids import UserId
from echovessel.flows.live import LiveReplies
from echovessel.flows.news import KEPT, LOOK, News
from echovessel.ports.meter import Meter
from echovessel.ports.records import ChangeRow
from echovessel.ports.store import Store
from echovessel.testing.clock import StoppedClock

ADA, BO = UserId("ada"), UserId("bo")


class Feeds:
    """The part of a store that keeps feeds, in memory. `asked` counts the looks at it; `broken` is what the next one raises."""

    def __init__(self) -> None:
        self.heads: Counter[UserId] = Counter()
        self.asked: Counter[str] = Counter()
        self.broken: PortDown | None = None
        self._grown = asyncio.Event()

    def grow(self, user_id: UserId, rows: int = 1) -> None:
        self.heads[user_id] += rows
        self._grown.set()
        self._grown = asyncio.Event()

    async def head(self, user_id: UserId) -> int:
        self.asked["head"] += 1
        return self.heads[user_id]

    async def changes(self, user_id: UserId, after: int, limit: int = 1000) -> Sequence[ChangeRow]:
        self.asked["changes"] += 1
        last = min(self.heads[user_id], after + limit)
        return [ChangeRow(seq=n, kind="message.created", ref=f"{user_id}{n}") for n in range(after + 1, last + 1)]

    async def follow(self, user_id: UserId, after: int, limit: int = 1000) -> AsyncGenerator[Sequence[ChangeRow]]:
        while True:
            while self.heads[user_id] <= after:
                await self._grown.wait()
            if self.broken:
                raise self.broken
            rows = await self.changes(user_id, after, limit)
            after = rows[-1].seq
            yield rows


def news_of(feeds: Feeds) -> News:
    return News(_as_store(feeds), LiveReplies(StoppedClock(), Meter()))


def _as_store(feeds: Feeds) -> Store:
    return feeds  # type: ignore[return-value]


async def follow(news: News, user_id: UserId, seq: int, until: int) -> list[int]:
    """Read as a stream does, from `seq` to the row `until`."""
    seen: list[int] = []
    async with news.of(user_id) as mine:
        while seq < until:
            rings = mine.rings
            rows = await mine.since(seq)
            seen += [row.seq for row in rows]
            if rows:
                seq = rows[-1].seq
            else:
                await mine.heard(rings)
    return seen


async def test_a_row_is_read_once_for_fifty_followers() -> None:
    feeds = Feeds()
    news = news_of(feeds)
    followers = [asyncio.create_task(follow(news, ADA, 0, 40)) for _ in range(50)]
    for _ in range(40):
        for _ in range(5):
            await asyncio.sleep(0)
        feeds.grow(ADA)

    seen = await asyncio.wait_for(asyncio.gather(*followers), 5)

    assert seen == [list(range(1, 41))] * 50
    assert feeds.asked["changes"] <= 40


@given(
    starts=st.lists(st.integers(0, 3 * KEPT), min_size=1, max_size=5),
    bursts=st.lists(st.integers(1, KEPT + LOOK), max_size=6),
)
def test_wherever_one_begins_and_however_rows_come_none_is_missed_or_told_twice(
    starts: list[int], bursts: list[int]
) -> None:
    async def story() -> None:
        feeds = Feeds()
        feeds.grow(ADA, max(starts) + 1)
        until = max(starts) + 1 + sum(bursts)
        news = news_of(feeds)
        followers = [asyncio.create_task(follow(news, ADA, start, until)) for start in starts]
        for burst in bursts:
            await asyncio.sleep(0)
            feeds.grow(ADA, burst)
        seen = await asyncio.wait_for(asyncio.gather(*followers), 5)
        assert seen == [list(range(start + 1, until + 1)) for start in starts]

    asyncio.run(story())


async def test_followers_who_were_apart_come_together() -> None:
    feeds = Feeds()
    feeds.grow(ADA, LOOK * 2)
    async with news_of(feeds).of(ADA) as mine:
        assert [row.seq for row in await mine.since(7)][-1] == LOOK
        assert [row.seq for row in await mine.since(LOOK - 1)] == [LOOK]
        assert [row.seq for row in await mine.since(LOOK)][-1] == LOOK * 2


async def test_another_users_rows_wake_nobody() -> None:
    feeds = Feeds()
    news = news_of(feeds)
    async with news.of(ADA) as ada, news.of(BO) as bo:
        rings = ada.rings
        feeds.grow(BO)
        await asyncio.wait_for(bo.heard(bo.rings), 5)

        assert ada.rings == rings
        assert await ada.since(0) == ()


async def test_with_the_last_follower_the_reading_ends() -> None:
    feeds = Feeds()
    news = news_of(feeds)
    before = asyncio.all_tasks()
    async with news.of(ADA) as mine:
        async with news.of(ADA) as also_mine:
            assert also_mine is mine
        assert len(asyncio.all_tasks()) == len(before) + 1

    assert asyncio.all_tasks() == before
    assert not news._users


async def test_what_keeps_the_feed_from_being_read_is_raised_and_the_next_follower_begins_anew() -> None:
    feeds = Feeds()
    news = news_of(feeds)
    async with news.of(ADA) as mine:
        feeds.broken = PortDown("The disk is gone.", do="Plug it in.")
        feeds.grow(ADA)
        with pytest.raises(PortDown, match="disk is gone"):
            await asyncio.wait_for(mine.heard(mine.rings), 5)
        feeds.broken = None

        async with news.of(ADA) as again:
            assert again is not mine
            assert [row.seq for row in await again.since(0)] == [1]
        assert not news._users
