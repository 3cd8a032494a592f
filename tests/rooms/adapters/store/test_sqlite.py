import asyncio
import sqlite3
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from sqlalchemy import Connection, text

from echovessel.adapters.store.sqlite import SqliteStore
from echovessel.core.errors import PortDown, StoreUnusable
from echovessel.ports.changes import DeleteMessage
from echovessel.testing.clock import CountedIds, StoppedClock
from echovessel.testing.contracts.store import StoreContract
from echovessel.testing.contracts.store_house import StoreHouse

WORDS = ["zanzibar", "桂花糕", "monstera", "螺蛳粉"]


@pytest.mark.parametrize("careless", ["OFF", "NORMAL"])
async def test_a_store_that_does_not_wait_for_the_disk_breaks_the_contract(
    path: Path, clock: StoppedClock, careless: str
) -> None:
    store = SqliteStore(path, clock, _synchronous=careless)
    house = await StoreHouse(store, clock, CountedIds(clock)).moved_in()

    with pytest.raises(AssertionError):
        await StoreContract().test_what_is_acknowledged_is_on_the_disk(house)

    await store.close()


async def test_the_writer_is_set_up_as_promised(store: SqliteStore) -> None:
    def read(conn: Connection) -> dict[str, object]:
        names = ("journal_mode", "synchronous", "fullfsync", "checkpoint_fullfsync", "foreign_keys", "secure_delete")
        return {name: conn.exec_driver_sql(f"PRAGMA {name}").scalar_one() for name in names}

    assert await asyncio.wrap_future(store._writer.submit(read)) == {
        "journal_mode": "wal",
        "synchronous": 2,
        "fullfsync": 1,
        "checkpoint_fullfsync": 1,
        "foreign_keys": 1,
        "secure_delete": 1,
    }


async def test_readers_cannot_write(store: SqliteStore) -> None:
    def write(conn: Connection) -> None:
        conn.execute(text("DELETE FROM message"))

    with pytest.raises(PortDown, match="readonly"):
        await store._read(write)


async def test_reading_goes_on_while_a_write_is_under_way(house: StoreHouse, store: SqliteStore) -> None:
    await house.hears("before")
    under_way, go_on = asyncio.Event(), asyncio.Event()
    loop = asyncio.get_running_loop()

    def slow(conn: Connection) -> None:
        conn.execute(text("UPDATE message SET zone = 'x'"))
        loop.call_soon_threadsafe(under_way.set)
        asyncio.run_coroutine_threadsafe(go_on.wait(), loop).result(10)

    writing = store._writer.submit(slow)
    await asyncio.wait_for(under_way.wait(), 10)
    (message,) = await asyncio.wait_for(store.messages(house.home.pair), 10)
    go_on.set()
    await asyncio.wrap_future(writing)

    assert message.zone == "Europe/Berlin"


async def test_deleted_words_are_in_no_file(house: StoreHouse, store: SqliteStore, path: Path) -> None:
    """Hundreds of messages in two languages; those with the words are deleted, and read from the disk byte by byte."""
    changes = [
        house.hearing(f"{number} filler {WORDS[number % 4] * (number % 2)} {'text ' * 20}") for number in range(300)
    ]
    await house.store.apply(changes)
    forgotten = [change for change in changes if any(word in change.text for word in WORDS)]
    assert len(forgotten) == 150
    assert all(word.encode() in _bytes(path) for word in WORDS[1::2])

    for change in forgotten:
        await house.do(DeleteMessage(user_id=house.user_id, message_id=change.message_id))
    await store.scrub()

    found = _bytes(path)
    assert [word for word in WORDS if word.encode() in found] == []
    assert (path.parent / f"{path.name}-wal").stat().st_size == 0
    assert len(await house.texts("filler")) == 50
    assert (await store.health()).integrity == "ok"


def _bytes(path: Path) -> bytes:
    return b"".join(file.read_bytes() for file in path.parent.glob(f"{path.name}*"))


async def _be_impatient(store: SqliteStore) -> None:
    """Wait for others 50 ms instead of seconds."""

    def shorten(conn: Connection) -> None:
        connection = conn.connection.driver_connection
        assert isinstance(connection, sqlite3.Connection)
        connection.execute("PRAGMA busy_timeout = 50")

    await asyncio.wrap_future(store._writer.alone(shorten))


async def test_scrubbing_waits_its_turn_when_someone_reads(house: StoreHouse, store: SqliteStore, path: Path) -> None:
    await house.hears("x")
    reader = sqlite3.connect(path, isolation_level=None)
    reader.execute("BEGIN")
    reader.execute("SELECT count(*) FROM message").fetchone()
    await house.hears("y")
    await _be_impatient(store)

    with pytest.raises(PortDown):
        await store.scrub()
    reader.execute("COMMIT")
    reader.close()

    await store.scrub()


async def test_another_program_that_writes_is_waited_for_and_then_named(
    house: StoreHouse, store: SqliteStore, path: Path
) -> None:
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    await _be_impatient(store)

    with pytest.raises(PortDown, match="locked"):
        await house.hears("x")
    other.execute("COMMIT")
    other.close()

    await house.hears("y")
    assert await house.texts() == ["y"]


async def test_damage_that_shows_later_is_named(house: StoreHouse, store: SqliteStore, path: Path) -> None:
    await house.store.apply([house.hearing("word " * 200) for _ in range(200)])
    await store.scrub()
    whole = path.read_bytes()
    path.write_bytes(whole[:8192] + b"\xff" * (len(whole) - 8192))

    with pytest.raises(StoreUnusable, match="damaged"):
        await house.store.messages(house.home.pair)


@pytest.fixture
async def reopened(path: Path, clock: StoppedClock) -> AsyncIterator[StoreHouse]:
    """A house whose store was closed with work still waiting, and opened again."""
    store = SqliteStore(path, clock)
    house = await StoreHouse(store, clock, CountedIds(clock)).moved_in()
    saying = [asyncio.create_task(house.do(house.hearing(str(number)))) for number in range(50)]
    await asyncio.sleep(0)
    await store.close()
    assert all(outcome.fresh for outcome in await asyncio.gather(*saying))
    house.store = SqliteStore(path, clock)
    yield house
    await house.store.close()


async def test_closing_keeps_what_was_accepted(reopened: StoreHouse) -> None:
    assert len(await reopened.store.messages(reopened.home.pair, limit=100)) == 50


async def test_only_what_would_be_done_again_leaves_the_disk_its_time(house: StoreHouse, store: SqliteStore) -> None:
    levels: list[int] = []
    commit = store._writer._commit

    def noted(conn: Connection) -> None:
        levels.append(conn.exec_driver_sql("PRAGMA synchronous").scalar_one())
        commit(conn)

    store._writer._commit = noted
    heard = await house.hears("hello")
    turn, fence = await house.claims(heard.turn_id)
    assert turn is not None
    await house.do(house.drafting(turn, "h"), fence)
    await house.do(house.finishing(turn, "hi"), fence)

    assert levels == [2, 1, 2, 2]
    assert (await store.health()).durable
