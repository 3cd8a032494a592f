import asyncio
import threading
from collections.abc import Sequence
from contextlib import aclosing

import pytest
from sqlalchemy import Connection

from echovessel.adapters.store.sqlite import SqliteStore
from echovessel.core.ids import UserId
from echovessel.ports.records import ChangeRow
from echovessel.testing.contracts.store_house import StoreHouse


async def test_closing_wakes_who_waits(house: StoreHouse, store: SqliteStore) -> None:
    waiting = asyncio.create_task(house.told_next())
    await asyncio.sleep(0.02)

    await store.close()

    with pytest.raises(RuntimeError, match="shutdown"):
        await asyncio.wait_for(waiting, 5)


async def test_a_ring_costs_a_follower_one_look(
    house: StoreHouse, store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks: list[int] = []
    changes = store.changes

    async def counted(user_id: UserId, after: int, limit: int = 1000) -> Sequence[ChangeRow]:
        looks.append(after)
        return await changes(user_id, after, limit)

    monkeypatch.setattr(store, "changes", counted)
    head = await store.head(house.user_id)
    async with aclosing(store.follow(house.user_id, head)) as pages:
        for number in range(3):
            waiting = asyncio.ensure_future(anext(pages))
            await asyncio.sleep(0.02)
            await house.hears(str(number))
            await asyncio.wait_for(waiting, 5)

    assert looks == [head, head, head + 1, head + 2]


async def test_a_waiter_that_leaves_is_forgotten(house: StoreHouse, store: SqliteStore) -> None:
    waiting = asyncio.create_task(house.told_next())
    await asyncio.sleep(0.02)
    assert store._bell._waiting

    waiting.cancel()
    await asyncio.gather(waiting, return_exceptions=True)

    assert not store._bell._waiting


async def test_a_write_whose_caller_left_still_wakes_others(house: StoreHouse, store: SqliteStore) -> None:
    """The caller goes while its write is being done: too late to take it back, too early to be told."""
    waiting = asyncio.create_task(house.told_next())
    await asyncio.sleep(0.02)
    reached, go = threading.Event(), threading.Event()
    commit = store._writer._commit

    def slow_commit(conn: Connection) -> None:
        reached.set()
        go.wait(10)
        commit(conn)

    store._writer._commit = slow_commit
    saying = asyncio.create_task(house.do(house.hearing("said on the way out")))
    await asyncio.to_thread(reached.wait, 10)
    saying.cancel()
    await asyncio.gather(saying, return_exceptions=True)
    go.set()

    await asyncio.wait_for(waiting, 5)
    assert await house.texts() == ["said on the way out"]
