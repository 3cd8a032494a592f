"""The store's contract on both databases."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from echovessel.adapters.store import open_store
from echovessel.ports.store import Store
from echovessel.testing.clock import StoppedClock
from echovessel.testing.contracts.store import StoreContract
from tests.support.postgres import PostgresServer


@pytest.fixture
def clock() -> StoppedClock:
    return StoppedClock()


class TestSqlite(StoreContract):
    @pytest.fixture
    async def store(self, sqlite_template: Path, tmp_path: Path, clock: StoppedClock) -> AsyncIterator[Store]:
        path = tmp_path / "memory.db"
        path.write_bytes(sqlite_template.read_bytes())
        store = open_store(url=None, path=path, clock=clock)
        yield store
        await store.close()


@pytest.mark.postgres
class TestPostgres(StoreContract):
    DURABLE = False  # the server under test was started with fsync=off

    @pytest.fixture
    async def store(
        self, postgres: PostgresServer, postgres_template: str, clock: StoppedClock
    ) -> AsyncIterator[Store]:
        url = postgres.create_database(template=postgres_template)
        store = open_store(url=url, path=None, clock=clock)
        yield store
        await store.close()
        postgres.drop_database(url)
