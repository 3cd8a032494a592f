import asyncio
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from sqlalchemy import text
from sqlalchemy.exc import IntegrityError

from echovessel.adapters.store import open_store
from echovessel.adapters.store.postgres import PostgresStore
from echovessel.adapters.store.schema import HEAD
from echovessel.core.errors import FenceLost, PortDown, StoreUnusable
from echovessel.core.ids import UserId
from echovessel.ports.changes import PutUser
from echovessel.ports.records import User
from echovessel.testing.clock import START, CountedIds, StoppedClock
from echovessel.testing.contracts.store_house import StoreHouse
from tests.support.postgres import PostgresServer

pytestmark = pytest.mark.postgres


@pytest.fixture
async def stores(postgres_url: str, clock: StoppedClock) -> AsyncIterator[tuple[PostgresStore, PostgresStore]]:
    """Two processes' stores on one database."""
    both = PostgresStore(postgres_url, clock), PostgresStore(postgres_url, clock)
    yield both
    for store in both:
        await store.close()


@pytest.fixture
async def houses(stores: tuple[PostgresStore, PostgresStore], clock: StoppedClock) -> tuple[StoreHouse, StoreHouse]:
    here = await StoreHouse(stores[0], clock, CountedIds(clock)).moved_in()
    there = StoreHouse(stores[1], clock, here.ids)
    there.home = here.home
    return here, there


async def test_leases_are_judged_by_the_databases_clock(houses: tuple[StoreHouse, StoreHouse]) -> None:
    """Our own clock stands still, and a quarter of a second of the server's is enough."""
    here, there = houses
    turn, fence = await here.running(seconds=0.25)
    assert (await there.claims(turn.id))[0] is None

    await asyncio.sleep(0.3)

    with pytest.raises(FenceLost):
        await here.do(here.drafting(turn, "late"), fence)
    assert (await there.claims(turn.id))[0] is not None


async def test_of_two_processes_one_gets_each_turn(houses: tuple[StoreHouse, StoreHouse]) -> None:
    here, there = houses
    threads = [await here.opens(here.user_id, await here.shelves(str(number))) for number in range(6)]
    turns = [(await here.hears("x", thread=thread)).turn_id for thread in threads]

    tries = await asyncio.gather(*(house.claims(turn_id) for turn_id in turns for house in (here, there)))

    claimed = [turn.id for turn, _ in tries if turn is not None]
    assert sorted(claimed) == sorted(turn_id for turn_id in turns if turn_id is not None)


async def test_the_feed_has_no_gap_when_two_processes_write(houses: tuple[StoreHouse, StoreHouse]) -> None:
    here, there = houses
    before = await here.store.head(here.user_id)

    await asyncio.gather(
        *(house.do(house.hearing(f"{number}")) for number in range(20) for house in (here, there)),
        *(house.shelves(f"{number}") for number in range(5) for house in (here, there)),
    )

    rows = await there.store.changes(here.user_id, before)
    assert [row.seq for row in rows] == list(range(before + 1, before + 51))


async def test_a_change_by_another_process_is_noticed(houses: tuple[StoreHouse, StoreHouse]) -> None:
    here, there = houses
    waiting = asyncio.create_task(here.told_next())
    await asyncio.sleep(0.05)
    await there.hears("from over there")

    assert await asyncio.wait_for(waiting, 3) == ["message.created"]


async def test_the_same_new_row_by_two_processes_is_one_row(stores: tuple[PostgresStore, PostgresStore]) -> None:
    users = [
        User(id=UserId(f"user{number}"), name="", zone="UTC", locale="en", created_at=START) for number in range(10)
    ]

    await asyncio.gather(*(store.apply([PutUser(user=user)]) for user in users for store in stores))

    assert len(await stores[0].users()) == 10
    assert [await stores[0].head(user.id) for user in users] == [1] * 10


async def test_the_same_message_by_two_processes_is_one_message(houses: tuple[StoreHouse, StoreHouse]) -> None:
    here, there = houses

    outcomes = await asyncio.gather(
        *(house.do(house.hearing("once", client_id="c1")) for _ in range(5) for house in (here, there))
    )

    assert [outcome.fresh for outcome in outcomes].count(True) == 1
    assert await here.texts() == ["once"]


async def test_a_race_that_is_lost_every_time_is_an_error(
    houses: tuple[StoreHouse, StoreHouse], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two different users of one id cannot happen; a constraint that always breaks must not be tried for ever."""
    here, _ = houses
    store = here.store
    assert isinstance(store, PostgresStore)
    tries = 0
    once = store._write_once

    def always_too_late(*request: object) -> object:
        nonlocal tries
        tries += 1
        with store._engine.begin() as conn:
            conn.execute(text("INSERT INTO change_head SELECT * FROM change_head"))
        return once(*request)  # type: ignore[arg-type]

    monkeypatch.setattr(store, "_write_once", always_too_late)

    with pytest.raises(IntegrityError):
        await here.hears("x")
    assert tries == 4


async def test_processes_that_start_at_once_upgrade_once(postgres_url: str) -> None:
    with ThreadPoolExecutor(4) as pool:
        stores = list(pool.map(lambda _: open_store(url=postgres_url, path=None, clock=StoppedClock()), range(4)))

    assert {(await store.health()).revision for store in stores} == {HEAD}
    for store in stores:
        await store.close()


async def test_a_server_that_goes_away_is_named_and_comes_back(
    postgres: PostgresServer, houses: tuple[StoreHouse, StoreHouse]
) -> None:
    here, _ = houses
    await here.hears("before")
    store = here.store
    assert isinstance(store, PostgresStore)
    with pytest.raises(PortDown):
        await _cut_while_reading(store, postgres)

    await here.hears("after")
    assert await here.texts() == ["after", "before"]


async def _cut_while_reading(store: PostgresStore, postgres: PostgresServer) -> None:
    """Cut every connection of the store while one of its queries runs."""
    query = asyncio.create_task(store._read(lambda conn: conn.execute(text("SELECT pg_sleep(5)")).close()))
    await asyncio.sleep(0.2)
    cut = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s"
    with postgres._admin("postgres") as admin:
        admin.execute(cut, (store._engine.url.database,))
    await query


async def test_a_newer_database_is_refused(postgres_url: str, clock: StoppedClock) -> None:
    store = PostgresStore(postgres_url, clock)
    with store._engine.begin() as conn:
        conn.execute(text("UPDATE alembic_version SET version_num = '0999'"))
    await store.close()

    with pytest.raises(StoreUnusable, match="0999"):
        PostgresStore(postgres_url, clock)


async def test_where_it_is_never_tells_the_password(postgres_url: str, clock: StoppedClock) -> None:
    store = PostgresStore(postgres_url.replace("echovessel@", "echovessel:hunter2@"), clock)

    assert "hunter2" not in (await store.health()).where
    await store.close()


async def test_connections_wait_for_the_disk_whatever_the_servers_default(
    postgres_url: str, clock: StoppedClock
) -> None:
    store = PostgresStore(postgres_url, clock)

    def setting(conn: object) -> str:
        return conn.execute(text("SHOW synchronous_commit")).scalar_one()  # type: ignore[attr-defined]

    assert await store._read(setting) == "on"
    await store.close()


async def test_replacing_a_user_is_seen_by_both(houses: tuple[StoreHouse, StoreHouse]) -> None:
    here, there = houses
    user = await here.store.user(here.user_id)
    assert user is not None
    await here.do(PutUser(user=replace(user, name="Ада")))

    seen = await there.store.user(here.user_id)
    assert seen is not None
    assert seen.name == "Ада"
