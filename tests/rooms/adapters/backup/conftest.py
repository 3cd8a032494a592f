"""A home with a talk in its database, and the folder of its backups."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from echovessel.adapters.backup import FolderBackups
from echovessel.adapters.home import Home
from echovessel.adapters.store.sqlite import SqliteStore
from echovessel.testing.blank import put_blank_database
from echovessel.testing.clock import CountedIds, StoppedClock
from echovessel.testing.contracts.store_house import StoreHouse


@pytest.fixture
def clock() -> StoppedClock:
    return StoppedClock()


@pytest.fixture
def home(tmp_path: Path) -> Home:
    home = Home(tmp_path / "home")
    home.path.mkdir(mode=0o700)
    return home


@pytest.fixture
def folder(home: Home) -> Path:
    return home.path / "backups"


@pytest.fixture
async def house(home: Home, clock: StoppedClock) -> AsyncIterator[StoreHouse]:
    store = SqliteStore(put_blank_database(home.database), clock)
    yield await StoreHouse(store, clock, CountedIds(clock)).moved_in()
    await store.close()


@pytest.fixture
def backups(home: Home, folder: Path, clock: StoppedClock) -> FolderBackups:
    return FolderBackups(home.database, lambda: folder, clock)
