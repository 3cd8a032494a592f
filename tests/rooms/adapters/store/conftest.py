"""A store in a file with a talk in it, and a bare connection to look inside."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from sqlalchemy import Connection, create_engine

from echovessel.adapters.store import schema
from echovessel.adapters.store.sqlite import SqliteStore
from echovessel.testing.blank import put_blank_database
from echovessel.testing.clock import CountedIds, StoppedClock
from echovessel.testing.contracts.store_house import StoreHouse


@pytest.fixture
def clock() -> StoppedClock:
    return StoppedClock()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "memory.db"


@pytest.fixture
async def store(path: Path, clock: StoppedClock) -> AsyncIterator[SqliteStore]:
    store = SqliteStore(put_blank_database(path), clock)
    yield store
    await store.close()


@pytest.fixture
async def house(store: SqliteStore, clock: StoppedClock) -> StoreHouse:
    return await StoreHouse(store, clock, CountedIds(clock)).moved_in()


@pytest.fixture
def conn(house: StoreHouse, path: Path) -> Iterator[Connection]:
    """A connection of its own to the house's file."""
    engine = create_engine(f"sqlite:///{path}")
    with engine.connect() as connection:
        yield connection
    engine.dispose()


@pytest.fixture
def empty() -> Iterator[Connection]:
    """A connection to an empty database with our schema."""
    engine = create_engine("sqlite://")
    with engine.connect() as connection:
        schema.upgrade(connection)
        yield connection
    engine.dispose()
