import asyncio
import threading

from sqlalchemy import Connection

from echovessel.adapters.store.sqlite import SqliteStore
from echovessel.testing.contracts.store_house import StoreHouse


async def test_closing_wakes_who_waits(house: StoreHouse, store: SqliteStore) -> None:
    head = await store.head(house.user_id)
    waiting = asyncio.create_task(store.wait_for_change(house.user_id, head))
    await asyncio.sleep(0.02)

    store._bell.ring_all()

    await asyncio.wait_for(waiting, 5)


async def test_a_waiter_that_leaves_is_forgotten(house: StoreHouse, store: SqliteStore) -> None:
    waiting = asyncio.create_task(store.wait_for_change(house.user_id, 10_000))
    await asyncio.sleep(0.02)
    assert store._bell._waiting

    waiting.cancel()
    await asyncio.gather(waiting, return_exceptions=True)

    assert not store._bell._waiting


async def test_a_write_whose_caller_left_still_wakes_others(house: StoreHouse, store: SqliteStore) -> None:
    """The caller goes while its write is being done: too late to take it back, too early to be told."""
    waiting = asyncio.create_task(store.wait_for_change(house.user_id, await store.head(house.user_id)))
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
